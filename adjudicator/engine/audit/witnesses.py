"""What players saw of a match: which phases their sheets fix, and which sheets contradict it.

A sheet that names a mark (`seen`) fixes all phases before the one whose reports have that mark: were any of them
changed since, the mark would be another one, and the sheet that its player has kept would say so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from msgspec import Struct

from adjudicator.engine.audit.received import KeptSheet, is_of, receipts_in
from adjudicator.engine.folder.errors import problem
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.marks import KINDS, mark_before, marks_taken_back, receipt_of, seen_marks
from adjudicator.engine.folder.names import FOR, PUBLIC, RECEIPTS
from adjudicator.engine.folder.post import Post
from adjudicator.engine.table.event import Player
from adjudicator.engine.text.problem import Problem

MENDED = "; if you mailed it and the program mended it, the answer names the receipt: give it with --receipt"

TAKEN_BACK = "; it names the mark of a report that was taken back, so leave this sheet out"


class Witnesses(Struct, frozen=True):
    """Who has seen what of a match. `players` are the people in it, without bots; `latest` is the number of the last
    phase whose mark each has named; `contradicted`: sheets name marks that no report of the match has.
    """

    phases: tuple[str, ...] = ()
    players: tuple[Player, ...] = ()
    latest: Mapping[Player, int] = {}
    contradicted: bool = False

    def of(self, number: int) -> tuple[Player, ...]:
        """In front of whom a phase is fixed."""
        return tuple(player for player in self.players if self.latest.get(player, 0) > number)

    def stretches(self) -> Iterator[tuple[str, tuple[Player, ...]]]:
        """The phases one after another, each stretch that is fixed in front of the same players on its own; nothing if
        nobody has named a mark.
        """
        numbers = range(len(self.phases)) if self.latest else ()
        for players, same in groupby(numbers, self.of):
            first, *_, last = [*same] * 2
            yield self.phases[first] + (f" to {self.phases[last]}" if first < last else ""), players


def witnesses_of(match: Folder, post: Post, seed: bytes, problems: list[Problem]) -> Witnesses:
    """Who has seen what of a match. Sheets that contradict it are added to the problems: as warnings, if the reports
    told everybody so. Raises Faulty.
    """
    secrets = match.secrets()
    bots = {} if secrets is None else {**match.card.bots, **secrets.bots}
    numbers = {name: number for number, name in enumerate(match.phases)}
    latest: dict[Player, int] = {}
    contradicted = False
    for number, name in enumerate(match.phases):
        for player, seen in seen_marks(match, number, post, seed).items():
            if seen.phase:
                latest[player] = max(latest.get(player, 0), numbers[seen.phase])
                continue
            if not seen.is_foreign:
                continue
            contradicted = True
            told = _is_told(match, number, player)
            said = "it names a mark that no report of this match has" + (
                "" if told else ", and no report said so"
            )
            where = match.path / name / f"{KINDS[0]}/{player}.yaml"
            problems.append(Problem(str(where), 0, 0, "MATCH", said, "warning" if told else "error"))
    people = tuple(player for player in match.card.players if player not in bots)
    return Witnesses(tuple(match.phases[: match.last]), people, latest, contradicted)


def _is_told(match: Folder, number: int, player: Player) -> bool:
    """Do the reports after a phase say that a player's sheet names another mark, as far as there are any here?"""
    for each in match.phases[number + 1 :]:
        name = f"{each}/{FOR}/{PUBLIC}/{RECEIPTS}"
        if match.has(name):
            seen = receipts_in(match.read(name), str(match.path / name)).seen
            return player in seen and seen[player].is_foreign
    return True


def check_kept(match: Folder, seed: bytes | None, kept: Iterable[KeptSheet]) -> Iterator[Problem]:
    """Checks that the sheets that players kept are those that a match was played with, and that it has the marks that
    they name. Raises Faulty.
    """
    marks = [] if seed is None else [mark_before(match, number, seed) for number in range(match.last + 1)]
    back = {} if seed is None else marks_taken_back(match, seed)
    for one in kept:
        if one.seen and marks and one.seen not in (*marks, *back):
            said = f"it names the mark {one.seen}, which no report of {match.path} has: rewritten since"
            yield problem(one.place, said)
        used = list(_used(match, one))
        if one.receipt not in used:
            other = f"{' and '.join(used)} was used" if used else "no sheet was used"
            why = TAKEN_BACK if one.seen in back else MENDED
            yield problem(
                one.place, f"in {one.phase or 'this match'} {other}, and not this ({one.receipt}){why}"
            )


def _used(match: Folder, kept: KeptSheet) -> Iterator[str]:
    """The receipts of the files that a phase was played with, for which a kept sheet may stand."""
    post = Post(match)
    for number, name in enumerate(match.phases):
        if kept.phase and not is_of(kept, name):
            continue
        for file, digest in post.collect(number).files.items():
            kind, player = file.removesuffix(".yaml").split("/")[1:]
            if kept.player in ("", player) and kept.kind in ("", kind):
                yield receipt_of(digest)
