"""Every case is a test named after its rule and its sentence, so that `-k` finds it by any word of them."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from adjudicator.contract.cases import cases_by_name
from adjudicator.engine.library import registry
from adjudicator.engine.library.rules import rules_md

CASES = Path(__file__).parents[1] / "cases"


@pytest.mark.parametrize("game", sorted(path.name for path in CASES.iterdir()))
def test_cases_bear_their_sentences(game: str) -> None:
    """Ids that are given are taken whole: pytest numbers only those that it makes of long values."""
    module = import_module(f"tests.rulebooks.test_contract_{game.replace('-', '_')}")
    (suite,) = (each for name, each in vars(module).items() if name.startswith("Test"))
    (marked,) = (mark for mark in suite.test_case.pytestmark if mark.name == "parametrize")
    names = list(cases_by_name(CASES / game))
    assert marked.kwargs["ids"] == list(marked.args[1]) == names
    assert len({*names}) == len(names) and all(" " in name for name in names)


@pytest.mark.parametrize("game", registry.OWN)
def test_every_example_of_the_rules_is_a_case(game: str) -> None:
    """Serenissima's rules have none."""
    chapter = re.search(r"^## .*xamples\n(.*?)(^## |\Z)", rules_md(registry.rulebook(game)), re.M | re.S)
    numbers = re.findall(r"^(\d+)\. ", chapter[1], re.M) if chapter else []
    assert numbers or game == "serenissima"
    names = {name.partition(" ")[2][: len("example 1 of the rules")] for name in cases_by_name(CASES / game)}
    assert [number for number in numbers if f"example {number} of the rules" not in names] == []
