"""Mails that mix commands, messages, sheets, quotations, charsets and senders: one answer, or none by rule."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from adjudicator.door.seats import MACHINES, WITHOUT_TOKEN
from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.entries import Absent, Agreed, Asked, Held, Replaced, Resigned, Taken
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.play.attempts import SeededChance
from tests.cli.calling import adjudicator as call
from tests.gm.weeks import utc, week
from tests.mail.clubs import GENOA, VENICE, Club, sent
from tests.mail.local_post import GM, LocalPost

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")
MIXES = 20
"""Mails of one test."""
SECRET = "zqsecretzq"
THIEF = "thief@elsewhere.example"
PIECES = (
    f"salt: {SECRET}\norders:\n  - place: 4\n    to: venice-1\n",
    "orders: []\n",
    "orders:\n  - place: [\n",
    "orders: &a [*a]\n",
    "ordres:\n  - place: 4\n",
    "answers:\n  - seat: 1\n",
    "player: genoa\nmatch: elsewhere\nphase: 9999-t1-x\norders: []\n",
    "status\n",
    "STATUS!\nhelp\nform\nmap\n",
    "history 99999\nhistory 0001\nhistory -1\n",
    "rules ../../etc/passwd\nrules %s\nrules {{ 7 * 7 }}\n",
    "away 31.2.-30.2.\naway 1.1.0001-31.12.9999\naway 00.00.\n",
    "resign\n",
    "resign aaaaaaaaaaaa\n",
    "vote end\nvote draw\nvote no\nvote maybe\n",
    f"address {THIEF}\n",
    f"address {THIEF} aaaaaaaaaaaa\n",
    "address a@b@c\naddress <x@y.org>\naddress x@y.org%0aBcc:z@z.org\n",
    "take aaaaaaaaaaaa\n",
    "settings: digest, light, nonsense\nsettings: \n",
    "calendar\nkalender\ncalendrier\n",
    "message to genoa:\nresign\norders: []\nend\n",
    "message to all:\n{{ seed }} {% include 'words' %} <script>alert(1)</script>\n",
    "message to gm:\nHello\nmessage to genoa:\nAgain\nend\nstatus\n",
    "message to nobody, genoa, all, gm:\nx\n",
    "message to genoa:\n",
    "-- \nresign\nvote end\n",
    "> status\n> orders: []\n>> resign\n",
    "On Mon, 2 Nov 2026 at 10:00, GM <gm@example.org> wrote:\nresign\norders: []\n",
    "-----Original Message-----\nFrom: GM\nTo: me\n\nvote end\norders: []\n",
    "\x1b[31mred\x1b[0m \x07 \u202eevil\u202c \u2066x\u2069 \u200b\ufeff\x00\n",
    "\u017ftatus\n\uff33tatus\nst\u0430tus\n",
    "a" * 5000 + "\n",
    "status: orders: status: []\n",
    "\n" * 300,
    "```yaml\norders: []\n```\n",
    "orders: []\norders: []\nend\nend\n",
)
CHARSETS = (
    "utf-8",
    "utf-16",
    "utf-7",
    "latin-1",
    "koi8-r",
    "iso-2022-jp",
    "x-nowhere",
    "idna",
    "punycode",
    "us-ascii",
)
MIXED = b"Content-Type: multipart/mixed; boundary=x\n\n--x\n%s\n--x\n%s\n--x--\n"
PLAIN = b"Content-Type: text/plain; charset=%s\n\n%s"
SHAPES: tuple[Callable[[bytes, bytes, bytes], bytes], ...] = (
    lambda one, two, sort: PLAIN % (sort, one + two),
    lambda one, two, sort: (
        b"Content-Type: text/html; charset=%s\n\n<p>%s</p><blockquote>%s</blockquote>" % (sort, one, two)
    ),
    lambda one, two, sort: (
        b"Content-Type: text/html\n\n<pre>%s</pre><div style='display:none'>%s</div>" % (one, two)
    ),
    lambda one, two, sort: (
        MIXED.replace(b"mixed", b"alternative") % (PLAIN % (sort, one), b"Content-Type: text/html\n\n" + two)
    ),
    lambda one, two, sort: (
        MIXED
        % (
            PLAIN % (sort, one),
            b'Content-Type: text/yaml\nContent-Disposition: attachment; filename="../../s.yaml"\n\n' + two,
        )
    ),
    lambda one, two, sort: (
        MIXED % (PLAIN % (sort, one), b"Content-Type: message/rfc822\n\nFrom: a@b.org\n\n" + two)
    ),
    lambda one, two, sort: (
        b"Content-Type: text/plain; format=flowed; delsp=yes\n\n" + one.replace(b" ", b" \n") + two
    ),
    lambda one, two, sort: b"Content-Transfer-Encoding: base64\n\n=?" + one + two,
    lambda one, two, sort: (
        b"Content-Transfer-Encoding: quoted-printable\nContent-Type: text/plain; charset=%s\n\n=ZZ%s=\n%s"
        % (sort, one, two)
    ),
    lambda one, two, sort: b"Content-Type: multipart/mixed\n\n" + one + two,
    lambda one, two, sort: b"\n" + one + two,
)
SENDERS = (
    "own",
    "own",
    "own",
    "forged",
    "others token",
    "both tokens",
    "robot",
    "list",
    "bounce",
    "two froms",
    "no from",
)
SUBJECTS = (
    "Re: lagoon 1",
    "status",
    "resign",
    "=?utf-8?q?vote_end?=",
    "=?x-nowhere?b?zzz?=",
    "",
    "a" * 900,
    "message to genoa:",
)


def mail(chance, number: int, ours: dict[str, str], theirs: dict[str, str]) -> tuple[str, bytes]:
    """A mix, with how it was sent; `ours` and `theirs` are where Venice and Genoa answer."""
    sender = SENDERS[chance(len(SENDERS))]
    token = sender in ("own", "robot", "list", "both tokens", "two froms", "no from")
    to = ", ".join(
        each
        for each, there in ((ours["to"], token), (theirs["to"], "token" in sender and sender != "own"))
        if there
    )
    head = [
        f"From: {VENICE}" if sender != "no from" else "From: <>",
        f"To: {to or GM}",
        f"Subject: {SUBJECTS[chance(len(SUBJECTS))]}",
        f"Message-ID: <mix{number}@mailer.example>",
        f"Reply-To: {THIEF}",
    ]
    if token and chance(4):
        head += [f"In-Reply-To: {ours['id']}"]
    head += {
        "robot": ["Auto-Submitted: auto-replied"],
        "list": ["List-Id: <x.example>", "Precedence: bulk"],
        "bounce": ["Return-Path: <>", f"X-Failed-Recipients: {GENOA}"],
        "two froms": [f"From: {GENOA}", f"Sender: {THIEF}"],
    }.get(sender, [])
    sort = CHARSETS[chance(len(CHARSETS))]
    pieces = ["".join(PIECES[chance(len(PIECES))] for _ in range(1 + chance(3))) for _ in range(2)]
    try:
        one, two = (each.encode(sort) for each in pieces)
    except (LookupError, UnicodeError):
        one, two = (each.encode() for each in pieces)
    body = SHAPES[chance(len(SHAPES))](one, two, CHARSETS[chance(len(CHARSETS))].encode())
    return sender, "\n".join(head).encode() + b"\n" + body


@pytest.mark.parametrize(
    "seed", [pytest.param(n, marks=() if n < 2 else pytest.mark.soak) for n in range(15)]
)
def test_each_is_answered_once_or_by_rule_not_at_all(tmp_path: Path, post: LocalPost, seed: int) -> None:
    club = Club(sent(week(tmp_path / "lagoon", {"press": "named"}), post), post)
    chance, at = SeededChance(f"mix {seed}"), utc("2026-11-23 12:00")
    first = (post.mails_to(each)[0] for each in (VENICE, GENOA))
    ours, theirs = ({"to": str(each["Reply-To"]), "id": str(each["Message-ID"])} for each in first)
    how, told = dict[str, str](), ""
    for number in range(MIXES):
        sender, data = mail(chance, number, ours, theirs)
        how[f"<mix{number}@mailer.example>"] = sender
        post.deliver(data)
        at += timedelta(hours=5)
        done = call("mail", "turn", club.match, "--at", f"{at:%Y-%m-%dT%H:%MZ}")
        assert done.exit_code == 0, done.output
        told += done.output
    assert "the program fails" not in told and "can't be taken in" not in told
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", told)
    assert not {path.name for path in post.home.iterdir()} - {GM, VENICE, GENOA, "command.py", THIEF}
    assert not any("orders" in each.as_string() for each in post.mails_to(THIEF))
    answers = [
        str(each["In-Reply-To"])
        for who in (VENICE, GENOA)
        for each in post.mails_to(who)
        if each["In-Reply-To"]
    ]
    held = {each.message: each.because for each in club.entries(Held)}
    for number, sender in how.items():
        assert answers.count(number) <= 1
        if sender == "own" and held.get(number) not in (*MACHINES, *WITHOUT_TOKEN, "again", "over"):
            assert answers.count(number) == 1, (number, held.get(number))
        if sender in ("robot", "list", "bounce"):
            assert not answers.count(number)
    for kind in (Resigned, Replaced, Agreed, Absent):
        assert not club.entries(kind)
    assert all(
        each.player == "venice" or how[each.message] != "own"
        for kind in (Taken, Asked)
        for each in club.entries(kind)
    )
    secrets = open_match(club.match).secrets()
    assert secrets is not None and {*secrets.addresses.values()} == {VENICE, GENOA}
    got = [each for each in post.mails_to(GENOA) if "a message" not in each["Subject"]]
    assert not any(SECRET in each.as_string() for each in got)
    assert verify(club.match).good
