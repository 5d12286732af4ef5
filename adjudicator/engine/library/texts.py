"""A game's texts in one language: the one owner of everything kept of them, so that no reader gets another's words.

What a process keeps about the positions and events of a match; it ends with the work on the match.

Why something is refused, what a field is for; and how many problems of a file are told: the first ones, and how many
more there are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from importlib import import_module
from typing import Any, Concatenate, ParamSpec, TypeVar
from weakref import WeakSet

from msgspec.structs import replace

from adjudicator.engine.library.facts import SLIP, fact_text, need_text, slip_text
from adjudicator.engine.library.languages import (
    ENGLISH,
    WORDS,
    forget_faults,
    known_languages,
    noun,
    texts_by_part,
)
from adjudicator.engine.library.registry import package
from adjudicator.engine.table.reason import Flaw, Reason
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.text.problem import (
    Blank,
    Countable,
    Problem,
    Severity,
    in_order,
    nearest,
    shortened as shortened_line,
)
from adjudicator.engine.text.source import Source, Unread, reads_as_text
from adjudicator.engine.text.syntax import shortened

K = TypeVar("K")
V = TypeVar("V")


class Recent(dict[K, V]):
    """Keeps up to `most` entries, then starts again empty. Keys may be identities if the entry keeps the object."""

    __hash__ = object.__hash__  # type: ignore[assignment]

    def __init__(self, most: int) -> None:
        self.most = most

    def keep(self, key: K, value: V) -> None:
        """Keeps a value under a key."""
        if len(self) >= self.most:
            self.clear()
        self[key] = value


class OfMatch(Recent[K, V]):
    """A cache of what was worked out from one match's own positions and events: no other match can use it."""

    def __init__(self, most: int) -> None:
        super().__init__(most)
        _OF_MATCHES.add(self)


_OF_MATCHES: WeakSet[OfMatch[Any, Any]] = WeakSet()


def forget_match() -> None:
    """Drops what is kept of a match once the work on it is done, so that the process stays small."""
    for each in list(_OF_MATCHES):
        each.clear()


P = ParamSpec("P")
R = TypeVar("R")

MOST_TEXTS = 64
"""Games times languages: more than one process needs."""


class Texts:
    """The texts of a game in a language, and what was made from them once (`kept`). `templates` is the folder of a
    group's own words, which go before ours; empty: there is none.
    """

    __slots__ = ("__weakref__", "game", "language", "made", "templates")

    def __init__(self, game: str, language: str, templates: str = "") -> None:
        self.game, self.language, self.templates = game, language, templates
        self.made: dict[Any, Any] = {}

    def keep(self, make: Callable[..., Any], answer: Any) -> None:
        """Gives these texts another answer of a function that is `cached_in_texts` and takes nothing else."""
        self.made[make.__wrapped__,] = answer  # type: ignore[attr-defined]


_TEXTS: Recent[tuple[str, str, str], Texts] = Recent(MOST_TEXTS)


def game_texts(game: str, language: str = ENGLISH, templates: str = "") -> Texts:
    """The texts of a game, or (by the empty name) the shared ones: the same object while the process keeps it."""
    key = (game, language, templates)
    if key not in _TEXTS:
        _TEXTS.keep(key, Texts(*key))
    return _TEXTS[key]


def texts_of(rulebook: Rulebook[Any]) -> Texts:
    """The texts in a rulebook's language."""
    return game_texts(rulebook.key, rulebook.language, rulebook.templates)


def forget_texts() -> None:
    """Drops everything kept of texts: they are read again, as from a changed folder."""
    _TEXTS.clear()
    forget_faults()


@contextmanager
def told_by(texts: Texts) -> Iterator[None]:
    """Makes these the texts of their game and language for a while."""
    key = (texts.game, texts.language, texts.templates)
    before = _TEXTS.pop(key, None)
    _TEXTS.keep(key, texts)
    try:
        yield
    finally:
        del _TEXTS[key]
        if before is not None:
            _TEXTS.keep(key, before)


def cached_in_texts(make: Callable[Concatenate[Texts, P], R]) -> Callable[Concatenate[Texts, P], R]:
    """Makes texts keep the answers of a function of texts and words. Callers must not change an answer."""

    @wraps(make)
    def cached(texts: Texts, /, *args: P.args, **named: P.kwargs) -> R:
        key = (make, *args, *named.items())
        made = texts.made
        if key not in made:
            made[key] = make(texts, *args, **named)
        found: R = made[key]
        return found

    return cached


_READ: Recent[tuple[int, str, str], tuple[Rulebook[Any], Rulebook[Any]]] = Recent(MOST_TEXTS)
"""A rulebook, and the same one in other words, kept by the rulebook's identity, the language and the folder."""


def in_language(rulebook: Rulebook[Any], language: str, templates: str = "") -> Rulebook[Any]:
    """The rulebook for a reader of that language: all texts made with it are in that language; in English if the game
    has no texts in it. `templates` is the folder of a group's own words, which go before ours.
    """
    templates = templates or rulebook.templates
    if (rulebook.language, rulebook.templates) == (language, templates):
        return rulebook
    key = (id(rulebook), language, templates)
    if key not in _READ:
        told = language if language in known_languages(rulebook.key, templates) else ENGLISH
        _READ.keep(key, (rulebook, replace(rulebook, language=told, templates=templates)))
    return _READ[key][1]


# -- words -------------------------------------------------------------------------------------------------------------


MOST_TOLD = 50
"""How many problems of a file are told, by place; of the rest only the number."""
MORE = "more-problems"


def number_of_problems(reason: Reason) -> int:
    """How many problems the reason counts for: one, unless it says how many more there are."""
    return int(reason.facts["count"]) if reason.key == MORE else 1


def first_flaws(source: Source, flaws: Sequence[Flaw]) -> list[Flaw]:
    """The first MOST_TOLD flaws by place, and after them how many more there are."""
    if len(flaws) <= MOST_TOLD:
        return list(flaws)

    def spot(flaw: Flaw) -> tuple[int, int]:
        mark = source.mark(flaw.path, key=flaw.key)
        return mark.line, mark.column

    found = sorted(flaws, key=spot)
    more = Reason("SHEET", MORE, {"count": len(flaws) - MOST_TOLD})
    after = found[MOST_TOLD]
    return [*found[:MOST_TOLD], Flaw(more, after.path, key=after.key)]


LONGEST_SHOWN = 400
"""The most characters of a fact in a sentence."""
NUMBER = re.compile(r"\{([a-z_]+)\.([A-Z_]+)(?::([^{}]*))?\}")
"""A number of the rules in a text: the module of the rulebook, the name in it, and the noun that it counts, if any."""


@cached_in_texts
def words(texts: Texts) -> Mapping[str, Any]:
    """The texts of a game: the shared ones, or its own where it has them, with the numbers of its rules filled in.

    `{building.COST}` in a text stands for that name in that module of the rulebook, so that the text can't differ from
    the rule.
    """
    parts = texts_by_part(texts.game, texts.language, WORDS, texts.templates)
    names = {key: noun(text) for key, text in parts.pop("names", {}).items()}
    found: dict[str, Any] = {"reasons": {}, "verbs": {}, "fields": {}, "names": names}
    for part, own in parts.items():
        found[part] = {key: with_numbers(texts, text) for key, text in own.items()}
    return found


@cached_in_texts
def habits(texts: Texts) -> Mapping[str, str]:
    """How the language writes: `one` are the numbers before which it has the singular, `thousands` what stands between
    thousands; and the small words that sentences are joined with.
    """
    return texts_by_part(texts.game, texts.language, WORDS, texts.templates).get("language", {})


def single(texts: Texts) -> Sequence[str]:
    """The numbers before which the language has the singular."""
    return habits(texts)["one"].split()


def number_text(number: int, texts: Texts) -> str:
    """A number as the language writes it: `1,200`."""
    return f"{number:,}".replace(",", habits(texts)["thousands"])


def with_numbers(texts: Texts, text: str) -> str:
    """A text with the numbers of the game's rules filled in. Raises ImportError or AttributeError for a name that
    doesn't exist.
    """

    def number(named: re.Match[str]) -> str:
        value = getattr(import_module(f"{package(texts.game)}.{named[1]}"), named[2])
        shown = number_text(value, texts) if isinstance(value, int) else str(value)
        return format(Countable(shown, single(texts)), named[3] or "")

    return NUMBER.sub(number, text)


def verb_text(texts: Texts, verb: str, kind: str = "") -> str:
    """What a verb is for: in the phase `kind` (or `answer`, or `standing`), else in any; without a text, the verb
    itself.
    """
    known: Mapping[str, str] = words(texts)["verbs"]
    return known.get(f"{kind}.{verb}", known.get(verb, verb))


def field_text(texts: Texts, field: str, verb: str = "") -> str:
    """What a field is for: in that verb, else in any; without a text, the field itself."""
    known: Mapping[str, str] = words(texts)["fields"]
    return known.get(f"{verb}.{field}", known.get(field, field))


def problem_at(place: str, reason: Reason, texts: Texts, severity: Severity = "error") -> Problem:
    """A reason as a problem at its place, `sheets/venice.yaml:7:5`, or, where the place is only a file, in that
    file.
    """
    file, line, column = (*place.rsplit(":", 2), "0", "0")[:3]
    return Problem(file, int(line), int(column), reason.rule, say(reason, texts), severity)


def reason_of(unread: Unread) -> Reason:
    """Why a file can't be read."""
    return Reason("YAML", "yaml", {SLIP: unread.slip.key, **unread.slip.facts})


def problem_of(unread: Unread, texts: Texts | None = None) -> Problem:
    """The same as a problem at its place; without texts in English."""
    slip, said = unread.slip, say(reason_of(unread), texts or game_texts(""))
    return Problem(unread.name, slip.line, slip.column, "YAML", said)


def line_of_problem(problem: Problem, texts: Texts) -> str:
    """A problem on one line, with its place and code: `line 7, column 5: MED-0.6 text`."""
    said = words(texts)["problem"]
    at = said["at"].format(line=problem.line, column=problem.column) if problem.line else ""
    kind = "" if problem.severity == "error" else f"{said[problem.severity]}{habits(texts)['colon']}"
    return shortened_line(f"{at}{kind}{problem.code} {problem.text}")


def problems_at(found: Iterable[tuple[str, Reason, Severity]], texts: Texts) -> list[Problem]:
    """Reasons at their places as problems, sorted; for each file the first MOST_TOLD, and how many more there are."""
    files: dict[str, list[tuple[tuple[int, int, str], Reason, Severity]]] = {}
    for place, reason, severity in found:
        file, line, column = (*place.rsplit(":", 2), "0", "0")[:3]
        files.setdefault(file, []).append(((int(line), int(column), reason.rule), reason, severity))
    told: list[Problem] = []
    for file, each in files.items():
        first: dict[Problem, None] = {}
        more, since = 0, (0, 0, "")
        for at, reason, severity in sorted(each, key=lambda item: item[0]):
            if len(first) < MOST_TOLD:
                first[Problem(file, at[0], at[1], reason.rule, say(reason, texts), severity)] = None
            else:
                since = since if more else at
                more += number_of_problems(reason)
        told += first
        if more:
            said = say(Reason("SHEET", MORE, {"count": more}), texts)
            told.append(Problem(file, since[0], since[1], "SHEET", said))
    return in_order(told)


OF_SCHEMAS = ("wrong-kind", "no-value")
"""The reasons of which `need` is what a schema needs."""


def say(
    reason: Reason,
    texts: Texts,
    written: Callable[[str], str] = str,
    named: Callable[[str], str] = str,
    later: Collection[str] = (),
) -> str:
    """The reason as a sentence without full stop, with what is possible instead, where known.

    `written` turns a fact, which may come from a sheet's author, into text: as it is, or escaped for Markdown. `named`
    turns a key of the files into a name for reading; usually the key stays, because most readers are about to write a
    sheet. The blanks of the facts `later` stay, for a page to fill in.
    """
    text: str = words(texts)["reasons"].get(reason.key, reason.key)
    facts = {name: _fact_told(name, value, reason.key, texts, named) for name, value in reason.facts.items()}
    if isinstance(reason.facts.get("value"), str) and not reads_as_text(reason.facts["value"]):
        facts["value"] = f'"{reason.facts["value"]}"'
    if isinstance(reason.facts.get("value"), list | tuple):
        facts["value"] = f"[{facts['value']}]" if reason.facts["value"] else "[]"
    possible, word = reason.facts.get("possible"), reason.facts.get("value")
    mean = ""
    if isinstance(possible, list | tuple) and isinstance(word, str) and "value" not in later:
        known = reason.facts.get("known", ())
        mean = nearest(word, map(str, possible)) or nearest(word, map(str, known)) or ""
    if SLIP in facts:
        facts["text"] = slip_text(facts, words(texts)["unread"])
    facts["mean"] = words(texts)["reasons"].get("mean", "").format(mean=mean) if mean else ""
    filled = {name: Countable(written(fact), single(texts)) for name, fact in facts.items()}
    return text.format_map(_Facts({**filled, **{name: Blank(name) for name in later}}))


def _fact_told(name: str, value: Any, key: str, texts: Texts, named: Callable[[str], str]) -> str:
    """A fact of the reason `key`, by its name, as a sentence tells it."""
    if name == "text":
        return str(value)
    if name == "need" and key in OF_SCHEMAS:
        return needed_text(value, texts)
    if name in ("kind", "kinds"):
        kinds, form = words(texts)["kinds"], ".name" if name == "kind" else ""
        return fact_text(value, habits(texts), lambda kind: kinds.get(f"{kind}{form}", kind))
    return shortened(fact_text(value, habits(texts), named), LONGEST_SHOWN)


def needed_text(need: Any, texts: Texts) -> str:
    """What a schema needs (`flaws.need_of`), in a few words."""
    return need_text(need, words(texts), habits(texts))


class _Facts(dict[str, Countable]):
    def __missing__(self, name: str) -> Countable:
        return Countable("?")
