"""What can be checked of a reader's files, as a value: people read it in the report, programs in `receipts.json`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from adjudicator.engine.table.event import Event, Player, Shuffled, Thrown
from adjudicator.engine.table.secret import encode_secret

_ENCODER = msgspec.json.Encoder(enc_hook=encode_secret)


class ToldThrow(Struct, frozen=True, omit_defaults=True):
    """A throw or a shuffle, as its reader may know it: its phase, what it was for, and what came."""

    phase: str
    what: tuple[str, ...]
    face: int | None = None
    order: tuple[str, ...] | None = None


class Drawn(Struct, frozen=True, omit_defaults=True):
    """What was drawn in public for the throws of a phase: in a round of drand, or of the source that was named."""

    phase: str
    value: str
    drand: int = 0
    named: str = ""


class Receipts(Struct, frozen=True):
    """`receipts.json`: the match, the SHA-256 of its seed, its reader and phase, and what can be checked.

    `marks` are those of the chain by phase. `told` is the phase whose sheets the receipts are of, empty if nobody was
    due: `used` are the receipts of the reader's own files, by name, and `seals` those of all players, sealed. `thrown`
    are all throws since the last reports, and `drawn` is what was drawn in public for them.
    """

    match: str
    seed: str
    reader: str
    phase: str
    marks: Mapping[str, str] = {}
    told: str = ""
    used: Mapping[str, str] = {}
    seals: Mapping[Player, str] = {}
    thrown: tuple[ToldThrow, ...] = ()
    drawn: tuple[Drawn, ...] = ()


def text_of(receipts: Receipts) -> str:
    """The text of `receipts.json`: one line for each part."""
    pairs = msgspec.to_builtins(receipts, enc_hook=encode_secret)
    if not receipts.drawn:  # in most matches nothing is ever drawn in public
        del pairs["drawn"]
    lines = [f"{_json(key)}: {_json_lines(value)}" for key, value in pairs.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _json_lines(value: Any) -> str:
    if isinstance(value, list | tuple) and value:
        return "[\n" + ",\n".join(f"  {_json(each)}" for each in value) + "\n]"
    return _json(value)


def _json(value: Any) -> str:
    return _ENCODER.encode(value).decode()


def throws_told(phase: str, events: Iterable[Event[Any]]) -> Iterator[ToldThrow]:
    """The throws in events, as the reader of the events may know them."""
    for event in events:
        if isinstance(event, Thrown):
            yield ToldThrow(phase, event.what, face=event.face)
        elif isinstance(event, Shuffled):
            yield ToldThrow(phase, event.what, order=tuple(map(encode_secret, event.order)))
