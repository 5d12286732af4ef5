"""The game's own bot, which makes war sensibly: a file for each kind of decision.

Here are cards for a fight that waits: as attacker or defender, as a spy, in a tie; and standing defences, so that a
fight needs no mail: the best for capitals, varied ones for the other pieces.
"""

from __future__ import annotations

from typing import Any

from adjudicator.engine.table import Player
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.secret import plain_of
from adjudicator.rulebooks.rome_carthage.board import Piece, worth
from adjudicator.rulebooks.rome_carthage.bot import moves, odds
from adjudicator.rulebooks.rome_carthage.bot.moves import cards_for_ties
from adjudicator.rulebooks.rome_carthage.bot.outlook import Outlook
from adjudicator.rulebooks.rome_carthage.choosing import counts_twice, points
from adjudicator.rulebooks.rome_carthage.state import Fight, State


def general(view: State, me: Player, chance: Chance) -> dict[str, Any]:
    """The sheet for the open phase: its `orders` and, if they change, `standing` instructions.

    It depends only on the player's own view and on `chance(below)`, a whole number under `below`.
    """
    outlook = Outlook(view, me)
    sheet: dict[str, Any] = {"orders": orders(outlook, chance)}
    if view.phase.name in ("placement", "turn"):
        entries = defences(outlook, chance)
        if entries != plain_of(view.players[me].standing.value).get("defence", []):
            sheet["standing"] = {"defence": entries}
    return sheet


def orders(outlook: Outlook, chance: Chance) -> list[dict[str, Any]]:
    """The orders for the open phase."""
    match outlook.view.phase.name:
        case "placement":
            return moves.placement(outlook, chance)
        case "turn":
            return turn(outlook, chance)
        case "moves":
            return turn(outlook, chance, betray=False)
        case "fight":
            return fight(outlook)
        case "spy":
            return spy(outlook)
        case "tie":
            return tie(outlook)
    return []


def turn(outlook: Outlook, chance: Chance, *, betray: bool = True) -> list[dict[str, Any]]:
    """ROM-1: special cards if they are good, then the moves and the cards for their fights; else a pass."""
    freed, then = moves.sedition(outlook)
    if betray:
        betrayed, then, plan = moves.betrayal(then, chance)
    else:
        betrayed, plan = [], moves.best_plan(then, chance)
    found = moves.orders(then, plan)
    return [*freed, *betrayed, *(found or [{"pass": True}])]


Orders = list[dict[str, Any]]


def sides(outlook: Outlook, fight: Fight) -> tuple[Piece, Piece]:
    """The player's piece and the enemy's in a fight."""
    mine = outlook.owner(fight.attacker) == outlook.me
    return (fight.attacker, fight.defender) if mine else (fight.defender, fight.attacker)


def fight(outlook: Outlook) -> Orders:
    """ROM-3.1: the cards that promise most."""
    pending = outlook.view.fights[0]
    own, enemy = sides(outlook, pending)
    verdict = outlook.verdict(own, enemy, pending.city, outlook.stake(pending.city))
    order: dict[str, Any] = {"fight": pending.city, "cards": list(verdict.cards), "spy": verdict.spy}
    ties = cards_for_ties(outlook.hand, verdict.cards)
    return [{**order, "ties": ties} if ties else order]


def spy(outlook: Outlook) -> Orders:
    """ROM-3.7: the cheapest cards that beat what the enemy has shown; if none do, nothing is spent."""
    pending = outlook.view.fights[0]
    own, enemy = sides(outlook, pending)
    kind, against = outlook.view.pieces[own].kind, outlook.view.pieces[enemy].kind
    shown = pending.shown[outlook.owner(enemy)]
    total = points([worth(card) for card in shown], counts_twice(against, kind))
    most = outlook.view.limit(outlook.me, pending)
    choices = odds.choices(outlook.hand, most, counts_twice(kind, against))
    good = [choice for choice in choices if choice.total > total]
    even = [choice for choice in choices if choice.total == total and outlook.stake(pending.city)]
    return [{"spy": pending.city, "cards": list((*good, *even, choices[0])[0].cards)}]


def tie(outlook: Outlook) -> Orders:
    """ROM-3.4: the one card that promises most."""
    pending = outlook.view.fights[0]
    own, enemy = sides(outlook, pending)
    kind, against = outlook.view.pieces[own].kind, outlook.view.pieces[enemy].kind
    elephants = outlook.view.options.tie_doubling
    choices = odds.choices(outlook.hand, 1, counts_twice(kind, against, elephants=elephants))
    theirs = counts_twice(against, kind, elephants=elephants)
    likely = outlook.rivals.likely[outlook.owner(enemy), 1, theirs, True]
    stake = outlook.stake(pending.city)
    win = outlook.boldness * (outlook.lives[enemy] + stake)
    duel = odds.duel_of(outlook.hand, choices, likely)
    verdict = odds.best(duel, win, outlook.lives[own] + stake, outlook.thrift)
    return [{"tie": pending.city, "card": verdict.cards[0]}]


TIES = ["highest", "highest", "lowest", "zero", "zero"]
BAIT = 4
"""A capital is defended by a spy in one of so many instructions, if the hand allows it: often enough to be feared."""
WAYS = (
    (2, (["zero", "zero"], ["lowest", "zero"])),
    (4, (["lowest", "zero"], ["highest", "zero"], ["zero", "zero"])),
    (6, (["second", "lowest"], ["lowest", "zero"], ["highest", "zero"], ["second", "zero"])),
    (52, (["highest", "second"], ["second", "lowest"], ["highest", "zero"], ["second", "zero"])),
)
"""Ways to defend a piece outside the capitals, for hands with up to so many cards above zero;
chance picks one of the row."""


def defences(outlook: Outlook, chance: Chance) -> list[dict[str, Any]]:
    """ROM-3.1: an entry for each capital, one for each of the other pieces, and one for all the rest."""
    dear = [*outlook.home, *(city for city in outlook.theirs)]
    found: list[dict[str, Any]] = [{"at": city, **defence_of_capital(outlook, chance)} for city in dear]
    count = sum(1 for card in outlook.hand if worth(card))
    ways = next(ways for most, ways in WAYS if count <= most)
    for name in outlook.mine:
        found.append({"with": name, "cards": ways[chance(len(ways))], "ties": TIES, "spy": "behind"})
    return [*found, {"cards": ["highest", "lowest"], "ties": TIES, "spy": "behind"}]


def defence_of_capital(outlook: Outlook, chance: Chance) -> dict[str, Any]:
    """The best cards for a capital; now and then a two that declares a spy (ROM-3.7)."""
    bait = odds.bait_in(outlook.hand, outlook.limits[outlook.me])
    if bait and chance(BAIT) == 0:
        return {"cards": list(bait), "ties": TIES, "spy": "declare"}
    return {"cards": ["highest", "second"], "ties": TIES}
