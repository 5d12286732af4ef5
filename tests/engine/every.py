"""One event of each kind, for each rulebook, and those that the story passes over."""

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
from adjudicator.engine.table.points import Line
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.table.rulebook import Held
from adjudicator.engine.table.secret import Private, Secret
from adjudicator.rulebooks.mediterranee import events as lagoon
from adjudicator.rulebooks.mediterranee.state import Bid, Deal
from adjudicator.rulebooks.rome_carthage import events as legions
from adjudicator.rulebooks.rome_carthage.state import Choice, Fight, Holding

REASON = Reason("MED-0.6", "room", {"field": "quantity", "value": 3, "galley": "venice-1", "most": 2})
DEAL = Deal(
    "venice",
    "genoa",
    True,
    "wine",
    1,
    "venice-1",
    300,
    Secret(200),
    {"iron": 1},
    Secret("sheets/venice.yaml:3:1"),
)
MEDITERRANEE: tuple[Event[Any], ...] = (
    Opened(rule="MED-1", phase=Head(2, "auction", 1)),
    Due(rule="MED-1", players=("venice",)),
    Thrown(rule="MED-1.3", what=("seat", "venice"), face=3, player="venice"),
    Shuffled(rule="MED-1.3", what=("lot",), order=(Secret("venice"), Secret("genoa"))),
    OrderRefused(rule="MED-0.6", player="venice", verb="buy: wine", reason=REASON, place="3:5"),
    Remarked(rule="MED-0.6", player="venice", reason=REASON, place="sheets/venice.yaml:3:5"),
    NotSent(rule="YAML", player="venice", reason=Reason("SHEET", "empty"), place="sheets/venice.yaml:1:1"),
    Stood(rule="MED-2.3", player="venice", key="prices", entries=Secret([{"ask": 300}])),
    lagoon.Placed(rule="MED-0.3", player="venice", sailors=3, place="venice-1"),
    lagoon.TurnBegan(rule="MED-1.1"),
    lagoon.BidMade(rule="MED-1.1", player="venice", bid=Secret(Bid(300, None))),
    lagoon.BidShown(rule="MED-1.5", player="venice", sum=300),
    lagoon.SeatChosen(rule="MED-1.2", player="venice", seat=1, bid=300),
    lagoon.OrderSet(rule="MED-1.2", order=("venice", "genoa", "spain", "turkey")),
    lagoon.Bought(
        rule="MED-2.3",
        player="venice",
        good="wine",
        quantity=1,
        port="napoli",
        galley="venice-1",
        price=300,
        seller="genoa",
    ),
    lagoon.DealOffered(rule="MED-2.13", to=("venice", "genoa"), deal=Private(DEAL)),
    lagoon.DealClosed(rule="MED-2.13", to=("venice", "genoa"), deal=Private(DEAL)),
    lagoon.Dealt(
        rule="MED-2.13",
        seller="venice",
        buyer="genoa",
        good="wine",
        quantity=2,
        loads="genoa-1",
        unloads="venice-1",
        price=0,
        back={"iron": 1},
    ),
    lagoon.Built(rule="MED-2.7", player="venice", port="venezia", galley="venice-3", sum=500),
    lagoon.Fortified(rule="MED-2.8", player="venice", port="venezia", sum=500),
    lagoon.Enlisted(rule="MED-2.9", player="venice", sailors=1, port="venezia", place="venezia", sum=100),
    lagoon.Shifted(
        rule="MED-2.10", player="venice", sailors=1, goods={"wine": 2}, source="venice-1", target="venice-2"
    ),
    lagoon.Jettisoned(rule="MED-2.11", player="venice", goods={"wine": 1}, galley="venice-1"),
    lagoon.Dismissed(rule="MED-2.12", player="venice", sailors=1, galley="venice-1", port="venezia"),
    lagoon.Sank(rule="MED-0.6", galley="venice-1", owner="venice", cargo=("wine", "wood")),
    lagoon.Entered(rule="MED-3.1", player="venice", galley="venice-1", zone="ragusa"),
    lagoon.LeaveGiven(
        rule="MED-3.3", asked="genoa", player="venice", galley="venice-1", zone="ragusa", given=True
    ),
    lagoon.Struck(
        rule="MED-4.3",
        player="venice",
        attacker="venice-1",
        target="tunis",
        owner="spain",
        thrown=(6, 1),
        sailors=(5, 2),
        fortress=True,
        losses=(1, 2),
    ),
    lagoon.Captured(rule="MED-4.4", player="venice", galley="genoa-2", winner="venice-1", crew=2),
    lagoon.Stowed(
        rule="MED-4.5", player="venice", cargo={"venice-1": ("gold",), "genoa-2": ()}, lost=("wood",)
    ),
    lagoon.Landed(
        rule="MED-5.1", player="venice", sailors=1, galley="venice-1", port="tunis", before="spain"
    ),
    lagoon.Sold(
        rule="MED-6.3",
        player="venice",
        good="gold",
        galley="venice-1",
        port="napoli",
        slot=2,
        sum=200,
        bonus=500,
    ),
    lagoon.Income(rule="MED-6.4", player="venice", sum=300),
    lagoon.Scored(rule="MED-7.1", player="venice", lines=(Line("MED-7.1", "own-capital", 1, 10),), total=10),
    lagoon.Won(rule="MED-7.2", players=("venice",), total=10),
)
FIGHT = Fight("tarraco", "carthage-cavalry", "rome-cavalry", "toletum")
ROME: tuple[Event[Any], ...] = (
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
    legions.SeatsTaken(rule="ROM-0.5", seats=("rome", "constantinople", "alexandria", "carthage")),
    legions.TalonLaid(
        rule="ROM-6.3", cards=(Secret("clubs-ace"), Secret("clubs-3")), packs=(1, 1), spent=True
    ),
    legions.Placed(
        rule="ROM-0.6",
        player="rome",
        piece="rome-ship-1",
        state="rome",
        kind="ship",
        city="roma",
        by_lot=True,
    ),
    legions.Drawn(rule="ROM-1.1", player="rome", card=Secret("clubs-ace")),
    legions.Betrayed(rule="ROM-4.1", player="rome", victim="carthage"),
    legions.Sedition(rule="ROM-4.2", player="carthage", city="carthago"),
    legions.MarchOffered(rule="ROM-2.5", to=("rome",), player="rome", cards=Secret(("hearts-4",))),
    legions.MarchPaid(rule="ROM-2.5", player="rome", cards=("hearts-king",)),
    legions.Moved(
        rule="ROM-2.1",
        player="rome",
        piece="rome-cavalry",
        start="roma",
        way=("genua", "massilia"),
        steps=1,
        capital=True,
    ),
    legions.FightBegan(rule="ROM-1.4", fight=FIGHT),
    legions.FightsOrdered(rule="ROM-1.4", cities=("tarraco", "roma")),
    legions.Chose(
        rule="ROM-3.1",
        player="rome",
        city="tarraco",
        choice=Secret(Choice(("hearts-8", "hearts-4"), "behind", ("hearts-6",))),
    ),
    legions.ChoiceVoid(rule="ROM-3.1", to=("rome",), player="rome", city="tarraco"),
    legions.Shown(
        rule="ROM-3.1",
        city="tarraco",
        cards={"carthage": ("spades-8", "spades-4"), "rome": ("hearts-king",)},
        totals={"carthage": 16, "rome": 15},
        ties={"rome": Secret(("hearts-6",))},
    ),
    legions.SpyDeclared(rule="ROM-3.7", player="rome", city="tarraco"),
    legions.FightAnew(rule="ROM-3.7", city="tarraco"),
    legions.Tied(rule="ROM-3.4", city="tarraco", total=8),
    legions.FightEnded(rule="ROM-3.1", city="tarraco", winner="rome"),
    legions.WentBack(rule="ROM-3.5", piece="carthage-cavalry", city="toletum"),
    legions.Eliminated(rule="ROM-3.1", piece="rome-cavalry", player="rome", city="tarraco"),
    legions.WentOut(rule="ROM-5.2", player="rome", hand=("hearts-8", "hearts-jack")),
    legions.OrdersHeld(rule="ROM-4.1", player="rome", held=(Secret(Held({"pass": True}, "3:5")),)),
    legions.FightWaits(rule="ROM-3.1", mover="rome", city="tarraco", players=("rome",)),
    legions.RestBegan(rule="ROM-4.1"),
    legions.HoldingSet(rule="ROM-5.1", holding=(Holding(0, ("rome",)), Holding(1, ("rome",)))),
    legions.TurnEnded(rule="ROM-0.5", player="rome", following="carthage", round=3, quiet_rounds=1),
    legions.Finished(rule="ROM-5.1", players=("rome", "alexandria")),
)
EVERY = {"mediterranee": MEDITERRANEE, "rome-carthage": ROME}
SILENT = {
    *("Opened", "Due", "OrderRefused", "Remarked", "NotSent", "Stood"),
    *("TurnBegan", "DealClosed"),
    *("Shuffled of talon", "RestBegan", "TurnEnded"),
}
"""What needs no words in the story, or is told elsewhere."""
OWN = {
    **dict.fromkeys(("BidMade", "DealOffered"), "venice"),
    **dict.fromkeys(("MarchOffered", "Chose", "ChoiceVoid", "OrdersHeld"), "rome"),
}
"""What only one of the readers is told, by kind."""


def kind_of(event: Event[Any]) -> str:
    """The kind of an event; a shuffle is told or not by what it is for."""
    return f"Shuffled of {event.what[0]}" if isinstance(event, Shuffled) else type(event).__name__
