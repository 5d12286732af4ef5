"""Whatever players mail for weeks, no mail is lost, the sheet that was taken last counts, and the match verifies."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import timedelta
from email.message import EmailMessage
from itertools import count
from pathlib import Path

import pytest

from adjudicator.cli.post_office import WAYS, answer_to
from adjudicator.engine.audit.verify import verify
from adjudicator.engine.bots import random_orders
from adjudicator.engine.folder.entries import Held, HeldUp, Resumed, Taken, Undone, of_kind, standing
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.folder.ledger import ledger_of
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.view import position_for
from adjudicator.engine.text.writing import write
from tests.cli.calling import adjudicator as call
from tests.engine.match_folders import TWO
from tests.gm.weeks import utc, week
from tests.mail.local_post import GM, LocalPost, reply

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")
ERRORS: list[Callable[[str], str]] = [
    lambda text: text.replace("orders", "ordres", 1),
    lambda text: text.replace(":", ";", 2),
    lambda text: f"{text}  - fly: to the moon\n",
    lambda text: text.replace("-1", "-9"),
    lambda text: f"phase: 0009-t1-nowhere\n{text}",
    lambda text: f"player: genoa\n{text}",
    lambda text: text.replace("- ", "- - ", 1),
    lambda text: f"{text}ready: false\n",
    lambda text: f"{text}later: {{sale: {{orders: []}}, setup: {{orders: []}}}}\n",
    lambda text: "",
]
ACTS = (
    ("hold", "--why", "a storm"),
    ("resume", "--why", "calm"),
    ("undo", "--why", "a slip"),
    ("run", "--deadline", "--why", "all agree"),
    ("due",),
    ("status",),
)
"""What a GM does meanwhile, possible or not."""
FIRST = (
    ("run", "--deadline", "--why", "all agree"),
    ("undo", "--why", "a slip"),
    ("hold", "--why", "a storm"),
    ("resume", "--why", "calm"),
)
"""What a GM does before, one after each of the first turns; all of it is possible."""


class Weeks:
    """A match by mail with players who send, err, stay away, send twice, answer old mails and those of others."""

    def __init__(self, home: Path, post: LocalPost, seed: str, pacing: str) -> None:
        self.chance, self.post, self.numbers = SeededChance(seed), post, count(1)
        self.match = week(home / "lagoon", pacing=pacing)
        post.account(self.match)
        self.delivered: set[str] = set()

    def first_mail(self, player: str) -> None:
        """A sheet without any error, in answer to the player's first mail."""
        message = reply(self.post.mails_to(f"{player}@example.org")[0], self.sheet(player))
        self.post.deliver(message)
        self.delivered.add(str(message["Message-ID"]))

    def mail(self, player: str) -> None:
        """A mail of a player, in answer to one that the player, or seldom the other, has got."""
        other = TWO[1 - TWO.index(player)]
        got = self.post.mails_to(f"{other if not self.chance(12) else player}@example.org")
        to = got[-1 - (self.chance(len(got)) if not self.chance(6) else 0)]
        message = answer_to(to, f"{player}@example.org", f"<{next(self.numbers)}@mailer.example>")
        text = self.sheet(player if self.chance(9) else other)
        if not self.chance(3):
            text = ERRORS[self.chance(len(ERRORS))](text)
        list(WAYS.values())[self.chance(len(WAYS))](message, text, to)
        if not self.chance(15):
            self.without_token(message)
        for _ in range(2 if not self.chance(8) else 1):
            self.post.deliver(message)
        self.delivered.add(str(message["Message-ID"]))

    def without_token(self, message: EmailMessage) -> None:
        """The same mail as somebody writes it who answers none of ours."""
        for name, value in {"To": GM, "Subject": "my orders", "In-Reply-To": "", "References": ""}.items():
            del message[name]
            if value:
                message[name] = value

    def sheet(self, player: str) -> str:
        """Random orders for the open phase; answers where the match waits for that player's."""
        match = open_match(self.match)
        if match.opening(match.last).waits == player and self.chance(4):
            return "answers: []\n"
        view = position_for(match.rulebook, match.state(match.last), player)
        phase = match.rulebook.phase(view.phase.name)
        return write({"orders": random_orders(match.rulebook, phase, view, player, self.chance)})


@pytest.mark.parametrize(
    ("seed", "pacing", "days"),
    [
        ("one", "live", 4),
        ("two", "batch", 4),
        *(
            pytest.param(f"{n}", pacing, 21, marks=pytest.mark.soak)
            for n in range(5)
            for pacing in ("live", "batch")
        ),
    ],
)
def test_no_mail_is_lost_and_the_last_sheet_counts(
    tmp_path: Path, post: LocalPost, seed: str, pacing: str, days: int
) -> None:
    weeks = Weeks(tmp_path, post, seed, pacing)
    begun = utc("2026-11-22 13:00")
    for turn in range(days * 4):
        now = begun + timedelta(hours=6 * turn)
        at = ("--at", f"{now:%Y-%m-%dT%H:%MZ}")
        if open_match(weeks.match).head(open_match(weeks.match).last).over:
            break
        told = call("mail", "turn", weeks.match, *at)
        assert told.exit_code == 0, told.output
        for player in TWO:
            if turn == 0:
                weeks.first_mail(player)
            elif not weeks.chance(3):
                weeks.mail(player)
        if 0 < turn <= len(FIRST):
            word, *rest = FIRST[turn - 1]
            told = call(word, weeks.match, *rest, *at)
            assert told.exit_code == 0, told.output
        elif turn and not weeks.chance(6):
            word, *rest = ACTS[weeks.chance(len(ACTS))]
            call(word, weeks.match, *rest, *at)
    call("mail", "turn", weeks.match, "--at", f"{begun + timedelta(days):%Y-%m-%dT%H:%MZ}")
    match = open_match(weeks.match)
    entries = ledger_of(match)
    assert {Undone, HeldUp, Resumed} <= {type(entry) for entry in entries}
    settled = [entry.message for kind in (Taken, Held) for entry in of_kind(entries, kind)]
    assert weeks.delivered <= {*settled}
    last = {(entry.phase, entry.file): entry.sheet for entry in of_kind(standing(entries), Taken)}
    assert last
    assert all(digest_of(match.read(f"{phase}/{file}")) == sheet for (phase, file), sheet in last.items())
    assert verify(weeks.match).good
