"""The mailbox of an account: the matches that share it, those that a command names and all others beside its
`mail.yaml`; and whether mail can be read in it, sent, and comes back.

A mail that was settled doesn't come again. So a mail is settled only if it is for a named match, or is known to be for
no match. Two folders of one match have the same tokens; mail is never taken for both.

The mailbox itself and the account's way to send are opened here too, and their libraries loaded only then.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from adjudicator.door.seats import Seated, all_seats
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.names import CARD
from adjudicator.engine.text.problem import Problem, counted
from adjudicator.mail.account import Account, account_of, server_in_words, words_of
from adjudicator.mail.answer import button_of, message_without_text
from adjudicator.mail.boxes import Mailbox, MailRefused, Outgoing
from adjudicator.mail.letter import head_in
from adjudicator.mail.sender import observer

PAUSE = 1.0
"""Seconds between two looks for a mail that was sent."""


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


def matches_of(account: Account, paths: Sequence[Path]) -> list[Path]:
    """These matches of an account, and the others that share its mailbox."""
    return _new([*paths, *_matches_beside(account, paths)], set())


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


def try_inbox(account: Account) -> str:
    """Opens the mailbox and reads no mail; returns a sentence that says so. Raises Faulty."""
    with inbox(account):
        pass
    if account.imap is None:
        return f"mail can be read in the Maildir {account.maildir}"
    return f"mail can be read in {account.folder} of {server_in_words(account.imap, outgoing=False)}"


def try_outgoing(account: Account) -> str:
    """Begins to send, and sends nothing; returns a sentence that says so. Raises Faulty."""
    with outgoing(account):
        pass
    if account.smtp is not None:
        return f"mail can be sent by {server_in_words(account.smtp, outgoing=True)}"
    program = words_of(account.sendmail)[0]
    if shutil.which(program) is None:
        raise Faulty([problem(account.file, f"sendmail: there is no command {program}")])
    return f"mail is handed to {program}; whether that can send it shows when it does"


def try_round_trip(
    account: Account, folders: Sequence[Path], now: datetime, wait: Callable[[float], None] = time.sleep
) -> str:
    """Sends a mail to an address of the account such as a player's Reply-To, waits for it in the mailbox, and settles
    it; returns a sentence that says so. Raises Faulty, also if it doesn't come within the account's timeout.
    """
    seats, wrong = all_seats(folders)
    if not seats:
        raise wrong[0] if wrong else Faulty([problem(account.file, "there is no match to try it for")])
    here = observer(seats[0], account.address)
    to = button_of(account, here)
    message = message_without_text(
        account, here, f"test {now:%Y%m%dT%H%M%S.%f}", "adjudicator mail test", now
    )
    message.replace_header("To", to)
    message.set_content("A mail of `adjudicator mail test`, which looks for it in the mailbox.\n")
    try:
        with outgoing(account) as out:
            out.send(message.as_bytes(), [to])
    except MailRefused as refused:
        raise Faulty(
            [problem(account.file, f"a mail to {to} was refused: {refused}{_without_plus(account)}")]
        ) from None
    for _ in range(account.timeout):
        if _came(account, str(message["Message-ID"])):
            return f"a mail to {to} has come back"
        wait(PAUSE)
    said = f"a mail to {to} was sent, and didn't come back within {counted(account.timeout, 'second')}"
    raise Faulty([problem(account.file, f"{said}{_without_plus(account)}")])


def _without_plus(account: Account) -> str:
    return "; if your server knows no addresses with a plus, write `plus: false`" if account.plus else ""


def _came(account: Account, number: str) -> bool:
    """Is the mail of that Message-ID in the mailbox? Then it is marked as settled."""
    with inbox(account) as box:
        for arrived in box.new():
            if head_in(arrived.data).id == number:
                box.mark_settled(arrived, read=True)
                return True
    return False
