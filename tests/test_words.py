"""Every reason in the code has its text, every text is used, and every verb and field is explained."""

import ast
import re
import string
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

import adjudicator
from adjudicator.engine.sheets import registry
from adjudicator.engine.sheets.words import say, texts_in, words
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.table import Instruction
from adjudicator.engine.text.resources import folder

CODE = Path(adjudicator.__file__).parent
KEY_OF = {"Reason": 1, "Limit": 2, "Refused": 0, "require": 2, "refuse": 1, "warn": 1, "flaw": 2, "unfit": 0}
"""Which argument of a call is the key of a reason's text."""


def package(game: str) -> Path:
    return Path(str(files(registry.OWN[game])))


def trees(folder: Path) -> list[ast.Module]:
    return [ast.parse(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.py"))]


def keys_used(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        at = KEY_OF.get(name)
        if at is not None and len(node.args) > at:
            key = node.args[at]
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield key.value


def constants(folder: Path) -> set[str]:
    return {
        node.value
        for tree in trees(folder)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


@pytest.mark.parametrize("game", registry.OWN)
def test_every_reason_has_a_text(game: str) -> None:
    used = {
        key for part in (CODE / "engine", package(game)) for tree in trees(part) for key in keys_used(tree)
    }
    assert used - set(words(game)["reasons"]) == set()
    assert len(used) > 30


@pytest.mark.parametrize("game", ["", *registry.OWN])
def test_every_text_is_used(game: str) -> None:
    texts = texts_in(folder("templates") / game / "en" / "words.yaml")["reasons"]
    engine = constants(CODE / "engine")
    own = constants(package(game)) if game else set()
    assert set(texts) - engine - own == set()


def test_every_text_of_the_page_for_orders_is_said_and_what_it_says_has_a_text() -> None:
    scripts = "".join(
        path.read_text(encoding="utf-8") for path in (folder("templates") / "pages").glob("orders*.js")
    )
    texts = {
        key.removeprefix("orders.")
        for key in texts_in(folder("templates") / "en" / "words.yaml")["pages"]
        if key.startswith("orders.")
    }
    named = set(re.findall(r'"([a-z]+(?:-[a-z]+)*)"', scripts)) | {
        f"kind-{kind}" for kind in ("word", "number", "flag", "list", "mapping")
    }
    assert texts - named == set()
    assert set(re.findall(r'\b(?:say|wrong)\("([a-z-]+)"', scripts)) - texts == set()


@pytest.mark.parametrize("game", ["", *registry.OWN])
def test_texts_are_one_sentence_without_a_full_stop(game: str) -> None:
    for key, text in texts_in(folder("templates") / game / "en" / "words.yaml")["reasons"].items():
        assert not text.endswith("."), key
        assert "\n" not in text, key
        for _, field, _, _ in string.Formatter().parse(text):
            assert field is None or field.isidentifier(), key


def shapes(rulebook: Rulebook) -> Iterator[tuple[str, str, str]]:
    """Each verb with its kind, and each of its fields."""
    for phase in rulebook.phases:
        for name, verb in phase.verbs.items():
            for field in verb.fields:
                yield phase.name, name, field
    for question in rulebook.questions:
        for field in question.shapes:
            yield "answer", question.verb, field


@pytest.mark.parametrize("game", registry.OWN)
def test_every_verb_and_field_is_explained(game: str) -> None:
    rulebook, texts = registry.rulebook(game), words(game)
    known: set[str] = set()
    for kind, verb, field in shapes(rulebook):
        at = [key for key in (f"{kind}.{verb}", verb) if key in texts["verbs"]]
        assert at, f"{kind}.{verb}"
        inside = [key for key in (f"{verb}.{field}", field) if key in texts["fields"]]
        assert inside, f"{verb}.{field}"
        known |= {at[0], inside[0]}
    for key, kind in rulebook.standing.items():
        assert f"standing.{key}" in texts["verbs"]
        known.add(f"standing.{key}")
        for field in kind.fields if isinstance(kind, Instruction) else ():
            inside = [name for name in (f"standing.{key}.{field}", field) if name in texts["fields"]]
            assert inside, f"standing.{key}.{field}"
            known.add(inside[0])
    unused = {*texts["verbs"], *texts["fields"]} - known
    assert {key for key in unused if not key.startswith("sheet.") and key not in ("if", "else")} == set()


@pytest.mark.parametrize("game", registry.OWN)
def test_every_phase_and_player_has_a_name(game: str) -> None:
    rulebook, texts = registry.rulebook(game), words(game)
    assert {phase.name for phase in rulebook.phases} | {"end"} == set(texts["phases"])
    assert {name for tables in rulebook.tables.values() for table in tables for name in table} <= set(
        texts["names"]
    )


def test_a_reason_says_what_would_be_possible() -> None:
    said = say(Reason("MED-2.1", "not-possible", {"value": "wien", "possible": ["wine"]}), "mediterranee")
    assert said == "wien is not possible now (did you mean wine?); possible: wine"
    said = say(
        Reason("MED-0.6", "room", {"field": "quantity", "value": 3, "galley": "venice-1", "most": 2}),
        "mediterranee",
    )
    assert said == "quantity: 3, but venice-1 has room for 2"
