"""Mails as real programs write them, in `corpus/`: what is read from each, and how it was found."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from adjudicator.engine.text.source import Source, read
from adjudicator.mail.finding import Found, found_in
from adjudicator.mail.letter import letter_in

CORPUS = Path(__file__).parent / "corpus"
EXPECTED = yaml.safe_load((CORPUS / "expected.yaml").read_text(encoding="utf-8"))
MAILS = sorted(CORPUS.glob("*.eml"))


def plain(text: bytes):
    source = read(text, "sheet")
    return source.plain if isinstance(source, Source) else source


def told(found: Found) -> dict:
    """What is found of a mail, as `expected.yaml` says it."""
    piece = found.sheet
    said = {
        "where": piece.where if piece else None,
        "changes": sorted(piece.changes) if piece else None,
        "html": piece.html if piece else None,
        "left": len(piece.left) if piece else None,
        "why": found.why,
        "answers": found.answers is not None,
        "unread": list(found.unread),
        "beside": found.beside,
    }
    return {key: value for key, value in said.items() if value}


def test_there_are_enough_and_each_is_expected():
    assert len(MAILS) >= 60
    assert sorted(EXPECTED) == [mail.stem for mail in MAILS]


@pytest.mark.parametrize("mail", MAILS, ids=lambda mail: mail.stem)
@pytest.mark.parametrize("ends", [b"\n", b"\r\n"], ids=["lf", "crlf"])
def test_every_mail_of_the_corpus_is_read_as_expected(mail, ends):
    found = found_in(letter_in(mail.read_bytes().replace(b"\n", ends)))
    wanted = dict(EXPECTED[mail.stem])
    broken = wanted.pop("broken", False)
    assert told(found) == wanted
    expected = mail.with_suffix(".yaml")
    assert (found.sheet is not None) == expected.exists()
    if found.sheet is not None:
        assert isinstance(read(found.sheet.text, "sheet"), Source) != broken
        assert broken or plain(found.sheet.text) == plain(expected.read_bytes())
