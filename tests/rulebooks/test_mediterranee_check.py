"""A check of Méditerranée when others act first in the same phase:
what they can prevent, and what they can make possible."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest
from msgspec.structs import replace

from adjudicator.contract.legality import candidates
from adjudicator.engine.bots import random_bot
from adjudicator.engine.library.texts import game_texts, words
from adjudicator.engine.play.account import Word, every_account
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.checking import CheckResult, check_sheet
from adjudicator.engine.play.inbox import Inbox
from adjudicator.engine.play.referee import advance
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report.filters import account_text
from adjudicator.engine.sheets.reading import Expected, read_sheet
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.engine.table.dice import SeededDice, seed_from
from adjudicator.engine.table.event import Head, OrderRefused
from adjudicator.engine.table.secret import Secret
from adjudicator.engine.text.writing import write
from adjudicator.rulebooks.mediterranee import RULEBOOK
from adjudicator.rulebooks.mediterranee.board import BOARD
from adjudicator.rulebooks.mediterranee.state import Galley, Port, State

THREE = RULEBOOK.tables[3][0]
VENETIAN = BOARD.ports["venezia"].good
TEXTS = words(game_texts("mediterranee"))
GOOD, POSSIBLE, PREVENTABLE, NOTHING = (
    "done",
    "nothing; may be done (not all of it can be known now)",
    "done; may come to nothing (players who act before you can prevent it)",
    "nothing",
)


def position(
    phase: str,
    galleys: dict[str, tuple[str, int, tuple[str, ...]]],
    ports: dict[str, tuple[str | None, int, tuple[str, ...]]] | None = None,
    order: tuple[str, ...] = ("genoa", "venice", "spain"),
) -> State:
    """A position in which Genoa acts before Venice, and Spain after: galleys and ports, the rest as at the start."""
    start: State = RULEBOOK.start("trial", RULEBOOK.Options(), THREE)
    afloat = {
        name: Galley(name.partition("-")[0], zone, sailors, cargo)
        for name, (zone, sailors, cargo) in galleys.items()
    }
    held = {
        name: Port(owner, garrison, False, warehouse)
        for name, (owner, garrison, warehouse) in (ports or {}).items()
    }
    head = Head(5, phase, 2, due=THREE)
    return replace(start, phase=head, order=order, galleys=afloat, ports={**start.ports, **held})


def checked(state: State, text: str) -> CheckResult:
    asked = Expected(RULEBOOK, "trial", state.phase, THREE, "venice")
    sheet = read_sheet(f"player: venice\n{text}".encode(), asked)
    assert isinstance(sheet, Sheet), sheet
    return check_sheet(RULEBOOK, position_for(RULEBOOK, state, "venice"), sheet)


def fares(state: State, *orders: str, **more: str) -> list[str]:
    """What is said of each order."""
    rest = "".join(f"\n{key}: {value}" for key, value in more.items())
    found = checked(state, f"orders: [{', '.join(orders)}]{rest}")
    errors = {each.order for each in found.said if each.severity == "error"}
    said = {
        each.place: account_text(each, TEXTS)
        for each in every_account(found.accounts)
        if each.word is not Word.NOT_NEEDED
    }
    assert all(said[place] == NOTHING for place in errors if place in said)
    return [*said.values()]


SELL = "{sell: wine, from: venice-1, least: 300}"
RIVAL = ("tunis", 2, ("wine", "wood"))


def test_where_all_act_at_once_an_if_is_asked_without_what_others_do() -> None:
    """Nor without what the rules do for others, of whom the check has no sheet."""
    state = position("setup", {"venice-1": ("venezia", 0, ()), "genoa-1": ("genova", 0, ())})
    for others, said in (("{not: {genoa-1: {least: 1}}}", GOOD), ("{genoa-1: {least: 1}}", NOTHING)):
        assert fares(state, f"{{place: 1, to: venice-1, if: {others}}}") == [said]


@pytest.mark.parametrize(("good", "severities"), [("iron", ["error"]), (VENETIAN, [])])
def test_what_a_port_never_produces_is_no_matter_of_chance(good: str, severities: list[str]) -> None:
    """MED-2.1: also ahead, where nearly all can still change, the board doesn't."""
    state = position("setup", {"venice-1": ("venezia", 0, ())})
    later = f"{{market: {{orders: [{{buy: {good}, quantity: 1, at: venezia, to: venice-1}}]}}}}"
    found = checked(state, f"orders: [{{place: 1, to: venice-1}}]\nlater: {later}")
    assert [each.severity for each in found.said] == severities, found.said


def test_a_sale_that_waits_for_a_higher_slot() -> None:
    alone = position("sale", {"venice-1": ("tunis", 2, ("wine",))})
    with_rival = position("sale", {"venice-1": ("tunis", 2, ("wine",)), "genoa-1": RIVAL})
    after = replace(with_rival, order=("venice", "genoa", "spain"))
    assert fares(alone, SELL) == fares(after, SELL) == [NOTHING]
    assert fares(with_rival, SELL) == [POSSIBLE], "the wood may lie there first"


def test_a_sale_that_another_can_take_the_slot_of() -> None:
    sell = "{sell: wine, from: venice-1}"
    for cargo, said in ((("wine",), PREVENTABLE), (("wood",), GOOD), ((), GOOD)):
        state = position("sale", {"venice-1": ("tunis", 2, ("wine",)), "genoa-1": ("tunis", 2, cargo)})
        assert fares(state, sell) == [said]
    full = position(
        "sale",
        {"venice-1": ("tunis", 2, ("wine",)), "genoa-1": ("tunis", 2, ("wood",))},
        {"tunis": (None, 0, ("iron", "cloth", "spices"))},
    )
    assert fares(full, sell) == [PREVENTABLE], "one slot is left"


def test_a_port_that_another_can_land_on() -> None:
    land = "{land: 1, from: venice-1}"
    rival = ("tunis", 2, ())
    alone = position("landing", {"venice-1": ("tunis", 3, ())})
    assert fares(alone, land) == [GOOD]
    assert fares(position("landing", {"venice-1": ("tunis", 3, ()), "genoa-1": rival}), land) == [PREVENTABLE]
    assert fares(position("landing", {"venice-1": ("tunis", 3, ()), "spain-1": rival}), land) == [GOOD]
    manned = position("landing", {"venice-1": ("tunis", 3, ())}, {"tunis": ("genoa", 1, ())})
    assert fares(manned, land) == [NOTHING], "nobody leaves a garrison in this phase"


def test_a_purse_that_another_can_fill() -> None:
    galleys = {"venice-1": ("venezia", 2, ()), "genoa-1": ("venezia", 2, ())}
    poor = position("market", galleys, {"venezia": ("venice", 1, ())})
    poor = replace(
        poor, players={**poor.players, "venice": replace(poor.players["venice"], treasury=Secret(0))}
    )
    buy = f"{{buy: {VENETIAN}, at: venezia, to: venice-1}}"
    assert fares(poor, buy) == [POSSIBLE]
    away = replace(poor, galleys={"venice-1": poor.galleys["venice-1"]})
    assert fares(away, buy) == [NOTHING]


def test_a_supply_that_another_can_fill_or_empty() -> None:
    good = VENETIAN
    buy = f"{{buy: {good}, at: venezia, to: venice-1}}"
    full = {f"genoa-{number}": ("pisa", 1, (good,) * 4) for number in range(1, 4)}
    venice = {"venice-1": ("venezia", 2, ())}
    none_left = position("market", {**venice, **full, "genoa-4": ("pisa", 2, (good,) * 3)})
    assert fares(none_left, buy) == [POSSIBLE], "some may be thrown away"
    one_left = position("market", {**venice, **full, "genoa-4": ("venezia", 2, (good,) * 2)})
    assert fares(one_left, buy) == [PREVENTABLE], "the last one may be bought"


def test_an_own_galley_that_another_can_take_first() -> None:
    galleys = {
        "venice-1": ("ionio", 4, ()),
        "venice-2": ("ionio", 1, ()),
        "genoa-1": ("ionio", 3, ()),
        "venice-3": ("tunis", 3, ()),
    }
    state = position("combat", galleys)
    assert fares(state, "{attack: venice-2, with: venice-1}") == [POSSIBLE]
    assert fares(state, "{attack: genoa-1, with: venice-1}") == [PREVENTABLE]
    assert fares(state, "{attack: venice-1, with: venice-3}") == [NOTHING], "they lie apart"
    last = replace(state, order=("venice", "genoa", "spain"))
    assert fares(last, "{attack: venice-2, with: venice-1}") == [NOTHING]
    assert fares(last, "{attack: genoa-1, with: venice-1}") == [GOOD]


def test_who_fights_for_a_garrison_can_kill_it_first() -> None:
    attack = "{attack: tunis, with: venice-1}"
    galleys = {"venice-1": ("tunis", 4, ()), "genoa-1": ("tunis", 3, ())}
    assert fares(position("combat", galleys, {"tunis": ("spain", 1, ())}), attack) == [PREVENTABLE]
    away = {"venice-1": ("tunis", 4, ()), "genoa-1": ("pisa", 3, ())}
    assert fares(position("combat", away, {"tunis": ("spain", 1, ())}), attack) == [GOOD]


def test_an_if_that_others_can_make_untrue() -> None:
    move = "{move: venice-1, via: [ragusa], if: {ragusa: {enemies: {most: 0}}}}"
    state = position("movement", {"venice-1": ("venezia", 2, ()), "genoa-1": ("ionio", 4, ())})
    assert fares(state, move) == [PREVENTABLE]
    assert fares(state, "{move: venice-1, via: [ragusa]}") == [GOOD], "nobody can forbid to enter"


@pytest.mark.parametrize(
    ("phase", "later", "name", "severity"),
    [
        ("movement", "combat: {orders: [{attack: genoa-1, with: NAME}]}", "venice-9", "error"),
        ("movement", "combat: {orders: [{attack: genoa-1, with: NAME}]}", "genoa-1", "may"),
        ("movement", "landing: {orders: [{land: 1, from: NAME}]}", "venice-2", "error"),
        ("movement", "sale: {orders: [{sell: wine, from: NAME}]}", "turkey-1", "error"),
        ("market", "movement: {orders: [{move: NAME, via: [ragusa]}]}", "venice-2", "may"),
        ("market", "movement: {orders: [{move: NAME, via: [ragusa]}]}", "venice-3", "error"),
        ("market", "combat: {orders: [{attack: NAME, with: venice-1}]}", "genoa-2", "may"),
    ],
)
def test_a_galley_that_never_was_and_cant_come_is_an_error(
    phase: str, later: str, name: str, severity: str
) -> None:
    state = position(phase, {"venice-1": ("venezia", 3, ()), "genoa-1": ("venezia", 2, ())})
    found = checked(state, f"orders: []\nlater: {{{later.replace('NAME', name)}}}")
    assert {each.severity for each in found.problems} == {severity}
    (order,) = found.accounts
    assert (account_text(order, TEXTS) == NOTHING) == (severity == "error")


def test_a_galley_of_standing_orders_may_be_built_in_a_later_turn() -> None:
    state = position("movement", {"venice-1": ("venezia", 3, ()), "genoa-1": ("venezia", 2, ())})
    found = checked(state, "orders: []\nstanding: {phases: {landing: [{land: 1, from: venice-2}]}}")
    assert {each.severity for each in found.problems} == {"may"}


def test_an_else_is_tried_as_if_the_order_above_it_had_come_to_nothing() -> None:
    afloat: dict[str, tuple[str, int, tuple[str, ...]]] = {
        "venice-1": ("venezia", 3, ()),
        "genoa-1": ("genova", 3, ()),
    }
    first = position("movement", afloat, order=("venice", "genoa", "spain"))
    order = "orders: [{{move: venice-1, via: [ragusa, corfu], else: [{{move: {}, via: [ragusa]}}]}}]"
    said = checked(first, order.format("genoa-1")).said
    assert [(each.severity, each.reason.key) for each in said] == [("error", "not-yours")]
    assert not checked(first, order.format("venice-1")).said


def test_a_deal_hangs_on_the_other() -> None:
    state = position("market", {"venice-1": ("corfu", 2, ()), "genoa-1": ("corfu", 2, ("wine",))})
    buy = "{buy: wine, from: genoa, to: venice-1, price: {offer: 200}}"
    assert fares(state, buy) == ["done; may come to nothing (not all of it can be known now)"]


FOUR = RULEBOOK.tables[4][0]


def sheets_of(state: State, seed: str) -> dict[str, Sheet]:
    """Sheets by which two trade sensibly, and two do anything, each with some orders that are no good besides."""
    found: dict[str, Sheet] = {}
    for index, player in enumerate(state.phase.due):
        chance = SeededChance(f"{seed} {state.phase.number} {player}")
        view, phase = position_for(RULEBOOK, state, player), RULEBOOK.phase(state.phase.name)
        bot = RULEBOOK.bot if index % 2 else random_bot(RULEBOOK)
        assert bot is not None
        plain = dict(bot(view, player, chance))
        verbs = list(phase.verbs)
        for _ in range(3):
            name = verbs[chance(len(verbs))]
            plain["orders"] = [
                *plain["orders"],
                *islice(candidates(name, phase.verbs[name], view, player, chance), 3),
            ]
        asked = Expected(RULEBOOK, state.match, state.phase, FOUR, player)
        sheet = read_sheet(write({"player": player, **plain}).encode(), asked)
        assert isinstance(sheet, Sheet), sheet
        found[player] = sheet
    return found


@pytest.mark.parametrize(
    "seed", ["one", "two", *(pytest.param(f"{n}", marks=pytest.mark.soak) for n in range(20))]
)
def test_no_order_called_good_is_refused_and_none_called_not_good_is_carried_out(seed: str) -> None:
    state: Any = RULEBOOK.start("trial", RULEBOOK.Options(), FOUR)
    while not state.phase.over:
        sheets = sheets_of(state, seed)
        outcome = advance(
            RULEBOOK, state, Inbox(sheets), SeededDice(seed_from(seed), seed, state.phase.number)
        )
        refused = {event.by for event in outcome.events if isinstance(event, OrderRefused)}
        done = {event.by for event in outcome.events} - refused
        for player, sheet in sheets.items():
            found = check_sheet(RULEBOOK, position_for(RULEBOOK, state, player), sheet).accounts
            said = {each.place: account_text(each, TEXTS) for each in every_account(found)}
            assert not {place for place in refused if said.get(place) == GOOD}, state.phase
            assert not {place for place in done if said.get(place) == NOTHING}, state.phase
        state = outcome.state


def test_nothing_is_told_of_what_is_hidden() -> None:
    """The treasuries of others don't matter to what is said."""
    state = position("market", {"venice-1": ("venezia", 2, ()), "genoa-1": ("venezia", 2, ())})
    rich = replace(state.players["genoa"], treasury=Secret(9000))
    other: Any = replace(state, players={**state.players, "genoa": rich})
    buy = f"orders: [{{buy: {VENETIAN}, at: venezia, to: venice-1}}]"
    assert checked(state, buy) == checked(other, buy)
