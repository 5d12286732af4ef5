"""Players as witnesses: the marks that they have seen, as their sheets and answers name them (`seen`).

A mark stands for everything before its phase. Whoever names it, and keeps the sheet, can show that it was so.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from adjudicator.engine.folder.adjudication import mark_before, seed_of
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.marks import mark_of
from adjudicator.engine.folder.names import STATE, UNDONE
from adjudicator.engine.folder.post import Post
from adjudicator.engine.play.position import PositionFile, read_position
from adjudicator.engine.sheets.sheet import A_MARK, SeenMark
from adjudicator.engine.table.event import Player


def seen_told(match: Folder, number: int, post: Post, seed: bytes) -> dict[Player, SeenMark]:
    """The marks that players named in a phase, as everybody is told: by those who were due, whose sheets are no secret,
    and by all who name a mark that was never ours.
    """
    due, found = match.opening(number).due, seen_marks(match, number, post, seed)
    return {player: each for player, each in found.items() if player in due or each.is_foreign}


def seen_marks(match: Folder, number: int, post: Post, seed: bytes) -> Mapping[Player, SeenMark]:
    """The mark that each player's files of a phase name, for all who name one; the sheet's comes before the answers'.
    Raises Faulty.
    """
    named = {player: post.seen(number, player) for player in match.card.players}
    return {player: seen_mark(match, number, mark, seed) for player, mark in named.items() if mark}


def seen_mark(match: Folder, number: int, mark: str, seed: bytes) -> SeenMark:
    """The report whose mark was named in a phase: that of the phase itself, or an earlier one, or one that was taken
    back. Raises Faulty.
    """
    for each in range(number, -1, -1):
        if mark_before(match, each, seed) == mark:
            return SeenMark(match.phases[each], mark)
    if not A_MARK.fullmatch(mark):
        return SeenMark()
    return SeenMark("", mark, marks_taken_back(match, seed).get(mark, ""))


def marks_taken_back(match: Folder, seed: bytes) -> dict[str, str]:
    """The marks of reports that were taken back (`undo`), each with its phase. Raises Faulty."""
    found = {}
    for where in match.names(UNDONE) if match.has(UNDONE) else ():
        for phase in match.names(f"{UNDONE}/{where}"):
            name = f"{UNDONE}/{where}/{phase}/{STATE}"
            opened = read_position(match.read(name), str(match.path / name)) if match.has(name) else None
            if isinstance(opened, PositionFile):
                found[mark_of(seed, phase, opened.state.chain)] = phase
    return found


def mark_now(match: Folder) -> str:
    """The mark of the open phase; empty without the match's seed."""
    with suppress(Faulty):  # whoever runs the match is told of a seed that isn't the match's
        seed = seed_of(match)
        return "" if seed is None else mark_before(match, match.last, seed)
    return ""
