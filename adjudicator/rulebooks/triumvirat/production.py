"""TRI-1 Cards and TRI-2 Production: the cards of a turn, what provinces give, and Italy's cards shared out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import cycle

from adjudicator.engine.table import Player, Secret, Table, Verb, another
from adjudicator.rulebooks.triumvirat import barbarians, board, events, pieces, setup, standing
from adjudicator.rulebooks.triumvirat.board import CARDS, TAX, Card, card_of, in_order
from adjudicator.rulebooks.triumvirat.state import State

Numbered = list[tuple[int, pieces.Wish]]


def begin(t: Table[State]) -> None:
    """TRI-1.1: a turn begins, the first one too (Ruling): three cards, production, and what the leaders say of Italy's
    cards and of the trade."""
    for _ in range(board.BOARD.numbers["drawn"]):
        turn_up(t)
    if not t.state.over():
        produce(t)
        standing.name_order(t)
        standing.name_number(t)


def turn_up(t: Table[State]) -> None:
    """TRI-1.1: a card of the deck; an empty one is made anew of discarded events (Ruling). TRI-1.2: a revolt
    is a barbarian on the city of Rome, elite if one is there."""
    if not t.state.deck and t.state.used:
        setup.lay(t, "deck", t.state.used, rule="TRI-1.1")
    if t.state.deck and not t.state.over():
        card = t.reveal(t.state.deck[0])
        t.play(events.CardTurned(rule="TRI-1.1", deck="deck", card=card))
        if card == "revolt":
            barbarians.appear(t, board.ROME, board.CITY, rule="TRI-1.2")


# -- production ------------------------------------------------------------------------------------------------------


def yields(state: State, player: Player) -> Counter[Card]:
    """TRI-2.1: a card a caravan, two a market, a tax a city, two beside a temple. TRI-2.2: none among barbarians."""
    found: Counter[Card] = Counter()
    for name in state.owned(player):
        here = state.provinces[name]
        if not here.barbarians.count:
            found.update((*here.caravans, *here.markets, *here.markets))
            found[TAX] += here.city + here.temple
    if found[TAX] and state.power(player, "extra-tax"):
        found[TAX] += 1  # TRI-10.5
    return +found


def produce(t: Table[State]) -> None:
    """TRI-2.1, TRI-2.4: each takes the cards of the own provinces, as long as there are some: the trade, the political,
    the military leader, and then who has no title."""
    leaders = (t.state.titles[title] for title in board.TITLES)
    for player in dict.fromkeys((*leaders, *t.state.seats)):
        due = yields(t.state, player)
        got = Counter({card: min(count, setup.supply(t, card)) for card, count in due.items()})
        more = [card for card in board.RESOURCES if got[card] and setup.supply(t, card) > got[card]]
        extra = standing.used_on(t, player, "extra-commodity", lambda own: [own.extra], more)  # TRI-10.2
        if due:
            t.play(events.Produced(player, in_order(got), in_order(due - got), extra, rule="TRI-2.1"))


# -- wishes ----------------------------------------------------------------------------------------------------------


def want(t: Table[State]) -> None:
    """TRI-2.3, TRI-3.2: cards in order of preference; in Italy those from a player are passed over."""
    found: list[pieces.Wish] = []
    listed = t.pick("want", standing.WISHES, rule="TRI-2.3")
    for index, wish in enumerate(listed):
        for card, of in wish.items() if isinstance(wish, dict) else ((wish, ""),):
            if of and t.state.phase.name == "italy":
                t.warn("TRI-2.3", "of-nobody", "want", index, value=card)
            another(t, of, "want", index, card, state=t.state, me=t.me, rule="TRI-3.2")
            found.append(pieces.Wish(card, of))
    t.require(t.me not in t.state.wishes, "TRI-2.3", "wished-already")
    t.play(events.Wished(rule="TRI-2.3", to=(t.me,), player=t.me, wishes=Secret(tuple(found))))


def wishes_of(t: Table[State], player: Player) -> Numbered:
    """The wishes that a player has sent, numbered from 1."""
    sent = t.reveal(t.state.wishes.get(player, Secret(())))
    return [*enumerate(sent, start=1)]


def chosen(wishes: Numbered, left: Mapping[Player, Mapping[Card, int]]) -> tuple[int, Player, Card]:
    """TRI-2.3, TRI-3.2: the first wish that can be met of the cards that lie before some players, or before nobody; it
    is struck off. Else the first card in the board's order; its number is 0."""
    for number, wish in (*wishes, *((0, pieces.Wish(card)) for card in CARDS)):
        for source, cards in left.items():
            if wish.of in ("", source) and cards.get(wish.card):
                if number:
                    wishes.remove((number, wish))
                return number, source, wish.card
    raise AssertionError("there is a card left")


# -- Italy -----------------------------------------------------------------------------------------------------------


def takers(state: State) -> Sequence[Player]:
    """TRI-2.3: everybody, while something is free in Italy."""
    return standing.order_of(state, "italy") if state.free_sites() else ()


def share(t: Table[State]) -> None:
    """TRI-2.3: each takes a card of Italy, by the own wishes, round and round (Ruling) until all are taken."""
    order = standing.order_of(t.state, "italy")
    wishes = {player: wishes_of(t, player) for player in order}
    sites = {site: name for name, site in t.state.free_sites()}
    for player in cycle(order):
        there = {card_of(site): site for site in sites if setup.supply(t, card_of(site))}
        if not there:
            break
        number, _, card = chosen(wishes[player], {"": dict.fromkeys(there, 1)})
        site = there[card]
        t.play(events.Picked(player, sites.pop(site), site, card, Secret(number), rule="TRI-2.3"))


WANT = {"want": Verb(want, {"want": standing.WISHES})}
