"""Sheets that have faults: their players can correct them, so they complete no phase before its deadline; and what is
left open in sheets.
"""

from __future__ import annotations

from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.post import Mail
from adjudicator.engine.handout.remembering import position_known
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.left import Left, left_in
from adjudicator.engine.table.event import Player
from adjudicator.engine.text.problem import Problem


def faults_of(match: Folder, mail: Mail, player: Player) -> list[Problem]:
    """The errors that the player's own check finds in the player's sheet; it knows what the player knows."""
    view = position_known(match, match.last, player)
    checked = check_sheet(match.rulebook, view, mail.sheets[player])
    return [problem for problem in checked.problems if problem.severity == "error"]


def left_of_sheet(match: Folder, mail: Mail, player: Player) -> list[Left]:
    """What the player's sheet leaves to be decided in the open phase."""
    view = position_known(match, match.last, player)
    left = left_in(match.rulebook, view, player, mail.sheets[player])
    return [each for each in left if each.phase == view.phase.name]


def players_with_faults(match: Folder, mail: Mail) -> tuple[Player, ...]:
    """The players whose sheet for the open phase has faults.

    Orders that came before the phase opened don't count: their players were asked again, if the match does that.
    """
    due = match.state(match.last).phase.due
    own = [player for player in due if player in mail.sheets and player not in mail.later]
    return tuple(player for player in own if player not in mail.standing and faults_of(match, mail, player))
