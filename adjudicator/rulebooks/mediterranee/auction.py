"""MED-1 Auction for the order of play."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.table import Player, Secret, Table, Verb, once, warn_of_player
from adjudicator.engine.table.domain import Domain, Either, Limit, Many, Offering, OneOf, Part, Record, Whole
from adjudicator.engine.table.players import thrown_for
from adjudicator.rulebooks.mediterranee.board import POWERS
from adjudicator.rulebooks.mediterranee.events import BidMade, BidShown, OrderSet, SeatChosen, TurnBegan
from adjudicator.rulebooks.mediterranee.questions import SeatWanted
from adjudicator.rulebooks.mediterranee.standing import DUCATS, OTHER, STEP
from adjudicator.rulebooks.mediterranee.state import Beside, Bid, State

NEXT_TO = Record(Beside, {"after": Part(OTHER), "before": Part(OTHER)})
SEATS: Many[Any] = Many(Either((OneOf((1, 2, 3, 4)), NEXT_TO)), most=12)
"""Seats in order of preference: numbers, `{after: venice}`, `{before: venice}`; impossible wishes are skipped."""


def seats_in(state: State, me: Player) -> Domain[Any]:
    """Offers the seats and the other players of this match; any other wish is admitted, and skipped.

    Of two players one chooses before the other has a seat, and the other gets the seat that is left: neither can choose
    one beside the other.
    """
    count = len(state.order)
    others = [player for player in state.order if player != me]
    power = Part(OneOf(others, besides=[power for power in POWERS if power not in others]))
    beside = Record(Beside, {"after": power, "before": power})
    numbers = OneOf(tuple(range(1, count + 1)), besides=tuple(range(count + 1, 5)))
    every = Many(Either((numbers, beside)), most=SEATS.most)
    return every if count > 2 else Offering(every, lambda: Many(numbers, most=SEATS.most))


def begin(t: Table[State]) -> None:
    """MED-1.1: the turn marker moves to the new turn."""
    t.play(TurnBegan(rule="MED-1.1"))


def bid(t: Table[State]) -> None:
    """MED-1.1: each player bids in secret, from 0 to the whole treasury."""
    treasury = t.state.players[t.me].treasury.value
    offered = t.pick("bid", Whole(0, [Limit(treasury, "MED-1.1", "treasury")], step=STEP), rule="MED-1.1")
    seats = t.pick("seats", seats_in(t.state, t.me), rule="MED-1.2", default=None)
    t.require(t.me not in t.state.bids, "MED-1.1", "bid-already")
    count = len(t.state.order)
    for index, wish in enumerate(seats or ()):
        if type(wish) is Beside:
            for field, player in (("after", wish.after), ("before", wish.before)):
                warn_of_player(t, player or "", "seats", index, field, state=t.state, me=t.me, rule="MED-1.2")
        elif wish > count:
            t.warn("MED-1.2", "no-such-seat", "seats", index, value=wish, most=count)
    t.play(BidMade(rule="MED-1.1", player=t.me, bid=Secret(Bid(offered, seats))))


def can(state: State, player: Player) -> bool:
    """MED-1.4: a player with a ducat can bid; without one the only bid is 0, as without a sheet."""
    return state.may_have(player, 100)


def close(t: Table[State]) -> None:
    """MED-1.1 to 1.5: all bids are shown and paid; seats are chosen from the highest bid down, then thrown for."""
    bids = {
        player: t.reveal(t.state.bids[player]) if player in t.state.bids else Bid(0, ())
        for player in t.state.order
    }
    for player, made in bids.items():
        t.play(BidShown(rule="MED-1.5", player=player, sum=made.sum))
    chosen: dict[int, Player] = {}
    for player in ranking(t, bids):
        seat = choice(t, player, bids[player], chosen)
        chosen[seat] = player
        t.play(SeatChosen(rule="MED-1.2", player=player, seat=seat, bid=bids[player].sum))
    poor = [player for player, made in bids.items() if made.sum == 0]
    for player in thrown_for(t, poor, "seat", rule="MED-1.4"):
        seat = free_seats(t.state, chosen)[0]
        chosen[seat] = player
        t.play(SeatChosen(rule="MED-1.4", player=player, seat=seat, bid=0))
    t.play(OrderSet(rule="MED-1.2", order=tuple(chosen[seat] for seat in sorted(chosen))))


def ranking(t: Table[State], bids: dict[Player, Bid]) -> list[Player]:
    """MED-1.2, MED-1.3: the bidders from the highest bid to the lowest, equal ones separated by the die."""
    ranked: list[Player] = []
    for offered in sorted({made.sum for made in bids.values() if made.sum}, reverse=True):
        equal = [player for player, made in bids.items() if made.sum == offered]
        ranked += thrown_for(t, equal, "seat", rule="MED-1.3")
    return ranked


def free_seats(state: State, chosen: dict[int, Player]) -> list[int]:
    """The seats that nobody has chosen yet."""
    return [seat for seat in range(1, len(state.order) + 1) if seat not in chosen]


def choice(t: Table[State], player: Player, made: Bid, chosen: dict[int, Player]) -> int:
    """MED-1.2: the first free seat of the preferences; seats that they leave out follow in ascending order."""
    free = free_seats(t.state, chosen)
    if made.seats is None and len(free) > 1:
        return t.ask(player, SeatWanted(tuple(free)))
    taken = {holder: seat for seat, holder in chosen.items()}
    for wish in made.seats or ():
        if isinstance(wish, Beside):
            seat = taken[wish.after] + 1 if wish.after in taken else taken.get(wish.before or "", 0) - 1
        else:
            seat = wish
        if seat in free:
            return seat
    return free[0]


VERBS = {
    "bid": Verb(
        bid,
        {"bid": DUCATS, "seats": SEATS},
        uses=(once("bid", "MED-1.1", "bid-already", decide=True),),
        subject=(),
        ranks="seats",
    )
}
