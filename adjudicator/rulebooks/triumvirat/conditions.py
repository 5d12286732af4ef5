"""The facts that an order's `if:` may hold: of provinces, and of what the player who orders has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adjudicator.engine.table.condition import Condition
from adjudicator.engine.table.domain import ByName, Either, Name, Whole
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.facts import (
    About,
    condition,
    counted,
    holding,
    of_me,
    owned_by,
    purse,
    shape_of,
)
from adjudicator.rulebooks.triumvirat import state
from adjudicator.rulebooks.triumvirat.board import BOARD, SEATS, ProvinceId
from adjudicator.rulebooks.triumvirat.standing import CARD
from adjudicator.rulebooks.triumvirat.state import Barbarians, State, barbarians


def province(view: State, me: Player, name: ProvinceId) -> tuple[int, list[Player]]:
    """TRI-5.4: the barbarians that stand in a province, which nobody has moved in this turn; and its owner."""
    lying = sum(view.done.lying.get(name, {}).values(), Barbarians())
    owner = view.provinces[name].owner
    return (barbarians(view, name) - lying).count, [owner] if owner else []


PROVINCES = About(
    Name("province", "|".join(BOARD.provinces)),
    province,
    {**counted(lambda found: found[0]), **owned_by(SEATS, lambda found: found[1])},
)
ME = of_me(
    lambda view, me: (view, me),
    {
        **purse(lambda found: state.purse(*found)),
        **holding(CARD, lambda found: tuple(state.holding(*found).elements())),
    },
)
FACTS = condition(PROVINCES, ME)


def holds(view: State, me: Player, name: str, wanted: Any) -> bool:
    """Is it so? A number is how many barbarians stand there at least: `{thracia: 2}`."""
    facts: Mapping[str, Any] = wanted if isinstance(wanted, Mapping) else {"least": wanted}
    return FACTS.holds(view, me, name, facts)


CONDITION = Condition(
    ByName(
        (
            (PROVINCES.names, Either((Whole(0), shape_of(PROVINCES.facts)))),
            (ME.names, shape_of(ME.facts)),
        )
    ),
    holds,
)
