"""Typed values from files that others wrote: their formats, what doesn't fit a type, and JSON."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from adjudicator import __version__
from adjudicator.engine.text.problem import Problem, nearest
from adjudicator.engine.text.source import MOST_LEVELS, Path, Source

if TYPE_CHECKING:
    from msgspec import inspect


WORDS = {
    "array": "a list",
    "bool": "`true` or `false`",
    "float": "a number",
    "int": "a whole number",
    "null": "nothing",
    "object": "keys with values",
    "str": "text",
}
"""The reader's type names, in words for the file's author."""
_AT = re.compile(r" - at `(?:key` in `)?\$(.*)`$")
_STEP = re.compile(r"\.([^.\[]+)|\[(\d+)\]|(\[\.\.\.\])")
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`")
_MISSING = re.compile(r"Object missing required field `(.*)`")
_OTHER = re.compile(r"Expected `(.*)`, got `(.*)`")


def problem_of_type(source: Source, kind: type[Any], error: msgspec.ValidationError, code: str) -> Problem:
    """Why the data of a source aren't a value of that type, with the place of the fault."""
    found = _AT.search(str(error))
    said = str(error)
    path: Path = ()
    if found is not None:
        said, path = said[: found.start()], tuple(_steps(found[1]))
    key = False
    if unknown := _UNKNOWN.fullmatch(said):
        said, key = _no_key(unknown[1], tuple(_keys(kind, path))), True
        path = (*path, unknown[1])
    elif missing := _MISSING.fullmatch(said):
        said = f"`{missing[1]}:` is missing"
    elif other := _OTHER.fullmatch(said):
        said = f"this is {_in_words(other[2])}, but must be {_in_words(other[1])}"
    mark = source.mark(path, key=key)
    return Problem(source.name, mark.line or 1, mark.column or 1, code, said)


def _steps(way: str) -> Iterable[str | int]:
    """A path such as `.imap.port` as keys and numbers, as far as the reader gives them."""
    for name, number, any_ in _STEP.findall(way):
        if any_:
            return
        yield int(number) if number else name


def _keys(kind: type[Any], path: Path) -> Iterable[str]:
    """The keys that the mapping at a path may have."""
    from msgspec import inspect  # only for a bad file

    types: list[inspect.Type] = [inspect.type_info(kind)]
    for step in path:
        types = [inner for each in types for inner in _types_within(each, step)]
    return [
        field.encode_name
        for each in types
        for one in _alternatives(each)
        for field in getattr(one, "fields", ())
    ]


def _types_within(kind: inspect.Type, step: str | int) -> Iterable[inspect.Type]:
    """The types that a step into a value may have: a field's type, or that of a list's items."""
    for one in _alternatives(kind):
        if isinstance(step, int):
            yield from [one.item_type] if hasattr(one, "item_type") else []
        else:
            yield from (field.type for field in getattr(one, "fields", ()) if field.encode_name == step)


def _alternatives(kind: inspect.Type) -> Iterable[inspect.Type]:
    return getattr(kind, "types", (kind,))


def _no_key(word: str, known: Iterable[str]) -> str:
    mean = nearest(word, known)
    guess = f", did you mean {mean}?" if mean else ""
    return f"there is no key {word}{guess}; there are {', '.join(known)}"


def _in_words(kinds: str) -> str:
    """The names of types, such as `object | null`, in plain words."""
    named = [WORDS.get(each, each) for each in kinds.split(" | ")]
    return " or ".join(each for each in named if each != "nothing" or len(named) == 1)


FORMAT = "0.3"
"""The release that brought the present format of files. Files that stand alone say it (`format`); in a match,
`match.yaml` and each phase's `open.yaml` name the program that wrote them.
"""
KEY = "format"
_RELEASE = re.compile(r"(\d{1,4})\.(\d{1,4})(?:\.\d{1,4})?(?:\.dev\d+|(?:a|b|rc)\d+)?")


def release_of(version: str) -> tuple[int, int]:
    """The release of a version of the program or of files: `0.3.1` is of release `(0, 3)`. Raises ValueError."""
    found = _RELEASE.fullmatch(version)
    if found is None:
        raise ValueError(f"{version!a} isn't a version of the program")
    return int(found[1]), int(found[2])


def is_later(version: str) -> bool:
    """Was something written by a later release than this program, or in the format of one? Raises ValueError."""
    return release_of(version) > release_of(__version__)


_SIGNS = re.compile(rb'"(?:[^"\\]|\\.)*+"|([\[{])|([\]}])')


def decode(decoder: msgspec.json.Decoder[Any], text: bytes) -> Any:
    """The value of a text. Raises ValueError, saying what is wrong with it."""
    try:
        if text.count(b"[") + text.count(b"{") > MOST_LEVELS and depth_of(text) > MOST_LEVELS:
            raise ValueError(f"more than {MOST_LEVELS} levels of lists and mappings")
        return decoder.decode(text)
    except (
        NotImplementedError
    ) as error:  # msgspec raises it for types that it can't read, such as a secret of `Any`
        raise ValueError(str(error)) from None


def depth_of(text: bytes) -> int:
    """How deep lists and mappings are nested."""
    depth = most = 0
    for found in _SIGNS.finditer(text):
        depth += (found[1] is not None) - (found[2] is not None)
        most = max(most, depth)
    return most
