"""The Carters: a game made up for the tests of the program, written as somebody else would write a rulebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adjudicator.engine.table.event import Event, Head, Player
from adjudicator.engine.table.points import Line, count
from adjudicator.engine.table.rulebook import Next, Pace, Phase, Rulebook, nobody
from adjudicator.engine.table.secret import Secret, Where
from adjudicator.engine.table.table import Table

from . import box, market, road
from .board import BOARD, DECK
from .events import EVENTS, Dealt, Laid
from .guess import boxes, guess
from .state import RULES, Cart, Options, Seat, State


def start(match: str, options: Options, players: tuple[Player, ...]) -> State:
    """CAR-0.1: a cart each, in the own home town."""
    return State(
        match=match,
        rulebook="carters",
        rules=RULES,
        phase=Head(0, "start", 1),
        options=options,
        players={player: Seat() for player in players},
        carts={f"{player}-cart": Cart(player, BOARD.homes[player]) for player in players},
    )


def deal(t: Table[State]) -> None:
    """CAR-0.2: three cards each, by lot."""
    cards = t.shuffle(DECK, "cards", rule="CAR-0.2")
    for number, player in enumerate(t.state.players):
        hand = cards[number * BOARD.dealt : (number + 1) * BOARD.dealt]
        t.play(Dealt(rule="CAR-0.2", player=player, cards=tuple(Secret(card) for card in hand)))


def seats(state: State) -> Sequence[Player]:
    """The order of play: that of the match."""
    return tuple(state.players)


def after(state: State) -> Next | None:
    """CAR-0.3: market and road, turn after turn."""
    head = state.phase
    if head.name == "market":
        return Next("road", head.turn)
    turn = head.turn + (head.name == "road")
    return Next("market", turn) if turn <= state.options.turns else None


def finish(t: Table[State]) -> None:
    """CAR-3.1: after the last turn coins are counted."""
    if t.state.phase.turn >= t.state.options.turns:
        count(t, points(t.state), rule="CAR-3.1", won="CAR-3.1")


def points(state: State) -> Mapping[Player, tuple[Line, ...]]:
    """CAR-3.1: a point a coin."""
    return {
        player: (Line("CAR-3.1", "coins", seat.coins, seat.coins),) for player, seat in state.players.items()
    }


def may_see(state: State, who: Player | None, where: Where) -> bool:
    """CAR-0.2, CAR-1.1: cards in hands and cards laid are their players'; nobody sees the shuffled cards."""
    match where:
        case ("players", owner, "hand", _) | ("laid", owner):
            return bool(who == owner)
        case (Dealt(player=owner), "cards", _) | (Laid(player=owner), "card"):
            return bool(who == owner)
    return False


PHASES: tuple[Phase[State], ...] = (
    Phase(name="start", chapter="CAR-0", pace=Pace.TOGETHER, seats=nobody, closes=deal),
    Phase(
        name="market",
        chapter="CAR-1",
        pace=Pace.TOGETHER,
        seats=seats,
        verbs=market.VERBS,
        can=market.can,
        done=market.done,
        closes=market.close,
    ),
    Phase(
        name="road",
        chapter="CAR-2",
        pace=Pace.IN_ORDER,
        seats=seats,
        verbs=road.VERBS,
        opens=road.begin,
        closes=finish,
    ),
)
STANDING = road.STANDING
QUESTIONS = (road.Enter,)
ALL: tuple[type[Event[State]], ...] = EVENTS

RULEBOOK: Rulebook[State] = Rulebook(
    key="carters",
    title="The Carters",
    prefix="CAR",
    version=str(RULES),
    oldest=1,
    package=__package__ or "",
    tables={2: (("red", "green"),), 3: (("red", "green", "blue"),)},
    State=State,
    Options=Options,
    start=start,
    phases=PHASES,
    after=after,
    events=ALL,
    may_see=may_see,
    guess=guess,
    boxes=boxes,
    standing=STANDING,
    questions=QUESTIONS,
    checks=box.CHECKS,
    invariants=box.INVARIANTS,
    points=points,
)
