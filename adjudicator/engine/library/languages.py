"""Where texts lie: which languages there are, a game's own texts before the common ones, and English for what a
language lacks. Names in all the forms that a language's sentences need.

Before them all go a group's own words: a folder of the shape of `templates/` (`fr/words.yaml` for every game,
`oltremare/fr/words.yaml` for one). A text may fill in what ours of the same key fills in, and nothing else: so no text
can fail, or grow without end, when it is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from adjudicator.engine.library.registry import home
from adjudicator.engine.text.resources import folder
from adjudicator.engine.text.source import MOST_BYTES, Source, Unread, read

ENGLISH = "en"
"""The language in which everything is told that another lacks."""
WORDS = "words.yaml"
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


def known_languages(game: str = "", templates: str = "") -> list[str]:
    """The languages with texts of a game (by the empty name: of what all games share), here or in a group's folder;
    English first. The shared words of a language alone don't count: amid a game's English sentences they are neither.
    """
    group = (Path(templates) / game, Path(templates)) if templates else ()
    found = {path.parent.name for top in (home(game, "templates"), *group) for path in top.glob(f"*/{WORDS}")}
    return sorted(found | {ENGLISH}, key=lambda name: (name != ENGLISH, name))


def own_and_shared(game: str, language: str, templates: str = "") -> list[list[Path]]:
    """The folders of a game's own texts, and those of the shared ones, each the language's before the English, and a
    group's (`templates`) before ours.
    """
    ours, group = (home(game, "templates"), folder("templates")), Path(templates)
    theirs = (group / game, group) if templates else (None, None)
    return [
        [top / each for each in dict.fromkeys((language, ENGLISH)) for top in filter(None, tops)]
        for tops in zip(theirs, ours, strict=True)
    ]


def texts_by_part(game: str, language: str, name: str, templates: str = "") -> dict[str, dict[str, Any]]:
    """The texts of the files of that name, key by key: the game's own before the shared ones, in the language before
    English, a group's before ours.
    """
    found: dict[str, dict[str, Any]] = {}
    for folders in reversed(own_and_shared(game, language, templates)):
        for path in reversed(folders):
            theirs = bool(templates) and path.is_relative_to(templates)
            texts = group_texts(templates, path / name, found) if theirs else texts_in(path / name)
            for part, own in texts.items():
                found.setdefault(part, {}).update(own)
    return found


def texts_in(path: Path) -> Mapping[str, Any]:
    """The texts of a file; none if there is no such file."""
    if not path.is_file():
        return {}
    source = read(path.read_bytes(), path.name, most=None)
    if not isinstance(source, Source) or not isinstance(source.plain, dict):
        raise ValueError(
            f"{path}: {source.slip if isinstance(source, Unread) else type(source.plain).__name__}"
        )
    return source.plain


class Noun(str):
    """A name for reading, and its other forms as attributes: `name("genoa").at` is `à Gênes`, if `words.yaml` has
    `genoa: {one: Gênes, at: à Gênes}`. A form that isn't there is empty.
    """

    forms: Mapping[str, str]

    def __getattr__(self, form: str) -> str:
        if form.startswith("_"):
            raise AttributeError(form)
        return self.forms.get(form, "")


def noun(text: str | Mapping[str, str]) -> Noun:
    """A name from `words.yaml`: a text, or its forms, of which `one` is the name itself."""
    forms = {"one": text} if isinstance(text, str) else text
    made = Noun(forms["one"])
    made.forms = forms
    return made
