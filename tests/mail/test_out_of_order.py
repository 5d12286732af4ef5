"""The message about a failing server: which one, its port, the kind of connection, and a likely cause."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from adjudicator.cli.post_office import free_port
from adjudicator.engine.folder.errors import Faulty
from adjudicator.mail.account import account_in
from adjudicator.mail.club import inbox, outgoing

WAYS = {"imap": inbox, "smtp": outgoing}
NAMES = {"imap": "the IMAP server 127.0.0.1", "smtp": "the SMTP server 127.0.0.1"}
PLAIN = {"imap": b"* OK ready\r\n", "smtp": b"220 ready\r\n"}


@contextmanager
def saying(words: bytes) -> Iterator[int]:
    """A server that says the same to all, and goes: its port."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    one, _ = server.accept()
                    with one, suppress(OSError):
                        one.sendall(words)
                        one.recv(1024)

        threading.Thread(target=serve, daemon=True).start()
        try:
            yield server.getsockname()[1]
        finally:
            with suppress(OSError):
                server.shutdown(socket.SHUT_RDWR)


def said(tmp_path: Path, kind: str, port: int, security: str) -> str:
    """What is said when a server is spoken to."""
    file = tmp_path / "mail.yaml"
    lines = [f"{each}: {{host: 127.0.0.1, port: {port}, security: {security}}}" for each in WAYS]
    file.write_text("\n".join(["from: gm@example.org", "timeout: 5", *lines]))
    file.chmod(0o600)
    with pytest.raises(Faulty) as found, WAYS[kind](account_in(file)):
        pass
    (problem,) = found.value.problems
    return problem.text


@pytest.mark.parametrize("kind", WAYS)
@pytest.mark.parametrize(
    ("security", "word"), [("tls", "TLS"), ("starttls", "STARTTLS"), ("none", "unencrypted")]
)
def test_where_nobody_listens_the_port_is_named(tmp_path: Path, kind: str, security: str, word: str) -> None:
    port = free_port()
    assert said(tmp_path, kind, port, security) == f"{NAMES[kind]}, port {port} ({word}): Connection refused"


@pytest.mark.parametrize("kind", WAYS)
def test_a_server_that_begins_in_clear_isnt_spoken_to_by_tls(tmp_path: Path, kind: str) -> None:
    with saying(PLAIN[kind]) as port:
        told = said(tmp_path, kind, port, "tls")
    assert told.startswith(f"{NAMES[kind]}, port {port} (TLS): its answer isn't TLS (")
    assert told.endswith(
        "); a server without TLS at the start needs `security: starttls`, or use another port"
    )


@pytest.mark.parametrize("kind", WAYS)
def test_a_server_that_hangs_up_is_said_to(tmp_path: Path, kind: str) -> None:
    with saying(b"") as port:
        told = said(tmp_path, kind, port, "tls")
    assert told == f"{NAMES[kind]}, port {port} (TLS): it has ended the connection"
