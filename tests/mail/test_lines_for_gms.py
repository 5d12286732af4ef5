"""The lines that `docs/` tells a new GM to write and run, carried out as they are,
with a post office on the loopback."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from adjudicator.cli import post_office
from adjudicator.cli.post_office import answer_to, write_from_phone
from adjudicator.engine.folder.entries import Sent, Taken, of_kind
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.folder.ledger import ledger_of
from tests.mail.servers import needs_dovecot

ROOT = Path(__file__).parents[2]
DOCS = "\n".join((ROOT / "docs" / page).read_text(encoding="utf-8") for page in ("mail.md", "club.md"))
WHO = {name: f"{name}@example.org" for name in ("gm", "one", "two", "friend")}
pytestmark = pytest.mark.skipif(shutil.which("flock") is None, reason="the lines are for Linux")


def block(first: str) -> str:
    """What stands between fences in the pages on mail and begins so, without its margin."""
    found = re.search(rf"^( *)```\w*\n\1{re.escape(first)}.*?^\1```", DOCS, re.DOTALL | re.MULTILINE)
    assert found, f"no block begins with {first!r}"
    lines = found[0].splitlines()[1:-1]
    return "\n".join(line.removeprefix(found[1]) for line in lines) + "\n"


class Shell:
    """A shell in a home of its own, in which `adjudicator` is this program."""

    def __init__(self, home: Path) -> None:
        self.home, self.matches = home, home / "matches"
        command = home / "bin" / "adjudicator"
        command.parent.mkdir(parents=True)
        command.write_text(f'#!/bin/sh\nexec {sys.executable} -m adjudicator "$@"\n')
        command.chmod(0o755)

    def __call__(self, text: str, at: Path | None = None) -> str:
        where = at or self.matches
        more = {
            "HOME": str(self.home),
            "PYTHONPATH": str(ROOT),
            "PATH": f"{self.home / 'bin'}:{os.environ['PATH']}",
        }
        ran = subprocess.run(
            ["sh", "-ec", text],
            cwd=where,
            env={**os.environ, **more},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout + ran.stderr


def account(office: post_office.PostOffice, home: Path) -> str:
    """The page's mail.yaml, with the servers that are there and the home that it is, where the club's web is too."""
    text = block("from: gm@example.org").replace("/home/gm", str(home)).replace("/var/www", str(home / "www"))
    for host, port in (("imap", office.dovecot.imap), ("smtp", office.smtp)):
        text = text.replace(
            f"{{host: {host}.example.org}}", f"{{host: 127.0.0.1, port: {port}, security: none}}"
        )
    return text


def cron() -> list[str]:
    """The commands of the page's crontab, without the change to a folder."""
    lines = [line for line in block("MAILTO=").splitlines() if "&&" in line]
    return [line.split("&& ", 1)[1] for line in lines]


def test_a_match_by_mail_in_ten_minutes_and_a_club(tmp_path):
    needs_dovecot()
    shell = Shell(tmp_path / "home")
    with post_office.open_office([*WHO.values()]) as office:
        shell(block("mkdir -p ~/matches"), shell.home)
        for file, text in (
            (shell.home / ".mail-password", office.password),
            (shell.matches / "mail.yaml", account(office, shell.home)),
        ):
            file.write_text(f"{text}\n")
            file.chmod(0o600)
        assert "sent to venice, genoa, public" in shell("adjudicator mail send lagoon")
        for who in ("one", "two"):
            (mail,) = map(post_office.read, office.mails(WHO[who]))
            message = answer_to(mail, WHO[who])
            write_from_phone(message, "orders: []\n", mail)
            office.send(message)
        turn, league = cron()
        assert shell(turn) == ""  # what it plays needs no GM
        assert "0002-t1-auction" in open_match(shell.matches / "lagoon").phases
        assert shell(turn.replace(" --quiet", "")) == ""
        shell("adjudicator schedule lagoon > weekly.yaml; sed -i 's/3 days/5 days/' weekly.yaml")
        shell('adjudicator schedule lagoon weekly.yaml --why "more time"')
        assert "told what was done: venice, genoa, public" in shell(turn.replace(" --quiet", ""))
        shell("echo 'one@example.org: Anna' > names.yaml")
        shell(league.replace("/var/www/", ""))
        assert (
            "Aucune partie ne compte encore." in (shell.matches / "league.html").read_text()
        )  # as mail.yaml says
        entries = ledger_of(open_match(shell.matches / "lagoon"))
        assert [entry.player for entry in of_kind(entries, Taken)] == ["venice", "genoa"]
        assert all(len(office.mails(WHO[who])) == 4 for who in ("one", "two"))
        assert len([entry for entry in of_kind(entries, Sent) if entry.stage == "done"]) == 11


def test_the_service_runs_what_cron_runs():
    service, timer = (
        block("[Unit]\nDescription=Play by mail\n"),
        block("[Unit]\nDescription=Play by mail every"),
    )
    assert "adjudicator mail turn --quiet */" in service
    assert cron()[0].endswith("adjudicator mail turn --quiet */")
    assert "WantedBy=timers.target" in timer
