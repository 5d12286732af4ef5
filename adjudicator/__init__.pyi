from adjudicator.door.games import (
    adjudicate as adjudicate,
    check as check,
    games as games,
    rules as rules,
    simulate as simulate,
    verify as verify,
    view_of as view_of,
)
from adjudicator.door.match import Match as Match, begin as begin, open as open
from adjudicator.door.submission import Line as Line, PhaseStatus as PhaseStatus, Submission as Submission
from adjudicator.door.values import (
    Adjudicated as Adjudicated,
    Game as Game,
    Played as Played,
    Result as Result,
    Status as Status,
    Verified as Verified,
)
from adjudicator.engine.folder.errors import Busy as Busy, Faulty as Faulty
from adjudicator.engine.library.rules import RuleText as RuleText
from adjudicator.engine.play.account import OrderAccount as OrderAccount, Word as Word
from adjudicator.engine.play.left import Left as Left
from adjudicator.engine.text.problem import Problem as Problem

__version__: str
