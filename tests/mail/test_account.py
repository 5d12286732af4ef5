"""`mail.yaml`: its owner, values that it refuses, and the password that a command prints."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from adjudicator.engine.folder.errors import Faulty
from adjudicator.mail.account import Server, account_in, account_of, password_of, port_and_security
from tests.cli.calling import adjudicator as call

GOOD = "from: gm@example.org\nimap: {host: imap.example.org}\nsmtp: {host: smtp.example.org}\n"


def put(folder, text: str, mode: int = 0o600):
    file = folder / "mail.yaml"
    file.write_text(text, encoding="utf-8")
    file.chmod(mode)
    return file


def said(folder, text: str, mode: int = 0o600) -> str:
    with pytest.raises(Faulty) as raised:
        account_in(put(folder, text, mode))
    return " ".join(problem.text for problem in raised.value.problems)


def test_a_usual_account_is_read(tmp_path):
    account = account_in(put(tmp_path, GOOD))
    assert account.imap is not None
    assert account.smtp is not None
    assert port_and_security(account.imap, outgoing=False) == (993, "tls")
    assert port_and_security(account.smtp, outgoing=True) == (587, "starttls")
    assert port_and_security(Server("x", 465), outgoing=True) == (465, "tls")
    assert port_and_security(Server("x", 143), outgoing=False) == (143, "starttls")
    assert port_and_security(Server("127.0.0.1", security="none"), outgoing=True) == (25, "none")


def test_the_one_of_the_match_comes_before_that_of_the_folder_around_it(tmp_path):
    match = tmp_path / "lagoon"
    match.mkdir()
    with pytest.raises(Faulty):
        account_of(match)
    put(tmp_path, GOOD)
    assert account_of(match).address == "gm@example.org"
    put(match, GOOD.replace("gm@", "other@"))
    assert account_of(match).address == "other@example.org"


@pytest.mark.skipif(os.name != "posix", reason="modes of files protect nothing there")
@pytest.mark.parametrize("mode", [0o644, 0o640, 0o602])
def test_one_that_others_can_read_is_refused(tmp_path, mode):
    assert "chmod 600" in said(tmp_path, GOOD, mode)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("from: [", ""),
        ("from: gm@example.org\n", "`imap: {host: ...}`"),
        (GOOD + "maildir: /x\n", "give one of them"),
        (GOOD + "sendmail: /x\n", "give one of them"),
        (GOOD.replace("gm@example.org", "gm"), "isn't a mail address"),
        (GOOD + "observers: ['a b@example.org']\n", "isn't a mail address"),
        (GOOD.replace("imap.example.org", "imap.example.org, security: none"), "without TLS"),
        (GOOD.replace("imap.example.org", "imap.example.org, port: 70000"), "no port 70000"),
        (GOOD + "password: secret\n", "a command that prints it"),
        (GOOD + "observer: []\n", "there is no key observer, did you mean observers?"),
        (GOOD + "plus: maybe\n", "must be `true` or `false`"),
        (GOOD.replace("imap.example.org", "imap.example.org, prt: 5"), "did you mean port?"),
        (GOOD + "auth: kerberos\n", "kerberos"),
        (GOOD + "timeout: 0\n", "1 second"),
        (GOOD + "file: /elsewhere/mail.yaml\n", "there is no key file"),
        (GOOD + "address: gm@example.org\n", "there is no key address"),
    ],
)
def test_what_cant_be_in_it(tmp_path, text, wrong):
    assert wrong in said(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (GOOD + "file: /x\n", (4, 1)),
        (GOOD.replace("gm@example.org", "gm"), (1, 7)),
        (GOOD + "observers: [a@example.org, b]\n", (4, 28)),
        (GOOD + "timeout: 0\n", (4, 10)),
        (GOOD.replace("smtp.example.org", "x, port: 70000"), (3, 23)),
        (GOOD + "maildir: /x\n", (4, 10)),
        ("from: gm@example.org\n", (1, 1)),
    ],
)
def test_what_cant_be_is_said_by_file_and_line(tmp_path, text, place):
    with pytest.raises(Faulty) as raised:
        account_in(put(tmp_path, text))
    first = raised.value.problems[0]
    assert first.file == str(tmp_path / "mail.yaml")
    assert (first.line, first.column) == place


def test_a_link_isnt_followed(tmp_path):
    put(tmp_path, GOOD)
    (tmp_path / "mail.yaml").rename(tmp_path / "other")
    (tmp_path / "mail.yaml").symlink_to(tmp_path / "other")
    with pytest.raises(Faulty):
        account_in(tmp_path / "mail.yaml")


@pytest.mark.skipif(os.name == "nt", reason="the commands are those of a Unix shell")
def test_the_password_is_the_first_line_that_the_command_tells(tmp_path):
    def word(command: str) -> str:
        return password_of(account_in(put(tmp_path, f"{GOOD}password-command: {command}\ntimeout: 1\n")))

    assert word("printf 'sec ret\\nmore\\n'") == "sec ret"
    for command, wrong in (
        ("exit 3", "status 3"),
        ("printf ''", "no password"),
        ("sleep 60", r"within 1 second\b"),
    ):
        with pytest.raises(Faulty) as raised:
            word(command)
        assert re.search(wrong, raised.value.problems[0].text)


@pytest.mark.parametrize("command", ["password-command: touch ran", "sendmail: touch ran"])
def test_a_match_s_own_runs_a_command_only_if_it_says_for_which_folder(tmp_path, command, monkeypatch):
    """A match out of an archive brings its own, with whatever mode and whoever unpacks it as its owner. It may write
    another path that leads to wherever it lies."""
    text = GOOD if command[0] == "p" else GOOD.replace("smtp: {host: smtp.example.org}\n", "")
    text = f"{text}{command}\n"
    assert account_in(put(tmp_path, text)).address == "gm@example.org"  # beside the matches
    (tmp_path / "match.yaml").touch()
    assert f"write `for: {tmp_path}`" in said(tmp_path, text)
    monkeypatch.chdir(tmp_path.parent)
    (tmp_path / "link").symlink_to(tmp_path)
    others = ("lagoon", ".", "./", "/", f"{tmp_path}/..", str(tmp_path.parent), "~/lagoon")
    same = (
        f"/proc/self/cwd/{tmp_path.name}",
        f"/dev/fd/../cwd/{tmp_path.name}",
        tmp_path / "link",
        f"{tmp_path}/",
    )
    for place in (*others, *same, f"/{tmp_path}", f"{tmp_path}/.", f"{tmp_path}/../{tmp_path.name}"):
        assert "and lies in" in said(tmp_path, f"{text}for: {place}\n")
    assert "and lies in" in said(tmp_path / "link", f"{text}for: {tmp_path / 'link'}\n")
    assert account_in(put(tmp_path, f"{text}for: {tmp_path}\n")).place == str(tmp_path)


def test_one_that_belongs_to_somebody_else_is_refused(tmp_path, monkeypatch):
    if not hasattr(os, "geteuid"):
        pytest.skip("this system knows no owners by number")
    monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid + 1)
    assert "belongs to another user" in said(tmp_path, GOOD)


@pytest.mark.parametrize("command", ["send", "fetch", "turn", "test"])
def test_a_folder_that_is_none_is_told_before_its_account(command: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for name, said in (
        ("nowhere", "there is no such folder"),
        ("file", "this is a file, not a match folder"),
    ):
        told = call("mail", command, tmp_path / name)
        assert told.exit_code == 1
        assert told.output == f"{tmp_path / name}: MATCH {said}\n"
