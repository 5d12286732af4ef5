"""`proof.jsonl`: published with the seed at a match's end, so that everybody can check the files they kept.

It holds no secret that the seed doesn't reveal: for each phase the SHA-256 of its files, which make the chain, and what
the throws were made from. `docs/receipts.md` explains how it all fits together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.folder.adjudication import thrown_in
from adjudicator.engine.folder.closing import beacon_for, beacon_text
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.names import CLOSED, OPEN, PROOF
from adjudicator.engine.folder.papers import digest_of_handout, text_of_opening
from adjudicator.engine.folder.post import Mail, Post
from adjudicator.engine.handout.mailed_pages import digests_as_mailed
from adjudicator.engine.play.referee import advance
from adjudicator.engine.table.dice import Dice, Die, OutOfDice, ScriptedDice
from adjudicator.engine.table.event import Shuffled, Thrown
from adjudicator.engine.text.from_json import decode


class Lot(Struct, frozen=True, omit_defaults=True):
    """A throw or a shuffle: what for, its possible faces or items, and the face or the order that came."""

    what: tuple[str, ...]
    among: tuple[Any, ...]
    face: int | None = None
    order: tuple[str, ...] | None = None


class Proof(Struct, frozen=True, omit_defaults=True):
    """What a phase was made from: the SHA-256 of its files, the salts of the due players, in order, and its lots.

    `by_hand` is how many of the lots were made by hand. `lots` is missing if another version of the rulebook played the
    phase, which then can't be played again. `open` is the text of `open.yaml`, whose SHA-256 is among the files, if
    reports were handed out at the phase: it names theirs. The last line, of the end, has them in `handed`, because no
    phase with a mark of it follows. `mailed` are those of the pages as mailed. `closed` is the text of `closed.yaml`,
    and `beacon` that of the `beacon.yaml` that the throws were made with, if there are any.
    """

    phase: str
    files: Mapping[str, str]
    salts: Mapping[str, str]
    by_hand: int
    lots: tuple[Lot, ...] | None
    open: str = ""
    handed: Mapping[str, str] = {}
    mailed: Mapping[str, str] = {}
    closed: str = ""
    beacon: str = ""


class NotingDice:
    """Dice that note every throw of other dice."""

    def __init__(self, dice: Dice) -> None:
        self.dice = dice
        self.lots: list[Lot] = []

    def throw(self, die: Die, what: tuple[str, ...]) -> int:
        """Throws and notes a face."""
        face = self.dice.throw(die, what)
        self.lots.append(Lot(what, tuple(die), face=face))
        return face

    def shuffle(self, items: Sequence[str], what: tuple[str, ...]) -> tuple[str, ...]:
        """Shuffles and notes the order."""
        order = self.dice.shuffle(items, what)
        self.lots.append(Lot(what, tuple(items), order=order))
        return order


def proof_of(match: Folder) -> bytes:
    """The text of `proof.jsonl`, for all phases that were adjudicated. Raises Faulty."""
    post = Post(match)
    lines = [msgspec.json.encode(_proof_of_phase(match, post, number)) for number in range(match.last)]
    return b"".join(line + b"\n" for line in lines)


def proof_in(text: bytes, name: str) -> tuple[Proof, ...]:
    """The lines of a file. Raises Faulty with the first bad line."""
    decoder, found = msgspec.json.Decoder(Proof), []
    for line, each in enumerate(text.splitlines(), start=1):
        try:
            found.append(decode(decoder, each))
        except ValueError as error:
            raise Faulty([problem(f"{name}:{line}", f"this isn't a line of proof: {error}")]) from None
    return tuple(found)


def add_the_end(match: Folder) -> None:
    """Adds the digests of what was handed out at the end to the files about to be published. Raises Faulty.

    They are the last line of `proof.jsonl`, a copy of which everybody gets. The match must be locked.
    """
    top, opening = match.phases[-1], match.opening(match.last)
    name = f"{top}/{PROOF}"
    if not match.has(name):
        return
    lines = [line for line in proof_in(match.read(name), name) if line.phase != top]
    handed = {each: digest for each, digest in opening.handed.items() if not each.endswith(f"/{PROOF}")}
    end = Proof(top, {}, {}, 0, (), handed=handed, mailed=digests_as_mailed(match, match.last))
    text = b"".join(msgspec.json.encode(line) + b"\n" for line in (*lines, end))
    copies = [each for each in opening.handed if each.endswith(f"/{PROOF}")]
    for each in (PROOF, *copies):
        match.add(f"{top}/{each}", text)
    opening = replace(opening, handed={**opening.handed, **dict.fromkeys(copies, digest_of(text))})
    match.add_opening(match.last, replace(opening, told=digest_of_handout(opening)))


def _proof_of_phase(match: Folder, post: Post, number: int) -> Proof:
    beacon = beacon_for(match, number)
    name = f"{match.phases[number]}/{CLOSED}"
    return replace(
        _made_from(match, post, number),
        open=_open(match, number),
        mailed=digests_as_mailed(match, number),
        closed=match.read(name).decode() if match.has(name) else "",
        beacon="" if beacon is None else beacon_text(beacon).decode(),
    )


def _open(match: Folder, number: int) -> str:
    """The text of `open.yaml`, as it went into the chain, of a phase at which reports were handed out."""
    opening = match.opening(number)
    chained = opening.closed is not None and OPEN in opening.closed.files
    return text_of_opening(opening).decode() if chained and opening.handed else ""


def _made_from(match: Folder, post: Post, number: int) -> Proof:
    closed = match.opening(number).closed
    files = closed.files if closed is not None else {}
    by_hand = len(closed.dice) if closed is not None else 0
    if not any(isinstance(event, Thrown | Shuffled) for event in match.events(number)):
        return Proof(match.phases[number], files, {}, by_hand, ())
    mail = post.collect(number)
    salts = {
        player: mail.sheets[player].salt if player in mail.sheets else ""
        for player in match.state(number).phase.due
    }
    return Proof(match.phases[number], files, salts, by_hand, _lots(match, number, mail))


def _lots(match: Folder, number: int, mail: Mail) -> tuple[Lot, ...] | None:
    """The lots of a phase, found by playing it again with the recorded throws."""
    closed, state = match.opening(number).closed, match.state(number)
    if closed is None or int(closed.rules) not in match.rulebook.versions:
        return None
    noted = NotingDice(ScriptedDice(thrown_in(match.events(number))))
    with suppress(OutOfDice):
        advance(match.rulebook, state, mail.inbox(state.options, deadline=closed.deadline), noted)
        return tuple(noted.lots)
    return None
