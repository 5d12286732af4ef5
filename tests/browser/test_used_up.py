"""What the page says of whole sheets, beside `check`: nothing used twice, beyond room or unpayable is called fine.

The sheets: what bots send, the same with the last order twice, what a beginner takes of the page's offers, and orders
found by chance. Where the page can't tell, it says so; but it isn't allowed to say so of everything.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from adjudicator.contract import matches
from adjudicator.contract.matches import of_each
from adjudicator.contract.tried import ALL
from adjudicator.engine.library import registry
from adjudicator.engine.play.chance import SeededChance
from tests.browser.looking import Looked, desks, looked, sheets_of
from tests.browser.matches import EVERY

FOREIGN = "carters"
SOME = range(0, 24, 8)
"""Which phases of each kind are looked at in `make test`."""
MOST_PHASES = 160
TOLD = 0.3
"""The least part of what is good in sheets that were sent, and in those of beginners, that the page calls fine."""
BLANK = re.compile(r"\{\w+\}|\?")
NAMED = ("SCHEMA", "SHEET")
"""The rules of what is wrong with an order by itself."""


@pytest.fixture(scope="module")
def bare(browser: Browser) -> Iterator[Page]:
    """A window without a page."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module", autouse=True)
def foreign() -> Iterator[None]:
    """The foreign game, as if it were installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(Path(__file__).parent.parent / "foreign")
        yield
    sys.modules.pop(FOREIGN, None)


@cache
def said_of(game: str, page: Page, few: bool) -> tuple[Looked, ...]:
    """What is said of sheets in a match that the game's own bots play."""
    rulebook, chance = registry.rulebook(game), SeededChance("looked at")
    tables = [each[0] for each in rulebook.tables.values()]
    found: list[Looked] = []
    for players in tables[-1:] if few else tables:
        steps = islice(matches.steps(rulebook, players, "looked at", sensible=len(players)), MOST_PHASES)
        for desk, sent in desks(rulebook, tuple(of_each(steps, SOME if few else ALL))):
            found += looked(page, desk, sheets_of(desk, sent, chance))
    return tuple(found)


GAMES = [
    pytest.param(game, few, id=f"{game}-{'some' if few else 'all'}", marks=() if few else pytest.mark.soak)
    for game in (*EVERY, FOREIGN)
    for few in (True, False)
]


@pytest.mark.parametrize(("game", "few"), GAMES)
def test_what_check_refuses_is_nowhere_called_fine(bare: Page, game: str, few: bool) -> None:
    wrong = [each for each in said_of(game, bare, few) if ("fine", "error") in pairs(each)]
    assert wrong == [], "\n".join(map(str, wrong))


@pytest.mark.parametrize(("game", "few"), GAMES)
def test_what_check_calls_good_is_nowhere_said_to_be_used_up(bare: Page, game: str, few: bool) -> None:
    """An order that is wrong by itself is put off with others where a fight comes first: `check` says that later."""
    wrong = [
        each
        for each in said_of(game, bare, few)
        for pair, problems in zip(pairs(each), each.problems, strict=True)
        if pair == ("refused", "good") and problems[0]["rule"] not in NAMED
    ]
    assert wrong == [], "\n".join(map(str, wrong))


def test_the_page_tells_of_a_good_part_of_what_is_good(bare: Page) -> None:
    counts: Counter[tuple[str, str]] = Counter()
    for game in (*EVERY, FOREIGN):
        for each in said_of(game, bare, few=True):
            counts.update(pairs(each))
    good = sum(number for (_, said), number in counts.items() if said == "good")
    assert counts["fine", "good"] >= TOLD * good


@pytest.mark.parametrize("game", [*EVERY, FOREIGN])
def test_what_is_used_up_is_said_with_its_rule_and_whole_words(bare: Page, game: str) -> None:
    said = [problem for each in said_of(game, bare, few=True) for found in each.problems for problem in found]
    used = [problem for problem in said if problem["rule"] not in NAMED]
    assert used
    assert [problem["words"] for problem in used if BLANK.search(problem["words"])] == []
    assert {problem["rule"].partition("-")[0] for problem in used} == {registry.rulebook(game).prefix}


def pairs(each: Looked) -> list[tuple[str, str]]:
    """What the page and `check` say of each order."""
    return list(zip(each.states, each.checked, strict=True))
