"""What wishes, defences and leaders' decisions are as values, and the standing instructions that hold them."""

from __future__ import annotations

from msgspec import Struct

from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import InForce
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
