"""Programs that play: random players, matches of bots in memory, and tables of their results.

`bot` plays legal orders at random, `planning` writes a sheet for several phases, `simulation` plays whole matches in
memory, and `statistics` adds up their results.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.play import attempts as chances
from adjudicator.engine.play.checking import Check
from adjudicator.engine.play.inbox import Inbox, Outcome
from adjudicator.engine.play.listing import Probe, QuestionAsked
from adjudicator.engine.play.referee import OwnView, advance
from adjudicator.engine.play.stops import asked_at
from adjudicator.engine.play.view import position_for
from adjudicator.engine.sheets.schema import phases_ahead
from adjudicator.engine.sheets.sheet import Order, Reader, Sheet, orders_at
from adjudicator.engine.table.dice import SeededDice, seed_from
from adjudicator.engine.table.domain import Chance, Domain
from adjudicator.engine.table.event import OrderRefused, Player
from adjudicator.engine.table.position import Options
from adjudicator.engine.table.reason import Reason, Refused
from adjudicator.engine.table.rulebook import Bot, Phase, Rulebook
from adjudicator.engine.table.secret import Unknown
from adjudicator.engine.table.table import Verb, Verbs
from adjudicator.engine.text.source import Path, Source


class RandomPicks(Reader):
    """A table at which an order is made up: every pick is random among the values that the domain admits."""

    chance: Chance
    fields: dict[str, Any]
    making_up = True
    """Is the order's text still being made up? What comes after that reads it."""

    @property
    def named(self) -> Collection[str] | None:
        """The fields of the text, once it is made up."""
        return None if self.making_up else self.fields

    def pick(self, field: str, among: Domain[Any], *, rule: str, default: Any = ...) -> Any:
        """A random value, or the default."""
        if self.making_up and (default is ... or not self.chance(2)):
            self.fields[field] = among.sample(self.chance)
        return super().pick(field, among, rule=rule, default=default)


class AtRandom(RandomPicks, Probe):
    """Makes up an order without carrying it out."""

    def __init__(self, state: Any, me: Player, chance: Chance) -> None:
        super().__init__(state, me, {})
        self.chance = chance


class OwnOrders(RandomPicks, OwnView):
    """A player's own view, on which orders are made up and carried out; nobody is told what was refused, or why."""

    def __init__(self, rulebook: Rulebook[Any], view: Any, me: Player, chance: Chance) -> None:
        super().__init__(rulebook, view, Sheet(me, Source(f"sheets/{me}.yaml", None)))
        self.chance = chance

    def make_up(self, name: str, verb: Verb[Any]) -> dict[str, Any] | None:
        """A legal order of the verb, carried out as far as the player can know; None if this try found none."""
        fields: dict[str, Any] = {}
        order = Order(name, fields, self.sheet.source, ())
        self.turn_to(self.sheet.player, order)
        self.making_up = True
        try:
            done = self._run_rule(verb.rule, order) is not None
        except Unknown:
            done = True
        return written_order(name, fields) if done else None

    def step(self, field: str, index: int, verbs: Verbs, but: Collection[Path] = ()) -> Path | None:
        """Carries out one of the orders that the field holds, as it was made up."""
        self.making_up = False
        return super().step(field, index, verbs, but)

    def part(self, rule: Callable[[Any], bool | None]) -> bool:
        """Carries out a part of the order, as it was made up."""
        self.making_up = False
        return super().part(rule)

    def _refuse(self, order: Order, refused: Refused, *, part: bool = False) -> None:
        """Says nothing."""

    def remark(self, player: Player, reason: Reason, place: str) -> None:
        """Says nothing."""


def written_order(name: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """An order as a player would write it, verb first."""
    return {name: fields.get(name), **fields}


def random_order(name: str, verb: Verb[Any], view: Any, me: Player, chance: Chance) -> dict[str, Any] | None:
    """A legal order of the verb, as a player would write it; None if this try found none."""
    table = AtRandom(view, me, chance)
    try:
        verb.rule(table)
    except Refused:
        return None
    except (Unknown, QuestionAsked):
        pass
    return written_order(name, table.fields)


def random_orders(
    rulebook: Rulebook[Any], phase: Phase[Any], view: Any, me: Player, chance: Chance
) -> list[Any]:
    """A few orders at random, each legal after those before it as far as the player can know."""
    table, verbs = OwnOrders(rulebook, view, me, chance), list(phase.verbs.items())
    tried = [table.make_up(*verbs[chance(len(verbs))]) for _ in range(1 + chance(6))]
    return [order for order in tried if order is not None]


MOST_PHASES = 5000


class Step(Struct, frozen=True):
    """One phase of a match: the position before, the sheets, and the outcome."""

    before: Any
    sheets: Mapping[Player, Sheet]
    outcome: Outcome


class Endless(Exception):
    """A match that doesn't end: a bug in the rulebook."""


def random_bot(rulebook: Rulebook[Any]) -> Bot:
    """The bot that plays legal orders at random."""
    return partial(_random_sheet, rulebook)


def _random_sheet(rulebook: Rulebook[Any], view: Any, me: Player, chance: Chance) -> dict[str, Any]:
    return {"orders": random_orders(rulebook, rulebook.phase(view.phase.name), view, me, chance)}


def sheet_of(player: Player, plain: Mapping[str, Any]) -> Sheet:
    """A sheet made of plain data, as if it had been read."""
    source = Source(f"sheets/{player}.yaml", dict(plain))
    orders = orders_at(source, ("orders",), plain.get("orders"), {})
    return Sheet(player, source, orders, plain.get("standing", {}))


def play_match(
    rulebook: Rulebook[Any],
    players: tuple[Player, ...],
    bots: Mapping[Player, Bot],
    seed: str,
    options: Options | None = None,
    *,
    strict: bool = False,
    rules: int = 0,
) -> Iterator[Step]:
    """A whole match, phase after phase; the same seed gives the same match. `strict` checks every event; `rules` is the
    version of the rules by which it is played (0: the newest).
    """
    state = rulebook.start(seed, options or rulebook.Options(), players)
    state = replace(state, rules=rules or state.rules)
    chance, secret = chances.SeededChance(seed), seed_from(seed)
    for _ in range(MOST_PHASES):
        if state.phase.over:
            return
        sheets = {
            player: sheet_of(player, bots[player](position_for(rulebook, state, player), player, chance))
            for player in state.phase.due
        }
        dice = SeededDice(secret, seed, state.phase.number)
        outcome = advance(rulebook, state, Inbox(sheets), dice, strict=strict)
        yield Step(state, sheets, outcome)
        state = outcome.state
    raise Endless(seed)


def plan_sheet(
    rulebook: Rulebook[Any], bot: Bot, view: Any, me: Player, chance: Chance, *, turn: bool = False
) -> dict[str, Any]:
    """The bot's sheet for the open phase, with orders for the phases up to the next stop under `later`.

    `turn`: orders for the whole turn, for a player who won't look at the match before the turn is over.
    """
    sheet = dict(bot(view, me, chance))
    phase = rulebook.phase(view.phase.name)
    asked = asked_at(rulebook, view.options, phase.name)[1:]
    ahead = [each for each in phases_ahead(rulebook, phase) if not each.own_turn] if turn else asked
    later: dict[str, Any] = dict(sheet.get("later", {}))
    table = Check(rulebook, view, sheet_of(me, sheet))
    table.take_in()
    for each in ahead:
        if not table.go_on_to(each.name):
            break
        found = bot(table.state, me, chance)
        later[each.name] = {"orders": found["orders"]}
        standing = {**sheet.get("standing", {}), **found.get("standing", {})}
        sheet |= {"standing": standing} if standing else {}
        table.try_ahead(sheet_of(me, found).orders or ())
    return {**sheet, "later": later} if later else sheet


class Row(Struct, frozen=True):
    """A player's results: shares of victories (a shared victory counts a half for each of two), points, ports at the
    end.
    """

    wins: float = 0.0
    points: int = 0
    least: int = 0
    most: int = 0
    ports: int = 0


Way = tuple[str, tuple[Player, ...]]
"""How a match ended: by which rule, and who won by it; nobody, where all lose."""


class End(Struct, frozen=True):
    """The matches that ended in one way: how many, the sum of their last turns, the earliest and the latest."""

    matches: int
    turns: int
    earliest: int
    latest: int

    def plus(self, other: End) -> End:
        """Both together: the numbers added, the earliest and the latest turn of either."""
        return End(
            self.matches + other.matches,
            self.turns + other.turns,
            min(self.earliest, other.earliest),
            max(self.latest, other.latest),
        )


class Totals(Struct, frozen=True):
    """Results added up; `ports` counts all ports on the boards, for games that have them."""

    matches: int = 0
    phases: int = 0
    orders: int = 0
    ports: int = 0
    players: Mapping[Player, Row] = {}
    refused: Mapping[str, int] = {}
    ends: Mapping[Way, End] = {}

    def plus(self, other: Totals) -> Totals:
        """Both together."""
        if not self.matches:
            return other
        return Totals(
            matches=self.matches + other.matches,
            phases=self.phases + other.phases,
            orders=self.orders + other.orders,
            ports=self.ports + other.ports,
            players={player: _sum(row, other.players[player]) for player, row in self.players.items()},
            refused={
                rule: self.refused.get(rule, 0) + other.refused.get(rule, 0)
                for rule in sorted({*self.refused, *other.refused})
            },
            ends={
                **self.ends,
                **{
                    way: end.plus(self.ends[way]) if way in self.ends else end
                    for way, end in other.ends.items()
                },
            },
        )


def _sum(one: Row, other: Row) -> Row:
    return Row(
        wins=one.wins + other.wins,
        points=one.points + other.points,
        least=min(one.least, other.least),
        most=max(one.most, other.most),
        ports=one.ports + other.ports,
    )


class Batch(Struct, frozen=True):
    """Matches of one kind, of the `game` of that name; the rulebook's `own` bot plays these seats, random players the
    others.
    """

    game: str
    players: tuple[Player, ...]
    seed: str
    options: Any
    own: tuple[Player, ...]

    def play(self, rulebook: Rulebook[Any], numbers: Iterable[int]) -> Totals:
        """Plays the matches with these numbers; each depends only on the seed and its number."""
        total = Totals()
        for number in numbers:
            total = total.plus(self._play_one(rulebook, f"{self.seed} {number}"))
        return total

    def _play_one(self, rulebook: Rulebook[Any], seed: str) -> Totals:
        bots = dict.fromkeys(self.players, random_bot(rulebook))
        if rulebook.bot is not None:
            bots |= dict.fromkeys(self.own, rulebook.bot)
        state: Any = None
        phases = orders = turn = 0
        rule = ""
        refused: dict[str, int] = {}
        for step in play_match(rulebook, self.players, bots, seed, self.options):
            state = step.outcome.state
            phases, turn = phases + 1, step.before.phase.turn
            orders += sum(len(sheet.orders or ()) for sheet in step.sheets.values())
            for event in step.outcome.events:
                if isinstance(event, OrderRefused):
                    refused[event.rule] = refused.get(event.rule, 0) + 1
                rule = event.rule if event.ends else rule
        points = {
            player: sum(line.points or 0 for line in lines)
            for player, lines in rulebook.points(state).items()
        }
        owners = owners_of(state)
        best = rulebook.won(state)
        rows = {
            player: Row(
                wins=1 / len(best) if player in best else 0.0,
                points=points[player],
                least=points[player],
                most=points[player],
                ports=owners.count(player),
            )
            for player in self.players
        }
        ends = {(rule, tuple(best)): End(1, turn, turn, turn)}
        return Totals(1, phases, orders, len(owners), rows, refused, ends)


def owners_of(state: Any) -> list[Player | None]:
    """Who holds each port, in games that have ports."""
    ports: Mapping[str, Any] = getattr(state, "ports", {})
    return [port.owner for port in ports.values() if hasattr(port, "owner")]
