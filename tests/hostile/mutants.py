"""Files of a match with a changed value, key, line or bytes; the same seed gives the same changes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.text.source import Source, read
from adjudicator.engine.text.writing import write

OUTSIDE = "../../../key"
"""From a folder three deep in a match: a file beside the match, which is nobody's business."""
VALUES: tuple[Any, ...] = (
    *(OUTSIDE, "../key", "../../key", "mail/../../../key", "/etc/hostname", "..", ".", "a/b", "a\\..\\b"),
    *("", " ", "nobody", "public", "venice", "end", "opened", "sent", "taken"),
    *("a\nb", "a\x1b[2Jb", "\u2028", "\ud7ff\u202e", "x" * 5000),
    *(None, True, False, 0, -1, 1, 3, 10**6, 10**30, 1.5, [], {}, [None], {"": ""}, {"a": {"b": "c"}}),
    *("0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2026-13-45", "2026-11-25T19:00:00Z", "9999-12-31"),
    *("0000-t1-start", "0001-t1-setup", "0099-t9-market", "0002-t1-auction/../.."),
)
BYTES = (
    b"",
    b"\0",
    b"\xff\xfe",
    b"{",
    b"[" * 40_000,
    b'{"a":' * 40_000,
    b"- " * 20_000,
    b"? " * 20_000,
    b"a: &a [*a]\n",
    b"a: 1\na: 2\n",
    b"\xef\xbb\xbf",
    b"9" * 40_000,
    b"!!python/object:os.system x\n",
)


def mutants(text: bytes, name: str, count: int, seed: str) -> Iterator[bytes]:
    """So many other texts of a file, by its name: most of them still YAML or JSON, with another value."""
    chance = SeededChance(f"{seed} {name}")
    for number in range(count):
        plain = name.endswith((".yaml", ".json", ".jsonl")) and number % 4 != 3
        yield _other_value(text, name, chance) if plain else _other_bytes(text, chance)


def _other_bytes(text: bytes, chance: SeededChance) -> bytes:
    lines = text.splitlines(keepends=True)
    place = chance(len(lines) or 1)
    match chance(5):
        case 0:
            return BYTES[chance(len(BYTES))]
        case 1:
            return b"".join((*lines[:place], BYTES[chance(len(BYTES))], b"\n", *lines[place:]))
        case 2:
            return b"".join((*lines[:place], *lines[place + 1 :]))
        case 3:
            return b"".join((*lines[:place], *lines[place : place + 1], *lines[place:]))
        case _:
            return text[: chance(len(text) or 1)]


def _other_value(text: bytes, name: str, chance: SeededChance) -> bytes:
    if name.endswith(".jsonl"):
        lines = text.splitlines()
        if not lines:
            return b"{}\n"
        place = chance(len(lines))
        lines[place] = json.dumps(_changed(json.loads(lines[place]), chance)).encode()
        return b"\n".join(lines) + b"\n"
    source = read(text, name, most=None)
    assert isinstance(source, Source)
    changed = _changed(source.plain, chance)
    try:
        return json.dumps(changed).encode() if name.endswith(".json") else write(changed).encode()
    except (TypeError, ValueError, AttributeError):  # what can't be written as our YAML is
        return json.dumps(changed).encode()


def _changed(plain: Any, chance: SeededChance) -> Any:
    """The data with one place changed: another value, no such key, another key, twice in a list."""
    plain = deepcopy(plain)
    ways = list(_ways(plain, ()))
    if not ways:
        return VALUES[chance(len(VALUES))]
    way = ways[chance(len(ways))]
    home = plain
    for step in way[:-1]:
        home = home[step]
    key, how = way[-1], chance(8)
    if how == 0:
        del home[key]
    elif how == 1 and isinstance(home, dict):
        home[str(VALUES[chance(len(VALUES))])] = home.pop(key)
    elif how == 1:
        home.append(home[key])
    else:
        home[key] = VALUES[chance(len(VALUES))]
    return plain


def _ways(plain: Any, way: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    items = plain.items() if isinstance(plain, dict) else enumerate(plain) if isinstance(plain, list) else ()
    for key, value in items:
        yield (*way, key)
        yield from _ways(value, (*way, key))
