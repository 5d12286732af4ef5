"""Matches that bots play in memory, for tables of results and for tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.bots.bot import random_orders
from adjudicator.engine.play import chance as chances
from adjudicator.engine.play.inbox import Inbox, Outcome
from adjudicator.engine.play.referee import advance
from adjudicator.engine.play.view import position_for
from adjudicator.engine.sheets.sheet import Sheet, orders_at
from adjudicator.engine.table.dice import SeededDice, seed_from
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import Bot, Options, Rulebook
from adjudicator.engine.text.source import Source

MOST_PHASES = 5000


class Step(Struct, frozen=True):
    """One phase of a match: the position before, the sheets, and the outcome."""

    before: Any
    sheets: Mapping[Player, Sheet]
    outcome: Outcome


class Endless(Exception):
    """A match that doesn't end: a bug in the rulebook."""


def random_bot(rulebook: Rulebook[Any]) -> Bot:
    """The bot that plays legal orders at random."""
    return partial(_random_sheet, rulebook)


def _random_sheet(rulebook: Rulebook[Any], view: Any, me: Player, chance: Chance) -> dict[str, Any]:
    return {"orders": random_orders(rulebook, rulebook.phase(view.phase.name), view, me, chance)}


def sheet_of(player: Player, plain: Mapping[str, Any]) -> Sheet:
    """A sheet made of plain data, as if it had been read."""
    source = Source(f"sheets/{player}.yaml", dict(plain))
    orders = orders_at(source, ("orders",), plain.get("orders"), {})
    return Sheet(player, source, orders, plain.get("standing", {}))


def play_match(
    rulebook: Rulebook[Any],
    players: tuple[Player, ...],
    bots: Mapping[Player, Bot],
    seed: str,
    options: Options | None = None,
    *,
    strict: bool = False,
    rules: int = 0,
) -> Iterator[Step]:
    """A whole match, phase after phase; the same seed gives the same match. `strict` checks every event; `rules` is the
    version of the rules by which it is played (0: the newest).
    """
    state = rulebook.start(seed, options or rulebook.Options(), players)
    state = replace(state, rules=rules or state.rules)
    chance, secret = chances.SeededChance(seed), seed_from(seed)
    for _ in range(MOST_PHASES):
        if state.phase.over:
            return
        sheets = {
            player: sheet_of(player, bots[player](position_for(rulebook, state, player), player, chance))
            for player in state.phase.due
        }
        dice = SeededDice(secret, seed, state.phase.number)
        outcome = advance(rulebook, state, Inbox(sheets), dice, strict=strict)
        yield Step(state, sheets, outcome)
        state = outcome.state
    raise Endless(seed)
