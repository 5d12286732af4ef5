"""MED-0 Set-up: the start, and where the ten sailors go."""

from __future__ import annotations

from msgspec.structs import replace

from adjudicator.engine.table import Head, Player, Secret, Table, Use, Verb
from adjudicator.engine.table.domain import Limit, OneOf, Whole
from adjudicator.rulebooks.mediterranee.board import BOARD, CAPITAL
from adjudicator.rulebooks.mediterranee.events import Placed, Shifted
from adjudicator.rulebooks.mediterranee.standing import COUNT, PLACE
from adjudicator.rulebooks.mediterranee.state import RULES, Galley, Options, Port, Seat, State, not_yours

CREW_OF_THE_START = 10
ABOARD = 4
IN_THE_CAPITAL = CREW_OF_THE_START - 2 * ABOARD
"""MED-0.3: without a sheet `ABOARD` sailors go aboard each galley, and the rest into the capital."""


def start(match: str, options: Options, players: tuple[Player, ...]) -> State:
    """MED-0.2, MED-0.4: two galleys at each capital, 2,000 ducats; all ports neutral but the players' capitals."""
    owners = {CAPITAL[player]: player for player in players}
    galley = {player: Galley(player, CAPITAL[player], 0, ()) for player in players}
    turns = options.turns or {2: 12, 3: 10, 4: 8}[len(players)]
    powers = "spain-turkey" if players == ("spain", "turkey") else "venice-genoa"
    return State(
        match=match,
        rulebook="mediterranee",
        rules=RULES,
        phase=Head(0, "start", 1),
        options=replace(options, turns=turns, powers=powers),
        order=players,
        players={player: Seat(Secret(2000)) for player in players},
        ports={name: Port(owners.get(name), 0, False, ()) for name in BOARD.ports},
        galleys={f"{player}-{number}": galley[player] for player in players for number in (1, 2)},
    )


def place(t: Table[State]) -> None:
    """MED-0.3: a player puts sailors aboard a galley, 1 to 5 of them, or into the capital."""
    galleys = t.state.galleys_of(t.me)
    to = t.pick("to", OneOf((*galleys, CAPITAL[t.me]), but=not_yours(t.state, t.me)), rule="MED-0.3")
    limits = [Limit(sailors_to_place(t.state, t.me), "MED-0.3", "sailors-left")]
    if to in galleys:
        limits.insert(0, Limit(galleys[to].room(), "MED-0.6", "room", {"galley": to}))
    sailors = t.pick("place", Whole(1, limits), rule="MED-0.3")
    t.play(Placed(rule="MED-0.3", player=t.me, sailors=sailors, place=to))


def sailors_to_place(state: State, player: Player) -> int:
    """MED-0.3: the number of sailors that the player must still place."""
    aboard = sum(galley.sailors for galley in state.galleys_of(player).values())
    return CREW_OF_THE_START - aboard - state.ports[CAPITAL[player]].garrison


def settle(t: Table[State]) -> None:
    """MED-0.3: sailors that a sheet doesn't place go to the capital, but first one goes to each galley without any.

    **Ruling**: if all ten are placed, the capital gives one to each empty galley.
    """
    capital = CAPITAL[t.me]
    for name, galley in t.state.galleys_of(t.me).items():
        if galley.sailors == 0 and sailors_to_place(t.state, t.me):
            t.play(Placed(rule="MED-0.3", player=t.me, sailors=1, place=name))
        elif galley.sailors == 0:
            t.play(Shifted(rule="MED-0.3", player=t.me, sailors=1, goods={}, source=capital, target=name))
    rest = sailors_to_place(t.state, t.me)
    if rest:
        t.play(Placed(rule="MED-0.3", player=t.me, sailors=rest, place=capital))


def default(t: Table[State]) -> None:
    """MED-0.3: without a sheet four sailors go aboard each galley, and two into the capital."""
    for name in t.state.galleys_of(t.me):
        t.play(Placed(rule="MED-0.3", player=t.me, sailors=ABOARD, place=name))


VERBS = {
    "place": Verb(
        place,
        {"place": COUNT, "to": PLACE},
        ("to",),
        uses=(Use("to-place", "place", decide=True), Use("room {to}", "place")),
        subject=("to",),
    )
}
