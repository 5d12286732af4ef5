"""Fills in by chance what a player can't know: hands, talon, and the cards chosen for fights."""

from __future__ import annotations

from msgspec.structs import replace

from adjudicator.engine.table import Player, Secret
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.guess import UnseenCards, known_of, unless_known, without_standing
from adjudicator.rulebooks.rome_carthage.board import is_king
from adjudicator.rulebooks.rome_carthage.standing import Standing
from adjudicator.rulebooks.rome_carthage.start import first_hand, first_talon
from adjudicator.rulebooks.rome_carthage.state import Choice, Fight, State, limit


def guess(view: State, me: Player, chance: Chance) -> State:
    """ROM-0.7: hidden cards are any that aren't seen, and a hidden choice takes the first cards of a hand."""
    hands = [seat.hand for seat in view.players.values()]
    dealt = [
        card
        for seat in view.players.values()
        for card in (*first_hand(seat.states), *first_talon(seat.states))
    ]
    unseen = UnseenCards(dealt, [*view.spent, *known_of(*hands)], chance)
    hidden = sum(not card.known for hand in hands for card in hand) + len(
        view.talon if not view.packs else ()
    )
    places = hidden + sum(view.packs)
    for _ in range(len(unseen.left) - places):
        unseen.take(is_king)  # ROM-3.2: kings that were played have left the game
    players = {name: replace(seat, hand=unseen.filled(seat.hand)) for name, seat in view.players.items()}
    talon = (
        tuple(Secret([unseen.take() for _ in range(size)]) for size in view.packs)
        if view.packs
        else unseen.filled(view.talon)
    )
    state = replace(view, players=players, talon=talon)
    found: State = without_standing(
        replace(state, fights=tuple(guessed_fight(state, fight) for fight in view.fights)), Standing
    )
    return found


def guessed_fight(state: State, fight: Fight) -> Fight:
    """A fight whose hidden choices are as many cards as may be played."""

    def first_cards(player: Player) -> Choice:
        hand = state.players[player].hand
        return Choice(tuple(card.value for card in hand[: limit(state, player, fight)]))

    chosen = unless_known(fight.chosen, first_cards)
    return replace(fight, chosen=chosen, ties=unless_known(fight.ties, lambda player: ()))
