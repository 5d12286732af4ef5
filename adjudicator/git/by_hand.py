"""A GM's work by hand: opens a match into a folder, where any command may change it,
and closes it again as a commit.

New keys for the referee, when one was lost or somebody else may have it: everything is sealed again to them.

What was pushed before stays in the history, readable with the old key; what is pushed from now on isn't.
"""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.door.seats import seats_of
from adjudicator.engine.folder import papers
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.folder import Folder, changing, open_match as match_in
from adjudicator.engine.folder.gate import Gate
from adjudicator.engine.folder.ledger import ledger_of
from adjudicator.engine.folder.names import KEYS
from adjudicator.git.keys import COMMENT, RefereeKey, keys_of, referee_key_in
from adjudicator.git.main import fetch_main, push_main, work_folder
from adjudicator.git.memory import last_marked, matches_marked
from adjudicator.git.reply import Reply, reply_of, write_reply
from adjudicator.git.repository import Repository
from adjudicator.git.sealing import InMain, open_match, sealed_match
from adjudicator.git.seat import REFEREE_KEY, SPARE, SPARE_KEY, home_of, write_new_keys, write_own
from adjudicator.git.turn import put_into_main
from adjudicator.gm.acts import checked_reason
from adjudicator.gm.changing import enter_edits

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


FRESH = "new-"
"""The beginning of the files' names until everything is sealed to the new keys."""


def renew(repository: Repository, key: RefereeKey, now: datetime) -> list[str]:
    """Makes new keys, the job's and a spare, and seals all matches to them, in one commit. Returns the matches.

    `key` is one that counted until now. A renewal that was cut short is finished. Raises Faulty, GitFailed, OSError.
    """
    home = home_of(repository)
    commit = fetch_main(repository)
    matches = matches_marked(repository, commit, key)
    if (home / f"{FRESH}{REFEREE_KEY}").is_file() and not _is_done(repository, commit, matches, home):
        (home / f"{FRESH}{REFEREE_KEY}").unlink()
    if not (home / f"{FRESH}{REFEREE_KEY}").is_file():
        fresh, public = write_new_keys(home, FRESH)
        _push_sealed_anew(repository, commit, matches, key, fresh, public, now)
    for name in (SPARE, SPARE_KEY, REFEREE_KEY):
        os.replace(home / f"{FRESH}{name}", home / name)  # noqa: PTH105
    return matches


def _is_done(repository: Repository, commit: str, matches: list[str], home: Path) -> bool:
    """Has a renewal that was cut short already pushed its commit?"""
    name = home / f"{FRESH}{REFEREE_KEY}"
    key = referee_key_in(name.read_text(encoding="utf-8"), str(name))
    try:
        return all(last_marked(repository, commit, match, key).in_main for match in matches)
    except Faulty:
        return False


def _push_sealed_anew(
    repository: Repository,
    commit: str,
    matches: list[str],
    key: RefereeKey,
    fresh: RefereeKey,
    public: tuple[str, str],
    now: datetime,
) -> None:
    changes: dict[str, bytes | str | None] = {}
    with work_folder(repository) as work:
        for match in matches:
            path = work / match
            before = open_match(repository, last_marked(repository, commit, match, key), key, path)
            with changing(path) as folder:
                folder.add(KEYS, papers.text_of(replace(keys_of(folder), referee=public), COMMENT))
                folder.commit()
            _tell_players(match_in(path), now)
            changes |= sealed_match(match_in(path), before, fresh, key).changes
    push_main(repository, commit, changes, "The referee has new keys", now)


def _tell_players(match: Folder, now: datetime) -> None:
    """Tells the new keys to those who have had a reply; the next job tells the others."""
    for seated in seats_of(match):
        before = reply_of(match, seated.seat.player)
        if before != Reply():
            write_reply(match, seated, before, (), {}, now)
