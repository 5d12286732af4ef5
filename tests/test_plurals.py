"""One of a thing is told in the singular: in every text that is filled in, and in all that whole matches tell."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from adjudicator.contract.texts import facts_named
from adjudicator.engine.library import registry
from adjudicator.engine.library.languages import known_languages
from adjudicator.engine.library.texts import game_texts, say, words
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.text.resources import folder

TOP = Path(__file__).parent.parent
TEMPLATES = sorted(folder("templates").glob("*/en/*.j2"))
TOLD = sorted([*(TOP / "tests/golden").rglob("*.md"), *(TOP / "tests/golden").rglob("forms.txt")])
TOLD += sorted([*(TOP / "games").rglob("report.md"), *(TOP / "games").rglob("sheet.yaml")])
VERBS = """asks attacks belongs blockades breaks comes costs does fights gives goes has holds is lies lists loses makes
moves needs owns pass pays produces sinks takes throws was"""
NOT_COUNTED = frozenset([*VERBS.split(), "as", "its", "less", "this", "spices", "gems"])
"""Words that end with an s, and may follow a hole: verbs, and what is no plural."""
ONE = re.compile(r"(?<![\w.,:/+-])1 (?:(?:more|other|open|of the) )?([a-z]+s)\b(?! \d)")
HOLE = re.compile(r"\{\{.*?\}\}|\{[a-z]+\}")
NAMED = re.compile(
    r"\b(?:name|names|ducats|both|players|[a-z_]*card|listed|cargo|goods|join|quoted|texts|words)\b"
)
"""What stands in holes that hold no number; sums of ducats are multiples of ten and more."""
JOINED = re.compile(r"""[\w\]] ~ "( [a-z]+s)\b""")
SOME = re.compile(r"""some\([^"]*"[a-z ]+", "([a-z]+s)"\)""")
CHOSEN = re.compile(r"(?:==|!=|>) 1\b")


MEND = (
    "say {most:sailor} in words.yaml, some(n, 'sailor', 'sailors') in a template; a new verb belongs in VERBS"
)


def plurals_of_one(text: str) -> list[str]:
    return [found[0] for found in ONE.finditer(text) if found[1] not in NOT_COUNTED]


def test_plurals_of_one_are_found() -> None:
    text = "one of your 1 galleys, 1 more cards and 1 points"
    assert plurals_of_one(text) == ["1 galleys", "1 more cards", "1 points"]
    assert not plurals_of_one("turn 1 is over; galley 1 has 1 sailor; 1 spices; 21 points; venice-1 sinks")


@pytest.mark.parametrize("game", registry.OWN)
def test_every_reason_says_one_in_the_singular(game: str) -> None:
    texts = game_texts(game)
    found = []
    for key, text in words(texts)["reasons"].items():
        said = say(Reason("X-1", key, dict.fromkeys(facts_named(text), 1)), texts)
        found += [(key, plural) for plural in plurals_of_one(said)]
    assert found == [], MEND


def test_every_template_says_one_in_the_singular() -> None:
    """Before a plural stands no number alone: `some` puts both there."""
    found = []
    counted = {f" {plural}" for path in TEMPLATES for plural in SOME.findall(read(path))}
    assert " cards" in counted
    for path in TEMPLATES:
        for line in read(path).splitlines():
            filled = HOLE.sub(lambda hole: "N" if NAMED.search(hole[0]) else " 1", line)
            found += [(path.name, plural) for plural in plurals_of_one(filled)]
            joined = [] if CHOSEN.search(line) else JOINED.findall(line)
            found += [(path.name, line) for plural in joined if plural in counted]
    assert found == [], MEND


@pytest.mark.parametrize("language", known_languages())
def test_every_counted_text_of_a_page_has_a_singular_beside_it(language: str) -> None:
    """A page's script takes it for a `count` of one. Texts in which the number stands apart need none."""
    said = words(game_texts("", language))["pages"]
    counted = [key for key, text in said.items() if re.search(r"\{count\} \w", text)]
    assert [key for key in counted if f"{key}-one" not in said] == []


def test_what_whole_matches_tell_says_one_in_the_singular() -> None:
    found = {(str(path.relative_to(TOP)), plural) for path in TOLD for plural in plurals_of_one(read(path))}
    assert sorted(found) == [], MEND


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")
