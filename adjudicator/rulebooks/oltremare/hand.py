"""OLT-0.6 Who may see what; OLT-1 Sailor power: the hand limit; and how a sheet names the cards of a hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adjudicator.engine.table import Player, Reason, Secret, Table, Use, Verb, Where, face_down, once
from adjudicator.engine.table.domain import Many, OneOf
from adjudicator.engine.table.remembered import remembered
from adjudicator.rulebooks.oltremare import events
from adjudicator.rulebooks.oltremare.board import CARDS, PURCHASES, CardId, cards_for
from adjudicator.rulebooks.oltremare.events import Dealt, Discarded, Drew, Exchanged, Offered
from adjudicator.rulebooks.oltremare.standing import ALL, CARD
from adjudicator.rulebooks.oltremare.state import Offer, State


def may_see(state: State, who: Player | None, where: Where) -> bool:
    """OLT-0.6: only its owner sees a hand; everybody sees the top of a cargo;
    nobody sees the deck and the pirate piles."""
    match where:
        case ("deck", _) | ("players", _, "pirates", _):
            return False
        case ("players", owner, "hand" | "fresh", _) | (Dealt(player=owner), "cards", _):
            return bool(who == owner)
        case (Discarded(player=owner), "cards", _) | (Drew(player=owner, onto="hand"), "card"):
            return bool(who == owner)
        case ("players", owner, "cargo", int(at)):
            return at == len(state.players[owner].cargo) - 1
        case ("players", owner, "markers", int(at)):
            seat = state.players[owner]
            return bool(who == owner or (seat.active is not None and at == len(seat.markers) - 1))
        case ("drawn", _):
            return who == state.turn_of
        case ("offers", str(name), "give", "cards", _, part):
            return sees_of_offer(state.offers[name], who, part)
        case (Offered(offer=offer), "offer", "give", "cards", _, part):
            return sees_of_offer(offer, who, part)
        case (Exchanged(player=one, other=other), "gives" | "gets", "cards", _):
            return who in (one, other)
    return False


def sees_of_offer(offer: Offer, who: Player | None, part: str) -> bool:
    """OLT-2.2: only its owner sees the name of a card in an offer;
    those to whom it is offered see its good and the claims too."""
    return who == offer.by or (part != "card" and who is not None and offer.to in (who, ALL))


COME = tuple(f"{word}-{at}" for word in ("drawn", "got") for at in range(1, 2 * PURCHASES + 1))
ABSENT = dict.fromkeys((*CARDS, *COME), Reason("OLT-0.6", "not-in-hand"))


# -- cards by their own names, or as `drawn-1` and `got-1` those that came in the same sheet -------------------------


@remembered
def cards_in_hand(state: State, player: Player) -> OneOf[str]:
    """OLT-0.6: the names of the cards in a hand, including names such as `drawn-1` while they hold.

    In a check the player may not know all cards yet: then every card may be in the hand that isn't known to lie
    elsewhere.
    """
    among, unplaced = tuple(cards_by_name(state, player)), list[CardId]()
    if state.has_unseen_cards(player):
        placed = {card.value for _, pile in state.piles() for card in pile if card.known}
        unplaced = [card for card in cards_for(len(state.seats)) if card not in placed]
    return OneOf(among, ABSENT, unplaced)


def this_many_cards(t: Table[State], count: int, few: Reason, many: Reason) -> Many[str]:
    """OLT-1.1: exactly this number of cards of the hand, all different; with the reasons why not fewer and not more."""
    return Many(cards_in_hand(t.state, t.me), count, count, distinct=True, over=many, under=few)


def cards_by_name(state: State, player: Player) -> dict[str, Secret[CardId]]:
    """The cards of a hand by all their names, including names such as `drawn-1`.
    Cards that the reader can't see have only names of the latter kind."""
    seat = state.players[player]
    new = {name: card for name, card in seat.fresh.items() if not card.known or card in seat.hand}
    return {card.value: card for card in seat.hand if card.known} | new


def cards_named(t: Table[State], field: str, names: Sequence[str]) -> tuple[CardId, ...]:
    """The cards that an order names, all different. Raises Unknown if a check can't tell them yet."""
    there = looked_up(t, field, names)
    return each_once(t, field, {name: card.value for name, card in there.items()})


def as_known(t: Table[State], names: Sequence[str]) -> tuple[CardId, ...]:
    """The cards that an order plays, all different; a card that a check can't tell yet keeps its name in the sheet."""
    there = looked_up(t, "play", names)
    return each_once(t, "play", {name: card.value if card.known else name for name, card in there.items()})


def looked_up(t: Table[State], field: str, names: Sequence[str]) -> Mapping[str, Secret[CardId]]:
    """OLT-0.6: the cards that an order names, as far as a check can tell them; refuses more that it can't tell than the
    hand holds."""
    there = cards_by_name(t.state, t.me)
    found = {name: there[name] if name in there else Secret.hidden() for name in names}
    untold = [name for name, card in found.items() if not card.known]
    unseen = len([card for card in t.state.players[t.me].hand if not card.known])
    # Whoever accepts an open offer may bring more cards; else there are no more than that for sure.
    why = "more-than-unseen" if t.state.offers else "more-than-there"
    t.require(len(untold) <= unseen, "OLT-0.6", why, field=field, value=untold, count=unseen)
    return found


def each_once(t: Table[State], field: str, named: Mapping[str, CardId]) -> tuple[CardId, ...]:
    """OLT-0.6: the cards with these names; refuses two names for the same card."""
    cards = tuple(named.values())
    for name, card in named.items() if len(set(cards)) < len(cards) else ():
        t.require(cards.count(card) == 1, "OLT-0.6", "one-card-twice", field=field, value=name, card=card)
    return cards


# -- the hand limit --------------------------------------------------------------------------------------------------


def discard(t: Table[State]) -> None:
    """OLT-1.1: the player puts the cards above the power on his or her pirate pile, in any order."""
    count, seat = t.state.excess(), t.state.on_turn
    kept = "limit-kept" if len(seat.hand) > seat.power() else "within-limit"
    t.require(count > 0, "OLT-1.1", kept)
    few, many = Reason("OLT-1.1", "discards-too-few"), Reason("OLT-1.1", "discards-too-many")
    cards = t.pick("discard", this_many_cards(t, count, few, many), rule="OLT-1.1")
    gone = face_down(cards_named(t, "discard", cards))
    t.play(events.Discarded(rule="OLT-1.1", player=t.me, cards=gone))


VERBS = {
    "discard": Verb(
        discard,
        {"discard": Many(CARD, least=1, distinct=True)},
        uses=(once("discard", "OLT-1.1", "within-limit", decide=True), Use("card {each}", "discard")),
        subject=("discard",),
    )
}
