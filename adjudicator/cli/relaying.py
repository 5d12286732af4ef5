"""The option that commands with dice from drand share: the relays that they ask."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from adjudicator.gm.closing import Dice

Relays = Annotated[
    list[str] | None,
    typer.Option(
        "--relay",
        metavar="URL",
        help="A relay of drand to ask for dice; may be given several times. Left out: three of drand's own.",
    ),
]


def dice_of(relays: Sequence[str] | None, drawn: str = "") -> Dice:
    """How a run gets its dice: from the relays with these addresses, or from the public text that the GM gives."""
    from adjudicator.engine.beacon.quicknet import drawing
    from adjudicator.gm.closing import Dice

    return Dice(draw=drawing(relays or ()), text=drawn)
