"""Which languages there are, and where their texts lie: a game's own first, and English for what a language lacks.

Names in all the forms that a language's sentences need.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from adjudicator.engine.library.group_words import group_texts
from adjudicator.engine.library.registry import home
from adjudicator.engine.text.resources import folder
from adjudicator.engine.text.source import Source, Unread, read

ENGLISH = "en"
"""The language in which everything is told that another lacks."""
WORDS = "words.yaml"


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
