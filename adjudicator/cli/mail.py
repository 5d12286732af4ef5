"""`adjudicator mail`: sends phases, takes sheets from a mailbox or a pipe, and makes new tokens."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.mail_lines import not_by_mail, refused_once, tell_mail, tell_sent, unreached
from adjudicator.cli.options import At, MatchFolder, Relays, dice_of, group, matches_among, time_of
from adjudicator.cli.output import echo, echo_problems
from adjudicator.cli.saying import how_to_close_by_hand, sentences_of_run
from adjudicator.engine.folder.errors import Faulty, collecting_faults, problem
from adjudicator.engine.text.problem import as_text

if TYPE_CHECKING:
    from adjudicator.mail.account import Account


TRY_AGAIN = 75
"""The exit status that tells a mail server to try again later (sysexits.h)."""
NOT_NAMED = "the mail is for this match, but the command doesn't name it: name it too"
app = group("mail")
Folders = Annotated[list[Path], typer.Argument(metavar="FOLDER...", help="The folders of matches.")]


@app.callback()
def mail() -> None:
    """Play by mail, with the account in mail.yaml: in the match's folder, or in the folder around it.

    Example: adjudicator mail turn lagoon
    """


@app.command()
def send(folders: Folders, at: At = "") -> None:
    """Mail the open phase to each player, and answers that wait to be sent: each once, even after a crash.

    After the deadline, until the phase closes, it reminds each player whose sheet is missing, once, if the mailbox was
    read since. With the first mail of a match it tries whether answers could be read.

    Status 0, or 1 if something couldn't be sent; the next command sends it.

    Example: adjudicator mail send lagoon alps
    """
    from adjudicator.mail.club import try_inbox, without_copies

    folders, _, wrong = without_copies(matches_among(folders))
    first = [folder for folder in folders if _is_first(folder)]
    wrong += [
        *_problems_of_addresses(folders),
        *_send_all(folders, _time(at, folders)),
        *_try_accounts(first, try_inbox),
    ]
    raise typer.Exit(_tell_problems(wrong))


def _is_first(folder: Path) -> bool:
    """Has no mail of this match been sent yet?"""
    from adjudicator.engine.folder.entries import Sent, of_kind
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.engine.folder.ledger import ledger_of

    try:
        return not of_kind(ledger_of(open_match(folder)), Sent)
    except (Faulty, OSError):  # told when its mail is sent
        return False


@app.command()
def test(folders: Folders, at: At = "") -> None:
    """Try the account: log in where mail comes and where it goes, and send a mail that must come back.

    The mail goes to an address with a plus, as players' mails do, unless `plus: false` says that there are none. No
    other mail is sent, or marked as read.

    Status 0, or 1 if something doesn't work.

    Example: adjudicator mail test lagoon
    """
    from adjudicator.mail.club import try_inbox, try_outgoing, try_round_trip

    now = _time(at, folders)
    wrong = _try_accounts(folders, try_inbox, try_outgoing)
    if not wrong:
        wrong = _try_accounts(folders, lambda account: try_round_trip(account, folders, now))
    raise typer.Exit(_tell_problems(wrong))


def _try_accounts(folders: list[Path], *ways: Callable[[Account], str]) -> list[Faulty]:
    """Tries these ways of each account, says what works, and returns what doesn't."""

    def each(account: Account, _: list[Path]) -> list[Faulty]:
        wrong: list[Faulty] = []
        for way in ways:
            with collecting_faults(Path(account.file), wrong):
                echo(f"{account.file}: {way(account)}")
        return wrong

    return _for_each_account(folders, each)


@app.command()
def week(folders: Folders, at: At = "") -> None:
    """Mail the GM all matches at a glance, a line each, with a page: for cron, once a week.

    It goes to the account's own address. Status 0, or 1 if it couldn't be sent, or a match can't be read.

    Example: adjudicator mail week lagoon alps
    """
    from adjudicator.cli.status import glances
    from adjudicator.mail.digest import send_week

    now = _time(at, folders)

    def each(account: Account, paths: list[Path]) -> list[Faulty]:
        found, unread = glances(paths, now)
        said = [as_text(faulty.problems) for faulty in unread]
        echo(f"{account.file}: {send_week(account, found, said, now)}")
        return unread

    raise typer.Exit(_tell_problems(_for_each_account(matches_among(folders), each)))


@app.command()
def fetch(folders: Folders, at: At = "") -> None:
    """Take sheets from the mailbox, and answer each mail.

    Status 0, or 1 if something went wrong: mails that couldn't be taken stay in the mailbox for the next command.

    Example: adjudicator mail fetch lagoon
    """
    from adjudicator.mail.club import without_copies

    now = _time(at, folders)
    folders, copies, wrong = without_copies(matches_among(folders))
    wrong += [*_fetch_all(folders, now, copies)[0], *_send_all(folders, now, answers=True)]
    raise typer.Exit(_tell_problems(wrong))


@app.command()
def turn(
    folders: Folders,
    quiet: Annotated[
        bool, typer.Option("--quiet", help="Say only what may need you: cron then mails nothing else.")
    ] = False,
    relay: Relays = None,
    at: At = "",
) -> None:
    """Fetch, adjudicate as far as the sheets and the schedule allow, send, and remind: for cron.

    With --quiet it names messages to you, mails that were held and that a player may have sent, mails that came back,
    what players have changed, ends, open seats, and faults.

    Status 0, or 1 if something went wrong with a match; the others go on. A fault is told once, until it changes; on a
    terminal, and by `mail fetch` and `mail send`, each time.

    Example: adjudicator mail turn lagoon alps
    """
    from adjudicator.mail.calendars import write_calendars
    from adjudicator.mail.club import without_copies
    from adjudicator.mail.digest import write_digests
    from adjudicator.mail.news import News, tell_news

    now = _time(at, folders)
    folders, copies, wrong = without_copies(matches_among(folders))
    news = News(folders)
    unread, read = _fetch_all(folders, now, copies, quiet=quiet)
    wrong += unread
    for folder in folders:
        with collecting_faults(folder, wrong):
            wrong += _play_due(folder, now, relay or [], quiet=quiet)
    wrong += [
        *_problems_of_addresses(folders, warn=False),
        *_for_each_account(folders, lambda account, paths: write_digests(account, paths, now)),
        *_send_all(folders, now, by_hand=False, read=read, quiet=quiet),
        *_for_each_account(folders, write_calendars),
        *_for_each_account(folders, lambda account, paths: tell_news(account, news.since(paths))),
        *(unreached(folders) if quiet else ()),
    ]
    raise typer.Exit(_tell_problems(wrong, once=[*folders, *copies], now=now))


def _play_due(folder: Path, now: datetime, relays: Sequence[str], *, quiet: bool) -> list[Faulty]:
    """Plays a match's complete or overdue phases, and says so; if `quiet` only its end and missed sheets. Returns
    what keeps the open phase from being played.
    """
    from msgspec.structs import replace

    from adjudicator.gm.playing import run_if_due
    from adjudicator.gm.regents import let_regents_play
    from adjudicator.gm.situation import Now
    from adjudicator.mail.notices import name_anew_if_untold

    name_anew_if_untold(folder, now)
    regents = let_regents_play(folder, now)
    ran = run_if_due(folder, now, dice_of(relays))
    regents += let_regents_play(folder, now)  # before somebody is asked to take a seat that has opened
    for given in regents:
        echo(f"{folder}: a regent plays {given.player} until somebody takes the seat")
    if (
        ran.adjudicated or ran.closed
    ):  # if nothing was played, problems aren't shown every turn: `status` tells them
        echo_problems(not_by_mail(folder, ran.problems) if quiet else ran.problems)
        for line in sentences_of_run(folder, ran, quiet=quiet):
            echo(f"{folder}: {line}")
    said = problem(folder, f"{ran.open} isn't played: {ran.because}. {how_to_close_by_hand(folder)}")
    if ran.because == Now.FAULTY.value:  # its players were told, and a deadline closes it
        return [] if quiet and _has_deadline(folder) else [Faulty([replace(said, severity="warning")])]
    if ran.undrawn and (ran.until is None or ran.until <= now):  # a round that is still to come is no fault
        return [Faulty([problem(folder, f"{ran.open} isn't played: {ran.because}")])]
    return [Faulty([said])] if ran.stuck else []


def _has_deadline(folder: Path) -> bool:
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.engine.folder.ledger import deadline_in_force, ledger_of

    match = open_match(folder)
    return deadline_in_force(ledger_of(match), match.phases[-1]) is not None


@app.command()
def take(folders: Folders, at: At = "") -> None:
    """Take one mail from the standard input, as mail servers hand them to commands.

    Status 0: the mail was taken; 75: not now, because a run is at work on the match, or because the mail is for a match
    that isn't named; the server tries again.

    Example: adjudicator mail take lagoon < message
    """

    from adjudicator.engine.text.problem import as_text
    from adjudicator.mail.account import account_of
    from adjudicator.mail.club import club_of, without_copies
    from adjudicator.mail.fetching import take as take_in
    from adjudicator.mail.limits import LARGEST

    now = _time(at, folders)
    data = sys.stdin.buffer.read(LARGEST + 1)
    try:
        folders, copies, wrong = without_copies(matches_among(folders))
        if not folders:
            raise wrong[0]
        account = account_of(folders[0])
        club, unread = club_of(account, folders, copies)
        if not club.named:
            raise unread[0]
        came = take_in(data, now, now, account, club)
        if came.what == "waits":
            raise (unread or wrong or [Faulty([problem(Path(came.folder), NOT_NAMED)])])[0]
        tell_mail(came)
    except (Faulty, OSError) as error:
        echo(as_text(error.problems) if isinstance(error, Faulty) else str(error), err=True)
        raise typer.Exit(TRY_AGAIN) from None
    _tell_problems(_send_all(folders, now, answers=True))


@app.command()
def token(
    folder: MatchFolder,
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="Whose token.")],
    new: Annotated[bool, typer.Option("--new", help="Make a new one; the old one no longer counts.")] = False,
) -> None:
    """Show the token by which a player's mails are known; with --new make a new one, if others have seen it.

    The next `mail send` sends the open phase again, with the new token.

    Example: adjudicator mail token lagoon venice --new
    """
    from adjudicator.door.seats import make_anew, token

    if new:
        make_anew(folder, player)
    echo(token(folder, player))


def _time(at: str, folders: list[Path]) -> datetime:
    """The time that a command is given, for a single match in its zone. A wrong clock doesn't stop mails."""
    return time_of(at, folders[0] if at and len(folders) == 1 else None)


def _fetch_all(
    folders: list[Path], now: datetime, copies: list[Path], *, quiet: bool = False
) -> tuple[list[Faulty], list[Path]]:
    """Fetches for all matches; returns what is wrong, and the matches whose mail was read to its end. If `quiet` only
    mails that may need the GM are named.
    """
    from adjudicator.mail.fetching import fetch as fetch_mail

    read: list[Path] = []

    def each(account: Account, paths: list[Path]) -> list[Faulty]:
        wrong, there = fetch_mail(account, paths, now, partial(tell_mail, quiet=quiet), copies)
        read.extend(there)
        return wrong

    return _for_each_account(folders, each), read


def _send_all(
    folders: list[Path],
    now: datetime,
    *,
    answers: bool = False,
    by_hand: bool = True,
    quiet: bool = False,
    read: Sequence[Path] | None = None,
) -> list[Faulty]:
    """Sends match by match; `answers`: only answers, and no new phase. `read` are the matches whose mail was read just
    now, if it was to be.

    Players without an address are named if mail goes to others, and with `by_hand` always: cron doesn't repeat them.
    """
    from msgspec.structs import replace

    from adjudicator.mail.sending import SendResult, send as send_mail

    def each(account: Account, paths: list[Path]) -> list[Faulty]:
        wrong: list[Faulty] = []
        for path in paths:
            with collecting_faults(path, wrong):
                unread = read is not None and path not in read
                went = send_mail(path, account, now, phase=not answers, unread=unread)
                went = went if by_hand or went.sent else replace(went, nowhere=())
                tell_sent(path, SendResult(refused=refused_once(path, went.refused)) if quiet else went)
        return wrong

    return _for_each_account(folders, each)


def _problems_of_addresses(folders: list[Path], *, warn: bool = True) -> list[Faulty]:
    """Addresses of matches to which no mail can go; with `warn` it also tells what seems wrong."""
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.gm.people import problems_of_addresses

    wrong = []
    for folder in folders:
        with collecting_faults(folder, []):  # other faults of a match are told when its mail is sent
            found = problems_of_addresses(open_match(folder))
            if odd := [each for each in found if each.severity == "warning" and warn]:
                echo_problems(odd)
            wrong.append(Faulty([each for each in found if each.severity == "error"]))
    return [faulty for faulty in wrong if faulty.problems]


def _for_each_account(
    folders: list[Path], act: Callable[[Account, list[Path]], list[Faulty]]
) -> list[Faulty]:
    """Does something for the matches of each account; a fault of one account stops no other."""
    from adjudicator.mail.account import account_of
    from adjudicator.mail.fetching import by_account

    found, wrong = by_account(folders, account_of)
    for account, paths in found.values():
        with collecting_faults(Path(account.file), wrong):
            wrong += act(account, paths)
    return wrong


def _tell_problems(wrong: list[Faulty], once: Sequence[Path] = (), now: datetime | None = None) -> int:
    """Tells each problem once, and returns the status; a warning alone is no fault.

    `once`: cron calls the command for these matches, so problems that it has told within a day before `now` are left
    out.
    """
    problems = {problem for faulty in wrong for problem in faulty.problems}
    if once and now is not None:
        from adjudicator.cli.mail_lines import problems_not_told

        problems = problems_not_told(problems, once, now)
    echo_problems(problems)
    return 1 if any(each.severity == "error" for faulty in wrong for each in faulty.problems) else 0
