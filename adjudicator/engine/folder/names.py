"""The names in a match folder: its files, the folders of its phases, and everything a run ever writes."""

from __future__ import annotations

import re
from functools import lru_cache

from adjudicator.engine.table.event import Head

CARD = "match.yaml"
REFEREE = "referee.yaml"
STATE = "state.yaml"
OPEN = "open.yaml"
EVENTS = "events.jsonl"
CLOSED = "closed.yaml"
"""In the folder of a phase that was closed before it was adjudicated: what was fixed then, for everybody."""
BEACON = "beacon.yaml"
"""Beside it: what came of the source that was named for the dice."""
ANSWERED = "answered.yaml"
"""In the folder of a phase that has waited: earlier answers, so that a new file need not repeat them."""
KEYS = "keys.yaml"
"""The public keys to which the files of a match in a git repository are sealed."""
NOTE = "note.md"
SEED = "seed.yaml"
PROOF = "proof.jsonl"
"""At a match's end, beside the seed: a line for each phase with which to check marks, receipts and throws."""
RECEIPTS = "receipts.json"
"""Among each reader's files: everything that programs can check."""
LEDGER = "ledger.jsonl"
ACCOUNT = "mail.yaml"
"""In the match's folder or its parent: the mail account, for the GM alone."""
UNDONE = "undone"
MAIL = "mail"
"""In a phase's folder: each mail taken or held for it, as it came, each answer, and evidence of who sent what."""
FOR = "for"
"""The folder in a phase's folder that a run replaces whole."""
PUBLIC = "public"
"""In the folder `for/`: the folder with what everybody gets, beside the players' own."""

_PHASE = r"([0-9]{4,})-t([0-9]+)-([a-z][a-z0-9-]*)"
_NAME = r"[^\W_][^/\\:\x00-\x1f]*"
_PHASE_FOLDER = re.compile(_PHASE)
_WRITTEN_FILE = re.compile(
    rf"{LEDGER}|{KEYS}|{_PHASE}/(?:{STATE}|{OPEN}|{EVENTS}|{CLOSED}|{BEACON}|{ANSWERED}|{SEED}|{PROOF}"
    rf"|{FOR}/{_NAME}/{_NAME}"
    rf"|(?:sheets|answers)/{_NAME}\.yaml|{MAIL}/{_NAME}\.(?:eml|keys|sig))"
)
_WRITTEN_FOLDER = re.compile(rf"{_PHASE}(?:/sheets|/answers|/{MAIL}|/{FOR}(?:/{_NAME})?)?")
_TAKEN_BACK = re.compile(
    rf"{UNDONE}/[0-9]{{4,}}/({_PHASE}(?:/(?:{EVENTS}|{OPEN}|{CLOSED}|{BEACON}|{ANSWERED}))?)"
)


@lru_cache(maxsize=1024)
def head_of(folder: str) -> Head | None:
    """The number, turn and name of a phase, from the name of its folder; None for any other name."""
    found = _PHASE_FOLDER.fullmatch(folder)
    return Head(int(found[1]), found[3], int(found[2])) if found else None


def is_written(name: str, *, folder: bool = False) -> bool:
    """May a run write a file (or make a folder) of this name in a match?"""
    return (_WRITTEN_FOLDER if folder else _WRITTEN_FILE).fullmatch(name) is not None


def is_public(name: str) -> bool:
    """Does every player get the file or folder of that name in a phase? All others are for the GM alone."""
    return f"/{FOR}/{PUBLIC}/" in f"/{name}/"


def is_left_out(name: str) -> bool:
    """Does `export` leave the file of that name out of a match?

    It leaves out mails and what one player got, which can be made again, and files that the program doesn't know, such
    as the GM's own.
    """
    parts = name.split("/")
    own = "/".join(parts[2:] if parts[0] == UNDONE else parts)
    known = is_written(own) or parts[-1] == NOTE
    return MAIL in parts or (FOR in parts and not is_public(name)) or not known


def is_taken_back(old: str, new: str) -> bool:
    """May `undo` move `old` to `new`?"""
    found = _TAKEN_BACK.fullmatch(new)
    return found is not None and found[1] == old
