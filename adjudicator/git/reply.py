"""The referee's reply to a player: what became of what the player pushed, sealed to that player alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from msgspec import Struct

from adjudicator.door.phase_status import status_of_phase
from adjudicator.door.seats import Seated
from adjudicator.door.submission import Line, Submission, understood_in
from adjudicator.engine.folder import papers
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.gate import Kind
from adjudicator.engine.handout.times import instant_text as as_told
from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.report.template import rendered
from adjudicator.engine.text.problem import Problem
from adjudicator.git.layout import REPLY

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
    """

    token: str = ""
    seen: Mapping[str, str] = {}
    text: str = ""
    unfetched: str = ""


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
    """Writes the reply about what came; if nothing came, the last one with the token of now. Raises OSError."""
    player = seated.seat.player
    text = _text(match, player, came, now) if came else before.text
    failed = next((digest_of(each.words.encode()) for each in came if each.because == "unfetched"), "")
    reply = Reply(seated.token, {**before.seen, **seen}, text, failed)
    file = match.path / name_of(player)
    file.parent.mkdir(mode=0o700, exist_ok=True)
    file.write_bytes(papers.text_of(reply))


def _text(match: Folder, player: str, came: Sequence[FileResult], now: datetime) -> str:
    texts, over = texts_of(match.rulebook_for(player)), match.head(match.last).over
    refused = [each.because not in ("", "locked") for each in came if each.kind != "key" or each.because]
    sent = [each.sent for each in came if each.sent is not None]
    about = next((each.about for each in reversed(sent) if each.taken), None)
    about = about or status_of_phase(match, player, "nothing", (), now)
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
                "understood": _lines_of(each)[:MOST_LINES],
            }
            for each in came
        ],
    )


def _lines_of(came: FileResult) -> Sequence[Line]:
    """The orders as they were understood, and what is wrong with them; of a key, what is wrong with it."""
    return understood_in("", b"", (), came.problems) if came.sent is None else came.sent.lines
