"""What orders use up: things that can be done once, and limited amounts. Pages add up by it what the orders of a sheet
take.

These are facts beside a verb, not its rule: they say what an order that is carried out leaves to those below it. Only
the rule decides whether an order is carried out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from adjudicator.engine.table.domain import Limit
from adjudicator.engine.table.domain.names import NAME
from adjudicator.engine.table.reason import Reason

Limits = Mapping[str, Limit]
"""What is left, by name: `ducats`, `room venice-1`. Under two names the same `Limit` is the same thing.

A name that isn't there has no limit; `Limit` says by which rule there is no more, and why.
"""


EACH = "each"
"""In a limit's name: each name in `by`."""
BLANK = re.compile(r"\{([\w|]+)\}")
"""A field in the name of a limit, or several of which the first that an order has counts."""


class Use(Struct, frozen=True, omit_defaults=True):
    """What an order takes of a limit, or gives to it.

    - `what` is the limit's name with fields of the order in it: `room {to}`. `{to|at}` is the first of these that the
      order has. If a field is left out, nothing is taken.
    - `by` is the field that says how many (`crew.enlist`: a part of it): a number, the length of a list, the sum of a
      mapping; a number that is left out is one. Without `by` it is one. With `{each}` in `what`, every entry of the
      list, or key of the mapping, takes of the limit of its name.
    - `times`: so many for each; below 0 so many are given. A mapping has the number for each value of `by`. None:
      nobody knows how many.
    - `keeps`: so many must be left afterwards. `times=0, keeps=1` takes nothing, but something must be left.
    - `ends`: it takes all that is left, and is never refused for it.
    - `once` is the reason why not twice: the limit is 1, unless `Phase.limits` has another.
    - `perhaps`: where there is not enough, others may still make it possible; what it then takes is uncertain. What is
      given (`times` below 0) may then be nothing, or any number.
    - `decide`: the player should decide something for each name of this limit, so a page says which names are left.
    - `bounds`: the number in the field `by` is bounded by what is used up, and by nothing else.
    - `always`: even a refused order takes one; for limits without a field in their name.
    - `gone` is the field whose thing is gone with the last one that is taken (`each`: the name in `by`).
    """

    what: str
    by: str = ""
    times: int | Mapping[str, int] | None = 1
    keeps: int = 0
    ends: bool = False
    once: Reason | None = None
    perhaps: bool = False
    decide: bool = False
    bounds: bool = False
    always: bool = False
    gone: str = ""

    @property
    def alone(self) -> bool:
        """Does the first order that takes of it leave nothing to the next, whatever others do?"""
        return self.once is not None and not (self.perhaps or self.ends)

    def limit_of(self, order: Mapping[str, Any]) -> str:
        """The name of the limit of which an order with these fields takes; empty if it has none of the fields in the
        name, or a list there.
        """
        what = self.what
        for blank in BLANK.finditer(what):
            value = next((order[name] for name in blank[1].split("|") if name in order), None)
            if type(value) not in NAME:
                return ""
            what = what.replace(blank[0], str(value))
        return what


UNFORESEEN = Use("", times=None)
"""Nobody knows beforehand what else the order changes: everything after it is uncertain."""


def once(what: str, rule: str, why: str, *, decide: bool = False, perhaps: bool = False, **facts: Any) -> Use:
    """What can be done once: `once("move {move}", "MED-3.1", "moved-already")`; without fields the verb itself."""
    return Use(what, once=Reason(rule, why, facts), decide=decide, perhaps=perhaps)


Prices = Mapping[str, int]
"""What an order costs now, in money or whatever else is paid: by the value of the verb's own field (`city`), by another
field that costs something (`crew`), or, under no name, the order itself. Pages say it before anybody has chosen."""


def no_limits(state: Any, player: str) -> Limits:
    """The default of a phase in which nothing is counted."""
    return {}
