"""Where the dice of a phase come from, as named when the phase was closed, and what the source gave later."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from adjudicator.engine.beacon import quicknet

LONGEST = 500
"""Characters of a public text."""


class DiceSource(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A round of drand, or a public text that will be known later, such as `6 aus 49, 28.11.2026`; neither: the match's
    seed alone.
    """

    drand: int = 0
    named: str = ""

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


def problem_of(beacon: Beacon, source: DiceSource, closed: datetime) -> str:
    """Why a beacon can't be what the source gave; empty if it can. `closed` is the instant at which the source was
    named.

    Raises Missing.
    """
    if beacon.source != source:
        return "it is of another source than the one that was named"
    if not source.drand:
        return "" if beacon.text and beacon.text == normalized(beacon.text) else "there is no text in it"
    if not 0 < source.drand < 2**63 or quicknet.time_of(source.drand) <= closed:
        return f"round {source.drand} was out already when it was named"
    if not quicknet.is_signed(source.drand, beacon.signature):
        return f"the signature isn't the one that drand gave for round {source.drand}"
    return ""
