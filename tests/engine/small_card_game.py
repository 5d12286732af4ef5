"""A small game of secret cards, to try the engine with: fights as in ROM-3 of Rome et Carthage, and nothing else.

Two players, four cards each. In `turn` the first player marches on cities, perhaps with cards along; in `fight` both
choose cards in secret; a total of 2 may be a spy, who sees the enemy's cards before choosing anew (`spy`); a tie is
played out with one card more (`tie`); then the next fight. One by one in any pacing, but for the two of a fight.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from adjudicator.engine.table.domain import Many, OneOf
from adjudicator.engine.table.event import ENGINE_EVENTS, Event, Head, Player
from adjudicator.engine.table.points import Line
from adjudicator.engine.table.position import InForce, Options, Position
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.table.rulebook import Next, Pace, Phase, Rulebook
from adjudicator.engine.table.secret import Secret, Where
from adjudicator.engine.table.table import FieldReader, Instruction, Table, Verb

CITIES = ("roma", "carthago")
DECK = ("ace", "two", "four", "jack")
WORTH = {"ace": 1, "two": 2, "four": 4, "jack": 0}
CARD, CITY = OneOf(DECK), OneOf(CITIES)
TWO_CARDS = Many(CARD, least=1, most=2, distinct=True)


class Defence(Struct, frozen=True):
    cards: tuple[str, ...]


class Standing(InForce, frozen=True, kw_only=True):
    defence: tuple[Defence, ...] = ()


class Seat(Struct, frozen=True):
    hand: tuple[Secret[str], ...]
    standing: Secret[Standing] = field(default_factory=lambda: Secret(Standing()))


class Fight(Struct, frozen=True):
    """Cards already chosen are secret; `shown` are those on the table; `stage` is what is to be chosen next."""

    city: str
    chosen: Mapping[Player, Secret[tuple[str, ...]]] = {}
    shown: Mapping[Player, tuple[str, ...]] = {}
    stage: str = "fight"
    chooses: tuple[Player, ...] = ("rome", "carthage")


class State(Position, frozen=True, kw_only=True):
    players: Mapping[Player, Seat]
    fights: tuple[Fight, ...] = ()
    won: tuple[str, ...] = ()


class Marched(Event[State], frozen=True):
    player: Player
    city: str

    def apply(self, state: State) -> State:
        return replace(state, fights=(*state.fights, Fight(self.city)))


class Chose(Event[State], frozen=True):
    player: Player
    cards: Secret[tuple[str, ...]]

    def apply(self, state: State) -> State:
        first, *rest = state.fights
        return replace(
            state, fights=(replace(first, chosen={**first.chosen, self.player: self.cards}), *rest)
        )


class Shown(Event[State], frozen=True):
    """Both sides' cards on the table: they are spent, zeros come back."""

    reveals = True
    cards: Mapping[Player, tuple[str, ...]]
    stage: str
    chooses: tuple[Player, ...]

    def apply(self, state: State) -> State:
        players = dict(state.players)
        for player, cards in self.cards.items():
            hand = tuple(
                card
                for card in players[player].hand
                if not (card.known and card.value in cards and WORTH[card.value])
            )
            players[player] = replace(players[player], hand=hand)
        first, *rest = state.fights
        fight = Fight(first.city, {}, {**first.shown, **self.cards}, self.stage, self.chooses)
        return replace(state, players=players, fights=(fight, *rest))


class Settled(Event[State], frozen=True):
    city: str
    winner: Player

    def apply(self, state: State) -> State:
        return replace(state, fights=state.fights[1:], won=(*state.won, f"{self.city} {self.winner}"))


def march(t: Table[State]) -> None:
    """DUE-1.1: a march is a fight, settled later."""
    city = t.pick("march", CITY, rule="DUE-1.1")
    t.require(city not in [fight.city for fight in t.state.fights], "DUE-1.1", "twice")
    t.play(Marched(rule="DUE-1.1", player=t.me, city=city))


def choose(t: Table[State]) -> None:
    """DUE-2.1: cards of one's hand, as many as the stage says, in secret."""
    fight = t.state.fights[0]
    most = 1 if fight.stage == "tie" else 2
    hand = [card.value for card in t.state.players[t.me].hand]
    missing = {card: Reason("DUE-2.1", "not-in-hand") for card in DECK if card not in hand}
    cards = t.pick(
        "fight", Many(OneOf(hand, but=missing), least=most, most=most, distinct=True), rule="DUE-2.1"
    )
    t.require(t.me in fight.chooses and t.me not in fight.chosen, "DUE-2.1", "not-now")
    t.play(Chose(rule="DUE-2.1", player=t.me, cards=Secret(cards)))


def absent(t: Table[State]) -> None:
    """DUE-2.2: without a sheet the standing defence, else the zero."""
    standing = t.state.players[t.me].standing.value.defence
    t.play(Chose(rule="DUE-2.2", player=t.me, cards=Secret(standing[0].cards if standing else ("jack",))))


def settle(t: Table[State]) -> None:
    """DUE-2.3: both in, the cards are shown; a spy, a tie or the higher total."""
    fight = t.state.fights[0]
    if any(player not in fight.chosen for player in fight.chooses):
        return
    cards = {player: t.reveal(fight.chosen[player]) for player in fight.chooses}
    totals = {
        player: sum(WORTH[card] for card in shown) for player, shown in {**fight.shown, **cards}.items()
    }
    spies = tuple(p for p in fight.chooses if fight.stage == "fight" and totals[p] == 2)
    if len(spies) == 1:
        stage, chooses = "spy", spies
    elif totals["rome"] == totals["carthage"]:
        stage, chooses = "tie", ("rome", "carthage")
    else:
        stage, chooses = "over", ()
    t.play(Shown(rule="DUE-2.3", cards=cards, stage=stage, chooses=chooses))
    if stage == "over":
        winner = max(totals, key=lambda player: totals[player])
        t.play(Settled(rule="DUE-2.3", city=fight.city, winner=winner))


def read_defence(entry: FieldReader, state: State, me: Player) -> Defence:
    return Defence(entry.pick("cards", TWO_CARDS, rule="DUE-2.2"))


def start(match: str, options: Options, players: tuple[Player, ...]) -> State:
    hand = tuple(Secret(card) for card in DECK)
    return State(
        match=match, rulebook="duel", phase=Head(0, "start", 1), options=options,
        players={player: Seat(hand) for player in players},
    )  # fmt: skip


def after(state: State) -> Next | None:
    if state.phase.name == "start":
        return Next("turn", 1)
    return Next(state.fights[0].stage, 1) if state.fights else None


def choosers(state: State) -> Sequence[Player]:
    return [player for player in state.fights[0].chooses if player not in state.fights[0].chosen]


def may_see(state: State, who: Player | None, where: Where) -> bool:
    match where:
        case ("players", owner, *_):
            return bool(who == owner)
        case ("fights", _, "chosen", owner):
            return bool(who == owner)
        case (Chose(player=owner), _):
            return bool(who == owner)
    return False


FIGHT = {"fight": Verb(choose, {"fight": TWO_CARDS})}


def of_fight(name: str) -> Phase[State]:
    return Phase(
        name=name,
        chapter="DUE-2",
        pace=Pace.ONE_BY_ONE,
        seats=choosers,
        verbs=FIGHT,
        absent=absent,
        closes=settle,
    )


DUEL: Rulebook[State] = Rulebook(
    key="duel", title="Duel", prefix="DUE", version="1", package="tests.engine",
    tables={2: (("rome", "carthage"),)},
    State=State, Options=Options, start=start,
    phases=(
        Phase(name="start", chapter="DUE-0", pace=Pace.TOGETHER, seats=lambda state: ()),
        Phase(name="turn", chapter="DUE-1", pace=Pace.ONE_BY_ONE, seats=lambda state: ("rome",),
              verbs={"march": Verb(march, {"march": CITY})}),
        of_fight("fight"), of_fight("spy"), of_fight("tie"),
    ),
    after=after, events=(*ENGINE_EVENTS, Marched, Chose, Shown, Settled), may_see=may_see,
    guess=lambda view, me, chance: view,
    standing={"defence": Instruction(read_defence, {"cards": TWO_CARDS}, "DUE-2.2")},
    points=lambda state: {player: (Line("DUE-2.3", "fights", 0, 0),) for player in state.players},
)  # fmt: skip
