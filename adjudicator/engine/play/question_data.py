"""A question outside the phase that asks it: which answers are meant for it, and the question as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from adjudicator.engine.sheets.answers import Answer
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.table import Question


def is_meant(answer: Answer, question: Question[Any, Any]) -> bool:
    """Is the answer for that question? A name of the question that the answer leaves out fits."""
    names = question.names()
    return answer.verb == question.verb and all(
        answer.fields.get(key, value) == value for key, value in names.items()
    )


def in_data(question: Question[Any, Any]) -> Mapping[str, Any]:
    """A question as plain data: its verb, and below that its own fields."""
    return {question.verb: msgspec.to_builtins(question)}


def from_data(rulebook: Rulebook[Any], plain: Mapping[str, Any]) -> Question[Any, Any] | None:
    """The question that plain data stands for (`in_data`); None if the game asks no such question."""
    for verb, fields in plain.items():
        for kind in rulebook.questions:
            if kind.verb == verb:
                try:
                    found: Question[Any, Any] = msgspec.convert(fields, kind)
                except msgspec.ValidationError:
                    return None
                return found
    return None
