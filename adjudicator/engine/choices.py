"""What can be chosen in an order, field after field, each dependent on what was chosen before it."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from adjudicator.engine.event import Player
from adjudicator.engine.listing import possible
from adjudicator.engine.rulebook import Phase, Rulebook
from adjudicator.engine.schema import Possible


class Choices(Struct, frozen=True):
    """What is possible now: by field, for editors to suggest (`form_schema`), and as a tree for the page."""

    possible: Possible


def choices_now(rulebook: Rulebook[Any], phase: Phase[Any], view: Any, me: Player) -> Choices:
    """What `me` can choose now, from the own view; the rules are run for both at once."""
    return Choices(possible(rulebook, phase, view, me))
