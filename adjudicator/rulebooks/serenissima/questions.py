"""Decisions that come up in another player's turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from adjudicator.engine.table.domain import Domain, Flag
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.table import Entry, Question
from adjudicator.rulebooks.serenissima.board import GalleyId, ZoneId
from adjudicator.rulebooks.serenissima.fields import NUMBER, ZONE
from adjudicator.rulebooks.serenissima.standing import AGAINST
from adjudicator.rulebooks.serenissima.state import Act, State


class Blockade(Question[State, bool], frozen=True):
    """SER-3.2, SER-4.3, SER-5.6: does one declare a blockade against a galley that moves on, sells or lands?"""

    verb = "blockade"
    needed = ("declare",)
    rule = "SER-3.2"
    shapes: ClassVar[Mapping[str, Domain[Any]]] = {
        "blockade": NUMBER,
        "in": ZONE,
        "against": AGAINST,
        "declare": Flag(),
    }

    galley: GalleyId
    owner: Player
    zone: ZoneId
    against: Act
    sailors: int

    def names(self) -> Mapping[str, Any]:
        return {"blockade": int(self.galley), "in": self.zone, "against": self.against}

    def answer(self, entry: Entry, state: State) -> bool:
        return entry.pick("declare", Flag(), rule="SER-3.2")

    def standing(self, state: State, asked: Player) -> bool | None:
        for entry in state.players[asked].standing.value.blockade:
            if entry.fits(self.owner, self.zone, self.against):
                return entry.declare
        return None

    def default(self, state: State) -> bool:
        return False


QUESTIONS = (Blockade,)
