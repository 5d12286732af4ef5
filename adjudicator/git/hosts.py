"""The files that each host needs in the repository: the job that runs `git turn`, and a README for players.

The program itself, for a host's job to install from the repository: a wheel of what runs here, and the libraries
that it needs, by their SHA-256. So nobody else can give the job a program, whoever owns a name in a package registry.
"""

from __future__ import annotations

import hashlib
import io
import re
import secrets
import sys
import zipfile
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from importlib import metadata
from pathlib import Path
from shlex import quote

from adjudicator import __version__
from adjudicator.engine.folder import disk
from adjudicator.engine.text.resources import DISTRIBUTION, PACKAGE as HOME, folder
from adjudicator.git.keys import RefereeKey
from adjudicator.git.layout import number_of
from adjudicator.git.main import fetch_main, note_look, push_main
from adjudicator.git.memory import last_marked, matches_marked
from adjudicator.git.repository import HERE, WORD, Repository

HOSTS = {
    "github": {
        ".github/workflows/adjudicator.yml": "github.yml",
        ".github/workflows/knock.yml": "github-knock.yml",
    },
    "gitlab": {".gitlab-ci.yml": "gitlab.yml"},
    "forgejo": {".forgejo/workflows/adjudicator.yml": "forgejo.yml"},
    "hook": {},
}
"""The files that lie in `main` for each host, and the templates that they are made of."""
FROM_A_REGISTRY = re.compile(rf'"{re.escape(DISTRIBUTION)}\[git\]')
"""What a job of an earlier release installs: whatever a package registry has under this name."""
LABEL, CODEBERG = "runs-on: docker", "runs-on: codeberg-tiny"
MOST_OF_A_JOB = 64 * 1024
"""How long the file of a job may be, in bytes."""
README = "README.md"
KNOCK = ".github/workflows/knock.yml"
HOOKS = {"post-receive": "post-receive.sh", "pre-receive": "pre-receive.sh"}
SETTINGS = {
    "receive.maxInputSize": "16m",
    "receive.denyDeletes": "true",
    "receive.denyNonFastForwards": "true",
    "receive.fsckObjects": "true",
    "receive.advertisePushOptions": "true",
    "core.useReplaceRefs": "false",
    "uploadpack.allowFilter": "true",
}
"""Settings of a bare repository: what players push is small, and what was pushed stays."""


def template(name: str) -> str:
    """A file for a host, as it is."""
    return (folder("templates") / "git" / name).read_text(encoding="utf-8")


def files_for(host: str, there: Sequence[str], url: str = "") -> dict[str, bytes]:
    """The files of a host by name, with the program that its job runs; a README that is there already stays."""
    files = {name: _job(file, url) for name, file in HOSTS[host].items()}
    if files:
        files |= program_files()
    return files if README in there else {**files, README: template("players.md").encode()}


def _job(file: str, url: str) -> bytes:
    text = template(file)
    return (text.replace(LABEL, CODEBERG) if "codeberg.org" in url else text).encode()


def pin(repository: Repository, key: RefereeKey, now: datetime) -> list[str]:
    """Puts this version of the program into `main` for the jobs there to install, in one commit; returns the names of
    the files that were changed.

    A job of an earlier release, which installs from a package registry, is replaced. Raises Faulty if somebody else has
    written into a match: nothing goes on top of that. Raises Moved, GitFailed.
    """
    commit = fetch_main(repository)
    for match in matches_marked(repository, commit, key):
        last_marked(repository, commit, match, key).check()
    jobs = {name: file for files in HOSTS.values() for name, file in files.items()}
    items = {item.name: item for item in repository.items(commit, "", *jobs) if item.plain}
    texts = repository.contents([*items.values()], MOST_OF_A_JOB)
    if not texts:
        return []
    older = [name for name, text in texts.items() if FROM_A_REGISTRY.search(text.decode(errors="replace"))]
    wanted = {**{name: _job(jobs[name], repository.url) for name in older}, **program_files()}
    there = {f"{FOLDER}/{item.name}": item.number for item in repository.items(commit, FOLDER)}
    changed: dict[str, bytes | str | None] = {name: None for name in there if name not in wanted}
    there |= {name: item.number for name, item in items.items()}
    changed |= {name: data for name, data in wanted.items() if there.get(name) != number_of(data, commit)}
    if changed:
        push_main(repository, commit, changed, f"The job runs adjudicator {__version__}", now)
        note_look(repository, now)  # jobs of this version need it
    return [name for name in changed if changed[name] is not None]


def beside_a_box(repository: Repository) -> dict[str, bytes]:
    """The file that a player's branch needs so that a push to it starts the job: GitHub looks for it there."""
    known = (
        list(repository.items(HERE, ".github/workflows", "knock.yml")) if repository.commit_of(HERE) else []
    )
    return {KNOCK: _job(HOSTS["github"][KNOCK], "")} if known else {}


def install_hooks(repository: Repository) -> bool:
    """Puts hooks and settings into a bare repository on this machine; False if it is elsewhere, or has other hooks.

    Both it and the referee's clone get a word by which the one knows the other. Raises GitFailed, OSError.
    """
    bare = Path(repository.url)
    if not (bare / "HEAD").is_file() or any(not _is_ours(bare / "hooks" / name) for name in HOOKS):
        return False
    there = Repository(bare)
    word = there.setting(WORD) or secrets.token_hex(16)
    for name, value in {**SETTINGS, WORD: word}.items():
        there.run("config", name, value)
    repository.run("config", WORD, word)
    (bare / "hooks").mkdir(exist_ok=True)
    for name, text in hooks(repository.path.absolute()).items():
        if not (bare / "hooks" / name).exists():
            disk.write(bare / "hooks" / name, text.encode(), 0o755)
    return True


def complete_hooks(repository: Repository) -> None:
    """Puts those hooks that an earlier release had not into a bare repository that has its others. Raises GitFailed,
    OSError.
    """
    home = Path(repository.url) / "hooks"
    if (home / "post-receive").exists() and not all((home / name).exists() for name in HOOKS):
        install_hooks(repository)


def _is_ours(hook: Path) -> bool:
    """Was a hook written by this program, or is there none?"""
    return not hook.exists() or "adjudicator" in hook.read_text(encoding="utf-8", errors="replace")


def hooks(clone: Path) -> dict[str, str]:
    """The hooks of a bare repository by name, for the referee's clone. They call this program, wherever it lies."""
    program = this_program()
    made = {name: template(file).replace("CLONE", quote(str(clone))) for name, file in HOOKS.items()}
    return {name: text.replace("exec adjudicator", f"exec {program}") for name, text in made.items()}


def this_program() -> str:
    """The words that call this program from a hook or cron, which know of no other place where it might lie."""
    return f"{quote(sys.executable)} -P -m adjudicator"


FOLDER = ".adjudicator"
"""Where it lies in `main`: no match has such a name."""
REQUIREMENTS = f"{FOLDER}/requirements.txt"
_NAME = DISTRIBUTION.replace("-", "_")
_INFO = f"{_NAME}-{__version__}.dist-info"
_OF_A_GM = ("referee.yaml", "mail.yaml")
_WHEEL = "Wheel-Version: 1.0\nGenerator: adjudicator\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
_COMMANDS = "[console_scripts]\nadjudicator = adjudicator.__main__:main\n"
_ALWAYS = (1980, 1, 1, 0, 0, 0)
"""The date of each file in the wheel, so that the same program gives the same bytes."""


@cache
def program_files() -> Mapping[str, bytes]:
    """The wheel, and the list of what a job installs, by their names in `main`."""
    name, wheel = f"{FOLDER}/{_NAME}-{__version__}-py3-none-any.whl", _wheel()
    libraries = (folder("templates") / "git/requirements.txt").read_text(encoding="utf-8")
    own = f"./{name} \\\n    --hash=sha256:{hashlib.sha256(wheel).hexdigest()}\n"
    return {name: wheel, REQUIREMENTS: (libraries + own).encode()}


def _wheel() -> bytes:
    """A wheel of the program that runs here, from wherever it was installed, or from a checkout."""
    files = dict(sorted(_files()))
    files |= {
        f"{_INFO}/{name}": text.encode()
        for name, text in (("METADATA", _metadata()), ("WHEEL", _WHEEL), ("entry_points.txt", _COMMANDS))
    }
    lines = [f"{name},sha256={_digest(data)},{len(data)}\n" for name, data in files.items()]
    record = f"{_INFO}/RECORD"
    files[record] = "".join([*lines, f"{record},,\n"]).encode()
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as pack:
        for name, data in files.items():
            info = zipfile.ZipInfo(name, _ALWAYS)
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            pack.writestr(info, data)
    return made.getvalue()


def _files() -> Iterator[tuple[str, bytes]]:
    for top, within in ((HOME, ""), (folder("schemas"), "schemas/"), (folder("templates"), "templates/")):
        for path in top.rglob("*"):
            if path.is_file() and not path.is_symlink() and _is_of_the_program(path.relative_to(top)):
                yield f"adjudicator/{within}{path.relative_to(top).as_posix()}", path.read_bytes()


def _is_of_the_program(path: Path) -> bool:
    hidden = any(part.startswith(".") or part == "__pycache__" for part in path.parts)
    return not hidden and path.suffix != ".pyc" and path.name not in _OF_A_GM


def _metadata() -> str:
    """What the package says of itself; of a checkout that was never installed, its name and version."""
    try:
        known = metadata.distribution(DISTRIBUTION)
    except metadata.PackageNotFoundError:
        known = None
    text = known.read_text("METADATA") if known is not None and known.version == __version__ else None
    return text or f"Metadata-Version: 2.1\nName: {DISTRIBUTION}\nVersion: {__version__}\n"


def _digest(data: bytes) -> str:
    return urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
