"""Promise 8 in every language: each says all that English says, and tells the same facts of each event.

    python -m adjudicator.contract.languages oltremare fr

names all that is missing or wrong in a language's texts of a game; without a game, in those of every game.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from jinja2 import TemplateError, nodes

from adjudicator.contract import event_texts, matches, texts
from adjudicator.engine.bots import Step
from adjudicator.engine.library import registry, rules
from adjudicator.engine.library.languages import ENGLISH, Noun, known_languages, texts_in
from adjudicator.engine.library.registry import from_templates, home
from adjudicator.engine.library.texts import (
    Texts,
    cached_in_texts,
    forget_match,
    game_texts,
    in_language,
    told_by,
)
from adjudicator.engine.play.view import events_for, position_for
from adjudicator.engine.report.narrator import Narrator
from adjudicator.engine.report.news import News
from adjudicator.engine.report.template import Names, environment, names
from adjudicator.engine.report.translated import texts_told, wanted_of
from adjudicator.engine.table.event import Event, Player
from adjudicator.engine.table.rulebook import Rulebook

HOLE = re.compile(r"\{\{|\}\}|\{([\w@-]+)(?:[:|][^{}]*)?\}")
"""What is filled in: `{name}`, `{most:card}`, `{times|card|cards}`; `{{` is a brace."""


def translations(game: str) -> list[str]:
    """The languages besides English in which a game has texts of its own."""
    return known_languages(game)[1:]


def faults_of_language(game: str, language: str) -> Iterator[str]:
    """What a language lacks of a game (by the empty name: of every game), and what it says amiss, by file and name."""
    folder, wanted = home(game, "templates") / language, wanted_of(game)
    if unread := list(faults_of_templates(game, language)):
        yield from unread
        return
    own = {(file, name): told for file, name, told in texts_told(folder)}
    shared = texts_told(home("", "templates") / language)
    grammar = {name: told for file, name, told in shared if file == "grammar.md.j2"}
    for (file, name), told in wanted.items():
        if (file, name) not in own:
            yield f"{from_templates(folder / file)}: {name or 'the file'} is missing"
            continue
        here = own[file, name]
        if isinstance(told, nodes.Macro) and parameters(told) != parameters(here):
            yield f"{from_templates(folder / file)}: {name} is not called with {parameters(told)}"
        parts = grammar | {part: each for (other, part), each in own.items() if other == file}
        if unseen := sorted(looked_at(told) - reached(here, parts)):
            yield f"{from_templates(folder / file)}: {name or 'it'} doesn't look at {', '.join(unseen)}"
        if isinstance(told, str) and holes(told) != holes(here):
            yield (
                f"{from_templates(folder / file)}: {name} fills in {holes(here)}, and the English text {holes(told)}"
            )
    if game:
        rulebook = registry.rulebook(game)
        yield from texts.faults_of_texts(rulebook, language)
        yield from faults_of_rules(rulebook, language)
        yield from event_texts.faults_of_templates(in_language(rulebook, language))


def parameters(macro: Any) -> list[str]:
    """The names that a macro is called with."""
    return [arg.name for arg in macro.args] if isinstance(macro, nodes.Macro) else []


def looked_at(told: Any) -> set[str]:
    """What a text depends on: the attributes that it reads, and the words that it compares with or picks by. If English
    looks at more than a translation does, a text has grown.
    """
    if not isinstance(told, nodes.Node):
        return set()
    called = [each.node for each in told.find_all(nodes.Call)]
    read = {each.attr for each in told.find_all(nodes.Getattr) if each not in called}
    words = [
        side for each in told.find_all(nodes.Compare) for side in (each.expr, *(ops.expr for ops in each.ops))
    ]
    words += [pair.key for each in told.find_all(nodes.Dict) for pair in each.items]
    return read | {
        each.value for each in words if isinstance(each, nodes.Const) and isinstance(each.value, str)
    }


def reached(told: Any, parts: Mapping[str, Any]) -> set[str]:
    """What a text and the macros that it uses, of its own file or of the language's grammar, look at."""
    named = {each.name for each in told.find_all(nodes.Name)} if isinstance(told, nodes.Node) else set()
    left = {name: part for name, part in parts.items() if name not in named}
    return looked_at(told).union(*(reached(parts[name], left) for name in named & parts.keys()))


def holes(text: Any) -> list[str]:
    """What a text fills in, each once; a name's are those of all its forms."""
    forms = [text] if isinstance(text, str) else text.values()
    return sorted({found[1] for each in forms for found in HOLE.finditer(each) if found[1]})


def faults_of_templates(game: str, language: str) -> Iterator[str]:
    """Files of a language that can't be read."""
    folder = home(game, "templates") / language
    for path in sorted(folder.glob("*.yaml")):
        try:
            texts_in(path)
        except ValueError as error:
            yield str(error)
            return
    made = environment(game_texts(game or next(iter(registry.OWN)), language))
    for path in sorted(folder.glob("*.j2")):
        try:
            made.get_template(path.name)
        except TemplateError as error:
            yield f"{from_templates(path)}:{getattr(error, 'lineno', 0)}: {error}"


def faults_of_rules(rulebook: Rulebook[Any], language: str) -> Iterator[str]:
    """Rules that a language's `rules.md` lacks, or that English hasn't, or that it marks otherwise."""
    if not (home(rulebook.key, "templates") / language / rules.RULES).is_file():
        yield f"{rulebook.key}/{language}/{rules.RULES} is missing"
        return
    ours, theirs = (rules.rules_of(in_language(rulebook, each)) for each in (ENGLISH, language))
    for number in dict.fromkeys((*ours, *theirs)):
        if number not in theirs or number not in ours:
            yield f"rules.md: {number} is only in {ENGLISH if number in ours else language}"
        elif ours[number].enforced != theirs[number].enforced:
            yield f"rules.md: {number} is not marked as in {ENGLISH}"


# -- the same facts --------------------------------------------------------------------------------------------------

FACT = re.compile(r"⟦[^⟧]*⟧|[a-z][a-z-]*-\d[\w-]*|\d+")
"""A fact in a line: a name, an id, a number."""
UNSURE = ("1", "⟦you⟧")
"""A number that a language may write as a word, `une carte`, and the reader, who may be told by a possessive."""
FORMS_OF_GRAMMAR = ("gender", "article", "aspirated")


class Marked(Noun):
    """A name that shows its key, in each of its forms."""

    def __getattr__(self, form: str) -> str:
        found = super().__getattr__(form)
        return found if form in FORMS_OF_GRAMMAR or not found else str(self)


class MarkedNames(Names):
    """Names that show their keys."""

    def get(self, key: str, default: str = "") -> Noun:  # type: ignore[override]
        """The key between two signs, if it has a name."""
        found = super().get(key, default)
        if found in (key, default) and key not in self:
            return found
        made = Marked(f"⟦{key}⟧")
        made.forms = found.forms
        return made


@cached_in_texts
def marked(texts: Texts) -> Texts:
    """These texts, but names show their keys, also those that only another language has a name for."""
    made = Texts(texts.game, texts.language)
    found = MarkedNames()
    for each in (*known_languages(texts.game), texts.language):
        found |= names(Texts(texts.game, each))
    made.keep(names, found)
    return made


def facts_told(
    rulebook: Rulebook[Any], who: Player | None, events: Sequence[Event[Any]], here: Any
) -> Counter[str]:
    """The facts that a reader is told of some events, in lines and as news, in the rulebook's language."""
    lines = [line for _, line in Narrator(rulebook, who, here).lines(events)]
    news = News(rulebook, who)
    news.note_events(events, here)
    lines += [item.text for item in news.headlines] + [fight.text for fight in news.fights]
    lines += [text for kind in ("gained", "lost") for text in news.told(kind)]
    return Counter(found for line in lines for found in FACT.findall(line) if found not in UNSURE)


def faults_of_facts(rulebook: Rulebook[Any], language: str, steps: Iterable[Step]) -> Iterator[str]:
    """Events of some phases of which a language tells other facts than English, the first of each kind."""
    told: set[str] = set()
    for step in steps:
        public = [each for each in step.outcome.events if not each.to]
        for who in (None, *step.outcome.state.players):
            here = position_for(rulebook, step.before, who)
            mine = (
                public
                if who is None
                else [each for each in step.outcome.events if not each.to or who in each.to]
            )
            events = events_for(rulebook, step.outcome.state, mine, who)
            for kinds, said in other_facts(rulebook, language, who, here, events):
                if kinds not in told:
                    told.add(kinds)
                    yield f"{kinds}, told to {who or 'the public'} in {language}: {said}"
        forget_match()


def other_facts(
    rulebook: Rulebook[Any], language: str, who: Player | None, here: Any, events: Sequence[Event[Any]]
) -> Iterator[tuple[str, str]]:
    """The kinds of events of each line that tells other facts than in English, and which."""
    with suppress(Exception):  # below, each line is told by itself, and a failing template is named
        ours, theirs = told_in(rulebook, language, who, here, events)
        if ours == theirs:
            return
    narrator = Narrator(rulebook, who, here)
    for run, _ in narrator.lines(events):
        kinds = ", ".join(dict.fromkeys(type(event).__name__ for event in run))
        try:
            ours, theirs = told_in(rulebook, language, who, narrator.here, run)
        except Exception as error:  # a template may raise anything
            yield kinds, event_texts.error_place(error)
            continue
        if ours != theirs:
            yield kinds, _difference(ours, theirs)


def told_in(
    rulebook: Rulebook[Any], language: str, who: Player | None, here: Any, run: Sequence[Event[Any]]
) -> tuple[Counter[str], Counter[str]]:
    """The facts told in English, and in a language."""
    found = []
    for each in (ENGLISH, language):
        with told_by(marked(game_texts(rulebook.key, each))):
            found.append(facts_told(in_language(rulebook, each), who, run, here))
    return found[0], found[1]


def _difference(ours: Counter[str], theirs: Counter[str]) -> str:
    lacking, added = ", ".join((ours - theirs).elements()), ", ".join((theirs - ours).elements())
    return "; ".join(filter(None, [lacking and f"{lacking} missing", added and f"{added} too many"]))


def some_steps(rulebook: Rulebook[Any], most: int, seed: str = "languages") -> Iterator[Step]:
    """So many phases of random matches, at the tables in turn."""
    tables = [table for each in rulebook.tables.values() for table in each[:1]]
    left, number = most, 0
    while left > 0:
        table = tables[number % len(tables)]
        for step in matches.steps(rulebook, table, f"{seed} {number}", sensible=len(table) // 2):
            yield step
            left -= 1
            if left == 0:
                return
        number += 1


MOST = 200
"""How many phases are told for `main`."""


def main(language: str, game: str = "") -> int:
    """Names what is missing or wrong; returns how much."""
    found = list(faults_of_language(game, language))
    if game and not found:
        rulebook = registry.rulebook(game)
        found += faults_of_facts(rulebook, language, some_steps(rulebook, MOST))
    print("\n".join(found) or f"Nothing is missing in {language}, {game or 'of every game'}.")
    return len(found)


if __name__ == "__main__":
    *games, told = sys.argv[1:]
    if told not in known_languages(*games):
        how = "write python -m adjudicator.contract.languages [GAME] LANGUAGE"
        sys.exit(f"there is no folder {told} with a words.yaml yet; {how}")
    sys.exit(1 if main(told, *games) else 0)
