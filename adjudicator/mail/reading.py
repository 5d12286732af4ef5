"""Reading a sheet or answers from a mail in the same way as the match will read them."""

from __future__ import annotations

from functools import partial

from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.library.words import words
from adjudicator.engine.match.sheet_checks import CheckedText, look_at_answers, look_at_sheet
from adjudicator.engine.sheets.answers import ANSWERS, read_answers
from adjudicator.engine.sheets.offering import names_on_board
from adjudicator.engine.sheets.reading import Expected, read_sheet
from adjudicator.engine.table.event import NotSent
from adjudicator.mail.answer import SHEET


def check_file(match: Folder, player: str, kind: str, text: bytes) -> tuple[bool, CheckedText]:
    """Whether a sheet or file of answers counts as sent, and how it was understood."""
    state = match.state(match.last)
    names = partial(names_on_board, state)
    asked = Expected(
        match.rulebook_for(player), state.match, state.phase, tuple(state.players), player, names, file=SHEET
    )
    if kind == ANSWERS:
        counts = not isinstance(read_answers(text, asked), NotSent)
        return counts, look_at_answers(text, asked)
    counts = not isinstance(read_sheet(text, asked), NotSent)
    return counts, look_at_sheet(text, asked, state, SHEET)


def title_of(match: Folder, player: str | None) -> str:
    """The title of the open phase for a player (None: for everybody): `Venice: turn 1, Set-up`, with the game's own
    word for a turn.
    """
    head = match.head(match.last)
    texts = words(texts_of(match.rulebook_for(player)))
    phase = texts.get("phases", {}).get(head.name, head.name)
    who = texts.get("names", {}).get(player, player) if player else match.rulebook.title
    turn = texts.get("terms", {}).get("turn", "turn").lower()
    return f"{who}: {turn} {head.turn}, {phase}"
