"""What a page knows about what orders use up: what each verb takes (`Verb.uses`), what is left now, and left to do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from adjudicator.engine.library.texts import Texts, texts_of
from adjudicator.engine.library.words import say, words
from adjudicator.engine.play.left import Left
from adjudicator.engine.report.template import names
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.table.rulebook import Phase, Rulebook
from adjudicator.engine.table.secret import Unknown
from adjudicator.engine.table.table import Verb
from adjudicator.engine.table.uses import Prices, Use

FILLED_IN = ("field", "value", "most", "possible")
"""The facts of a reason that only the page knows: they stay as blanks."""


def uses_of_verbs(rulebook: Rulebook[Any], phase: Phase[Any]) -> dict[str, Any]:
    """By verb: what its orders are about, and what they use up."""
    texts = texts_of(rulebook)
    return {name: uses_of_verb(verb, texts) for name, verb in phase.verbs.items()}


def uses_of_verb(verb: Verb[Any], texts: Texts) -> dict[str, Any]:
    """What the orders of one verb are about, and what they use up, without empty parts."""
    told = {
        "subject": list(verb.subject or ()),
        "names": dict(verb.names),
        "ranks": verb.ranks,
        "changes": list(verb.changes),
        "idle": verb.idle,
        "uses": [use_as_json(use, texts) for use in verb.uses or ()],
    }
    return {key: value for key, value in told.items() if value}


def use_as_json(use: Use, texts: Texts) -> dict[str, Any]:
    """A use as JSON, without empty parts."""
    told: dict[str, Any] = {"what": use.what}
    for key in ("by", "keeps", "ends", "perhaps", "decide", "bounds", "always", "gone"):
        if value := getattr(use, key):
            told[key] = value
    if use.times != 1:
        told["times"] = dict(use.times) if isinstance(use.times, Mapping) else use.times
    if use.once is not None:
        told["once"] = words_of_reason(use.once, texts)
    return told


def limits_as_json(rulebook: Rulebook[Any], phase: Phase[Any], view: Any, me: Player) -> dict[str, Any]:
    """What is left now, by name: how much there is; the rule and the words that say it is too little, with facts for
    their blanks; and what a page calls it, if it shows it.

    A name that shares its limit with an earlier one has that name instead. Nothing is said where the reader can't know
    it.
    """
    texts, known = texts_of(rulebook), dict[int, str]()
    told: dict[str, Any] = {}
    try:
        found = phase.limits(view, me)
    except Unknown:
        return told
    for key, limit in found.items():
        if id(limit) in known:
            told[key] = known[id(limit)]
            continue
        known[id(limit)] = key
        facts = {name: value for name, value in limit.facts.items() if isinstance(value, str | int)}
        why = words_of_reason(Reason(limit.rule, limit.key, limit.facts), texts, facts)
        what, *of = key.split(" ")
        called = words(texts).get("totals", {}).get(what, "")
        shown = called.format(of=" ".join(map(names(texts).get, of))) if called else ""
        told[key] = [limit.most, *why, facts, *([shown] if shown else [])]
    return told


def left_as_json(left: Left) -> dict[str, Any]:
    """One thing that is left to do, without empty parts and without the place of the line that decides it."""
    told = {"phase": left.phase, "subject": left.subject, "verbs": left.verbs, "state": left.state}
    more = {"must": left.must or None, "count": left.count}
    return told | {key: value for key, value in more.items() if value is not None}


def prices_now(phase: Phase[Any], view: Any, me: Player) -> dict[str, Prices]:
    """By verb: what its orders cost now. Nothing is said where the reader can't know it."""
    told: dict[str, Prices] = {}
    for name, verb in phase.verbs.items():
        with suppress(Unknown):
            if found := verb.prices(view, me):
                told[name] = found
    return told


def words_of_reason(why: Reason, texts: Texts, later: Iterable[str] = ()) -> list[str]:
    """A reason's rule, and its words with blanks for what only the page knows, and for the facts to fill in `later`.

    A blank that counts something has both forms of the noun, `{most:ducat|ducats}`.
    """
    unknown = [name for name in FILLED_IN if name not in why.facts]
    return [why.rule, say(why, texts, later=[*unknown, *later])]
