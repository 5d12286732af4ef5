"""Phases written by hand, of every kind in every game: a position and the sheets sent, in `phases/<game>.yaml`.

No bot and no seed decides what they hold, so a change of a bot or of a rule's dice changes none of their pages.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from adjudicator.contract.cases import Case, merged, position
from adjudicator.engine.library import registry
from adjudicator.engine.table.event import Player
from adjudicator.engine.text.source import Source, read
from tests.rulebooks.replaced import REPLACED

FOLDER = Path(__file__).parent / "phases"
KINDS = {
    game: tuple(phase.name for phase in registry.rulebook(game).phases if phase.verbs)
    for game in registry.OWN
}
"""The kinds of phases in which orders are given."""


class Written(Struct, frozen=True, forbid_unknown_fields=True):
    """A phase: what is given over the game's board, or (`board: false`) over the usual start, and the sheets.

    `options` are over those of the game. `case` names a further phase of a kind; the first is called as its kind is.
    """

    phase: str
    case: str = ""
    turn: int = 1
    board: bool = True
    options: Mapping[str, Any] = {}
    given: Mapping[str, Any] = {}
    sheets: Mapping[Player, str] = {}

    @property
    def name(self) -> str:
        """What tests call it."""
        return self.case or self.phase


class Phases(Struct, frozen=True, forbid_unknown_fields=True):
    """A game's phases in their order, the options of their match, and the board on which most of them are played."""

    options: Mapping[str, Any]
    board: Mapping[str, Any]
    phases: tuple[Written, ...]

    def __getitem__(self, name: str) -> Written:
        """The phase that tests call so."""
        return next(written for written in self.phases if written.name == name)


@cache
def phases_of(game: str) -> Phases:
    """All phases of a game: of each kind one at least."""
    path = FOLDER / f"{game}.yaml"
    source = read(path.read_bytes(), path.name, most=None)
    assert isinstance(source, Source), source
    found = msgspec.convert(source.plain, Phases)
    missing = {*KINDS[game]} - {written.name for written in found.phases}
    assert not missing, f"{path.name} has no phase {sorted(missing)}"
    return found


def players_of(game: str) -> tuple[Player, ...]:
    """As many as can play it."""
    tables = registry.rulebook(game).tables
    return tables[max(tables)][0]


def state_of(game: str, written: Written) -> Any:
    """The position of a phase as it is written, of a match without a name."""
    phases = phases_of(game)
    given = merged(phases.board, written.given) if written.board else written.given
    case = Case(
        case=written.name,
        phase=written.phase,
        expect={},
        players=players_of(game),
        options={**phases.options, **written.options},
        turn=written.turn,
        given=given,
    )
    return position(registry.rulebook(game), case, REPLACED[game])


def orders_of(written: Written, player: Player) -> list[Any]:
    """The orders of a sheet, as they are clicked together; none if there is no sheet."""
    orders: list[Any] = sheet_of(written, player).get("orders", [])
    return orders


def later_of(written: Written, player: Player) -> dict[str, Any]:
    """The orders of a sheet for phases to come."""
    later: dict[str, Any] = sheet_of(written, player).get("later", {})
    return later


def text_of(written: Written, player: Player) -> str:
    """A sheet as its player sends it."""
    return f"player: {player}\n{written.sheets[player]}"


def sheet_of(written: Written, player: Player) -> dict[str, Any]:
    """What a sheet holds; nothing if there is none."""
    source = read(written.sheets.get(player, "").encode(), f"{player}.yaml")
    assert isinstance(source, Source), source
    return source.plain if isinstance(source.plain, dict) else {}
