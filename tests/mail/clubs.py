"""A match of two by mail, and what its players write and get: for tests of what a mail asks for."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

from adjudicator.engine.folder.entries import of_kind
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.folder.ledger import ledger_of
from tests.cli.calling import adjudicator as call
from tests.gm.weeks import WEEK, week
from tests.mail.local_post import LocalPost, reply

VENICE, GENOA, NEW = "venice@example.org", "genoa@example.org", "new@example.org"
GOOD = "orders:\n  - place: 4\n    to: venice-1\n"
NOON = "2026-11-23T12:00Z"


def sent(match: Path, post: LocalPost) -> Path:
    post.account(match)
    turn(match, "2026-11-22T13:00Z")
    return match


def turn(match: Path, at: str = NOON) -> str:
    told = call("mail", "turn", match, "--at", at)
    assert told.exit_code == 0, told.output
    return told.output


def entries(match: Path, kind):
    """The entries of a kind in a match's ledger."""
    return of_kind(ledger_of(open_match(match)), kind)


class Club:
    """A match, its post, and how many mails players have sent."""

    def __init__(self, match: Path, post: LocalPost) -> None:
        self.match, self.post, self.count = match, post, 0

    def write(self, text: str, who: str = VENICE, at: str = NOON, **headers: str) -> str:
        """Sends a player's answer to the first mail that the player got; returns what the GM is told."""
        self.count += 1
        first = self.post.mails_to(headers.pop("to", who))[0]
        self.post.deliver(reply(first, text, sender=who, number=str(self.count), **headers))
        return turn(self.match, at)

    def answer(self, text: str, who: str = VENICE, at: str = NOON, **headers: str) -> str:
        """The text of the one answer to such a mail."""
        before = len(self.post.mails_to(who))
        self.write(text, who, at, **headers)
        answers = [each for each in self.post.mails_to(who)[before:] if "Re:" in each["Subject"]]
        assert len(answers) == 1
        return body(answers[0])

    def entries(self, kind):
        return entries(self.match, kind)


def body(mail: EmailMessage) -> str:
    part = mail.get_body(("plain",))
    assert part is not None
    return part.get_content()


def words(text: str) -> str:
    return " ".join(text.split())


def club_with(folder: Path, post: LocalPost, **schedule: object) -> Club:
    """The match `lagoon`, begun by mail, with more in its schedule."""
    return Club(sent(week(folder / "lagoon", {**WEEK, **schedule}), post), post)
