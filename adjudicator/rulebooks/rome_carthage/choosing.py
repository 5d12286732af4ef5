"""The cards that a player has chosen for a fight: by a sheet,
or by a standing defence looked up when the fight is fought."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Literal

from adjudicator.engine.table import Player
from adjudicator.rulebooks.rome_carthage.board import CARDS, WORTH, Card, is_king, worth
from adjudicator.rulebooks.rome_carthage.standing import WORDS, Defence
from adjudicator.rulebooks.rome_carthage.state import Choice, Fight, State

Twice = Literal["higher", "lower of two", "none"]
"""ROM-3.3: which card of a fight counts twice."""


def choice_of(state: State, fight: Fight, player: Player) -> Choice | None:
    """ROM-3.1: the cards chosen by a sheet; else those given in advance for ties (ROM-3.4), those of the first standing
    defence that fits, or those of a spy's standing answer (ROM-3.7)."""
    if player in fight.chosen:
        return fight.chosen[player].value
    if fight.stage == "tie":
        card, _ = tie_card(state, fight, player)
        return Choice((card,)) if card else None
    if fight.stage == "spy":
        cheap = state.players[player].standing.value.spy == "cheapest"
        return Choice(cheapest(state, fight, player)) if cheap else None
    attacker, _ = state.fighters(fight)
    if attacker == player and not fight.betrayal:
        return None  # a standing defence never answers for the player's own attack
    if fight.anew:
        return None  # Ruling: both are asked for new cards (ROM-3.7)
    for entry in state.players[player].standing.value.defence:
        if fits_fight(state, entry, fight, player):
            count = state.limit(player, fight)
            cards = cards_meant(entry.cards, state.hand_of(player), count)
            short = zeros(state, player, count - len(cards), cards)
            return Choice((*cards, *short), entry.spy, entry.ties)
    return None


def fits_fight(state: State, entry: Defence, fight: Fight, player: Player) -> bool:
    """Does a standing defence fit the fight? A key that it leaves out fits everything."""
    attacks = state.owner(fight.attacker) == player
    own, other = (fight.attacker, fight.defender) if attacks else (fight.defender, fight.attacker)
    return (
        entry.with_ in ("", own)
        and entry.at in ("", fight.city)
        and (not entry.from_ or entry.from_ == state.owner(other))
        and entry.against in ("", state.pieces[other].kind)
        and entry.role in ("", "attack" if attacks else "defend")
    )


def cards_meant(wishes: Sequence[str], hand: Sequence[Card], most: int) -> tuple[Card, ...]:
    """At most `most` cards of a hand, by name or by word; cards that aren't in the hand are skipped."""
    found: list[Card] = []
    for wish in wishes:
        card = card_by_word(wish, hand, found) if wish in WORDS else wish
        if card in hand and card not in found and len(found) < most:
            found.append(card)
    return tuple(found)


def card_by_word(word: str, hand: Sequence[Card], taken: Sequence[Card]) -> Card:
    """The card of a hand that a word means: `highest`, `second`, `lowest` (of those above zero) or `zero`; empty if
    there is none.

    If the card is already taken, the next lower one is used; for `lowest` the next higher.
    """
    if word == "zero":
        ranked = [card for card in hand if not WORTH[card]]
    else:
        ranked = [card for card in hand if WORTH[card]]
        ranked.sort(key=WORTH.__getitem__, reverse=word != "lowest")
    start = 1 if word == "second" else 0
    return next((card for card in ranked[start:] if card not in taken), "")


def zeros(state: State, player: Player, count: int, but: Sequence[Card] = ()) -> tuple[Card, ...]:
    """ROM-3.8: the given number of zeros of the hand; if it has fewer, its lowest cards follow."""
    ranked = sorted([card for card in state.hand_of(player) if card not in but], key=WORTH.__getitem__)
    return tuple(ranked[:count])


def cheapest(state: State, fight: Fight, player: Player) -> tuple[Card, ...]:
    """ROM-3.7: the cheapest cards that win against those seen, as many as the limit allows; zeros if none do.

    **Ruling**: the cheapest are those worth the fewest points; of equal ones those of which the fewest are spent, then
    those without a king, which would leave the game, then the first in the order of the cards.
    """
    count = state.limit(player, fight)
    seen = max(total(state, fight, other, cards) for other, cards in fight.shown.items() if other != player)

    def cost(cards: tuple[Card, ...]) -> tuple[int, int, int, list[int]]:
        counting = [card for card in cards if worth(card)]
        kings = sum(is_king(card) for card in cards)
        return sum(worth(card) for card in cards), len(counting), kings, [CARDS.index(card) for card in cards]

    hand = sorted(state.hand_of(player), key=CARDS.index)
    winning = [cards for cards in combinations(hand, count) if total(state, fight, player, cards) > seen]
    return min(winning, key=cost) if winning else zeros(state, player, count)


def total(state: State, first: Fight, player: Player, cards: tuple[Card, ...]) -> int:
    """ROM-3.3, ROM-3.4: the points of the cards; in a tie an elephant doubles one if option `tie_doubling` is on."""
    attacks = state.owner(first.attacker) == player
    own, other = (first.attacker, first.defender) if attacks else (first.defender, first.attacker)
    kind, against = state.pieces[own].kind, state.pieces[other].kind
    doubling = first.stage != "tie" or state.options.tie_doubling
    return points([WORTH[card] for card in cards], counts_twice(kind, against, elephants=doubling))


def counts_twice(kind: str, against: str, *, elephants: bool = True) -> Twice:
    """ROM-3.3: which card a kind of piece doubles against another: an elephant the higher one, or a single one
    (ROM-3.6), against land pieces, unless `elephants` is false; cavalry the lower of two."""
    if kind == "elephant" and against != "ship" and elephants:
        return "higher"
    return "lower of two" if kind == "cavalry" else "none"


def points(values: Sequence[int], twice: Twice) -> int:
    """ROM-3.3: the points of cards with these values."""
    if twice == "higher":
        return sum(values) + max(values, default=0)
    return sum(values) + (min(values) if twice == "lower of two" and len(values) == 2 else 0)


def tie_card(state: State, fight: Fight, player: Player) -> tuple[Card, tuple[str, ...]]:
    """ROM-3.4: the next card given in advance for a tie, and the cards that are then left for further ties."""
    wishes = fight.ties[player].value if player in fight.ties else ()
    for index, wish in enumerate(wishes):
        found = cards_meant([wish], state.hand_of(player), 1)
        if found:
            return found[0], tuple(wishes[index + 1 :])
    return "", ()


def fits(state: State, fight: Fight, player: Player, choice: Choice) -> bool:
    """ROM-3.1, ROM-3.6: can the cards still be played: all are in the hand, and as many as the limit says?"""
    hand = state.hand_of(player)
    return all(card in hand for card in choice.cards) and len(choice.cards) == state.limit(player, fight)
