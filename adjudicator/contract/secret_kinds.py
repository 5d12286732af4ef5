"""The secrets of a position or an event, each with its kind (`players.*.hand.*`), and how a reader relates to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, get_args, get_origin, get_type_hints

from msgspec import Struct

from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.secret import Private, Secret, secret_fields

ANYBODY = "another player", "the public"
COLLECTIONS = (tuple, Mapping, dict)
Names = tuple[tuple[str, str], ...]
"""The players that one step of a secret's path names: by a field of that name, or by a key (no name)."""


class PlacedSecret(Struct, frozen=True):
    """A secret and its place: its path, the path's kind (`players.*.hand.*`), and the players it names by step."""

    words: tuple[str, ...]
    kind: str
    named: tuple[Names, ...]
    held: Secret[Any]


def secrets_in(
    value: Any, words: tuple[str, ...] = (), kind: tuple[str, ...] = (), named: tuple[Names, ...] = ()
) -> Iterator[PlacedSecret]:
    """All secrets of a position or an event, including nested ones, as far as they are known."""
    if isinstance(value, Secret):
        yield PlacedSecret(words, ".".join(kind), named, value)
        if value.known:
            yield from secrets_in(value.value, words, kind, named)
    elif isinstance(value, Struct):
        fields = value.__struct_fields__
        here = (
            *named,
            tuple((name, held) for name in fields if isinstance(held := getattr(value, name), str)),
        )
        for name in secret_fields(type(value)):
            yield from secrets_in(
                getattr(value, name), (*words, name.rstrip("_")), (*kind, name.rstrip("_")), here
            )
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from secrets_in(item, (*words, str(key)), (*kind, "*"), (*named, (("", str(key)),)))
    elif isinstance(value, tuple):
        for number, item in enumerate(value):
            yield from secrets_in(item, (*words, str(number)), (*kind, "*"), named)


def relation_to(each: PlacedSecret, who: Player | None) -> str:
    """How a reader relates to a secret, in words: as the player named nearest to it, another player, or the public."""
    if who is None:
        return ANYBODY[1]
    for names in reversed(each.named):
        for field, name in names:
            if name == who:
                return f"the player who is its `{field}`" if field else "the player whose it is"
    return ANYBODY[0]


def declared_kinds(rulebook: Rulebook[Any]) -> Iterator[str]:
    """The kinds of all secrets in the types of a position and of the events."""
    yield from kinds_of(rulebook.State, ())
    for event in rulebook.events:
        yield from kinds_of(event, (event.__name__,))


def kinds_of(hint: Any, kind: tuple[str, ...]) -> Iterator[str]:
    """The kinds of the secrets of one type."""
    if (get_origin(hint) or hint) in (Secret, Private):
        yield ".".join(kind)
        yield from kinds_of(get_args(hint)[0], kind)
    elif isinstance(hint, type) and issubclass(hint, Struct):
        hints = get_type_hints(hint)
        for name in secret_fields(hint):
            yield from kinds_of(hints[name], (*kind, name.rstrip("_")))
    else:
        for inside in get_args(hint):
            yield from kinds_of(inside, (*kind, "*") if get_origin(hint) in COLLECTIONS else kind)
