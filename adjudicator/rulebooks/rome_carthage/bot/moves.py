"""Placing, moving, and the special cards: towards what is worth reaching, into fights that are likely to be won."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import partial
from operator import attrgetter
from typing import Any

from msgspec import Struct

from adjudicator.engine.table.domain import Chance
from adjudicator.rulebooks.rome_carthage import board
from adjudicator.rulebooks.rome_carthage.bot import odds
from adjudicator.rulebooks.rome_carthage.bot.outlook import FAR, Outlook, distances
from adjudicator.rulebooks.rome_carthage.movement import MARCH, ends, reach, ways

BOTHER = 0.3
"""The least that a move must gain."""
WHIM = 0.25
"""At most so much is added to a move's worth by chance, so that the bot doesn't always choose alike."""
WHIMS = 100
"""The number of different additions between 0 and that."""
PATIENCE = 2
"""The quiet rounds after which garrisons go to war if nobody else is left."""


VALUE = attrgetter("value")


class Step(Struct, frozen=True):
    """One piece's move: its route, its value, whether it needs a march, and the cards if it leads to a fight."""

    piece: board.Piece
    way: tuple[board.City, ...]
    value: float
    far: bool = False
    fight: odds.Verdict | None = None


class Plan(Struct, frozen=True):
    """The moves of a turn, and the cards that pay for a march if they need one."""

    steps: tuple[Step, ...] = ()
    value: float = 0.0
    march: tuple[board.Card, ...] = ()


def best_plan(outlook: Outlook, chance: Chance) -> Plan:
    """ROM-1.3: the best moves of a turn; none if no move is worth it."""
    toll = payment(outlook.hand)
    steps = candidates(outlook, movable(outlook), toll)
    ordinary = [step for step in steps if not step.far]
    foot = [step for step in ordinary if outlook.mine[step.piece].kind == "infantry"]
    firsts = dict.fromkeys(pick_step(among, chance) for among in (ordinary, foot) if among)
    plans = [Plan((step,), step.value) for step in (*firsts, *best(ordinary))]
    for first in firsts:
        plans += plans_with_second_move(outlook, first, toll)
    price = outlook.thrift * sum(map(odds.cost, toll))
    plans += [Plan((step,), step.value - price, toll) for step in best([step for step in steps if step.far])]
    plan = max(plans, key=VALUE, default=Plan())
    return plan if plan.value > BOTHER else Plan()


def best(steps: Sequence[Step]) -> list[Step]:
    """The most valuable step, if there is any."""
    return [max(steps, key=VALUE)] if steps else []


def pick_step(steps: list[Step], chance: Chance) -> Step:
    """One of the most valuable steps: a whim decides between those that are nearly as good as the best."""
    (most,) = best(steps)
    near = [step for step in steps if step.value > most.value - WHIM]
    return max(near, key=lambda step: step.value + chance(WHIMS) * WHIM / WHIMS)


def plans_with_second_move(outlook: Outlook, first: Step, toll: tuple[board.Card, ...]) -> list[Plan]:
    """ROM-1.3, ROM-2.5: plans with a second move: of a second infantry, or by a march of another piece."""
    cards = cards_of(first)
    foot = [name for name, unit in outlook.mine.items() if unit.kind == "infantry"]
    others = [name for name in foot if name != first.piece] if first.piece in foot else []
    marching = toll and set(cards).isdisjoint(toll)
    if not others and not marching:
        return []
    then = outlook.after(first.piece, first.way[-1], cards)
    able = movable(then)
    follow = best(candidates(then, [name for name in able if name in others]))
    found = [Plan((first, step), first.value + step.value) for step in follow if step.value > BOTHER]
    if marching:
        price = outlook.thrift * sum(map(odds.cost, toll))
        rest = [name for name in able if name not in (first.piece, *others)]
        follow = best(candidates(then.without(toll), rest))
        found += [Plan((first, step), first.value + step.value - price, toll) for step in follow]
    return found


def candidates(
    outlook: Outlook, pieces: Iterable[board.Piece], toll: tuple[board.Card, ...] = ()
) -> list[Step]:
    """Every move of one of the pieces, with its value: what the piece gains by its new place, or the value of the fight
    there; with cards for the `toll` also those of a forced march."""
    found: list[Step] = []
    left, barred, enemies = outlook.without(toll) if toll else outlook, outlook.barred, outlook.enemies
    for name in pieces:
        unit, places = outlook.mine[name], outlook.places(name)
        here, simple = places[unit.at], reach(unit)
        for city, way in outlook.paths[unit, 2 if toll else 1].items():
            if city in barred:
                continue
            far, gain = len(way) > simple, places[city] - here
            if city in enemies:
                verdict = (left if far else outlook).verdict(name, enemies[city], city, max(0.0, gain))
                found.append(Step(name, way, verdict.value, far, verdict))
            else:
                found.append(Step(name, way, gain, far))
    return found


def movable(outlook: Outlook) -> list[board.Piece]:
    """The pieces to move: no land pieces on islands, which can't (ROM-2.4), and no garrisons, unless few are left on
    the board, or the player has nothing else to move while nothing happens in the match."""
    able = [name for name, unit in outlook.mine.items() if can_use(unit.kind, unit.at)]
    mobile = [name for name in able if outlook.mine[name].at not in outlook.garrisoned]
    idle = not mobile and outlook.view.quiet_rounds >= PATIENCE
    return able if outlook.endgame or idle else mobile


def payment(hand: tuple[board.Card, ...]) -> tuple[board.Card, ...]:
    """ROM-2.5: the cheapest cards that pay a forced march."""
    ranked = sorted((card for card in hand if board.worth(card)), key=board.worth)
    single = [card for card in ranked if board.worth(card) >= MARCH]
    small = [card for card in ranked if board.worth(card) < MARCH]
    ways = [tuple(single[:1]), tuple(small[:2])]
    paid = [way for way in ways if sum(map(board.worth, way)) >= MARCH]
    return min(paid, key=lambda way: sum(map(odds.cost, way)), default=())


def orders(outlook: Outlook, plan: Plan) -> list[dict[str, Any]]:
    """The orders of a plan: the payment, the moves, the cards of each fight."""
    found: list[dict[str, Any]] = []
    if plan.march:
        found.append({"march": list(plan.march)})
    found += [{"move": step.piece, "via": list(step.way)} for step in plan.steps]
    fought = [step for step in plan.steps if step.fight]
    spoken = {card for step in fought for card in cards_of(step)} | set(plan.march)
    for step in fought:
        order: dict[str, Any] = {"fight": step.way[-1], "cards": list(cards_of(step))}
        if step.fight and step.fight.spy != "keep":
            order["spy"] = step.fight.spy
        ties = cards_for_ties(outlook.hand, spoken)
        if ties:
            order["ties"] = ties
            spoken |= {card for card in ties if board.worth(card)}
        found.append(order)
    return found


def cards_of(step: Step) -> tuple[board.Card, ...]:
    """The cards chosen for the step's fight."""
    return step.fight.cards if step.fight else ()


def cards_for_ties(hand: tuple[board.Card, ...], spoken: Collection[board.Card]) -> list[board.Card]:
    """ROM-3.4: cards in advance, so that a tie needs no mail: the highest that are left, then a zero twice."""
    left = [card for card in hand if board.worth(card) and card not in spoken]
    left.sort(key=board.worth, reverse=True)
    zeros = [card for card in hand if not board.worth(card)]
    return [*left[:2], *zeros[:1], *zeros[:1]]


WORTH = 6.0
"""The least gain of a turn with the betrayal over one without."""

Orders = list[dict[str, Any]]


def sedition(outlook: Outlook) -> tuple[Orders, Outlook]:
    """ROM-4.2: orders that free an occupied capital, and the outlook afterwards."""
    occupied = [city for city in outlook.home if city in outlook.enemies]
    if "sedition" not in outlook.view.players[outlook.me].special or not occupied:
        return [], outlook
    without = outlook.view.without_piece(outlook.enemies[occupied[0]])
    return [{"sedition": occupied[0]}], outlook.on(without)


def betrayal(outlook: Outlook, chance: Chance) -> tuple[Orders, Outlook, Plan]:
    """ROM-4.1: leads an enemy garrison out of a capital that the player's own piece can enter in the same turn."""
    usual = best_plan(outlook, chance)
    if "betrayal" in outlook.view.players[outlook.me].special:
        value, city = max((entry(outlook, city), city) for city in (*outlook.theirs, *outlook.ours))
        way = exit_from(outlook, city) if value > WORTH else ()
        if way:
            garrison = outlook.enemies[city]
            then = outlook.on(outlook.view.with_piece_moved(garrison, way[-1]))
            plan = best_plan(then, chance)
            if plan.value > usual.value + WORTH and any(step.way[-1] == city for step in plan.steps):
                return [{"betray": garrison, "via": list(way)}], then, plan
    return [], outlook, usual


def entry(outlook: Outlook, city: board.City) -> float:
    """The most that a piece of the player's gains by entering a city when its enemy garrison has gone."""
    mine = pieces_in_reach(outlook, city) if city in outlook.enemies else []
    places = {name: outlook.places(name) for name in mine}
    return max((places[name][city] - places[name][outlook.mine[name].at] for name in mine), default=0.0)


def exit_from(outlook: Outlook, city: board.City) -> tuple[board.City, ...]:
    """The way on which an enemy garrison is led out of a city, as far as it can go; none if it can't leave."""
    unit = outlook.view.pieces[outlook.enemies[city]]
    reached = ends(unit, reach(unit), ways(outlook.view, unit), outlook.friends, outlook.enemies)
    return max((way for city, way in reached.items() if city not in outlook.friends), key=len, default=())


def pieces_in_reach(outlook: Outlook, city: board.City) -> list[board.Piece]:
    """The player's pieces that could enter the city in this turn, at most by a forced march."""
    if city in outlook.barred:
        return []
    return [name for name in movable(outlook) if city in outlook.paths[outlook.mine[name], 2]]


GARRISONS = ("elephant", "infantry-1", "infantry-1")
FORWARD = ("cavalry", "ship-1", "infantry-2", "infantry-3", "infantry-1", "elephant", "ship-2")


def placement(outlook: Outlook, chance: Chance) -> list[dict[str, Any]]:
    """ROM-0.6: the placement of all pieces of the player's states."""
    states = outlook.view.players[outlook.me].states
    return [order for state in states for order in placement_of_state(outlook, state, chance)]


def placement_of_state(outlook: Outlook, state: board.StateName, chance: Chance) -> list[dict[str, Any]]:
    """The seven pieces of one state: a land piece in the capital, an infantry or ship beside it,
    the others far forward."""
    garrison = GARRISONS[chance(len(GARRISONS))]
    at: dict[str, board.City] = {garrison: board.CAPITALS[state]}
    towns = [city for city, town in board.BOARD.cities.items() if town.state == state]

    def distance(kind: str, city: board.City) -> tuple[int, board.City]:
        straits = outlook.view.options.straits
        return min(distances(kind, straits, goal).get(city, FAR) for goal in outlook.theirs), city

    for name in FORWARD:
        if name not in at:
            kind = board.KINDS[name]
            free = [city for city in towns if can_use(kind, city) and city not in at.values()]
            at[name] = sorted(free, key=partial(distance, kind))[chance(2)]
    return [{"place": f"{state}-{name}", "at": at[name]} for name in board.KINDS]


def can_use(kind: str, city: board.City) -> bool:
    """Can a piece of the kind be there, and move from there (ROM-2.4)?"""
    return board.BOARD.cities[city].port if kind == "ship" else not board.BOARD.cities[city].island
