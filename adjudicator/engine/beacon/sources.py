"""Where the dice of a phase come from, as named when the phase was closed, and what the source gave later."""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime

from msgspec import Struct

from adjudicator.engine.beacon import quicknet

LONGEST = 500
"""Characters of a public text."""


class DiceSource(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A round of drand, or a public text that will be known later, such as `6 aus 49, 28.11.2026`; neither: the match's
    seed alone.

    `words`: of what is drawn only the words and numbers count, however they are spelled. Earlier versions took the text
    as the GM typed it.
    """

    drand: int = 0
    named: str = ""
    words: bool = False

    @property
    def open(self) -> bool:
        """Must something become known before the dice can be thrown?"""
        return bool(self.drand or self.named)


class Beacon(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a source gave: the round's signature in hexadecimal, or the public text itself."""

    source: DiceSource
    signature: str = ""
    text: str = ""

    @property
    def value(self) -> str:
        """The value that the throws depend on; empty if the signature was edited into something impossible."""
        try:
            return quicknet.randomness_of(self.signature) if self.source.drand else self.text
        except ValueError:
            return ""


def normalized(text: str) -> str:
    """A public text as it counts: without spaces at its ends, with single ones within; empty if it can't be one."""
    found = " ".join(text.split())
    return found if found.isprintable() and len(found) <= LONGEST else ""


def drawn_words(text: str) -> str:
    """What counts of a text that was drawn: its words and numbers, in small letters, without leading zeros, the shorter
    ones first, so that no spelling of one draw throws other dice than another. Empty for a text without any, and for
    one with letters or digits other than those of English, for which others could stand that look the same.
    """
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", normalized(text)).casefold())
    plain = "".join(sign for sign in plain if not unicodedata.combining(sign))
    if any(sign.isalnum() and not sign.isascii() for sign in plain):
        return ""
    words = (word.lstrip("0") or "0" for word in re.findall(r"[0-9]+|[a-z]+", plain))
    return normalized(" ".join(sorted(words, key=lambda word: (len(word), word))))


def problem_of(beacon: Beacon, source: DiceSource, closed: datetime) -> str:
    """Why a beacon can't be what the source gave; empty if it can. `closed` is the instant at which the source was
    named.

    Raises Missing.
    """
    if beacon.source != source:
        return "it is of another source than the one that was named"
    if not source.drand:
        counts = drawn_words if source.words else normalized
        return (
            ""
            if beacon.text and beacon.text == counts(beacon.text)
            else "there is no text in it as it counts"
        )
    if not 0 < source.drand < 2**63 or quicknet.time_of(source.drand) <= closed:
        return f"round {source.drand} was out already when it was named"
    if not quicknet.is_signed(source.drand, beacon.signature):
        return f"the signature isn't the one that drand gave for round {source.drand}"
    return ""
