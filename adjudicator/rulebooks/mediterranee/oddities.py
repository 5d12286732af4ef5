"""Standing instructions and prices that are legal, but odd: a check warns of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from adjudicator.engine.table import FieldReader, Player


def warn_of_ask(entry: FieldReader, ask: int | None, floor: int | None, *within: str) -> None:
    """MED-2.5: warns that a seller never takes less than the floor, whatever was asked first."""
    if ask is not None and floor is not None and ask < floor:
        entry.warn("MED-2.5", "ask-below-floor", *within, "ask", value=ask, floor=floor)


def warn_of_offer(entry: FieldReader, offer: int | None, limit: int | None, *within: str) -> None:
    """MED-2.5: warns that a buyer never pays more than the limit, whatever was offered first."""
    if offer is not None and limit is not None and offer > limit:
        entry.warn("MED-2.5", "offer-above-limit", *within, "offer", value=offer, limit=limit)


def warn_of_galley(
    entry: FieldReader, name: str, field: str, *, state: Any, me: Player, rule: str, mine: bool
) -> None:
    """Warns of a galley that can't be meant: its power doesn't play, or it isn't on that side as things stand."""
    galley = state.galleys.get(name)
    if name and name.partition("-")[0] not in state.players:
        entry.warn(rule, "galley-not-playing", field, value=name)
    elif galley is not None and (galley.owner == me) is not mine:
        entry.warn(
            rule, "not-your-galley" if mine else "your-own-galley", field, value=name, owner=galley.owner
        )


def warn_of_sinking(entry: FieldReader, name: str, goods: Sequence[str], *path: str, rule: str) -> None:
    """MED-0.6: warns that a galley will have no sailor left, and so sinks with the goods still aboard."""
    entry.warn(rule, "sinks-loaded" if goods else "sinks", *path, galley=name, goods=list(goods))
