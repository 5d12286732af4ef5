"""A GM's work by hand: opens a match into a folder, where any command may change it,
and closes it again as a commit."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.folder import papers
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.folder import changing
from adjudicator.engine.folder.folder import open_match as match_in
from adjudicator.engine.folder.gate import Gate
from adjudicator.engine.folder.ledger import ledger_of
from adjudicator.git.keys import RefereeKey
from adjudicator.git.main import fetch_main, work_folder
from adjudicator.git.match_in_main import InMain, open_match
from adjudicator.git.remembered import last_marked
from adjudicator.git.repository import Repository
from adjudicator.git.sealing import sealed_match
from adjudicator.git.seat import write_own
from adjudicator.git.turn import put_into_main
from adjudicator.gm.acts import checked_reason
from adjudicator.gm.editing import enter_edits

OPENED = ".opened.yaml"


class OpenedMatch(Struct, frozen=True, forbid_unknown_fields=True):
    """The clone and the match that a folder was made from, and the commit of `main`."""

    clone: str
    match: str
    commit: str


def open_by_hand(repository: Repository, match: str, into: Path, key: RefereeKey) -> None:
    """Opens a match into a new folder. Raises Faulty, GitFailed."""
    if into.exists() and (not into.is_dir() or any(into.iterdir())):
        raise Faulty([problem(into, "this is there already; name a new folder")])
    commit = fetch_main(repository)
    good = last_marked(repository, commit, match, key)
    if into.exists():
        into.rmdir()
    into.parent.mkdir(parents=True, exist_ok=True)
    open_match(repository, good, key, into)
    write_own(into / OPENED, papers.text_of(OpenedMatch(str(repository.path.absolute()), match, commit)))


def opened_match_of(path: Path) -> OpenedMatch:
    """What a folder was opened from. Raises Faulty."""
    gate = Gate(path)
    if not gate.has(OPENED):
        raise Faulty([problem(path, "this folder wasn't opened by `adjudicator git open`")])
    return papers.read_paper(gate.read(OPENED), str(path / OPENED), OpenedMatch)


def close_by_hand(repository: Repository, path: Path, key: RefereeKey, now: datetime, why: str = "") -> str:
    """Puts an opened match back as a commit; returns the reason that stands there, empty if nothing was changed.

    The reason is that of the acts since the match was opened, if none is given. What else was changed is told to
    everybody (`editing`). Raises Faulty, also if `main` has moved on meanwhile, and GitFailed.
    """
    was = opened_match_of(path)
    with changing(path) as match, work_folder(repository) as work:
        commit = fetch_main(repository)
        before = open_match(
            repository, last_marked(repository, commit, was.match, key), key, work / was.match
        )
        if commit != was.commit and not _is_same(repository, was, before):
            said = (
                "the referee has written to main since this was opened: open it again, and do it again there"
            )
            raise Faulty([problem(path, said)])
        told = checked_reason(why) if why else "; ".join(_reasons(work / was.match, path))
        sealed = sealed_match(match, before, key)
        if sealed.strays:
            raise Faulty(
                [problem(path / name, "this isn't a file of a match: take it away") for name in sealed.strays]
            )
        if not sealed.changes:
            return ""
        enter_edits(work / was.match, match, now, why=told)
        after = put_into_main(
            repository, path, before, key, now, f"{was.match}: {told or checked_reason(why)}"
        )
    write_own(path / OPENED, papers.text_of(replace(was, commit=after.commit)))
    return told


def _is_same(repository: Repository, was: OpenedMatch, now: InMain) -> bool:
    """Is the match in `main` as it was when it was opened, even if other things have changed?"""
    return {item.name: item.number for item in repository.items(was.commit, was.match)} == dict(now.files)


def _reasons(before: Path, after: Path) -> list[str]:
    """The reasons of the acts that were done since."""
    known = len(ledger_of(match_in(before)))
    return [entry.why for entry in ledger_of(match_in(after))[known:] if entry.why]
