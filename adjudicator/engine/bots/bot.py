"""A player who plays legal orders at random: the fuzzer."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.play.own_view import OwnView
from adjudicator.engine.play.probe import Probe, QuestionAsked
from adjudicator.engine.sheets.sheet import Order, Sheet
from adjudicator.engine.table.domain import Chance, Domain
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.reason import Reason, Refused
from adjudicator.engine.table.rulebook import Phase, Rulebook
from adjudicator.engine.table.secret import Unknown
from adjudicator.engine.table.table import Verb
from adjudicator.engine.text.source import Source


class AtRandom(Probe):
    """A table at which every pick is random among the values that the domain admits."""

    def __init__(self, state: Any, me: Player, chance: Chance) -> None:
        super().__init__(state, me, {})
        self.chance = chance
        self.chosen: dict[str, Any] = {}

    def pick(self, field: str, among: Domain[Any], *, rule: str, default: Any = ...) -> Any:
        """A random value, or the default."""
        if default is not ... and self.chance(2):
            if default is None:
                return None
            choice = default
        else:
            choice = self.chosen[field] = among.sample(self.chance)
        return among.read(choice)


class OwnOrders(OwnView):
    """A player's own view with the orders found so far carried out; nobody is told what was refused, or why."""

    def _refuse(self, order: Order, refused: Refused, *, part: bool = False) -> None:
        """Says nothing."""

    def remark(self, player: Player, reason: Reason, place: str) -> None:
        """Says nothing."""


def random_order(name: str, verb: Verb[Any], view: Any, me: Player, chance: Chance) -> dict[str, Any] | None:
    """A legal order of the verb, as a player would write it; None if this try found none."""
    table = AtRandom(view, me, chance)
    try:
        verb.rule(table)
    except Refused:
        return None
    except (Unknown, QuestionAsked):
        pass
    chosen = table.chosen
    return {name: chosen.get(name), **{field: value for field, value in chosen.items() if field != name}}


def random_orders(
    rulebook: Rulebook[Any], phase: Phase[Any], view: Any, me: Player, chance: Chance
) -> list[Any]:
    """A few orders at random, each legal after those before it as far as the player can know."""
    source = Source(f"sheets/{me}.yaml", None)
    table = OwnOrders(rulebook, view, Sheet(me, source))
    names = list(phase.verbs)
    found: list[Any] = []
    for _ in range(1 + chance(6)):
        name = names[chance(len(names))]
        fields = random_order(name, phase.verbs[name], table.state, me, chance)
        if fields is not None and table.carry_out(me, Order(name, fields, source, ())):
            found.append(fields)
    return found
