"""A mail asks for what its reader can send now, and brings the form for it."""

from __future__ import annotations

import os
import re
from email.message import EmailMessage
from pathlib import Path

import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.match.begin import begin
from adjudicator.engine.match.run import run
from adjudicator.engine.report.page_scripts import link_content
from adjudicator.engine.report.reader_texts import standalone_page, without_link
from adjudicator.gm.by_players import change_settings
from adjudicator.page.called import PageCalls
from tests.cli.calling import adjudicator as call
from tests.mail.local_post import LocalPost, reply

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")
PAGE = "https://club.example/play/"
AT = "2026-05-03T18:00:00Z"
FORM = "use the form at the end", "the form at the end"
NAMED = ("sheet.yaml", "orders.html", "answer.yaml")


def begun(
    tmp_path: Path, post: LocalPost, observers: str = "[friend@example.org]", **options: object
) -> Path:
    path = tmp_path / "lagoon"
    begin(
        "mediterranee",
        path,
        ["venice", "genoa"],
        options=options,
        seed_text="asked",
        addresses={"venice": "one@example.org", "genoa": "two@example.org"},
        gm="gm@example.org",
    )
    post.account(path, observers=observers)
    return path


def turn(path: Path) -> None:
    assert call("mail", "turn", str(path), "--at", AT).exit_code == 0


def texts(message: EmailMessage) -> list[str]:
    """What a mail says before the report, as text and as a page."""
    plain = message.get_body(("plain",))
    page = message.get_body(("html",))
    assert plain is not None and page is not None
    return [plain.get_content().split("\n-----")[0], page.get_content().split("<hr>")[0]]


def is_honest(message: EmailMessage) -> bool:
    """Is every file that a mail tells its reader to open attached, and the form there that it speaks of?"""
    attached = [part.get_filename() for part in message.iter_attachments()]
    plain = message.get_body(("plain",))
    assert plain is not None
    form = plain.get_content().split("\n-----")[2:]
    for text in texts(message):
        if any(name in text and name not in attached for name in NAMED):
            return False
        if any(words in text for words in FORM) and not form:
            return False
    return True


def asked_of_venice(path: Path) -> Path:
    """A match in live pacing, whose auction waits for Venice to take a seat."""
    run(path, deadline=True)
    for player, bid in (("venice", 200), ("genoa", 100)):
        sheet = path / "0002-t1-auction" / "sheets" / f"{player}.yaml"
        sheet.write_text(f"player: {player}\norders:\n  - bid: {bid}\n")
    assert run(path).waiting == "venice"
    turn(path)
    return path


def test_observers_are_asked_for_nothing(tmp_path: Path, post: LocalPost) -> None:
    turn(begun(tmp_path, post))
    (sent,) = post.mails_to("friend@example.org")
    assert is_honest(sent)
    assert all("You have nothing to do now." in text for text in texts(sent))


@pytest.mark.parametrize("pages", ["on", "off"])
def test_what_is_to_be_opened_is_attached(tmp_path: Path, post: LocalPost, pages: str) -> None:
    turn(begun(tmp_path, post, pages=pages))
    (sent,) = post.mails_to("one@example.org")
    assert is_honest(sent)
    assert all("Your sheet is due." in text for text in texts(sent))


SENT = {
    "a sheet": ("orders: []\n", True),
    "a draft": ("ready: false\norders: []\n", False),
    "one that can't be read": ("orders: [\n", False),
    "standing orders for it": (
        "standing: {phases: {setup: []}}\n",
        False,
    ),  # which hold from the next time on
}


@pytest.mark.ci
@pytest.mark.parametrize(("sheet", "given"), SENT.values(), ids=SENT)
def test_whose_orders_are_in_is_told_so_when_the_phase_is_mailed_once_more(
    tmp_path: Path, post: LocalPost, sheet: str, given: bool
) -> None:
    path = begun(tmp_path, post)
    turn(path)
    (path / "0001-t1-setup" / "sheets" / "venice.yaml").write_text(f"player: venice\n{sheet}")
    for act in ("hold", "resume"):
        assert call(act, str(path), "--why", "ill", "--at", AT).exit_code == 0
    turn(path)
    short = {player: post.mails_to(f"{player}@example.org")[-1].get_content() for player in ("one", "two")}
    assert ("Your orders for this phase are in" in short["one"]) == given
    assert all(("Your sheet is due" in text) != (given and who == "one") for who, text in short.items())
    for player in ("venice", "genoa"):
        call("mail", "token", str(path), player, "--new")
    turn(path)
    again = {player: post.mails_to(f"{player}@example.org")[-1] for player in ("one", "two")}
    assert [len(post.mails_to(f"{player}@example.org")) for player in again] == [3, 3]
    in_, asked = "Your orders for this phase are in.", "Your sheet is due."
    assert all((in_ if given else asked) in text for text in texts(again["one"]))
    assert all(asked in text for text in texts(again["two"]))
    assert all(map(is_honest, again.values()))


def test_who_has_sent_orders_ahead_is_not_asked_for_a_sheet(tmp_path: Path, post: LocalPost) -> None:
    path = begun(tmp_path, post, stops="all")
    for player in ("venice", "genoa"):
        ahead = "later: {auction: {orders: [{bid: 100}]}}\n" if player == "venice" else ""
        sheet = path / "0001-t1-setup" / "sheets" / f"{player}.yaml"
        sheet.write_text(f"player: {player}\norders: []\n{ahead}")
    turn(path)
    assert (path / "0002-t1-auction").is_dir()
    (one,), (two,) = post.mails_to("one@example.org"), post.mails_to("two@example.org")
    assert all("Your orders for this phase are in." in text for text in texts(one))
    assert all("Your sheet is due." in text for text in texts(two))


def test_a_question_is_asked_of_one_and_the_others_are_left_in_peace(tmp_path: Path, post: LocalPost) -> None:
    path = asked_of_venice(begun(tmp_path, post, pacing="live", stops="all"))
    (asked,), (other,) = post.mails_to("one@example.org"), post.mails_to("two@example.org")
    assert is_honest(asked) and is_honest(other)
    assert all("waits for your answer" in text and "answer.yaml" in text for text in texts(asked))
    assert all("You have nothing to do now." in text for text in texts(other))
    left = call("run", str(path), "--if-due", "--at", AT)
    assert left.exit_code == 3, left.output
    assert "waits for an answer by venice" in left.output
    post.deliver(reply(asked, "answers:\n- seat: 1\n"))
    turn(path)
    assert (path / "0003-t1-market").is_dir()


def test_a_question_that_comes_up_is_mailed_to_who_is_asked_alone(tmp_path: Path, post: LocalPost) -> None:
    path = begun(tmp_path, post, pacing="live", stops="all", pages="off")
    turn(path)
    run(path, deadline=True)
    turn(path)
    everybody = ("one@example.org", "two@example.org", "friend@example.org")
    assert [len(post.mails_to(address)) for address in everybody] == [2, 2, 2]
    for player, bid in (("venice", 200), ("genoa", 100)):
        sheet = path / "0002-t1-auction" / "sheets" / f"{player}.yaml"
        sheet.write_text(f"player: {player}\norders:\n  - bid: {bid}\n")
    for _ in range(2):
        turn(path)
        assert [len(post.mails_to(address)) for address in everybody] == [3, 2, 2]
    assert verify(path).good
    # What the GM does is told to all at once, and a new token to whose it is.
    assert call("hold", str(path), "--why", "ill", "--at", AT).exit_code == 0
    turn(path)
    assert [len(post.mails_to(address)) for address in everybody] == [4, 3, 3]
    assert call("mail", "token", str(path), "genoa", "--new").exit_code == 0
    for _ in range(2):
        turn(path)
        assert [len(post.mails_to(address)) for address in everybody] == [4, 4, 3]
    assert call("resume", str(path), "--why", "well", "--at", AT).exit_code == 0
    *_, asked = post.mails_to("one@example.org")
    post.deliver(reply(asked, "answers:\n- seat: 1\n"))
    turn(path)
    *_, last = post.mails_to("two@example.org")
    assert "waiting for Venice" in last["Subject"]
    assert verify(path).good


def test_who_is_asked_and_sends_something_else_gets_the_form_of_the_answer(
    tmp_path: Path, post: LocalPost
) -> None:
    path = asked_of_venice(begun(tmp_path, post, pacing="live", stops="all"))
    (asked,) = post.mails_to("one@example.org")
    plain = asked.get_body(("plain",))
    assert plain is not None
    quoted = "".join(f"> {line}\n" for line in plain.get_content().splitlines())
    for number, text in enumerate(("the first\n", "orders:\n  - bid: 300\n", quoted)):
        post.deliver(reply(asked, text, number=str(number)))
        turn(path)
        *_, answer = post.mails_to("one@example.org")
        said = answer.get_content()
        assert "below `answers:`" in said and "\nanswers:\n# - seat:" in said
        assert "`orders: []`" not in said and "below `orders:`" not in said


def test_at_the_end_nothing_is_asked(tmp_path: Path, post: LocalPost) -> None:
    path = begun(tmp_path, post, turns="1", pages="off")
    while run(path, deadline=True).adjudicated and not call("status", str(path)).output.count("is over"):
        pass
    turn(path)
    for address in ("one@example.org", "two@example.org", "friend@example.org"):
        (sent,) = post.mails_to(address)
        assert is_honest(sent)
        assert all("The match is over" in text for text in texts(sent))


def test_a_subject_counts_in_the_games_own_words(tmp_path: Path, post: LocalPost) -> None:
    path = tmp_path / "lagoon"
    addresses, options = {"blue": "one@example.org"}, {"pages": "off"}
    begin("serenissima", path, ["blue", "red"], options=options, seed_text="round", addresses=addresses)
    post.account(path)
    turn(path)
    (sent,) = post.mails_to("one@example.org")
    plain = sent.get_body(("plain",))
    assert plain is not None
    assert "Round 1, Start ports, for Blue." in plain.get_content()
    assert sent["Subject"].startswith("lagoon 1: your start port (")


def test_a_mail_leads_to_the_page_of_links_if_the_gm_has_one(tmp_path: Path, post: LocalPost) -> None:
    """The link opens the player's own view, and its sheet goes back to the address of the player's own mails."""
    path = begun(tmp_path, post)
    post.account(path, observers="[friend@example.org]", page=PAGE)
    change_settings(open_match(path), "venice", ["full"])
    turn(path)
    (sent,) = post.mails_to("one@example.org")
    assert is_honest(sent)
    for text in texts(sent):
        found = re.search(rf"{re.escape(PAGE)}#v=([\w.-]+)", text)
        assert found is not None
        letter = link_content(found[1])
        assert letter.view == (path / "0001-t1-setup" / "for" / "venice" / "view.yaml").read_text()
        assert letter.gm == sent["Reply-To"]
    for name in ("orders.html", "report.html"):
        page = next(part for part in sent.iter_attachments() if part.get_filename() == name)
        assert page.get_content().count(f'<a href="{PAGE}#v=') == 1
    (public,) = post.mails_to("friend@example.org")
    assert PAGE not in str(public)


def test_a_question_has_a_link_too(tmp_path: Path, post: LocalPost) -> None:
    """What it opens is the page for the answer, as it is attached."""
    path = begun(tmp_path, post, pacing="live", stops="all")
    post.account(path, page=PAGE)
    change_settings(open_match(path), "venice", ["full"])
    asked = asked_of_venice(path)
    (sent,) = post.mails_to("one@example.org")
    assert is_honest(sent)
    for text in texts(sent):
        found = re.search(rf"{re.escape(PAGE)}#v=([\w.-]+)", text)
        assert found is not None
        assert link_content(found[1]).question == {"seat": {"free": [1, 2]}}
    assert found is not None
    opened = PageCalls().open_link(found[1])
    made = (asked / "0002-t1-auction" / "for" / "venice" / "orders.html").read_text(encoding="utf-8")
    gm = f'"gm":"{sent["Reply-To"]}"'
    assert opened["page"] == made.replace('"gm":"gm@example.org"', gm)
    (other,) = post.mails_to("two@example.org")
    assert f"{PAGE}#v=" not in str(other)


def test_a_mailed_report_is_the_published_one_but_for_its_link(tmp_path: Path, post: LocalPost) -> None:
    """So a player's check of what was mailed finds it as it was handed out, and any other change in it."""
    path = begun(tmp_path, post)
    post.account(path, page=PAGE)
    change_settings(open_match(path), "venice", ["full"])
    turn(path)
    (sent,) = post.mails_to("one@example.org")
    page = next(part for part in sent.iter_attachments() if part.get_filename() == "report.html")
    mailed = page.get_payload(decode=True)
    assert isinstance(mailed, bytes)
    handed = (path / "0001-t1-setup" / "for" / "venice" / "report.html").read_text(encoding="utf-8")
    assert without_link(mailed) == standalone_page(handed).encode() != mailed
    assert without_link(mailed.replace(b"Order</a>", b"Other</a>")) != standalone_page(handed).encode()
    assert (
        without_link(mailed.replace(b"https://club", b"javascript:club")) != standalone_page(handed).encode()
    )


@pytest.mark.parametrize(
    "address",
    [
        "club.example",
        "http://club.example/",
        "https://club.example",
        "https://club.example/?a=/",
        "javascript:/",
    ],
)
def test_only_a_folder_on_a_safe_host_can_be_the_page(tmp_path: Path, post: LocalPost, address: str) -> None:
    path = begun(tmp_path, post)
    post.account(path, page=f'"{address}"')
    found = call("mail", "turn", str(path), "--at", AT)
    assert found.exit_code == 1
    assert "is no address of a page" in found.output
