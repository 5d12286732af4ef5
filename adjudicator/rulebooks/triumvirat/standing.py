"""The types of fields, in orders and here, and the standing instructions: leaders' decisions, defences, powers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adjudicator.engine.table.domain import Counts, Either, Many, MapOf, OneOf, Part, Record, Whole
from adjudicator.engine.table.table import Instruction, Setting
from adjudicator.rulebooks.triumvirat.board import BOARD, CARDS, OUTSIDE, RESOURCES, SEATS, SITES, TITLES
from adjudicator.rulebooks.triumvirat.entries import Defence, Lead

PLAYER = OneOf(SEATS)
PROVINCE = OneOf(tuple(BOARD.provinces))
RESOURCE = OneOf(RESOURCES)
CARD = OneOf(CARDS)
DOMAIN = OneOf(TITLES)
SENATOR = OneOf(tuple(BOARD.senators))
SITE = OneOf(tuple(dict.fromkeys(site for sites in SITES.values() for site in sites)))
COUNT = Whole(1)
PAY = Many(RESOURCE)
WISHES: Many[Any] = Many(Either((CARD, MapOf(CARD, PLAYER))), most=40)
TROOPS = Counts({"legions": Whole(0), "veterans": Whole(0)})
BARBARIANS = Counts({"ordinary": Whole(0), "elite": Whole(0)})
TAKEN = Counts(dict.fromkeys(OUTSIDE, Whole(0)))
LOSE = Many(OneOf(("legions", "veterans")), distinct=True, most=2)
ORDER = Many(PLAYER, distinct=True, most=len(SEATS))
LEAD: Record[Lead] = Record(
    Lead,
    {
        "trade": Part(Whole(0), 0),
        **dict.fromkeys(("italy", "building", "barbarians", "war"), Part(ORDER, ())),
    },
)
DEFENCE: Record[Defence] = Record(Defence, {"fixed": Part(Whole(0), 0), "lose": Part(LOSE, ())})

STANDING: Mapping[str, Instruction[Any] | Setting] = {
    "lead": Setting(LEAD, "TRI-4.1"),
    "defence": Setting(DEFENCE, "TRI-6.3"),
    "keep": Setting(RESOURCE, "TRI-10.8"),
    "extra": Setting(RESOURCE, "TRI-10.2"),
    "spare": Setting(Many(PROVINCE, distinct=True), "TRI-10.13"),
    "again": Setting(OneOf(("lowest", "never")), "TRI-10.10"),
}
