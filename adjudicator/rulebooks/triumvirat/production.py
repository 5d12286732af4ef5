"""TRI-1 Cards and TRI-2 Production: the cards of a turn, what provinces give, and how Italy's cards are shared out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import cycle
from typing import Any

from adjudicator.engine.table import Player, Rule, Secret, Table, Verb, once
from adjudicator.engine.table.domain import Either, Many, MapOf, OneOf
from adjudicator.rulebooks.triumvirat import barbarians, board, events, pieces, setup, standing
from adjudicator.rulebooks.triumvirat.board import CARDS, TAX, Card, card_of, in_order
from adjudicator.rulebooks.triumvirat.state import State

Numbered = list[tuple[int, pieces.Wish]]
ANYTHING = tuple((0, pieces.Wish(card)) for card in CARDS)
"""TRI-2.3: what a player takes whose wishes can't be met."""


def begin(t: Table[State]) -> None:
    """TRI-1.1: a turn begins, also the first (Ruling): three cards are turned up, provinces produce, and the leaders'
    orders for Italy and the trade are named."""
    for _ in range(board.BOARD.numbers["drawn"]):
        turn_up(t)
    if not t.state.over():
        produce(t)
        standing.name_order(t)
        standing.name_number(t)


def turn_up(t: Table[State]) -> None:
    """TRI-1.1: turns up a card of the deck; an empty deck is made again from discarded events (Ruling).

    TRI-1.2: a revolt puts a barbarian on the city of Rome, an elite one if one is there.
    """
    if not t.state.deck and t.state.used:
        setup.lay(t, "deck", t.state.used, rule="TRI-1.1")
    if t.state.deck and not t.state.over():
        card = t.reveal(t.state.deck[0])
        t.play(events.CardTurned(rule="TRI-1.1", deck="deck", card=card))
        if card == "revolt":
            barbarians.appear(t, board.ROME, board.CITY, rule="TRI-1.2")


# -- production ------------------------------------------------------------------------------------------------------


def yields(state: State, player: Player) -> Counter[Card]:
    """TRI-2.1: a card for a caravan, two for a market, a tax for a city, two with a temple.
    TRI-2.2: nothing among barbarians."""
    found: Counter[Card] = Counter()
    for name in state.owned(player):
        here = state.provinces[name]
        if here.barbarians == pieces.NO_BARBARIANS:
            found.update((*here.caravans, *here.markets, *here.markets))
            found[TAX] += here.city + here.temple
    if found[TAX] and state.power(player, "extra-tax"):
        found[TAX] += 1  # TRI-10.5
    return +found


def produce(t: Table[State]) -> None:
    """TRI-2.1, TRI-2.4: each player takes the cards of the provinces while there are any: the trade, the political, the
    military leader, then players without a title."""
    leaders = (t.state.titles[title] for title in board.TITLES)
    for player in dict.fromkeys((*leaders, *t.state.seats)):
        due = yields(t.state, player)
        left = setup.supply(t) if due else {}
        got = Counter({card: min(count, left[card]) for card, count in due.items()})
        more = [card for card in board.RESOURCES if card in got and left[card] > got[card] > 0]
        # TRI-10.2
        extra = standing.target_of_power(t, player, "extra-commodity", lambda own: [own.extra], more)
        if due:
            t.play(events.Produced(player, in_order(got), in_order(due - got), extra, rule="TRI-2.1"))


# -- wishes ----------------------------------------------------------------------------------------------------------


def want(t: Table[State]) -> None:
    """TRI-2.3: a player wishes for cards of Italy in order of preference; wishes for a card that no free site gives,
    and for a certain player's, are skipped."""
    left = [card_of(site) for _, site in t.state.free_sites()]
    listed = t.pick("want", wishes_among(left, ()), rule="TRI-2.3")
    for index, wish in enumerate(listed):
        if not isinstance(wish, str):
            for card in wish:
                t.warn("TRI-2.3", "of-nobody", "want", index, value=card)
        elif wish in left:
            left.remove(wish)
        else:
            why = "wished-above" if wish in listed[:index] else "no-free-site"
            t.warn("TRI-2.3", why, "want", index, value=wish)
    make_wishes(t, listed)


def wishes_among(cards: Collection[Card], others: Collection[Player]) -> Many[Any]:
    """Offers the cards that can be had, from anybody or from one of these others; any other wish is admitted, and
    skipped."""
    of_one = MapOf(OneOf(cards if others else (), besides=CARDS), OneOf(others, besides=board.SEATS))
    return Many(Either((OneOf(cards, besides=CARDS), of_one)), standing.WISHES.least, standing.WISHES.most)


def make_wishes(t: Table[State], listed: Sequence[Card | Mapping[Card, Player]]) -> None:
    """TRI-2.3, TRI-3.2: a player's wishes are made, once."""
    t.require(t.me not in t.state.wishes, "TRI-2.3", "wished-already")
    named = [{wish: ""} if isinstance(wish, str) else wish for wish in listed]
    pairs = [pair for wish in named for pair in wish.items()]
    wishes = tuple(pieces.Wish(card, of) for card, of in pairs)
    t.play(events.Wished(rule="TRI-2.3", to=(t.me,), player=t.me, wishes=Secret(wishes)))


def wishes_of(t: Table[State], player: Player) -> Numbered:
    """TRI-2.3, TRI-3.2: the wishes that a player has sent, numbered from 1."""
    sent = t.reveal(t.state.wishes.get(player, Secret(())))
    return [*enumerate(sent, start=1)]


def wish_met(wishes: Numbered, left: Mapping[Player, Mapping[Card, int]]) -> tuple[int, Player, Card]:
    """TRI-2.3, TRI-3.2: the first wish that the available cards can meet, which is struck off; without one the first
    card in the board's order, with number 0."""
    for number, wish in (*wishes, *ANYTHING):
        for source, cards in left.items():
            if wish.of in ("", source) and wish.card in cards and cards[wish.card]:
                if number:
                    wishes.remove((number, wish))
                return number, source, wish.card
    raise AssertionError("there is a card left")


# -- Italy -----------------------------------------------------------------------------------------------------------


def takers(state: State) -> Sequence[Player]:
    """TRI-2.3: the players who take cards: all, while a site of Italy is free."""
    return standing.order_of(state, "italy") if state.free_sites() else ()


def share(t: Table[State]) -> None:
    """TRI-2.3: players take a card of Italy in turn, by their wishes, until all are taken (Ruling)."""
    order = standing.order_of(t.state, "italy")
    wishes = {player: wishes_of(t, player) for player in order}
    sites = {site: name for name, site in t.state.free_sites()}
    left = Counter(setup.supply(t))
    for player in cycle(order):
        there = {card_of(site): site for site in sites if left[card_of(site)]}
        if not there:
            break
        number, _, card = wish_met(wishes[player], {"": dict.fromkeys(there, 1)})
        site = there[card]
        t.play(events.Picked(player, sites.pop(site), site, card, Secret(number), rule="TRI-2.3"))
        left[card] -= 1


def wanting(rule: Rule[State]) -> Verb[State]:
    """The order that wishes for cards, once in a phase."""
    return Verb(
        rule,
        {"want": standing.WISHES},
        uses=(once("want", "TRI-2.3", "wished-already", decide=True),),
        subject=(),
        ranks="want",
    )


VERBS = {"want": wanting(want)}
