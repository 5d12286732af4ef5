"""Promise 11, the other way round: what a page offers for a list of preferences can make a difference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from adjudicator.contract.order_search import find_order
from adjudicator.contract.sending import carry_out_phase
from adjudicator.engine.bots import random_bot, sheet_of
from adjudicator.engine.play.choices import Choices, choices_now
from adjudicator.engine.play.nodes import OPEN
from adjudicator.engine.play.view import position_for
from adjudicator.engine.table.domain import Chance, Schema
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.secret import plain_of
from adjudicator.engine.table.table import Verb

TRIES, FEW = 3000, 100
"""How many guesses at what is hidden are tried, each with random orders of the others, before an offered value is said
to do nothing; and how many before it is clear that the player has no choice, such as whoever takes the last card."""


def offered_in_vain(rulebook: Rulebook[Any], state: Any, me: Player, chance: Chance) -> Iterator[str]:
    """Values of a list of preferences that the page offers, and that never change what comes of the list, whatever is
    hidden and whatever the others do."""
    view, phase = position_for(rulebook, state, me), rulebook.phase(state.phase.name)
    choices = choices_now(phase, view, me)
    for name, verb in phase.verbs.items():
        every = ranked_in(choices, name, verb)
        for value in never_different(rulebook, view, me, Ranked(name, verb, every), chance):
            yield f"{state.phase} {me}: {name} offers {value} in {verb.ranks}, and it makes no difference"


class Ranked(Struct, frozen=True):
    """A verb with a list of preferences, and every value offered for it."""

    name: str
    verb: Verb[Any]
    every: Sequence[Any]


def never_different(
    rulebook: Rulebook[Any], view: Any, me: Player, ranked: Ranked, chance: Chance
) -> Sequence[Any]:
    """The values that never made a difference, though some did."""
    left = ranked.every
    for turn in range(TRIES):
        differing = set_apart(rulebook, view, me, ranked, left, chance)
        left = [value for value in left if value not in differing]
        if not left or (turn == FEW and len(left) == len(ranked.every)):
            return ()
    return left


def ranked_in(choices: Choices, name: str, verb: Verb[Any]) -> list[Any]:
    """The values offered for an entry of the verb's list of preferences; none if it isn't offered a list."""
    at = [choices.verbs[name]] if verb.ranks and name in choices.verbs else []
    while at:
        node = choices.nodes[at.pop()]
        if node["field"] == verb.ranks:
            return [*entries(node["schema"].get("items", {}))] if "schema" in node else []
        following = [node["then"], node.get("skip", OPEN)]
        at += [each for each in following if isinstance(each, int) and each > OPEN]
    return []


def entries(schema: Schema) -> Iterator[Any]:
    """Every value that a schema lists: names, and mappings of one name."""
    for each in schema.get("anyOf", [schema]):
        yield from each.get("enum", ())
        for name, of in each.get("properties", {}).items():
            yield from ({name: value} for value in of.get("enum", ()))


def set_apart(
    rulebook: Rulebook[Any], view: Any, me: Player, ranked: Ranked, values: Sequence[Any], chance: Chance
) -> list[Any]:
    """Which values, each before another one, bring about something else than the other alone, in one guess at what is
    hidden, with an order and sheets of the others by chance?"""
    order = find_order(ranked.name, ranked.verb.rule, view, me, chance)
    if order is None or len(ranked.every) < 2:
        return []
    guess, bot = rulebook.guess(view, me, chance), random_bot(rulebook)
    sheets = {each: sheet_of(each, bot(guess, each, chance)) for each in guess.phase.due}

    def outcome(*values: Any) -> Any:
        mine = sheet_of(me, {"orders": [{**order, ranked.verb.ranks: [*values]}]})
        return plain_of(carry_out_phase(rulebook, guess, {**sheets, me: mine}, "in vain", chance).state)

    second = ranked.every[chance(len(ranked.every))]
    alone = outcome(second)
    return [value for value in values if value != second and outcome(value, second) != alone]
