"""What is asked of one position again and again: answered once. Positions never change, so neither do the answers."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

S = TypeVar("S")
P = ParamSpec("P")
R = TypeVar("R")

MOST_KEPT = 16
"""How many answers of one function are kept, and their positions with them."""


def remembered(asked: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """A function of a position and of words or numbers, which keeps its last answers.

    Positions are told apart by identity. Who gets an answer must leave it as it is: others get the same.
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


def remembered_while(*parts: str) -> Callable[[Callable[[S], R]], Callable[[S], R]]:
    """The same for a function that reads these fields of a position and nothing else: however the rest has changed
    since, it is asked again only where one of them is another value."""

    def remembering(asked: Callable[[S], R]) -> Callable[[S], R]:
        kept: dict[tuple[int, ...], tuple[list[Any], R]] = {}

        @wraps(asked)
        def answer(state: S, /) -> R:
            values = [getattr(state, part) for part in parts]
            key = tuple(map(id, values))
            if key not in kept:
                found = asked(state)
                if len(kept) >= MOST_KEPT:
                    kept.clear()
                kept[key] = values, found
            return kept[key][1]

        return answer

    return remembering
