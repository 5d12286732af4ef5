"""Mail from end to end, over files: phases go out once, sheets come in, and each mail is recorded and answered."""

from __future__ import annotations

import errno
import os
import shutil
from contextlib import suppress
from pathlib import Path

import pytest

from adjudicator.door.seats import make_anew, token
from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder import disk
from adjudicator.engine.folder.commit import locked
from adjudicator.engine.folder.entries import Bounced, Held, Sent, Taken
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.match.begin import begin
from tests.cli.calling import adjudicator as call
from tests.mail.clubs import entries
from tests.mail.local_post import LocalPost, reply

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")
PHASE = "0001-t1-setup"
AT = "2026-05-03T18:00:00Z"
SHEET = "orders:\n  - place: 4\n    to: venice-1\n"


@pytest.fixture(scope="module")
def just_begun(tmp_path_factory) -> Path:
    home = tmp_path_factory.mktemp("begun")
    return begun(home / "lagoon", LocalPost(home / "post"), pages="off")


@pytest.fixture
def match(just_begun, tmp_path, post) -> Path:
    path = Path(shutil.copytree(just_begun, tmp_path / "lagoon"))
    post.account(path)
    return path


@pytest.fixture
def with_pages(tmp_path, post) -> Path:
    return begun(tmp_path / "lagoon", post)


def begun(path: Path, post: LocalPost, **options: str) -> Path:
    begin(
        "mediterranee",
        path,
        ["venice", "genoa"],
        options=options,
        seed_text="mail",
        addresses={"venice": "one@example.org", "genoa": "two@example.org"},
        gm="gm@example.org",
    )
    post.account(path)
    return path


def mail(*words: str, at: str = AT, **more):
    return call("mail", *words, "--at", at, **more)


def held(match: Path) -> list[str]:
    return [entry.because for entry in entries(match, Held)]


@pytest.mark.usefixtures("by_a_command")
def test_a_phase_goes_to_each_player_once(with_pages, post):
    match = with_pages
    assert mail("send", str(match)).exit_code == 0
    assert mail("send", str(match)).exit_code == 0
    for player, address in (("venice", "one@example.org"), ("genoa", "two@example.org")):
        (sent,) = post.mails_to(address)
        assert token(match, player) in sent["Reply-To"]
        assert token(match, player) in sent["Subject"]
        names = [part.get_filename() for part in sent.iter_attachments()]
        assert names == ["report.html", "orders.html", "sheet.yaml", "receipts.json"]
        assert "orders:" in sent.get_body(("plain",)).get_content()
        assert "<script" not in sent.get_body(("html",)).get_content()
        page, orders = [part.get_content() for part in sent.iter_attachments()][:2]
        assert 'href="orders.html"' not in page
        assert f'"gm":"{sent["Reply-To"]}"' in orders
        others = token(match, "genoa" if player == "venice" else "venice")
        assert others not in sent.as_string()
    assert [(entry.to, entry.stage) for entry in entries(match, Sent)] == [
        ("venice", "begun"), ("genoa", "begun"), ("venice", "done"), ("genoa", "done"),
    ]  # fmt: skip


def test_a_sheet_is_taken_answered_and_played(match, post):
    mail("send", str(match))
    first, other = post.mails_to("one@example.org")[0], post.mails_to("two@example.org")[0]
    post.deliver(reply(first, f"Hi\n\n{SHEET}\nM.\n", sender="any@example.net"))
    post.deliver(reply(other, "orders:\n  - place: 9\n    to: genoa-1\n"))
    told = mail("turn", str(match))
    assert told.exit_code == 0, told.output
    answer = post.mails_to("one@example.org")[1]
    text = answer.get_content()
    (venice, genoa) = entries(match, Taken)
    assert (match / PHASE / "sheets" / "venice.yaml").read_text() == f"{SHEET}player: venice\n"
    assert f"Receipt: {venice.sheet[:16]}" in text
    assert "2 |   - place: 4" in text
    assert "your missing name added (line 4)" in text
    assert answer["In-Reply-To"] == venice.message
    assert answer["Auto-Submitted"] == "auto-replied"
    assert "line 2, column 12: MED-0.6" in post.mails_to("two@example.org")[1].get_content()
    assert genoa.player == "genoa"
    assert open_match(match).last == 1  # what is wrong with a sheet may be mended first
    post.deliver(reply(other, "orders:\n  - place: 4\n    to: genoa-1\n", number="2"))
    assert mail("turn", str(match)).exit_code == 0
    assert open_match(match).last > 1
    assert len(post.mails_to("one@example.org")) == 3
    assert len(list((match / PHASE / "mail").iterdir())) == 6
    assert verify(match).good
    assert mail("turn", str(match)).exit_code == 0
    assert len(post.mails_to("one@example.org")) == 3


def test_every_mail_is_accounted_for(match, post):
    mail("send", str(match))
    first = post.mails_to("one@example.org")[0]
    ours = first["Message-ID"]
    without = {"To": "gm@example.org", "Subject": "hello", "In_Reply_To": "<a@b>"}
    mails = [
        (reply(first, "thanks!"), "words"),
        (
            reply(first, "> " + first.get_body(("plain",)).get_content().replace("\n", "\n> "), number="2"),
            "blank",
        ),
        (reply(first, SHEET, number="3", **without), "address-alone"),
        (reply(first, SHEET, number="4", Auto_Submitted="auto-replied"), "robot"),
        (reply(first, SHEET + "player: genoa\n", number="5"), "not-a-sheet"),
        (reply(first, SHEET + "phase: 0007-t9-market\n", number="6"), "later-phase"),
        (reply(first, SHEET + "match: alps\n", number="7"), "not-a-sheet"),
        (reply(first, "orders: [\n", number="8"), "not-a-sheet"),
        (reply(first, "answers: [{seat: 1}]\n", number="9"), "no-question"),
    ]
    for message, _ in mails:
        post.deliver(message)
    post.deliver(mails[0][0])
    post.deliver(reply(first, SHEET, sender="stranger@example.net", number="10", **without))
    post.deliver(
        f"Return-Path: <>\nFrom: MAILER-DAEMON@x\nX-Failed-Recipients: one@example.org\n\n{ours}\n".encode()
    )
    told = mail("fetch", str(match))
    assert told.exit_code == 0, told.output
    assert held(match) == [because for _, because in mails]
    assert [(entry.player, entry.of) for entry in entries(match, Bounced)] == [("venice", ours)]
    assert "left (unknown)" in told.output
    assert not (match / PHASE / "sheets" / "venice.yaml").exists()
    answers = post.mails_to("one@example.org")[1:]
    assert len(answers) == 8
    assert not post.mails_to("stranger@example.net")
    assert not mail("fetch", str(match)).output


def test_a_bad_sheet_doesnt_take_the_place_of_a_good_one(match, post):
    mail("send", str(match))
    first = post.mails_to("one@example.org")[0]
    post.deliver(reply(first, SHEET))
    post.deliver(reply(first, "orders: [\n", number="2"))
    mail("fetch", str(match))
    receipt = entries(match, Taken)[0].sheet[:16]
    assert (
        f"Your earlier sheet, with the receipt {receipt}, still counts"
        in post.mails_to("one@example.org")[2].get_content()
    )
    assert (match / PHASE / "sheets" / "venice.yaml").read_text().startswith(SHEET)


def test_an_answer_to_the_mail_of_a_phase_that_is_over_isnt_taken_for_the_next(match, post):
    mail("send", str(match))
    first = post.mails_to("one@example.org")[0]
    call("run", str(match), "--deadline")
    phase = open_match(match).phases[-1]
    assert phase != PHASE
    mail("send", str(match))
    post.deliver(reply(first, "orders: []\n"))
    post.deliver(reply(first, "orders: []\nphase: " + PHASE, number="2"))
    post.deliver(reply(post.mails_to("one@example.org")[1], "orders: []\n", number="3"))
    mail("fetch", str(match))
    assert held(match) == ["earlier-phase", "earlier-phase"]
    assert [(entry.player, entry.phase) for entry in entries(match, Taken)] == [("venice", phase)]
    told = " ".join(post.mails_to("one@example.org")[2].get_content().split())
    assert f"It came too late: it is for {PHASE}, and {phase} is open now." in told
    assert f"say so with a line `phase: {phase}`" in told
    assert f"No sheet of yours is in for {phase}" in told
    assert verify(match).good


def test_observers_get_what_is_public_and_no_token(with_pages, post):
    match = with_pages
    post.account(match, observers="[friend@example.org, other@example.org]")
    mail("send", str(match))
    mail("send", str(match))
    for address in ("friend@example.org", "other@example.org"):
        (sent,) = post.mails_to(address)
        assert sent["To"] == "gm@example.org"
        assert [part.get_filename() for part in sent.iter_attachments()] == ["report.html"]
        assert not any(token(match, player) in sent.as_string() for player in ("venice", "genoa"))
    # Nothing else has come than copies of ours: none is left for the GM to look at, not the observers' either.
    post.account(match)
    told = mail("fetch", str(match))
    assert (told.exit_code, told.output) == (0, "")
    assert not held(match)


def test_a_match_that_is_faulty_keeps_no_other_from_its_mail(match, post, tmp_path):
    broken = tmp_path / "alps"
    begin("mediterranee", broken, ["venice", "genoa"], addresses={"venice": "three@example.org"})
    post.account(broken)
    (broken / "mail.yaml").rename(tmp_path / "mail.yaml")
    (broken / "match.yaml").write_text("match: [\n")
    mail("send", str(match))
    post.deliver(reply(post.mails_to("one@example.org")[0], SHEET))
    told = mail("turn", str(broken), str(match))
    assert told.exit_code == 1
    assert "alps" in told.output
    assert len(entries(match, Taken)) == 1


def test_a_player_gets_ten_answers_a_day(match, post):
    mail("send", str(match))
    first = post.mails_to("one@example.org")[0]
    for number in range(12):
        post.deliver(reply(first, f"no sheet {number}", number=str(number)))
    mail("fetch", str(match))
    assert len(held(match)) == 12
    assert len(post.mails_to("one@example.org")) == 11
    post.deliver(reply(first, SHEET, number="next"))
    mail("fetch", str(match), at="2026-05-04T18:00:01Z")
    assert len(post.mails_to("one@example.org")) == 12


def test_a_token_that_others_have_seen_is_made_anew(match, post):
    mail("send", str(match))
    first = post.mails_to("one@example.org")[0]
    old = token(match, "venice")
    assert (
        call("mail", "token", str(match), "venice", "--new").output.strip() == token(match, "venice") != old
    )
    assert oct((match / "referee.yaml").stat().st_mode)[-3:] == "600"
    post.deliver(reply(first, SHEET, sender="thief@example.net"))
    mail("turn", str(match))
    assert held(match) == ["expired"]
    assert not post.mails_to("thief@example.net")
    new = post.mails_to("one@example.org")[-1]
    assert token(match, "venice") in new["Reply-To"]
    post.deliver(reply(new, SHEET, number="2"))
    mail("turn", str(match))
    assert len(entries(match, Taken)) == 1
    make_anew(match, "venice")


@pytest.mark.usefixtures("by_a_command")
def test_an_address_that_isnt_there_is_told_and_not_tried_again(match, post):
    text = (match / "referee.yaml").read_text().replace("two@", "nobody@")
    (match / "referee.yaml").write_text(text)
    assert "refused for genoa" in mail("send", str(match)).output
    assert [entry.because for entry in entries(match, Bounced)] == ["no such user"]
    assert "refused" not in mail("send", str(match)).output


@pytest.mark.usefixtures("by_a_command")
def test_a_server_that_takes_nothing_now_gets_it_later(match, post):
    (post.home / "full").touch()
    assert mail("send", str(match)).exit_code == 1
    (post.home / "full").unlink()
    assert mail("send", str(match)).exit_code == 0
    assert len(post.mails_to("one@example.org")) == 1


class Killed(BaseException):
    """What stops a command at a change of the disk."""


def killed_at(monkeypatch, number: int, error: BaseException) -> None:
    """The command stops before that change of the disk, and every later one."""
    count = iter(range(100_000))
    for name in ("write", "mkdir", "rename", "unlink", "rmdir", "rmtree"):
        real = getattr(disk, name)

        def change(*args, real=real, **more):
            if next(count) >= number:
                raise error
            return real(*args, **more)

        monkeypatch.setattr(disk, name, change)


@pytest.mark.parametrize(
    ("number", "error"),
    [
        pytest.param(n, error, id=f"{n}-{name}", marks=[] if n % 24 == own else pytest.mark.soak)
        for n in range(60)
        for name, error, own in (("killed", Killed(), 0), ("full", OSError(errno.ENOSPC, "No space"), 12))
    ],
)
def test_wherever_a_turn_is_cut_short_nothing_is_lost_or_sent_twice(match, post, monkeypatch, number, error):
    mail("send", str(match))
    post.deliver(reply(post.mails_to("one@example.org")[0], SHEET))
    post.deliver(reply(post.mails_to("two@example.org")[0], "orders: []\n"))
    with monkeypatch.context() as patch:
        killed_at(patch, number, error)
        with suppress(Killed):
            mail("turn", str(match))
    for _ in range(2):
        assert mail("turn", str(match)).exit_code == 0
    assert sorted(entry.player for entry in entries(match, Taken)) == ["genoa", "venice"]
    for address in ("one@example.org", "two@example.org"):
        ids = [sent["Message-ID"] for sent in post.mails_to(address)]
        assert len(ids) == len(set(ids)) == 3
    assert not [path for path in (post.home / "gm@example.org" / "new").iterdir()]


def test_a_mail_from_a_pipe(match, post):
    mail("send", str(match))
    message = reply(post.mails_to("one@example.org")[0], SHEET)
    with locked(match):
        assert mail("take", str(match), given=message.as_bytes()).exit_code == 75
    assert mail("take", str(match), given=message.as_bytes()).exit_code == 0
    assert len(entries(match, Taken)) == 1
    assert len(post.mails_to("one@example.org")) == 2
