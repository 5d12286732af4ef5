"""IMAP servers that lie, babble or dawdle: the program gives each up with a clear line,
and goes on with the next account."""

from __future__ import annotations

import io
import os
import socket
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adjudicator.engine.folder.errors import Faulty
from adjudicator.mail import connections
from adjudicator.mail.account import Account, Server
from adjudicator.mail.boxes import Arrived
from adjudicator.mail.imap import opened_imap
from adjudicator.mail.wire import LONGEST
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
    with connections.inbox(account) as box:
        (arrived,) = box.new()
    assert arrived.came.year >= 2026
