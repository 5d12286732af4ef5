"""Promise 10, hidden things: sheets that name more of what is hidden than can be there end in problems and refusals.

A random sheet seldom names too many. Here orders name cards and the like in every number, after orders that bring what
a check can't see, and such sheets go through every driver.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from adjudicator.contract.senders import NoneFound, Searching
from adjudicator.engine.bots import Step, random_orders, sheet_of
from adjudicator.engine.match.trying_out import suppose
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.checking import Check, check_sheet
from adjudicator.engine.play.inbox import Inbox
from adjudicator.engine.play.listing import QuestionAsked, is_listed, refusal
from adjudicator.engine.play.referee import advance
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report.received_orders import orders_received
from adjudicator.engine.sheets.reading import expected_in, read_sheet
from adjudicator.engine.sheets.schema import phases_ahead
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.engine.table.dice import SeededDice, seed_from
from adjudicator.engine.table.domain import Chance, Domain, Either, Forms, Many, MapOf, Record
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.reason import Refused
from adjudicator.engine.table.rulebook import Phase, Rulebook
from adjudicator.engine.table.secret import Unknown, plain_of, view as view_where
from adjudicator.engine.text.writing import write

TRIED = 3
"""How many sheets of each player are tried in a phase."""
NAMING = 3
"""How many orders of a sheet name secrets at most, one after another."""
MORE = 4
"""How many names a list has at most, beyond those it needs."""


def faults_of_hidden_names(rulebook: Rulebook[Any], steps: Iterable[Step], seed: str) -> Iterator[str]:
    """The exceptions, in any driver, that come of sheets which name secrets in every number."""
    chance = SeededChance(seed)
    for step in steps:
        names = list(dict.fromkeys(texts_in(plain_of(step.before))))
        for player in step.before.phase.due:
            own = [dict(order.fields) for order in step.sheets[player].orders or ()]
            for _ in range(TRIED):
                yield from faults_of_sheet(rulebook, step.before, player, own, names, chance)


def faults_of_sheet(
    rulebook: Rulebook[Any], state: Any, me: Player, own: Sequence[Any], names: Sequence[str], chance: Chance
) -> Iterator[str]:
    """The exceptions that come of a sheet of some of one's `own` orders, or of random ones, and then some that name
    these names.
    """
    view, phase = position_for(rulebook, state, me), rulebook.phase(state.phase.name)
    orders = list(own) if chance(3) else random_orders(rulebook, phase, view, me, chance)
    del orders[chance(len(orders) + 1) :]
    plain: dict[str, Any] = {"player": me, "orders": orders, "later": {}}
    try:
        for _ in range(1 + chance(NAMING)):
            orders.append(naming_order(phase, expected_from(rulebook, view, me, orders), me, names, chance))
        for each in phases_ahead(rulebook, phase):
            if not chance(3):
                plain["later"][each.name] = {"orders": [naming_order(each, view, me, names, chance)]}
        run_drivers(rulebook, state, view, me, write(plain).encode())
    except Exception as error:  # no sheet may raise anything
        yield f"{state.phase} {me}: {type(error).__name__} {error} with\n{write(plain)}"


def run_drivers(rulebook: Rulebook[Any], state: Any, view: Any, me: Player, text: bytes) -> None:
    """Looks at a sheet in every way, on its player's own view and on one where the own things are hidden too, tries it
    on a guess, and plays the phase with it.
    """
    sheet = read_sheet(text, expected_in(rulebook, state, me))
    assert isinstance(sheet, Sheet), sheet
    verbs = rulebook.phase(state.phase.name).verbs
    for seen in (view, without_own_secrets(rulebook, state, view, ("players", me, "standing"))):
        check_sheet(rulebook, seen, sheet)
        orders_received(rulebook, seen, me, {state.phase.name: ("", sheet)})
        for order in (each for each in sheet.orders or () if each.verb in verbs):
            refusal(verbs[order.verb], seen, me, order.fields)
            is_listed(order.verb, verbs[order.verb], seen, me, order.fields)
    suppose(rulebook, view, me, {me: text})
    dice = SeededDice(seed_from("unseen"), "unseen", state.phase.number)
    advance(rulebook, state, Inbox({me: sheet}), dice, strict=True)


def without_own_secrets(rulebook: Rulebook[Any], state: Any, view: Any, kept: Sequence[str]) -> Any:
    """The view with all secrets hidden but those at this path, and those that everybody knows."""
    public = rulebook.sees(state, None)
    return view_where(view, lambda where: where[: len(kept)] == kept or public(where))


def expected_from(rulebook: Rulebook[Any], view: Any, me: Player, orders: Sequence[Any]) -> Any:
    """The position that these orders lead to, as far as their player can know."""
    table = Check(rulebook, view, sheet_of(me, {"orders": orders}))
    table.take_in()
    return table.state


def naming_order(
    phase: Phase[Any], seen: Any, me: Player, names: Sequence[str], chance: Chance
) -> dict[str, Any]:
    """An order of the phase, legal or not, that names these names, and those that came to its player meanwhile."""
    own = texts_in(plain_of(seen.players[me]))
    verbs, table = list(phase.verbs), Naming(seen, me, list(dict.fromkeys((*own, *names))), chance)
    for _ in verbs:
        verb = verbs[chance(len(verbs))]
        with suppress(Refused, NoneFound, Unknown, QuestionAsked):
            phase.verbs[verb].rule(table)
        if table.chosen:
            break
    return {verb: table.chosen.get(verb), **table.chosen}


class Naming(Searching):
    """A table at which each list and mapping is of names, one by one possible, of which there may be too many or too
    few.
    """

    def __init__(self, state: Any, me: Player, names: Sequence[str], chance: Chance) -> None:
        super().__init__(state, me, chance)
        self.names = names

    def some_value(self, among: Domain[Any]) -> Any:
        """A value of the domain's kind."""
        match among:
            case Forms():
                return self.some_value((among.plain, *among.others)[self.chance(1 + len(among.others))])
            case Either():
                return self.some_value(among.options[self.chance(len(among.options))])
            case Record():
                return {
                    name: self.some_value(part.domain) for name, part in among.parts.items() if self.chance(3)
                }
            case Many():
                number = (
                    among.least + self.chance(min(among.most - among.least, MORE) + 1) + self.chance(4) // 3
                )
                return self.some_names(among.each, number)
            case MapOf():
                found = self.some_names(among.names, 1 + self.chance(MORE))
                return {name: self.some_value(among.each) for name in found}
        return super().some_value(among)

    def some_names(self, among: Domain[Any], number: int) -> list[Any]:
        """So many of the names, at most, that the domain admits; where it admits none, other values of its kind."""
        left = [name for name in self.names if admits(among, name)]
        if not left:
            return [other for _ in range(number) if (other := self.some_value(among)) is not None]
        return [left.pop(self.chance(len(left))) for _ in range(min(number, len(left)))]


def admits(domain: Domain[Any], name: str) -> bool:
    """Does the domain admit the name?"""
    try:
        domain.read(name)
    except Refused:
        return False
    return True


def texts_in(plain: Any) -> Iterator[str]:
    """Every text in plain data, keys included: the names of all that lies somewhere, hidden or not."""
    if isinstance(plain, str):
        yield plain
    elif isinstance(plain, dict | list):
        for item in plain:
            yield from texts_in(item)
        for value in plain.values() if isinstance(plain, dict) else ():
            yield from texts_in(value)
