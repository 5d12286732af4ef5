"""What sheets say: the fields of orders, standing instructions, and the facts that an order's `if:` may hold."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.table import Player, Setting, facts
from adjudicator.engine.table.domain import Counts, Either, Many, MapOf, Name, OneOf, Whole, record
from adjudicator.rulebooks.triumvirat import board, pieces
from adjudicator.rulebooks.triumvirat.state import State

PLAYER = OneOf(board.SEATS)
PROVINCE = OneOf(tuple(board.LANDS))
RESOURCE = OneOf(board.RESOURCES)
CARD = OneOf(board.CARDS)
TITLE = OneOf(board.TITLES)
PAY = Many(RESOURCE)
WISHES: Many[Any] = Many(Either((CARD, MapOf(CARD, PLAYER))), most=40)
TROOPS = Counts({"legions": Whole(0), "veterans": Whole(0)})
ALL = OneOf(("all",))
HORDE = Counts({"ordinary": Whole(0), "elite": Whole(0)})
TAKEN = Counts(dict.fromkeys(board.OUTSIDE, Whole(0)))
LOSE = Many(OneOf(("legions", "veterans")), distinct=True, most=2)
ORDER = Many(PLAYER, distinct=True, most=len(board.SEATS))
ORDERS = dict.fromkeys(("italy", "building", "barbarians", "war"), ORDER)

STANDING = {
    "lead": Setting(record(pieces.Lead, {"trade": Whole(0), **ORDERS}), "TRI-4.1"),
    "defence": Setting(record(pieces.Defence, {"fixed": Whole(0), "lose": LOSE}), "TRI-6.3"),
    "keep": Setting(RESOURCE, "TRI-10.8"),
    "extra": Setting(RESOURCE, "TRI-10.2"),
    "spare": Setting(Many(PROVINCE, distinct=True), "TRI-10.13"),
    "again": Setting(OneOf(("lowest", "never")), "TRI-10.10"),
}


# -- facts -----------------------------------------------------------------------------------------------------------


def province(view: State, me: Player, name: str) -> tuple[int, list[Player]]:
    """TRI-5.4: the barbarians that stand in a province, which nobody has moved in this turn; and its owner."""
    lying = sum(view.done.lying.get(name, {}).values(), pieces.Barbarians())
    owner = view.provinces[name].owner
    return (view.barbarians(name) - lying).count, [owner] if owner else []


OF_PROVINCES = {
    **facts.counted(lambda found: found[0]),
    **facts.owned_by(board.SEATS, lambda found: found[1]),
}
OF_ME = {**facts.purse(lambda held: held["tax"]), **facts.holding(CARD, lambda held: [*held.elements()])}
PROVINCES = facts.About(Name("province", "|".join(board.LANDS)), province, OF_PROVINCES, number="least")
CONDITION = facts.condition(PROVINCES, facts.of_me(State.holding, OF_ME))
