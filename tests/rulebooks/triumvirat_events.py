"""One event of each kind of Triumvirat."""

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
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.table.secret import Secret
from adjudicator.rulebooks.triumvirat import events
from adjudicator.rulebooks.triumvirat.pieces import Barbarians, Troops, Wish

HAND = (Secret("wine"), Secret("tax"))
TWO = Troops(1, 1)
SUMS = {"caesar": 3, "crassus": 2, "pompey": 3}
EVENTS: tuple[Event[Any], ...] = (
    Opened(rule="TRI-6", phase=Head(5, "war", 2)),
    Due(rule="TRI-6", players=("caesar",)),
    Thrown(rule="TRI-6.3", what=("attack", "roma"), face=1, player="caesar"),
    Shuffled(rule="TRI-0.4", what=("deck",), order=HAND),
    OrderRefused(
        rule="TRI-6.6",
        player="caesar",
        verb="emperor: true",
        reason=Reason("TRI-6.6", "not-in-rome"),
        place="3:5",
    ),
    Remarked(rule="TRI-5.3", player="caesar", reason=Reason("TRI-5.3", "pass-is-true"), place="3:5"),
    NotSent(rule="YAML", player="caesar", reason=Reason("SHEET", "empty"), place="sheets/caesar.yaml:1:1"),
    Stood(rule="TRI-10.8", player="caesar", key="keep", entries=Secret("wine")),
    events.StartPlaced(rule="TRI-0.2", player="caesar"),
    events.DeckLaid(rule="TRI-5.1", deck="barbarian_deck", cards=HAND),
    events.CardTurned(rule="TRI-1.1", deck="deck", card="pirates"),
    events.Produced(rule="TRI-2.1", player="caesar", cards=("wine", "tax"), short=("gems",), extra="oil"),
    events.OrderNamed(rule="TRI-4.1", player="crassus", order=("pompey", "caesar", "crassus")),
    events.Wished(rule="TRI-2.3", to=("caesar",), player="caesar", wishes=Secret((Wish("wine"),))),
    events.Picked(rule="TRI-2.3", player="caesar", province="roma", site="city", card="tax", wish=Secret(1)),
    events.NumberNamed(rule="TRI-3.1", player="pompey", count=2),
    events.PutOut(rule="TRI-3.1", to=("caesar",), player="caesar", cards=HAND),
    events.Shown(rule="TRI-3.1", player="caesar", cards=("wine", "tax")),
    events.Taken(rule="TRI-3.2", player="caesar", source="pompey", card="oil"),
    events.PhaseDone(rule="TRI-3.2"),
    events.Paid(rule="TRI-4.2", player="caesar", cards=("oil", "wine")),
    events.InfluencePlaced(rule="TRI-4.2", player="caesar", province="sicilia"),
    events.Built(rule="TRI-4.3", player="caesar", what="market", province="carthago", on="fruit"),
    events.Recruited(rule="TRI-4.3", player="caesar", province="carthago", legions=2),
    events.SenatorBought(rule="TRI-4.4", player="caesar", senator="cicero"),
    events.Used(rule="TRI-10.4", player="caesar", senator="balbus"),
    events.Paid(rule="TRI-10.3", player="caesar", cards=("wine",), gets=("tax",)),
    events.PutAway(rule="TRI-4.5", player="caesar", cards=("wine",), taxes=1, kept=2),
    events.CardTurned(rule="TRI-5.1", deck="barbarian_deck", card="grain"),
    events.Appeared(rule="TRI-1.2", province="roma", kind="elite", site="city"),
    events.NobodyCame(rule="TRI-5.1", province="sicilia", why="none-left", kind="elite"),
    events.NobodyCame(rule="TRI-1.2", province="roma", why="held", kind="elite", site="city"),
    events.Driven(
        rule="TRI-5.5", player="caesar", start="sicilia", end="creta", pile=Barbarians(2, 1), sea=True
    ),
    events.Appeared(rule="TRI-5.3", province="illyria", kind="ordinary", player="caesar"),
    events.Passed(rule="TRI-5.3", player="caesar"),
    events.GoDone(rule="TRI-5.3", player="caesar"),
    events.Marched(rule="TRI-6.1", player="caesar", start="carthago", end="sicilia", troops=TWO, convoy=True),
    events.UnitsSpent(rule="TRI-6.1", player="caesar", province="sicilia", troops=TWO),
    events.Fought(
        rule="TRI-6.3",
        player="caesar",
        province="sicilia",
        troops=TWO,
        dice=(3, 4),
        others=(5,),
        sums=(9, 5),
        lost=Troops(1),
        beaten={"ordinary": 1, "elite": 0},
        thrower="pompey",
        senators=(1, 0),
    ),
    events.SiteFreed(rule="TRI-6.5", player="caesar", province="roma", site="city", card="tax"),
    events.Promoted(rule="TRI-6.4", player="caesar", province="sicilia"),
    events.MedalWon(rule="TRI-6.5", player="caesar", domain="politics"),
    events.Proclaimed(rule="TRI-6.6", player="caesar"),
    events.EmperorFell(rule="TRI-6.6", player="pompey"),
    events.WentHome(rule="TRI-6.5", player="caesar", start="roma", end="", troops=TWO),
    events.Pillaged(rule="TRI-7.1", player="caesar", province="carthago", what="caravan", on="fruit"),
    events.Spared(rule="TRI-10.13", player="caesar", province="carthago", senator="brutus"),
    events.TaxesBid(rule="TRI-8.1", player="caesar", bid=Secret({"arms": 1})),
    events.BidShown(rule="TRI-8.1", player="caesar", bid={"arms": 1}),
    events.TitleAwarded(rule="TRI-8.1", player="caesar", title="trade", sums=SUMS, before="pompey"),
    events.TitleAwarded(rule="TRI-8.1", player="caesar", title="arms", sums=SUMS, before="caesar", tied=True),
    events.Ended(rule="TRI-9.1", winners=("caesar",), points=11),
)
SILENT = {
    *("Shuffled of deck", "Wished", "PutOut", "TaxesBid", "PhaseDone", "GoDone"),
}
"""Of these the story says nothing."""
FOR_ONE: dict[str, str] = {}
"""These are told to one player alone."""
