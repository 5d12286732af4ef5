"""What happens in a match: small events, each of which changes the position or tells the players something."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

from msgspec.structs import asdict, replace

from adjudicator.engine.table import (
    Deed,
    Event,
    Player,
    Secret,
    changed,
    face_down,
    hand_without,
    players,
    with_tally,
)
from adjudicator.engine.table.secret import without_secrets
from adjudicator.rulebooks.triumvirat import board, pieces
from adjudicator.rulebooks.triumvirat.board import BOARD, TAX, Card, ProvinceId, Resource, Senator, Title
from adjudicator.rulebooks.triumvirat.state import State

Kind = Literal["ordinary", "elite"]
"""A kind of barbarian."""


class Revealing(Deed[State], frozen=True):
    """An event of a player that makes something secret public."""

    reveals: ClassVar[bool] = True


class InProvince(Deed[State], frozen=True):
    """An event of a player in one province."""

    province: ProvinceId


class FromTo(Deed[State], frozen=True):
    """An event in which pieces go from one province to another, by a player's doing or for a player."""

    start: ProvinceId
    end: ProvinceId


# -- cards -----------------------------------------------------------------------------------------------------------


class DeckLaid(Event[State], frozen=True):
    """TRI-0.4, TRI-1.1, TRI-5.1: a deck is shuffled, at the start or from the used cards."""

    deck: board.Deck
    cards: pieces.Hand

    def apply(self, state: State) -> State:
        used = {"deck": "used", "barbarian_deck": "barbarian_out"}[self.deck]
        return replace(state, **{self.deck: self.cards, used: ()})


class CardTurned(Event[State], frozen=True):
    """TRI-1.1, TRI-5.1: the first card of a deck is turned up:
    a senator goes on offer, an event works in this turn, a resource brings barbarians."""

    reveals: ClassVar[bool] = True
    deck: board.Deck
    card: str

    def apply(self, state: State) -> State:
        pile = "on_offer" if self.card in BOARD.senators else "events"
        pile = "barbarian_out" if self.deck == "barbarian_deck" else pile
        left = getattr(state, self.deck)[1:]
        return replace(state, **{self.deck: left, pile: (*getattr(state, pile), self.card)})


class Produced(Deed[State], frozen=True):
    """TRI-2.1: a player gets the cards of the provinces, openly; `extra` is the card from a senator's power."""

    cards: tuple[Card, ...]
    short: tuple[Card, ...] = ()
    extra: Card = ""

    def apply(self, state: State) -> State:
        return state.with_cards(self.player, (*self.cards, *filter(None, [self.extra])))


class OrderNamed(Revealing, frozen=True):
    """TRI-2.3, TRI-4.1, TRI-5.3, TRI-6.1: the order in which a phase is played; `named` if a leader named it."""

    order: tuple[Player, ...]
    named: bool = True

    def apply(self, state: State) -> State:
        return replace(state, order=self.order)


class Wished(Deed[State], frozen=True):
    """TRI-2.3, TRI-3.2: a list of wishes, secret until cards are taken."""

    wishes: Secret[tuple[pieces.Wish, ...]]

    def apply(self, state: State) -> State:
        return replace(state, wishes={**state.wishes, self.player: self.wishes})


class Picked(Deed[State], frozen=True):
    """TRI-2.3: a player takes a card of Italy's production;
    `wish` is the number of the player's wish, 0 if it was none."""

    province: str
    site: str
    card: Card
    wish: Secret[int]

    def apply(self, state: State) -> State:
        return state.with_cards(self.player, (self.card,))


# -- the trade -------------------------------------------------------------------------------------------------------


class NumberNamed(Revealing, frozen=True):
    """TRI-3.1: the number of cards that each player lays out, as the trade leader names it."""

    count: int

    def apply(self, state: State) -> State:
        return replace(state, number=self.count)


class PutOut(Deed[State], frozen=True):
    """TRI-3.1: a player lays cards out face down, `kept` of them taxes that lay face up."""

    cards: pieces.Hand
    kept: int = 0

    def apply(self, state: State) -> State:
        seat = state.players[self.player]
        hand = without_secrets(seat.cards, self.cards[: len(self.cards) - self.kept])
        state = changed(state, "players", self.player, cards=hand, taxes=seat.taxes - self.kept)
        return replace(state, offers={**state.offers, self.player: self.cards})


class Shown(Revealing, frozen=True):
    """TRI-3.1: the cards that a player laid out are shown."""

    cards: tuple[Card, ...]

    def apply(self, state: State) -> State:
        return replace(state, offers={**state.offers, self.player: face_down(self.cards)})

    def recall(self, state: State, view: State) -> State:
        """Others weren't told when the cards were laid out; what is left of the kept taxes says how many were among
        them."""
        if self.player not in state.offers:
            kept = state.players[self.player].taxes - view.players[self.player].taxes
            state = PutOut(self.player, face_down(self.cards), kept, rule=self.rule).apply(state)
        return self.apply(state)


class Taken(Revealing, frozen=True):
    """TRI-3.2: a player takes a card in the trade: one of those laid out, or (`hand`) one of the leader's own."""

    source: Player
    card: Card
    hand: bool = False

    def apply(self, state: State) -> State:
        if self.hand:
            return state.without_cards(self.source, [self.card]).with_cards(self.player, [self.card])
        left = hand_without(state.offers[self.source], [self.card])
        return replace(state, offers={**state.offers, self.source: left}).with_cards(self.player, [self.card])


class PhaseDone(Event[State], frozen=True):
    """A phase is over: its order, wishes, offers and everything done in it are cleared.

    A number of cards that was named before Italy's cards were shared out stays for the trade, which follows. TRI-8.2:
    with the last phase a turn ends, and events are discarded.
    """

    def apply(self, state: State) -> State:
        number = state.number if state.phase.name == "italy" else None
        state = replace(state, wishes={}, offers={}, order=(), number=number, done=pieces.Done())
        if state.phase.name != "titles":
            return state
        return replace(state, used=(*state.used, *state.events), events=(), won={})


# -- paid and put away -----------------------------------------------------------------------------------------------


class Paid(Revealing, frozen=True):
    """A player pays cards and taxes to the box, of the taxes those kept first, then those in hand;
    TRI-10.3: in exchange for a card."""

    cards: tuple[Card, ...] = ()
    taxes: int = 0
    gets: tuple[Card, ...] = ()

    def apply(self, state: State) -> State:
        state = state.without_cards(self.player, (*self.cards, *(TAX,) * self.taxes))
        return state.with_cards(self.player, self.gets)

    def counted_out(self, state: State) -> Sequence[Card]:
        """Of the taxes those in hand, which are paid last."""
        return (TAX,) * (self.taxes - state.players[self.player].taxes)


class SenatorBought(Deed[State], frozen=True):
    """TRI-4.4: a player buys a senator."""

    senator: Senator

    def apply(self, state: State) -> State:
        senators = (*state.players[self.player].senators, self.senator)
        on_offer = tuple(each for each in state.on_offer if each != self.senator)
        bought = {**state.bought, self.player: state.bought.get(self.player, 0) + 1}
        state = replace(state, on_offer=on_offer, bought=bought)
        return changed(state, "players", self.player, senators=senators)


class Used(Deed[State], frozen=True):
    """TRI-10: a senator's power for this turn is used."""

    senator: Senator

    def apply(self, state: State) -> State:
        return state.with_done(used=(*state.done.used, BOARD.senators[self.senator].power))


class PutAway(Revealing, frozen=True):
    """TRI-4.5, TRI-8.2: a player openly discards cards of the hand, and of the kept `taxes`; `kept` taxes of the hand
    are laid face up. A card that a senator keeps stays in the hand."""

    cards: tuple[Card, ...] = ()
    taxes: int = 0
    kept: int = 0

    def apply(self, state: State) -> State:
        seat = state.players[self.player]
        left = hand_without(seat.cards, (*self.cards, *(TAX,) * self.kept))
        return changed(state, "players", self.player, cards=left, taxes=seat.taxes + self.kept - self.taxes)

    def counted_out(self, state: State) -> Sequence[Card]:
        """The taxes of the hand that are laid face up."""
        return (TAX,) * self.kept


# -- building --------------------------------------------------------------------------------------------------------


class StartPlaced(Deed[State], frozen=True):
    """TRI-0.2: a player's pieces are placed for the start."""

    def apply(self, state: State) -> State:
        for name, found in BOARD.starts[self.player].pieces.items():
            state = changed(state, "provinces", name, owner=self.player, **asdict(found))
        return state


class InfluencePlaced(InProvince, frozen=True):
    """TRI-4.2: a province comes under a player's influence; the player's units there stay."""

    def apply(self, state: State) -> State:
        own = state.units(self.province, self.player)
        since = 0 if state.phase.name == "start" else state.phase.turn
        left = state.with_units(self.province, self.player, -own)
        taken = changed(left, "provinces", self.province, owner=self.player, since=since)
        return taken.with_units(self.province, self.player, own)


class Built(Deed[State], frozen=True):
    """TRI-4.3: a city, a caravan, a market in a caravan's place, or a temple."""

    what: Literal["city", "caravan", "market", "temple"]
    province: ProvinceId
    on: Resource = ""

    def apply(self, state: State) -> State:
        if not self.on:
            return changed(state, "provinces", self.province, **{self.what: True})
        here, field = state.provinces[self.province], f"{self.what}s"
        left = tuple(each for each in here.caravans if each != self.on)
        built = {"caravans": left, field: (*getattr(here, field), self.on)}
        return changed(state, "provinces", self.province, **built)


class Recruited(InProvince, frozen=True):
    """TRI-4.3: new legions."""

    legions: int

    def apply(self, state: State) -> State:
        return state.with_units(self.province, self.player, pieces.Troops(self.legions))


# -- barbarians ------------------------------------------------------------------------------------------------------


class Appeared(Event[State], frozen=True):
    """TRI-1.2, TRI-5.1: a barbarian appears in a province,
    or replaces the one on a site of Italy; TRI-5.3: a player raises one."""

    province: ProvinceId
    kind: Kind
    site: str = ""
    player: Player = ""

    def apply(self, state: State) -> State:
        if not self.site:
            return state.with_barbarians(self.province, pieces.Barbarians(**{self.kind: 1}))
        sites = {**state.provinces[self.province].sites, self.site: self.kind}
        return changed(state, "provinces", self.province, sites=sites)


class NobodyCame(Event[State], frozen=True):
    """TRI-1.2, TRI-5.1: no barbarian appears where one would: a temple stands there, an elite one already holds the
    site, or none of that kind is left in the box."""

    province: ProvinceId
    why: Literal["temple", "held", "none-left"]
    kind: Kind = "ordinary"
    site: str = ""


class Driven(FromTo, frozen=True):
    """TRI-5.4, TRI-5.5: a pile moves one step, first of all those that lay for the
    player before. It lies down there."""

    pile: pieces.Barbarians
    sea: bool = False

    def apply(self, state: State) -> State:
        lay = state.done.lying.get(self.start, {}).get(self.player, pieces.Barbarians()) & self.pile
        state = state.with_barbarians(self.start, -self.pile).with_barbarians(self.end, self.pile)
        lying = {**state.done.lying}
        for at, change in ((self.start, -lay), (self.end, self.pile)):
            there = with_tally(lying.pop(at, {}), self.player, change)
            lying |= {at: there} if there else {}
        return state.with_done(lying=lying)


class Passed(Deed[State], frozen=True):
    """TRI-5.3: a player passes for good."""

    def apply(self, state: State) -> State:
        return state.with_done(passed=(*state.done.passed, self.player))


class GoDone(Deed[State], frozen=True):
    """TRI-5.3, TRI-6.1: a player's go, or war, is over, and the next player's begins, with other units."""

    def apply(self, state: State) -> State:
        return state.with_done(went=self.player if state.phase.name == "barbarians" else "", acted={})


class Pillaged(InProvince, frozen=True):
    """TRI-7.1: barbarians destroy a piece."""

    what: board.Lost
    on: Resource = ""

    def apply(self, state: State) -> State:
        if self.what == "influence":
            return changed(state, "provinces", self.province, owner=None, since=0)
        if not self.on:
            return changed(state, "provinces", self.province, **{self.what: False})
        field = f"{self.what}s"
        left = tuple(each for each in getattr(state.provinces[self.province], field) if each != self.on)
        return changed(state, "provinces", self.province, **{field: left})


class Spared(InProvince, frozen=True):
    """TRI-10.13: a senator stops a pillage."""

    senator: Senator


# -- war -------------------------------------------------------------------------------------------------------------


class Marched(FromTo, frozen=True):
    """TRI-6.1: units go from one province to another, first those that haven't attacked."""

    troops: pieces.Troops
    convoy: bool = False

    def apply(self, state: State) -> State:
        spent = self.troops - (self.troops & state.units_unused(self.player, self.start))
        state = state.with_units(self.start, self.player, -self.troops)
        state = state.with_units(self.end, self.player, self.troops)
        state = state.with_acts(self.start, attacked=-spent)
        return state.with_acts(self.end, both=spent, moved=self.troops - spent)


class UnitsSpent(InProvince, frozen=True):
    """TRI-6.1: units attack, each once, first those that have moved."""

    troops: pieces.Troops

    def apply(self, state: State) -> State:
        moved = self.troops & state.acted(self.province).moved
        return state.with_acts(self.province, moved=-moved, both=moved, attacked=self.troops - moved)


class Fought(InProvince, frozen=True):
    """TRI-6.3: a throw of both sides.

    `against` is an Emperor, or nobody: then `thrower` throws for barbarians. `dice` and `others` are the values of the
    dice; `sums` include the bonuses of veterans, elites and senators; `senators` are these last for each side. Of the
    attacker's units `lost` go to the box, first those that have moved; of the others `beaten` of each kind; in Italy
    barbarians are lost site by site.
    """

    troops: pieces.Troops
    dice: tuple[int, ...]
    others: tuple[int, ...]
    sums: tuple[int, int]
    lost: pieces.Troops
    beaten: Mapping[str, int] = {}
    against: Player = ""
    thrower: Player = ""
    senators: tuple[int, int] = (0, 0)

    def apply(self, state: State) -> State:
        both = self.lost & state.acted(self.province).both
        state = state.with_acts(self.province, both=-both, attacked=both - self.lost)
        state = state.with_units(self.province, self.player, -self.lost)
        if self.against:
            return state.with_units(self.province, self.against, -pieces.Troops(**self.beaten))
        return state.with_barbarians(self.province, -pieces.Barbarians(**self.beaten))


class SiteFreed(InProvince, frozen=True):
    """TRI-6.3, TRI-6.5: the barbarian on a site of Italy is lost; the attacker wins a card for it, if one is left."""

    site: str
    card: Card = ""

    def apply(self, state: State) -> State:
        sites = {**state.provinces[self.province].sites, self.site: "free"}
        state = changed(state, "provinces", self.province, sites=sites)
        if not self.card:
            return state
        won = {**state.won, self.player: (*state.won.get(self.player, ()), self.card)}
        return replace(state, won=won).with_cards(self.player, (self.card,))


class Promoted(InProvince, frozen=True):
    """TRI-6.4: a legion becomes a veteran; preferably one that has attacked, or attacked and moved."""

    def apply(self, state: State) -> State:
        done, fresh = state.acted(self.province), state.units_unused(self.player, self.province).legions
        state = state.with_units(self.province, self.player, pieces.Troops(-1, 1))
        spent = "attacked" if done.attacked.legions else "both" if done.both.legions else ""
        what = spent or ("" if fresh else "moved")
        return state.with_acts(self.province, **{what: pieces.Troops(-1, 1)}) if what else state


class MedalWon(Deed[State], frozen=True):
    """TRI-6.5: a player's general wins a medal in one domain."""

    domain: Title

    def apply(self, state: State) -> State:
        medals = state.players[self.player].medals
        medals = {**medals, self.domain: medals.get(self.domain, 0) + 1}
        return changed(state, "players", self.player, medals=medals)


class Proclaimed(Deed[State], frozen=True):
    """TRI-6.6: a player proclaims himself Emperor."""

    def apply(self, state: State) -> State:
        return replace(state, emperor=pieces.Emperor(self.player, state.phase.turn))


class EmperorFell(Deed[State], frozen=True):
    """TRI-6.6: an Emperor has no units left in Rome."""

    def apply(self, state: State) -> State:
        fell = "" if state.rules < 3 else self.player
        return replace(state.with_done(fell=fell), emperor=pieces.Emperor())


class WentHome(FromTo, frozen=True):
    """TRI-6.5: units leave Italy for a province of their player; if there is none (`end` empty) they go to the box."""

    troops: pieces.Troops

    def apply(self, state: State) -> State:
        state = state.with_units(self.start, self.player, -state.units(self.start, self.player))
        return state.with_units(self.end, self.player, self.troops) if self.end else state


# -- titles, and the end ---------------------------------------------------------------------------------------------


class TaxesBid(players.BidMade, frozen=True):
    """TRI-8.1: a player bids taxes for each domain, in secret."""

    bid: Secret[Mapping[str, int]]


class BidShown(players.BidShown, frozen=True):
    """TRI-8.1: a bid is shown; another event pays for it."""

    bid: Mapping[str, int]


class TitleAwarded(Deed[State], frozen=True):
    """TRI-8.1: the highest sum takes a title from its holder, or keeps it; `tied`: others have as many points."""

    title: Title
    sums: Mapping[Player, int]
    before: Player
    tied: bool = False

    def apply(self, state: State) -> State:
        return replace(state, titles={**state.titles, self.title: self.player})


class Ended(Event[State], frozen=True):
    """TRI-9: the match is over: who has won, and by which rule; nobody, if all have lost."""

    ends: ClassVar[bool] = True
    winners: tuple[Player, ...]
    points: int = 0

    def apply(self, state: State) -> State:
        return replace(state, result=pieces.Result(self.winners, self.rule))
