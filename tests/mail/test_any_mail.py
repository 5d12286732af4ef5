"""Any bytes give a letter, and the answer says what was found in them; a sheet survives all ways of sending it."""

from __future__ import annotations

import textwrap
from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import example, given, settings, strategies as st

from adjudicator.engine.text.source import Source, read
from adjudicator.mail.finding import Found, found_in
from adjudicator.mail.letter import letter_in

MAILS = [mail.read_bytes() for mail in sorted((Path(__file__).parent / "corpus").glob("*.eml"))]
NO_LIMIT = settings(deadline=None, max_examples=150)
SHEET = "player: venice\norders:\n  - move: venice-1\n    via: [ionio, creta]\n  - buy: wine\n"
WORDS = st.text(
    st.characters(
        codec="utf-8", exclude_categories=("Cs", "Cc"), exclude_characters=":>-#`~[]{}\uff1a.|\u2028\u2029"
    ),
    max_size=60,
)
TOKENS = st.sampled_from(
    [
        *(
            b"\n",
            b"\r\n",
            b"> ",
            b"orders:",
            b"- ",
            b"-- \n",
            b"--x\n",
            b"--x--\n",
            b"\n\n",
            b"[{",
            b"\0",
            b"\xff\xfe",
            b"<li>",
        ),
        b"Content-Type: multipart/mixed; boundary=x\n",
        b"Content-Type: text/plain; charset=utf-7; format=flowed\n",
        b"Content-Type: text/html; charset=\xff\n",
        b"Content-Type: message/rfc822\n\n",
        b"Content-Transfer-Encoding: base64\n",
        b"Content-Transfer-Encoding: uuencode\n",
        b"Content-Disposition: attachment; filename*0*=utf-8''%ff; filename*1=x.yaml\n",
        *(
            b"=?utf-8?q?=ff?=",
            b"<!doctype [",
            b"<![CDATA[",
            b"<!--",
            b"&#x110000;",
            b"From: a@\n",
            b"begin 644 x\n",
        ),
        *(b"Subject: =?x?b?!?=\n", b"Message-ID: <\n"),
    ]
)


def looked_at(data: bytes) -> Found:
    found = found_in(letter_in(data))
    pieces = [piece for piece in (found.sheet, found.answers) if piece is not None]
    assert bool(pieces) != bool(found.why)
    for piece in pieces:
        lines = piece.text.decode().count("\n")
        assert all(1 <= line <= lines for numbers in piece.changes.values() for line in numbers)
    return found


@NO_LIMIT
@given(st.binary(max_size=2000))
def test_any_bytes_give_a_letter(data):
    looked_at(data)


@NO_LIMIT
@given(st.lists(st.one_of(TOKENS, st.binary(max_size=12)), max_size=60))
def test_pieces_of_mails_in_any_order(parts):
    looked_at(b"".join(parts))


@NO_LIMIT
@given(
    st.sampled_from(MAILS),
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 30), TOKENS), max_size=6),
    st.floats(0, 1),
)
def test_mails_that_came_broken(mail, changes, end):
    for at, gone, put in changes:
        place = int(at * len(mail))
        mail = mail[:place] + put + mail[place + gone :]
    looked_at(mail[: int(len(mail) * end) or None])


@NO_LIMIT
@given(
    st.lists(WORDS, max_size=4),
    st.lists(WORDS, max_size=4),
    st.sampled_from(["8bit", "base64", "quoted-printable"]),
    st.sampled_from(["utf-8", "utf-16"]),
    st.sampled_from(["\u00a0", " "]),
    st.integers(0, 6),
    st.booleans(),
)
@example([], [" Anna"], "8bit", "utf-8", " ", 0, False).via("a signature that is indented")
def test_a_sheet_survives_its_way(before, after, encoding, charset, space, indent, attached):
    if encoding == "8bit":
        charset = "utf-8"
    message = EmailMessage()
    sheet = textwrap.indent(SHEET, " " * indent).replace(" ", space)
    text = "\n".join([*before, "", sheet, "", *after, ""])
    if attached:
        message.set_content("no")
        message.add_attachment(SHEET.encode(), maintype="text", subtype="x-any", filename="some.yml")
    else:
        message.set_content(text, charset=charset, cte=encoding)
    found = looked_at(message.as_bytes())
    assert found.sheet is not None
    source, wanted = read(found.sheet.text, "sheet"), read(SHEET.encode(), "sheet")
    assert isinstance(source, Source)
    assert isinstance(wanted, Source)
    assert source.plain == wanted.plain


@pytest.mark.parametrize("long", [6_000, pytest.param(30_000, marks=pytest.mark.soak)])
def test_mails_of_many_parts_and_of_long_lines_are_read(long):
    deep = b"".join(b"Content-Type: multipart/mixed; boundary=%d\n\n--%d\n" % (n, n) for n in range(300))
    looked_at(deep + b"orders: []\n")
    for part in (
        b"> ",
        b"[",
        b"- ",
        b"a:",
        b"<div>",
        b"<a@",
        b"<!--",
        b"<![",
        b"*x ",
        b"\xe2\x80\x9c",
        b"'",
        b"From: a\n",
    ):
        looked_at(b"Content-Type: text/plain\n\norders:\n" + part * long)
        looked_at(b"Content-Type: text/html\n\n<p>orders:<p>" + part * long)
        looked_at(b"From: " + part * long + b"\n\n")


def test_a_charset_that_is_no_word_is_no_fault():
    for charset in (b"a\0b", b"\xff", b"x" * 300, b'"\\"', b"utf-8''%00"):
        for kind in (b"text/plain", b"text/html", b"message/delivery-status", b"application/octet-stream"):
            for coding in (b"", b"Content-Transfer-Encoding: base64\n", b"Content-Transfer-Encoding: x\n"):
                looked_at(
                    b"Content-Type: " + kind + b"; charset=" + charset + b"\n" + coding + b"\n\xff orders:\n"
                )
