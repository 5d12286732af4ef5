"""The record of a phase: `events.jsonl`, one event a line, with nothing hidden."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, Union

import msgspec

from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.table.event import Event
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.secret import decode_secret, encode_secret
from adjudicator.engine.text.from_json import decode
from adjudicator.engine.text.problem import Problem

AS_JSON: msgspec.json.Decoder[dict[str, Any]] = msgspec.json.Decoder(dict[str, Any])
"""Reads a line as it stands, whatever its event is."""
_ENCODER = msgspec.json.Encoder(enc_hook=encode_secret)


def lines_of(events: Iterable[Event[Any]]) -> list[bytes]:
    """The events as lines of `events.jsonl`, without line ends."""
    return [_ENCODER.encode(event) for event in events]


def text_of(lines: Iterable[bytes]) -> bytes:
    """The text of `events.jsonl`."""
    return b"".join(line + b"\n" for line in lines)


def events_in(rulebook: Rulebook[Any], text: bytes, name: str) -> tuple[Event[Any], ...]:
    """The events of a file. Raises Faulty with the first bad line."""
    decoder = _decoder(rulebook.events)
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            found.append(decode(decoder, line))
        except ValueError as error:
            raise Faulty([Problem(name, number, 1, "MATCH", f"this isn't an event: {error}")]) from None
    return tuple(found)


@cache
def _decoder(events: tuple[type[Event[Any]], ...]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(Union[events], dec_hook=decode_secret)  # noqa: UP007  made of a tuple
