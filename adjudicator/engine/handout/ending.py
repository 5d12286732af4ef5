"""How a match ended, in the one sentence that commands and the site show."""

from __future__ import annotations

from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.handout.reports import Reports
from adjudicator.engine.report.narrator import Narrator
from adjudicator.engine.report.story import text_of_end


def end_line(match: Folder) -> str:
    """The line of Markdown that says a match is over and how it was won; empty if it isn't over.

    How it was won, with the rule, is the last reports' line of the event that ended the match. Without such an event (a
    GM ended it by hand) the line says only that the match is over. Raises Faulty.
    """
    if not match.head(match.last).over:
        return ""
    return text_of_end(match.rulebook_for(None), deciding_line(match))


def deciding_line(match: Folder) -> str:
    """The line of the event that ended a match, as everybody may know it; empty if there is none."""
    told = Reports(match, match.last).facts(None)
    lines = Narrator(match.rulebook_for(None), None, told.before).lines(told.events)
    return next((line for run, line in lines if run[-1].ends), "")
