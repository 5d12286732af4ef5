"""Why a galley, a port or a good can't be named in an order, though it exists."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.engine.table import Player, Reason
from adjudicator.engine.table.reason import when_named
from adjudicator.rulebooks.mediterranee.board import BOARD, Good, ZoneId
from adjudicator.rulebooks.mediterranee.state import GalleyId, State


@when_named
def not_yours(state: State, player: Player) -> dict[str, Reason]:
    """Why galleys and ports can't be given orders: they belong to others or nobody, or are lost."""
    galleys, ports = list(state.galleys_of(player)), list(state.ports_of(player))
    whys = {
        name: Reason("", "not-yours", {"owner": galley.owner, "yours": galleys})
        for name, galley in state.galleys.items()
        if galley.owner != player
    }
    for loss in state.lost:
        if loss.galley in whys and loss.how == "captured" and loss.owner == player:
            facts = {"turn": loss.turn, "owner": state.galleys[loss.galley].owner, "yours": galleys}
            whys[loss.galley] = Reason("", "was-captured", facts)
        elif loss.galley not in state.galleys:
            whys[loss.galley] = Reason("", "was-sunk", {"turn": loss.turn, "yours": galleys})
    return whys | {
        name: Reason("", "not-yours" if port.owner else "neutral", {"owner": port.owner, "yours": ports})
        for name, port in state.ports.items()
        if port.owner != player
    }


@when_named
def elsewhere(state: State, player: Player, zone: ZoneId) -> Mapping[str, Reason]:
    """Why galleys and ports can't be named for a zone: they aren't the player's, or they lie in another zone."""
    return (
        not_yours(state, player)
        | {
            name: Reason("", "lies-elsewhere", {"zone": galley.zone})
            for name, galley in state.galleys_of(player).items()
            if galley.zone != zone
        }
        | {name: Reason("", "other-port", {"zone": zone}) for name in state.ports_of(player) if name != zone}
    )


@when_named
def none_aboard(galley: GalleyId) -> dict[Good, Reason]:
    """Why goods can't be taken from a galley."""
    return dict.fromkeys(BOARD.goods, Reason("", "none-aboard", {"galley": galley}))


@when_named
def no_port_at(state: State, name: GalleyId) -> Mapping[str, Reason]:
    """Why a galley can't do something at a port: it lies in another zone, or in one without a port."""
    zone = state.galleys[name].zone
    none = Reason("", "no-port-there", {"galley": name, "zone": zone})
    return other_ports(state, name) | ({} if zone in state.ports else {zone: none})


@when_named
def other_ports(state: State, name: GalleyId) -> dict[str, Reason]:
    """Why a galley can't do something at a port: it lies in another zone."""
    zone = state.galleys[name].zone
    return dict.fromkeys(state.ports, Reason("", "galley-elsewhere", {"galley": name, "zone": zone}))
