"""What is made from a game's rulebook and texts alone, as an earlier command made it.

As Python does with compiled modules, we compare names, sizes and times of the files that it was made from: our own
engine, the game's package, its templates. When one of them has changed, it is made again. Only the user can have
written what is unpickled here.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import TypeVar

from adjudicator.engine.library import registry
from adjudicator.engine.library.texts import Texts
from adjudicator.engine.report.private_cache import private_cache
from adjudicator.engine.report.template import folders
from adjudicator.engine.text.resources import PACKAGE, folder_of

T = TypeVar("T")


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
