"""Fetching: each mail of a mailbox is taken in, whatever it holds, and only then marked as settled.

Anybody can write a mail. So only its headers are read until its sender is known, and nothing else of a mail that is
beyond the limits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from msgspec.structs import replace

from adjudicator.door.seats import WITHOUT_TOKEN, Seat, Seated, has_sent_enough, is_known, is_to_be_tried
from adjudicator.engine.folder.entries import Bounced, Held, instant, of_kind
from adjudicator.engine.folder.errors import Faulty, collecting_faults, fault_in_words, place_of
from adjudicator.engine.folder.folder import changing, open_match
from adjudicator.engine.folder.ledger import add_entries, ledger_of
from adjudicator.engine.folder.marks import receipt_of
from adjudicator.engine.folder.names import MAIL
from adjudicator.engine.text.problem import Problem
from adjudicator.engine.text.resources import Missing
from adjudicator.gm.playing import enter_as_read
from adjudicator.mail.account import Account
from adjudicator.mail.club import Club, club_of, inbox
from adjudicator.mail.finding import Found, found_in, player_named
from adjudicator.mail.letter import STATUS, Letter, head_in, letter_in
from adjudicator.mail.limits import is_beyond
from adjudicator.mail.sender import (
    Sender,
    bounce,
    is_of_week,
    is_ours,
    mail_bounced,
    observer,
    reason_in,
    robot,
    seats_of_tokens,
    sender_of,
    tokens_in,
)
from adjudicator.mail.settling import MailOutcome, Settling
from adjudicator.mail.who_sent import keys_in_dns

BY_ITS_SHEET = ("several-players", "anothers-token")
"""Reasons to hold a mail for which its sheet may still name the player."""
MAY_BE_ANYBODYS = ("unknown", "address-alone", "address-of-several")
"""Reasons to hold or leave a mail that may be for a match that can't be read now."""
_WITHIN = b"message/rfc822"


def take(data: bytes, came: datetime, now: datetime, account: Account, club: Club) -> MailOutcome:
    """Takes one mail in, for the match whose player sent it. If it raises Faulty, nothing was written.

    A mail for a match that wasn't named `waits`, and so does one that may be for a match that can't be read.
    """
    seats = club.seats
    letter, beyond = head_in(data), is_beyond(data)
    head = letter
    if own := _own(letter, account, seats):
        return MailOutcome(own, letter.id)
    if (came_back := _bounce(data, letter, beyond, now, club)) is not None:
        return came_back
    sender = sender_of(letter, seats)
    if not beyond and not sender.by and _WITHIN in data.lower():
        letter = letter_in(data)
        sender = _by_mail_within(letter, sender, seats)
    if club.unread and sender.because in MAY_BE_ANYBODYS:
        return MailOutcome("waits", letter.id, because=sender.because)
    if sender.seat is None:
        return MailOutcome("left", letter.id, because=sender.because)
    if sender.seat.folder not in club.named:
        return MailOutcome("waits", letter.id, sender.seat.folder)
    if sender.because not in WITHOUT_TOKEN and _has_sent_enough(sender.seat, now):
        return MailOutcome("left", letter.id, sender.seat.folder, sender.seat.player, "too-many")
    found = Found(why="beyond")
    if not beyond:
        letter, found = _read(data, letter)
        if sender.because in BY_ITS_SHEET and (player := player_named(found)):
            sender = sender_of(letter, seats, player)
            if sender.seat is not None and sender.seat.folder not in club.named:
                return MailOutcome("waits", letter.id, sender.seat.folder)
            if sender.seat is not None and sender.by and _has_sent_enough(sender.seat, now):
                return MailOutcome("left", letter.id, sender.seat.folder, sender.seat.player, "too-many")
    # A player's mail isn't taken for a robot's because of what is attached, such as a mail that came back.
    if kind := robot(head if _is_players(head, seats) else letter, known=bool(sender.by)):
        sender = replace(sender, because=kind)
    assert sender.seat is not None
    keys = _keys(data, now, account) if account.evidence and not beyond else b""
    with changing(Path(sender.seat.folder)) as match:
        settling = Settling(match, account, letter, data, min(came, now), now, keys, seats)
        return settling.settle(sender, found)


def _read(data: bytes, head: Letter) -> tuple[Letter, Found]:
    """A mail, and what is in it; if the program fails on it, its head alone."""
    try:
        letter = letter_in(data)
        return letter, found_in(letter)
    except MemoryError:
        raise
    except BaseException as error:
        return head, Found(why="crashed", crash=f"{fault_in_words(error)} ({place_of(error)})")


def _keys(data: bytes, now: datetime, account: Account) -> bytes:
    """The keys of a mail's signatures. Raises Faulty."""
    try:
        return keys_in_dns(data, instant(now))
    except Missing as missing:
        raise Faulty([Problem(account.file, 0, 0, "MAIL", f"evidence: this needs {missing}")]) from None


def _own(letter: Letter, account: Account, seats: Sequence[Seated]) -> str:
    """What a mail that we wrote ourselves is: `ours`, such as a copy, or the GM's `week`; empty for all others."""
    if is_of_week(letter.id) and letter.sender == account.address.lower():
        return "week"
    return "ours" if _is_ours(letter.id, seats) else ""


def _is_ours(message: str, seats: Sequence[Seated]) -> bool:
    """Is the Message-ID that of one of our own mails, such as a copy?"""
    observers = {(each.seed, each.seat.match): observer(each) for each in seats}.values()
    return any(is_ours(each, message) for each in (*seats, *observers))


def _is_players(head: Letter, seats: Sequence[Seated]) -> bool:
    """Does the mail come from a player's address? A mail server's own mails never do."""
    return any(each.address.lower() == head.sender for each in seats if each.address)


def _has_token(head: Letter, seats: Sequence[Seated]) -> bool:
    """Did the mail go to an address with a player's token?"""
    return bool(seats_of_tokens(tokens_in(head.to, "")[0], {each.token: each.seat for each in seats}))


def _bounce(data: bytes, letter: Letter, beyond: bool, now: datetime, club: Club) -> MailOutcome | None:
    """What becomes of a bounce, or of a notice that a mail is delayed; None for other mails. `letter` is its head."""
    players = _is_players(letter, club.seats)
    known = players or _has_token(letter, club.seats)
    kind = bounce(letter, known=known)
    if not kind and (players or not any(one.encode() in data for one in STATUS)):
        return None
    found = mail_bounced(data, club.seats)
    if found is None:
        return MailOutcome("waits" if club.unread else "left", letter.id, because=kind) if kind else None
    letter = letter if beyond else letter_in(data)
    kind = bounce(letter, known=known)
    if kind != "bounce":
        return MailOutcome("left", letter.id, because=kind) if kind else None
    seat, of = found
    if seat.folder not in club.named:
        return MailOutcome("waits", letter.id, seat.folder)
    with changing(Path(seat.folder)) as match:
        if is_known(ledger_of(match), letter.id, seat.player):
            return MailOutcome("double", letter.id, seat.folder, seat.player)
        said = reason_in(letter)
        entry = Bounced(at=instant(now), player=seat.player, message=letter.id, because=said, of=of)
        add_entries(match, entry)
        match.commit()
    return MailOutcome("bounced", letter.id, seat.folder, seat.player, said)


def _by_mail_within(letter: Letter, sender: Sender, seats: Sequence[Seated]) -> Sender:
    """The sender by the token of an attached mail, such as one that first went to a wrong address."""
    for each in letter.within:
        found = sender_of(replace(each, sender=letter.sender, answers=()), seats)
        if found.by:
            return found
    return sender


def _has_sent_enough(seat: Seat, now: datetime) -> bool:
    """Has a player sent so many mails today that no more is read? Each takes work, whatever it holds. Raises Faulty."""
    return has_sent_enough(ledger_of(open_match(Path(seat.folder))), seat.player, now)


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
    wrong += _try_again(account, club, now, tell)
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


def _try_again(
    account: Account, club: Club, now: datetime, tell: Callable[[MailOutcome], None]
) -> list[Faulty]:
    """Takes in the kept mails of open phases on which another version of the program failed."""
    wrong: list[Faulty] = []
    for folder in sorted(club.named):
        with collecting_faults(Path(folder), wrong):
            match = open_match(Path(folder))
            held = [one for one in of_kind(ledger_of(match), Held, match.phases[-1]) if is_to_be_tried(one)]
            for one in {each.mail: each for each in held}.values():
                name = f"{match.phases[-1]}/{MAIL}/{receipt_of(one.mail)}.eml"
                if match.has(name):
                    came = take(match.read(name), one.came or one.at, now, account, club)
                    if came.what not in ("double", "left"):
                        tell(came)
    return wrong


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
