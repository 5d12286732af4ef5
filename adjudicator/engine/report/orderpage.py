"""The page for orders, and the page for an answer: one file each, for a player who never opens an editor.

The scripts in `templates/pages/` build the forms from the schema that editors use, and from the choices that the rules
give. `templates/en/orders.html.j2` says what the page can rely on.

JSON for pages in which repeated parts are written once: schemas repeat themselves a lot.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from textwrap import shorten
from typing import Any

import msgspec
from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.library.languages import texts_by_part
from adjudicator.engine.library.rules import rules_of
from adjudicator.engine.library.texts import (
    Texts,
    cached_in_texts,
    game_texts,
    say,
    texts_of,
    verb_text,
    words,
)
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.beside import verbs_changed_before
from adjudicator.engine.play.choices import Choices, always_of, answers_now, needed_in
from adjudicator.engine.play.left import barred, left_in
from adjudicator.engine.play.stops import asked_at, is_stop
from adjudicator.engine.play.view import do_others_come_first
from adjudicator.engine.report import page_scripts
from adjudicator.engine.report.form import facts_of, head_of_file, instructions_in_force, names_now
from adjudicator.engine.report.map import Picture
from adjudicator.engine.report.markdown_html import html_of
from adjudicator.engine.report.page_scripts import left_as_json, limits_as_json, prices_now, uses_of_verbs
from adjudicator.engine.report.reader_facts import Extras
from adjudicator.engine.report.story import question_text
from adjudicator.engine.report.template import colours, environment, in_script, names
from adjudicator.engine.sheets.offering import names_on_board
from adjudicator.engine.sheets.reading import folder_name
from adjudicator.engine.sheets.schema import phases_ahead
from adjudicator.engine.table.domain import Schema
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.table.rulebook import Phase, Rulebook
from adjudicator.engine.table.table import Instruction, Verbs

PART = "="
"""The only key of a reference to a part: `{"=": 3}` is the fourth."""
LEAST = 20
"""The least characters of a part: a shorter one is repeated instead."""
LONG = frozenset((dict, list, tuple, str))
"""What can be a part: numbers are short."""
json_of = msgspec.json.Encoder().encode


def json_with_shared_parts(value: Any) -> str:
    """The JSON of a mapping or list as `whole`, with the `parts` that occur in it more than once.

    A part may have parts that come before it.
    """
    found = SharedParts()
    found.look_through(value)
    whole = found.with_references(value)
    return json_of({"parts": found.parts, "whole": whole}).decode()


class SharedParts:
    """Finds what is in a value more than once by its content: a text, or the JSON of a mapping or list."""

    def __init__(self) -> None:
        self.parts: list[Any] = []
        self.met: set[bytes | str] = set()  # the contents that are long enough
        self.repeated: set[bytes | str] = set()  # and those that were met again
        self.of: dict[int, bytes] = {}  # the contents of mappings and lists, by identity
        self.references: dict[bytes | str, dict[str, int]] = {}  # the references to the parts, by content

    def look_through(self, value: Any) -> None:
        """Notes a mapping or list, and all that is in it if it wasn't met before; a mapping's keys are no parts."""
        content = self.of[id(value)] = json_of(value)
        if len(content) < LEAST:  # parts within it are shorter still
            return
        if content in self.met:
            self.repeated.add(content)
            return
        self.met.add(content)
        for each in value.values() if type(value) is dict else value:
            if type(each) is str:
                if each in self.met:
                    self.repeated.add(each)
                elif len(json_of(each)) >= LEAST:
                    self.met.add(each)
            elif type(each) in LONG:
                self.look_through(each)

    def with_references(self, value: Any) -> Any:
        """A mapping or list, with references to the parts in it."""
        if type(value) is dict:
            return {key: self.shared(each) if type(each) in LONG else each for key, each in value.items()}
        return [self.shared(each) if type(each) in LONG else each for each in value]

    def shared(self, value: Any) -> Any:
        """A value with references to the parts in it, or a reference if it is a part itself."""
        content = value if type(value) is str else self.of[id(value)]
        if content not in self.repeated:
            return value if len(content) < LEAST or content is value else self.with_references(value)
        if content not in self.references:
            self.parts.append(value if content is value else self.with_references(value))
            self.references[content] = {PART: len(self.parts) - 1}
        return self.references[content]


PROMPTS, GUIDE = "prompts.yaml", "guide.yaml"
OWN_TEXTS = "orders."
"""The prefix of the keys of the page's texts."""
FOR_EDITORS = frozenset(("errorMessage", "title"))
"""The parts of a schema that only editors use."""
MOST_OF_RULE = 120
"""The most characters of a rule that the page shows."""
DEFINITIONS = "#/definitions/"
"""The only place to which a schema points: the scripts add it."""


class PageFacts(Struct, frozen=True):
    """The facts from which a page for orders or answers is made: the view of `me`, the map, what else the page says,
    and the text of the schema (`form.form_schema`, or that of answers).
    """

    rulebook: Rulebook[Any]
    view: Any
    me: Player
    schema: str
    picture: Picture
    extras: Extras


class PagePart(Struct, frozen=True):
    """A phase that the page asks about, and what the player needs to know for it."""

    name: str
    facts: str


def orders_page(facts: PageFacts, choices: Choices) -> str:
    """The page on which a player clicks a sheet together; `choices` is what can be chosen now (`choices_now`), and in
    the phases up to the next stop.
    """
    rulebook, view, me = facts.rulebook, facts.view, facts.me
    phase = rulebook.phase(view.phase.name)
    asked = asked_at(rulebook, view.options, phase.name)
    parts = [PagePart(each.name, facts_of(rulebook, view, me, each.name)) for each in asked]
    rest = [each for each in phases_ahead(rulebook, phase) if each is phase or each not in asked]
    return page_text(facts, orders_data(facts, choices), parts=parts, later=rest)


def orders_data(facts: PageFacts, choices: Choices) -> dict[str, Any]:
    """The data of the page for orders."""
    rulebook, view, me = facts.rulebook, facts.view, facts.me
    phase = rulebook.phase(view.phase.name)
    asked = asked_at(rulebook, view.options, phase.name)
    every = [each for each in rulebook.phases if each.verbs]
    kinds = {each.name: each.verbs for each in every}
    offered = [phase, *phases_ahead(rulebook, phase)]
    changed = verbs_changed_before(rulebook, view, me) if me in view.phase.due else []
    why_not = {each.name: reasons_by_words(rulebook, each, view, me) for each in asked}
    return {
        **data_for_scripts(facts, choices),
        **({"changed": changed} if changed else {}),
        "whyNot": why_not,
        "rules": rules_named(rulebook, asked, choices, why_not),
        "kind": phase.name,
        "asked": [each.name for each in asked[1:]],
        "ahead": choices.ahead,
        "own": [each.name for each in every if each.own_turn],
        "stops": [each.name for each in every if is_stop(rulebook, view.options, each.name)],
        "sent": {
            each.phase: [order.plain for order in each.orders] for each in facts.extras.sent if each.folder
        },
        "last": facts.extras.last,
        "drafts": [each.phase for each in facts.extras.sent if each.draft],
        "ruled": [each.name for each in every if not each.passes],
        "ruledEmpty": [each.name for each in every if not each.passes_empty],
        "purposes": {kind: purposes(rulebook, kind, verbs) for kind, verbs in kinds.items()},
        "proposal": proposal(rulebook, phase, view, me),
        "guide": {each.name: told for each in asked if (told := guides(texts_of(rulebook)).get(each.name))},
        "first": view.phase.turn == 1 and phase.once,
        "standing": instructions_in_force(view, me),
        "needed": needed_in_standing(rulebook, view, me),
        "always": {
            f"{kind}-{verb}": held
            for kind, verbs in kinds.items()
            for verb, held in schemas_always_held(verbs).items()
        },
        "about": {each.name: uses_of_verbs(rulebook, each) for each in offered},
        "limits": {each.name: limits_as_json(rulebook, each, view, me) for each in asked},
        "left": [left_as_json(each) for each in left_in(rulebook, view, me, must=True)],
        "prices": {each.name: prices_now(each, view, me) for each in asked},
        "unordered": [each.name for each in offered if not each.sequence],
        "alone": not do_others_come_first(phase, view, me),
    }


def reasons_by_words(
    rulebook: Rulebook[Any], phase: Phase[Any], view: Any, me: Player
) -> list[tuple[str, str, list[str]]]:
    """Why no order of a phase can be about things on the board: a rule, its words in short with a blank for the name,
    and the names. Nothing is said of what is only not possible, by no reason of the game.
    """
    texts, found = texts_of(rulebook), dict[tuple[str, str], list[str]]()
    general = words(game_texts("", texts.language, texts.templates))["reasons"]
    alike: dict[str, tuple[Reason, list[str]]] = {}  # names that have the same reason, as most have
    for name, whys in barred(phase, view, me, names_on_board(view)).items():
        for why in [each for each in whys if each.key not in general][:1]:
            same = replace(why, facts={**why.facts, "value": ""})
            alike.setdefault(repr(same), (same, []))[1].append(name)
    for why, named in alike.values():
        told = say(why, texts, named=lambda key: names(texts).get(key, key), later=["value"])
        found.setdefault((why.rule, told.partition(";")[0]), []).extend(named)
    return [(*key, named) for key, named in found.items()]


def rules_named(
    rulebook: Rulebook[Any],
    phases: Sequence[Phase[Any]],
    choices: Choices,
    why_not: Mapping[str, Sequence[tuple[str, str, Sequence[str]]]],
) -> dict[str, Any]:
    """The rules of the fields of the phases' verbs, `by` verb and field, and in short the `text` of all that a page
    names: what stands before its first ruling, without the last words if it is long.
    """
    by = {verb: choices.rules[verb] for each in phases for verb in each.verbs if choices.rules.get(verb)}
    numbers = {rule for fields in by.values() for rule in fields.values()}
    numbers |= {rule for found in why_not.values() for rule, _, _ in found}
    texts = {
        key: each.text.partition("**Ruling**")[0]
        for key, each in rules_of(rulebook).items()
        if key in numbers
    }
    return {
        "by": by,
        "text": {key: shorten(text, MOST_OF_RULE, placeholder=" …") for key, text in texts.items()},
    }


def proposal(
    rulebook: Rulebook[Any], phase: Phase[Any], view: Any, me: Player
) -> Mapping[str, Sequence[Any]]:
    """What the rulebook's bot would order in the open phase, and in those for which it decides now; by phase.

    The bot knows the player's own view alone, and its chance is the phase itself: the same files give the same page.
    """
    if rulebook.bot is None or me not in view.phase.due:
        return {}
    sheet = rulebook.bot(view, me, SeededChance(f"{folder_name(view.phase)} {me}"))
    found = {phase.name: sheet} | sheet.get("later", {})
    return {name: list(each["orders"]) for name, each in found.items() if each.get("orders")}


def answer_page(facts: PageFacts, question: Any) -> str:
    """The page on which a player answers a question."""
    rulebook = facts.rulebook
    data = {
        **data_for_scripts(facts, answers_now(question, facts.view, facts.me)),
        "kind": "answer",
        "purposes": {"answer": purposes(rulebook, "answer", {question.verb: question})},
        "answer": {"verb": question.verb, "fixed": question.names()},
    }
    return page_text(facts, data, asked=question_text(rulebook, question))


def data_for_scripts(facts: PageFacts, choices: Choices) -> dict[str, Any]:
    """The data for the scripts of either page."""
    texts = texts_of(facts.rulebook)
    return {
        **head_of_file(facts.view, facts.me, facts.extras),
        "file": f"{facts.me}.yaml",
        "gm": facts.extras.gm,
        "people": facts.extras.people,
        "verbs": choices.verbs,
        "nodes": choices.nodes,
        "borders": choices.borders,
        "names": reading_names(texts) | names_now(facts.rulebook, facts.view, facts.me),
        "phases": words(texts)["phases"],
        "texts": own_texts(texts),
        "prompts": prompts(texts),
        "seat": colours(facts.rulebook.key).get(facts.me, 0),
    }


def page_text(
    facts: PageFacts,
    data: Mapping[str, Any],
    *,
    parts: Sequence[PagePart] = (),
    later: Sequence[Phase[Any]] = (),
    asked: str = "",
) -> str:
    """The page's text, its template filled in: for orders with the phases it asks about and others that come later, for
    an answer with the question.
    """
    rulebook, view, me = facts.rulebook, facts.view, facts.me
    frame = environment(texts_of(rulebook)).get_template("orders.html.j2")
    packed = page_scripts.packed_scripts()
    text = frame.render(
        rulebook=rulebook,
        view=view,
        me=me,
        head=view.phase,
        svg=Markup(facts.picture.svg),
        position=html_of(position_html(rulebook, view, me), {}),
        schema=in_script(json_with_shared_parts(without_editor_parts(facts.schema))),
        data=in_script(json_with_shared_parts(data)),
        packed=Markup(packed),
        scripts=Markup("" if packed else page_scripts.scripts()),
        parts=parts,
        later=later,
        asked=asked,
        extras=facts.extras,
        why=partial(say, texts=texts_of(rulebook)),
    )
    return text.rstrip("\n") + "\n"


def without_editor_parts(schema: str) -> Any:
    """A schema, from its text, without the parts for editors."""
    return json.loads(schema, object_hook=_for_scripts)


def _for_scripts(part: dict[str, Any]) -> dict[str, Any]:
    if not FOR_EDITORS.isdisjoint(part):
        part = {key: each for key, each in part.items() if key not in FOR_EDITORS or type(each) is not str}
    if "$ref" in part:
        part["$ref"] = part["$ref"].removeprefix(DEFINITIONS)
    return part


def position_html(rulebook: Rulebook[Any], view: Any, me: Player) -> str:
    """The position in words and tables, as a report has it."""
    template = environment(texts_of(rulebook)).get_template("position.md.j2")
    return template.render(rulebook=rulebook, state=view, who=me, me=me, head=view.phase)


def needed_in_standing(rulebook: Rulebook[Any], view: Any, me: Player) -> dict[str, list[str]]:
    """The fields that each kind of standing instructions needs in every entry."""
    return {
        key: needed_in(kind, view, me)
        for key, kind in rulebook.standing.items()
        if isinstance(kind, Instruction)
    }


def schemas_always_held(verbs: Verbs) -> dict[str, dict[str, Schema]]:
    """By verb and field: what holds in any case, even while no order of that verb is possible."""
    found = {
        name: {field: always for field, domain in verb.fields.items() if (always := always_of(domain))}
        for name, verb in verbs.items()
    }
    return {name: fields for name, fields in found.items() if fields}


def purposes(rulebook: Rulebook[Any], kind: str, verbs: Mapping[str, Any]) -> dict[str, str]:
    """What each verb of a kind of orders, or of answers, is for."""
    texts = texts_of(rulebook)
    return {verb: verb_text(texts, verb, kind) for verb in verbs}


@cached_in_texts
def reading_names(texts: Texts) -> dict[str, str]:
    """The names in reading form that differ from those in files."""
    return {key: str(name) for key, name in names(texts).items() if key != name}


@cached_in_texts
def prompts(texts: Texts) -> Mapping[str, Any]:
    """The words of the map's prompts: what verbs do, orders as sentences, the question of each field.

    Without any for a verb or a field, the page says what they are for.
    """
    return texts_by_part(texts.game, texts.language, PROMPTS, texts.templates)


@cached_in_texts
def guides(texts: Texts) -> Mapping[str, Any]:
    """The guide to each phase: what it is `for`, things to `try`, and `why` a bot would give an order, by verb."""
    return texts_by_part(texts.game, texts.language, GUIDE)


@cached_in_texts
def own_texts(texts: Texts) -> dict[str, str]:
    """The texts that the page's scripts show."""
    known: Mapping[str, str] = words(texts)["pages"]
    return {key.removeprefix(OWN_TEXTS): text for key, text in known.items() if key.startswith(OWN_TEXTS)}
