"""The folder for a web server: the page of links, and the program in parts (`make page` builds their pack)."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from adjudicator.engine.library.texts import game_texts
from adjudicator.engine.library.words import words
from adjudicator.engine.report import page_scripts
from adjudicator.engine.report.template import embedded, shared
from adjudicator.engine.text.resources import folder

INDEX, SCRIPT, SEALING, MANIFEST = "index.html", "orders.js", "sealing.js", "page.webmanifest"
FILES = (
    "hosted.js",
    "program.js",
    "showing.js",
    "pasting.js",
    "trying.js",
    "worker.js",
    "service.js",
    "icon.svg",
)
SERVED = ("seats.js", "program.js", "showing.js", "icon.svg")
OWN_TEXTS = "hosted."
"""The prefix of the keys of the page's texts."""


class BadPack(Exception):
    """A file that is no pack for a page; its text says why."""


def write_page(pack: Path, out: Path, version: str) -> Iterator[str]:
    """Writes the folder, file by file; yields their names. Raises `BadPack`, or OSError.

    `version` is that of the pack: a browser that has another one takes all of it again.
    """
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
        out.mkdir(parents=True, exist_ok=True)
        for name in names:
            (out / name).write_bytes(archive.read(name))
            yield name
        size = sum(archive.getinfo(name).file_size for name in names if name.endswith(".packed"))
    for name, text in texts(version, size).items():
        (out / name).write_text(text, encoding="utf-8")
        yield name


def texts(version: str, size: int) -> Mapping[str, str]:
    """The files of the page of links by name; `size` is the size of all packed parts, in bytes."""
    about = {"cache": f"adjudicator {version}", "bytes": size, "script": SCRIPT, "sealing": SEALING}
    name = sentences()["name"]
    return {
        **page_files("hosted.html.j2", about, FILES),
        SEALING: page_scripts.scripts(page_scripts.SEALING),
        MANIFEST: json.dumps(manifest(name), indent=1, ensure_ascii=False) + "\n",
    }


def texts_at_this_machine() -> Mapping[str, str]:
    """The files of the page of seats by name; the machine that serves it has the program."""
    return page_files("seats.html.j2", {"server": True, "script": SCRIPT}, SERVED)


def page_files(template: str, about: Mapping[str, object], names: Sequence[str]) -> dict[str, str]:
    """A page, the scripts of the page for orders, and files as they are."""
    index = shared().get_template(template)
    hosted = folder("templates") / "pages" / "hosted"
    return {
        INDEX: index.render(words=embedded(sentences()), about=embedded(about)) + "\n",
        SCRIPT: page_scripts.scripts(),
        **{name: (hosted / name).read_text(encoding="utf-8") for name in names},
    }


def sentences() -> dict[str, str]:
    """The sentences of the pages' scripts."""
    known = words(game_texts(""))["pages"]
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
