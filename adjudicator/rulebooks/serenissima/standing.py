"""Standing instructions: blockades, and what is saved from a galley that attacked and was sunk."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.engine.table.domain import Flag, OneOf
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.others import another
from adjudicator.engine.table.table import Entry, Instruction, Setting, When
from adjudicator.rulebooks.serenissima.fields import GOODS_WANTED, PLAYER, ZONE
from adjudicator.rulebooks.serenissima.state import Declaring, State

AGAINST = OneOf(("move", "sale", "landing"))
FITS = {"for": PLAYER, "in": ZONE, "against": AGAINST}
"""By what an entry fits: left out, it fits all."""


def blockade(entry: Entry, state: State, me: Player) -> Declaring:
    """SER-3.2: `{for: red, in: alger, against: move, declare: true}`."""
    declare = entry.pick("declare", Flag(), rule="SER-3.2")
    for_ = entry.pick("for", PLAYER, rule="SER-3.2", default=None) or ""
    in_ = entry.pick("in", ZONE, rule="SER-3.2", default=None) or ""
    against = entry.pick("against", AGAINST, rule="SER-3.2", default=None) or ""
    another(entry, for_, "for", state=state, me=me, rule="SER-3.2")
    return Declaring(declare, for_, in_, against)


STANDING: Mapping[str, Instruction[State] | Setting] = {
    "blockade": Instruction(blockade, {**FITS, "declare": Flag()}, "SER-3.2", dict.fromkeys(FITS, When.ALL)),
    "salvage": Setting(GOODS_WANTED, "SER-5.4"),
}
