"""How the bot values its view: positions of pieces, the worth of pieces and cities, the gain of a fight.

Distances between cities.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from copy import copy
from functools import cache, lru_cache

from msgspec.structs import replace

from adjudicator.engine.table import Player
from adjudicator.engine.table.board import routes
from adjudicator.engine.table.remembered import Answers
from adjudicator.rulebooks.rome_carthage import board
from adjudicator.rulebooks.rome_carthage.bot import odds
from adjudicator.rulebooks.rome_carthage.bot.odds import Rivals
from adjudicator.rulebooks.rome_carthage.choosing import counts_twice
from adjudicator.rulebooks.rome_carthage.movement import reach, reached, ways
from adjudicator.rulebooks.rome_carthage.state import Fight, State, Unit

FAR = 99
"""The distance of a city that can't be reached."""
NEARER = 0.82
"""The part of a goal's worth that counts for each move of distance."""


Goals = tuple[tuple[board.City, float], ...]
"""Cities that are worth reaching, with their worth, the best first."""


@lru_cache(64)
def lure(goals: Goals, kind: str, straits: bool) -> Mapping[board.City, float]:
    """The worth of each city to a kind of piece: that of the best goal, more if the goal is nearer."""
    near = _nearness(kind, straits)

    def worth(city: board.City) -> float:
        best, parts = 0.0, near[city]
        for goal, price in goals:
            if price <= best:
                break
            if (there := price * parts[goal]) > best:
                best = there
        return best

    return Answers(worth)


@cache
def _nearness(kind: str, straits: bool) -> Mapping[board.City, Mapping[board.City, float]]:
    reach = 2 if kind == "cavalry" else 1
    steps = {goal: distances(kind, straits, goal) for goal in board.BOARD.cities}
    return {
        city: {goal: NEARER ** -(-steps[goal].get(city, FAR) // reach) for goal in board.BOARD.cities}
        for city in board.BOARD.cities
    }


@cache
def distances(kind: str, straits: bool, goal: board.City) -> Mapping[board.City, int]:
    """The number of steps from each city to the goal, for a kind of piece; cities that can't reach it are left out."""
    ways = board.LANES if kind == "ship" else board.ROADS_AND_STRAITS if straits else board.ROADS
    return {city: len(way) for city, way in routes(goal, ways).items()}


PIECE = {"elephant": 9.0, "cavalry": 10.0, "infantry": 7.0, "ship": 8.0}
"""The worth of a piece, roughly in points of cards."""
LAST = 12.0
"""The extra worth of a player's last piece: without it the hand is lost (ROM-5.2)."""
PRIZE, MATCH = 16.0, 40.0
"""The worth of an enemy capital, and of the second one, which wins the match (ROM-5.1)."""
HOME = 20.0
"""The worth of freeing the player's or the partner's capital from the enemy (ROM-3.6)."""
MANNED = 9.0
"""The worth of manning an empty capital of the player's."""
HUNT = 4.0
"""The worth of getting near an enemy piece."""
QUARRY = 20.0
"""The worth of getting near an enemy piece towards the end, when few pieces are left."""
STALE = 4
"""After so many quiet rounds capitals are stormed for their whole worth, no matter how near the player's pieces are."""
FEW = 6
"""With so few pieces on the board the match nears its end: garrisons then go to war as well."""
THRIFT = ((2, 0.95), (4, 0.65), (6, 0.45), (9, 0.3), (52, 0.2))
"""The worth of a point of cards, by the number of cards above zero in the hand."""
BOLD = 1.15
"""The worth of a victory in a fight, compared with the piece that is risked for it."""
QUIET, LONG = 0.12, 0.03
"""The increase of that with each quiet round, and with each round of a long match."""
USUAL_LENGTH = 8
"""The rounds after which a match is long."""


class Outlook:
    """A view as its player sees it.

    `hand` are the player's cards that no plan has set aside. `barred` are cities where no piece of the player's may
    end: a friend is there, or it is the way back of a fight (ROM-2.6). Worked out when first asked for: `paths`, where
    a kind of piece gets from a city by so many simple moves, each with a way there; `lives`, the worth of a piece;
    `limits`, how many cards a player plays in a fight (ROM-3.1).
    """

    def __init__(self, view: State, me: Player) -> None:
        self.me, self.rivals = me, Rivals(view)
        side = view.friends(me)
        self.owners = {state: player for player, seat in view.players.items() for state in seat.states}
        self.side = [state for state, player in self.owners.items() if player in side]
        self.home = [board.CAPITALS[state] for state in view.players[me].states]
        self.ours = [board.CAPITALS[state] for state in board.CAPITALS if state in self.side]
        self.theirs = [city for city in board.CAPITALS.values() if city not in self.ours]
        self.garrisoned = frozenset((*self.home, *self.theirs))
        """The capitals that the player's pieces keep: its own ones, and those taken from enemies."""
        self.boldness = BOLD + QUIET * view.quiet_rounds + LONG * max(0, view.round - USUAL_LENGTH)
        """The worth of a victory in a fight compared with a piece: it grows as a match drags on."""
        self.take_hand(view.hand_of(me))
        self.take_board(view)

    def __copy__(self) -> Outlook:
        other = Outlook.__new__(Outlook)
        vars(other).update(vars(self))
        return other

    def take_hand(self, hand: tuple[board.Card, ...]) -> None:
        """Takes the player's cards: `thrift`, the worth of a point of them now, falls as a match drags on."""
        self.hand = hand
        count = len([card for card in hand if board.worth(card)])
        self.thrift = next(price for most, price in THRIFT if count <= most) / self.boldness

    def take_board(self, view: State) -> None:
        """Takes the board from a view: where the pieces are, and what there is to reach."""
        self.view = view
        self.mine = view.pieces_of(self.me)
        self.friends: dict[board.City, board.Piece] = {}
        self.enemies: dict[board.City, board.Piece] = {}
        for name, unit in view.pieces.items():
            (self.friends if unit.state in self.side else self.enemies)[unit.at] = name
        self.endgame = len(view.pieces) <= FEW
        self.armies = Counter([self.owners[unit.state] for unit in view.pieces.values()])
        self.paths = Answers(self._paths)
        self.lives = Answers(self._life)
        self.limits = Answers(view.cards_of_a_fight)
        self.take_goals()

    def take_goals(self) -> None:
        """Takes what there is to reach on the board."""
        self.barred = {*self.friends, *[fight.came_from for fight in self.view.fights]}
        self._places = Answers(self._of_kind)
        self.goals = self._goals()
        self.free = tuple([goal for goal in self.goals if goal[0] not in self.friends])
        """The goals that no friend holds."""
        self.prices = dict(reversed(self.goals))
        """The worth of each city that is worth reaching, the highest where it is so for several reasons."""

    # -- worth ---------------------------------------------------------------------------------------------------

    def _goals(self) -> list[tuple[board.City, float]]:
        """The cities that are worth reaching, with their worth."""
        held = [city for city in self.theirs if city in self.friends]
        prize = PRIZE if len(self.friends) > 1 else 0.0
        found = [(city, MATCH if set(self.theirs) - {city} <= set(held) else prize) for city in self.theirs]
        found += [(city, HOME) for city in self.ours if city in self.enemies]
        empty = [city for city in self.home if city not in self.friends and city not in self.enemies]
        found += [(city, MANNED) for city in empty if not self.endgame and self.threatened(city)]
        found += [(city, QUARRY if self.endgame else HUNT) for city in self.enemies]
        return sorted(found, key=lambda goal: -goal[1])

    def threatened(self, city: board.City) -> bool:
        """Can an enemy piece reach the city within three moves?"""
        for name in self.enemies.values():
            unit = self.view.pieces[name]
            steps = distances(unit.kind, self.view.options.straits, city).get(unit.at, FAR)
            if steps <= 3 * (2 if unit.kind == "cavalry" else 1):
                return True
        return False

    def places(self, name: board.Piece) -> Mapping[board.City, float]:
        """The worth of having one of one's own pieces in each city: it may be near a goal that no friend holds, or keep
        the one that it has."""
        unit = self.mine[name]
        return self._places[unit.kind, unit.at if unit.at in self.prices else ""]

    def _of_kind(self, piece: tuple[str, board.City]) -> Mapping[board.City, float]:
        kind, held = piece
        goals = self.free
        if held:
            goals = tuple(sorted([*goals, (held, self.prices[held])], key=lambda goal: -goal[1]))
        return lure(goals, kind, self.view.options.straits)

    def _paths(self, start: tuple[Unit, int]) -> dict[board.City, tuple[board.City, ...]]:
        unit, moves = start
        return reached(unit.at, moves * reach(unit), ways(self.view, unit), self.enemies)

    def _life(self, name: board.Piece) -> float:
        unit = self.view.pieces[name]
        side = self.friends if unit.state in self.side else self.enemies
        if len(side) == 1:
            return MATCH
        return PIECE[unit.kind] + (LAST if self.armies[self.owners[unit.state]] == 1 else 0.0)

    def owner(self, name: board.Piece) -> Player:
        """The player of a piece."""
        return self.owners[self.view.pieces[name].state]

    def stake(self, city: board.City) -> float:
        """The worth of the city itself to either side in a fight for it."""
        if city in self.theirs:
            return self.prices[city]
        return HOME if city in self.ours else 0.0

    # -- fights --------------------------------------------------------------------------------------------------

    def verdict(
        self, own: board.Piece, enemy: board.Piece, city: board.City, gain: float = 0.0
    ) -> odds.Verdict:
        """The cards for a fight of two pieces, and the value of the fight; `gain`: what a victory brings on top."""
        duel = self.duel(self.view.pieces[own].kind, enemy, city)
        if self.view.quiet_rounds >= STALE:
            gain = max(gain, self.stake(city))
        win = self.boldness * (self.lives[enemy] + gain)
        lose = self.lives[own]
        plain = odds.best(duel, win, lose, self.thrift)
        spy = odds.spying(duel, win, lose, self.thrift)
        return spy if spy is not None and spy.value > plain.value + 1 else plain

    def duel(self, kind: str, enemy: board.Piece, city: board.City) -> odds.Duel:
        """What one's own cards and the enemy's can add up to in a fight of a piece of that kind."""
        foe, against = self.owner(enemy), self.view.pieces[enemy].kind
        return self.rivals.duels[
            (self.hand, self.limits[self.me], counts_twice(kind, against)),
            (foe, self.limits[foe], counts_twice(against, kind), board.BOARD.cities[city].capital),
        ]

    # -- what if -------------------------------------------------------------------------------------------------

    def on(self, view: State) -> Outlook:
        """The outlook on another view of the same turn."""
        other = copy(self)
        other.take_board(view)
        return other

    def after(self, name: board.Piece, city: board.City, cards: tuple[board.Card, ...] = ()) -> Outlook:
        """The outlook after a piece has moved and cards are set aside; a fight may then be pending (ROM-1.4)."""
        enemy, start = self.enemies.get(city), self.mine[name].at
        view = self.view.with_piece_moved(name, city)
        if enemy is not None:
            view = replace(view, fights=(*view.fights, Fight(city, name, enemy, start)))
        then = self.without(cards)
        then.view, then.mine = view, {**self.mine, name: view.pieces[name]}
        then.friends = {city: name, **self.friends}
        del then.friends[start]
        then.take_goals()
        if board.BOARD.cities[start].capital or board.BOARD.cities[city].capital:
            then.limits = Answers(view.cards_of_a_fight)
        return then

    def without(self, cards: Collection[board.Card]) -> Outlook:
        """The outlook with cards set aside; zeros are never spent (ROM-3.2)."""
        left = copy(self)
        left.take_hand(tuple(card for card in self.hand if card not in cards or not board.worth(card)))
        return left
