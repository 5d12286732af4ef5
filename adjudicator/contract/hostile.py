"""Promise 10: hostile sheets and answers, also those that name more of what is hidden than can be
there, end in problems and refusals, only a few of them, and never in an exception.

Bots' sheets are mutated as data and then written as YAML by hand, so that they hold what no honest writer would write.
A random sheet seldom names too many hidden things. So orders name cards and the like in every number, after orders that
bring what a check can't see, and such sheets go through every driver.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from typing import Any

from adjudicator.contract.legality import sample_value
from adjudicator.contract.matches import some_of_each
from adjudicator.contract.senders import NoneFound, Searching
from adjudicator.engine.bots import Step, random_orders, sheet_of
from adjudicator.engine.folder.papers import events_in, lines_of, record_text
from adjudicator.engine.library.texts import MOST_TOLD
from adjudicator.engine.match.trying_out import suppose
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.checking import Check, check_sheet
from adjudicator.engine.play.inbox import Inbox, Outcome
from adjudicator.engine.play.listing import QuestionAsked, is_listed, refusal
from adjudicator.engine.play.position import PositionFile, read_position, write_position
from adjudicator.engine.play.referee import advance
from adjudicator.engine.play.view import events_for, position_for
from adjudicator.engine.report.received_orders import orders_received
from adjudicator.engine.report.story import render_report
from adjudicator.engine.sheets.limits import MOST_ENTRIES, MOST_ORDERS
from adjudicator.engine.sheets.reading import expected_in, read_answers, read_sheet
from adjudicator.engine.sheets.schema import phases_ahead
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.engine.table.dice import SeededDice, seed_from
from adjudicator.engine.table.domain import Chance, Domain, Either, Forms, Many, MapOf, Record
from adjudicator.engine.table.event import OrderRefused, Player, Remarked
from adjudicator.engine.table.reason import Refused
from adjudicator.engine.table.rulebook import Phase, Rulebook
from adjudicator.engine.table.secret import Unknown, plain_of, view as view_where
from adjudicator.engine.text.writing import write

LONGEST_REPORT = 100_000
"""The longest report in characters, whatever the sheets hold."""
TRIED = 3
"""How many sheets of each player are tried in a phase."""
NAMING = 3
"""How many orders of a sheet name secrets at most, one after another."""
MORE = 4
"""How many names a list has at most, beyond those it needs."""


class Raw(str):
    """A scalar written to the file as it is, without quotes."""

    __slots__ = ()


NASTY: tuple[Any, ...] = (
    *(Raw(word) for word in ("1e999", "1e308", "-1e308", "1e-400", ".inf", ".nan", "-0", "-0.0", "0x7fffffff", "-1")),
    *(Raw(word) for word in ("null", "~", "true", "no", "012", "1:30", "999999999999999999", "9" * 19, "1.0", "1.5")),
    *("1e999", "-1e999", "0x" + "f" * 40, "9" * 40, "null", "true", "", " ", "\x00", "\x1b[2J", "\u202e", "\ud800"),
    *("\u00e8\U0001f600", "::error::x", "##[x]", "{mean}", "%s", "a:7:5", "../../x", "x" * 3000, "\n" * 50, "|`*<"),
    *([], {}, [[]], [{}], [[[[[[1]]]]]], {"": ""}, {"a": {"b": {"c": []}}}, [Raw("null")], ["x"] * 300),
    *({"else": []}, {"if": {}}, {"else": [{"else": [{}]}]}, {f"k{number}": Raw("1") for number in range(300)}),
)  # fmt: skip
"""Values to put wherever something else belongs."""
KEYS = (
    *("else", "if", "orders", "standing", "later", "player", "match", "phase", "salt", "seen", "ready"),
    *("", "1e999", "null"),
)


def faults_in_match(
    rulebook: Rulebook[Any], steps: Iterable[Step], seed: str, *, times: int
) -> Iterator[str]:
    """What goes wrong in a random match when hostile sheets come in each kind of phase, so many times."""
    chance = SeededChance(seed)
    for step in some_of_each(steps, range(times)):
        yield from faults_in_position(rulebook, step.before, chance)


def faults_in_position(rulebook: Rulebook[Any], state: Any, chance: Chance) -> Iterator[str]:
    """What goes wrong in a position with hostile sheets and hostile answers from every due player."""
    sheets: dict[Player, Sheet] = {}
    answers: dict[Player, Any] = {}
    texts: list[str] = []
    try:
        for player in state.players:
            asked = expected_in(rulebook, state, player)
            text, given = hostile_sheet(rulebook, state, player, chance), hostile_answers(rulebook, chance)
            texts += (text, given)
            found, answered = read_sheet(text.encode(), asked), read_answers(given.encode(), asked)
            if isinstance(found, Sheet):
                sheets[player] = found
                view = position_for(rulebook, state, player)
                problems = check_sheet(rulebook, view, found).problems
                if len(problems) > MOST_TOLD + 1:
                    yield f"{player}: {len(problems)} problems are told"
            if isinstance(answered, tuple):
                answers[player] = answered[0]
        dice = SeededDice(seed_from("hostile"), "hostile", state.phase.number)
        outcome = advance(rulebook, state, Inbox(sheets, answers), dice, strict=True)
        yield from excess_of_play(rulebook, state, outcome)
    except Exception as error:  # no sheet may raise anything
        yield f"{state.phase}: {type(error).__name__} {error} with\n" + "\n".join(texts)


def excess_of_play(rulebook: Rulebook[Any], state: Any, outcome: Outcome) -> Iterator[str]:
    """More refusals, remarks or words than the limits allow, or a record or position that can't be read back."""
    most = MOST_ORDERS + MOST_ENTRIES * len(rulebook.standing)
    for player in state.players:
        told = [e for e in outcome.events if isinstance(e, OrderRefused | Remarked) and e.player == player]
        if len(told) > most:
            yield f"{state.phase} {player}: {len(told)} refusals and remarks"
        view, before = position_for(rulebook, outcome.state, player), position_for(rulebook, state, player)
        seen = events_for(rulebook, outcome.state, outcome.events, player)
        report = render_report(rulebook, player, view, seen, before=before)
        if len(report) > LONGEST_REPORT:
            yield f"{state.phase} {player}: a report of {len(report)} characters"
        if not report.replace("\n", "").isprintable():
            yield f"{state.phase} {player}: the report holds what can't be seen"
    lines = lines_of(outcome.events)
    if lines_of(events_in(rulebook, record_text(lines), "events.jsonl")) != lines:
        yield f"{state.phase}: the events are read back otherwise"
    opened = read_position(write_position(outcome.state).encode(), "state.yaml")
    if not isinstance(opened, PositionFile) or opened.state != outcome.state:
        yield f"{state.phase}: the position is read back otherwise"


# -- sheets ------------------------------------------------------------------------------------------------------------


def hostile_sheet(rulebook: Rulebook[Any], state: Any, player: Player, chance: Chance) -> str:
    """A hostile sheet: a bot's, with orders ahead for every phase, and changed in a few places or many."""
    phase, view = rulebook.phase(state.phase.name), position_for(rulebook, state, player)
    plain: dict[str, Any] = {"player": player, "orders": []}
    if player in state.phase.due:
        own = rulebook.bot if rulebook.bot is not None and chance(2) else None
        plain |= (
            own(view, player, chance)
            if own
            else {"orders": random_orders(rulebook, phase, view, player, chance)}
        )
    plain["later"] = {each.name: {"orders": plain["orders"][:2]} for each in phases_ahead(rulebook, phase)}
    plain = json.loads(json.dumps(plain))  # a copy without shared parts: each place is changed alone
    for _ in range(1 + chance(6)):
        change_sheet(plain, rulebook, chance)
    if chance(8):
        plain["player"] = player  # else most sheets would count as not sent
    return yaml_text(plain) + "\n"


def change_sheet(plain: dict[str, Any], rulebook: Rulebook[Any], chance: Chance) -> None:
    """Changes the sheet in one random way."""
    homes = list(containers_in(plain))
    home = homes[chance(len(homes))]
    one, other = nasty_value(chance), nasty_value(chance)
    match chance(9):
        case 0:
            plain.setdefault("standing", {})
            if isinstance(plain["standing"], dict):
                plain["standing"] |= {key: one if chance(2) else [one, other] for key in rulebook.standing}
        case 1:
            orders = plain.get("orders")
            if isinstance(orders, list) and orders:
                at = chance(len(orders))
                orders[at] = else_chain(orders[at], one, 1 + chance(12))
        case 2:
            orders = plain.get("orders")
            if isinstance(orders, list) and len(orders) < MOST_ORDERS:
                orders += orders * chance(20)
        case 3 if isinstance(home, dict):
            home["if"] = {one if type(one) is str else "venice-1": other}
        case 4 if isinstance(home, dict):
            home[KEYS[chance(len(KEYS))]] = one
        case 5 if isinstance(home, dict) and home:
            del home[list(home)[chance(len(home))]]
        case 6 if isinstance(home, dict):
            first = next(iter(home), "x")
            home[one if type(one) is str else first] = other
        case _ if isinstance(home, dict) and home:
            home[list(home)[chance(len(home))]] = one
        case _ if isinstance(home, list):
            home.insert(chance(len(home) + 1), one)


def nasty_value(chance: Chance) -> Any:
    """A copy of one of the nasty values."""
    return deepcopy(NASTY[chance(len(NASTY))])


def else_chain(order: Any, junk: Any, depth: int) -> Any:
    """An order in a chain of `else`."""
    for _ in range(depth):
        first = dict(order) if isinstance(order, dict) else {"x": junk}
        order = {**first, "else": [junk, order]}
    return order


def containers_in(plain: Any) -> Iterator[Any]:
    """Every list and mapping in the data, from the outside in."""
    if isinstance(plain, dict | list):
        yield plain
        for value in plain.values() if isinstance(plain, dict) else plain:
            yield from containers_in(value)


def yaml_text(plain: Any) -> str:
    """The data in flow style, raw words as they are and all other text in quotes."""
    if isinstance(plain, dict):
        return (
            "{" + ", ".join(f"? {yaml_text(key)} : {yaml_text(value)}" for key, value in plain.items()) + "}"
        )
    if isinstance(plain, list):
        return "[" + ", ".join(yaml_text(value) for value in plain) + "]"
    return plain if isinstance(plain, Raw) else json.dumps(plain)


# -- answers -----------------------------------------------------------------------------------------------------------


def hostile_answers(rulebook: Rulebook[Any], chance: Chance) -> str:
    """A file of answers to every kind of question, with fields of the right kind and of the wrong kind."""
    found: list[Any] = []
    for question in rulebook.questions:
        fields: Mapping[str, Domain[Any]] = question.shapes
        for _ in range(2):
            answer: dict[str, Any] = {question.verb: nasty_value(chance)}
            answer |= {
                name: nasty_value(chance) if chance(3) == 0 else sample_value(domain, chance)
                for name, domain in fields.items()
            }
            found.append(answer if chance(6) else nasty_value(chance))
    return yaml_text(found if chance(3) else {"answers": found, "player": nasty_value(chance)}) + "\n"


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
            is_listed(verbs[order.verb], seen, me, order.fields)
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
