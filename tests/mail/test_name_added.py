"""A sheet by mail without its player's name gets it, in any way of writing, and can be read as before."""

from __future__ import annotations

import pytest

from adjudicator.door.submission import with_player
from adjudicator.engine.text.source import Source, read
from adjudicator.mail.finding import Piece, with_name_added

ADDED = (
    "orders: []",
    "orders: []\n",
    "orders: []\r\n",
    "  orders:\n    - place: 4\n      to: venice-1\n",
    "# mine\n\n   orders: []\n   salt: |\n     abc\n",
    "---\n orders: []\n",
    "orders: []\nsalt:\n",
)
AS_IT_WAS = (
    "{orders: []}\n",
    "# mine\n{orders: []}\n",
    "--- {orders: []}\n",
    "orders: []\n...\n",
    "orders: []\nplayer: genoa\n",
    "orders: [\n",
    "- orders\n",
)


@pytest.mark.parametrize("text", ADDED)
def test_it_stands_at_the_end(text: str) -> None:
    before = read(text.encode(), "sheet")
    piece = with_name_added(Piece(text.encode(), "attached"), with_player(text.encode(), "venice"))
    after = read(piece.text, "sheet")
    assert isinstance(before, Source) and isinstance(after, Source), piece.text
    assert after.plain == {**before.plain, "player": "venice"}
    assert piece.text.startswith(text.encode())
    (line,) = piece.changes["player"]
    assert b"player: venice" in piece.text.splitlines()[line - 1]


@pytest.mark.parametrize("text", AS_IT_WAS)
def test_where_it_cant_stand_there_the_sheet_stays_as_it_was(text: str) -> None:
    assert with_player(text.encode(), "venice") == text.encode()
