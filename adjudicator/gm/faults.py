"""Sheets that have faults: their players can correct them, so they complete no phase before its deadline; and what is
left open in sheets.
"""

from __future__ import annotations

from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.post import Mail
from adjudicator.engine.handout.remembering import position_known
from adjudicator.engine.play.checking import CheckResult, check_sheet
from adjudicator.engine.play.left import Left, left_in
from adjudicator.engine.table.event import Player
from adjudicator.engine.text.problem import Problem


def checked_sheet(match: Folder, mail: Mail, player: Player) -> CheckResult:
    """The player's own check of the player's sheet; it knows what the player knows."""
    return check_sheet(match.rulebook, position_known(match, match.last, player), mail.sheets[player])


def faults_in(checked: CheckResult) -> list[Problem]:
    """The errors that a check has found."""
    return [problem for problem in checked.problems if problem.severity == "error"]


def left_of_sheet(match: Folder, mail: Mail, player: Player) -> list[Left]:
    """What the player's sheet leaves to be decided in the open phase; nothing, if it says that there are no orders."""
    if not mail.sheets[player].orders:
        return []
    view = position_known(match, match.last, player)
    left = left_in(match.rulebook, view, player, mail.sheets[player], must=True)
    return [each for each in left if each.phase == view.phase.name]


def players_with_faults(match: Folder, mail: Mail) -> tuple[Player, ...]:
    """The players whose sheet for the open phase has faults.

    Orders that came before the phase opened don't count: their players were asked again, if the match does that.
    """
    due = match.state(match.last).phase.due
    own = [player for player in due if player in mail.sheets and player not in mail.later]
    return tuple(
        player
        for player in own
        if player not in mail.standing and faults_in(checked_sheet(match, mail, player))
    )
