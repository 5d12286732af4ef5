"""One event of each kind of Serenissima."""

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
from adjudicator.engine.table.points import Line, Scored
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.table.secret import Secret
from adjudicator.rulebooks.serenissima import events as happened

EVENTS: tuple[Event[Any], ...] = (
    Opened(rule="SER-1", phase=Head(5, "round", 2)),
    Due(rule="SER-1", players=("blue",)),
    Thrown(rule="SER-5.2", what=("attack", "4", "7"), face=1, player="blue"),
    Shuffled(rule="SER-0.4", what=("first",), order=(Secret("red"), Secret("blue"))),
    OrderRefused(
        rule="SER-4.1",
        player="blue",
        verb="sail: 4, sell",
        reason=Reason("SER-4.1", "produced", {"good": "wood", "port": "valencia"}),
        place="3:5",
    ),
    Remarked(rule="SER-1.1", player="blue", reason=Reason("SER-1.1", "gone", {"galley": "4"}), place="3:5"),
    NotSent(rule="YAML", player="blue", reason=Reason("SHEET", "empty"), place="sheets/blue.yaml:1:1"),
    Stood(rule="SER-5.4", player="blue", key="salvage", entries=Secret(["gold"])),
    happened.CardsLaid(rule="SER-7.1", cards=(Secret("one"), Secret("two"))),
    happened.Closed(rule="SER-0.3", port="tunis", by_lot=True),
    happened.SeatsTaken(rule="SER-0.4", seats=("blue", "red", "orange", "black")),
    happened.Manned(rule="SER-0.4", player="blue", port="valencia", sailors=3, by_lot=True),
    happened.Launched(rule="SER-7.4", player="blue", galley="4", port="valencia", crew=3, sum=4),
    happened.Called(rule="SER-1.1", player="blue", galley="4"),
    happened.Paused(rule="SER-1.1"),
    happened.Shifted(rule="SER-2.1", player="blue", sailors=2, source="6", target="4"),
    happened.Loaded(
        rule="SER-2.3",
        player="blue",
        galley="4",
        port="genova",
        good="stone",
        quantity=2,
        sum=2,
        seller="red",
    ),
    happened.Transferred(rule="SER-2.4", player="blue", goods={"wine": 1}, source="6", target="4"),
    happened.Jettisoned(rule="SER-2.4", player="blue", galley="4", goods={"wine": 2}),
    happened.Sank(rule="SER-0.6", player="blue", galley="4", sailors=2, cargo=("wine",)),
    happened.Entered(rule="SER-3.1", player="blue", galley="4", zone="alger"),
    happened.BrokenOff(rule="SER-5.3", player="blue", galley="4", target="7", own=1, other=2),
    happened.Blockaded(
        rule="SER-4.3",
        player="red",
        galley="4",
        zone="alger",
        against="sale",
        declared=True,
        sailors=4,
        against_sailors=3,
    ),
    happened.Sold(rule="SER-4.2", player="blue", galley="4", port="alger", good="spice", sum=3, bonus=2),
    happened.FortFired(rule="SER-5.7", player="red", port="alger", galley="4", skulls=2, losses=1),
    happened.Reckoned(rule="SER-5.1", player="blue", galley="4", value=2),
    happened.Struck(
        rule="SER-5.2",
        player="blue",
        attacker="4",
        target="7",
        owner="red",
        values=(2, 2),
        skulls=(1, 1),
        losses=(1, 1),
    ),
    happened.Salvaged(rule="SER-5.4", player="blue", galley="4", wreck="7", goods={"marble": 1}),
    happened.Landed(rule="SER-5.8", player="blue", galley="4", port="alger", sailors=1, before="red"),
    happened.Freed(rule="SER-5.8", port="alger", before="red"),
    happened.Recruited(rule="SER-6.1", player="blue", sailors=2, place="valencia", sum=2),
    happened.Built(rule="SER-6.3", player="blue", what="basilica", port="valencia", sum=2),
    happened.CardDrawn(rule="SER-7.1", card="wine", pawn=4),
    happened.WinePaid(rule="SER-7.2", player="blue", ports=("alger",), sum=3),
    happened.ScoringHeld(rule="SER-7.3", number=1),
    happened.PortsPaid(
        rule="SER-8.1", player="blue", ports={"valencia": 15}, basilicas=("valencia",), sum=20
    ),
    happened.RoundEnded(rule="SER-7.1"),
    Scored(rule="SER-8.2", player="blue", lines=(Line("SER-8.2", "ducats", 25, 25),), total=25),
    happened.Finished(rule="SER-8.2", players=("blue",), ducats=25, by_ports=True),
)
SILENT = {"Called", "Paused", "Reckoned", "RoundEnded", "Shuffled of first"}
"""Of these the story says nothing."""
