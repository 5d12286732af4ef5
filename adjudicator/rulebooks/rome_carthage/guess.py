"""Fills in by chance what a player can't know: hands, talon, and the cards chosen for fights."""

from __future__ import annotations

from msgspec.structs import replace

from adjudicator.engine.table import Player, Secret
from adjudicator.engine.table.boxes import Box
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.guess import UnseenCards, with_values_where_hidden, without_standing
from adjudicator.rulebooks.rome_carthage.board import is_king, worth
from adjudicator.rulebooks.rome_carthage.standing import Standing
from adjudicator.rulebooks.rome_carthage.start import first_hand, first_talon
from adjudicator.rulebooks.rome_carthage.state import Choice, Fight, State, limit


def boxes(state: State) -> tuple[Box, ...]:
    """ROM-0.3, ROM-5.2: all cards; those spent are open, and the zeros of a player who is out have left the game.

    Of the packs of a split talon (ROM-6.3) nobody remembers what lies in which.
    """
    seats = state.players.values()
    dealt = [card for seat in seats for card in (*first_hand(seat.states), *first_talon(seat.states))]
    out = [card for seat in seats if not seat.hand for card in first_hand(seat.states) if not worth(card)]
    split = state.options.split_talon and state.phase.name != "start"
    piles = () if split else (("talon",),)
    kings = [card for card in dealt if is_king(card)]  # ROM-3.2
    return (Box(dealt, [*state.spent, *out], piles, hands=(("players", "*", "hand"),), leave=kings),)


def guess(view: State, me: Player, chance: Chance) -> State:
    """ROM-0.7: hidden cards are any that aren't seen, and a hidden choice takes the first cards of a hand."""
    (box,) = boxes(view)
    unseen = UnseenCards.of(box, view, chance)
    hands = [seat.hand for seat in view.players.values()]
    hidden = sum(not card.known for hand in hands for card in hand)
    packs = sizes_of_packs(view, sum(not is_king(card) for card in unseen.left) - hidden)
    places = hidden + (sum(packs) if packs else sum(not card.known for card in view.talon))
    for _ in range(len(unseen.left) - places):
        unseen.take(is_king)  # ROM-3.2: kings that were played have left the game
    players = {name: replace(seat, hand=unseen.fill(seat.hand)) for name, seat in view.players.items()}
    talon = (
        tuple(Secret([unseen.take() for _ in range(size)]) for size in packs)
        if packs
        else unseen.fill(view.talon)
    )
    state = replace(view, players=players, talon=talon)
    found: State = without_standing(
        replace(state, fights=tuple(guessed_fight(state, fight) for fight in view.fights)), Standing
    )
    return found


def sizes_of_packs(view: State, cards: int) -> tuple[int, ...]:
    """ROM-6.3: how many cards each pack of a split talon has; empty without packs. If the position doesn't say it, the
    packs share `cards` as evenly as possible.
    """
    laid = view.phase.name != "start" and view.talon  # before that it is the pile of all cards
    if view.packs or not view.options.split_talon or not laid:
        return view.packs
    each, more = divmod(cards, len(view.talon))
    return tuple(each + (number < more) for number in range(len(view.talon)))


def guessed_fight(state: State, fight: Fight) -> Fight:
    """A fight whose hidden choices are as many cards as may be played."""

    def first_cards(player: Player) -> Choice:
        hand = state.players[player].hand
        return Choice(tuple(card.value for card in hand[: limit(state, player, fight)]))

    chosen = with_values_where_hidden(fight.chosen, first_cards)
    return replace(fight, chosen=chosen, ties=with_values_where_hidden(fight.ties, lambda player: ()))
