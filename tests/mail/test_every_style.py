"""Whatever the program that mails a sheet, the same orders are read; whatever else is in the mail is named."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from adjudicator.engine.text.source import Source, read
from adjudicator.mail.finding import Found, found_in
from adjudicator.mail.letter import letter_in
from tests.mail.styles import GMAIL, STYLES, marked, parts

ROOT = Path(__file__).parents[2]
PLAYED = sorted({path.read_text(encoding="utf-8") for path in (ROOT / "games").glob("**/sheets/*.yaml")})
"""Every sheet of the matches that are kept here."""
FEW = 8
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
    "lines that end in a colon": "orders:\n  - sail: x\n    load:\n      - wine: 2\n    else:\n      - a: y\nsalt:\n",
    "empty lines": "\n\norders:\n\n  - sail: x\n\n    to: y\n\n\n  - sail: z\n\nsalt: a\n\n",
    "comments everywhere": "# a\norders: # b\n  # c\n  - sail: x # d\n    # e\n    to: y\n# f\n",
    "comments in brackets": "orders:\n  - sail: [x, # the first\n      y]\n    to: {a: 1,\n      # b\n      b: 2}\n",
    "a rule of comments": "# --- Market ---\norders:\n  - sail: x\n# ---- Later ----\nlater:\n  a: {orders: []}\n",
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


@pytest.mark.parametrize("each", [FEW, pytest.param(1, marks=pytest.mark.ci)])
@pytest.mark.parametrize("style", STYLES)
def test_every_sheet_that_was_played_is_read_whole_from_every_style(style: str, each: int) -> None:
    """`make test` mails one sheet in a few in each style, another one in the next."""
    some = PLAYED[list(STYLES).index(style) % each :: each]
    wrong = {text: said for text in some if (said := unlike(style, text))}
    assert not wrong, (len(wrong), list(wrong.items())[:3])


@pytest.mark.parametrize("each", [3, pytest.param(1, marks=pytest.mark.ci)])
def test_the_sheets_of_every_rules_case_are_read_whole(each: int) -> None:
    """All verbs and fields of all games, each sheet from another style than the one before it; `make test` reads those
    of one rule in a few.
    """
    styles, seen = list(STYLES), 0
    for file in sorted((ROOT / "tests/cases").glob("*/*.yaml"))[::each]:
        for case in yaml.load(file.read_bytes(), yaml.CSafeLoader):
            for sheet in (case.get("sheets") or {}).values():
                plain = content(sheet.encode()) if isinstance(sheet, str) else None
                if isinstance(plain, dict) and plain.get("orders"):
                    style = styles[seen % len(styles)]
                    assert not unlike(style, f"{sheet.rstrip()}\n"), (file.name, style, sheet)
                    seen += 1
    assert seen > 10 * len(styles)


@pytest.mark.parametrize("style", STYLES)
def test_odd_sheets_are_read_whole_from_every_style(style: str) -> None:
    wrong = {name: said for name, text in ODD.items() if (said := unlike(style, text))}
    assert not wrong, (len(wrong), list(wrong.items())[:3])


# -- what isn't read is named -----------------------------------------------------------------------------------------

SHEET = "orders:\n  - place: 4\n    to: venice-1\nsalt: own\n"
REMARK = "Please put the deadline off"
FROM_MARCO = "From: Marco <marco@else.example>\nDate: Sun, 3 May 2026 20:15\nTo: Anna <one@example.org>\n"
NOT_READ = {
    "above": f"{REMARK}\n\n{SHEET}",
    "between": f"orders:\n  - place: 4\n    to: venice-1\n{REMARK}\nsalt: own\n",
    "below": f"{SHEET}\n{REMARK}\n",
    "below, indented": f"{SHEET}\n   {REMARK}\n",
    "below a rule": f"{SHEET}\n--- PS ---\n{REMARK}\n",
    "below a dash": f"{SHEET}--\n{REMARK}\nstanding:\n",
}
SHOWN = [style for style in STYLES if not style.startswith(("forwarded", "attached"))]


def unread(got: Found) -> str:
    """All lines that the answer names as not read."""
    within = got.sheet.left if got.sheet is not None else ()
    return "\n".join([*got.left, *within, *got.below])


@pytest.mark.parametrize("where", NOT_READ)
def test_a_remark_is_named_whatever_the_style(where: str) -> None:
    for style in SHOWN:
        got = found(style, NOT_READ[where])
        assert got.sheet is not None, style
        assert REMARK in unread(got), style


def test_all_that_others_wrote_is_named_and_what_we_wrote_isnt() -> None:
    got = found("plain", f"{SHEET}\n{FROM_MARCO}\n{REMARK}\n")
    assert REMARK in unread(got)
    like_an_introduction = f"{SHEET}\nTo you, GM, about 20:15 in 2026:\n{REMARK}\n"
    for style in ("plain", "above a quotation"):
        assert REMARK in unread(found(style, like_an_introduction)), style
    for style in ("above a quotation", "below a quotation", "above a rule", "HTML alone"):
        assert not unread(found(style, SHEET)), style


def test_a_second_text_of_a_mail_is_named() -> None:
    kind = "Content-Type: text/plain"
    mail = parts(
        "mixed", (kind, SHEET), (kind, f"{REMARK}\n"), (f"{kind}\nContent-Disposition: attachment", "x")
    )
    assert unread(found_in(letter_in(mail))).splitlines() == [REMARK]


def test_beside_an_attached_sheet_the_text_is_named() -> None:
    assert unread(found("attached", SHEET)) == "Hello, see the file."


def test_orders_in_the_quotation_are_named_beside_ones_own() -> None:
    got = found("plain", f"{SHEET}\n{GMAIL}\n\n{marked(SHEET.replace('4', '3'))}")
    assert "  - place: 3" in got.below


@pytest.mark.parametrize("style", [style for style in SHOWN if style != "indented"])
def test_a_signature_is_no_orders(style: str) -> None:
    got = found(style, f"{SHEET}\n-- \nAnna\norders: none of these\n")
    assert got.sheet is not None
    assert content(got.sheet.text) == content(SHEET.encode())


# -- a key that is mistyped ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["oders", "order", "Orders", "ordres", "laater", "standin"])
def test_a_mistyped_key_is_named_with_the_one_that_was_meant(key: str) -> None:
    text = SHEET.replace("orders", key)
    for style in ("plain", "above a quotation", "HTML alone", "attached"):
        got = found(style, text)
        if key == "Orders" and style != "attached":  # mended, as mail programs write capitals
            assert got.sheet is not None
            continue
        assert got.why == "mistyped", style
        assert got.mistyped is not None
        assert (got.mistyped.written, got.mistyped.line) == (key, 1)
        assert got.mistyped.key in ("orders", "later", "standing")
        assert got.mistyped.name == ("sheet.yaml" if style == "attached" else "")


def test_words_are_no_mistyped_key() -> None:
    assert found("plain", "Hello,\n\nOrder: I will send it later\n\nOthers: see you\n").why == "nothing"
