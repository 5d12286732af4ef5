"""The matches that share a mailbox: those that a command names, and all others beside its `mail.yaml`.

A mail that was settled doesn't come again. So a mail is settled only if it is for a named match, or is known to be for
no match. Two folders of one match have the same tokens; mail is never taken for both.

The mailbox itself and the account's way to send are opened here too, and their libraries loaded only then.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from msgspec import Struct

from adjudicator.door.seats import Seated, all_seats
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.names import CARD
from adjudicator.engine.text.problem import Problem
from adjudicator.mail.account import Account, account_of
from adjudicator.mail.boxes import Mailbox, Outgoing


class Club(Struct, frozen=True):
    """The `seats` of all readable matches, and the folders of those for which mail is taken now (`named`).

    `unread`: some match can't be read, so a mail that seems to be for no match may be for that one. `copied` maps a
    named folder to a copy of its match beside it.
    """

    seats: Sequence[Seated]
    named: frozenset[str]
    unread: bool = False
    copied: dict[str, str] = {}


def club_of(
    account: Account, paths: Sequence[Path], others: Iterable[Path] = ()
) -> tuple[Club, list[Faulty]]:
    """The matches of an account: those named, those beside its file, and `others`; and what is wrong with any."""
    mine, wrong = all_seats(paths)
    beside, unread = all_seats(
        _new([*_matches_beside(account, paths), *others], {_real(path) for path in paths})
    )
    named = {_key(each): each.seat.folder for each in mine}
    copied = {named[_key(each)]: each.seat.folder for each in beside if _key(each) in named}
    seats = (*mine, *(each for each in beside if _key(each) not in named))
    return Club(seats, frozenset(named.values()), bool(wrong or unread), copied), wrong + _unreadable(
        account, unread
    )


def without_copies(paths: Sequence[Path]) -> tuple[list[Path], list[Path], list[Faulty]]:
    """Folders of different matches; the folders that are copies of one match; and the problems that say so.

    A folder that is named twice counts once.
    """
    once = _new(paths, set())
    of_match: dict[tuple[str, bytes], list[Path]] = {}
    for path in once:
        seats, _ = all_seats([path])  # a match that can't be read is reported where it is used
        if seats:
            of_match.setdefault(_key(seats[0]), []).append(path)
    refused = [path for same in of_match.values() if len(same) > 1 for path in same]
    wrong = [_problem_of_copies(path, same) for same in of_match.values() if len(same) > 1 for path in same]
    return [path for path in once if path not in refused], refused, wrong


def _problem_of_copies(path: Path, same: Sequence[Path]) -> Faulty:
    others = ", ".join(str(other) for other in same if other != path)
    said = f"{others} is the same match, one of them a copy: name only one, or move the copy elsewhere"
    return Faulty(
        [problem(path, f"{said}. Nothing was done with either, and their mail stays in the mailbox")]
    )


def _unreadable(account: Account, unread: Iterable[Faulty]) -> list[Faulty]:
    """The problems of matches that weren't named and can't be read."""
    said = "mail that may be for this match stays in the mailbox until the match can be read"
    files = {one.file: one for faulty in unread for one in faulty.problems[:1]}
    return [
        Faulty([one, Problem(account.file, 0, 0, "MAIL", f"{said}: {one.file}")]) for one in files.values()
    ]


def _key(each: Seated) -> tuple[str, bytes]:
    """A match's name and seed, from which its tokens follow: two folders with the same ones are copies of one match."""
    return each.seat.match, each.seed


def _real(path: Path) -> str:
    return os.path.realpath(path)


def _new(paths: Iterable[Path], known: set[str]) -> list[Path]:
    """The folders that aren't known, each once, even under several names."""
    found: dict[str, Path] = {}
    for path in paths:
        if (real := _real(path)) not in known:
            found.setdefault(real, path)
    return list(found.values())


def _matches_beside(account: Account, paths: Iterable[Path]) -> Iterator[Path]:
    """The matches that share the mailbox: beside the account's file, or beside the match that holds the file."""
    home = Path(account.file).parent
    homes = {
        _real(home if not os.path.lexists(home / CARD) else home.parent),
        *(_real(path.parent) for path in paths),
    }
    for folder in sorted(homes):
        try:
            found = sorted(Path(folder).iterdir())
        except OSError:
            continue
        for path in found:
            if os.path.lexists(path / CARD) and _same_box(account, path):
                yield path


def _same_box(account: Account, match: Path) -> bool:
    """Does a match's mail come into the account's mailbox? If its account can't be read, it may."""
    try:
        other = account_of(match)
    except Faulty:
        return True
    return _box(account) == _box(other)


def _box(account: Account) -> tuple[str, ...]:
    if account.maildir:
        return (_real(Path(account.file).parent / Path(account.maildir).expanduser()),)
    assert account.imap is not None
    return account.imap.host, account.user or account.address, account.folder


def inbox(account: Account) -> AbstractContextManager[Mailbox]:
    """The account's mailbox. Raises Faulty."""
    if account.maildir:
        from adjudicator.mail.boxes import opened_maildir

        return opened_maildir(account)
    from adjudicator.mail.imap import opened_imap

    return opened_imap(account)


def outgoing(account: Account) -> AbstractContextManager[Outgoing]:
    """The account's way to send. Raises Faulty."""
    if account.sendmail:
        from adjudicator.mail.boxes import through_command

        return through_command(account)
    from adjudicator.mail.smtp import through_smtp

    return through_smtp(account)
