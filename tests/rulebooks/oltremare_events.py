"""One event of each kind of Oltre Mare."""

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
from adjudicator.rulebooks.oltremare import events as happened
from adjudicator.rulebooks.oltremare.board import Lot
from adjudicator.rulebooks.oltremare.state import Give, Offer, Shown, Want

CARD = (Secret("salt-03"),)
OFFER = Offer(
    "contarini",
    "dandolo",
    Give((Shown(Secret("salt-03"), Secret("salt"), Secret(("ducat", "ship"))),), 1),
    Want({"olive": 2}, 0),
)
SIDES = {
    "gives": happened.Side(CARD, {"salt": 1}, 1),
    "gets": happened.Side((Secret("olive-01"),), {"olive": 1}),
}
EVENTS: tuple[Event[Any], ...] = (
    Opened(rule="OLT-2", phase=Head(5, "commerce", 2)),
    Due(rule="OLT-2", players=("contarini",)),
    Thrown(rule="OLT-0.5", what=("lot",), face=1, player="contarini"),
    Shuffled(rule="OLT-0.4", what=("deck",), order=CARD),
    OrderRefused(
        rule="OLT-1.1",
        player="contarini",
        verb="buy: deck",
        reason=Reason("OLT-1.1", "discard-first", {"count": 1}),
        place="3:5",
    ),
    Remarked(rule="OLT-2.1", player="contarini", reason=Reason("OLT-2.1", "cards-or-goods"), place="3:5"),
    NotSent(
        rule="YAML", player="contarini", reason=Reason("SHEET", "empty"), place="sheets/contarini.yaml:1:1"
    ),
    Stood(rule="OLT-2.1", player="contarini", key="offers", entries=Secret([])),
    happened.SeatsTaken(rule="OLT-0.5", seats=("contarini", "dandolo", "grimani")),
    happened.MarkersLaid(rule="OLT-0.3", markers={"zara": "compass"}),
    happened.TurnedUp(rule="OLT-0.4", player="contarini", cards=("gem-01", "gem-03"), port="alessandria"),
    happened.DeckLaid(rule="OLT-6.1", cards=CARD, source="piles", player="contarini"),
    happened.Dealt(rule="OLT-0.4", player="contarini", cards=CARD),
    happened.TurnBegan(rule="OLT-0.5", player="contarini"),
    happened.Paid(rule="OLT-8.1", player="contarini", ducats=2, what="calm-sea", count=2),
    happened.LimitKept(rule="OLT-1.1"),
    happened.RulePlays(rule="OLT-3.1", player="contarini", what="all"),
    happened.Discarded(rule="OLT-1.1", player="contarini", cards=CARD),
    happened.Offered(rule="OLT-2.1", name="contarini-1", player="contarini", offer=OFFER),
    happened.OfferRefused(rule="OLT-2.1", name="contarini-1", player="dandolo", maker="contarini"),
    happened.OfferVoid(
        rule="OLT-2.1",
        to=("contarini",),
        name="contarini-1",
        player="dandolo",
        maker="contarini",
    ),
    happened.Exchanged(rule="OLT-2.1", name="contarini-1", player="contarini", other="dandolo", **SIDES),
    happened.TileTaken(rule="OLT-2.3", player="dandolo"),
    happened.Bought(rule="OLT-2.4", player="contarini", source="deck", price=3),
    happened.Drew(rule="OLT-3.4", player="contarini", card=CARD[0], onto="hand"),
    happened.VeniceFound(rule="OLT-5.3", player="contarini", where="hand"),
    happened.TilesReturned(rule="OLT-5.1"),
    happened.Sold(
        rule="OLT-5.2", player="contarini", lots=(Lot("gem", 2, 5), Lot("salt", 1, 1)), cards=("gem-01",)
    ),
    happened.Waited(rule="OLT-2.1", players=("dandolo",)),
    happened.Unanswered(rule="OLT-2.1", names=("contarini-1",)),
    happened.TalkEnded(rule="OLT-2.1", player="contarini"),
    happened.SheetsDone(rule="OLT-2.1"),
    happened.Played(rule="OLT-3.1", player="contarini", cards=("salt-03", "olive-01")),
    happened.Sailed(rule="OLT-3.5", player="contarini", start="bari", way=("ragusa", "zara")),
    happened.MarkerTaken(rule="OLT-3.5", player="contarini", port="zara", marker="compass"),
    happened.MarkerTurned(rule="OLT-3.5", player="contarini", marker="compass"),
    happened.Jumped(rule="OLT-8.2", player="contarini", start="zara", port="candia"),
    happened.Loaded(rule="OLT-4.1", player="contarini", cards=("salt-03", "olive-01")),
    happened.TurnEnded(rule="OLT-4.1", player="contarini", following="dandolo"),
    happened.LastRound(rule="OLT-6.1"),
    happened.Settled(rule="OLT-6.1", player="contarini", cargo=3),
    Scored(rule="OLT-7.5", player="contarini", lines=(Line("OLT-7.5", "ducats", 18, 18),), total=18),
    happened.Finished(rule="OLT-7.5", players=("contarini",), ducats=45, tied=("contarini", "dandolo")),
)
SILENT = {"Shuffled of deck", "TurnBegan", "LimitKept", "SheetsDone", "TurnEnded", "Unanswered"}
"""Of these the story says nothing."""
FOR_ONE = {"OfferVoid": "contarini"}
"""These are told to one player alone."""
