"""SER-0 Set-up: ports that are closed, the first player, start ports and the first galleys."""

from __future__ import annotations

from functools import partial

from adjudicator.engine.table import Head, PhaseRun, Player, Reason, Table, Verb, once, players, secret
from adjudicator.engine.table.domain import unhindered
from adjudicator.engine.table.reason import unfit
from adjudicator.rulebooks.serenissima import events, scoring
from adjudicator.rulebooks.serenissima.board import BOARD, START_PORTS, PortId, track
from adjudicator.rulebooks.serenissima.fields import NUMBER, PORT, numbers_free
from adjudicator.rulebooks.serenissima.state import RULES, Options, Port, Seat, State

DUCATS = 5
"""SER-0.2: the ducats with which each player starts."""
CREW = 3
"""SER-0.4: the sailors in a start port, and on each galley of the start."""
CLOSED_GOODS = ("wood", "wine", "stone", "marble")
"""SER-0.3: the goods of which one port each is closed with fewer than four players."""
ALL = 4
"""SER-0.3: with this number of players no port is closed."""


def start(match: str, options: Options, players: tuple[Player, ...]) -> State:
    """SER-0.1, SER-0.2: an empty board, 5 ducats each. Raises Refused for ports that can't be closed (SER-0.3)."""
    if options.closed:
        check_closed(list(options.closed), len(players))
    return State(
        match=match,
        rulebook="serenissima",
        rules=RULES,
        phase=Head(0, "start", 1),
        options=options,
        seats=players,
        players={player: Seat(secret.Secret(DUCATS)) for player in players},
        ports={name: Port(None, 0) for name in BOARD.ports},
        galleys={},
        pawn=track(len(players)).start,
        doge=secret.face_down(BOARD.doge),
        scorings=0,
    )


def check_closed(closed: list[PortId], players: int) -> None:
    """SER-0.3: one port of each of the four goods, and a start port left for each player. Raises Refused."""
    goods = [BOARD.ports[port].good for port in closed if port in BOARD.ports]
    if players == ALL:
        raise unfit("none-closed", (), "SER-0.3", value=closed)
    if len(goods) < len(closed) or sorted(goods) != sorted(CLOSED_GOODS):
        raise unfit("close-one-each", (), "SER-0.3", value=closed, goods=list(CLOSED_GOODS))
    if not starts_left(closed, players):
        raise unfit("starts-closed", (), "SER-0.3", value=closed, least=players)


def starts_left(closed: list[PortId], players: int) -> bool:
    """SER-0.3: do enough start ports stay open for all players?"""
    return len(set(START_PORTS) - set(closed)) >= players


def open_the_box(t: Table[State]) -> None:
    """SER-0.3, SER-0.4: the Doge's cards are shuffled, ports are closed, and the first player is drawn by lot."""
    scoring.lay_cards(t)
    close_ports(t)
    seats = tuple(t.state.players)
    first = t.shuffle(seats, "first", rule="SER-0.4")[0]
    t.play(events.SeatsTaken(rule="SER-0.4", seats=players.clockwise(seats, first)))


def close_ports(t: Table[State]) -> None:
    """SER-0.3: closes the ports that the players have chosen, or else by lot one for each of the four goods."""
    players, closed = len(t.state.players), list(t.state.options.closed)
    for port in closed:
        t.play(events.Closed(rule="SER-0.3", port=port, by_lot=False))
    for good in () if closed or players == ALL else CLOSED_GOODS:
        makers = [port for port, place in BOARD.ports.items() if place.good == good]
        lot = t.shuffle(makers, "closed", good, rule="SER-0.3")
        closed.append(next(port for port in lot if starts_left([*closed, port], players)))
        t.play(events.Closed(rule="SER-0.3", port=closed[-1], by_lot=True))


def choose_start(t: Table[State]) -> None:
    """SER-0.4: a player chooses a free start port and a galley by its number, and puts three sailors on each."""
    t.require(not t.state.ports_of(t.me), "SER-0.4", "started-already")
    port = t.pick("start", unhindered(BOARD.ports, partial(why_not_start_port, t.state)), rule="SER-0.4")
    place_galley(t, port, t.pick("galley", numbers_free(t.state), rule="SER-0.4"))


def choose_second_galley(t: Table[State]) -> None:
    """SER-0.4: a player chooses one more galley, by its number, at the same place."""
    t.require(bool(t.state.ports_of(t.me)), "SER-0.4", "not-started")
    t.require(len(t.state.galleys_of(t.me)) < galleys_at_start(t.state), "SER-0.4", "galley-already")
    place_galley(t, home_port(t.state, t.me), t.pick("galley", numbers_free(t.state), rule="SER-0.4"))


def choose_port_by_lot(t: Table[State]) -> None:
    """SER-0.4: a player who has chosen nothing gets a start port and a number by lot."""
    if not t.state.ports_of(t.me):
        place_galley(t, t.shuffle(free_starts(t.state), "port", t.me, rule="SER-0.4")[0])


def choose_galley_by_lot(t: Table[State]) -> None:
    """SER-0.4: a player who has chosen no number gets one by lot."""
    if t.state.ports_of(t.me):
        place_galley(t, home_port(t.state, t.me))


def place_galley(t: Table[State], port: PortId, number: int | None = None) -> None:
    """SER-0.4: the galley is placed in the port's zone, with a number by lot if none is given;
    the first galley also mans the port."""
    by_lot = number is None
    name = t.shuffle(t.state.free_numbers(), "galley", t.me, rule="SER-0.4")[0] if by_lot else str(number)
    if not t.state.ports_of(t.me):
        t.play(events.Manned(rule="SER-0.4", player=t.me, port=port, sailors=CREW, by_lot=by_lot))
    t.play(events.Launched(rule="SER-0.4", player=t.me, galley=name, port=port, crew=CREW, by_lot=by_lot))


def free_starts(state: State) -> list[PortId]:
    """SER-0.3, SER-0.4: the start ports that are neither taken nor closed."""
    return [port for port in BOARD.ports if why_not_start_port(state, port) is None]


def why_not_start_port(state: State, port: PortId) -> Reason | None:
    """SER-0.3, SER-0.4: why a player can't begin in a port; None if it is free."""
    if port not in START_PORTS:
        return Reason("SER-0.4", "no-start-port")
    if state.ports[port].closed:
        return Reason("SER-0.3", "closed", {"port": port})
    owner = state.ports[port].owner
    return Reason("SER-0.4", "start-taken", {"owner": owner}) if owner else None


def home_port(state: State, player: Player) -> PortId:
    """The port in which the player has begun."""
    return next(iter(state.ports_of(player)))


def galleys_to_choose(state: State) -> bool:
    """SER-0.4: does somebody still have to choose a galley of the start?"""
    return any(len(state.galleys_of(player)) < galleys_at_start(state) for player in state.seats)


def galleys_at_start(state: State) -> int:
    """SER-0.4: how many galleys each player begins with."""
    return 3 if len(state.seats) == 2 else 2


def one_galley_each(run: PhaseRun) -> None:
    """SER-0.4: each player chooses one galley: of several orders the first that is carried out counts."""
    for player in run.due:
        chosen = False
        for order in run.orders(player):
            if chosen:
                run.carry_out(player, order, unfit=lambda order: Reason("SER-0.4", "galley-already"))
            else:
                chosen = run.carry_out(player, order)
        run.finish(player, absent=not chosen)


def backwards(state: State) -> tuple[Player, ...]:
    """SER-0.4: the players from the last one back; with two players, who choose alternately, from the first."""
    return state.seats if len(state.seats) == 2 else state.seats[::-1]


PORTS = {
    "start": Verb(
        choose_start,
        {"start": PORT, "galley": NUMBER},
        ("galley",),
        uses=(once("start", "SER-0.4", "started-already", decide=True),),
        subject=("start",),
    )
}
GALLEYS = {
    "galley": Verb(
        choose_second_galley,
        {"galley": NUMBER},
        uses=(once("galley", "SER-0.4", "galley-already", decide=True),),
        subject=(),
    )
}
