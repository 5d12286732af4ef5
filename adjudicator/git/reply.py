"""The referee's reply to a player: what became of what the player pushed, sealed to that player alone.

Sheets that are locked until their phase closes: each is opened once its round of drand is out.

A sheet that can't be opened because the network has ended isn't lost: beside it lies the SHA-256 of what was locked,
and whoever sent it may push that instead, sealed but without its lock. It counts only if it is the same, bit by bit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.door.seats import Seated
from adjudicator.door.submission import Line, Submission, understood_in
from adjudicator.door.submitting import status_of_phase
from adjudicator.engine.beacon import quicknet, timelock
from adjudicator.engine.beacon.relays import Draw, Unreachable
from adjudicator.engine.folder import papers
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.gate import Kind
from adjudicator.engine.handout.times import instant_text as as_told
from adjudicator.engine.library.texts import Texts, texts_of
from adjudicator.engine.report.template import rendered
from adjudicator.engine.text.problem import Problem
from adjudicator.engine.text.resources import Missing
from adjudicator.git.box import SEALED, Pushed
from adjudicator.git.keys import keys_of
from adjudicator.git.layout import AGE, REPLY

MOST_LINES = 200


class FileResult(Struct, frozen=True):
    """What became of a pushed file: `kind` is a `key`, `sheets` or `answers`; `because` is why it was refused, and
    `sent` what became of a sheet or of answers. `words` are git's, of a branch that can't be fetched.
    """

    player: str
    name: str
    number: str
    kind: str = ""
    because: str = ""
    sent: Submission | None = None
    problems: Sequence[Problem] = ()
    words: str = ""


class Reply(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The player's token, which stands in each seal; the files that were looked at, by name and number; and the text.

    `unfetched` is the SHA-256 of git's words, if the branch couldn't be fetched last: they may tell of the machine.
    `referee` are the referee's public keys: by its token the player knows that nobody else has written the reply.
    """

    token: str = ""
    seen: Mapping[str, str] = {}
    text: str = ""
    unfetched: str = ""
    referee: tuple[str, ...] = ()


def name_of(player: str) -> str:
    """The reply's name in an opened match."""
    return f"{REPLY}/{player}.yaml"


def reply_of(match: Folder, player: str) -> Reply:
    """The last reply to a player; an empty one if there is none. Raises Faulty."""
    name = name_of(player)
    if match.checked_kind(name) is Kind.NOTHING:
        return Reply()
    return papers.read_paper(match.read(name), str(match.path / name), Reply)


def write_reply(
    match: Folder,
    seated: Seated,
    before: Reply,
    came: Sequence[FileResult],
    seen: Mapping[str, str],
    now: datetime,
) -> None:
    """Writes the reply about what came; else the last one, with the token and the keys of now. Raises OSError."""
    player = seated.seat.player
    text = _text(match, player, came, now) if came else before.text
    failed = next((digest_of(each.words.encode()) for each in came if each.because == "unfetched"), "")
    reply = Reply(seated.token, {**before.seen, **seen}, text, failed, keys_of(match).referee)
    file = match.path / name_of(player)
    file.parent.mkdir(mode=0o700, exist_ok=True)
    file.write_bytes(papers.text_of(reply))


def _text(match: Folder, player: str, came: Sequence[FileResult], now: datetime) -> str:
    texts, over = texts_of(match.rulebook_for(player)), match.head(match.last).over
    refused = [each.because not in ("", "locked") for each in came if each.kind != "key" or each.because]
    sent = [each.sent for each in came if each.sent is not None]
    about = next((each.about for each in reversed(sent) if each.taken), None)
    about = about or status_of_phase(match, player, "blank", (), now)
    return rendered(
        texts,
        "git-reply.txt.j2",
        match=match.card.match,
        player=player,
        phase=match.phases[-1],
        at=as_told(match, now, player),
        about=about,
        nothing_taken=not over and bool(refused) and all(refused),
        came=[
            {
                "kind": each.kind,
                "name": each.name,
                "because": each.because,
                "sent": each.sent,
                "understood": _lines_of(each, texts)[:MOST_LINES],
            }
            for each in came
        ],
    )


def _lines_of(came: FileResult, texts: Texts) -> Sequence[Line]:
    """The orders as they were understood, and what is wrong with them; of a key, what is wrong with it."""
    return understood_in("", b"", (), came.problems, texts) if came.sent is None else came.sent.lines


LOCKED, BROKEN = "locked", "broken-lock"
"""Why a locked sheet isn't taken: its time hasn't come, or it can't be one."""


class WithoutLocks(Struct, frozen=True):
    """What players pushed, without the locks whose time has come, and why some of these can't be opened."""

    pushed: Sequence[Pushed]
    stuck: str = ""


def without_locks(match: Folder, pushed: Sequence[Pushed], now: datetime, draw: Draw) -> WithoutLocks:
    """Opens the locks whose time has come. Raises Faulty."""
    opening = _LockOpener(match, now, draw)
    found = [each for one in pushed for each in opening.without_lock(one)]
    return WithoutLocks(found, opening.stuck)


class _LockOpener:
    """One look at all locked files; each round is asked for once."""

    def __init__(self, match: Folder, now: datetime, draw: Draw) -> None:
        self.match, self.now, self.draw = match, now, cache(draw)
        self.stuck = ""

    def without_lock(self, pushed: Pushed) -> Iterator[Pushed]:
        """The file without its lock; with `because`, if it can't be opened; nothing for a file that doesn't count."""
        if pushed.name.endswith(SEALED):
            if self._was_locked(pushed):
                yield pushed
            return
        try:
            number = timelock.lock_of(pushed.data)
            if number is None:
                yield pushed
            elif quicknet.time_of(number) > self.now:
                yield replace(pushed, because=LOCKED)
            else:
                yield replace(pushed, data=timelock.unlock(pushed.data, self.draw(number)))
        except (timelock.Unopened, OverflowError):
            yield replace(pushed, because=BROKEN)
        except (Unreachable, Missing) as error:
            self.stuck = f"a sheet of {pushed.player} is locked, and its lock can't be opened ({error})"
            yield replace(pushed, because=LOCKED)

    def _was_locked(self, pushed: Pushed) -> bool:
        """Is this file what lay in the locked one, by the SHA-256 that was pushed with that?"""
        seen = reply_of(self.match, pushed.player).seen
        name = f"{pushed.name.removesuffix(SEALED)}{AGE}"
        return seen.get(name, "").endswith(f" {timelock.receipt_of(pushed.data)}")


def mark_of(pushed: Pushed) -> str:
    """The mark by which the referee remembers that it has told a player about a file: the file's number; for a locked
    file also its receipt."""
    return f"{pushed.number} {LOCKED} {pushed.receipt}" if pushed.because == LOCKED else pushed.number
