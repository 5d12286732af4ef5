"""Secrets: an element that some may see (one card, one sum), and the one function that makes views.

In files a secret is written as its plain value for those who may see it, and as the word `hidden` for the others. Who
may see it follows from its place, by one function of the rulebook, and isn't stored with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Generic, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

T = TypeVar("T")
Where = tuple[Any, ...]
Sees = Callable[[Where], bool]
HIDDEN = "hidden"


class Unknown(Exception):
    """A rule needs something that this table doesn't know: the signal that stops the rule in a player's own check."""


class Secret(Generic[T]):
    """A value that some may see. `Secret.hidden()` is what the others get.

    `known`: may the reader see it? `value` is for rules that read their own player's secret; it raises `Unknown` if it
    is hidden.
    """

    __slots__ = ("value",)
    value: T
    known = True

    def __init__(self, value: T) -> None:
        self.value = value

    @classmethod
    def hidden(cls) -> Secret[Any]:
        """Somebody else's secret."""
        return _HIDDEN

    def __eq__(self, other: object) -> bool:
        there: Any = other
        return type(other) in SECRETS and there.known and bool(self.value == there.value)

    def __hash__(self) -> int:
        return hash(self.value)

    def __repr__(self) -> str:
        return f"Secret({self.value!r})"

    def __str__(self) -> str:
        raise TypeError(
            "no text says a secret: write `.value`, and what is said instead where it isn't `known`"
        )


class _Hidden(Secret[Any]):
    """Somebody else's secret."""

    __slots__ = ()
    known = False

    def __init__(self) -> None:
        pass

    @property
    def value(self) -> Any:
        raise Unknown

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Hidden)

    def __hash__(self) -> int:
        return hash(HIDDEN)

    def __repr__(self) -> str:
        return f"Secret({HIDDEN})"


_HIDDEN = _Hidden()


class Untold(_Hidden):
    """A hidden secret of one event, for a reader who remembers what earlier ones have told (`play/known.py`): it may be
    any of those that lay where it comes from, those remembered too.
    """

    __slots__ = ()


class Private(Secret[T]):
    """A secret whose very existence is secret: lists leave it out for those who may not see it."""

    __slots__ = ()


def face_down(cards: Iterable[T]) -> tuple[Secret[T], ...]:
    """Values, each a secret of its own, such as cards in a hand or a deck."""
    return tuple([Secret(card) for card in cards])


def hand_without(hand: Sequence[Secret[T]], gone: Iterable[T]) -> tuple[Secret[T], ...]:
    """A hand without some of its cards; if the reader can't see them, without as many hidden ones."""
    return without_secrets(hand, face_down(gone))


def without_secrets(hand: Sequence[Secret[T]], cards: Iterable[Secret[T]]) -> tuple[Secret[T], ...]:
    """A hand without some cards; the reader may not know these cards, or what the hand holds.

    Raises ValueError if it can't hold them.
    """
    left = list(hand)
    for card in cards:
        if isinstance(card, Untold):  # nobody can say which ones stay
            left = [_HIDDEN if other.known else other for other in left]
        try:
            left.remove(card)
        except ValueError:
            left.remove(_HIDDEN)
    return tuple(left)


def decode_secret(type_: Any, plain: Any) -> Any:
    """The `dec_hook` of every file with secrets in it."""
    kind = get_origin(type_) or type_
    if kind is not Secret and kind is not Private:
        raise NotImplementedError(type_)
    if plain == HIDDEN:
        return _HIDDEN
    (inside,) = get_args(type_) or (Any,)
    return kind(msgspec.convert(plain, inside, dec_hook=decode_secret))


def encode_secret(value: Any) -> Any:
    """The `enc_hook` of every file with secrets in it."""
    if isinstance(value, Secret):
        return value.value if value.known else HIDDEN
    raise NotImplementedError(type(value))


def plain_of(value: Any) -> Any:
    """A value as plain data, tuples as lists, as files hold it."""
    return msgspec.json.decode(msgspec.json.encode(value, enc_hook=encode_secret))


PLAIN = frozenset((str, int, float, bool, type(None)))
"""Types that can hold no secret; most values have one of them."""
SECRETS = frozenset((Secret, Private, _Hidden, Untold))


def view(value: T, sees: Sees, where: Where = ()) -> T:
    """`value` with every secret hidden that `sees` denies; types without secrets pass unchanged.

    `where` is the path to it: names of fields and keys; for an event, the event itself first.
    """
    there: Any = value
    kind = type(value)
    if kind in PLAIN:
        return value
    if kind is dict:
        return {key: view(item, sees, (*where, key)) for key, item in there.items()}  # type: ignore[return-value]
    if kind is tuple:
        return _view_of_list(there, sees, where) if there else there  # type: ignore[return-value]
    if kind in SECRETS:
        if not there.known or not sees(where):
            return _HIDDEN  # type: ignore[return-value]
        inside = there.value
        if type(inside) in PLAIN:
            return value
        seen = view(inside, sees, where)
        return value if seen is inside else kind(seen)  # type: ignore[call-arg]
    changes = {}
    for name in secret_fields(kind):  # type: ignore[arg-type]
        inside = getattr(there, name)
        seen = view(inside, sees, (*where, name))
        if seen is not inside:
            changes[name] = seen
    return msgspec.structs.replace(there, **changes) if changes else value


def _view_of_list(values: tuple[Any, ...], sees: Sees, where: Where) -> tuple[Any, ...]:
    kept = []
    for index, item in enumerate(values):
        if type(item) is Secret and type(item.value) in PLAIN:  # most items are single cards
            kept.append(item if sees((*where, index)) else _HIDDEN)
            continue
        seen = view(item, sees, (*where, index))
        if seen is not _HIDDEN or not isinstance(item, Private):
            kept.append(seen)
    return tuple(kept)


@cache
def secret_fields(kind: type[Any]) -> tuple[str, ...]:
    """The fields of a struct that contain a secret, at any depth; none of what is no struct.

    Raises TypeError for a type of list or mapping that a view wouldn't look into.
    """
    if not issubclass(kind, Struct):
        if issubclass(kind, Secret | tuple | Mapping):
            raise TypeError(kind)
        return ()
    hints = hints_of(kind)
    return tuple(name for name in kind.__struct_fields__ if _holds_secret(hints[name]))


@cache
def hints_of(kind: type[Any]) -> Mapping[str, Any]:
    """The types of a struct's fields."""
    return get_type_hints(kind)


def _holds_secret(hint: Any) -> bool:
    if (get_origin(hint) or hint) in (Secret, Private):
        return True
    if isinstance(hint, type) and issubclass(hint, Struct):
        return bool(secret_fields(hint))
    return any(_holds_secret(inside) for inside in get_args(hint))
