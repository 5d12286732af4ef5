"""OLT-0.6: who may see what."""

from __future__ import annotations

from adjudicator.engine.table import Player, Where
from adjudicator.engine.table.secret import view
from adjudicator.rulebooks.oltremare.events import Dealt, Discarded, Drew, Exchanged, Offered
from adjudicator.rulebooks.oltremare.standing import ALL
from adjudicator.rulebooks.oltremare.state import Offer, State


def may_see(state: State, who: Player | None, where: Where) -> bool:
    """OLT-0.6: only its owner sees a hand; everybody sees the top of a cargo;
    nobody sees the deck and the pirate piles."""
    match where:
        case ("deck", _):
            return False
        case ("players", _, "pirates", _):
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


def seen_by(state: State, who: Player) -> State:
    """The position as a player may know it, for a program that plays for that player."""
    return view(state, lambda where: may_see(state, who, where))
