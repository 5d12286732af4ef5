"""The facts that an order's `if:` may hold: of provinces, and of what the player who orders has."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.table import Player, facts
from adjudicator.engine.table.condition import Condition
from adjudicator.engine.table.domain import ByName, Either, Name, Whole
from adjudicator.rulebooks.triumvirat.board import LANDS, SEATS, ProvinceId
from adjudicator.rulebooks.triumvirat.pieces import Barbarians
from adjudicator.rulebooks.triumvirat.standing import CARD
from adjudicator.rulebooks.triumvirat.state import State


def province(view: State, me: Player, name: ProvinceId) -> tuple[int, list[Player]]:
    """TRI-5.4: the barbarians that stand in a province, which nobody has moved in this turn; and its owner."""
    lying = sum(view.done.lying.get(name, {}).values(), Barbarians())
    owner = view.provinces[name].owner
    return (view.barbarians(name) - lying).count, [owner] if owner else []


OF_PROVINCES = {**facts.counted(lambda found: found[0]), **facts.owned_by(SEATS, lambda found: found[1])}
PROVINCES = facts.About(Name("province", "|".join(LANDS)), province, OF_PROVINCES)
OF_ME = {
    **facts.purse(lambda held: held["tax"]),
    **facts.holding(CARD, lambda held: tuple(held.elements())),
}
ME = facts.of_me(lambda view, me: view.holding(me), OF_ME)
FACTS = facts.condition(PROVINCES, ME)


def holds(view: State, me: Player, name: str, wanted: Any) -> bool:
    """Is it so? A number is how many barbarians stand there at least: `{thracia: 2}`."""
    return FACTS.holds(view, me, name, {"least": wanted} if isinstance(wanted, int) else wanted)


THERE = Either((Whole(0), facts.shape_of(OF_PROVINCES)))
CONDITION = Condition(ByName(((PROVINCES.names, THERE), (ME.names, facts.shape_of(OF_ME)))), holds)
