"""The standing instructions: leaders' decisions, defences, powers; and the types of fields, there and in orders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from adjudicator.engine.table import InForce, Instruction, Player, Setting
from adjudicator.engine.table.domain import Counts, Domain, Either, Many, MapOf, OneOf, Whole, record
from adjudicator.rulebooks.triumvirat import board
from adjudicator.rulebooks.triumvirat.board import Card, ProvinceId


class Wish(Struct, frozen=True):
    """TRI-2.3, TRI-3.2: a card wished for, from one player or (`of` empty) from any."""

    card: Card
    of: Player = ""


class Lead(Struct, frozen=True, omit_defaults=True):
    """What a leader decides: how many cards are traded, and in which order others act."""

    trade: int = 0
    italy: tuple[Player, ...] = ()
    building: tuple[Player, ...] = ()
    barbarians: tuple[Player, ...] = ()
    war: tuple[Player, ...] = ()


class Defence(Struct, frozen=True, omit_defaults=True):
    """TRI-6.3: how an attacked player's units throw and what they lose first."""

    fixed: int = 0
    lose: tuple[str, ...] = ()


class Standing(InForce, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """All standing instructions of a player."""

    lead: Lead = Lead()
    defence: Defence = Defence()
    keep: Card = ""
    extra: Card = ""
    spare: tuple[ProvinceId, ...] = ()
    again: str = ""


Fields = dict[str, Domain[Any]]
PLAYER = OneOf(board.SEATS)
PROVINCE = OneOf(tuple(board.LANDS))
RESOURCE = OneOf(board.RESOURCES)
CARD = OneOf(board.CARDS)
PAY = Many(RESOURCE)
WISHES: Many[Any] = Many(Either((CARD, MapOf(CARD, PLAYER))), most=40)
TROOPS = Counts({"legions": Whole(0), "veterans": Whole(0)})
LOSE = Many(OneOf(("legions", "veterans")), distinct=True, most=2)
ORDER = Many(PLAYER, distinct=True, most=len(board.SEATS))
ORDERS = dict.fromkeys(("italy", "building", "barbarians", "war"), ORDER)

STANDING: Mapping[str, Instruction[Any] | Setting] = {
    "lead": Setting(record(Lead, {"trade": Whole(0), **ORDERS}), "TRI-4.1"),
    "defence": Setting(record(Defence, {"fixed": Whole(0), "lose": LOSE}), "TRI-6.3"),
    "keep": Setting(RESOURCE, "TRI-10.8"),
    "extra": Setting(RESOURCE, "TRI-10.2"),
    "spare": Setting(Many(PROVINCE, distinct=True), "TRI-10.13"),
    "again": Setting(OneOf(("lowest", "never")), "TRI-10.10"),
}
