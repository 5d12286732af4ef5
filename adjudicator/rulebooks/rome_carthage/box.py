"""What must be true of every position: at most 28 pieces, 52 cards, each in one place; what an `if:` may ask of it, and
a guess of what is hidden."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from msgspec.structs import replace

from adjudicator.engine.table import Flaw, Flaws, Player, Secret, first_of, flaw, names_everybody
from adjudicator.engine.table.boxes import Box, UnseenCards, with_values_where_hidden, without_standing
from adjudicator.engine.table.condition import (
    About,
    condition,
    counted,
    enemies,
    holding,
    lies_in,
    of_me,
    owned_by,
    there,
)
from adjudicator.engine.table.domain import Chance, Name
from adjudicator.engine.table.event import one_of
from adjudicator.rulebooks.rome_carthage import board
from adjudicator.rulebooks.rome_carthage.setup import first_hand, first_talon
from adjudicator.rulebooks.rome_carthage.standing import CARD, CITY, Standing
from adjudicator.rulebooks.rome_carthage.state import Choice, Fight, State, Unit

KNOWN = frozenset(board.CARDS)


def every_card_in_one_place(state: State) -> Flaw | None:
    """ROM-0.3, ROM-3.2: every card above zero except kings is in a hand, the talon or spent;
    no card is in two places."""
    cards: list[str] = list(state.spent)
    hidden = False
    for secret in (*(card for seat in state.players.values() for card in seat.hand), *state.talon):
        if not secret.known:
            hidden = True
        elif isinstance(secret.value, str):
            cards.append(secret.value)
        else:
            cards += secret.value
    once = set(cards)
    if len(once) < len(cards) or not once <= KNOWN:
        for card, number in Counter(cards).items():
            if card not in KNOWN:
                return flaw(("players",), "ROM-0.3", "no-such-card", value=card)
            if number > 1:
                return flaw(("players",), "ROM-0.3", "card-twice", card=card)
    if not hidden:
        for card in board.PIP_CARDS:
            if card not in once:
                return flaw(("talon",), "ROM-0.3", "card-missing", card=card)
    return None


def talon_is_split_or_not(state: State) -> Flaw | None:
    """ROM-6.3: once the talon is laid, it is a pack for each alliance with `split_talon`, else single cards."""
    if state.phase.name == "start" or not state.talon:
        return None
    packs = [card.value for card in state.talon if card.known and not isinstance(card.value, str)]
    if not state.options.split_talon:
        return flaw(("talon",), "ROM-6.3", "talon-split") if packs or state.packs else None
    whole = len(state.talon) == len(state.alliances) and len(packs) == sum(card.known for card in state.talon)
    if not whole:
        return flaw(("talon",), "ROM-6.3", "talon-not-split", most=len(state.alliances))
    packed = zip(state.packs, state.talon, strict=False)
    odd = [size for size, pack in packed if pack.known and len(pack.value) != size]
    if odd or len(state.packs) not in (0, len(state.talon)):
        return flaw(("packs",), "ROM-6.3", "pack-sizes", value=list(state.packs))
    return None


@first_of
def spent_cards_count(state: State) -> Flaws:
    """ROM-3.2: no zero and no king is among the spent cards."""
    for card in state.spent:
        kept = card in board.CARDS and not 0 < board.worth(card) < 15
        yield kept and flaw(("spent",), "ROM-3.2", "never-spent", card=card)


@first_of
def pieces_are_whole(state: State) -> Flaws:
    """ROM-0.2, ROM-2.3: the pieces are those of the box and on the board,
    one in a city except where a fight is pending; ships are in ports."""
    fights = {fight.city: (fight.attacker, fight.defender) for fight in state.fights}
    there: dict[str, list[str]] = {}
    for name, unit in state.pieces.items():
        where, (owner, _, piece) = ("pieces", name), name.partition("-")
        known = owner == unit.state and owner in board.BOARD.states
        strange = not known or board.KINDS.get(piece) != unit.kind
        yield strange and flaw(where, "ROM-0.2", "no-such-piece", value=name)
        yield one_of(unit.at, board.BOARD.cities, (*where, "at"), "ROM-2.1", "no-such-city")
        ashore = unit.kind == "ship" and not board.BOARD.cities[unit.at].port
        yield ashore and flaw((*where, "at"), "ROM-0.6", "no-port", value=unit.at)
        there.setdefault(unit.at, []).append(name)
    for city, names in there.items():
        if len(names) > 1 and sorted(names) != sorted(fights.get(city, ())):
            yield flaw(("pieces", names[1], "at"), "ROM-2.3", "two-in-a-city", city=city, pieces=names)
    for number, fight in enumerate(state.fights):
        alone = not {fight.attacker, fight.defender} <= set(there.get(fight.city, ()))
        yield alone and flaw(("fights", number), "ROM-1.4", "fight-without-pieces", city=fight.city)


@first_of
def players_are_whole(state: State) -> Flaws:
    """ROM-0.1: every player has a seat and an alliance, and every state has a player."""
    yield names_everybody(state, state.seats, ("seats",), "ROM-0.5", "seats")
    sides, seats = [list(alliance) for alliance in state.alliances], state.players.values()
    allied = sorted(chain.from_iterable(sides)) == sorted(state.players)
    yield not allied and flaw(("alliances",), "ROM-0.1", "alliances", value=sides)
    played = sorted(chain.from_iterable(seat.states for seat in seats)) == sorted(board.BOARD.states)
    yield not played and flaw(("players",), "ROM-0.1", "states-of-players")


INVARIANTS = (every_card_in_one_place, spent_cards_count, players_are_whole)
CHECKS = (*INVARIANTS, talon_is_split_or_not, pieces_are_whole)


def boxes(state: State) -> tuple[Box, ...]:
    """ROM-0.3, ROM-5.2: all cards; those spent are open, and the zeros of a player who is out have left the game.

    Of the packs of a split talon (ROM-6.3) nobody remembers what lies in which.
    """
    seats = state.players.values()
    dealt = [card for seat in seats for card in (*first_hand(seat.states), *first_talon(seat.states))]
    gone = [card for seat in seats if not seat.hand for card in first_hand(seat.states)]
    out = [card for card in gone if not board.worth(card)]
    split = state.options.split_talon and state.phase.name != "start"
    piles = () if split else (("talon",),)
    kings = [card for card in dealt if board.is_king(card)]  # ROM-3.2
    return (Box(dealt, [*state.spent, *out], piles, hands=(("players", "*", "hand"),), leave=kings),)


def guess(view: State, me: Player, chance: Chance) -> State:
    """ROM-0.7: hidden cards are any that aren't seen, and a hidden choice takes the first cards of a hand."""
    (box,) = boxes(view)
    unseen = UnseenCards.of(box, view, chance)
    hands = [seat.hand for seat in view.players.values()]
    hidden = sum(not card.known for hand in hands for card in hand)
    packs = sizes_of_packs(view, sum(not board.is_king(card) for card in unseen.left) - hidden)
    places = hidden + (sum(packs) if packs else sum(not card.known for card in view.talon))
    for _ in range(len(unseen.left) - places):
        unseen.take(board.is_king)  # ROM-3.2: kings that were played have left the game
    players = {name: replace(seat, hand=unseen.fill(seat.hand)) for name, seat in view.players.items()}
    piles = tuple(Secret([unseen.take() for _ in range(size)]) for size in packs)
    state = replace(view, players=players, talon=piles or unseen.fill(view.talon))
    fights = tuple(guessed_fight(state, fight) for fight in view.fights)
    return without_standing(replace(state, fights=fights), Standing)


def sizes_of_packs(view: State, cards: int) -> tuple[int, ...]:
    """ROM-6.3: how many cards each pack of a split talon has; empty without packs. If the position doesn't say it, the
    packs share `cards` as evenly as possible."""
    laid = view.phase.name != "start" and view.talon  # before that it is the pile of all cards
    if view.packs or not view.options.split_talon or not laid:
        return view.packs
    each, more = divmod(cards, len(view.talon))
    return tuple(each + (number < more) for number in range(len(view.talon)))


def guessed_fight(state: State, fight: Fight) -> Fight:
    """A fight whose hidden choices are as many cards as may be played."""

    def first_cards(player: Player) -> Choice:
        hand = state.players[player].hand
        return Choice(tuple(card.value for card in hand[: state.limit(player, fight)]))

    chosen = with_values_where_hidden(fight.chosen, first_cards)
    return replace(fight, chosen=chosen, ties=with_values_where_hidden(fight.ties, lambda player: ()))


def piece(view: State, me: Player, name: board.Piece) -> Unit | None:
    """A piece, if it is on the board."""
    return view.pieces.get(name)


def owners(view: State, me: Player, city: board.City) -> tuple[list[Player], list[Player]]:
    """The players of the pieces in a city, and which of them are enemies."""
    found = [view.owner(name) for name in view.pieces_at(city)]
    return found, [player for player in found if player not in view.friends(me)]


PIECES = About(
    Name("piece", f"({'|'.join(board.STATES)})-({'|'.join(board.KINDS)})"),
    piece,
    {**lies_in(CITY, lambda piece: piece.at), **there()},
)
CITIES = About(
    Name("city", "|".join(board.BOARD.cities)),
    owners,
    {**owned_by(board.STATES, lambda owners: owners[0]), **enemies(lambda owners: [1 for _ in owners[1]])},
)
ME = of_me(State.hand_of, {**holding(CARD, lambda hand: hand), **counted(len)})
CONDITION = condition(PIECES, CITIES, ME)
