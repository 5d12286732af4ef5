"""An account with unusable values: each is reported or made to work, and none ends in a traceback."""

from __future__ import annotations

import base64
import json
import os
import socketserver
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from adjudicator.engine.folder.errors import Faulty
from adjudicator.mail.account import account_in
from adjudicator.mail.club import inbox, outgoing

pytestmark = pytest.mark.skipif(os.name == "nt", reason="commands are those of a shell")
WAYS = {"imap": inbox, "smtp": outgoing}
USER, WORD = "günther@example.org", "pässwort"


def written(tmp_path: Path, *lines: str) -> Path:
    file = tmp_path / "mail.yaml"
    file.write_text("\n".join(["from: gm@example.org", *lines]) + "\n", encoding="utf-8")
    file.chmod(0o600)
    return file


def told(tmp_path: Path, kind: str, *lines: str) -> str:
    """What is said of an account that can't be used."""
    with pytest.raises(Faulty) as found, WAYS[kind](account_in(written(tmp_path, *lines))) as way:
        if kind == "smtp":
            way.send(b"Subject: x\r\n\r\nx\r\n", ["one@example.org"])  # type: ignore[union-attr]
    return found.value.problems[0].text


@pytest.mark.parametrize("command", ["/bin/cat 'x", '/bin/cat "x', "/bin/cat x\\", " ", "''"])
def test_a_command_that_is_no_command(tmp_path: Path, command: str) -> None:
    lines = ("maildir: post", f"sendmail: {json.dumps(command)}")
    said = told(tmp_path, "smtp", *lines)
    assert "sendmail: " in said


@pytest.mark.parametrize(
    "lines",
    [
        ("maildir: post", 'sendmail: "/bin/cat \\0"'),
        ("imap: {host: a..b}", "smtp: {host: a..b}"),
        (f"imap: {{host: {'a' * 70}.org}}", f"smtp: {{host: {'a' * 70}.org}}"),
        ('imap: {host: "a\\0b"}', 'smtp: {host: "a\\0b"}'),
        ("imap: {host: 127.0.0.1}", "smtp: {host: 127.0.0.1}", "timeout: 999999999999"),
        ("imap: {host: 127.0.0.1, ca: nowhere.pem}", "smtp: {host: 127.0.0.1, ca: nowhere.pem, port: 465}"),
        (
            "imap: {host: 127.0.0.1, port: 1}",
            "smtp: {host: 127.0.0.1, port: 1}",
            'password-command: "cat \\0"',
        ),
    ],
)
@pytest.mark.parametrize("kind", WAYS)
def test_what_no_system_can_use_is_told(tmp_path: Path, kind: str, lines: tuple[str, ...]) -> None:
    assert told(tmp_path, kind, *lines)


def test_a_maildir_of_no_possible_name_is_told(tmp_path: Path) -> None:
    assert told(tmp_path, "imap", 'maildir: "a\\0"', "sendmail: /bin/true")


def test_a_certificate_that_isnt_there_is_named(tmp_path: Path) -> None:
    lines = ("imap: {host: 127.0.0.1, ca: nowhere.pem}", "smtp: {host: 127.0.0.1}")
    assert "nowhere.pem" in told(tmp_path, "imap", *lines)


class Asking(socketserver.StreamRequestHandler):
    """A server that lets in who says both words in UTF-8."""

    def handle(self) -> None:
        smtp = self.server.kind == "smtp"  # type: ignore[attr-defined]
        self.say("220 ready" if smtp else "* OK ready")
        while line := self.rfile.readline().decode().strip():
            tag, _, words = ("", "", line) if smtp else line.partition(" ")
            verb = words.split(" ")[0].upper()
            if verb == "EHLO":
                self.say("250-here", "250 AUTH PLAIN")
            elif verb == "CAPABILITY":
                self.say("* CAPABILITY IMAP4rev1 AUTH=PLAIN", f"{tag} OK well")
            elif verb in ("AUTH", "AUTHENTICATE"):
                given = words.split(" ")[2:]
                if not given:
                    self.say("334 " if smtp else "+ ")
                    given = [self.rfile.readline().decode().strip()]
                good = base64.b64decode(given[0]).decode() == f"\0{USER}\0{WORD}"
                self.server.good.append(good)  # type: ignore[attr-defined]
                yes, no = ("235 in", "535 no") if smtp else (f"{tag} OK in", f"{tag} NO no")
                self.say(yes if good else no)
            elif verb == "SELECT":
                self.server.folders.append(words)  # type: ignore[attr-defined]
                self.say("* 0 EXISTS", f"{tag} OK well")
            else:
                self.say("250 well" if smtp else f"{tag} OK well")

    def say(self, *lines: str) -> None:
        self.wfile.write("".join(f"{line}\r\n" for line in lines).encode())


@pytest.fixture(params=WAYS)
def asking(request: pytest.FixtureRequest) -> Iterator[socketserver.TCPServer]:
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Asking) as server:
        server.daemon_threads = True
        server.kind, server.good, server.folders = request.param, [], []  # type: ignore[attr-defined]
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.shutdown()


def test_words_of_other_letters_let_in(tmp_path: Path, asking: socketserver.TCPServer) -> None:
    where = f"{{host: 127.0.0.1, port: {asking.server_address[1]}, security: none}}"
    word = tmp_path / "word"
    word.write_text(WORD, encoding="utf-8")
    lines = (
        f"imap: {where}",
        f"smtp: {where}",
        f"user: {USER}",
        f"password-command: cat {word}",
        "timeout: 5",
        "folder: Entwürfe & mehr",
    )
    with WAYS[asking.kind](account_in(written(tmp_path, *lines))):  # type: ignore[attr-defined]
        pass
    assert asking.good == [True]  # type: ignore[attr-defined]
    if asking.kind == "imap":  # type: ignore[attr-defined]
        assert asking.folders == ['SELECT "Entw&APw-rfe &- mehr"']  # type: ignore[attr-defined]


def test_words_that_are_wrong_are_said_to_be(tmp_path: Path, asking: socketserver.TCPServer) -> None:
    where = f"{{host: 127.0.0.1, port: {asking.server_address[1]}, security: none}}"
    lines = (f"imap: {where}", f"smtp: {where}", "password-command: echo señor", "timeout: 5")
    assert "refuses gm@example.org" in told(tmp_path, asking.kind, *lines)  # type: ignore[attr-defined]
