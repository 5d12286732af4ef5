"""A game's texts in one language: the one owner of everything kept of them, so that no reader gets another's words.

What a process keeps about the positions and events of a match; it ends with the work on the match.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar
from weakref import WeakSet

from msgspec.structs import replace

from adjudicator.engine.table.rulebook import Rulebook

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
    """The texts of a game in a language, and what was made from them once (`kept`)."""

    __slots__ = ("__weakref__", "game", "language", "made")

    def __init__(self, game: str, language: str) -> None:
        self.game, self.language = game, language
        self.made: dict[Any, Any] = {}


_TEXTS: Recent[tuple[str, str], Texts] = Recent(MOST_TEXTS)


def game_texts(game: str, language: str = "en") -> Texts:
    """The texts of a game, or (by the empty name) the shared ones: the same object while the process keeps it."""
    if (game, language) not in _TEXTS:
        _TEXTS.keep((game, language), Texts(game, language))
    return _TEXTS[game, language]


def texts_of(rulebook: Rulebook[Any]) -> Texts:
    """The texts in a rulebook's language."""
    return game_texts(rulebook.key, rulebook.language)


def forget_texts() -> None:
    """Drops everything kept of texts: they are read again, as from a changed folder."""
    _TEXTS.clear()


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


_READ: Recent[tuple[int, str], tuple[Rulebook[Any], Rulebook[Any]]] = Recent(MOST_TEXTS)
"""A rulebook, and the same one in another language, kept by the rulebook's identity and the language."""


def in_language(rulebook: Rulebook[Any], language: str) -> Rulebook[Any]:
    """The rulebook for a reader of that language: all texts made with it are in that language."""
    if rulebook.language == language:
        return rulebook
    key = (id(rulebook), language)
    if key not in _READ:
        _READ.keep(key, (rulebook, replace(rulebook, language=language)))
    return _READ[key][1]
