"""What must be true of every position: each card lies in one place; what an `if:` may ask of it, what is left of what
orders share, and a guess of what is hidden."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress

from msgspec.structs import replace

from adjudicator.engine.table import Flaw, Flaws, Limits, Player, Secret, first_of, flaw, names_everybody
from adjudicator.engine.table.boxes import Box, UnseenCards, known_of, without_standing
from adjudicator.engine.table.condition import (
    About,
    condition,
    counted,
    holding,
    lies_in,
    of_me,
    purse,
    there,
)
from adjudicator.engine.table.domain import Chance, Limit, Name, OneOf
from adjudicator.engine.table.event import one_of
from adjudicator.rulebooks.oltremare import board
from adjudicator.rulebooks.oltremare.exchange import MOST_OFFERS
from adjudicator.rulebooks.oltremare.standing import ALL, GOOD, OFFER, PORT, Standing
from adjudicator.rulebooks.oltremare.state import Hand, Offer, Seat, Shown, State


def every_card_in_one_place(state: State) -> Flaw | None:
    """OLT-0.1: each card lies in exactly one place: a hand, a cargo, a pirate pile, the deck,
    the discard or in play."""
    there = [((*where, at), card) for where, pile in state.piles() for at, card in enumerate(pile)]
    mine = board.cards_for(len(state.players))
    seen: set[str] = set()
    for where, card in ((where, card.value) for where, card in there if card.known):
        if card not in mine and card != board.VENICE:
            return flaw(where, "OLT-0.1", "no-such-card", value=card)
        if card in seen:
            return flaw(where, "OLT-0.1", "card-twice", card=card)
        seen.add(card)
    missing = [card for card in mine if card not in seen]
    if missing and all(card.known for _, card in there):
        return flaw(("deck",), "OLT-0.1", "card-missing", card=missing[0], count=len(missing))
    return None


@first_of
def venice_is_where_it_can_be(state: State) -> Flaws:
    """OLT-5.3: the Venice card is in the deck, or out of the game."""
    for where, pile in state.piles():
        elsewhere = where != ("deck",) and Secret(board.VENICE) in pile
        yield elsewhere and flaw(where, "OLT-5.3", "venice-elsewhere")


@first_of
def names_are_known(state: State) -> Flaws:
    """OLT-0.3 to 0.5: markers lie on ports of the board, ships are in ports once they have been placed,
    and the seats name every player."""
    for port, marker in state.markers.items():
        yield one_of(port, board.PORTS, ("markers", port), "OLT-0.3", "no-such-port")
        yield one_of(marker, board.MARKERS, ("markers", port), "OLT-0.3", "no-such-marker")
    ports = (*board.PORTS, "") if state.phase.name == "start" else board.PORTS
    for name, seat in state.players.items():
        yield one_of(seat.ship, ports, ("players", name, "ship"), "OLT-0.4", "no-such-port")
        for marker in known_of(seat.markers):
            yield one_of(marker, board.MARKERS, ("players", name, "markers"), "OLT-0.3", "no-such-marker")
    of_the_turn = {"exchanged": state.exchanged, "turns": state.turns, "asked": state.asked}
    for field, players in {"turn_of": (state.turn_of,), **of_the_turn}.items():
        for name in players:
            yield one_of(name, state.players, (field,), "OLT-0.5", "no-such-player")
    yield names_everybody(state, state.seats, ("seats",), "OLT-0.5", "seats")


@first_of
def markers_are_whole(state: State) -> Flaws:
    """OLT-0.3: ports and players hold no more markers than the box has,
    and a player's active marker is the last one collected."""
    count = Counter(state.markers.values())
    for name, seat in state.players.items():
        count.update(known_of(seat.markers))
        last = seat.markers[-1:]
        if seat.active is not None and last not in ((Secret(seat.active),), (Secret.hidden(),)):
            yield flaw(("players", name, "active"), "OLT-3.5", "active-is-last", value=seat.active)
    for marker, most in board.BOARD.markers.items():
        over = count[marker] > most
        yield over and flaw(("markers",), "OLT-0.3", "too-many-markers", value=marker, most=most)


@first_of
def offers_are_whole(state: State) -> Flaws:
    """OLT-2.1: every offer is between the active player and another, of cards and goods of the game."""
    for name, offer in state.offers.items():
        at, by, to, goods = ("offers", name), offer.by, offer.to, list(offer.for_.goods)
        odd = not re.fullmatch(rf"{by}-[1-9][0-9]?", name)
        yield odd and flaw(at, "OLT-2.1", "no-offer-name", value=name, by=by)
        known = by in state.seats and to in (*state.seats, ALL)
        yield not known and flaw(at, "OLT-2.1", "no-such-player", value=f"{by}, {to}")
        apart = state.turn_of not in (by, to) or by == to
        yield apart and flaw(at, "OLT-2.1", "not-with-active", value=name)
        yield not {*goods} <= {*board.GOODS} and flaw(at, "OLT-2.1", "no-such-good", value=goods)
        for shown in (shown for shown in offer.give.cards if shown.card.known):
            face = board.CARDS.get(shown.card.value)
            if face is None or shown.good not in (Secret(face.good), Secret.hidden()):
                yield flaw(at, "OLT-2.2", "good-is-true", value=shown.card.value)


INVARIANTS = (every_card_in_one_place, names_are_known, markers_are_whole)
CHECKS = (*INVARIANTS, venice_is_where_it_can_be, offers_are_whole)


OF_ANYBODY = counted(lambda seat: len(seat.hand))


def marker(view: State, me: Player, port: str) -> list[board.Marker]:
    """The marker that lies on a port, if there is one."""
    return [view.markers[port]] if port in view.markers else []


def goods(seat: Seat) -> list[str]:
    """The goods of a hand, one name for each card."""
    return [board.good_of(card.value) for card in seat.hand]


PORT_NAMES = Name("port", "|".join(board.PORTS))
CONDITION = condition(
    About(OFFER, lambda view, me, name: view.offers.get(name), there()),
    About(PORT_NAMES, marker, holding(OneOf(board.MARKERS), lambda markers: markers)),
    About(
        Name("player", "|".join(board.HOUSES)),
        lambda view, me, player: view.players.get(player),
        {**lies_in(PORT, lambda seat: seat.ship), **OF_ANYBODY},
    ),
    of_me(
        lambda view, me: view.players[me],
        {**holding(GOOD, goods), **OF_ANYBODY, **purse(lambda seat: seat.ducats)},
    ),
)


PILES = (("deck",), ("players", "*", "cargo"), ("players", "*", "pirates"))
HIDDEN_MARKERS = tuple(marker for marker, count in board.BOARD.markers.items() for _ in range(count))


def boxes(state: State) -> tuple[Box, ...]:
    """OLT-0.1, OLT-0.3, OLT-0.6: the goods cards, and the markers."""
    cards, open_ = board.cards_for(len(state.players)), (*state.discard, *state.in_play)
    return (
        Box(cards, open_, PILES, hands=(("players", "*", "hand"),)),
        Box(HIDDEN_MARKERS, tuple(state.markers.values()), piles=(("players", "*", "markers"),)),
    )


def guess(view: State, me: Player, chance: Chance) -> State:
    """OLT-0.6: hidden cards are any that aren't seen; a card on offer has the good that is shown."""
    unseen, markers = (UnseenCards.of(box, view, chance) for box in boxes(view))
    shown = {name: cards_on_offer(view, name, unseen) for name in view.players}
    players = {name: guessed_seat(seat, shown[name], unseen) for name, seat in view.players.items()}
    players = {name: replace(seat, markers=markers.fill(seat.markers)) for name, seat in players.items()}
    state = replace(view, players=players)
    hidden = [place for place, card in enumerate(view.deck) if not card.known]
    state = replace(state, deck=guessed_deck(view.deck, hidden, unseen, chance))
    state = replace(
        state,
        drawn=cards_drawn(state),
        offers={name: with_cards_shown(state, each) for name, each in view.offers.items()},
    )
    return without_standing(state, Standing)


def cards_on_offer(view: State, player: Player, unseen: UnseenCards[board.CardId]) -> list[board.CardId]:
    """Cards for a player's hand that fit the goods of the player's open offers, the same card for equal goods; none
    where the hand is known to hold one."""
    goods: dict[str, int] = {}
    for offer in view.offers.values():
        known = [each.good.value for each in offer.give.cards if not each.card.known and each.good.known]
        for good in known if offer.by == player else ():
            goods[good] = max(goods.get(good, 0), known.count(good))
    seen = [board.good_of(card) for card in known_of(view.players[player].hand)]
    wanted = [good for good, count in goods.items() for _ in range(count - seen.count(good))]
    cards = []
    for good in wanted:
        with suppress(LookupError):  # the card offered has left the hand since, and lies where it is seen
            fitting = {card for card in board.CARDS if board.good_of(card) == good}
            cards.append(unseen.take(fitting.__contains__))
    return cards


def guessed_seat(seat: Seat, first: list[board.CardId], unseen: UnseenCards[board.CardId]) -> Seat:
    """A seat in which these cards, as many as there is room for, then others take the place of hidden ones."""
    left = list(first)
    hand = tuple(card if card.known else Secret(left.pop(0) if left else unseen.take()) for card in seat.hand)
    unseen.left += left
    fresh = {name: card if card.known else hand[-1] for name, card in seat.fresh.items()}
    cargo, pirates = unseen.fill(seat.cargo), unseen.fill(seat.pirates)
    return replace(seat, hand=hand, fresh=fresh, cargo=cargo, pirates=pirates)


def guessed_deck(deck: Hand, hidden: list[int], unseen: UnseenCards[board.CardId], chance: Chance) -> Hand:
    """OLT-5.3: the deck; if it has one place more than there are cards left, the Venice card lies in one of them."""
    venice = hidden[chance(len(hidden))] if len(hidden) > len(unseen.left) else -1
    return tuple(
        card if card.known else Secret(board.VENICE if place == venice else unseen.take())
        for place, card in enumerate(deck)
    )


def cards_drawn(state: State) -> Hand:
    """The cards drawn in the turn: the last ones of the hand, if they are hidden."""
    hand = state.players[state.turn_of].hand
    last = hand[len(hand) - len(state.drawn) :]
    return tuple(card if card.known else other for card, other in zip(state.drawn, last, strict=False))


def with_cards_shown(state: State, offer: Offer) -> Offer:
    """OLT-2.2: an offer with cards of its player's hand that have the goods shown, or with others where the cards have
    left the hand since."""
    left = [card.value for card in state.players[offer.by].hand]
    left += [card for card in board.cards_for(len(state.players)) if card not in left]
    cards = []
    for each in offer.give.cards:
        fits = [card for card in left if not each.good.known or board.good_of(card) == each.good.value]
        card = each.card.value if each.card.known else fits[0]
        left = [other for other in left if other != card]
        nothing: tuple[board.Symbol, ...] = ()
        says = each.says if each.says.known else Secret(nothing)
        cards.append(Shown(Secret(card), Secret(board.good_of(card)), says))
    return replace(offer, give=replace(offer.give, cards=tuple(cards)))


def limits(state: State, player: Player) -> Limits:
    """OLT-2.1, OLT-2.4, OLT-3.1: what can be bought and offered, and what comes too late."""
    left, bought = MOST_OFFERS + 1 - state.next_offer(player), {"purchases": board.PURCHASES}
    found = {
        "purchases": Limit(board.PURCHASES - state.bought, "OLT-2.4", "bought-enough", bought),
        "of deck": Limit(state.cards_in_stock(), "OLT-2.4", "pile-is-smaller"),
        "of pirates": Limit(len(state.players[player].pirates), "OLT-2.4", "pile-is-smaller"),
        "offers": Limit(left, "OLT-2.1", "offers-enough"),
        "unplayed": Limit(int(not (state.in_play or state.between)), "OLT-3.1", "already-played"),
        "talk": Limit(int(not state.sailing), "OLT-2.1", "sailing-already"),
    }
    for card in state.hand_of(player):
        found[f"card {card}"] = Limit(1, "OLT-0.6", "card-gone", {"card": card})
        found[f"free {card}"] = Limit(1, "OLT-2.1", "card-offered", {"card": card})
    return found
