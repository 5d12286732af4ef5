"""What must be true of every position: no more cards, taxes,
pieces and barbarians than the box has, and a possible board."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import astuple

from adjudicator.engine.table import Flaws, first_of, flaw
from adjudicator.engine.table.checks import at_most, names_everybody, one_of
from adjudicator.engine.table.remembered import remembered_while
from adjudicator.rulebooks.triumvirat import board
from adjudicator.rulebooks.triumvirat.board import BOARD, BOX, ISSUED, ITALY, LANDS, SITES, TAX, TITLES
from adjudicator.rulebooks.triumvirat.state import OWN, SHARED, State, counted


@first_of
def cards_are_whole(state: State) -> Flaws:
    """TRI-0.5: hands, offers and kept taxes hold no more cards of a kind than the box has; no number is below 0."""
    hands = {("players", player, "cards"): seat.cards for player, seat in state.players.items()}
    offers = {("offers", player): cards for player, cards in state.offers.items()}
    for where, cards in (*hands.items(), *offers.items()):
        for at, card in enumerate(cards):
            if card.known:
                yield one_of(card.value, BOX, (*where, at), "TRI-0.5", "no-such-card")
    for player, seat in state.players.items():
        purse = ("players", player, "taxes")
        yield seat.taxes < 0 and flaw(purse, "TRI-0.5", "below-nothing", value=seat.taxes)
    taxes = Counter({TAX: sum(seat.taxes for seat in state.players.values())})
    for kind, number in sum(map(counted, (*hands.values(), *offers.values())), taxes).items():
        yield at_most(number, BOX[kind], ("players",), "TRI-0.5", "too-many-cards", card=kind)


@first_of
def decks_are_whole(state: State) -> Flaws:
    """TRI-0.4: no card occurs more often than the box has it, counting the deck of 21, the cards on offer, before
    players, at work and used; likewise the eight barbarian cards, counting their deck and its discard."""
    bought = (each for seat in state.players.values() for each in seat.senators)
    lying = (*state.used, *state.events, *state.on_offer, *bought)
    eight = dict.fromkeys(board.BARBARIAN_CARDS, 1)
    piles = {"deck": (lying, ISSUED), "barbarian_deck": (state.barbarian_out, eight)}
    for deck, (shown, issued) in piles.items():
        for card, number in (Counter(shown) + counted(getattr(state, deck))).items():
            yield at_most(number, issued.get(card, 0), (deck,), "TRI-0.4", "not-so-often", card=card)


@remembered_while("provinces")
@first_of
def board_is_whole(state: State) -> Flaws:
    """TRI-0.3: every province is there; Italy's have their sites and no player's pieces. TRI-0.5:
    no more pieces of a kind than the box has."""
    for name in sorted(LANDS.keys() ^ state.provinces.keys()):
        yield flaw(("provinces",), "TRI-0.3", "provinces", value=name)
    for name in ITALY:
        here, at, sites = state.provinces[name], ("provinces", name), list(SITES[name])
        yield sorted(here.sites) != sorted(sites) and flaw((*at, "sites"), "TRI-0.3", "sites", value=sites)
        yield bool(here.owner or here.barbarians.count) and flaw(at, "TRI-0.3", "never-owned", value=name)
    shared = [(piece, "") for piece in SHARED]
    own = [(piece, player) for player in board.SEATS for piece in OWN]
    for piece, player in (*shared, *own):
        count, most = state.in_use(piece, player), BOARD.pieces[piece]
        yield at_most(count, most, ("provinces",), "TRI-0.5", "too-many-pieces", piece=piece)


@remembered_while("provinces")
@first_of
def provinces_are_whole(state: State) -> Flaws:
    """TRI-0.1, TRI-0.5, TRI-4.3, TRI-6.1: pieces stand under a player's influence,
    each on its printed place; no number is below 0."""
    for name, here in state.occupied().items():
        land, at, owner = LANDS.get(name), ("provinces", name), here.owner
        if not land:
            continue  # the check for TRI-0.3 finds provinces that don't exist
        yield one_of(owner, (None, *board.SEATS), (*at, "owner"), "TRI-0.1", "no-such-player")
        built = (*here.caravans, *here.markets)
        pieces = built or here.city or here.temple or here.legions or here.veterans
        yield bool(pieces and not owner) and flaw(at, "TRI-4.3", "nobodys-pieces", province=name)
        wrong = (here.city and not land.city) or (here.temple and not here.city)
        yield wrong and flaw(at, "TRI-4.3", "city-or-temple", province=name)
        doubled = len({*built} & {*land.resources}) < len(built)
        yield doubled and flaw(at, "TRI-4.3", "caravans", value=list(built))
        tallies = (here.barbarians, *here.troops.values())
        least = min(here.legions, here.veterans, *(count for each in tallies for count in astuple(each)))
        yield least < 0 and flaw(at, "TRI-0.5", "below-nothing", value=least)
        for player in here.troops:
            away = player in board.SEATS and not owner
            yield not away and flaw((*at, "troops"), "TRI-6.1", "no-troops-there", value=player)


@first_of
def titles_are_whole(state: State) -> Flaws:
    """TRI-0.1: the seats name everybody once, and each title has a player. TRI-6.5, TRI-0.5: medals are in known
    domains, no more than the box has. TRI-0.4: senators are known. TRI-6.6: the Emperor is a player."""
    if seats := names_everybody(state, state.seats, ("seats",), "TRI-0.1", "seats"):
        yield seats
    for holder in (state.titles.get(title, "nobody") for title in TITLES):
        yield one_of(holder, state.players, ("titles",), "TRI-0.1", "no-such-player")
    most = BOARD.pieces["medal"]
    yield at_most(state.medals(), most, ("provinces",), "TRI-0.5", "too-many-pieces", piece="medal")
    for player, seat in state.players.items():
        strange = any(domain not in TITLES or count < 0 for domain, count in seat.medals.items())
        medals, senators = (("players", player, field) for field in ("medals", "senators"))
        yield strange and flaw(medals, "TRI-6.5", "no-such-domain", value=list(seat.medals))
        for each in seat.senators:
            yield one_of(each, BOARD.senators, senators, "TRI-0.4", "no-such-senator")
    yield one_of(state.emperor.player, ("", *state.players), ("emperor",), "TRI-6.6", "no-such-player")


INVARIANTS = (board_is_whole, cards_are_whole, decks_are_whole, provinces_are_whole, titles_are_whole)
