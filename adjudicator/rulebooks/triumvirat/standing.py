"""The words of sheets: fields of orders, facts of an order's `if:`, standing instructions and what these decide: for
leaders (TRI-2.3, 3.1, 4.1, 5.3, 6.1) and for senators' powers (TRI-10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from adjudicator.engine.table import Player, Setting, Table, condition
from adjudicator.engine.table.domain import Another, Counts, Either, Many, MapOf, Name, OneOf, Whole, record
from adjudicator.rulebooks.triumvirat import board, events, pieces
from adjudicator.rulebooks.triumvirat.state import State

PLAYER, OTHER = OneOf(board.SEATS), Another(board.SEATS)
PROVINCE = OneOf(tuple(board.LANDS))
RESOURCE = OneOf(board.RESOURCES)
CARD = OneOf(board.CARDS)
TITLE = OneOf(board.TITLES)
PAY = Many(RESOURCE)
WISHES: Many[Any] = Many(Either((CARD, MapOf(CARD, OTHER))), least=1, most=40)
TROOPS = Counts({"legions": Whole(0), "veterans": Whole(0)})
ALL = OneOf(("all",))
HORDE = Counts({"ordinary": Whole(0), "elite": Whole(0)})
TAKEN = Counts(dict.fromkeys(board.OUTSIDE, Whole(0)))
LOSE = Many(OneOf(("legions", "veterans")), distinct=True, most=2)
ORDER = Many(PLAYER, distinct=True, most=len(board.SEATS))
ORDERS = dict.fromkeys(("italy", "building", "barbarians", "war"), ORDER)

STANDING = {
    "lead": Setting(record(pieces.Lead, {"trade": Whole(0), **ORDERS}), "TRI-4.1"),
    "defence": Setting(record(pieces.Defence, {"fixed": Whole(0), "lose": LOSE}), "TRI-6.3"),
    "keep": Setting(RESOURCE, "TRI-10.8"),
    "extra": Setting(RESOURCE, "TRI-10.2"),
    "spare": Setting(Many(PROVINCE, distinct=True), "TRI-10.13"),
    "again": Setting(OneOf(("lowest", "never")), "TRI-10.10"),
}


# -- facts -----------------------------------------------------------------------------------------------------------


def province(view: State, me: Player, name: str) -> tuple[int, list[Player]]:
    """TRI-5.4: the barbarians in a province that nobody has moved in this turn, and its owner."""
    lying = sum(view.done.lying.get(name, {}).values(), pieces.Barbarians())
    owner = view.provinces[name].owner
    return (view.barbarians(name) - lying).count, [owner] if owner else []


OF_PROVINCES = {
    **condition.counted(lambda each: each[0]),
    **condition.owned_by(board.SEATS, lambda each: each[1]),
}
OF_ME = {
    **condition.purse(lambda held: held["tax"]),
    **condition.holding(CARD, lambda held: [*held.elements()]),
}
PROVINCES = condition.About(Name("province", "|".join(board.LANDS)), province, OF_PROVINCES, number="least")
CONDITION = condition.condition(PROVINCES, condition.of_me(State.holding, OF_ME))


# -- leaders ---------------------------------------------------------------------------------------------------------

Wanted = Callable[[pieces.Standing], Sequence[str]]
PERSONS = {"italy": board.POMPEY, "barbarians": board.CRASSUS}
RULES = {"italy": "TRI-2.3", "building": "TRI-4.1", "barbarians": "TRI-5.3", "war": "TRI-6.1"}


def leader(state: State, phase: str) -> Player:
    """Who names the order of a phase: in Italy and for the barbarians a person (`PERSONS`), for building the holder of
    the title of politics, for war the holder of the title of arms."""
    if phase in PERSONS:
        return state.person(PERSONS[phase])
    return state.titles["politics" if phase == "building" else "arms"]


def decisions_of(state: State, player: Player) -> tuple[str, ...]:
    """The decisions of a player as the holder of titles and as a person: keys of `lead`."""
    phases = [phase for phase in RULES if leader(state, phase) == player]
    return (*["trade"] * (state.titles["trade"] == player), *phases)


def order_by(state: State, phase: str, lead: pieces.Lead) -> tuple[Player, ...]:
    """TRI-4.1 and others: the players named, then the others in seat order (Ruling);
    of Italy's cards the leader takes the first."""
    first = (leader(state, phase),) if phase == "italy" else ()
    return tuple(dict.fromkeys((*first, *getattr(lead, phase), *state.seats)))


def order_of(state: State, phase: str) -> tuple[Player, ...]:
    """TRI-4.1 and others: the order of a phase as it was named when it opened, or else by its leader's instructions
    now; empty once the match is over."""
    if state.over():
        return ()
    named = state.order if state.phase.name == phase else ()
    return named or order_by(state, phase, state.standing_of(leader(state, phase)).lead)


def name_order(t: Table[State]) -> None:
    """TRI-4.1, TRI-6.1 and others: when the phase opens, its leader's standing instruction names the order."""
    phase = t.state.phase.name
    who = leader(t.state, phase)
    lead = t.reveal(t.state.players[who].standing).lead
    order, named = order_by(t.state, phase, lead), bool(getattr(lead, phase))
    t.play(events.OrderNamed(rule=RULES[phase], player=who, order=order, named=named))


# -- the number of the trade -----------------------------------------------------------------------------------------


def asked_ahead(state: State) -> bool:
    """TRI-3.1: are the cards of the trade due with the sheets of Italy (option `stops`)?"""
    return state.options.stops != "all" and "trade" not in state.options.stops


def name_number(t: Table[State]) -> None:
    """TRI-3.1: the trade leader names how many cards each player lays out, openly: when the trade opens, or before
    anybody is asked for cards; then that number stands (Ruling), unless it is 0."""
    leader, phase = t.state.titles["trade"], t.state.phase.name
    now = phase == ("italy" if asked_ahead(t.state) else "trade")
    count = t.reveal(t.state.players[leader].standing).lead.trade if now else 0
    if count or (phase == "trade" and t.state.number is None):
        t.play(events.NumberNamed(rule="TRI-3.1", player=leader, count=count))


def number(state: State) -> int:
    """TRI-3.1: how many cards each player lays out."""
    return state.standing_of(state.titles["trade"]).lead.trade if state.number is None else state.number


# -- powers ----------------------------------------------------------------------------------------------------------


def target_of_power(t: Table[State], player: Player, power: str, wanted: Wanted, among: Sequence[str]) -> str:
    """TRI-10.2, TRI-10.8, TRI-10.13: the thing that a senator's power is used on: what standing instructions want
    first, or else the first possible one (Ruling); nothing without the senator."""
    if not t.state.power(player, power):
        return ""
    first = wanted(t.reveal(t.state.players[player].standing))
    return next((each for each in (*first, *among) if each in among), "")


def discard(t: Table[State], who: Player, hand: Counter[str], rule: str, taxes: int, kept: int) -> None:
    """TRI-4.5, TRI-8.2: discards cards of a hand and kept `taxes`; `kept` taxes of the hand stay, face up.

    TRI-10.8: one resource card stays over the turn: that of `keep`, or else the first in the board's order (Ruling).
    """
    resources = [card for card in board.RESOURCES if card in hand]
    stays = target_of_power(t, who, "keep-one-card", lambda own: [own.keep], resources)
    cards = board.in_order({card: count - (card == stays) for card, count in hand.items()})
    if cards or taxes or kept:
        t.play(events.PutAway(who, cards, taxes, kept, rule=rule))
