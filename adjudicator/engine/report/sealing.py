"""The part of a page for orders that is for players without git: it seals the sheet to the referee."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

AFTER = '<p id="said"'
"""The part for sealing is put before this text in a page for orders."""


class SealFacts(Struct, frozen=True):
    """What a page needs to seal a sheet: the readers' keys, whose sheet it is, and the token that shows it.

    `file` is the name that the sealed file should have, and `branch` where it belongs.
    """

    recipients: Sequence[str]
    match: str
    phase: str
    player: str
    token: str
    file: str
    branch: str
    answer: bool = False


def sealing_page(page: str, seal: SealFacts, language: str = "en") -> str:
    """A page for orders, or for an answer, that can seal what it makes; unchanged without keys to seal to."""
    from markupsafe import Markup

    from adjudicator.engine.report import page_scripts
    from adjudicator.engine.report.template import embedded, shared

    if not seal.recipients or not seal.token or AFTER not in page:
        return page
    label = {
        "adjudicator": 1,
        "what": "answer" if seal.answer else "sheet",
        "match": seal.match,
        "phase": seal.phase,
        "player": seal.player,
        "token": seal.token,
    }
    data = embedded({"recipients": list(seal.recipients), "label": label, "file": seal.file})
    packed = page_scripts.packed_scripts(page_scripts.SEALING)
    part = (
        shared(language)
        .get_template("sealing.html.j2")
        .render(
            data=data,
            packed=packed,
            scripts=Markup("" if packed else page_scripts.scripts(page_scripts.SEALING)),
            file=seal.file,
            branch=seal.branch,
            answer=seal.answer,
        )
    )
    before, mark, after = page.rpartition(AFTER)
    return f"{before}{part}{mark}{after}"
