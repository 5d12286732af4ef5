from adjudicator.door.games import adjudicate as adjudicate
from adjudicator.door.games import check as check
from adjudicator.door.games import games as games
from adjudicator.door.games import rules as rules
from adjudicator.door.games import simulate as simulate
from adjudicator.door.games import verify as verify
from adjudicator.door.games import view_of as view_of
from adjudicator.door.match import Match as Match
from adjudicator.door.match import begin as begin
from adjudicator.door.match import open as open
from adjudicator.door.submission import Line as Line
from adjudicator.door.submission import PhaseStatus as PhaseStatus
from adjudicator.door.submission import Submission as Submission
from adjudicator.door.values import Adjudicated as Adjudicated
from adjudicator.door.values import Game as Game
from adjudicator.door.values import Played as Played
from adjudicator.door.values import Result as Result
from adjudicator.door.values import Status as Status
from adjudicator.door.values import Verified as Verified
from adjudicator.engine.folder.errors import Busy as Busy
from adjudicator.engine.folder.errors import Faulty as Faulty
from adjudicator.engine.library.registry import RuleText as RuleText
from adjudicator.engine.play.account import OrderAccount as OrderAccount
from adjudicator.engine.play.account import Word as Word
from adjudicator.engine.text.problem import Problem as Problem

__version__: str
