"""Rome et Carthage (Vernes, 1954), reissued as Méditerranée, jeu de haute stratégie: its contents page."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from adjudicator.engine.table import Next, Pace, Phase, Player, Rulebook, Shuffled, Verb, Where, events_of
from adjudicator.engine.table.rulebook import bot_in, no_changes, nobody
from adjudicator.engine.table.table import Rule
from adjudicator.rulebooks.rome_carthage import box, ending, events, fights, movement, setup, turn
from adjudicator.rulebooks.rome_carthage.board import STATES
from adjudicator.rulebooks.rome_carthage.box import CONDITION, boxes, guess
from adjudicator.rulebooks.rome_carthage.setup import start
from adjudicator.rulebooks.rome_carthage.standing import STANDING
from adjudicator.rulebooks.rome_carthage.state import RULES, Options, State


def after(state: State) -> Next | None:
    """ROM-0.6, ROM-1.4: all place their pieces; then turn follows turn, with the fights that wait for somebody."""
    if state.result:
        return None
    if state.phase.name in ("start", "placement") and setup.next_to_place(state):
        return Next("placement", 1)
    if state.fights:
        return Next(state.fights[0].stage, state.phase.turn)
    if state.rest:
        return Next("moves", state.phase.turn)
    return Next("turn", state.round or state.phase.turn)


def may_see(state: State, who: Player | None, where: Where) -> bool:
    """ROM-0.7: only its owner sees a hand and a drawn card (with `partners:
    open` the partner too); nobody sees the talon."""
    match where:
        case ("talon", _):
            return False
        case ("players", owner, "hand", _) | (events.Drawn(player=owner), "card"):
            open_ = state.options.partners == "open"
            return bool(who == owner or (open_ and who is not None and who in state.friends(owner)))
        case (
            ("fights", _, "chosen" | "ties", owner)
            | (events.Chose(player=owner), "choice")
            | (events.Shown(), "ties", owner)
        ):
            return bool(who == owner)
        case ("held", _) | ("march", _):
            return who == state.on_turn()
        case (events.OrdersHeld(player=owner), "held", _) | (events.MarchOffered(player=owner), "cards"):
            return bool(who == owner)
        case (events.TalonLaid() | Shuffled(), *_):
            return False
    return False


def eliminated(state: State, name: str) -> bool:
    """ROM-0.6, ROM-3.1: has the piece left the game? All are on the board when the first round is over."""
    return state.phase.name not in ("start", "placement") and name in PIECES and name not in state.pieces


def out(state: State) -> list[str]:
    """ROM-5.2: the players without pieces. All are on the board when the first round is over."""
    early = state.phase.name in ("start", "placement")
    return [] if early else [player for player in state.seats if not state.pieces_of(player)]


def of_a_fight(name: str, verbs: Mapping[str, Verb[State]], absent: Rule[State]) -> Phase[State]:
    """ROM-3: a phase for those who still have to choose cards, with the rule for those who send no sheet."""
    return Phase(
        name=name,
        chapter="ROM-3",
        pace=Pace.ONE_BY_ONE,
        seats=fights.players_to_choose,
        verbs=verbs,
        course=fights.each_chooses,
        beforehand=no_changes,
        absent=absent,
        closes=turn.close,
    )


PIECES = frozenset(setup.all_pieces(STATES))
LASTING = (
    *("not-yours", "on-your-side", "other-state", "no-port", "not-your-capital"),
    *("on-island", "too-far", "zero-pays-nothing", "march-too-cheap"),
)
"""Reasons for a refusal that nobody can change: whose a piece and a city are, what a card is worth, how far a piece
goes; and that a land piece never leaves an island (ROM-2.4)."""

PHASES: tuple[Phase[State], ...] = (
    Phase(name="start", chapter="ROM-0", pace=Pace.TOGETHER, seats=nobody, closes=setup.open_the_box),
    Phase(
        name="placement",
        chapter="ROM-0",
        pace=Pace.ONE_BY_ONE,
        seats=setup.next_to_place,
        verbs=setup.VERBS,
        once=True,
        done=setup.place_by_lot,
        closes=setup.close,
    ),
    Phase(
        name="turn",
        chapter="ROM-1",
        pace=Pace.ONE_BY_ONE,
        seats=lambda state: (state.on_turn(),),  # ROM-0.5
        verbs=turn.VERBS,
        can=turn.can,
        course=turn.carry_out_sheets,
        own_turn=True,
        opens=turn.begin,
        closes=turn.close,
        limits=movement.limits,
    ),
    of_a_fight("fight", fights.VERBS, fights.zeros_by_default),
    of_a_fight("spy", fights.SPY_VERBS, fights.highest_by_default),
    of_a_fight("tie", fights.TIE_VERBS, fights.zeros_by_default),
    Phase(
        name="moves",
        chapter="ROM-1",
        pace=Pace.ONE_BY_ONE,
        seats=turn.rest_to_send,
        verbs=turn.REST,
        can=turn.can,
        course=turn.go_on,
        closes=turn.close,
        limits=movement.limits,
    ),
)

TABLES: Mapping[int, tuple[tuple[Player, ...], ...]] = {
    2: tuple(combinations(STATES, 2)),
    3: tuple(combinations(STATES, 3)),
    4: (STATES,),
}

RULEBOOK: Rulebook[State] = Rulebook(
    key="rome-carthage",
    prefix="ROM",
    title="Rome et Carthage",
    version=str(RULES),
    package=__package__ or "",
    phases=PHASES,
    tables=TABLES,
    standing=STANDING,
    condition=CONDITION,
    State=State,
    events=events_of(events),
    start=start,
    after=after,
    pieces=State.pieces_of,
    never=eliminated,
    out=out,
    Options=Options,
    may_see=may_see,
    guess=guess,
    boxes=boxes,
    points=ending.points,
    lasting=LASTING,
    winners=ending.winners,
    sides=lambda state: state.alliances,
    checks=box.CHECKS,
    invariants=box.INVARIANTS,
    bot=bot_in(__package__, "general"),
    reckless=("betray", "sedition", "march", "move"),
    colours={"rome": 5, "constantinople": 1, "alexandria": 2, "carthage": 0},
)
