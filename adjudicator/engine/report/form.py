"""Forms: the sheet to fill in, its schema, and the file that answers a question, for one player from that view."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

import msgspec
from msgspec import Struct

from adjudicator.engine.library.texts import field_text, say, texts_of, verb_text
from adjudicator.engine.play import listing
from adjudicator.engine.play.attempts import search_by_chance, small_values, some_values
from adjudicator.engine.play.left import Left, left_in, open_things
from adjudicator.engine.play.stops import asked_at
from adjudicator.engine.report.reader_facts import NOTHING_BESIDES, Extras
from adjudicator.engine.report.template import environment, macros, once
from adjudicator.engine.sheets.form_schema import sheet_schema
from adjudicator.engine.sheets.offering import names_on_board, players_own_last, with_own_names
from adjudicator.engine.sheets.reading import folder_name
from adjudicator.engine.sheets.schema import Possible, phases_ahead, players
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.position import PHASES
from adjudicator.engine.table.rulebook import Phase, Rulebook
from adjudicator.engine.table.secret import plain_of
from adjudicator.engine.table.table import Verb
from adjudicator.engine.text.writing import as_comments, write

MOST_RUNS = 80
"""How often a verb's rule is run to find an example."""
MOST_CHANCES = 120
"""How many random tries follow if that finds none."""
KEPT = ("else", "if")
GAPS = re.compile(r"\n(?:[^\S\n]*\n)+")
"""One or more empty lines."""


class Example(Struct, frozen=True):
    """A verb, what it is for, and its optional fields.

    `order` is an order that is possible now, as it is written. It is empty if there is none; `needed` are then the
    required fields.
    """

    verb: str
    text: str
    order: str
    also: Sequence[tuple[str, str]]
    needed: Sequence[tuple[str, str]] = ()


class FormPart(Struct, frozen=True):
    """What a form shows of one phase: the facts that the player needs, its verbs, what must be decided, whether sending
    nothing passes, whether `orders: []` does, and the chapter of the rules that it is played by.
    """

    name: str
    facts: str
    verbs: Sequence[Example]
    to_decide: str
    passes: bool
    passes_empty: bool
    chapter: str


def sheet_form(
    rulebook: Rulebook[Any],
    view: Any,
    me: Player,
    *,
    schema: str = "schema.json",
    extras: Extras = NOTHING_BESIDES,
) -> str:
    """The text of a sheet to fill in: its comments show what `me` needs; `orders` is empty, so it isn't a sheet yet.

    It asks for the orders of every phase up to the next stop, with those after the open one under `later`. `view` is
    the position as `me` may know it, `schema` the path from the form to its schema, `extras` what else it says.
    """
    phase = rulebook.phase(view.phase.name)
    left = left_in(rulebook, view, me, must=True)
    asked = [part_of(rulebook, each, view, me, left) for each in asked_at(rulebook, view.options, phase.name)]
    words = texts_of(rulebook)
    kinds = [(key, verb_text(words, key, "standing")) for key in (PHASES, *rulebook.standing)]
    every, seated = players(rulebook), players_own_last(view)
    shown = {
        "rulebook": rulebook,
        "view": view,
        "me": me,
        "head": view.phase,
        "extras": extras,
        "why": partial(say, texts=texts_of(rulebook)),
        "parts": asked,
        "standing": standing_in_force(view, me),
        "kinds": [(key, with_own_names(text, every, seated)) for key, text in kinds],
        "later": [each.name for each in phases_ahead(rulebook, phase)],
        "own": [each.name for each in phases_ahead(rulebook, phase) if each.own_turn],
    }
    template = environment(texts_of(rulebook)).get_template("sheet.yaml.j2")
    above, *of_phases, below = (part.strip("\n") for part in str(template.render(shown)).split("\n%%\n"))
    text = f"{schema_line(schema)}{comment(above)}{write(head_of_file(view, me, extras))}"
    for index, part in enumerate(asked):
        facts, verbs = of_phases[2 * index : 2 * index + 2]
        gap = "\nlater:\n" if index == 1 else "\n"
        keys = f"  {part.name}:\n    orders:\n" if index else "\norders:\n"
        text += f"{gap}{comment(facts)}{keys}{comment(verbs) if verbs else ''}"
    return f"{text}\n{comment(below)}"


def head_of_file(view: Any, me: Player, extras: Extras) -> dict[str, Any]:
    """The first keys of a sheet or of a file of answers: whose it is, what it is for, and the mark that its player has
    seen.
    """
    mark = extras.receipts.mark if extras.receipts is not None else view.chain
    head = {"player": me, "match": view.match, "phase": folder_name(view.phase)}
    return head | ({"seen": mark} if mark else {})


def part_of(
    rulebook: Rulebook[Any], phase: Phase[Any], view: Any, me: Player, left: Sequence[Left] = ()
) -> FormPart:
    """What a form shows of a phase. Its orders may be for later, so all verbs are shown, possible now or not."""
    return FormPart(
        phase.name,
        facts_of(rulebook, view, me, phase.name),
        list(examples(rulebook, phase, view, me)),
        open_things((each for each in left if each.phase == phase.name), texts_of(rulebook)),
        phase.passes,
        phase.passes_empty,
        phase.chapter,
    )


def form_schema(rulebook: Rulebook[Any], view: Any, possible: Possible | None) -> str:
    """The text of a form's `schema.json`; `possible` is what is possible now (`survey.possible_values`)."""
    phase = rulebook.phase(view.phase.name)
    schema = sheet_schema(rulebook, phase, possible, names_on_board(view), players_own_last(view))
    return msgspec.json.encode(schema).decode() + "\n"


def answer_form(
    rulebook: Rulebook[Any], view: Any, me: Player, question: Any, *, extras: Extras = NOTHING_BESIDES
) -> str:
    """The text of the file that answers a question: the question in words, its names filled in, the rest left open."""
    asked = getattr(macros(texts_of(rulebook), "questions.md.j2"), type(question).__name__)
    shown = {
        "rulebook": rulebook,
        "view": view,
        "me": me,
        "head": view.phase,
        "due_text": extras.due_text,
        "asked": str(asked(question)).strip(),
    }
    above = str(environment(texts_of(rulebook)).get_template("answer.yaml.j2").render(shown)).strip("\n")
    head = write(head_of_file(view, me, extras))
    top = f"{schema_line('answers.json')}{comment(above)}{head}"
    return f"{top}\nanswers:\n{answer_entry(rulebook, question)}"


def answer_entry(rulebook: Rulebook[Any], question: Any) -> str:
    """An entry of `answers`, with the names of the question filled in and the answer left open."""
    named: Mapping[str, Any] = question.names()
    lines = write([dict(named)]).splitlines() if named else []
    for field in question.shapes:
        if field not in named:
            text = field_text(texts_of(rulebook), field, question.verb)
            lines.append(f"{'  ' if lines else ''}# {'' if lines else '- '}{field}:   # {text}")
    return "\n".join(lines) + "\n"


def facts_of(rulebook: Rulebook[Any], view: Any, me: Player, name: str = "") -> str:
    """What the player needs in order to decide in a phase (default: the open one), as plain lines."""
    words = texts_of(rulebook)
    macro = getattr(macros(words, "form.yaml.j2"), name or view.phase.name)
    return str(once(words)(macro, view, me))  # the form and the page for orders both tell this


def names_now(rulebook: Rulebook[Any], view: Any, me: Player) -> dict[str, str]:
    """What to call the things that this position knows by more than their names, such as an offer by what it offers.

    The macro `called` of a game's form, where it has one, writes a line for each: the name in files, and what to call
    it.
    """
    words = texts_of(rulebook)
    macro = getattr(macros(words, "form.yaml.j2"), "called", None)
    lines = str(once(words)(macro, view, me)).splitlines() if macro else []
    return dict(line.split(": ", 1) for line in lines if ": " in line)


def instructions_in_force(view: Any, me: Player) -> dict[str, Any]:
    """The player's standing instructions by kind, as a sheet has them; kinds without any are left out."""
    secret = view.players[me].standing
    found = {key: value for key, value in plain_of(secret.value).items() if value} if secret.known else {}
    if PHASES in found:
        found[PHASES] = {name: [held["order"] for held in orders] for name, orders in found[PHASES].items()}
    return found


def standing_in_force(view: Any, me: Player) -> str:
    """The player's standing instructions as the text of a sheet; empty if there are none."""
    plain = instructions_in_force(view, me)
    return write({"standing": plain}) if plain else ""


def schema_line(schema: str) -> str:
    """The line that tells an editor where the schema is."""
    return f"# yaml-language-server: $schema={schema}\n"


def comment(text: str) -> str:
    """Text as YAML comments, whatever it holds: no line of it is read as data. Empty parts leave no gap."""
    return as_comments(GAPS.sub("\n\n", text).strip("\n"))


# -- examples ------------------------------------------------------------------------------------------------------


def examples(rulebook: Rulebook[Any], phase: Phase[Any], view: Any, me: Player) -> Iterator[Example]:
    """For each verb of a phase, an order that is possible now, or the required fields if there is none."""
    every, seated, words = players(rulebook), players_own_last(view), texts_of(rulebook)

    def told(fields: Iterable[str], verb: str) -> list[tuple[str, str]]:
        texts = ((field, field_text(words, field, verb)) for field in fields)
        return [(field, with_own_names(text, every, seated)) for field, text in texts]

    for name, verb in phase.verbs.items():
        order, text = example(name, verb, view, me), verb_text(words, name, phase.name)
        if order is None:
            also = told((field for field in verb.fields if field not in (name, *verb.needed)), name)
            yield Example(name, text, "", also, told((name, *verb.needed), name))
        else:
            also = told((field for field in verb.fields if field not in order), name)
            yield Example(name, text, write([order]), also)


def example(name: str, verb: Verb[Any], view: Any, me: Player) -> dict[str, Any] | None:
    """The first possible order found for a verb, with only the fields it needs.

    An order with a warning, such as one that sinks a galley, is shown only if no other is found; a longer one without a
    warning, only if none as short is found. The search first tries values; if the first ones lead nowhere, it looks for
    an order without any optional part, since there are fewer of these; last come random values.
    """
    found = _example(name, verb, view, me) or _example(name, verb, view, me, short=True)
    if found is not None:
        return found
    branch = search_by_chance(listing.Branch(verb.rule, view, me, table=listing.Choosing), MOST_CHANCES)
    return None if branch is None else listing.written_order(name, branch.chosen)


def _example(
    name: str, verb: Verb[Any], view: Any, me: Player, *, short: bool = False
) -> dict[str, Any] | None:
    open_: list[list[tuple[str, Any]]] = [[]]
    odd: dict[str, Any] | None = None
    longer: dict[str, Any] | None = None
    for _ in range(MOST_RUNS):
        if not open_:
            break
        chosen = open_.pop()
        table = listing.NotingWarnings(view, me, chosen)
        found = listing.run_at(verb.rule, table)
        if isinstance(found, listing.Fork):
            values = [listing.LEFT_OUT] if found.default is not ... else []
            if not (values and short):
                values += [*some_values(found.among), *islice(small_values(found.among), MOST_RUNS)]
            open_ += [[*chosen, (found.field, value)] for value in reversed(values)]
        elif found:
            order = listing.written_order(name, chosen)
            if table.warned:
                odd = odd or order
            elif odd is None or len(order) <= len(odd):
                return order
            else:
                longer = longer or order
    return longer or odd
