"""A group's own words: a folder whose texts go before ours, by the same keys. What of its YAML counts, what is wrong.

The folder has the shape of `templates/`: `fr/words.yaml` for every game, `oltremare/fr/words.yaml` for one. A text may
fill in what ours of the same key fills in, and nothing else: so no text can fail, or grow without end, when it is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from adjudicator.engine.text.source import MOST_BYTES, Source, read

LONGEST_TEXT, LONGEST_NAME = 2000, 60
"""The most characters of a text, and of a name or of what a language writes between numbers."""
NAMES = ("names", "language")
"""The parts with names and small words."""
ESCAPED = re.compile(r"\{\{|\}\}")
HOLE = re.compile(r"\{([\w.-]+@?)([:|][^\d<>=^{}!%]*)?\}")
"""What a text fills in: `{name}`, `{most:card|cards}`, `{times|card|cards}`; no width, no part of a value."""
NO_TEXT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that no text of a group's has: what steers a terminal or turns the line, and halves of characters."""

_FAULTS: dict[str, dict[str, None]] = {}


def note_fault(templates: str, said: str) -> None:
    """Keeps a fault of a group's folder, once, for its GM."""
    _FAULTS.setdefault(templates, {})[said] = None


def faults_noted(templates: str) -> list[str]:
    """The faults of a group's folder that were found so far in this process."""
    return [*_FAULTS.get(templates, ())]


def forget_faults() -> None:
    """Drops them: the folders are read again."""
    _FAULTS.clear()


def plain_text(templates: str, path: Path) -> str | None:
    """The text of a file of a group's folder; None if there is none, or if it isn't a plain file of text."""
    name = path.relative_to(templates).as_posix()
    if not path.is_symlink() and not path.exists():
        return None
    inside = not any(each.is_symlink() for each in (path, *path.parents) if each.is_relative_to(templates))
    if not inside or not path.is_file():
        note_fault(templates, f"{name}: this isn't a plain file in the folder, and isn't read")
    elif path.stat().st_size > MOST_BYTES:
        note_fault(templates, f"{name}: the file is larger than {MOST_BYTES} bytes, and isn't read")
    else:
        try:
            return path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            note_fault(templates, f"{name}: this can't be read ({error})")
    return None


def group_texts(
    templates: str, path: Path, ours: Mapping[str, Mapping[str, Any]]
) -> dict[str, dict[str, Any]]:
    """The texts of a file of a group's folder that may go before ours, part by part; the others are noted as faults."""
    text, name = plain_text(templates, path), path.relative_to(templates).as_posix()
    source = read(text.encode(), name) if text is not None else None
    if source is None:
        return {}
    if not isinstance(source, Source) or not isinstance(source.plain, dict):
        place = f":{source.slip.line}" if not isinstance(source, Source) else ""
        note_fault(templates, f"{name}{place}: this can't be read as YAML with parts and keys")
        return {}
    good: dict[str, dict[str, Any]] = {}
    for part, own in source.plain.items():
        for key, value in own.items() if isinstance(own, dict) else ():
            if said := fault_of_text(part, key, value, ours.get(part, {}).get(key)):
                note_fault(templates, f"{name}: {part}, {key}: {said}")
            else:
                good.setdefault(part, {})[key] = value
    return good


def fault_of_text(part: str, key: str, value: Any, ours: Any) -> str:
    """What is wrong with a text; `ours` is ours of the same key. Empty if nothing is."""
    if part == "names" and isinstance(value, dict):
        forms = [*value.values()]
        if "one" not in value or not all(isinstance(each, str) for each in forms):
            return "a name with forms has texts, and `one` among them"
        return next(filter(None, (fault_of_text(part, key, each, "") for each in forms)), "")
    if not isinstance(value, str):
        return "this must be a text"
    if ours is None and part != "names":
        return "there is no such key"
    if NO_TEXT.search(value):
        return "this has a character that can't be shown"
    if len(value) > (LONGEST_NAME if part in NAMES else LONGEST_TEXT):
        return "this is too long"
    return next(faults_of_holes(value, ours if isinstance(ours, str) else ""), "")


def faults_of_holes(text: str, ours: str) -> Iterator[str]:
    """What a text fills in that ours of the same key doesn't, or in another way."""
    counts = {found[1]: bool(found[2]) for found in HOLE.finditer(ESCAPED.sub("", ours))}
    bare = ESCAPED.sub("", text)
    for found in HOLE.finditer(bare):
        if found[1] not in counts:
            yield f"{found[0]} isn't filled in here; possible: {', '.join(counts) or 'nothing'}"
        elif found[2] and not counts[found[1]]:
            yield f"{found[0]}: {{{found[1]}}} is filled in without a noun"
    if re.search(r"[{}]", HOLE.sub("", bare)):
        yield "this has a brace that fills in nothing: write {name}, or {{ and }} for braces"
