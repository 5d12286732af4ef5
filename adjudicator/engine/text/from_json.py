"""Reads JSON that somebody else may have written, into typed values."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from adjudicator.engine.text.source import MOST_LEVELS

_SIGNS = re.compile(rb'"(?:[^"\\]|\\.)*+"|([\[{])|([\]}])')


def decode(decoder: msgspec.json.Decoder[Any], text: bytes) -> Any:
    """The value of a text. Raises ValueError, saying what is wrong with it."""
    try:
        if text.count(b"[") + text.count(b"{") > MOST_LEVELS and depth_of(text) > MOST_LEVELS:
            raise ValueError(f"more than {MOST_LEVELS} levels of lists and mappings")
        return decoder.decode(text)
    except (
        NotImplementedError
    ) as error:  # msgspec raises it for types that it can't read, such as a secret of `Any`
        raise ValueError(str(error)) from None


def depth_of(text: bytes) -> int:
    """How deep lists and mappings are nested."""
    depth = most = 0
    for found in _SIGNS.finditer(text):
        depth += (found[1] is not None) - (found[2] is not None)
        most = max(most, depth)
    return most
