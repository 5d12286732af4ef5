"""Fetching: each mail of a box is taken in, whatever it holds, and only then marked as settled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.text.problem import Problem
from adjudicator.gm.playing import read_to_its_end
from adjudicator.mail.account import Account
from adjudicator.mail.club import club_of
from adjudicator.mail.intake import take
from adjudicator.mail.settling import Came
from adjudicator.mail.ways import inbox


def fetch(
    account: Account,
    paths: Sequence[Path],
    now: datetime,
    tell: Callable[[Came], None],
    others: Sequence[Path] = (),
) -> list[Faulty]:
    """Takes in all new mails for these matches; `tell` hears of each. Returns what is wrong: those mails wait.

    Mails for `others`, and for matches beside the account's file, wait too. A mail is marked when all that comes of it
    is written. Killed in between, it comes again, and is known then.
    At the end, with none left that is for it, a match is told so: it may be what the open phase waits for.
    Raises Faulty when the box can't be reached.
    """
    club, wrong = club_of(account, paths, others)
    if not club.named:
        return wrong
    copied: dict[str, str] = {}
    with inbox(account) as box:
        for arrived in box.new():
            try:
                came = take(arrived.data, arrived.came, now, account, club)
            except Faulty as faulty:
                wrong.append(faulty)
                continue
            except Exception as error:  # a mistake of ours keeps no other mail from being taken
                said = f"the mail {arrived.key} can't be taken in, and stays there; please report: {error!a}"
                wrong.append(Faulty([Problem(account.file, 0, 0, "MAIL", said)]))
                continue
            if came.what == "waits":
                continue
            box.settled(arrived, read=came.settled)
            if came.what != "left" or not arrived.flagged:
                tell(came)
            if came.folder in club.copied and came.what != "double":
                copied[came.folder] = club.copied[came.folder]
    for folder, copy in copied.items():
        tell(Came("copied", folder=folder, because=copy))
    for path in paths:
        if not any(_is_of(path, faulty, account) for faulty in wrong):
            try:
                read_to_its_end(path, now)
            except Faulty as faulty:
                wrong.append(faulty)
    return wrong


def _is_of(path: Path, wrong: Faulty, account: Account) -> bool:
    """Is it the match at that path that something is wrong with, so that a mail for it may have stayed?

    Of the account's file, which may lie in the match, other matches and single mails are told.
    """
    files = (Path(each.file).absolute() for each in wrong.problems if each.file != account.file)
    return any(file.is_relative_to(path.absolute()) for file in files)


def by_account(
    paths: Sequence[Path], account_of: Callable[[Path], Account]
) -> tuple[dict[str, tuple[Account, list[Path]]], list[Faulty]]:
    """Matches by the account that their mail goes by, and what is wrong with those that have none."""
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
