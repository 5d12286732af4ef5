"""Everything that rules are written with, and all that a rulebook imports from the program.

`rulebook` is a game's contents page and its phases, `position` what every position has, `table` the argument of every
rule, `domain` what a field may hold, `event` what happens, `secret` who knows it, `dice` the throws, `reason` why an
order is refused, `board` the board, `remembered` keeps answers to frequent questions.

The words that nearly every chapter uses can be imported from here in one line.
"""

from adjudicator.engine.table.dice import D6 as D6
from adjudicator.engine.table.event import (
    Deed as Deed,
    Event as Event,
    Head as Head,
    Player as Player,
    Shuffled as Shuffled,
    changed as changed,
    events_of as events_of,
    names_everybody as names_everybody,
    paid as paid,
    removed as removed,
)
from adjudicator.engine.table.players import clockwise as clockwise, warn_of_player as warn_of_player
from adjudicator.engine.table.points import Line as Line, highest as highest, total as total
from adjudicator.engine.table.position import InForce as InForce
from adjudicator.engine.table.reason import (
    Flaw as Flaw,
    Flaws as Flaws,
    Hindrances as Hindrances,
    Reason as Reason,
    Refused as Refused,
    first_flaw as first_flaw,
    first_of as first_of,
    flaw as flaw,
    refused_at as refused_at,
)
from adjudicator.engine.table.rulebook import (
    Next as Next,
    Pace as Pace,
    Phase as Phase,
    PhaseRun as PhaseRun,
    Rulebook as Rulebook,
)
from adjudicator.engine.table.secret import (
    Private as Private,
    Secret as Secret,
    Where as Where,
    face_down as face_down,
    hand_without as hand_without,
    without_secrets as without_secrets,
)
from adjudicator.engine.table.table import (
    FieldReader as FieldReader,
    Instruction as Instruction,
    Question as Question,
    Rule as Rule,
    Setting as Setting,
    Table as Table,
    Verb as Verb,
    YesNo as YesNo,
)
from adjudicator.engine.table.tally import Tally as Tally, up_to_all as up_to_all, with_tally as with_tally
from adjudicator.engine.table.uses import (
    UNFORESEEN as UNFORESEEN,
    Limits as Limits,
    Prices as Prices,
    Use as Use,
    once as once,
)
