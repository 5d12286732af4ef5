"""Cards for a fight that waits: as attacker or defender, as a spy, in a tie."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudicator.rulebooks.rome_carthage.board import worth
from adjudicator.rulebooks.rome_carthage.bot import odds
from adjudicator.rulebooks.rome_carthage.bot.moves import cards_for_ties
from adjudicator.rulebooks.rome_carthage.choosing import counts_twice, points
from adjudicator.rulebooks.rome_carthage.state import limit

if TYPE_CHECKING:
    from adjudicator.rulebooks.rome_carthage.board import Piece
    from adjudicator.rulebooks.rome_carthage.bot.outlook import Outlook
    from adjudicator.rulebooks.rome_carthage.state import Fight

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
    most = limit(outlook.view, outlook.me, pending)
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
