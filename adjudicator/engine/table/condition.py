"""What an order's `if:` may hold: facts of kinds that the rulebook names, and around them `not` and `any`.

Facts are asked about the position as the order's player may know it when the order's turn comes, so they can reveal
nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from adjudicator.engine.table.domain import Domain
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.reason import Reason, Refused
from adjudicator.engine.table.secret import Unknown

NOT, ANY = "not", "any"
"""`not: {facts}` is true when those facts aren't all true; `any: [{facts}, {facts}]` when one of them is."""


class Condition(Struct, frozen=True):
    """The kinds of facts that `if:` may hold: their shape, a mapping by name, and whether one of them is true now.

    `holds(view, me, name, wanted)` gets the position as `me`, the order's player, may know it; `wanted` is the value
    under the name, in the shape. If it meets something hidden, the fact isn't true. No name may be `not` or `any`,
    which every rulebook has. `facts.condition` builds one from the facts that several games use.
    """

    shape: Domain[Any]
    holds: Callable[[Any, Player, str, Any], bool]


def why_not(condition: Condition, view: Any, me: Player, facts: Mapping[str, Any]) -> Refused | None:
    """The first fact that isn't true, as a refusal at its place; None if all are true."""
    for name, wanted in facts.items():
        if name == NOT:
            found = _not_fails(condition, view, me, wanted)
        elif name == ANY:
            found = _any_fails(condition, view, me, wanted)
        elif _true(condition, view, me, name, wanted):
            found = None
        else:
            found = Refused(Reason("SHEET", "if-false", {"name": name, "wanted": wanted}), (name,))
        if found is not None:
            return found
    return None


def _not_fails(condition: Condition, view: Any, me: Player, facts: Any) -> Refused | None:
    """Why a `not` fails: all its facts are true; the refusal names the first. None if it doesn't fail."""
    given = facts if isinstance(facts, Mapping) else {}
    if why_not(condition, view, me, given) is not None:
        return None
    for name, wanted in given.items():
        return Refused(Reason("SHEET", "if-so", {"name": name, "wanted": wanted}), (NOT, name))
    return Refused(Reason("SHEET", "if-so", {"name": NOT, "wanted": facts}), (NOT,))


def _any_fails(condition: Condition, view: Any, me: Player, several: Any) -> Refused | None:
    """Why an `any` fails: none of its facts is true; the refusal says why the first isn't. None if it doesn't fail."""
    first: Refused | None = None
    for index, facts in enumerate(several if isinstance(several, Sequence) else ()):
        if not isinstance(facts, Mapping):
            continue
        found = why_not(condition, view, me, facts)
        if found is None:
            return None
        first = first or found.within(ANY, index)
    if first is None:
        return Refused(Reason("SHEET", "if-none", {"name": ANY, "wanted": several}), (ANY,))
    return Refused(Reason("SHEET", "if-none", first.reason.facts), first.path)


def _true(condition: Condition, view: Any, me: Player, name: str, wanted: Any) -> bool:
    """Is the fact true, as far as its player can know? A meaningless or hidden fact isn't."""
    try:
        condition.shape.read({name: wanted})
        return condition.holds(view, me, name, wanted)
    except (Refused, Unknown):
        return False
