"""What of a reader's files can be checked, by people in the report and by programs in `receipts.json`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.folder.adjudication import seed_of
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.marks import mark_of, receipt_of, sealed
from adjudicator.engine.folder.names import PUBLIC
from adjudicator.engine.folder.post import SHEETS
from adjudicator.engine.sheets.answers import ANSWERS
from adjudicator.engine.table.event import Event, Player, Shuffled, Thrown
from adjudicator.engine.table.secret import encode_secret

KINDS = (SHEETS, ANSWERS)
"""What players send, by folder; in this order their receipts are sealed."""
_ENCODER = msgspec.json.Encoder(enc_hook=encode_secret)


class Fell(Struct, frozen=True, omit_defaults=True):
    """A throw, or an order drawn by lot, as its reader may know it: in which phase, what for, and what fell."""

    phase: str
    what: tuple[str, ...]
    face: int | None = None
    order: tuple[str, ...] | None = None


class Receipts(Struct, frozen=True):
    """`receipts.json`: the match, the SHA-256 of its seed, who reads this and at which phase, and what can be checked.

    `marks` are those of the chain by phase; `told` is the phase of which this tells what was sent for it, empty where
    nobody was due: `used` are the receipts of the reader's own files, by name, and `seals` those of all players,
    sealed. `thrown` are all throws since the reports before.
    """

    match: str
    seed: str
    reader: str
    phase: str
    marks: Mapping[str, str] = {}
    told: str = ""
    used: Mapping[str, str] = {}
    seals: Mapping[Player, str] = {}
    thrown: tuple[Fell, ...] = ()


def for_everybody(match: Folder, first: int, number: int) -> Receipts:
    """What of a phase's reports can be checked by whoever reads them; `first` is the phase of the reports before it.

    `used` are the receipts of all that was sent: of these a reader gets the own ones (`for_reader`). Marks and seals
    are left out where the seed isn't.
    """
    seed, told = seed_of(match), match.phases[first] if match.opening(first).due and first < number else ""
    files = sent_for(match, first) if told else {}
    return Receipts(
        match.card.match,
        match.card.seed,
        "",
        match.phases[number],
        {} if seed is None else marks(match, seed, sorted({first, number})),
        told,
        files,
        {} if seed is None or not told else seals(seed, told, match.card.players, files),
    )


def for_reader(every: Receipts, who: Player | None, thrown: Iterable[Fell]) -> Receipts:
    """All that can be checked of what one reader gets of a phase."""
    own = names_of(who) if who else ()
    used = {name: receipt for name, receipt in every.used.items() if name in own}
    return replace(every, reader=who or PUBLIC, used=used, thrown=tuple(thrown))


def marks(match: Folder, seed: bytes, phases: Iterable[int]) -> dict[str, str]:
    """The marks of the chain at some phases; the first of all has nothing before it.

    Each is the same in every report: a player who has kept an earlier one sees whether the match was played anew.
    """
    return {
        match.phases[each]: mark_of(seed, match.phases[each], match.state(each).chain)
        for each in phases
        if each
    }


def sent_for(match: Folder, number: int) -> dict[str, str]:
    """The receipts of all that players sent for a phase, by name, as it was adjudicated."""
    closed = match.opening(number).closed
    files = closed.files if closed is not None else {}
    kinds = tuple(f"{kind}/" for kind in KINDS)
    return {name: receipt_of(digest) for name, digest in files.items() if name.startswith(kinds)}


def names_of(player: Player) -> list[str]:
    """The names of a player's files in a phase's folder."""
    return [f"{kind}/{player}.yaml" for kind in KINDS]


def seals(seed: bytes, phase: str, players: Iterable[Player], files: Mapping[str, str]) -> dict[Player, str]:
    """The seal of each player for a phase, from the receipts of all that was sent for it."""
    found = {}
    for player in players:
        sheet, answers = (files.get(name, "") for name in names_of(player))
        found[player] = sealed(seed, phase, player, sheet, answers)
    return found


def text_of(receipts: Receipts) -> str:
    """The text of `receipts.json`: a line for each thing that it says."""
    pairs = msgspec.to_builtins(receipts, enc_hook=encode_secret)
    lines = [f"{_json(key)}: {_listed(value)}" for key, value in pairs.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _listed(value: Any) -> str:
    if isinstance(value, list | tuple) and value:
        return "[\n" + ",\n".join(f"  {_json(each)}" for each in value) + "\n]"
    return _json(value)


def _json(value: Any) -> str:
    return _ENCODER.encode(value).decode()


def fallen(phase: str, events: Iterable[Event[Any]]) -> Iterator[Fell]:
    """The throws that events tell of."""
    for event in events:
        if isinstance(event, Thrown):
            yield Fell(phase, event.what, face=event.face)
        elif isinstance(event, Shuffled):
            yield Fell(phase, event.what, order=tuple(map(encode_secret, event.order)))
