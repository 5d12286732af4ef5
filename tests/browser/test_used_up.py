"""What the page says of whole sheets, beside `check`: nothing used twice, beyond room or unpayable is called fine.

The sheets: what bots send, the same with the last order twice, an order of each verb four times, and in any order what
a beginner takes of the page's offers and what is found by chance. Where the page can't tell, it says so; but it isn't
allowed to say so of everything.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page

from adjudicator.contract import matches, options
from adjudicator.contract.cases import cases_by_name, inbox_of_case, play_once
from adjudicator.contract.matches import some_of_each
from adjudicator.contract.predictions import slips_in_orders
from adjudicator.contract.scope import ALL
from adjudicator.engine.bots import Step
from adjudicator.engine.library import registry
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.listing import legal
from adjudicator.engine.sheets.limits import MOST_ORDERS
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.reason import Refused
from adjudicator.page.opened import OpenView
from adjudicator.rulebooks.mediterranee.board import BORDERS
from tests.browser.looking import Desk, Looked, answers, beginner, desk_of, desks, looked, sheets_of
from tests.browser.matches import EVERY
from tests.foreign.installed import install
from tests.rulebooks.replaced import REPLACED

FOREIGN = "carters"
CASES = Path(__file__).parents[1] / "cases"
SOME = range(0, 24, 8)
"""Which phases of each kind are looked at in `make test-all`."""
MOST_PHASES, FEW_PHASES = 160, 48
TOLD = 0.3
"""The least part of what is good in sheets that were sent, and in those of beginners, that the page calls fine."""
USUAL = "{}"
"""The usual options, as JSON."""
BLANK = re.compile(r"\{\w+(?::[^{}]*\|[^{}]*)?\}|\?")
NAMED = ("SCHEMA", "SHEET")
"""The rules of what is wrong with an order by itself."""


@pytest.fixture(scope="module", autouse=True)
def foreign() -> Iterator[None]:
    """The foreign game, as if it were installed."""
    with pytest.MonkeyPatch.context() as patch:
        install(patch)
        yield


@cache
def played(game: str, players: tuple[str, ...], most: int, option: str = USUAL) -> tuple[Step, ...]:
    """The first phases of a match that the game's own bots play. `option` is what is chosen, as JSON."""
    rulebook = registry.rulebook(game)
    chosen = msgspec.json.decode(option, type=rulebook.Options)
    every = matches.steps(rulebook, players, "looked at", chosen, sensible=len(players))
    return tuple(islice(every, most))


def table_for(game: str, option: str) -> tuple[str, ...]:
    """The first players of a game whom an option fits."""
    rulebook = registry.rulebook(game)
    for tables in rulebook.tables.values():
        with suppress(Refused):
            rulebook.start("fits", msgspec.json.decode(option, type=rulebook.Options), tables[0])
            return tables[0]
    raise LookupError(option)


@cache
def said_of(game: str, page: Page, few: bool, option: str = USUAL) -> tuple[Looked, ...]:
    """What is said of sheets in such matches; with an option in one match, of `few` in some of its phases."""
    rulebook, chance = registry.rulebook(game), SeededChance("looked at")
    tables = [each[0] for each in rulebook.tables.values()]
    found: list[Looked] = []
    for players in [table_for(game, option)] if few or option != USUAL else tables:
        every = played(game, players, FEW_PHASES if few else MOST_PHASES, option)
        steps = some_of_each(every, SOME if few else ALL)
        for desk, sent in desks(rulebook, tuple(steps)):
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


WITH_OPTIONS = [
    pytest.param(
        game,
        msgspec.json.encode(chosen).decode(),
        few,
        id=f"{game}-{options.option_text(chosen)}-{'some' if few else 'all'}",
        marks=() if few else pytest.mark.soak,
    )
    for game in EVERY
    for chosen in options.unusual_options(registry.rulebook(game))
    for few in (True, False)
]


@pytest.mark.parametrize(("game", "option", "few"), WITH_OPTIONS)
def test_what_check_refuses_is_nowhere_called_fine_with_an_option(
    bare: Page, game: str, option: str, few: bool
) -> None:
    wrong = [each for each in said_of(game, bare, few, option) if ("fine", "error") in pairs(each)]
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
        for each in said_of(game, bare, True):
            counts.update(pairs(each))
    good = sum(number for (_, said), number in counts.items() if said == "good")
    assert counts["fine", "good"] >= TOLD * good


@pytest.mark.parametrize("game", [*EVERY, FOREIGN])
def test_what_is_used_up_is_said_with_its_rule_and_whole_words(bare: Page, game: str) -> None:
    said = [problem for each in said_of(game, bare, True) for found in each.problems for problem in found]
    used = [problem for problem in said if problem["rule"] not in NAMED]
    assert used
    assert [problem["words"] for problem in used if BLANK.search(problem["words"])] == []
    assert {problem["rule"].partition("-")[0] for problem in used} == {registry.rulebook(game).prefix}


def desk_at(game: str, phase: str) -> Desk:
    """The first player due in the first phase of that name."""
    rulebook = registry.rulebook(game)
    players = rulebook.tables[min(rulebook.tables)][0]
    every = (step.before for step in played(game, players, FEW_PHASES))
    state = next(state for state in every if state.phase.name == phase and state.phase.due)
    return desk_of(rulebook, state, state.phase.due[0])


def first_of(desk: Desk, verb: str, **fields: Any) -> dict[str, Any]:
    """The first order of a verb with these fields that is listed."""
    every = legal(verb, desk.phase.verbs[verb], desk.view, desk.me)
    return next(order for order in every if fields.items() <= order.items())


def opens(said: Mapping[str, Any], phase: str) -> list[Any]:
    """What the page calls open in a phase."""
    return [each["subject"] for each in said["left"] if each["phase"] == phase and each["state"] == "open"]


def moves(desk: Desk) -> dict[str, dict[str, Any]]:
    """A move of one step for each own galley."""
    mine = {name: galley for name, galley in desk.view.galleys.items() if galley.owner == desk.me}
    return {name: {"move": name, "via": [BORDERS[galley.zone][0]]} for name, galley in mine.items()}


def test_a_galley_that_has_moved_is_used_up_and_no_longer_to_decide(bare: Page) -> None:
    desk = desk_at("mediterranee", "movement")
    mine = [*moves(desk)]
    before, after = answers(bare, desk, [{"orders": []}, {"orders": [moves(desk)[mine[0]]]}])
    assert before["used"] == []
    assert opens(before, "movement") == mine
    (used,) = after["used"]
    assert (used["phase"], used["verb"], used["field"], used["value"]) == (
        "movement",
        "move",
        "move",
        mine[0],
    )
    assert used["rule"] == "MED-3.1"
    assert mine[0] in used["words"]
    assert opens(after, "movement") == mine[1:]
    assert after["left"][0]["by"] == ["orders", 0]
    assert before["sure"] is after["sure"] is True


def test_what_can_be_done_once_is_used_up_as_a_whole(bare: Page) -> None:
    desk = desk_at("mediterranee", "auction")
    before, after = answers(bare, desk, [{"orders": []}, {"orders": [{"bid": 100}]}])
    assert opens(before, "auction") == [None]
    assert opens(after, "auction") == []
    used = [each for each in after["used"] if each["phase"] == "auction"]
    assert [(each["field"], each["value"]) for each in used] == [("", None)]


def test_totals_say_what_is_left(bare: Page) -> None:
    desk = desk_at("mediterranee", "market")
    ducats, order = desk.view.players[desk.me].treasury.value, first_of(desk, "buy", quantity=1)
    said = answers(bare, desk, [{"orders": []}, {"orders": [order]}])
    none, one = (next(each for each in answer["totals"] if each["id"] == "ducats") for answer in said)
    assert none == {"id": "ducats", "words": "ducats", "left": ducats, "of": ducats}
    assert one == {**none, "left": ducats - 100}


def test_of_orders_for_later_nothing_is_called_fine(bare: Page) -> None:
    """What is played before may change it; but that a galley moves twice is said."""
    desk = desk_at("mediterranee", "auction")
    move = moves(desk)[f"{desk.me}-1"]
    (said,) = answers(bare, desk, [{"orders": [{"bid": 0}], "later": {"movement": {"orders": [move, move]}}}])
    first, *later = said["orders"]
    assert (first["at"], first["state"]) == (["orders", 0], "fine")
    assert [each["state"] for each in later] == ["unknown", "unknown"]
    assert [each["rule"] for each in later[1]["problems"]] == ["MED-3.1"]
    assert not said["sure"]


def test_an_order_that_is_refused_takes_nothing_and_its_else_is_open(bare: Page) -> None:
    desk = desk_at("mediterranee", "movement")
    first, second, *_ = moves(desk).values()
    plain, other = answers(
        bare,
        desk,
        [{"orders": [first, first, second]}, {"orders": [first, {**first, "else": [second]}, second]}],
    )
    assert [each["state"] for each in plain["orders"]] == ["fine", "refused", "fine"]
    assert [(each["at"][1:], each["state"]) for each in other["orders"]] == [
        ([0], "fine"),
        ([1], "refused"),
        ([1, "else", 0], "unknown"),
        ([2], "unknown"),
    ]


def test_a_sheet_as_long_as_can_be_is_answered(bare: Page) -> None:
    desk, chance = desk_at("mediterranee", "market"), SeededChance("long")
    orders = [order for _ in range(70) for order in beginner(desk, chance)][:MOST_ORDERS]
    (said,) = answers(bare, desk, [{"orders": orders}])
    assert len(said["orders"]) == len(orders) == MOST_ORDERS


JUNK: tuple[Any, ...] = (
    *(None, "", "x", "constructor", "__proto__", -1, 1.5, 1e300, True, [], {}, [[]], [{}], [None]),
    *({"constructor": 1}, {"a": {"b": [1]}}, {"most": -1}, {"leave": "x"}, ["x"] * 300),
)
TRIED = 3
"""How many of these are put into each field."""


@pytest.mark.parametrize("game", [*EVERY, FOREIGN])
def test_whatever_is_pasted_is_answered(bare: Page, game: str) -> None:
    """Each field of an order of each verb, and orders themselves, with anything in their place."""
    rulebook, chance = registry.rulebook(game), SeededChance("junk")
    players = rulebook.tables[min(rulebook.tables)][0]
    for desk, sent in desks(rulebook, tuple(some_of_each(played(game, players, FEW_PHASES), range(1)))):
        orders = [*sent, *beginner(desk, chance)]
        firsts = {next(iter(order)): order for order in orders}
        changed = [
            {**order, field: junk}
            for order in firsts.values()
            for field in (*order, "else", "if")
            for junk in (JUNK[chance(len(JUNK))] for _ in range(TRIED))
        ]
        sheets = [{"orders": [order]} for order in (*JUNK, *changed)]
        assert [said["orders"][0]["at"] for said in answers(bare, desk, sheets)] == [["orders", 0]] * len(
            sheets
        )


SLIPS = 3
"""How many slips in a single field are tried of each sheet."""


def neighbours(orders: Sequence[Any], chance: Chance) -> Iterator[list[Any]]:
    """A sheet, and what it becomes by a slip: an order twice, moved, left out, in an `else`; in one field of one."""
    first, *rest = orders
    yield [*orders]
    yield [*orders, orders[-1]]
    yield [*reversed(orders)]
    yield rest
    yield [{**first, "else": [orders[-1]]}, *rest]
    yield [{**first, "else": [{**orders[-1], "slip": 1}, orders[-1]]}, *rest]
    slipped = [*slips_in_orders(orders)]
    yield from (slipped[chance(len(slipped))] for _ in range(SLIPS))


def sheets_of_cases(game: str, each: int) -> Iterator[tuple[Desk, dict[str, list[Sequence[Any]]]]]:
    """The sheets of every so-manieth case of a game, each with its neighbours."""
    rulebook, chance = registry.rulebook(game), SeededChance("neighbours")
    by_name = cases_by_name(CASES / game)
    for case in islice(by_name.values(), None, None, each):
        if isinstance(case, str) or "flaws" in case.expect:
            continue
        state, _, _ = play_once(rulebook, case, REPLACED[game])
        for player, sheet in inbox_of_case(rulebook, case, state).sheets.items():
            orders = [order.plain for order in sheet.orders or ()]
            if player in state.phase.due and orders and all(isinstance(order, dict) for order in orders):
                yield desk_of(rulebook, state, player), {"case": [*neighbours(orders, chance)]}


@pytest.mark.parametrize("game", EVERY)
@pytest.mark.parametrize(
    "each", [pytest.param(6, id="some"), pytest.param(1, id="all", marks=pytest.mark.soak)]
)
def test_the_page_never_judges_a_case_or_its_neighbours_otherwise_than_check(
    bare: Page, game: str, each: int
) -> None:
    """It may say that it doesn't know; `check` may say that others can still change what the page refuses."""
    wrong, count = list[str](), 0
    for desk, sheets in sheets_of_cases(game, each):
        tried = [{"orders": orders} for orders in sheets["case"]]
        view = OpenView(desk.rulebook, desk.view, desk.me)
        for sheet, answer in zip(tried, answers(bare, desk, tried), strict=True):
            count += 1
            found = view.look(json.dumps({"player": desk.me, **sheet}).encode())
            checked = {each["at"]: each["state"] for each in found.orders}
            both = [(each["state"], checked.get(tuple(each["at"]))) for each in answer["orders"]]
            if {("fine", "refused"), ("refused", "fine")} & {*both}:
                wrong.append(f"{desk.view.phase} {desk.me} {sheet['orders']}: {both}")
    assert count
    assert wrong == [], "\n".join(wrong)


def pairs(each: Looked) -> list[tuple[str, str]]:
    """What the page and `check` say of each order."""
    return list(zip(each.states, each.checked, strict=True))
