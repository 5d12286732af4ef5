"""Everything that rules are written with, and all that a rulebook imports from the program.

`rulebook` is a game's contents page and its phases, `table` the argument of every rule, `domain` what a field may
hold, `event` what happens, `secret` who knows it, `dice` the throws, `reason` why an order is refused, `board` the
board, `remembered` keeps answers to frequent questions.

The words that nearly every chapter uses can be imported from here in one line.
"""

from adjudicator.engine.table.dice import D6
from adjudicator.engine.table.event import (
    Deed,
    Event,
    Head,
    Player,
    Shuffled,
    changed,
    events_of,
    names_everybody,
    paid,
    removed,
)
from adjudicator.engine.table.players import clockwise, warn_of_player
from adjudicator.engine.table.points import Line, highest, total
from adjudicator.engine.table.reason import (
    Flaw,
    Flaws,
    Hindrances,
    Reason,
    Refused,
    first_flaw,
    first_of,
    flaw,
    refused_at,
)
from adjudicator.engine.table.rulebook import InForce, Next, Pace, Phase, PhaseRun, Rulebook
from adjudicator.engine.table.secret import Private, Secret, Where, face_down, hand_without, without_secrets
from adjudicator.engine.table.table import (
    FieldReader,
    Instruction,
    Question,
    Rule,
    Setting,
    Table,
    Verb,
    YesNo,
)
from adjudicator.engine.table.tally import Tally, up_to_all, with_tally
from adjudicator.engine.table.uses import UNFORESEEN, Limits, Prices, Use, once

__all__ = [
    "D6",
    "UNFORESEEN",
    "Deed",
    "Event",
    "FieldReader",
    "Flaw",
    "Flaws",
    "Head",
    "Hindrances",
    "InForce",
    "Instruction",
    "Limits",
    "Line",
    "Next",
    "Pace",
    "Phase",
    "PhaseRun",
    "Player",
    "Prices",
    "Private",
    "Question",
    "Reason",
    "Refused",
    "Rule",
    "Rulebook",
    "Secret",
    "Setting",
    "Shuffled",
    "Table",
    "Tally",
    "Use",
    "Verb",
    "Where",
    "YesNo",
    "changed",
    "clockwise",
    "events_of",
    "face_down",
    "first_flaw",
    "first_of",
    "flaw",
    "hand_without",
    "highest",
    "names_everybody",
    "once",
    "paid",
    "refused_at",
    "removed",
    "total",
    "up_to_all",
    "warn_of_player",
    "with_tally",
    "without_secrets",
]
