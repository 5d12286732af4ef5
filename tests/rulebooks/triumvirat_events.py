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
from adjudicator.rulebooks.triumvirat.entries import Wish
from adjudicator.rulebooks.triumvirat.events import building, cards, ending, hordes, war
from adjudicator.rulebooks.triumvirat.state import Barbarians, Troops

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
    building.StartPlaced(rule="TRI-0.2", player="caesar"),
    cards.DeckLaid(rule="TRI-5.1", deck="barbarian_deck", cards=HAND, again=True),
    cards.TurnBegan(rule="TRI-1.1"),
    cards.CardTurned(rule="TRI-1.1", card="pirates"),
    cards.Produced(rule="TRI-2.1", player="caesar", cards=("wine", "tax"), short=("gems",), extra="oil"),
    cards.OrderNamed(rule="TRI-4.1", player="crassus", order=("pompey", "caesar", "crassus")),
    cards.Wished(rule="TRI-2.3", to=("caesar",), player="caesar", wishes=Secret((Wish("wine"),))),
    cards.Picked(rule="TRI-2.3", player="caesar", province="roma", site="city", card="tax", wish=Secret(1)),
    cards.NumberNamed(rule="TRI-3.1", player="pompey", count=2),
    cards.PutOut(rule="TRI-3.1", to=("caesar",), player="caesar", cards=HAND),
    cards.Shown(rule="TRI-3.1", player="caesar", cards=("wine", "tax")),
    cards.Taken(rule="TRI-3.2", player="caesar", source="pompey", card="oil"),
    cards.TradeClosed(rule="TRI-3.2"),
    building.Paid(rule="TRI-4.2", player="caesar", cards=("oil", "wine")),
    building.InfluencePlaced(rule="TRI-4.2", player="caesar", province="sicilia"),
    building.Built(rule="TRI-4.3", player="caesar", what="market", province="carthago", on="fruit"),
    building.Recruited(rule="TRI-4.3", player="caesar", province="carthago", legions=2),
    building.SenatorBought(rule="TRI-4.4", player="caesar", senator="cicero"),
    building.Used(rule="TRI-10.4", player="caesar", senator="balbus"),
    building.Swapped(rule="TRI-10.3", player="caesar", senator="rabirius", gives="wine", gets="tax"),
    building.Discarded(rule="TRI-4.5", player="caesar", cards=("wine",), taxes=1),
    building.TaxesKept(rule="TRI-4.5", player="caesar", count=2),
    hordes.BarbarianDrawn(rule="TRI-5.1", resource="grain"),
    hordes.Appeared(rule="TRI-1.2", province="roma", kind="elite", site="city"),
    hordes.Driven(
        rule="TRI-5.5", player="caesar", start="sicilia", end="creta", pile=Barbarians(2, 1), sea=True
    ),
    hordes.Raised(rule="TRI-5.3", player="caesar", province="illyria"),
    hordes.Passed(rule="TRI-5.3", player="caesar"),
    hordes.GoDone(rule="TRI-5.3", player="caesar"),
    war.Marched(rule="TRI-6.1", player="caesar", start="carthago", end="sicilia", troops=TWO, convoy=True),
    war.UnitsSpent(rule="TRI-6.1", player="caesar", province="sicilia", troops=TWO),
    war.Fought(
        rule="TRI-6.3",
        player="caesar",
        province="sicilia",
        troops=TWO,
        dice=(3, 4),
        others=(5,),
        sums=(8, 5),
        losses=(1, 1),
        thrower="pompey",
    ),
    war.UnitsFell(rule="TRI-6.3", player="caesar", province="sicilia", troops=Troops(1), attacker=True),
    war.BarbariansFell(rule="TRI-6.3", province="sicilia", barbarians=Barbarians(1)),
    war.SiteFreed(rule="TRI-6.5", player="caesar", province="roma", site="city"),
    war.CardWon(rule="TRI-6.5", player="caesar", card="tax"),
    war.Promoted(rule="TRI-6.4", player="caesar", province="sicilia", kind="both"),
    war.MedalWon(rule="TRI-6.5", player="caesar", domain="politics"),
    war.Proclaimed(rule="TRI-6.6", player="caesar"),
    war.EmperorFell(rule="TRI-6.6", player="pompey"),
    war.WentHome(rule="TRI-6.5", player="caesar", start="roma", end="", troops=TWO),
    war.WarDone(rule="TRI-6.1", player="caesar"),
    hordes.Pillaged(rule="TRI-7.1", player="caesar", province="carthago", what="caravan", on="fruit"),
    hordes.Spared(rule="TRI-10.13", player="caesar", province="carthago", senator="brutus"),
    ending.TaxesBid(rule="TRI-8.1", player="caesar", bid=Secret({"arms": 1})),
    ending.BidShown(rule="TRI-8.1", player="caesar", bid={"arms": 1}),
    ending.TitleTaken(rule="TRI-8.1", player="caesar", title="trade", sums=SUMS, before="pompey"),
    ending.TitleKept(rule="TRI-8.1", player="caesar", title="arms", sums=SUMS, tied=True),
    ending.TurnEnded(rule="TRI-8.2"),
    ending.Ended(rule="TRI-9.1", winners=("caesar",), by_rule="TRI-9.1", points=11),
)
SILENT = {
    *("Shuffled of deck", "TurnBegan", "Wished", "PutOut", "TradeClosed", "GoDone", "WarDone"),
    "TurnEnded",
}
"""Of these the story says nothing."""
FOR_ONE: dict[str, str] = {}
"""These are told to one player alone."""
