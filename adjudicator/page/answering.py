"""What the rules say of an answer, to the question that its player is asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adjudicator.engine.library.texts import Texts, texts_of
from adjudicator.engine.library.words import say
from adjudicator.engine.play.question_data import is_meant
from adjudicator.engine.sheets.answers import Answer, read_answers
from adjudicator.engine.sheets.reader import Reader
from adjudicator.engine.sheets.reading import Expected
from adjudicator.engine.table.event import NotSent
from adjudicator.engine.table.reason import Refused
from adjudicator.engine.table.secret import Unknown
from adjudicator.engine.table.table import Question
from adjudicator.page.sheet_report import (
    FINE,
    REFUSED,
    UNKNOWN,
    SheetReport,
    places,
    problem,
    report_of_unreadable,
)


def look_at_answers(text: bytes, asked: Expected, question: Question[Any, Any], view: Any) -> SheetReport:
    """What the rules say of a text with answers; `view` is the position as its player knows it."""
    texts, found = texts_of(asked.rulebook), read_answers(text, asked)
    if isinstance(found, NotSent):
        return report_of_unreadable(found, texts)
    answers, flaws, source = found
    paths = {place: path for path, place in places(source)}
    orders = [
        {
            "at": paths.get(each.place, ()),
            **verdict_on(each, question, view, texts),
            "warns": (),
            "brings": (),
        }
        for each in answers
    ]
    told = [(source.place(flaw.path, key=flaw.key), flaw.reason) for flaw in flaws]
    return SheetReport(orders, [problem(reason, place, texts) for place, reason in told])


def verdict_on(answer: Answer, question: Question[Any, Any], view: Any, texts: Texts) -> Mapping[str, Any]:
    """Whether an answer answers the question, and if not, why."""
    if not is_meant(answer, question):
        return {"state": UNKNOWN, "problems": ()}
    try:
        question.answer(Reader(answer.fields), view)
    except Refused as refused:
        field = next((step for step in refused.path if isinstance(step, str)), "")
        told = {"rule": refused.reason.rule, "words": say(refused.reason, texts), "field": field}
        return {"state": REFUSED, "problems": (told,)}
    except Unknown:
        return {"state": UNKNOWN, "problems": ()}
    return {"state": FINE, "problems": ()}
