"""The position: hands, pieces, talon, and the fights that are pending."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from adjudicator.engine.table import Player, Private, Reason, Secret, changed, hand_without, position, removed
from adjudicator.engine.table.position import WaitingOrder
from adjudicator.engine.table.reason import when_named
from adjudicator.engine.table.remembered import remembered_while
from adjudicator.rulebooks.rome_carthage import board
from adjudicator.rulebooks.rome_carthage.standing import Standing

RULES = 4
"""The version of these rules. `rules.md` says of a ruling that has changed since when it holds."""


class Options(position.Options, frozen=True, kw_only=True):
    """The options of a match; the rules explain each.

    `first`: the player who begins (ROM-0.5); empty: by lot. `betrayal`: who holds the two betrayals (ROM-0.4); empty:
    the first of each alliance in seat order.
    """

    alliance: Literal["north-south", "east-west", "crossed"] = "crossed"
    first: str = ""
    betrayal: tuple[str, ...] = ()
    partners: Literal["silent", "open"] = "silent"
    march: Literal["pair", "strict"] = "pair"
    tie_doubling: bool = True
    straits: bool = True
    split_talon: bool = False
    draw_after: Annotated[int, Meta(ge=1, le=999)] = 12
    max_rounds: Annotated[int, Meta(ge=2, le=999)] = 100


class Seat(Struct, frozen=True, forbid_unknown_fields=True):
    """What a player has: states, hand, and the special cards left; a player without pieces is out."""

    states: tuple[board.StateName, ...]
    hand: tuple[Secret[board.Card], ...]
    special: tuple[str, ...]
    standing: Secret[Standing] = field(default_factory=lambda: Secret(Standing()))


class Unit(Struct, frozen=True, forbid_unknown_fields=True):
    """A piece on the board."""

    state: board.StateName
    kind: board.Kind
    at: board.City


class Choice(Struct, frozen=True, omit_defaults=True):
    """The choice of a player for a fight: cards, what to do as a possible spy, and cards for ties in advance."""

    cards: tuple[board.Card, ...]
    spy: str = "keep"
    ties: tuple[board.Card, ...] = ()


class Fight(Struct, frozen=True, omit_defaults=True):
    """A fight that is pending in a city.

    `came_from`: where the attacker began its first move of the turn. `stage`: what is to be chosen next: `fight`, `spy`
    or `tie`. `shown`: the cards that count so far. `spy`: who plays again. `chosen`: secret to each. `anew`: both sides
    have declared a spy, so cards chosen before no longer count.
    """

    city: board.City
    attacker: board.Piece
    defender: board.Piece
    came_from: board.City
    stage: Literal["fight", "spy", "tie"] = "fight"
    shown: Mapping[Player, tuple[board.Card, ...]] = {}
    chosen: Mapping[Player, Secret[Choice]] = {}
    ties: Mapping[Player, Secret[tuple[board.Card, ...]]] = {}
    spy: Player = ""
    betrayal: bool = False
    anew: bool = False


class Holding(Struct, frozen=True):
    """ROM-5.1: an alliance that holds both enemy capitals, and the players who still have to finish a turn."""

    alliance: int
    waits: tuple[Player, ...]


class State(position.Position, frozen=True, kw_only=True):
    """The position of a match.

    `talon`: cards, the first is drawn next; with `split_talon` it holds a pack for each alliance, and `packs` says how
    many cards each has. `mover`: whose turn it is. `rest`: the mover's own moves are still to come, after a fight of
    ROM-4.1. `waited`: a fight of this turn has waited for a player's cards. `stirred`: there was a fight, a capture of
    a capital or a special card in this round. `result`: the players who have won; all: a draw.

    Filled only while a turn is adjudicated: `begun`, where each piece that has moved began; `steps`, its simple moves;
    `march`, the cards offered for a forced march; `marched`, whether it is paid; `betrayed`, the pieces moved by a
    betrayal; `named`, the cities of fights named in order.
    """

    options: Options
    players: Mapping[Player, Seat]
    seats: tuple[Player, ...]
    alliances: tuple[tuple[Player, ...], ...]
    pieces: Mapping[board.Piece, Unit]
    talon: tuple[Secret[Any], ...]
    packs: tuple[int, ...] = ()
    spent: tuple[board.Card, ...] = ()
    fights: tuple[Fight, ...] = field(default_factory=tuple)
    held: tuple[Private[WaitingOrder], ...] = field(default_factory=tuple)
    holding: tuple[Holding, ...] = field(default_factory=tuple)
    quiet_rounds: int = 0
    mover: Player = ""
    round: int = 0
    rest: bool = False
    waited: bool = False
    stirred: bool = False
    result: tuple[Player, ...] = ()
    begun: Mapping[board.Piece, board.City] = {}
    steps: Mapping[board.Piece, int] = {}
    march: tuple[Private[board.Card], ...] = ()
    marched: bool = False
    betrayed: tuple[board.Piece, ...] = ()
    named: tuple[board.City, ...] = ()

    def on_turn(self) -> Player:
        """The player whose turn it is; if a position written by hand doesn't say,
        it follows from who is due or who attacks."""
        if self.mover:
            return self.mover
        if self.fights and not self.fights[0].betrayal:
            return self.owner(self.fights[0].attacker)
        return self.phase.due[0] if self.phase.due else self.seats[0]

    def player_of(self, one: board.StateName) -> Player:
        """The player of a state."""
        for player in self.players:
            if one in self.players[player].states:
                return player
        raise KeyError(one)

    def owner(self, piece: board.Piece) -> Player:
        """The player of a piece, also of an eliminated one: its name begins with its state's."""
        return self.player_of(board.STATE_OF[piece])

    def pieces_of(self, player: Player) -> dict[board.Piece, Unit]:
        """The player's pieces."""
        states = self.players[player].states
        return {name: unit for name, unit in self.pieces.items() if unit.state in states}

    def alliance_of(self, player: Player) -> int:
        """The number of the player's alliance, 0 or 1."""
        return next(number for number, alliance in enumerate(self.alliances) if player in alliance)

    def friends(self, player: Player) -> tuple[Player, ...]:
        """The player, and the partner if there is one."""
        for alliance in self.alliances:
            if player in alliance:
                return alliance
        raise KeyError(player)

    def pieces_at(self, city: board.City) -> dict[board.Piece, Unit]:
        """The pieces in a city: one, or two while a fight is pending there."""
        return self.pieces_by_city().get(city, {})

    @remembered_while("pieces")
    def pieces_by_city(self) -> Mapping[board.City, dict[board.Piece, Unit]]:
        """The pieces in each city that has any."""
        found: dict[board.City, dict[board.Piece, Unit]] = {unit.at: {} for unit in self.pieces.values()}
        for name, unit in self.pieces.items():
            found[unit.at][name] = unit
        return found

    def still_in(self) -> tuple[Player, ...]:
        """The players who still have a piece, in seat order."""
        there = {unit.state for unit in self.pieces.values()}
        return tuple(player for player in self.seats if not there.isdisjoint(self.players[player].states))

    def hand_of(self, player: Player) -> tuple[board.Card, ...]:
        """The player's cards. Raises Unknown if they are hidden."""
        return tuple([card.value for card in self.players[player].hand])

    def occupier(self, capital: board.City) -> board.Piece | None:
        """ROM-3.6: the enemy piece that occupies a capital; a piece that is still fighting for it doesn't."""
        home = board.BOARD.cities[capital].state
        for name, unit in self.pieces_at(capital).items():
            if unit.state == home or name in [fight.attacker for fight in self.fights]:
                continue
            if self.player_of(unit.state) not in self.friends(self.player_of(home)):
                return name
        return None

    def capital_held(self, player: Player) -> tuple[board.City, board.Piece] | None:
        """ROM-3.6, ROM-6.1: the player's capital that is occupied, and the piece that occupies it;
        None if there is none."""
        for own in self.players[player].states:
            if piece := self.occupier(board.CAPITALS[own]):
                return board.CAPITALS[own], piece
        return None

    def cards_of_a_fight(self, player: Player) -> int:
        """ROM-3.1, ROM-3.6: a player plays two cards in a fight, or one while his or her capital is occupied."""
        return 1 if self.capital_held(player) else 2

    def limit(self, player: Player, fight: Fight) -> int:
        """ROM-3.1, ROM-3.4, ROM-3.6, ROM-3.8: how many cards the player plays now."""
        most = 1 if fight.stage == "tie" else self.cards_of_a_fight(player)
        return min(most, len(self.players[player].hand))

    def fight_in(self, city: board.City) -> Fight:
        """The fight that is pending in a city."""
        return {fight.city: fight for fight in self.fights}[city]

    def fighters(self, fight: Fight) -> tuple[Player, Player]:
        """Attacker and defender of a fight: the owners of the two pieces."""
        return self.owner(fight.attacker), self.owner(fight.defender)

    # -- changes, for events to apply --------------------------------------------------------------------------------

    def with_fight(self, city: board.City, **changes: Any) -> State:
        """The position with the fight in a city changed."""
        fights = [replace(fight, **changes) if fight.city == city else fight for fight in self.fights]
        return replace(self, fights=tuple(fights))

    def without_cards(self, player: Player, cards: Sequence[board.Card]) -> State:
        """The position with cards taken from a hand; a hidden hand loses as many hidden cards."""
        return changed(self, "players", player, hand=hand_without(self.players[player].hand, cards))

    def with_cards_spent(self, player: Player, cards: Sequence[board.Card]) -> State:
        """ROM-3.2: the position after cards were played: they are spent,
        but zeros stay in the hand and kings leave the game."""
        gone = [card for card in cards if board.WORTH[card]]
        spent = (*self.spent, *(card for card in gone if not board.is_king(card)))
        return replace(self.without_cards(player, gone), spent=spent)

    def without_piece(self, piece: board.Piece) -> State:
        """The position without a piece."""
        return removed(self, "pieces", piece)

    def with_piece_moved(self, piece: board.Piece, city: board.City) -> State:
        """The position with a piece in another city."""
        return changed(self, "pieces", piece, at=city)


@when_named
def not_yours(state: State, player: Player) -> dict[board.Piece, Reason]:
    """Why other pieces can't be ordered: they belong to others, or are eliminated."""
    placing = state.phase.name in ("start", "placement")
    owners = {one: whose for whose, seat in state.players.items() for one in seat.states}
    names = {name: owners[one] for name, one in board.STATE_OF.items()}
    yours = [name for name, whose in names.items() if whose == player and (placing or name in state.pieces)]
    others = {name: whose for name, whose in names.items() if whose != player}
    whys = {name: Reason("", "not-yours", {"owner": whose, "yours": yours}) for name, whose in others.items()}
    gone = [name for name in names if not placing and name not in state.pieces]
    return whys | dict.fromkeys(gone, Reason("", "eliminated", {"yours": yours}))
