"""The parts of a position: troops, barbarians, provinces, what a player has and instructs,
what a phase has done so far."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from adjudicator.engine.table import InForce, Player, Secret, Tally, position
from adjudicator.rulebooks.triumvirat.board import Card, ProvinceId, Resource, Senator, Title

Holder = Literal["free", "ordinary", "elite"]
Hand = tuple[Secret[Card], ...]


class Options(position.Options, frozen=True, kw_only=True):
    """The options of a match: see TRI-0.2, TRI-2.3, TRI-5.1, TRI-7.1, TRI-9.3."""

    start: Literal["fixed", "free"] = "fixed"
    powers: Literal["person", "title"] = "person"
    pillage: Literal["table", "text"] = "table"
    barbarians: Literal["printed", "caravans"] = "printed"
    max_turns: Annotated[int, Meta(ge=1, le=99)] = 20


class Troops(Tally, frozen=True):
    """Regular units of a player in a place, or some of them."""

    legions: int = 0
    veterans: int = 0


NO_TROOPS = Troops()
"""A player without units in a place."""


class Barbarians(Tally, frozen=True):
    """Barbarians of a place, or some of them."""

    ordinary: int = 0
    elite: int = 0


NO_BARBARIANS = Barbarians()
"""A place without barbarians."""


class Province(Struct, frozen=True, forbid_unknown_fields=True):
    """A province: a player's pieces, or, in Italy, who holds each site;
    `troops` are units of players who aren't its owner."""

    owner: Player | None = None
    since: int = 0
    caravans: tuple[Resource, ...] = ()
    markets: tuple[Resource, ...] = ()
    city: bool = False
    temple: bool = False
    legions: int = 0
    veterans: int = 0
    barbarians: Barbarians = Barbarians()
    sites: Mapping[str, Holder] = {}
    troops: Mapping[Player, Troops] = {}

    @property
    def wild(self) -> Barbarians:
        """All barbarians of a place; in Italy those on its sites."""
        if not self.sites:
            return self.barbarians
        held = tuple(self.sites.values())
        return self.barbarians + Barbarians(held.count("ordinary"), held.count("elite"))


EMPTY = Province()
"""An empty province."""


# -- players ---------------------------------------------------------------------------------------------------------


class Wish(Struct, frozen=True):
    """TRI-2.3, TRI-3.2: a wish for a card, of a certain player or (`of` empty) of any."""

    card: Card
    of: Player = ""


class Lead(Struct, frozen=True, omit_defaults=True):
    """A leader's decisions: how many cards are traded, and in which order others act."""

    trade: int = 0
    italy: tuple[Player, ...] = ()
    building: tuple[Player, ...] = ()
    barbarians: tuple[Player, ...] = ()
    war: tuple[Player, ...] = ()


class Defence(Struct, frozen=True, omit_defaults=True):
    """TRI-6.3: how an attacked player's units throw, and what they lose first."""

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


class Seat(Struct, frozen=True, forbid_unknown_fields=True):
    """What a player has: cards in hand, kept taxes, medals, senators."""

    cards: Hand = ()
    taxes: int = 0
    medals: Mapping[Title, int] = {}
    senators: tuple[Senator, ...] = ()
    standing: Secret[Standing] = field(default_factory=lambda: Secret(Standing()))


# -- under way -------------------------------------------------------------------------------------------------------


class Acted(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """TRI-6.1: units of the player whose turn it is that have moved, attacked, or both, in a province."""

    moved: Troops = Troops()
    attacked: Troops = Troops()
    both: Troops = Troops()


class Done(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What has been done in the open phase: who has passed, which barbarians lie (by province, for whom), which units
    have acted, and whose powers are used; `went` is who drove barbarians last, `fell` an Emperor who has fallen in this
    war."""

    passed: tuple[Player, ...] = ()
    went: Player = ""
    lying: Mapping[ProvinceId, Mapping[Player, Barbarians]] = {}
    acted: Mapping[ProvinceId, Acted] = {}
    used: tuple[str, ...] = ()
    fell: Player = ""


class Emperor(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """TRI-6.6: who is Emperor, and since which turn; nobody, if `player` is empty."""

    player: Player = ""
    turn: int = 0


class Result(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How the match ended: who has won, and by which rule; empty while it goes on."""

    winners: tuple[Player, ...] | None = None
    by: str = ""
