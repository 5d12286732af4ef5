"""`proof.jsonl`: published with the seed at a match's end, so that everybody can check the files they kept.

It holds no secret that the seed doesn't reveal: for each phase the SHA-256 of its files, which make the chain, and what
the throws were made from. `docs/receipts.md` explains how it all fits together.

The page on which a browser throws all dice of a match again, once it is over and its seed is published.

What drand gave for them it checks against drand's public key.

A finished match ready to be handed on: with everything needed to verify it, and nothing private.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.beacon import quicknet
from adjudicator.engine.beacon.quicknet import Beacon, DiceSource
from adjudicator.engine.folder import disk
from adjudicator.engine.folder.adjudication import ClosedPhase, beacon_for, beacon_text, thrown_in
from adjudicator.engine.folder.commit import lay_out
from adjudicator.engine.folder.disk import staging
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.gate import Kind, kind_of
from adjudicator.engine.folder.names import CARD, CLOSED, LEDGER, OPEN, PROOF, SEED, UNDONE, is_left_out
from adjudicator.engine.folder.papers import digest_of_handout, read_paper, text_of_opening
from adjudicator.engine.folder.post import Mail, Post
from adjudicator.engine.handout.for_all import digests_as_mailed
from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.play.referee import advance
from adjudicator.engine.report.template import environment
from adjudicator.engine.table.dice import Dice, Die, OutOfDice, ScriptedDice
from adjudicator.engine.table.event import Shuffled, Thrown
from adjudicator.engine.text.typed import decode


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


PAGE = "dice.html"
SECONDS = "%Y-%m-%d %H:%M:%S UTC"


def has_dice(match: Folder) -> bool:
    """Are the seed and the proof of a match published, so that anybody can throw its dice again?"""
    return (
        match.head(match.last).over
        and match.has(f"{match.phases[-1]}/{PROOF}")
        and match.secrets() is not None
    )


def dice_page(match: Folder) -> str:
    """The page: every throw with its text, which a script makes again from the seed. Raises Faulty."""
    name = f"{match.phases[-1]}/{PROOF}"
    secrets = match.secrets()
    assert secrets is not None
    phases = list(thrown_phases(proof_in(match.read(name), name)))
    data = {
        "match": match.card.match,
        "seed": secrets.seed,
        "commitment": match.card.seed,
        "phases": phases,
        "drand": {"key": quicknet.PUBLIC_KEY.hex(), "domain": quicknet.DOMAIN.decode()},
    }
    frame = environment(texts_of(match.rulebook_for(None))).get_template("dice.html.j2")
    return str(frame.render(match=match.card, data=data, phases=phases)).rstrip("\n") + "\n"


def thrown_phases(proofs: Iterable[Proof]) -> Iterator[Mapping[str, Any]]:
    """Each phase with throws, as the script needs it. Raises Faulty.

    Throws made by hand come first, and can't be made again.
    """
    named: dict[DiceSource, datetime] = {}
    for proof in proofs:
        if proof.closed:
            closed = read_paper(proof.closed.encode(), PROOF, ClosedPhase)
            named[closed.dice] = closed.named_at
        if not proof.lots:
            continue
        beacon = read_paper(proof.beacon.encode(), PROOF, Beacon) if proof.beacon else None
        yield {
            "phase": proof.phase,
            "number": int(proof.phase.partition("-")[0]),
            "salts": list(proof.salts.values()),
            "drawn": beacon.value if beacon else "",
            "round": round_given(beacon, named) if beacon and beacon.source.drand else None,
            "lots": [
                {**msgspec.to_builtins(lot), "hand": index < proof.by_hand}
                for index, lot in enumerate(proof.lots)
            ],
        }


def round_given(beacon: Beacon, named: Mapping[DiceSource, datetime]) -> Mapping[str, Any]:
    """A round of drand: its number and signature, when it came out, and when it had been named."""
    number = beacon.source.drand
    return {
        "number": number,
        "message": quicknet.message_of(number).hex(),
        "signature": beacon.signature,
        "out": f"{quicknet.time_of(number):{SECONDS}}",
        "named": f"{named[beacon.source]:{SECONDS}}" if beacon.source in named else "",
    }


def export(match: Folder, out: Path) -> list[str]:
    """Writes the match into a new folder: positions, events, sheets and the public reports, but no mail, address or
    token.

    Returns the names of its files. Raises Faulty for a match whose seed isn't published, because its positions are
    secret, and if the folder exists already; OSError.
    """
    if not match.has(f"{match.phases[-1]}/{SEED}"):
        said = "the match isn't over, so its files are secret; `adjudicator site` writes the public ones"
        raise Faulty([problem(match.path, said)])
    if kind_of(out) is not Kind.NOTHING:
        raise Faulty([problem(out, "this is there already; name a new folder")])
    tops = [*match.phases, *([UNDONE] if match.has(UNDONE) else [])]
    names = [name for name in (CARD, LEDGER) if match.has(name)]
    for top in tops:
        below = match.below(top, without=lambda path: path.rpartition("/")[2].startswith("."))
        names += [name for name in below if not is_left_out(name)]
    out.parent.mkdir(parents=True, exist_ok=True)
    with staging(out.with_name(f".{out.name}.tmp")) as made:
        lay_out(made, {name: match.read(name) for name in names})
        disk.rename(made, out)
        disk.sync([out.parent])
    return names
