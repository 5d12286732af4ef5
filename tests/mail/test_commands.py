"""Commands are found above the first message and outside a sheet, or in the subject, and nowhere else."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from adjudicator.mail.finding import Found, found_in
from adjudicator.mail.letter import letter_in

SHEET = "orders:\n  - move: venice-1\n    via: [ragusa]\n"
LONG = "orders:\n  - move: venice-1\n    via: [ragusa, corfu, creta, cipro, candia, modon, coron, zante]\n"
QUOTED = "\n".join(
    f"> {line}"
    for line in ("lagoon 4: your movement", "", "resign", "vote end", "orders:", "  - move: venice-2")
)


def read(text: str, subject: str = "Re: lagoon 4: your movement by Tue 20:00 (k7q2m3x4ptzc)") -> Found:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "one@example.org", "gm@example.org", subject
    message["In-Reply-To"] = "<1@example.org>"
    message.set_content(text)
    return found_in(letter_in(message.as_bytes()))


def asked(text: str, subject: str = "Re: lagoon 4") -> list[str]:
    """The commands as they were read: the verb, what stands behind it, and how it was read, if not as it stands."""
    return [
        " ".join((each.verb, each.rest, f"({each.read})" if each.read else "")).strip().replace("  ", " ")
        for each in read(text, subject).commands
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("status\n", ["status"]),
        ("Status.\n", ["status"]),
        ("Dear GM,\n\nmap please\n\nAnna\n", ["map"]),
        ("Hi,\nstatus\nform\n", ["status", "form"]),
        ("- history 3\n- rules MED-3\n", ["history 3", "rules MED-3"]),
        ("history\n", ["history"]),
        ("rules: movement\n", ["rules movement"]),
        ("away 12.12.-28.12.\n", ["away 12.12.-28.12."]),
        ("AWAY 2026-12-12..2026-12-28\n", ["away 2026-12-12..2026-12-28"]),
        ("vote draw\n", ["vote draw"]),
        ("address new@example.org\n", ["address new@example.org"]),
        ("resign\n", ["resign"]),
        ("resign k7q2m3x4ptzc\n", ["resign k7q2m3x4ptzc"]),
        ("help\n", ["help"]),
        ("Bonjour,\nstatut, s’il vous plaît.\n", ["status"]),
        ("Status bitte\n", ["status"]),
        ("règles : mouvement\n", ["rules mouvement"]),
        ("réglages : sans courriers d'attente\n", ["settings sans courriers d'attente"]),
        ("réglages : sans courriers d’attente\n", ["settings sans courriers d'attente"]),
        (f"status\n\n{SHEET}", ["status"]),
        (f"{SHEET}\nstatus\n", ["status"]),
        (f"{LONG}\nstatus\n", ["status"]),
    ],
)
def test_a_line_of_its_own_is_a_command(text: str, found: list[str]) -> None:
    assert asked(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "I can't make out the\nmap\n",
        "status quo suits me, thanks\n",
        "form a league with me?\n",
        "help me out here, which port is it?\n",
        "rules are made to be broken, I always say so\n",
        "Hello\n",
        "Held\n\nMore\n\nHeap\n",
        f"Fine.\n\n{QUOTED}\n",
        "Fine.\n\n-- \nresign\nvote end\n",
        "Fine.\n\nEnvoyé de mon iPhone\n\nresign\n",
        "On Sunday, 3 May 2026 at 20:15, GM <gm@example.org> wrote:\n\nresign\n",
        "message to genoa:\nresign\nvote end\n",
        "message to genoa:\nlet us end this\nend\n\nresign\n",
        "orders:\n  - move: venice-1\n    salt: |\n      resign\n",
    ],
)
def test_prose_a_quotation_a_signature_and_a_message_are_never_obeyed(text: str) -> None:
    assert [each for each in asked(text) if not each.startswith("help (slip)")] == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("stauts\n", ["status (slip)"]),
        ("histroy 3\n", ["history 3 (slip)"]),
        ("resing\n", ["resign (meant)"]),
        ("vtoe end\n", ["vote end (meant)"]),
        ("awya 12.12.-28.12.\n", ["away 12.12.-28.12. (meant)"]),
        ("vote yes\n", ["vote yes (wrong)"]),
        ("away next week\n", ["away next week (wrong)"]),
        ("address\n", ["address (wrong)"]),
        ("history of mine\n", ["history of mine (wrong)"]),
    ],
)
def test_slips_are_understood_or_answered_with_what_is_meant(text: str, found: list[str]) -> None:
    assert asked(text) == found


def test_a_new_mail_may_ask_in_its_subject_and_an_answer_may_not() -> None:
    assert asked("", "status") == ["status"]
    assert asked("", "Status (k7q2m3x4ptzc)") == ["status"]
    assert asked("", "Re: resign") == asked("", "AW: resign") == asked("", "Fwd: resign") == []


def test_what_is_asked_is_no_word_to_the_gm_and_no_line_left_unread() -> None:
    found = read(f"status\n\n{SHEET}\nvote end\n")
    assert (found.words, found.left, found.why) == ("", (), "")
    found = read("status\n\nCould we have one more day, please? Everybody here is ill.\n")
    assert found.words == "Could we have one more day, please? Everybody here is ill."


def test_a_mail_may_ask_without_end_and_only_the_first_are_read() -> None:
    assert len(read("status\nmap\nform\n" + "history 3\n" * 1000).commands) == 4
    assert len(read("".join(f"history {number}\n" for number in range(1000))).commands) == 10


def test_a_message_is_never_parsed_as_orders_and_never_lost_beside_them() -> None:
    found = read(
        f"status\n\n{SHEET}\nmessage to genoa, spain: I will\norders:\n  - move: venice-9\n\nfor you.\nend\n"
    )
    assert found.sheet is not None
    assert b"venice-9" not in found.sheet.text
    assert [(each.to, each.text) for each in found.messages] == [
        ("genoa, spain", "I will\norders:\n  - move: venice-9\n\nfor you.")
    ]
    assert found.left == ()


def test_several_messages_stand_below_each_other_and_what_is_quoted_stays_out() -> None:
    quoted = QUOTED.partition("> orders")[0]
    found = read(f"message to genoa:\nYes.\n\nmessage to all:\nNo.\n\n{quoted}\n\n-- \nAnna\n")
    assert [(each.to, each.text) for each in found.messages] == [("genoa", "Yes."), ("all", "No.")]
    assert (found.sheet, found.commands, found.words) == (None, (), "")
    assert read(QUOTED.replace("resign", "message to all:")).messages == ()


def test_a_footer_in_a_part_of_its_own_makes_no_command_of_a_line_in_a_sheet() -> None:
    message = EmailMessage()
    message.set_content(text := f"{SHEET}note: |\n  We may well\n\n  vote end\n\n  soon.\n")
    assert asked(text) == []
    message.add_attachment("Scanned for viruses.\n", disposition="inline")
    assert [each.verb for each in found_in(letter_in(message.as_bytes())).commands] == []


def test_a_command_in_html_is_read_beside_an_empty_plain_part() -> None:
    message = EmailMessage()
    message.set_content("\n\n")
    hidden = "<div style='Display: none'><p>resign</p></div>"
    message.add_alternative(f"{hidden}<p>status</p>", subtype="html")
    assert [each.verb for each in found_in(letter_in(message.as_bytes())).commands] == ["status"]


def test_half_of_a_pair_of_units_is_no_character_of_a_command() -> None:
    data = b"Subject: x\nContent-Type: text/plain; charset=utf-7\n\nrules +2AA-\n"
    (command,) = found_in(letter_in(data)).commands
    assert command.rest.encode("utf-8") == b"?"
