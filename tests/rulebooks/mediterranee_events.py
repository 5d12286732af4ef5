"""One event of each kind of Méditerranée."""

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
from adjudicator.engine.table.points import Line, Scored, Won
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.table.secret import Private, Secret
from adjudicator.rulebooks.mediterranee import events as happened
from adjudicator.rulebooks.mediterranee.state import Bargain, Bid, Deal

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
EVENTS: tuple[Event[Any], ...] = (
    Opened(rule="MED-1", phase=Head(2, "auction", 1)),
    Due(rule="MED-1", players=("venice",)),
    Thrown(rule="MED-1.3", what=("seat", "venice"), face=3, player="venice"),
    Shuffled(rule="MED-1.3", what=("lot",), order=(Secret("venice"), Secret("genoa"))),
    OrderRefused(rule="MED-0.6", player="venice", verb="buy: wine", reason=REASON, place="3:5"),
    Remarked(rule="MED-0.6", player="venice", reason=REASON, place="sheets/venice.yaml:3:5"),
    NotSent(rule="YAML", player="venice", reason=Reason("SHEET", "empty"), place="sheets/venice.yaml:1:1"),
    Stood(rule="MED-2.3", player="venice", key="prices", entries=Secret([{"ask": 300}])),
    happened.Placed(rule="MED-0.3", player="venice", sailors=3, place="venice-1"),
    happened.TurnBegan(rule="MED-1.1"),
    happened.BidMade(rule="MED-1.1", player="venice", bid=Secret(Bid(300, None))),
    happened.BidShown(rule="MED-1.5", player="venice", sum=300),
    happened.SeatChosen(rule="MED-1.2", player="venice", seat=1, bid=300),
    happened.OrderSet(rule="MED-1.2", order=("venice", "genoa", "spain", "turkey")),
    happened.Bought(
        rule="MED-2.3",
        player="venice",
        good="wine",
        quantity=1,
        port="napoli",
        galley="venice-1",
        price=300,
        seller="genoa",
    ),
    happened.DealOffered(rule="MED-2.13", to=("venice", "genoa"), deal=Private(DEAL)),
    happened.DealClosed(rule="MED-2.13", to=("venice", "genoa"), deal=Private(DEAL)),
    happened.Bargained(
        rule="MED-2.5", to=("venice", "genoa"), bargain=Private(Bargain("venice", "genoa", "wine", (300,)))
    ),
    happened.Dealt(
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
    happened.Built(rule="MED-2.7", player="venice", port="venezia", galley="venice-3", sum=500),
    happened.Fortified(rule="MED-2.8", player="venice", port="venezia", sum=500),
    happened.Enlisted(rule="MED-2.9", player="venice", sailors=1, port="venezia", place="venezia", sum=100),
    happened.Shifted(
        rule="MED-2.10", player="venice", sailors=1, goods={"wine": 2}, source="venice-1", target="venice-2"
    ),
    happened.Jettisoned(rule="MED-2.11", player="venice", goods={"wine": 1}, galley="venice-1"),
    happened.Dismissed(rule="MED-2.12", player="venice", sailors=1, galley="venice-1", port="venezia"),
    happened.Sank(rule="MED-0.6", galley="venice-1", owner="venice", cargo=("wine", "wood")),
    happened.Entered(rule="MED-3.1", player="venice", galley="venice-1", zone="ragusa"),
    happened.LeaveGiven(
        rule="MED-3.3", asked="genoa", player="venice", galley="venice-1", zone="ragusa", given=True
    ),
    happened.Struck(
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
    happened.Captured(rule="MED-4.4", player="venice", galley="genoa-2", winner="venice-1", crew=2),
    happened.Stowed(
        rule="MED-4.5", player="venice", cargo={"venice-1": ("gold",), "genoa-2": ()}, lost=("wood",)
    ),
    happened.Landed(
        rule="MED-5.1", player="venice", sailors=1, galley="venice-1", port="tunis", before="spain"
    ),
    happened.Sold(
        rule="MED-6.3",
        player="venice",
        good="gold",
        galley="venice-1",
        port="napoli",
        slot=2,
        sum=200,
        bonus=500,
    ),
    happened.Income(rule="MED-6.4", player="venice", sum=300),
    Scored(rule="MED-7.1", player="venice", lines=(Line("MED-7.1", "own-capital", 1, 10),), total=10),
    Won(rule="MED-7.2", players=("venice",), total=10),
)
SILENT = {"TurnBegan", "DealClosed", "Bargained"}
"""Of these the story says nothing."""
FOR_ONE = dict.fromkeys(("BidMade", "DealOffered"), "venice")
"""These are told to one player alone."""
