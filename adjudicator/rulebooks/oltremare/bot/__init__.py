"""The game's own bot: it knows only its own view, makes its lots longer, and lies now and then.

Here is the merchant's talk: its offers, its answers, and its claims about cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adjudicator.engine.table import Player
from adjudicator.engine.table.domain import Chance
from adjudicator.rulebooks.oltremare.board import CARDS, GOODS, CardId, GoodId, counted, good_of, goods_of
from adjudicator.rulebooks.oltremare.bot import alone
from adjudicator.rulebooks.oltremare.bot.alone import TILE, counts, worth_of_exchange
from adjudicator.rulebooks.oltremare.exchange import leaves_enough, lowest
from adjudicator.rulebooks.oltremare.standing import ALL
from adjudicator.rulebooks.oltremare.state import Offer, State


def merchant(view: State, me: Player, chance: Chance) -> dict[str, Any]:
    """The sheet for the open phase."""
    if view.phase.name == "commerce":
        return {**commerce(view, me, chance), **standing(view, me)}
    if view.phase.name == "answer":
        return {"orders": answers(view, me, chance)}
    if view.phase.name == "voyage":
        return {"orders": last_words(view, me)}
    return {"orders": [alone.loading(view, me, view.in_play)], **standing(view, me)}


def alone_now(view: State, me: Player) -> dict[str, Any]:
    """The next order of a turn without deals, for an absent player."""
    if found := alone.discards(view, me):
        return found[0]
    if view.in_play:
        return alone.loading(view, me, view.in_play)
    if found := alone.purchases(view, len(view.players[me].hand)):
        return found[0]
    if view.phase.name == "commerce" and not view.sailing:
        return {"then": "sail"}
    return {"play": list(alone.cards_to_play(view, me))}


LEAST = 0.8
"""The least worth of an exchange that the bot makes, in ducats."""
DEAR = 2.5
"""If a good is worth more than so many ducats, the bot adds a ducat to its offer."""
PURSE = 3
"""The bot adds that ducat only if it has more ducats than these."""
GAIN = 0.3
"""The least worth of another player's offer that the bot accepts."""
WANTED_BACK = 0.5
"""The least worth of a counter-offer."""
MOST_ASKED = 3
"""The most ducats that the bot asks for in a counter-offer."""
PROPOSALS = 3
"""The most exchanges that the bot proposes in a turn."""
SPARED = 4
"""The number of cards of the hand that standing offers may give."""
LIES = 4
"""One claim in so many is a lie."""
SAIL = {"then": "sail"}
PRAISED = ("ducat", "cards")
"""The symbols that the bot claims when it praises a card."""


def commerce(view: State, me: Player, chance: Chance) -> dict[str, Any]:
    """The whole turn in one sheet: accepts the best offer, or proposes exchanges; then sails.

    After proposals it sends the voyage ahead, for when the others have answered, without the cards that it has offered.
    """
    discards = alone.discards(view, me)
    gone = [card for order in discards for card in order["discard"]]
    if found := best_acceptance(view, me):
        made = view.offers[found[0]["accept"]]
        cards = lowest(alone.hand_kept(view, me), made.for_.goods)
        voyage = alone.orders(view, me, (*gone, *cards), len(made.give.cards))
        return {"orders": [*discards, {**found[0], "with": list(cards)}, SAIL, *voyage]}
    if proposed := proposals(view, me, chance) if view.options.talks else []:
        offered = [card for order in proposed for card in order["give"]["cards"]]
        ahead = {"voyage": {"orders": alone.orders(view, me, (*gone, *offered))}}
        return {"orders": [*discards, *proposed], "later": ahead}
    return {"orders": [*discards, SAIL, *alone.orders(view, me, gone)]}


# -- offers ----------------------------------------------------------------------------------------------------------


def proposals(view: State, me: Player, chance: Chance) -> list[dict[str, Any]]:
    """A few exchanges of a card that the bot can spare for a good that it wants, each with another card.

    It keeps back as many cards as must be played.
    """
    found: list[dict[str, Any]] = []
    have = counts(view, me)
    if not any(view.players[player].hand for player in view.others()):
        return found
    kept = alone.cards_to_spare(view, me)[view.excess() :]
    most = min(PROPOSALS, len(kept) - view.must_play())
    for card in kept:
        if len(found) >= most:
            break
        worths = worth_of_each(have, good_of(card))
        for_ = max(worths, key=worths.__getitem__, default="")
        worth = worths.get(for_, 0.0)
        if worth >= LEAST and not any(each["for"]["goods"] == {for_: 1} for each in found):
            found.append(proposal(view, me, card, for_, worth, chance))
    return found


def worth_of_each(have: Mapping[GoodId, int], gives: GoodId) -> Mapping[GoodId, float]:
    """The worth of exchanging a card of each good in hand for another good."""
    goods = [good for good in GOODS if good != gives and have.get(good)]
    return {good: worth_of_exchange(have, {good: 1}, {gives: 1}) for good in goods}


def proposal(
    view: State, me: Player, card: CardId, for_: GoodId, worth: float, chance: Chance
) -> dict[str, Any]:
    """An exchange, offered to the player whose top of the cargo shows that the card is wanted there, or else to all."""
    fond = [each for each in view.others() if wants(view, each, good_of(card)) and view.players[each].hand]
    give: dict[str, Any] = {"cards": [card]}
    if worth > DEAR and view.players[me].ducats > PURSE:
        give["ducats"] = 1
    found: dict[str, Any] = {"offer": fond[0] if fond else ALL, "give": give, "for": {"goods": {for_: 1}}}
    says = claim(card, chance)
    return {**found, "says": {card: says}} if says else found


def wants(view: State, player: Player, good: GoodId) -> bool:
    """Does the top of a player's cargo show that the player wants a good?"""
    card = view.players[player].top()
    return card is not None and good_of(card) == good


def claim(card: CardId, chance: Chance) -> list[str]:
    """The claim about a card's symbols: mostly the truth or nothing, now and then what others like to hear."""
    said = chance(LIES)
    if said == 0:
        return list(PRAISED)
    return list(CARDS[card].symbols) if said == 1 or "pirate" not in CARDS[card].symbols else []


# -- answers ---------------------------------------------------------------------------------------------------------


def worth_to(view: State, me: Player, made: Offer, have: Mapping[GoodId, int]) -> float:
    """The worth of accepting an offer: goods, ducats, and a prestige tile if the player can still get one."""
    cards = [each.card.value if each.card.known else f"{each.good.value}-01" for each in made.give.cards]
    gets = goods_of(cards)
    tile = TILE if me != view.turn_of and me not in view.exchanged and (gets or made.for_.goods) else 0.0
    return worth_of_exchange(have, gets, made.for_.goods) + made.give.ducats - made.for_.ducats + tile


def can_give(view: State, made: Offer, left: Mapping[GoodId, int]) -> bool:
    """Are the goods asked for in the hand, and are enough cards left to play?"""
    enough = leaves_enough(view, made)
    return enough and all(left.get(good, 0) >= count for good, count in made.for_.goods.items())


def answers(view: State, me: Player, chance: Chance) -> list[dict[str, Any]]:
    """Accepts good offers, counters those that are nearly good, refuses the rest."""
    found: list[dict[str, Any]] = []
    have, left = counts(view, me), dict(goods_of(view.hand_of(me)))
    for name in view.to_answer(me):
        made = view.offers[name]
        worth = worth_to(view, me, made, have)
        fits = can_give(view, made, left)
        if fits and worth >= GAIN and not found:
            found.append({"accept": name})
            left = {good: count - made.for_.goods.get(good, 0) for good, count in left.items()}
            continue
        found.append({"refuse": name})
        short = round(WANTED_BACK - worth)
        if fits and 0 < short <= MOST_ASKED and made.for_.goods:
            found.append(counter_offer(view, made, short))
        elif not fits and not view.offered.get(me) and worth > 0:
            found += counter_with_other_card(view, me, made, have)
    return found


def counter_offer(view: State, made: Offer, short: int) -> dict[str, Any]:
    """A counter-offer: the same offer for some more ducats."""
    goods = dict(counted([shown.good.value for shown in made.give.cards]))
    for_ = {"goods": goods, "ducats": made.give.ducats + short}
    return {"offer": view.turn_of, "give": {"goods": dict(made.for_.goods)}, "for": for_}


def counter_with_other_card(
    view: State, me: Player, made: Offer, have: Mapping[GoodId, int]
) -> list[dict[str, Any]]:
    """A counter-offer with another card, one that the active player's cargo might need."""
    goods = [shown.good.value for shown in made.give.cards]
    if not goods:
        return []
    liked = [card for card in alone.cards_to_spare(view, me) if wants(view, view.turn_of, good_of(card))]
    for card in liked or alone.cards_to_spare(view, me)[:1]:
        worth = worth_of_exchange(have, {goods[0]: 1}, {good_of(card): 1})
        if good_of(card) not in goods and worth + TILE > LEAST:
            return [{"offer": view.turn_of, "give": {"cards": [card]}, "for": {"goods": {goods[0]: 1}}}]
    return []


def best_acceptance(view: State, me: Player) -> list[dict[str, Any]]:
    """The offer of the others that is worth most to the active player, if it is worth enough."""
    open_ = view.to_answer(me)
    if not open_ or not view.must_play():
        return []
    have, left = counts(view, me), goods_of(alone.hand_kept(view, me))
    able = [name for name in open_ if can_give(view, view.offers[name], left)]
    worths = {name: worth_to(view, me, view.offers[name], have) for name in able}
    good = {name: worth for name, worth in worths.items() if worth >= LEAST}
    best = max(good, key=lambda name: good[name], default="")
    return [{"accept": best}] if best else []


def last_words(view: State, me: Player) -> list[dict[str, Any]]:
    """The voyage: perhaps one more deal, then the cards to play."""
    found = best_acceptance(view, me)
    if not found:
        return alone.orders(view, me)
    made = view.offers[found[0]["accept"]]
    cards = lowest(view.hand_of(me), made.for_.goods)
    return [{**found[0], "with": list(cards)}, *alone.orders(view, me, cards, len(made.give.cards))]


def standing(view: State, me: Player) -> dict[str, Any]:
    """Standing instructions that give cards of little use for goods that the bot collects.

    As offers, the best for each good; as answers, all that are worth it with the tile that they bring.
    """
    have = counts(view, me)
    offers: list[dict[str, Any]] = []
    trade: list[dict[str, Any]] = []
    for good in dict.fromkeys(good_of(card) for card in alone.cards_to_spare(view, me)[:SPARED]):
        worths = worth_of_each(have, good)
        ranked = sorted(worths, key=lambda for_: -worths[for_])
        found = [for_ for for_ in ranked if worths[for_] + TILE >= LEAST]
        entries = [{"give": {"goods": {good: 1}}, "for": {"goods": {for_: 1}}} for for_ in found]
        offers += entries[:1]
        trade += entries
    return {"standing": {"offers": offers, "trade": trade}}
