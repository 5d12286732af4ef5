"""The folder for a web server: the page of links, and the program in parts (`make page` builds their pack).

All of a version but its first page lies in a folder named by their digest: an address never gets another content, and
no page finds files of another version than its own. The first page lies beside it under that name too, so that a later
version can give it the links that it wrote.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct

from adjudicator.engine.library import registry
from adjudicator.engine.library.languages import ENGLISH, known_languages
from adjudicator.engine.library.texts import game_texts, words
from adjudicator.engine.report import page_scripts
from adjudicator.engine.report.map import Layers, svg_of
from adjudicator.engine.report.template import embedded, shared
from adjudicator.engine.text.resources import folder

INDEX, SCRIPT, SEALING, MANIFEST = "index.html", "orders.js", "sealing.js", "page.webmanifest"
SERVICE, VERSION, ICON = "service.js", "version.json", "icon.svg"
FILES = (
    "hosted.js",
    "guessing.js",
    "drawn.js",
    "link.js",
    "pasting.js",
    "program.js",
    "saying.js",
    "sending.js",
    "showing.js",
    "trying.js",
    "worker.js",
)
SERVED = ("seats.js", "guessing.js", "program.js", "saying.js", "showing.js", ICON)
STILL = Layers("", "", "", "")
"""Nothing on the ground of a map."""
OWN_TEXTS = "hosted."
"""The prefix of the keys of the page's texts."""


class HostedVersions(Struct, frozen=True):
    """What lies on a web server: the newest version, and all that links can be given to, each with its digest."""

    of: str
    version: str
    versions: dict[str, str] = {}


_LIST = msgspec.json.Decoder(HostedVersions)


class BadPack(Exception):
    """A file that is no pack for a page; its text says why."""


def write_page(pack: Path, out: Path, version: str) -> Iterator[str]:
    """Writes the folder, file by file, the first page last; yields their names. Raises `BadPack`, or OSError."""
    for name, data in page_files(parts_in(pack), version, versions_in(out)).items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        yield name


def versions_in(out: Path) -> Mapping[str, str]:
    """The versions of the program in a folder written before, with the name of each one's page and folder."""
    try:
        known = _LIST.decode((out / VERSION).read_bytes()).versions
    except (FileNotFoundError, msgspec.DecodeError):
        return {}
    return {version: of for version, of in known.items() if (out / of / FILES[0]).is_file()}


def parts_in(pack: Path) -> Mapping[str, bytes]:
    """The files of a pack by name. Raises `BadPack`."""
    try:
        archive = zipfile.ZipFile(pack)
    except FileNotFoundError as error:
        raise BadPack(
            "there is no such pack; name one from a release with --pack, or make one: make page"
        ) from error
    except (OSError, zipfile.BadZipFile) as error:
        raise BadPack(f"can't be read as a pack: {getattr(error, 'strerror', None) or error}") from error
    with archive:
        names = archive.namelist()
        if any("/" in name or name.startswith(".") for name in names) or "program.zip.packed" not in names:
            raise BadPack("isn't a pack made by `make page`")
        return {name: archive.read(name) for name in names}


def page_files(parts: Mapping[str, bytes], version: str, earlier: Mapping[str, str]) -> Mapping[str, bytes]:
    """The files of the page of links by name, from the parts of a pack of that version of the program.

    `earlier` are the versions that lie there already.
    """
    size = sum(len(data) for name, data in parts.items() if name.endswith(".packed"))
    scripts = scripts_named(FILES) | {SEALING: page_scripts.scripts(page_scripts.SEALING)}
    texts = scripts | {f"ground-{game}.svg": svg_of(registry.rulebook(game), STILL) for game in registry.OWN}
    own = {**parts, **{name: text.encode() for name, text in texts.items()}}

    def index(of: str) -> bytes:
        about = {"of": of, "version": version, "bytes": size}
        scripts = {"script": f"{of}/{SCRIPT}", "sealing": f"{of}/{SEALING}"}
        return page("hosted.html.j2", {**about, **scripts}).encode()

    of = digest_of({**own, INDEX: index("")})
    kept = ["./", MANIFEST, ICON, *(f"{of}/{name}" for name in own if not name.endswith(".packed"))]
    about_files = f"const OF = {json.dumps(of)}, FILES = {json.dumps(kept)};\n"
    return {
        **{f"{of}/{name}": data for name, data in own.items()},
        ICON: hosted(ICON).encode(),
        MANIFEST: (json.dumps(manifest(sentences()["name"]), indent=1, ensure_ascii=False) + "\n").encode(),
        SERVICE: (about_files + hosted(SERVICE)).encode(),
        f"{of}.html": index(of),
        VERSION: msgspec.json.encode(HostedVersions(of, version, {**earlier, version: of})),
        INDEX: index(of),
    }


def digest_of(files: Mapping[str, bytes]) -> str:
    """The name of the folder of a version: it is another one as soon as anything in it differs."""
    lines = (f"{sha256(data).hexdigest()} {name}\n" for name, data in sorted(files.items()))
    return sha256("".join(lines).encode()).hexdigest()[:16]


def texts_at_this_machine() -> Mapping[str, str]:
    """The files of the page of seats by name; the machine that serves it has the program."""
    return {INDEX: page("seats.html.j2", {"server": True, "script": SCRIPT}), **scripts_named(SERVED)}


def page(template: str, about: Mapping[str, object]) -> str:
    """A page, with what its scripts must know."""
    spoken = {language: sentences(language) for language in known_languages()}
    index = shared().get_template(template)
    known = {"words": embedded(spoken), "own": spoken[ENGLISH], "about": embedded(about)}
    return index.render(**known, **about) + "\n"


def scripts_named(names: Sequence[str]) -> dict[str, str]:
    """The scripts of the page for orders, and files as they are, by name."""
    return {SCRIPT: page_scripts.scripts(page_scripts.PROGRAM), **{name: hosted(name) for name in names}}


def hosted(name: str) -> str:
    """The text of a file for pages that the program serves, or runs in."""
    return (folder("templates") / "pages" / "hosted" / name).read_text(encoding="utf-8")


def sentences(language: str = ENGLISH) -> dict[str, str]:
    """The sentences of the pages and their scripts in a language."""
    known = words(game_texts("", language))["pages"]
    return {key.removeprefix(OWN_TEXTS): text for key, text in known.items() if key.startswith(OWN_TEXTS)}


def manifest(name: str) -> Mapping[str, object]:
    """The data with which a phone can install the page as a program."""
    return {
        "name": name,
        "short_name": name,
        "start_url": "./",
        "display": "standalone",
        "icons": [{"src": "icon.svg", "sizes": "any", "type": "image/svg+xml"}],
    }
