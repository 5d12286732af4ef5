"""The position: what each player has, cards laid, carts, and the towns that have paid."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct, field

from adjudicator.engine.table.event import Player
from adjudicator.engine.table.position import InForce, Options as EveryOptions, Position
from adjudicator.engine.table.secret import Secret

RULES = 2
"""The version of these rules."""


class Options(EveryOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`turns`: how long a match is (CAR-0.3)."""

    turns: Annotated[int, Meta(ge=1, le=99)] = 3


class Leave(Struct, frozen=True, omit_defaults=True, rename={"for_": "for", "in_": "in"}):
    """CAR-2.3: leave to enter; what an entry leaves out fits all."""

    grant: bool
    for_: Player = ""
    in_: str = ""


class Standing(InForce, frozen=True, kw_only=True):
    """All standing instructions of a player."""

    leave: tuple[Leave, ...] = ()


class Seat(Struct, frozen=True, forbid_unknown_fields=True):
    """What a player has: cards in secret, coins."""

    hand: tuple[Secret[str], ...] = ()
    coins: int = 0
    standing: Secret[Standing] = field(default_factory=lambda: Secret(Standing()))


class Cart(Struct, frozen=True, forbid_unknown_fields=True):
    """A cart: whose, and in which town."""

    owner: Player
    town: str


class State(Position, frozen=True, kw_only=True):
    """`laid` are this turn's cards until they are shown, `gone` those shown; `roads` how many a cart goes this turn."""

    options: Options
    players: Mapping[Player, Seat]
    carts: Mapping[str, Cart]
    laid: Mapping[Player, Secret[str]] = {}
    gone: tuple[str, ...] = ()
    paid: tuple[str, ...] = ()
    driven: tuple[str, ...] = ()
    roads: int = 0
