"""Mails as a phone shows them: no wider than its window."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.report.markdown_html import html_of
from adjudicator.engine.report.template import environment
from adjudicator.mail.parcel import first_lines_and_rest
from tests.browser.conftest import Matches, Visit
from tests.browser.matches import ALIKE
from tests.browser.visiting import PHONE, assert_fits

NAMES = ("ducats", "Contarini", "Dandolo", "Grimani", "Loredan", "Morosini")
SCORES = "\n".join("|".join(("", *row, "")) for row in (NAMES, ["--:"] * 6, ["bonus markers", *"63663"]))
"""The widest table of our reports: with the margins that pages have without styles it doesn't fit."""


@pytest.mark.parametrize(("game", "kind"), ALIKE)
def test_a_mail_fits_a_phone(tmp_path: Path, visit: Visit, matches: Matches, game: str, kind: str) -> None:
    folder = matches(game).folder(kind, "public")
    first, rest = first_lines_and_rest((folder / "report.md").read_text(encoding="utf-8"))
    template = environment(texts_of(open_match(folder.parents[2]).rulebook)).get_template("mail-turn.html.j2")
    mail = tmp_path / "mail.html"
    facts = dict.fromkeys(("asked", "due", "form", "link", "missed", "over", "page"), "") | {"title": kind}
    facts["first"] = html_of(first, {})
    mail.write_text(template.render(report=html_of(f"{rest}\n\n{SCORES}", {}), **facts), encoding="utf-8")
    with visit(mail, width=PHONE, form=False) as page:
        assert_fits(page)
