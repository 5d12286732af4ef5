"""What must be true of every position; what is left of what the orders of a phase share, and a guess of what is
hidden."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from msgspec.structs import asdict, astuple, replace

from adjudicator.engine.table import Flaws, Limits, Player, first_of, flaw
from adjudicator.engine.table.boxes import Box, UnseenCards, with_values_where_hidden, without_standing
from adjudicator.engine.table.domain import Chance, Limit
from adjudicator.engine.table.event import at_most, names_everybody, one_of
from adjudicator.engine.table.remembered import remembered_while
from adjudicator.rulebooks.triumvirat import board, pieces
from adjudicator.rulebooks.triumvirat.board import BOARD, BOX, CARDS, ISSUED, ITALY, LANDS, SITES, TAX, TITLES
from adjudicator.rulebooks.triumvirat.building import KIND, TAXES, senator_price, worth
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


def cards_of_box(box: Mapping[str, int]) -> tuple[str, ...]:
    """The cards of a box, each as often as the box has it."""
    return tuple(card for card, count in box.items() for _ in range(count))


HELD, DECK = cards_of_box(BOX), cards_of_box(ISSUED)


def boxes(state: State) -> tuple[Box, ...]:
    """TRI-0.4, TRI-0.6: the cards in hands and on offer, the deck, and the barbarian deck."""
    kept = [TAX] * sum(seat.taxes for seat in state.players.values())
    bought = [name for seat in state.players.values() for name in seat.senators]
    shown = (*state.used, *state.events, *state.on_offer, *bought)
    return (
        Box(HELD, kept, hands=(("players", "*", "cards"), ("offers", "*"))),
        Box(DECK, shown, piles=(("deck",),)),
        Box(board.BARBARIAN_CARDS, state.barbarian_out, piles=(("barbarian_deck",),)),
    )


def guess(view: State, me: Player, chance: Chance) -> State:
    """TRI-0.4, TRI-0.6: hidden cards are any that aren't seen; nobody has wished or bid."""
    cards, issued, eight = (UnseenCards.of(box, view, chance) for box in boxes(view))
    players = {name: replace(seat, cards=cards.fill(seat.cards)) for name, seat in view.players.items()}
    state = replace(
        view,
        players=players,
        offers={name: cards.fill(offer) for name, offer in view.offers.items()},
        deck=issued.fill(view.deck),
        barbarian_deck=eight.fill(view.barbarian_deck),
        wishes=with_values_where_hidden(view.wishes, lambda player: ()),
        bids=with_values_where_hidden(view.bids, lambda player: {}),
    )
    return without_standing(state, pieces.Standing)


BY_RESOURCE = ("caravan", "market")
"""TRI-4.3: what is built once for each printed resource, not once in a province."""


def pieces_left(state: State, player: Player) -> Limits:
    """TRI-0.5, TRI-4.3: what the box has left, and how much of a kind a province takes."""
    found = {
        "influence": Limit(state.left("influence", player), "TRI-0.5", "box-left"),
        "legions": Limit(state.left("legion", player), "TRI-0.5", "no-legions-left"),
    }
    for piece in KIND.among:
        found[f"box {piece}"] = Limit(state.left(piece), "TRI-0.5", "none-left", {"piece": piece})
    for name in state.owned(player):
        for kind in BY_RESOURCE:
            count = len(LANDS[name].resources)
            found[f"site {kind} {name}"] = Limit(count, "TRI-4.3", "sites-taken", {"province": name})
    return found


def start(state: State, player: Player) -> Limits:
    """TRI-0.2: the points of a free start."""
    left = BOARD.numbers["worth"] - worth(state, player)
    return {"points": Limit(left, "TRI-0.2", "points-left"), **pieces_left(state, player)}


def hand(state: State, player: Player) -> Limits:
    """TRI-3.1, TRI-4.1: the cards of the hand, and the taxes kept."""
    held = state.holding(player)
    return {f"hand {card}": Limit(held[card], "TRI-4.1", "cards-left", {"card": card}) for card in CARDS}


def building(state: State, player: Player) -> Limits:
    """TRI-4.1, TRI-4.4: the cards of the hand; how often the taxes pay for a senator."""
    cost, found = senator_price(state, player), dict(hand(state, player))
    for word in TAXES.among:
        found[f"hand {word}"] = Limit(state.purse(player) // max(1, cost), "TRI-4.4", "taxes-left")
    found["senator-price"] = Limit(1, "TRI-4.4", "senators-dearer")
    return {**found, **pieces_left(state, player)}


def taxes(state: State, player: Player) -> Limits:
    """TRI-5.3, TRI-8.1: the taxes in hand and kept; whether the player may still act, in live pacing by one order."""
    passed = player in state.done.passed
    found = {
        "taxes": Limit(state.purse(player), "TRI-8.1", "taxes-left"),
        "go": Limit(int(not passed), "TRI-5.3", "passed-already"),
    }
    return {**found, "one-go": Limit(1, "TRI-5.3", "one-go")} if state.options.pacing == "live" else found


def war(state: State, player: Player) -> Limits:
    """TRI-6.1: the units of each province that can still move, and the taxes for convoys."""
    found = {"taxes": Limit(state.purse(player), "TRI-6.1", "taxes-left")}
    for name in LANDS:
        for kind, count in asdict(state.unmoved(player, name)).items():
            if state.units(name, player).count:
                found[f"units {name} {kind}"] = Limit(count, "TRI-6.1", "not-so-many-units")
    return found
