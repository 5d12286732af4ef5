"""The program itself, for a host's job to install from the repository: a wheel of what runs here, and the libraries
that it needs, by their SHA-256. So nobody else can give the job a program, whoever owns a name in a package registry.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import metadata
from pathlib import Path

from adjudicator import __version__
from adjudicator.engine.text.extras import PACKAGE
from adjudicator.engine.text.resources import PACKAGE as HOME
from adjudicator.engine.text.resources import folder

FOLDER = ".adjudicator"
"""Where it lies in `main`: no match has such a name."""
REQUIREMENTS = f"{FOLDER}/requirements.txt"
_NAME = PACKAGE.replace("-", "_")
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
            if path.is_file() and not path.is_symlink() and _is_ours(path.relative_to(top)):
                yield f"adjudicator/{within}{path.relative_to(top).as_posix()}", path.read_bytes()


def _is_ours(path: Path) -> bool:
    hidden = any(part.startswith(".") or part == "__pycache__" for part in path.parts)
    return not hidden and path.suffix != ".pyc" and path.name not in _OF_A_GM


def _metadata() -> str:
    """What the package says of itself; of a checkout that was never installed, its name and version."""
    try:
        known = metadata.distribution(PACKAGE)
    except metadata.PackageNotFoundError:
        known = None
    text = known.read_text("METADATA") if known is not None and known.version == __version__ else None
    return text or f"Metadata-Version: 2.1\nName: {PACKAGE}\nVersion: {__version__}\n"


def _digest(data: bytes) -> str:
    return urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
