"""What `adjudicator mail` says of each mail that came, of those that were sent, and of faults: each once, as cron mails
every line.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from adjudicator.cli.output import echo
from adjudicator.engine.folder import disk
from adjudicator.engine.folder.errors import Faulty, collecting_faults, problem
from adjudicator.engine.folder.gate import NotPlain, read_plain
from adjudicator.engine.folder.names import ACCOUNT

if TYPE_CHECKING:
    from datetime import datetime

    from adjudicator.engine.text.problem import Problem
    from adjudicator.mail.sending import SendResult
    from adjudicator.mail.settling import MailOutcome

MOST_WORDS = 4000
"""Characters of a player's words that are shown; the whole mail is in the mailbox and in the phase's `mail/`."""
TOLD = "mail.told"
"""The file beside `mail.yaml` with digests of the problems that were told, a line for each set of matches."""
MOST = 50
"""Lines that are kept in it."""
AGAIN = 24
"""Hours after which a fault that lasts is told again."""


def tell_mail(came: MailOutcome, *, quiet: bool = False) -> None:
    """What became of a mail, and the words in it that are for the GM; if `quiet` only of one that may need the GM."""
    where = f"{came.folder}: " if came.folder else ""
    if came.what == "copied":
        echo(
            f"{where}{came.because} is a copy of this match: this folder got the mail, because the command names it"
        )
        return
    of = f" of {came.player}" if came.player else ""
    why = (
        f" ({', '.join(each for each in (came.because, *came.asked) if each)})"
        if came.because or came.asked
        else ""
    )
    # A mail to a match that is over needs no attention, unless it has a message: the sender was told.
    nobodys = came.what == "left" and came.because == "unknown"  # it stays in the mailbox as any other mail
    settled = quiet and (nobodys or (came.is_settled and came.what != "bounced"))
    if came.what not in ("ours", "week", "double") and not settled and (came.because != "over" or came.words):
        echo(f"{where}{came.what}{of}{why}: {came.message}")
        for line in came.words[:MOST_WORDS].splitlines():
            echo(f"  | {line}".rstrip())
    for line in came.news:
        echo(f"{where}{line}")


def tell_sent(path: Path, went: SendResult) -> None:
    """What became of the mails that a match sent, a line for each kind."""
    for said, names in (
        ("answered", went.answered),
        ("sent to", went.sent),
        ("reminded", went.reminded),
        ("told what was done:", went.told),
        ("carried a message to", went.messages),
        ("mailed what all matches ask to", went.digests),
        ("asked somebody who waits to play", went.invited),
        ("had gone already to", went.before),
        ("refused for", went.refused),
        ("no address for", went.nowhere),
    ):
        if names:
            echo(f"{path}: {said} {', '.join(dict.fromkeys(names))}")


def refused_once(path: Path, refused: Sequence[str]) -> tuple[str, ...]:
    """Those whose mail was refused, without those of whom `unreached` tells."""
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.mail.mails_to_send import undelivered

    lasting = {player for player, _ in undelivered(open_match(path))}
    return tuple(each for each in refused if each.partition(" ")[0] not in lasting)


def not_by_mail(path: Path, problems: Iterable[Problem]) -> list[Problem]:
    """The problems of files that didn't come by mail: of those that did, the answers have told their players."""
    from adjudicator.engine.folder.entries import Taken, of_kind
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.engine.folder.ledger import ledger_of

    taken = of_kind(ledger_of(open_match(path)), Taken)
    mailed = {str(path / one.phase / one.file) for one in taken}
    return [each for each in problems if each.file not in mailed]


def unreached(folders: list[Path]) -> list[Faulty]:
    """Whom the mail of an open phase didn't reach, as long as it lasts: warnings, as the match itself has no fault."""
    from msgspec.structs import replace

    from adjudicator.cli.saying import sentences_of_undelivered
    from adjudicator.engine.folder.folder import open_match

    found = []
    for folder in folders:
        with collecting_faults(folder, []):  # other faults of a match are told when its mail is sent
            said = sentences_of_undelivered(open_match(folder))
            found += [Faulty([replace(problem(folder, each), severity="warning")]) for each in said]
    return found


def problems_not_told(problems: Iterable[Problem], folders: Sequence[Path], now: datetime) -> set[Problem]:
    """The problems that the command didn't tell within a day, as long as they last; all of them on a terminal.

    What was told is kept beside the first account; where it can't be, all is told again. A problem that went away and
    comes back is told again.
    """
    found = {_digest(each): each for each in problems}
    file = _beside_account(folders)
    if file is None:
        return {*found.values()}
    own = _key(folders)
    lines = _lines(file)
    hour = int(now.timestamp()) // 3600
    told = [each.partition("@") for each in lines.pop(own, [])]
    before = {digest: int(at) for digest, _, at in told if at.isdecimal() and hour - int(at) < AGAIN}
    if {*before} != {*found}:
        kept = [f"{digest}@{before.get(digest, hour)}" for digest in sorted(found)]
        _write(file, {**lines, **({own: kept} if found else {})})
    if sys.stderr.isatty():
        return {*found.values()}
    return {each for digest, each in found.items() if digest not in before}


def _digest(problem: Problem) -> str:
    from adjudicator.engine.text.problem import as_text

    return hashlib.sha256(as_text([problem]).encode()).hexdigest()[:16]


def _key(folders: Sequence[Path]) -> str:
    names = sorted(str(folder.absolute()) for folder in folders)
    return hashlib.sha256("\0".join(names).encode()).hexdigest()[:16]


def _beside_account(folders: Sequence[Path]) -> Path | None:
    for folder in folders:
        for where in (folder, folder.absolute().parent):
            if (where / ACCOUNT).is_file():
                return where / TOLD
    return None


def _lines(file: Path) -> dict[str, list[str]]:
    """The digests that were told, by the key of the matches."""
    try:
        lines = read_plain(file).decode("ascii").splitlines()
    except (NotPlain, OSError, ValueError):
        return {}
    return {words[0]: words[1:] for line in lines[-MOST:] if (words := line.split())}


def _write(file: Path, lines: dict[str, list[str]]) -> None:
    text = "".join(f"{' '.join([key, *told])}\n" for key, told in [*lines.items()][-MOST:])
    fresh = file.with_name(f".{file.name}.tmp")
    with suppress(OSError):  # then the problems are told again the next time
        fresh.unlink(missing_ok=True)
        disk.write(fresh, text.encode(), 0o600)
        fresh.replace(file)
