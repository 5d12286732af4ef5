"""The facts that an order's `if:` may hold: where a galley is and with how many sailors, whose a port is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adjudicator.engine.table.domain import MapOf, Name, OneOf, Part, Record, Whole
from adjudicator.engine.table.rulebook import Condition
from adjudicator.rulebooks.mediterranee.board import BOARD, POWERS
from adjudicator.rulebooks.mediterranee.standing import GALLEY, ZONE
from adjudicator.rulebooks.mediterranee.state import State

NOBODY = "nobody"
"""The owner of a neutral port."""
FACTS: Mapping[str, Part[Any]] = {
    "in": Part(ZONE),
    "owner": Part(OneOf((*POWERS, NOBODY))),
    "least": Part(Whole(0)),
    "most": Part(Whole(0)),
}
PLACES = Name("galley or port", f"{'|'.join(BOARD.ports)}|{GALLEY.pattern}")


def holds(state: State, name: str, wanted: Mapping[str, Any]) -> bool:
    """Is the galley there, or the port, with that owner, and sailors between `least` and `most`?"""
    piece = state.galleys.get(name)
    port = state.ports.get(name)
    if piece is not None:
        owner, sailors, zone = piece.owner, piece.sailors, piece.zone
    elif port is not None:
        owner, sailors, zone = port.owner or NOBODY, port.garrison, name
    else:
        return False
    return bool(
        wanted.get("in", zone) == zone
        and wanted.get("owner", owner) == owner
        and wanted.get("least", sailors) <= sailors <= wanted.get("most", sailors)
    )


CONDITION = Condition(MapOf(PLACES, Record(dict, FACTS)), holds)
