"""The general of Rome et Carthage: whole matches that end, with wins and losses like real ones,
from its own view alone."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from adjudicator.engine import bots
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.inbox import Inbox
from adjudicator.engine.play.referee import advance
from adjudicator.engine.play.view import position_for
from adjudicator.engine.table.dice import SeededDice, seed_from
from adjudicator.engine.table.event import OrderRefused, Remarked
from adjudicator.rulebooks.rome_carthage import RULEBOOK
from adjudicator.rulebooks.rome_carthage.board import (
    BOARD,
    CAPITALS,
    CARDS,
    LANES,
    PIPS,
    SUITS,
    is_king,
    worth,
)
from adjudicator.rulebooks.rome_carthage.bot import odds
from adjudicator.rulebooks.rome_carthage.bot.odds import Rivals
from adjudicator.rulebooks.rome_carthage.bot.outlook import Outlook, distances
from adjudicator.rulebooks.rome_carthage.choosing import counts_twice
from adjudicator.rulebooks.rome_carthage.events import Eliminated, Finished, MarchPaid, Shown, WentOut
from adjudicator.rulebooks.rome_carthage.movement import ends
from adjudicator.rulebooks.rome_carthage.state import Unit
from tests.rulebooks.match_of_sheet_files import outcomes

ODD_OPTIONS = (
    {"partners": "open", "split_talon": True},
    {"march": "strict", "alliance": "east-west"},
    {"straits": False, "alliance": "north-south", "tie_doubling": False},
)


@cache
def match(players, seed="general", **options):
    """A match in memory, checked after every event; its steps, played once for all tests that look at the same."""
    chosen = RULEBOOK.Options(**options)
    own = dict.fromkeys(players, RULEBOOK.bot)
    return list(bots.play_match(RULEBOOK, players, own, seed, chosen, strict=True))


def events(steps):
    """All that happened."""
    return [event for step in steps for event in step.outcome.events]


def places_of_cards(state):
    """Where each card is; those of the talon, which may be split, under `talon`."""
    found = Counter(card.value for seat in state.players.values() for card in seat.hand)
    packs = [card.value for card in state.talon]
    found.update(card for pack in packs for card in ([pack] if isinstance(pack, str) else pack))
    found.update(state.spent)
    return found


def account(steps):
    """52 cards and 28 pieces after every event: what has left the hands, the talon and the board, and how."""
    state = steps[0].before
    cards = places_of_cards(state)
    box = set(CARDS) - set(cards)  # what ROM-6 leaves in the box
    assert set(cards.values()) == {1}
    out, dead = set(), set()
    for event in events(steps):
        state = event.apply(state)
        if isinstance(event, Shown):
            out |= {card for hand in event.cards.values() for card in hand if is_king(card)}
        if isinstance(event, MarchPaid):
            out |= {card for card in event.cards if is_king(card)}
        if isinstance(event, WentOut):
            out |= {card for card in event.hand if is_king(card) or not worth(card)}
        if isinstance(event, Eliminated):
            dead.add(event.piece)
        cards = places_of_cards(state)
        assert max(cards.values()) == 1
        assert not (set(cards) & out) and set(cards) | out | box == set(CARDS)
        assert not dead & set(state.pieces)
        placed = len(state.pieces) + len(dead)
        assert placed % 7 == 0 or state.phase.name in ("start", "placement")
        assert state.phase.name in ("start", "placement") or placed == 28


@pytest.mark.parametrize(
    ("players", "options"),
    [
        (RULEBOOK.tables[4][0], {}),
        (RULEBOOK.tables[3][0], {}),
        (RULEBOOK.tables[3][2], {}),
        (("rome", "constantinople"), {}),
        (("alexandria", "carthage"), {}),
        (RULEBOOK.tables[4][0], ODD_OPTIONS[0]),
        *(
            pytest.param(RULEBOOK.tables[4][0], options, marks=pytest.mark.soak)
            for options in ODD_OPTIONS[1:]
        ),
        *(pytest.param(RULEBOOK.tables[3][1], options, marks=pytest.mark.soak) for options in ODD_OPTIONS),
        *((("rome", "alexandria"), options) for options in ODD_OPTIONS[1:]),
        (("rome", "carthage"), ODD_OPTIONS[0]),
    ],
)
def test_matches_end_with_every_card_and_piece_accounted_for(players, options):
    steps = match(players, **options)
    happened = events(steps)
    assert sum(isinstance(event, Finished) for event in happened) == 1
    assert not [event for event in happened if isinstance(event, OrderRefused | Remarked)]
    account(steps)


@pytest.mark.parametrize(
    ("count", "number_of_matches"),
    [(4, 4), *(pytest.param(count, 8, marks=pytest.mark.soak) for count in (2, 3, 4))],
)
def test_matches_are_won_within_forty_rounds(count, number_of_matches):
    won = refused = 0
    tables = RULEBOOK.tables[count]
    pairs = [players for players in tables if set(players) != {"rome", "alexandria"}]
    pairs = [players for players in pairs if count > 2 or set(players) != {"constantinople", "carthage"}]
    for number in range(number_of_matches):
        steps = match(pairs[number % len(pairs)], f"war {number}")
        happened = events(steps)
        assert steps[-1].outcome.state.round <= 40
        won += sum(isinstance(event, Finished) and not event.draw for event in happened)
        refused += sum(isinstance(event, OrderRefused) for event in happened)
    assert won >= number_of_matches - 1
    assert refused <= number_of_matches // 2


def test_it_beats_players_at_random():
    players = RULEBOOK.tables[4][0]
    for number in range(4):
        good = ("rome", "alexandria") if number % 2 else ("constantinople", "carthage")
        sides = {player: RULEBOOK.bot if player in good else bots.random_bot(RULEBOOK) for player in players}
        steps = list(bots.play_match(RULEBOOK, players, sides, f"random {number}"))
        assert set(steps[-1].outcome.state.result) == set(good)


@pytest.mark.parametrize(("count", "pacing"), [(2, "batch"), (3, "live"), (4, "batch")])
def test_sheets_are_files_without_flaws(count, pacing):
    players = RULEBOOK.tables[count][0]
    *_, last = outcomes(RULEBOOK, players, "files", RULEBOOK.Options(pacing=pacing))
    assert last.state.result


def test_the_same_view_and_chance_give_the_same_sheet_and_most_fights_need_no_mail():
    steps = match(RULEBOOK.tables[4][0])
    for step in steps:
        for player in step.before.phase.due:
            view = position_for(RULEBOOK, step.before, player)
            assert RULEBOOK.bot(view, player, SeededChance("x")) == RULEBOOK.bot(
                view, player, SeededChance("x")
            )
    names = Counter(step.before.phase.name for step in steps)
    assert names["fight"] + names["tie"] + names["spy"] + names["moves"] < names["turn"] / 4


def test_capitals_are_manned_from_the_start():
    for players in (*RULEBOOK.tables[4], *RULEBOOK.tables[3]):
        first = next(step.before for step in match(players) if step.before.phase.name == "turn")
        manned = {unit.at for unit in first.pieces.values()}
        assert set(CAPITALS.values()) <= manned
        stuck = [
            unit for unit in first.pieces.values() if unit.kind != "ship" and BOARD.cities[unit.at].island
        ]
        assert not stuck


def test_what_it_reckons_of_hands_is_what_could_be_there():
    for step in match(RULEBOOK.tables[4][0]):
        for player in step.before.phase.due:
            view = position_for(RULEBOOK, step.before, player)
            rivals = Rivals(view)
            for other in set(view.players) - {player}:
                hands = rivals.hands[other]
                assert sum(share for share, _ in hands) == pytest.approx(1)
                assert all(len(values) <= len(view.players[other].hand) for _, values in hands)
                true = [worth(card.value) for card in step.before.players[other].hand]
                if 15 in true:
                    assert rivals.king_odds(other) > 0
            unseen = {f"{suit}-{pip}" for suit in SUITS for pip in PIPS} - set(view.spent)
            assert set(rivals.unseen) == unseen - {card.value for card in view.players[player].hand}


def test_choices_are_the_cheapest_for_each_total():
    hand = ("hearts-2", "hearts-8", "clubs-9", "hearts-king", "hearts-jack", "hearts-queen")
    found = odds.choices(hand, 2, counts_twice("cavalry", "infantry"))
    assert [choice.total for choice in found] == sorted({choice.total for choice in found})
    assert found[0].cards == ("hearts-jack", "hearts-queen")
    assert found[-1].total == 15 + 9 * 2
    assert odds.choices(hand, 1, counts_twice("elephant", "ship"))[-1].total == 15
    assert odds.choices(hand, 1, counts_twice("elephant", "cavalry"))[-1].total == 30
    assert odds.bait_in(hand, 2) == ("hearts-2", "hearts-jack")
    assert odds.bait_in(("hearts-ace", "clubs-ace"), 1) == ()


def test_ways_go_past_friends_and_not_past_enemies():
    ship = Unit("rome", "ship", "neapolis")
    reached = ends(ship, 2, LANES, {"panormus": "carthage-ship-1"}, {"roma": "rome-elephant"})
    assert reached["panormus"] == ("panormus",)
    assert "carthago" not in reached and "roma" not in reached
    assert reached["aleria"] == ("roma", "aleria")
    assert distances("ship", True, "carthago")["neapolis"] == 2
    assert "gades" not in distances("infantry", False, "carthago")


def test_after_a_fight_by_betrayal_the_rest_of_the_turn_is_played():
    for step in match(RULEBOOK.tables[4][0], "betrayed"):
        state, head = step.before, step.before.phase
        me = head.due[0] if head.due else ""
        if head.name == "turn" and "betrayal" in state.players[me].special:
            view = position_for(RULEBOOK, state, me)
            outlook = Outlook(view, me)
            for city, name in outlook.enemies.items():
                unit = view.pieces[name]
                ways = ends(unit, 1, LANES, outlook.friends, outlook.enemies) if unit.kind == "ship" else {}
                for there, way in ways.items():
                    if there in outlook.friends and view.pieces[outlook.friends[there]].state == me:
                        return rest_of_turn(state, me, {"betray": name, "via": list(way)}, city)
    raise AssertionError("no such position")


def test_a_guarded_capital_is_worth_as_much_as_an_empty_one():
    """Not as little as the piece that guards it."""
    guarded = 0
    for step in match(RULEBOOK.tables[2][0]):
        for me in step.before.phase.due:
            outlook = Outlook(position_for(RULEBOOK, step.before, me), me)
            for city in {*outlook.theirs} & {*outlook.enemies}:
                guarded += 1
                assert outlook.stake(city) == max(price for goal, price in outlook.goals if goal == city)
    assert guarded


def rest_of_turn(state, me, order, city):
    """The betrayal alone is ordered; whatever waits then is answered by the bot, to the end of the turn."""
    sheets = {me: bots.sheet_of(me, {"orders": [order]})}
    seen = []
    for _ in range(9):
        dice = SeededDice(seed_from("rest"), "trial", state.phase.number)
        outcome = advance(RULEBOOK, state, Inbox(sheets), dice, strict=True)
        state = outcome.state
        seen.append(state.phase.name)
        assert not [event for event in outcome.events if isinstance(event, OrderRefused)]
        if state.phase.name in ("turn", "end"):
            break
        sheets = {
            player: bots.sheet_of(
                player, RULEBOOK.bot(position_for(RULEBOOK, state, player), player, SeededChance("rest"))
            )
            for player in state.phase.due
        }
    assert seen[-1] in ("turn", "end")
    assert "fight" in seen or "moves" in seen


def test_a_total_wins_as_often_as_the_enemy_shows_less_and_half_of_the_ties():
    likely = odds.Likely(((0.5, 3), (0.25, 7), (0.25, 0)))
    assert [likely.wins[total] for total in (0, 1, 3, 5, 7, 8)] == [0.0, 0.25, 0.5, 0.75, 0.875, 1.0]
    assert likely.most == 7
