"""A player who plays legal orders at random: the fuzzer."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from adjudicator.engine.play.own_view import OwnView
from adjudicator.engine.play.probe import Probe, QuestionAsked
from adjudicator.engine.sheets.reader import Reader
from adjudicator.engine.sheets.sheet import Order, Sheet
from adjudicator.engine.table.domain import Chance, Domain
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.reason import Reason, Refused
from adjudicator.engine.table.rulebook import Phase, Rulebook
from adjudicator.engine.table.secret import Unknown
from adjudicator.engine.table.table import Verb
from adjudicator.engine.text.source import Path, Source


class RandomPicks(Reader):
    """A table at which an order is made up: every pick is random among the values that the domain admits."""

    chance: Chance
    fields: dict[str, Any]
    making_up = True
    """Is the order's text still being made up? What comes after that reads it."""

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

    def step(
        self, field: str, index: int, verbs: Mapping[str, Verb[Any]], but: Collection[Path] = ()
    ) -> Path | None:
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
