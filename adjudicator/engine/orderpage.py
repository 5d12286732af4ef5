"""The page for orders, and the page for an answer: one file each, for a player who never opens an editor.

The scripts in `templates/pages/` make the forms from the same schema that an editor has, and from the choices as the
rules give them; `templates/en/orders.html.j2` says what in the page can be relied on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from adjudicator.engine.choices import Choices, answers_now, needed_in
from adjudicator.engine.drawing import Picture
from adjudicator.engine.event import Player
from adjudicator.engine.form import facts_of, in_force
from adjudicator.engine.hypertext import html_of
from adjudicator.engine.reading import folder_name
from adjudicator.engine.report import asked
from adjudicator.engine.rulebook import Rulebook
from adjudicator.engine.schema import following
from adjudicator.engine.table import Instruction
from adjudicator.engine.template import IN_SCRIPT, embedded, environment, names
from adjudicator.engine.words import words

OWN_TEXTS = "orders."
"""With what the keys of the page's texts begin."""
FOR_EDITORS = re.compile(r',"errorMessage":"(?:[^"\\]|\\.)*"|"title":"mapping",')
"""What a schema says to editors alone."""
NAMES = re.compile(r'(?<="enum":)\[(?:"[\w-]+",?){4,}\]')
"""A list of names, as it stands in a schema again and again."""


def orders_page(  # noqa: PLR0913 - a page has as many parts
    rulebook: Rulebook[Any],
    view: Any,
    me: Player,
    *,
    schema: str,
    choices: Choices,
    picture: Picture,
    gm: str = "",
    due_text: str = "",
    ahead: str = "",
) -> str:
    """The page on which `me` clicks a sheet together.

    `schema` is the text of the form's `schema.json` (`form.form_schema`), `choices` what can be chosen now
    (`choices.choices_now`), `picture` the map, `gm` the GM's mail address, if known.
    """
    phase = rulebook.phase(view.phase.name)
    later = following(rulebook, phase)
    kinds = {each.name: each.verbs for each in (phase, *later)}
    data = {
        **told(rulebook, view, me, choices, gm),
        "kind": phase.name,
        "purposes": {kind: purposes(rulebook, kind, verbs) for kind, verbs in kinds.items()},
        "standing": in_force(view, me),
        "needed": needed_in_standing(rulebook, view, me),
    }
    shown = {"facts": facts_of(rulebook, view, me), "later": later, "asked": "", "ahead": ahead}
    return filled_in(rulebook, view, me, picture, schema, data, {**shown, "due_text": due_text})


def answer_page(
    rulebook: Rulebook[Any],
    view: Any,
    me: Player,
    question: Any,
    *,
    schema: str,
    picture: Picture,
    gm: str = "",
    due_text: str = "",
) -> str:
    """The page on which `me` answers a question; `schema` is the text of `answers.json`."""
    data = {
        **told(rulebook, view, me, answers_now(question, view, me), gm),
        "kind": "answer",
        "purposes": {"answer": purposes(rulebook, "answer", {question.verb: question})},
        "answer": {"verb": question.verb, "fixed": question.names()},
    }
    shown = {"facts": "", "later": (), "asked": asked(rulebook, question), "ahead": ""}
    return filled_in(rulebook, view, me, picture, schema, data, {**shown, "due_text": due_text})


def told(rulebook: Rulebook[Any], view: Any, me: Player, choices: Choices, gm: str) -> dict[str, Any]:
    """What the scripts are told on either page."""
    return {
        "player": me,
        "match": view.match,
        "phase": folder_name(view.phase),
        "file": f"{me}.yaml",
        "gm": gm,
        "verbs": choices.verbs,
        "nodes": choices.nodes,
        "borders": choices.borders,
        "names": reading_names(rulebook.key),
        "phases": words(rulebook.key)["phases"],
        "texts": own_texts(rulebook.key),
    }


def filled_in(
    rulebook: Rulebook[Any],
    view: Any,
    me: Player,
    picture: Picture,
    schema: str,
    data: Mapping[str, Any],
    shown: Mapping[str, Any],
) -> str:
    """The page's text."""
    from markupsafe import Markup

    frame = environment(rulebook.key).get_template("orders.html.j2")
    text = frame.render(
        rulebook=rulebook,
        view=view,
        me=me,
        head=view.phase,
        svg=Markup(picture.svg),
        position=html_of(position(rulebook, view, me), {}),
        schema=Markup(slim(schema.strip()).translate(IN_SCRIPT)),
        data=embedded(data),
        **shown,
    )
    return text.rstrip("\n") + "\n"


def slim(schema: str) -> str:
    """A schema's text without what it says to editors, and with numbers in place of lists of names: half as long."""
    lists: dict[str, int] = {}
    short = NAMES.sub(lambda found: str(lists.setdefault(found[0], len(lists))), FOR_EDITORS.sub("", schema))
    return f'{{"lists":[{",".join(lists)}],"schema":{short}}}'


def position(rulebook: Rulebook[Any], view: Any, me: Player) -> str:
    """The position in words and tables, as a report has it."""
    template = environment(rulebook.key).get_template("position.md.j2")
    return template.render(rulebook=rulebook, state=view, who=me, me=me, head=view.phase)


def needed_in_standing(rulebook: Rulebook[Any], view: Any, me: Player) -> dict[str, list[str]]:
    """The fields that each kind of standing instructions needs in every entry."""
    return {
        key: needed_in(kind, view, me)
        for key, kind in rulebook.standing.items()
        if isinstance(kind, Instruction)
    }


def purposes(rulebook: Rulebook[Any], kind: str, verbs: Mapping[str, Any]) -> dict[str, str]:
    """What each verb of a kind of orders, or of answers, is for."""
    texts = words(rulebook.key)["verbs"]
    return {verb: texts.get(f"{kind}.{verb}", texts.get(verb, verb)) for verb in verbs}


@cache
def reading_names(game: str) -> dict[str, str]:
    """The names in reading form that differ from those in files."""
    return {key: name for key, name in names(game).items() if key != name}


@cache
def own_texts(game: str) -> dict[str, str]:
    """The texts that the scripts say."""
    texts: Mapping[str, str] = words(game)["pages"]
    return {key.removeprefix(OWN_TEXTS): text for key, text in texts.items() if key.startswith(OWN_TEXTS)}
