"""The trader of Méditerranée: whole matches, played like real ones, that look like sensible play."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import pytest
from msgspec.structs import replace

from adjudicator.engine.bots import plan_sheet, play_match
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.view import position_for
from adjudicator.engine.table.event import Head, OrderRefused, Remarked
from adjudicator.rulebooks.mediterranee import RULEBOOK
from adjudicator.rulebooks.mediterranee.board import BOARD, BORDERS
from adjudicator.rulebooks.mediterranee.bot.outlook import fight
from adjudicator.rulebooks.mediterranee.bot.worth import DISTANCES, ends, way
from adjudicator.rulebooks.mediterranee.sale import points
from tests.rulebooks.match_of_sheet_files import outcomes


def plays(players, seed, options):
    """A match in which every sheet is a file: written, read, adjudicated. Returns its end and its events."""
    played = list(outcomes(RULEBOOK, players, seed, options))
    return played[-1].state, [event for outcome in played for event in outcome.events]


def is_refused(event):
    """Is an order refused, but for one whose `if:` wasn't so, which is what `if:` is for?"""
    return isinstance(event, OrderRefused) and event.reason.key != "if-false"


@pytest.mark.parametrize(
    ("count", "pacing"), [(2, "batch"), (3, "live"), pytest.param(4, "batch", marks=pytest.mark.soak)]
)
def test_a_match_by_files_ends_with_few_orders_refused(count, pacing):
    state, events = plays(RULEBOOK.tables[count][0], "trader", RULEBOOK.Options(pacing=pacing))
    assert sum(is_refused(event) for event in events) < 10
    remarks = {event.reason.key for event in events if isinstance(event, Remarked)}
    assert remarks <= {"crew-nearest"}, (
        "a prize may leave fewer sailors at home than wished; nothing else is odd"
    )
    assert all(5 <= sum(line.points for line in lines) <= 90 for lines in points(state).values())
    assert sum(port.owner is not None for port in state.ports.values()) >= 20


FOUR = RULEBOOK.tables[4][0]


@cache
def match_of_four(number):
    """The steps of a match in memory, checked after every event."""
    own = dict.fromkeys(FOUR, RULEBOOK.bot)
    return list(play_match(RULEBOOK, FOUR, own, f"four {number}", strict=True))


@pytest.mark.parametrize("matches", [2, pytest.param(5, marks=pytest.mark.soak)])
def test_matches_of_four_are_won_and_lost_like_real_ones(matches):
    totals, refused, sold = [], 0, 0
    for number in range(matches):
        for step in match_of_four(number):
            last = step.outcome
            refused += sum(is_refused(event) for event in last.events)
            sold += sum(type(event).__name__ == "Sold" for event in last.events)
        totals += [sum(line.points for line in lines) for lines in points(last.state).values()]
    assert 25 <= sum(totals) / len(totals) <= 55
    assert max(totals) - min(totals) > 10
    assert refused < 10 * matches
    assert sold > 35 * matches


def test_a_sheet_for_a_whole_turn_lands_where_its_attack_kills_the_garrison():
    start = RULEBOOK.start("trial", RULEBOOK.Options(stops="auction,movement"), ("venice", "genoa"))
    goods = ("gems", "spices", "wine", "cloth")  # a full warehouse: the port is worth the fight
    state = replace(
        start,
        phase=Head(20, "movement", 12, due=("venice", "genoa")),
        ports={
            **start.ports,
            "barcelona": replace(start.ports["barcelona"], owner="genoa", garrison=1, warehouse=goods),
        },
        galleys={
            "venice-1": replace(start.galleys["venice-1"], zone="barcelona", sailors=5),
            "genoa-1": replace(start.galleys["genoa-1"], zone="genova", sailors=2),
        },
    )
    view = position_for(RULEBOOK, state, "venice")
    later = plan_sheet(RULEBOOK, RULEBOOK.bot, view, "venice", SeededChance("x"))["later"]
    assert [order["attack"] for order in later["combat"]["orders"]] == ["barcelona"]
    (landing,) = later["landing"]["orders"]
    assert (landing["at"], landing["from"]) == ("barcelona", "venice-1")
    assert landing["if"]["barcelona"] == {"most": 0}


def test_the_same_view_and_chance_give_the_same_sheet():
    for step in match_of_four(0)[::5]:
        state = step.before
        for player in state.phase.due:
            view = position_for(RULEBOOK, state, player)
            assert RULEBOOK.bot(view, player, SeededChance("x")) == RULEBOOK.bot(
                view, player, SeededChance("x")
            )


def test_ways_are_legal_and_ask_for_as_few_leaves_as_can_be():
    state = RULEBOOK.start("trial", RULEBOOK.Options(), RULEBOOK.tables[4][0])
    for start, far in DISTANCES.items():
        for goal, distance in far.items():
            if not 0 < distance <= 5:
                continue
            found = way(state, "venice", start, goal, distance)
            assert len(found) == distance
            assert found[-1] == goal
            assert all(there in BORDERS[here] for here, there in pairwise([start, *found]))
    assert way(state, "venice", "marseille", "pisa", 2) == [
        "sardegna",
        "pisa",
    ]  # genova is full of Genoa's galleys


def test_a_voyage_ends_in_a_port_and_at_sea_only_where_no_port_is_in_reach():
    for start, far in DISTANCES.items():
        for crew in range(1, 6):
            reached = {zone for zone, distance in far.items() if distance <= crew}
            ports = {zone for zone in reached - {start} if zone in BOARD.ports}
            found = ends(start, crew)
            assert found[0] == start
            assert set(found) == ({start, *ports} if ports else reached)


@pytest.mark.parametrize("fortress", [False, True])
def test_the_odds_of_a_fight_are_reckoned_whole(fortress):
    for own in range(1, 6):
        for enemy in range(1, 8):
            outcomes = fight(own, enemy, fortress)
            assert sum(outcomes.values()) == pytest.approx(1)
            assert all(0 <= left <= own and 0 <= other <= enemy for left, other in outcomes)
    assert fight(3, 1, False) == pytest.approx({(3, 0): 1 / 6, (2, 0): 1 / 2, (1, 0): 1 / 3})
