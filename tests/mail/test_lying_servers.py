"""IMAP and SMTP servers that lie, babble or dawdle: the program gives each up with a clear line,
and goes on with the next account, or the next mail."""

from __future__ import annotations

import io
import os
import socket
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import pytest

from adjudicator.engine.folder.errors import Faulty
from adjudicator.mail import club
from adjudicator.mail.account import Account, Server
from adjudicator.mail.boxes import Arrived, MailRefused
from adjudicator.mail.imap import LONGEST, opened_imap
from adjudicator.mail.smtp import LONGEST_ANSWER, Smtp, through_smtp
from tests.cli.calling import adjudicator as call
from tests.mail.local_post import LocalPost, reply
from tests.mail.test_told_once import AT, SHEET, begun, turn

ACCOUNT = Account("gm@example.org", imap=Server("127.0.0.1", security="none"), file="mail.yaml")
MAIL = b"Subject: x\r\n\r\nx\r\n"
GOOD = {
    "CAPABILITY": b"* CAPABILITY IMAP4rev1\r\n",
    "SELECT": b"* 1 EXISTS\r\n* OK [PERMANENTFLAGS (\\*)] x\r\n",
    "SEARCH": b"* SEARCH 7\r\n",
    "FETCH": b'* 1 FETCH (UID 7 FLAGS () INTERNALDATE " 3-May-2026 10:00:00 +0200" BODY[]<0> {%d}\r\n%s)\r\n'
    % (len(MAIL), MAIL),
}


class Liar:
    """The socket of a server: what it says to each command; all of it comes in pieces, each after some seconds."""

    def __init__(self, says: dict[str, bytes], piece: int = 2**20, seconds: float = 0) -> None:
        self.says, self.piece, self.seconds = {**GOOD, **says}, piece, seconds
        self.now = 0.0
        self.coming = bytearray(self.says.get("greeting", b"* OK hello\r\n"))

    def sendall(self, data: bytes) -> None:
        tag, word, *rest = data.split()
        name = (rest[0] if word == b"UID" else word).decode()
        said = self.says.get(name, b"")
        self.coming += said.replace(b"%tag", tag) if b"%tag" in said else said + tag + b" OK done\r\n"

    def recv(self, size: int) -> bytes:
        self.now += self.seconds
        data = bytes(self.coming[: min(size, self.piece)])
        del self.coming[: len(data)]
        if not data and "end" not in self.says:
            raise TimeoutError("timed out")
        return data

    def makefile(self, mode: str) -> io.BytesIO:
        return io.BytesIO()

    def settimeout(self, seconds: float) -> None:
        assert seconds > 0

    def shutdown(self, how: int) -> None:
        pass

    def close(self) -> None:
        pass


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Callable[[Liar], list[Arrived]]:
    """All that is fetched from a server, and settled."""

    def fetched(server: Liar) -> list[Arrived]:
        monkeypatch.setattr(socket, "create_connection", lambda *given, **more: server)
        with opened_imap(ACCOUNT, lambda: server.now) as box:
            found = list(box.new())
            for one in found:
                box.mark_settled(one, read=True)
        return found

    return fetched


def test_a_good_server_is_understood(heard: Callable[[Liar], list[Arrived]]) -> None:
    for piece in (1, 7, 2**20):
        assert heard(Liar({}, piece)) == [Arrived("7", MAIL, datetime(2026, 5, 3, 8, tzinfo=UTC))]


FETCHED = b"* 1 FETCH (UID 7 FLAGS () BODY[]<0> {%s}\r\n"
LIES: dict[str, dict[str, bytes]] = {
    "no greeting": {"greeting": b"\r\n"},
    "a greeting of something else": {"greeting": b"220 smtp\r\n"},
    "a greeting that says goodbye": {"greeting": b"* BYE\r\n"},
    "nothing": {"greeting": b"", "end": b""},
    "signs that aren't ASCII": {"CAPABILITY": b"* CAPABILITY \xff\xfe\r\n\xff\xff\xff\r\n"},
    "a tag that was never given": {"SEARCH": b"XXXX9 OK\r\n"},
    "a tag that isn't ASCII": {"SEARCH": b"%tag \xff\xff\r\n"},
    "words for numbers": {"SEARCH": b"* SEARCH a b c\r\n"},
    "numbers below one": {"SEARCH": b"* SEARCH 0 -1\r\n"},
    "a number of many digits": {"SEARCH": b"* SEARCH " + b"9" * 5000 + b"\r\n"},
    "a fraction": {"SEARCH": b"* SEARCH 1.5\r\n"},
    "digits of other scripts": {"SEARCH": b"* SEARCH \xd9\xa1\r\n"},
    "a list without an end": {"SEARCH": b"* SEARCH" + b" 1" * 10**6},
    "a literal for a list": {"SEARCH": b"* SEARCH {3}\r\n1 2 x\r\n"},
    "no": {"SEARCH": b"%tag NO never\r\n"},
    "a refusal of everything": {"LOGIN": b"%tag BAD\r\n", "SELECT": b"%tag BAD\r\n"},
    "a literal of 4 GB": {"FETCH": FETCHED % b"4294967296"},
    "a literal of very many digits": {"FETCH": FETCHED % (b"9" * 5000)},
    "a literal that is never filled": {"FETCH": FETCHED % b"1000" + b"x", "end": b""},
    "a mail that is longer than was asked for": {"FETCH": FETCHED % b"6000000" + b"x" * 6_000_000 + b")\r\n"},
    "lines without an end": {"FETCH": b"* " + b"x" * 2_000_000},
    "more and more lines": {"FETCH": b"* 1 EXISTS\r\n" * 500_000},
}


@pytest.mark.parametrize("lie", LIES)
@pytest.mark.parametrize("piece", [2**20, pytest.param(1000, marks=pytest.mark.soak)])
def test_a_lie_ends_in_one_clear_line(heard: Callable[[Liar], list[Arrived]], lie: str, piece: int) -> None:
    with pytest.raises(Faulty) as told:
        heard(Liar(LIES[lie], piece))
    (problem,) = told.value.problems
    assert problem.text.startswith("the IMAP server 127.0.0.1")
    assert len(problem.text) < 500


@pytest.mark.parametrize(
    "strange",
    [
        b"* 1 FETCH (UID 8 BODY[]<0> {1}\r\nx)\r\n",
        b"* 1 FETCH NIL\r\n",
        b"* 1 FETCH (UID 7)\r\n",
        b"* 1 FETCH\r\n",
        b"",
    ],
)
def test_a_mail_that_isnt_given_is_left_where_it_is(
    heard: Callable[[Liar], list[Arrived]], strange: bytes
) -> None:
    assert heard(Liar({"FETCH": strange})) == []


@pytest.mark.parametrize(
    "date",
    [
        "01-Jan-0000 00:00:00 +0000",
        "01-Jan-0001 00:00:00 +1400",
        "31-Dec-9999 23:59:59 -1400",
        "31-Dec-9999 23:59:59 +0000",
        "99-Xyz-2026 99:99:99 +9999",
        "30-Feb-2026 10:00:00 +0000",
        "03-May-2026 10:00:00 +9999",
        "",
    ],
)
def test_no_date_stops_anything(heard: Callable[[Liar], list[Arrived]], date: str) -> None:
    said = b'* 1 FETCH (UID 7 FLAGS () INTERNALDATE "%s" BODY[]<0> {1}\r\nx)\r\n' % date.encode()
    (arrived,) = heard(Liar({"FETCH": said}))
    assert arrived.came.year >= 2026


def test_a_byte_a_second_is_given_up(heard: Callable[[Liar], list[Arrived]]) -> None:
    server = Liar({}, 1, 1)
    with pytest.raises(Faulty) as told:
        heard(server)
    assert "an answer took more than 30 seconds" in told.value.problems[0].text
    assert server.now <= ACCOUNT.timeout + 2


def test_a_server_that_is_just_quick_enough_is_given_up_in_the_end(
    heard: Callable[[Liar], list[Arrived]],
) -> None:
    server = Liar(
        {"SEARCH": b"* SEARCH " + b" ".join(b"%d" % n for n in range(1, 500)) + b"\r\n"}, seconds=20
    )
    with pytest.raises(Faulty) as told:
        heard(server)
    assert (
        "the mailbox took more than 300 seconds; the rest comes the next time" in told.value.problems[0].text
    )
    assert server.now <= LONGEST * ACCOUNT.timeout + 40


SENDER = Account("gm@example.org", smtp=Server("127.0.0.1", security="none"), file="mail.yaml")
SAYS = {
    "greeting": b"220 hello\r\n",
    "ehlo": b"250-hello\r\n250 8BITMIME\r\n",
    "data": b"354 go on\r\n",
    "auth": b"235 come in\r\n",
}
TO = ("one@example.org", "gm@example.org")


class SmtpLiar(Liar):
    """The socket of a server that takes mail; `taken` are the mails that it got whole. What it says to these is `.`.

    Its answers come in pieces, each after some seconds: all, or those of the step `slow`.
    """

    def __init__(
        self, says: dict[str, bytes], piece: int = 2**20, seconds: float = 0, slow: str = ""
    ) -> None:
        at_first = (piece, seconds) if slow in ("", "greeting") else ()
        super().__init__({"greeting": SAYS["greeting"], **says}, *at_first)
        self.pace, self.slow = (piece, seconds), slow
        self.lines, self.mail, self.taken, self.open = bytearray(), False, list[bytes](), True

    def sendall(self, data: bytes) -> None:
        self.now += self.seconds
        self.lines += data
        while (end := self.lines.find(b"\r\n.\r\n" if self.mail else b"\r\n")) >= 0:
            said = bytes(self.lines[:end])
            del self.lines[: end + (5 if self.mail else 2)]
            word = "." if self.mail else said.split()[0].decode().lower()
            self.taken += [said] if self.mail else []
            answer = self.says.get(word, SAYS.get(word, b"250 good\r\n"))
            self.piece, self.seconds = self.pace if self.slow in ("", word) else (2**20, 0)
            self.mail = word == "data" and answer.startswith(b"354 ")
            self.coming += answer

    def close(self) -> None:
        self.open = False


@pytest.fixture
def ways(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Smtp]:
    """A way out that meets these servers, one after another, and no other."""

    def way(*servers: SmtpLiar, account: Account = SENDER) -> Smtp:
        left = list(servers)
        monkeypatch.setattr(socket, "create_connection", lambda *given, **more: left.pop(0))
        return Smtp(account, lambda: sum(server.now for server in servers))

    return way


def test_a_good_server_gets_each_mail_once_over_one_connection(ways: Callable[..., Smtp]) -> None:
    for piece in (1, 7, 2**20):
        server = SmtpLiar({}, piece)
        way = ways(server)
        for mail in (MAIL, b"Subject: y\r\n\r\n.\r\n..x\r\n"):
            way.send(mail, TO)
        assert server.taken == [MAIL[:-2], b"Subject: y\r\n\r\n..\r\n...x"]
        way.leave()
        assert not server.open


STEPS = ("greeting", "ehlo", "mail", "rcpt", "data", ".")
"""All that a server answers to, up to the mail itself."""
OUT_LIES: dict[str, tuple[dict[str, bytes], bytes, int, float]] = {
    "nothing": ({}, b"", 2**20, 0),
    "an end": ({"end": b""}, b"", 2**20, 0),
    "an end within a line": ({"end": b""}, b"25", 2**20, 0),
    "an end between two lines": ({"end": b""}, b"250-go\r\n", 2**20, 0),
    "a byte every few seconds": ({}, b"250 " + b"x" * 1000 + b"\r\n", 1, 4),
    "a line every few seconds": ({}, b"250-x\r\n" * 1000, 7, 4),
    "a line without an end": ({}, b"250 " + b"x" * 10**6, 2**20, 0),
    "lines without an end": ({}, b"250-x\r\n" * 10**5, 1000, 0),
    "empty lines": ({}, b"\r\n" * 10**5, 2**20, 0),
    "no number": ({}, b"fine, go on\r\n", 2**20, 0),
    "numbers of another script": ({}, "\u0662\u0665\u0660 ok\r\n".encode(), 2**20, 0),
    "a number that no answer has": ({}, b"2_0 ok\r\n", 2**20, 0),
    "a word for later": ({}, b"354 and then?\r\n", 2**20, 0),
    "the trouble of its own": ({}, b"421 I close\r\n", 2**20, 0),
    "not to anybody": ({}, b"530 log in first\r\n", 2**20, 0),
    "bytes that are no text": ({}, b"450 \xff\xfe\x00\r\n", 2**20, 0),
}


def lying(step: str, lie: str) -> SmtpLiar:
    more, said, piece, seconds = OUT_LIES[lie]
    if (step, lie) == ("data", "a word for later"):  # there it is right
        said = b"250 no, thanks\r\n"
    both = {step: said, "helo": said} if step == "ehlo" else {step: said}
    return SmtpLiar({**more, **both}, piece, seconds, step)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("lie", OUT_LIES)
def test_a_way_out_that_lies_ends_in_one_clear_line_and_the_next_mail_gets_a_new_connection(
    ways: Callable[..., Smtp], step: str, lie: str
) -> None:
    """Bounded in time and bytes; a mail that may have gone is said to be so; no mail goes twice."""
    liar, good = lying(step, lie), SmtpLiar({})
    way = ways(liar, good)
    with pytest.raises(Faulty) as told:
        way.send(MAIL, TO)
    (problem,) = told.value.problems
    assert problem.text.startswith("the SMTP server 127.0.0.1")
    assert len(problem.text) < 500
    refused = lie in ("the trouble of its own", "not to anybody", "bytes that are no text")
    unsure = "Whether the mail to one@example.org went isn't known; the next command looks for its copy"
    assert (unsure in problem.text) == (step == "." and not refused)
    assert liar.taken == ([MAIL[:-2]] if step == "." else [])
    assert liar.now <= SENDER.timeout + 8
    assert len(liar.coming) >= len(liar.says[step]) - LONGEST_ANSWER - liar.piece
    liar.says = {}
    way.send(b"Subject: next\r\n\r\n", TO)
    where = good if not liar.open else liar
    assert where.taken[-1:] == [b"Subject: next\r\n"]
    assert len(liar.taken) + len(good.taken) == (2 if step == "." else 1)


@pytest.mark.parametrize("step", ["rcpt", "data", "."])
def test_only_of_a_mailbox_or_a_mail_a_server_speaks_for_good(ways: Callable[..., Smtp], step: str) -> None:
    """550 to 559 are about these (RFC 5321, 4.2.1); a full mailbox may be emptied."""
    server = SmtpLiar({step: b"550 no such user\r\n"})
    way = ways(server)
    with pytest.raises(MailRefused, match="550 no such user"):
        way.send(MAIL, TO)
    for code in (b"450", b"500", b"530", b"552"):
        server.says[step] = code + b" no\r\n"
        with pytest.raises(Faulty) as told:
            way.send(MAIL, TO)
        assert f"not now: {code.decode()} no" in told.value.problems[0].text
    server.says.pop(step)
    server.says["mail"] = b"550 we don't know you\r\n"
    with pytest.raises(Faulty):
        way.send(MAIL, TO)
    server.says.pop("mail")
    way.send(MAIL, TO)
    assert server.taken[-1] == MAIL[:-2]


def test_a_server_that_takes_a_mail_slowly_is_given_up_in_the_end(ways: Callable[..., Smtp]) -> None:
    server = SmtpLiar({}, seconds=20)
    with pytest.raises(Faulty) as told:
        ways(server).send(b"x" * 10**6, TO)
    assert "sending took more than 300 seconds; the rest goes the next time" in told.value.problems[0].text
    assert server.now <= LONGEST * SENDER.timeout + 40
    assert not server.taken


@pytest.mark.parametrize(
    ("security", "says"),
    [
        ("starttls", {}),
        ("starttls", {"ehlo": b"250-x\r\n250 STARTTLS\r\n", "starttls": b"454 not now\r\n"}),
        ("none", {"ehlo": b"250-x\r\n250 AUTH PLAIN\r\n", "auth": b"334 \r\n"}),
        ("none", {"ehlo": b"250-x\r\n250 AUTH CRAM-MD5\r\n", "auth": b"334 =\r\n"}),
        ("none", {"ehlo": b"250-x\r\n250 AUTH PLAIN\r\n", "auth": b"334-\r\n" * 10**5}),
        ("none", {"ehlo": b"250-x\r\n250 AUTH PLAIN\r\n", "auth": b"535 wrong\r\n"}),
        ("none", {"ehlo": b"250-x\r\n250 AUTH \xff\r\n"}),
    ],
)
def test_who_lies_about_tls_or_the_password_gets_no_mail(
    ways: Callable[..., Smtp], tmp_path: Path, security: Literal["starttls", "none"], says: dict[str, bytes]
) -> None:
    (tmp_path / "word").write_text("secret\n")
    account = Account(
        "gm@example.org",
        smtp=Server("127.0.0.1", security=security),
        password_command=f"cat {tmp_path / 'word'}",
        file="mail.yaml",
    )
    server = SmtpLiar(says)
    with pytest.raises(Faulty) as told:
        ways(server, account=account).send(MAIL, TO)
    (problem,) = told.value.problems
    assert problem.text.startswith("the SMTP server 127.0.0.1")
    assert "secret" not in problem.text
    assert not server.taken and not server.open


def test_a_server_that_lies_when_a_round_begins_or_ends_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    server = SmtpLiar({"quit": b"221-bye\r\n" * 10**5})
    monkeypatch.setattr(socket, "create_connection", lambda *given, **more: server)
    with through_smtp(SENDER, lambda: server.now) as way:
        way.send(MAIL, TO)
    assert not server.open and len(server.taken) == 1
    server = SmtpLiar({"greeting": b"554 no\r\n"})
    with pytest.raises(Faulty) as told, through_smtp(SENDER, lambda: server.now):
        pass
    assert "554 no" in told.value.problems[0].text
    assert not server.open


@pytest.fixture
def two(tmp_path: Path, post: LocalPost) -> Iterator[tuple[Path, Path]]:
    """A match whose mailbox lies, and one whose doesn't."""
    for name in ("good", "bad"):
        (tmp_path / name).mkdir()
    good, bad = begun(tmp_path / "good" / "lagoon", post), begun(tmp_path / "bad" / "alps", post)
    turn(good)
    lines = "from: gm@example.org\nimap: {host: 127.0.0.1, security: none}\nsendmail: /bin/true\n"
    (tmp_path / "bad" / "mail.yaml").write_text(lines, encoding="utf-8")
    yield bad, good


@pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")
@pytest.mark.parametrize("lie", ["words for numbers", "a literal of 4 GB", "a literal of very many digits"])
def test_the_next_account_goes_on(
    two: tuple[Path, Path], post: LocalPost, monkeypatch: pytest.MonkeyPatch, lie: str
) -> None:
    monkeypatch.setattr(socket, "create_connection", lambda *given, **more: Liar(LIES[lie]))
    post.deliver(reply(post.mails_to("one@example.org")[0], SHEET))
    told = call("mail", "fetch", *map(str, two), "--at", AT)
    assert told.exit_code == 1
    assert told.output.count("the IMAP server 127.0.0.1") == 1
    assert "taken of venice" in told.output


def test_a_date_of_a_file_that_cant_be_is_now(tmp_path: Path, post: LocalPost) -> None:
    post.deliver(b"Subject: x\n\nx\n")
    os.utime(post.home / "gm@example.org" / "new" / "x00001", (0, 0))
    account = Account(
        "gm@example.org", maildir=str(post.home / "gm@example.org"), file=str(tmp_path / "mail.yaml")
    )
    with club.inbox(account) as box:
        (arrived,) = box.new()
    assert arrived.came.year >= 2026
