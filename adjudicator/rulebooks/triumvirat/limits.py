"""What is left of everything that a player's orders in a phase share: cards, taxes, pieces of the box, units."""

from __future__ import annotations

from msgspec.structs import asdict

from adjudicator.engine.table import Limits, Player
from adjudicator.engine.table.domain import Limit
from adjudicator.rulebooks.triumvirat.board import BOARD, CARDS, LANDS
from adjudicator.rulebooks.triumvirat.building import KIND, TAXES, senator_price, worth
from adjudicator.rulebooks.triumvirat.state import State

BY_RESOURCE = ("caravan", "market")
"""TRI-4.3: what is built once for each printed resource, not once in a province."""


def pieces(state: State, player: Player) -> Limits:
    """TRI-0.5, TRI-4.3: what the box has left, and how much of a kind a province takes."""
    found = {
        "influence": Limit(state.left("influence", player), "TRI-0.5", "box-left"),
        "legions": Limit(state.left("legion", player), "TRI-0.5", "no-legions-left"),
    }
    for piece in KIND.among:
        found[f"box {piece}"] = Limit(state.left(piece), "TRI-0.5", "none-left", {"piece": piece})
    for name in state.owned(player):
        for kind in BY_RESOURCE:
            count = len(LANDS[name].resources)
            found[f"site {kind} {name}"] = Limit(count, "TRI-4.3", "sites-taken", {"province": name})
    return found


def start(state: State, player: Player) -> Limits:
    """TRI-0.2: the points of a free start."""
    left = BOARD.numbers["worth"] - worth(state, player)
    return {"points": Limit(left, "TRI-0.2", "points-left"), **pieces(state, player)}


def hand(state: State, player: Player) -> Limits:
    """TRI-3.1, TRI-4.1: the cards of the hand, and the taxes kept."""
    held = state.holding(player)
    return {f"hand {card}": Limit(held[card], "TRI-4.1", "cards-left", {"card": card}) for card in CARDS}


def building(state: State, player: Player) -> Limits:
    """TRI-4.1, TRI-4.4: the cards of the hand; how often the taxes pay for a senator."""
    cost, found = senator_price(state, player), dict(hand(state, player))
    for word in TAXES.among:
        found[f"hand {word}"] = Limit(state.purse(player) // max(1, cost), "TRI-4.4", "taxes-left")
    found["senator-price"] = Limit(1, "TRI-4.4", "senators-dearer")
    return {**found, **pieces(state, player)}


def taxes(state: State, player: Player) -> Limits:
    """TRI-5.3, TRI-8.1: the taxes in hand and kept; whether the player may still act, in live pacing by one order."""
    passed = player in state.done.passed
    found = {
        "taxes": Limit(state.purse(player), "TRI-8.1", "taxes-left"),
        "go": Limit(int(not passed), "TRI-5.3", "passed-already"),
    }
    return {**found, "one-go": Limit(1, "TRI-5.3", "one-go")} if state.options.pacing == "live" else found


def war(state: State, player: Player) -> Limits:
    """TRI-6.1: the units of each province that can still move, and the taxes for convoys."""
    found = {"taxes": Limit(state.purse(player), "TRI-6.1", "taxes-left")}
    for name in LANDS:
        for kind, count in asdict(state.unmoved(player, name)).items():
            if state.units(name, player).count:
                found[f"units {name} {kind}"] = Limit(count, "TRI-6.1", "not-so-many-units")
    return found
