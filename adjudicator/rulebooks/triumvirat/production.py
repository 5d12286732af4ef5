"""TRI-1 Cards and TRI-2 Production: the cards of a turn, what provinces give, and Italy's cards shared out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from adjudicator.engine.table.domain import Domain, Either, Many, MapOf, OneOf
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.others import another
from adjudicator.engine.table.secret import Secret
from adjudicator.engine.table.table import Table, Verb
from adjudicator.rulebooks.triumvirat import appearing
from adjudicator.rulebooks.triumvirat.board import (
    BOX,
    CARDS,
    DRAWN,
    RESOURCES,
    TAX,
    TITLES,
    Card,
    card_of,
    in_order,
)
from adjudicator.rulebooks.triumvirat.entries import Wish
from adjudicator.rulebooks.triumvirat.events.cards import (
    CardTurned,
    Picked,
    Produced,
    TradeClosed,
    TurnBegan,
    Wished,
)
from adjudicator.rulebooks.triumvirat.leading import call_ahead, name_order, order_of
from adjudicator.rulebooks.triumvirat.setup import lay
from adjudicator.rulebooks.triumvirat.standing import PLAYER, WISHES
from adjudicator.rulebooks.triumvirat.state import (
    State,
    barbarians,
    free_sites,
    owned,
    power,
)


def begin(t: Table[State]) -> None:
    """TRI-1.1: a turn begins: three cards, production, and what the leaders say of Italy's cards and of the trade."""
    t.play(TurnBegan(rule="TRI-1.1"))
    for _ in range(DRAWN):
        turn_up(t)
    if not t.state.result.by:
        produce(t)
        name_order("italy")(t)
        call_ahead(t)


def turn_up(t: Table[State]) -> None:
    """TRI-1.1: a card of the deck; an empty one is made anew of discarded events (Ruling). TRI-1.2: a revolt."""
    if not t.state.deck and t.state.used:
        lay(t, "deck", t.state.used, rule="TRI-1.1", again=True)
    if t.state.deck and not t.state.result.by:
        card = t.reveal(t.state.deck[0])
        t.play(CardTurned(rule="TRI-1.1", card=card))
        if card == "revolt":
            appearing.revolt(t)


# -- production ------------------------------------------------------------------------------------------------------


def supply(t: Table[State], card: Card) -> int:
    """TRI-0.5: the cards of a kind that are left in the box: what is used up can't be had."""
    seats = t.state.players.values()
    hands = (*(seat.cards for seat in seats), *t.state.offers.values())
    held = sum(t.reveal(each) == card for hand in hands for each in hand)
    return BOX[card] - held - (sum(seat.taxes for seat in seats) if card == TAX else 0)


def yields(state: State, player: Player) -> Counter[Card]:
    """TRI-2.1: a card a caravan, two a market, a tax a city, two beside a temple. TRI-2.2: none among barbarians."""
    found: Counter[Card] = Counter()
    for name in owned(state, player):
        here = state.provinces[name]
        if barbarians(state, name).count:
            continue
        found.update(here.caravans)
        found.update((*here.markets, *here.markets))
        found[TAX] += here.city * (2 if here.temple else 1)
    if found[TAX] and power(state, player, "extra-tax"):
        found[TAX] += 1  # TRI-10.5
    return +found


def served(state: State) -> tuple[Player, ...]:
    """TRI-2.4: the trade, the political, the military leader, and who has no title."""
    return tuple(dict.fromkeys((*(state.titles[title] for title in TITLES), *state.seats)))


def produce(t: Table[State]) -> None:
    """TRI-2.1, TRI-2.4: each takes the cards of the own provinces, as long as there are some."""
    for player in served(t.state):
        due = yields(t.state, player)
        got = Counter({card: min(count, supply(t, card)) for card, count in due.items()})
        extra = extra_card(t, player, +got)
        if due:
            short = in_order(due - got)
            t.play(Produced(rule="TRI-2.1", player=player, cards=in_order(got), short=short, extra=extra))


def extra_card(t: Table[State], player: Player, got: Counter[Card]) -> Card:
    """TRI-10.2: one more card of a resource produced: that of `extra`, else the first in the board's order."""
    if not power(t.state, player, "extra-commodity"):
        return ""
    wanted = t.reveal(t.state.players[player].standing).extra
    for card in (wanted, *RESOURCES):
        if got[card] and supply(t, card) > got[card]:
            return card
    return ""


# -- Italy -----------------------------------------------------------------------------------------------------------


def want(t: Table[State]) -> None:
    """TRI-2.3, TRI-3.2: cards in order of preference; in Italy those from a player are passed over."""
    player = OneOf(t.state.seats, besides=[each for each in PLAYER.among if each not in t.state.seats])
    wishes: Domain[tuple[Any, ...]] = Many(
        Either((OneOf(CARDS), MapOf(OneOf(CARDS), player))), most=WISHES.most
    )
    found: list[Wish] = []
    listed = t.pick("want", wishes, rule="TRI-2.3")
    for index, wish in enumerate(listed):
        for card, of in wish.items() if isinstance(wish, dict) else ((wish, ""),):
            if of and t.state.phase.name == "italy":
                t.warn("TRI-2.3", "of-nobody", "want", index, value=card)
            another(t, of, "want", index, card, state=t.state, me=t.me, rule="TRI-3.2")
            found.append(Wish(card, of))
    t.require(t.me not in t.state.wishes, "TRI-2.3", "wished-already")
    t.play(Wished(rule="TRI-2.3", to=(t.me,), player=t.me, wishes=Secret(tuple(found))))


def takers(state: State) -> Sequence[Player]:
    """TRI-2.3: everybody, while something is free in Italy."""
    return order_of(state, "italy") if free_sites(state) else ()


def share(t: Table[State]) -> None:
    """TRI-2.3: round and round each takes a card of Italy, by the own wishes, until all are taken."""
    order = order_of(t.state, "italy")
    sites = list(free_sites(t.state))
    struck: dict[Player, set[int]] = {player: set() for player in order}
    turn = 0
    while order:
        there = [each for each in sites if supply(t, card_of(each[1]))]
        if not there:
            break
        player = order[turn % len(order)]
        wishes = wishes_of(t, player)
        cards = [card_of(site) for _, site in there]
        at = next(
            (
                index
                for index, wish in enumerate(wishes)
                if index not in struck[player] and not wish.of and wish.card in cards
            ),
            None,
        )
        card = min(cards, key=CARDS.index) if at is None else wishes[at].card
        if at is not None:
            struck[player].add(at)
        province, site = there[cards.index(card)]
        wish = Secret(0 if at is None else at + 1)
        t.play(Picked(rule="TRI-2.3", player=player, province=province, site=site, card=card, wish=wish))
        sites.remove((province, site))
        turn += 1
    t.play(TradeClosed(rule="TRI-2.3"))


def wishes_of(t: Table[State], player: Player) -> tuple[Wish, ...]:
    """The wishes that a player has sent."""
    return t.reveal(t.state.wishes[player]) if player in t.state.wishes else ()


WANT = {"want": Verb(want, {"want": WISHES})}
