"""What a language says of all that English says: each text of a `words.yaml`, and each macro that has words.

Drawings and pages (`*.svg.j2`, `*.html.j2`) have no words of their own: theirs are in `words.yaml`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, TemplateNotFound, nodes

from adjudicator.engine.library import registry
from adjudicator.engine.library.languages import (
    ENGLISH,
    WORDS,
    faults_noted,
    known_languages,
    note_fault,
    texts_by_part,
    texts_in,
)
from adjudicator.engine.library.registry import home
from adjudicator.engine.library.texts import Texts, cached_in_texts, game_texts
from adjudicator.engine.report.loader import PARTS, without_comments
from adjudicator.engine.report.template import environment
from adjudicator.engine.text.problem import Problem

LETTERS = re.compile(r"[^\W\d_]{2}")
NOT_SHOWN: Mapping[type[nodes.Node], tuple[str, ...]] = {
    nodes.Filter: ("args", "kwargs"),
    nodes.Getitem: ("arg",),
}
"""The parts of an expression by which a template picks."""
WORDLESS = frozenset({"thread", "actor", "quiet", "undrawn", "income"})
"""Macros and values that hold names of the program alone."""

PARSED = 256
"""How many templates are kept as they were parsed: English is looked at again for each language."""


def texts_told(folder: Path) -> Iterator[tuple[str, str, Any]]:
    """All that the files of a folder say: the file, the name of a text in it, and the text; a template that is a text
    by itself has the name `""`.
    """
    for path in sorted(folder.glob("*")):
        if path.suffix == ".yaml":
            for part, texts in texts_in(path).items():
                yield from ((path.name, f"{part}.{key}", text) for key, text in texts.items())
        elif path.name.endswith((".md.j2", ".txt.j2", ".yaml.j2")):
            yield from ((path.name, *each) for each in _parts_told(path.read_text(encoding="utf-8")))


@lru_cache(maxsize=PARSED)
def _parts_told(text: str) -> Sequence[tuple[str, nodes.Node]]:
    """The macros and values of a template of macros; another template as a whole."""
    made = Environment().parse(text)
    if PARTS.sub("", without_comments(text)).strip():
        return [("", made)]
    return [*_parts_of(made)]


def _parts_of(made: nodes.Template) -> Iterator[tuple[str, nodes.Node]]:
    for node in made.body:
        if isinstance(node, nodes.Macro):
            yield node.name, node
        elif isinstance(node, nodes.Assign):
            target = node.target.items if isinstance(node.target, nodes.Tuple) else [node.target]
            yield ", ".join(each.name for each in target if isinstance(each, nodes.Name)), node


def has_words(name: str, told: Any) -> bool:
    """Does a text, a macro or a value say anything that a reader of another language would not understand?"""
    if not isinstance(told, nodes.Node):
        return True
    return name not in WORDLESS and any(LETTERS.search(each) for each in _shown(told))


def _shown(node: nodes.Node) -> Iterator[str]:
    """The texts that may be shown; not those with which a template compares or by which it picks."""
    if isinstance(node, nodes.TemplateData):
        yield node.data
    elif isinstance(node, nodes.Const) and isinstance(node.value, str):
        yield node.value
    elif not isinstance(node, nodes.Compare | nodes.Test | nodes.FromImport | nodes.Import):
        for child in node.iter_child_nodes(exclude=NOT_SHOWN.get(type(node), ("test",))):
            yield from _shown(child)


def wanted_of(game: str) -> dict[tuple[str, str], Any]:
    """All that a language must say of a game (or, by the empty name, of every game), by file and name: what English
    says of it.
    """
    english = {(file, name): told for file, name, told in texts_told(home(game, "templates") / ENGLISH)}
    return {
        key: told for key, told in english.items() if has_words(key[1], told) and key[1] != "language.name"
    }


def share_told(game: str, language: str, templates: str = "") -> tuple[int, int]:
    """How many texts of a game, with those of every game, a language has, here or in a group's folder, and how many
    there are.

    Raises ValueError or TemplateError for files that can't be read.
    """
    shares = (_share_told(game_texts(name, language, templates)) for name in (game, ""))
    told, wanted = zip(*shares, strict=True)
    return sum(told), sum(wanted)


@cached_in_texts
def _wanted(english: Texts) -> Mapping[tuple[str, str], Any]:
    return wanted_of(english.game)


@cached_in_texts
def _share_told(texts: Texts) -> tuple[int, int]:
    wanted = _wanted(game_texts(texts.game))
    tops = (home(texts.game, "templates"), *([Path(texts.templates) / texts.game] if texts.templates else ()))
    there = {(file, name) for top in tops for file, name, _ in texts_told(top / texts.language)}
    return len(wanted.keys() & there), len(wanted)


def faults_of_group(templates: str) -> list[Problem]:
    """All that isn't used of a folder of a group's own words, each with its file."""
    for game in ("", *registry.OWN):
        folder = Path(templates) / game
        for language in known_languages(game, templates):
            texts = game_texts(game or next(iter(registry.OWN)), language, templates)
            for name in (WORDS, "prompts.yaml"):
                texts_by_part(texts.game, language, name, templates)
            for path in sorted((folder / language).glob("*.j2")):
                try:
                    environment(texts).get_template(path.name)
                except TemplateNotFound:
                    note_fault(
                        templates, f"{path.relative_to(templates)}: none of our templates has this name"
                    )
    return problems_of_group(templates)


def problems_of_group(templates: str) -> list[Problem]:
    """What of a folder of a group's own words wasn't used so far in this process, and why."""
    if not Path(templates).is_dir():
        note_fault(templates, "there is no such folder, and our words are used")
    return [Problem(templates, 0, 0, "WORDS", said, "warning") for said in faults_noted(templates)]
