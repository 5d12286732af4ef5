"""Sheets of every kind, good ones and those with every kind of mistake, each with the view that it is for."""

from __future__ import annotations

import json
from collections.abc import Iterator

from adjudicator.engine.library import registry
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.position import write_position
from adjudicator.engine.play.view import position_for
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.text.writing import write
from tests.cli.calling import BAD, FAULTY
from tests.page.positions import some_steps

SIGNS = "\t:-[]{}#&*!|>'\"%@` ,?\n\\é0"
"""Characters that YAML treats in their own ways."""


def sheets(game: str, every: int) -> Iterator[tuple[str, bytes]]:
    """Views and sheets of a game: of each sheet of some phases itself, its last order twice, and spoiled copies."""
    rulebook, chance = registry.rulebook(game), SeededChance(f"corpus {game}")
    for step in [each for each in some_steps(game) if each.sheets][::every]:
        for player, sheet in step.sheets.items():
            view = write_position(position_for(rulebook, step.before, player))
            orders = [order.plain for order in sheet.orders or ()]
            text = write({"player": player, "orders": orders})
            yield view, text.encode()
            yield view, write({"player": player, "orders": [*orders, *orders[-1:]]}).encode()
            yield view, json.dumps({"player": player, "orders": orders}).encode()
            for _ in range(4):
                yield view, spoiled(text, chance).encode()


def spoiled(text: str, chance: Chance) -> str:
    """A text with one thing wrong somewhere: a sign put in, taken out or changed, a word twice, a line moved in."""
    at = chance(len(text))
    sign = SIGNS[chance(len(SIGNS))]
    lines = text.splitlines(keepends=True)
    line = chance(len(lines))
    ways = (
        text[:at] + sign + text[at:],
        text[:at] + text[at + 1 :],
        text[:at] + sign + text[at + 1 :],
        "".join([*lines[:line], *lines[line : line + 1], *lines[line:]]),
        "".join([*lines[:line], " " + lines[line], *lines[line + 1 :]]),
        "".join([*lines[:line], *lines[line + 1 :]]),
        text[:at],
    )
    return ways[chance(len(ways))]


def files() -> Iterator[tuple[str, bytes]]:
    """Files that are no sheets, and sheets with each kind of fault, for the first movement of Méditerranée."""
    step = next(each for each in some_steps("mediterranee") if each.before.phase.name == "market")
    view = write_position(position_for(registry.rulebook("mediterranee"), step.before, "venice"))
    for bad in BAD.values():
        yield view, bad
    for text, _ in FAULTY.values():
        yield view, text.encode()
