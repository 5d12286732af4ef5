"""Whatever the program that mails a sheet, the same orders are read; whatever else is in the mail is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.engine.text.source import Source, read
from adjudicator.mail.finding import Found, found_in
from adjudicator.mail.letter import letter_in
from tests.mail.styles import STYLES

ROOT = Path(__file__).parents[2]
PLAYED = sorted({
    path.read_text(encoding="utf-8")
    for top in ("games", "tests/golden")
    for path in (ROOT / top).glob("**/sheets/*.yaml")
})  # fmt: skip
"""Every sheet of the matches that are kept here."""
ODD = {
    "keys of a mail's head": "orders:\n  - sail: san-marco\n    from: venice\n    to: corfu\n    date: 2026\n",
    "a head at the margin": "orders:\n- sail: san-marco\n  from: venice\n  to: corfu\n  date: 20:15\n",
    "a head in braces": "orders:\n  - {sail: x,\n     from: venice,\n     to: corfu,\n     subject: 20:15}\n",
    "a head in a comment": "# From: GM <gm@example.org>\n# Date: 3 May 2026\n# To: me\norders:\n  - sail: x\n",
    "a head in a text": "salt: |\n  from: GM <gm@example.org>\n  date: 3 May 2026\n  to: me\norders:\n  - sail: x\n",
    "a folded text": "salt: >\n  one\n  two\norders:\n  - sail: x\n",
    "a text with empty lines": "orders:\n  - sail: x\nsalt: |\n  one\n\n  two, and three\n\n  # four\n  ---\n  five\n",
    "a text with a rule": "salt: |\n  --\n  -----Original Message-----\norders:\n  - sail: x\n",
    "a text that is an introduction": "salt: at 20:15 on 3 May 2026, a@b.example\norders:\n  - sail: x\n",
    "an introduction in a text": "salt: |\n\n  On 3 May 2026 at 20:15 GM wrote:\norders:\n  - sail: x\n",
    "lines that end in a colon": "orders:\n  - sail: x\n    load:\n      - wine: 2\n    else:\n      - sail: y\nstanding:\n",
    "empty lines": "\n\norders:\n\n  - sail: x\n\n    to: y\n\n\n  - sail: z\n\nsalt: a\n\n",
    "comments everywhere": "# a\norders: # b\n  # c\n  - sail: x # d\n    # e\n    to: y\n# f\n",
    "comments in brackets": "orders:\n  - sail: [x, # the first\n      y]\n    # more\n    to: {a: 1,\n      # b\n      b: 2}\n",
    "a rule of comments": "# -------- Market --------\norders:\n  - sail: x\n# ---- Later ----\nlater:\n  a: {orders: []}\n",
    "lists in lists": "orders:\n- sail: x\n  by:\n  - a\n  - b\n- sail: y\n",
    "braces at the margin": "player: venice\norders:\n- {sail: x, from: y, to: z}\n- {sail: [y]}\n",
    "quotation marks": "orders:\n  - say: \"one: '2' # 3\"\n    to: 'it''s'\n",
}  # fmt: skip


def content(data: bytes) -> object:
    source = read(data, "sheet")
    return source.plain if isinstance(source, Source) else source


def found(style: str, text: str) -> Found:
    return found_in(letter_in(STYLES[style](text)))


def unlike(style: str, text: str) -> str:
    """How a sheet that was mailed differs from the one that was read; empty if it doesn't."""
    read_sheet = found(style, text).sheet
    if read_sheet is None:
        return "no sheet"
    return "" if content(read_sheet.text) == content(text.encode()) else read_sheet.text.decode()


@pytest.mark.parametrize("style", STYLES)
def test_every_sheet_that_was_played_is_read_whole_from_every_style(style: str) -> None:
    wrong = {text: said for text in PLAYED if (said := unlike(style, text))}
    assert not wrong, (len(wrong), list(wrong.items())[:3])


@pytest.mark.parametrize("style", STYLES)
def test_odd_sheets_are_read_whole_from_every_style(style: str) -> None:
    wrong = {name: said for name, text in ODD.items() if (said := unlike(style, text))}
    assert not wrong, (len(wrong), list(wrong.items())[:3])
