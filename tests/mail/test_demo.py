"""`demo --mail`: two turns over a real post office, and the message if there is none."""

from __future__ import annotations

import re
import smtplib
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from adjudicator.cli import post_office
from adjudicator.cli.post_office import WAYS
from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.entries import Bounced, Held, Sent, Taken, of_kind
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.folder.ledger import ledger_of
from adjudicator.engine.text.resources import how_to_install
from tests.cli.calling import adjudicator as call
from tests.mail.servers import needs_dovecot

TWO = ("genoa", "venice")


@pytest.fixture(scope="module")
def demo(tmp_path_factory) -> tuple[Path, str]:
    needs_dovecot()
    path = tmp_path_factory.mktemp("demo") / "lagoon"
    words = ("--players", "2", "--seed", "calm", "--option", "turns=3")
    told = call("demo", "mediterranee", path, "--mail", *words)
    assert told.exit_code == 0, told.output
    return path, told.output


def test_each_sheet_that_a_bot_mailed_is_taken_however_it_was_written(demo):
    path, said = demo
    match = open_match(path)
    entries = ledger_of(match)
    assert match.head(match.last).turn == 3
    for how in WAYS:
        assert f" {how}." in said
    assert len(of_kind(entries, Taken)) == said.count(" answers ") >= 2 * len(TWO)
    assert not [*of_kind(entries, Held), *of_kind(entries, Bounced)]
    assert verify(path).good


def test_every_mail_that_was_sent_has_come(demo):
    path, _ = demo
    sent = {entry.message for entry in of_kind(ledger_of(open_match(path)), Sent)}
    got = {who: mails(path / "mailboxes" / who) for who in (*TWO, "gm")}
    assert {mail["Message-ID"] for who in TWO for mail in got[who]} == sent
    copies = [mail["Message-ID"] for mail in got["gm"] if mail["Message-ID"] in sent]
    assert sorted(copies) == sorted(sent)


def mails(folder: Path):
    return [post_office.read(path.read_bytes()) for path in sorted(folder.iterdir())]


def test_it_ends_with_addresses_that_lead_somewhere(demo):
    _, said = demo
    found = [Path(unquote(urlsplit(each).path)) for each in re.findall(r"file://\S+", said)]
    assert len(found) == 2 * len(TWO) + 1
    assert all(each.exists() for each in found)


def test_the_post_office_asks_who_one_is_and_knows_its_mailboxes():
    needs_dovecot()
    with post_office.open_office(["gm@players.example"]) as office:
        with smtplib.SMTP(post_office.HOST, office.smtp) as way, pytest.raises(smtplib.SMTPSenderRefused):
            way.sendmail("gm@players.example", ["gm@players.example"], "Subject: x\n\nx\n")
        with smtplib.SMTP(post_office.HOST, office.smtp) as way:
            way.login("gm@players.example", office.password)
            with pytest.raises(smtplib.SMTPRecipientsRefused):
                way.sendmail("gm@players.example", ["nobody@players.example"], "Subject: x\n\nx\n")
            way.sendmail("gm@players.example", ["gm+lagoon@players.example"], "Subject: y\n\nx\n")
        assert [post_office.read(mail)["Subject"] for mail in office.mails("gm@players.example")] == ["y"]


@pytest.mark.parametrize(
    ("where", "name", "gone", "said"),
    [
        (post_office, "PROGRAM", None, "apt install dovecot-imapd dovecot-lmtpd"),
        (post_office, "version", lambda: "2.5.0", "Dovecot 2.3 or 2.4 (this is 2.5.0"),
        (post_office, "find_spec", lambda name: None, f"aiosmtpd ({how_to_install('demo')})"),
    ],
    ids=["Dovecot", "its version", "aiosmtpd"],
)
def test_what_is_missing_is_said_and_nothing_begun(tmp_path, monkeypatch, where, name, gone, said):
    if name == "version":
        needs_dovecot()
    monkeypatch.setattr(where, name, gone)
    told = call("demo", "mediterranee", tmp_path / "lagoon", "--mail")
    assert told.exit_code == 3, told.output
    assert said in told.output
    assert not (tmp_path / "lagoon").exists()


def test_a_server_that_doesnt_start_says_why(tmp_path, monkeypatch):
    needs_dovecot()
    monkeypatch.setattr(post_office, "settings_for", lambda found: "log_path = {home}/log\nno such setting\n")
    told = call("demo", "mediterranee", tmp_path / "lagoon", "--mail")
    assert told.exit_code == 1, told.output
    assert "it didn't start: doveconf: Fatal" in told.output


@pytest.mark.parametrize(("found", "its"), [("2.3.19.1", "2.3"), ("2.4.1-4", "2.4"), ("2.4.2", "2.4")])
def test_each_dovecot_gets_the_settings_of_its_version(found, its):
    assert post_office.settings_for(found) == post_office.SETTINGS[its]
    assert not post_office.settings_for(found.replace("2.", "3.", 1))


def test_the_settings_of_2_4_have_its_names():
    facts = {"home": "/h", "user": "u", "group": "g", "uid": 1, "gid": 1, "imap": 2, "lmtp": 3}
    text = post_office.settings_for("2.4.1").format(**facts)
    lines = [line.strip() for line in text.strip().splitlines()]
    assert lines[0].startswith("dovecot_config_version = 2.4")
    assert "home = /h/home/%{user}" in lines
    assert sum(line.endswith("{") for line in lines) == lines.count("}")
    gone = {"disable_plaintext_auth", "args", "driver", "mail_location", "address"}
    assert not gone & {line.partition(" ")[0] for line in lines}
    assert not any(line in ("passdb {", "userdb {") or "%u" in line for line in lines)
