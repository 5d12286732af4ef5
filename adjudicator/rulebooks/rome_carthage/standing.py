"""Standing instructions: defences that answer a fight at once, a spy's cards, and agreeing to a draw."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from adjudicator.engine.table import FieldReader, InForce, Instruction, Player, Setting, warn_of_player
from adjudicator.engine.table.domain import Domain, Many, OneOf
from adjudicator.engine.table.table import When, struct_from
from adjudicator.rulebooks.rome_carthage.board import BOARD, CARDS, STATE_OF, STATES, City

# The types of fields, here and in orders.
PIECE = OneOf(tuple(STATE_OF))
CITY = OneOf(tuple(BOARD.cities))
PLAYER = OneOf(STATES)
KIND = OneOf(("elephant", "cavalry", "infantry", "ship"))
CARD = OneOf(CARDS)
WORDS = ("highest", "second", "lowest", "zero")
CARD_OR_WORD = OneOf((*WORDS, *CARDS))
ROLE = OneOf(("defend", "attack"))
SPY = OneOf(("keep", "behind", "declare"))
HAND = Many(CARD, least=1, most=2, distinct=True)
TIES = Many(CARD, most=20)
WISH = Many(CARD_OR_WORD, least=1, most=2)
TIE_WISH = Many(CARD_OR_WORD, most=20)


class Defence(Struct, frozen=True, omit_defaults=True, rename={"with_": "with", "from_": "from"}):
    """ROM-3.1: cards for a fight, by name or by word; a key that an entry leaves out fits everything."""

    cards: tuple[str, ...]
    with_: str = ""
    at: City = ""
    from_: Player = ""
    against: str = ""
    role: str = ""
    ties: tuple[str, ...] = ()
    spy: str = "keep"


class Standing(InForce, frozen=True, kw_only=True):
    """All standing instructions of a player; the first defence that fits counts."""

    defence: tuple[Defence, ...] = ()
    draw: str = ""
    spy: str = ""


WHICH: Mapping[str, Domain[str]] = {"with": PIECE, "at": CITY, "from": PLAYER, "against": KIND, "role": ROLE}
"""The fields that say which fights an entry is for."""
DEFENCE: Mapping[str, Domain[Any]] = {**WHICH, "cards": WISH, "ties": TIE_WISH, "spy": SPY}


def defence(entry: FieldReader, state: Any, me: Player) -> Defence:
    """ROM-3.1: reads an entry: `{with: rome-elephant, at: roma, against: ship, cards: [lowest, zero], spy: behind}`."""
    found = struct_from(entry, Defence, DEFENCE, "ROM-3.1", ties="ROM-3.4", spy="ROM-3.7")
    warn_of_defence(entry, found, state, me)
    return found


def warn_of_defence(entry: FieldReader, found: Defence, state: Any, me: Player) -> None:
    """ROM-3.1: warns of cards that aren't in the hand now,
    of a piece that can't be in such a fight, of an enemy who isn't one."""
    hand = state.players[me].hand
    for field, wishes in (("cards", found.cards), ("ties", found.ties)):
        for index, wish in enumerate(wishes):
            if wish not in WORDS and all(card.value != wish for card in hand):
                entry.warn("ROM-3.1", "not-held-now", field, index, value=wish)
    if found.with_ and STATE_OF[found.with_] not in state.players[me].states:
        entry.warn("ROM-3.1", "piece-of-another", "with", value=found.with_)
    if found.from_:
        friends = next((alliance for alliance in state.alliances if me in alliance), ())
        warn_of_player(entry, found.from_, "from", state=state, me=me, rule="ROM-3.1", but=friends)


STANDING: Mapping[str, Instruction[Any] | Setting] = {
    "defence": Instruction(defence, DEFENCE, "ROM-3.1", dict.fromkeys(WHICH, When.ALL)),
    "draw": Setting(OneOf(("agree", "no")), "ROM-5.3"),
    "spy": Setting(OneOf(("ask", "cheapest")), "ROM-3.7", spares={"cheapest": "spy"}),
}
