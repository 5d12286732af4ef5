"""What is made from a game's rulebook and texts alone, as an earlier command made it, where only the user can write.

As Python does with compiled modules, we compare names, sizes and times of the files that it was made from: our own
engine, the game's package, its templates. When one of them has changed, it is made again.

Whatever is read there is run, so it is trusted only if nobody else can have put it there: in a folder of the user's own
that others can't write to, on the user's own disk. Each entry has a checksum over program, Python, what it was made
from, and its content; damaged entries and those of another version are made again.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import stat
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from adjudicator import __version__
from adjudicator.engine.library import registry
from adjudicator.engine.library.texts import Texts
from adjudicator.engine.report.loader import folders
from adjudicator.engine.text.resources import PACKAGE, folder_of

T = TypeVar("T")
DIGEST = hashlib.sha256().digest_size
OTHERS = stat.S_IWGRP | stat.S_IWOTH
"""The permission bits that let others than the owner write."""


def cached_on_disk(kind: str, texts: Texts, make: Callable[[Texts], T]) -> T:
    """What `make` makes of a game's texts, once for all commands; `kind` names it in the cache."""
    cache = private_cache(kind)
    if cache is None:
        return make(texts)
    places = source_files(texts)
    name = (
        f"{sha256(repr((texts.game, texts.language, texts.templates, places)).encode()).hexdigest()}.pickle"
    )
    sources = "\n".join(line for place in places for line in sorted(sources_in(place)))
    content = cache.get(name, sources)
    if content is None:
        content = pickle.dumps(make(texts))
        cache.put(name, sources, content)
    made: T = pickle.loads(content)
    return made


def source_files(texts: Texts) -> list[str]:
    """The folders with every file on which what is made of a game depends: our engine, the game's package, its
    templates.
    """
    package = str(folder_of(registry.package(texts.game)))
    return [str(PACKAGE / "engine"), package, *(str(place) for owner in folders(texts) for place in owner)]


def sources_in(folder: str) -> Iterator[str]:
    """Each file below a folder, with its size in bytes and its time in nanoseconds; a missing folder has none."""
    if not os.path.isdir(folder):  # noqa: PTH112  there are hundreds of files: a path for each is slow
        return
    for entry in os.scandir(folder):
        if entry.is_dir():
            if entry.name != "__pycache__":
                yield from sources_in(entry.path)
        else:
            found = entry.stat()
            yield f"{entry.path} {found.st_size} {found.st_mtime_ns}"


def private_cache(kind: str) -> PrivateCache | None:
    """The cache of one kind of things; None if there is no private place for it: they are then made each time."""
    try:
        place = cache_folder() / "adjudicator"
        for folder in (place, place / kind):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not is_private(folder, stat.S_ISDIR):
                return None
    except (OSError, RuntimeError):  # RuntimeError: the user's home is unknown
        return None
    return PrivateCache(place / kind)


def cache_folder() -> Path:
    """Where this system keeps users' caches."""
    if sys.platform == "win32":
        return Path(os.environ["LOCALAPPDATA"]) if "LOCALAPPDATA" in os.environ else Path.home() / ".cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    named = os.environ.get("XDG_CACHE_HOME", "")
    return Path(named) if os.path.isabs(named) else Path.home() / ".cache"  # noqa: PTH117  as the name is given


def is_private(path: Path, is_kind: Callable[[int], bool]) -> bool:
    """Is the path of that kind (no link), owned by the user, and writable by nobody else? Raises OSError."""
    found = os.lstat(path)
    if not is_kind(found.st_mode):
        return False
    if not hasattr(os, "getuid"):  # Windows: a user's local data belong to that user
        return True
    return found.st_uid == os.getuid() and not found.st_mode & OTHERS


class PrivateCache:
    """Entries of a folder, one file each. One that can't be read or written is made each time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, name: str, made_from: str) -> bytes | None:
        """The content of an entry if the entry is ours, undamaged, and made from the same sources."""
        path = self.folder / name
        try:
            if not is_private(path, stat.S_ISREG):
                return None
            entry = path.read_bytes()
        except OSError:
            return None
        digest, content = entry[:DIGEST], entry[DIGEST:]
        return content if digest == digest_of(made_from, content) else None

    def put(self, name: str, made_from: str, content: bytes) -> None:
        """Keeps a content; its file appears whole."""
        path = self.folder / name
        fresh = path.with_suffix(f".{os.getpid()}")
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
            with os.fdopen(os.open(fresh, flags, 0o600), "wb") as file:
                file.write(digest_of(made_from, content) + content)
            fresh.replace(path)
        except OSError:
            return


def digest_of(made_from: str, content: bytes) -> bytes:
    """The SHA-256 of a content and of everything it was made from and with."""
    return hashlib.sha256(f"{__version__}\n{sys.version}\n{made_from}\n".encode() + content).digest()
