"""Standing instructions: blockades, and what is saved from a galley that attacked and was sunk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adjudicator.engine.table.domain import Flag, OneOf
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.others import another
from adjudicator.engine.table.table import Entry, Instruction, Setting, When
from adjudicator.rulebooks.serenissima.entries import Declaring
from adjudicator.rulebooks.serenissima.fields import GOODS_WANTED, PLAYER, ZONE

AGAINST = OneOf(("move", "sale", "landing"))


def blockade(entry: Entry, state: Any, me: Player) -> Declaring:
    """SER-3.2: `{for: red, in: alger, against: move, declare: true}`."""
    rule = "SER-3.2"
    found = Declaring(
        declare=entry.pick("declare", Flag(), rule=rule),
        for_=entry.pick("for", PLAYER, rule=rule, default=None) or "",
        in_=entry.pick("in", ZONE, rule=rule, default=None) or "",
        against=entry.pick("against", AGAINST, rule=rule, default=None) or "",
    )
    another(entry, found.for_, "for", state=state, me=me, rule=rule)
    return found


STANDING: Mapping[str, Instruction[Any] | Setting] = {
    "blockade": Instruction(
        blockade,
        {"for": PLAYER, "in": ZONE, "against": AGAINST, "declare": Flag()},
        "SER-3.2",
        dict.fromkeys(("for", "in", "against"), When.ALL),
    ),
    "salvage": Setting(GOODS_WANTED, "SER-5.4"),
}
