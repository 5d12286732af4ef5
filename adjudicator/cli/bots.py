"""The sheets that bots write for a match in a folder, for demos."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adjudicator.engine.folder.folder import Folder
    from adjudicator.engine.play.chance import SeededChance
    from adjudicator.engine.table.event import Player
    from adjudicator.engine.table.rulebook import Bot


def sheets(match: Folder, bot: Bot, chance: SeededChance) -> Iterator[tuple[Player, str]]:
    """The sheets of the due players: each bot reads its player's view and writes a sheet up to the next stop.

    With two players a sheet for the whole turn can foresee nearly everything, so it covers the turn.
    """
    from adjudicator.engine.bots.planning import planned
    from adjudicator.engine.play.position import PositionFile, read_position
    from adjudicator.engine.text.writing import write

    phase = match.path / match.phases[-1]
    two = len(match.card.players) == 2 and match.state(match.last).options.stops != "all"
    for player in match.state(match.last).phase.due:
        view = phase / "for" / player / "view.yaml"
        opened = read_position(view.read_bytes(), str(view))
        assert isinstance(opened, PositionFile)
        found = planned(
            match.rulebook, bot, opened.state, player, chance, turn=two and bool(match.rulebook.stops)
        )
        sheet = {"player": player, "phase": phase.name, **found}
        later = {"later": sheet.pop("later")} if "later" in sheet else None
        yield player, write(sheet, brackets_from=3) + (write(later, brackets_from=5) if later else "")
