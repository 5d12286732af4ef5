"""Promise 10: hostile sheets and answers end in problems and refusals, only a few of them, and never in an exception.

Bots' sheets are mutated as data and then written as YAML by hand, so that they hold what no honest writer would write.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from typing import Any

from adjudicator.contract.legality import sample_value
from adjudicator.contract.matches import some_of_each
from adjudicator.engine.bots import Step, random_orders
from adjudicator.engine.folder.papers import events_in, lines_of, record_text
from adjudicator.engine.library.texts import MOST_TOLD
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.inbox import Inbox, Outcome
from adjudicator.engine.play.position import PositionFile, read_position, write_position
from adjudicator.engine.play.referee import advance
from adjudicator.engine.play.view import events_for, position_for
from adjudicator.engine.report.story import render_report
from adjudicator.engine.sheets.limits import MOST_ENTRIES, MOST_ORDERS
from adjudicator.engine.sheets.reading import expected_in, read_answers, read_sheet
from adjudicator.engine.sheets.schema import phases_ahead
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.engine.table.dice import SeededDice, seed_from
from adjudicator.engine.table.domain import Chance, Domain
from adjudicator.engine.table.event import OrderRefused, Player, Remarked
from adjudicator.engine.table.rulebook import Rulebook

LONGEST_REPORT = 100_000
"""The longest report in characters, whatever the sheets hold."""


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
