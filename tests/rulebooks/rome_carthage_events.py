"""One event of each kind of Rome et Carthage."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.table.event import (
    Due,
    Event,
    Head,
    NotSent,
    Opened,
    OrderRefused,
    Remarked,
    Shuffled,
    Stood,
    Thrown,
)
from adjudicator.engine.table.position import WaitingOrder
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.table.secret import Secret
from adjudicator.rulebooks.rome_carthage import events as happened
from adjudicator.rulebooks.rome_carthage.state import Choice, Fight, Holding

FIGHT = Fight("tarraco", "carthage-cavalry", "rome-cavalry", "toletum")
EVENTS: tuple[Event[Any], ...] = (
    Opened(rule="ROM-1", phase=Head(5, "turn", 2)),
    Due(rule="ROM-1", players=("rome",)),
    Thrown(rule="ROM-0.5", what=("first",), face=1),
    Shuffled(rule="ROM-0.3", what=("talon",), order=(Secret("clubs-ace"), Secret("clubs-3"))),
    OrderRefused(
        rule="ROM-2.5",
        player="rome",
        verb="march",
        reason=Reason("ROM-2.5", "march-too-cheap", {"points": 2, "least": 3}),
        place="3:5",
    ),
    Remarked(rule="ROM-2.5", player="rome", reason=Reason("ROM-2.5", "marched-already"), place="3:5"),
    NotSent(rule="YAML", player="rome", reason=Reason("SHEET", "empty"), place="sheets/rome.yaml:1:1"),
    Stood(rule="ROM-5.3", player="rome", key="draw", entries=Secret("agree")),
    happened.SeatsTaken(rule="ROM-0.5", seats=("rome", "constantinople", "alexandria", "carthage")),
    happened.TalonLaid(
        rule="ROM-6.3", cards=(Secret("clubs-ace"), Secret("clubs-3")), packs=(1, 1), spent=True
    ),
    happened.Placed(
        rule="ROM-0.6",
        player="rome",
        piece="rome-ship-1",
        state="rome",
        kind="ship",
        city="roma",
        by_lot=True,
    ),
    happened.Drawn(rule="ROM-1.1", player="rome", card=Secret("clubs-ace")),
    happened.Betrayed(rule="ROM-4.1", player="rome", victim="carthage"),
    happened.Sedition(rule="ROM-4.2", player="carthage", city="carthago"),
    happened.MarchOffered(rule="ROM-2.5", to=("rome",), player="rome", cards=Secret(("hearts-4",))),
    happened.MarchOffered(rule="ROM-4.1", to=("rome",), player="rome", cards=Secret(())),
    happened.MarchPaid(rule="ROM-2.5", player="rome", cards=("hearts-king",)),
    happened.Moved(
        rule="ROM-2.1",
        player="rome",
        piece="rome-cavalry",
        start="roma",
        way=("genua", "massilia"),
        steps=1,
        capital=True,
    ),
    happened.FightBegan(rule="ROM-1.4", fight=FIGHT),
    happened.FightsOrdered(rule="ROM-1.4", cities=("tarraco", "roma")),
    happened.Chose(
        rule="ROM-3.1",
        player="rome",
        city="tarraco",
        choice=Secret(Choice(("hearts-8", "hearts-4"), "behind", ("hearts-6",))),
    ),
    happened.ChoiceVoid(rule="ROM-3.1", to=("rome",), player="rome", city="tarraco"),
    happened.Shown(
        rule="ROM-3.1",
        city="tarraco",
        cards={"carthage": ("spades-8", "spades-4"), "rome": ("hearts-king",)},
        totals={"carthage": 16, "rome": 15},
        ties={"rome": Secret(("hearts-6",))},
    ),
    happened.SpyDeclared(rule="ROM-3.7", player="rome", city="tarraco"),
    happened.FightAnew(rule="ROM-3.7", city="tarraco"),
    happened.Tied(rule="ROM-3.4", city="tarraco", total=8),
    happened.FightEnded(rule="ROM-3.1", city="tarraco", winner="rome"),
    happened.WentBack(rule="ROM-3.5", piece="carthage-cavalry", city="toletum"),
    happened.Eliminated(rule="ROM-3.1", piece="rome-cavalry", player="rome", city="tarraco"),
    happened.WentOut(rule="ROM-5.2", player="rome", hand=("hearts-8", "hearts-jack")),
    happened.OrdersHeld(rule="ROM-4.1", player="rome", held=(Secret(WaitingOrder({"pass": True}, "3:5")),)),
    happened.FightWaits(rule="ROM-3.1", mover="rome", city="tarraco", players=("rome",)),
    happened.RestBegan(rule="ROM-4.1"),
    happened.Passed(rule="ROM-1.3", player="rome"),
    happened.HoldingSet(rule="ROM-5.1", holding=(Holding(0, ("rome",)), Holding(1, ("rome",)))),
    happened.TurnEnded(rule="ROM-0.5", player="rome", following="carthage", round=3, quiet_rounds=1),
    happened.Finished(rule="ROM-5.1", players=("rome", "alexandria")),
)
SILENT = {"Shuffled of talon", "RestBegan", "TurnEnded"}
"""Of these the story says nothing."""
FOR_ONE = dict.fromkeys(("MarchOffered", "Chose", "ChoiceVoid", "OrdersHeld"), "rome")
"""These are told to one player alone."""
