"""Keeps answers to frequent questions: about one position, which never changes, or in a bot's plans."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

K = TypeVar("K")
S = TypeVar("S")
P = ParamSpec("P")
R = TypeVar("R")

MOST_KEPT = 16
"""How many answers of one function are kept, together with their positions."""


class Answers(dict[K, R]):
    """The answers to one question, by what is asked about; each is worked out when it is first looked up.

    Callers must not change an answer: others get the same one.
    """

    def __init__(self, asked: Callable[[K], R]) -> None:
        self.asked = asked

    def __missing__(self, about: K) -> R:
        answer = self[about] = self.asked(about)
        return answer


def remembered(asked: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """Makes a function of a position and of words or numbers keep its last answers.

    Positions are compared by identity. Callers must not change an answer: others get the same one.
    """
    kept: dict[tuple[Any, ...], tuple[S, R]] = {}

    @wraps(asked)
    def answer(state: S, /, *args: P.args, **named: P.kwargs) -> R:
        key = (id(state), args, *named.items())
        if key not in kept:
            found = asked(state, *args, **named)
            if len(kept) >= MOST_KEPT:
                kept.clear()
            kept[key] = state, found
        return kept[key][1]

    return answer


def remembered_while(part: str) -> Callable[[Callable[[S], R]], Callable[[S], R]]:
    """Makes a function keep its answers as `remembered` does, if it reads only this field of a position: when the rest
    changes, it isn't run again."""

    def remembering(asked: Callable[[S], R]) -> Callable[[S], R]:
        kept: dict[int, tuple[Any, R]] = {}

        @wraps(asked)
        def answer(state: S, /) -> R:
            value = getattr(state, part)
            key = id(value)
            if key not in kept:
                found = asked(state)
                if len(kept) >= MOST_KEPT:
                    kept.clear()
                kept[key] = value, found
            return kept[key][1]

        return answer

    return remembering
