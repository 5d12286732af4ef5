"""Fetching: each mail of a mailbox is taken in, whatever it holds, and only then marked as settled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from adjudicator.engine.folder.errors import Faulty, fault_in_words
from adjudicator.engine.text.problem import Problem
from adjudicator.gm.playing import enter_as_read
from adjudicator.mail.account import Account
from adjudicator.mail.club import club_of
from adjudicator.mail.connections import inbox
from adjudicator.mail.intake import take
from adjudicator.mail.settling import MailOutcome


def fetch(
    account: Account,
    paths: Sequence[Path],
    now: datetime,
    tell: Callable[[MailOutcome], None],
    others: Sequence[Path] = (),
) -> tuple[list[Faulty], list[Path]]:
    """Takes in all new mails for these matches, and calls `tell` for each. Returns what is wrong: those mails wait; and
    the matches for which no mail waits.

    Mails for `others`, and for matches beside the account's file, wait too. A mail is marked when all its results are
    written. If the command is killed before that, the mail comes again and is known then.
    At the end the ledger of each match notes that its mail was read, if the open phase waits for that.
    Raises Faulty if the mailbox can't be reached.
    """
    club, wrong = club_of(account, paths, others)
    if not club.named:
        return wrong, []
    copied: dict[str, str] = {}
    with inbox(account) as box:
        for arrived in box.new():
            try:
                came = take(arrived.data, arrived.came, now, account, club)
            except Faulty as faulty:
                wrong.append(faulty)
                continue
            except BaseException as error:  # the other mails are taken all the same
                said = f"the mail {arrived.key} can't be taken in, and stays there: {fault_in_words(error)}"
                wrong.append(Faulty([Problem(account.file, 0, 0, "MAIL", said)]))
                continue
            if came.what == "waits":
                continue
            box.mark_settled(arrived, read=came.is_settled)
            if came.what != "left" or not arrived.flagged:
                tell(came)
            if came.folder in club.copied and came.what != "double":
                copied[came.folder] = club.copied[came.folder]
    for folder, copy in copied.items():
        tell(MailOutcome("copied", folder=folder, because=copy))
    read: list[Path] = []
    for path in paths:
        if not any(_is_at_fault(path, faulty, account) for faulty in wrong):
            try:
                enter_as_read(path, now)
                read.append(path)
            except Faulty as faulty:
                wrong.append(faulty)
    return wrong, read


def _is_at_fault(path: Path, wrong: Faulty, account: Account) -> bool:
    """Is the match at that path faulty, so that a mail for it may still wait?

    Problems at the account's file, which may be in the match, are about other matches and single mails.
    """
    files = (Path(each.file).absolute() for each in wrong.problems if each.file != account.file)
    return any(file.is_relative_to(path.absolute()) for file in files)


def by_account(
    paths: Sequence[Path], account_of: Callable[[Path], Account]
) -> tuple[dict[str, tuple[Account, list[Path]]], list[Faulty]]:
    """Matches by the account of their mail, and what is wrong with those that have no account."""
    found: dict[str, tuple[Account, list[Path]]] = {}
    wrong: list[Faulty] = []
    for path in paths:
        try:
            account = account_of(path)
        except Faulty as faulty:
            wrong.append(faulty)
            continue
        found.setdefault(account.file, (account, []))[1].append(path)
    return found, wrong
