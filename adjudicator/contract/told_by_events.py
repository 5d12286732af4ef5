"""Promise 6, what happens: neither events nor the players who are due tell a reader what its view hides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from adjudicator.contract.secret_kinds import secrets_in
from adjudicator.contract.secrets import varied_where
from adjudicator.engine.bots.simulation import Step
from adjudicator.engine.play.inbox import Inbox
from adjudicator.engine.play.referee import advance
from adjudicator.engine.play.view import events_for, position_for
from adjudicator.engine.table.dice import SeededDice, seed_from
from adjudicator.engine.table.event import Event, Player
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.secret import Sees, Unknown, secret_fields


def worked_out(rulebook: Rulebook[Any], step: Step, to_remember: Sequence[str] = ()) -> Iterator[str]:
    """Secrets that the next view hides, and that a reader can work out: by playing the told events over the last view.

    `to_remember` are the kinds that players have seen and must remember themselves.
    """
    state = step.outcome.state
    for who in (None, *state.players):
        told = position_for(rulebook, step.before, who)
        try:
            for event in events_for(rulebook, state, step.outcome.events, who):
                told = event.apply(told)
        except Unknown:
            continue
        hidden = {
            each.words for each in secrets_in(position_for(rulebook, state, who)) if not each.held.known
        }
        found = {each.kind for each in secrets_in(told) if each.held.known and each.words in hidden}
        for kind in sorted(found - {*to_remember}):
            reader = who or "the public"
            yield f"{step.before.phase}: the events tell {reader} the secret {kind}, which the next view hides"


def told_plainly(rulebook: Rulebook[Any], step: Step, seed: str) -> Iterator[str]:
    """Events that tell a reader a hidden whole number in a field that isn't a secret. `seed` is that of the match.

    The phase is played again with all whole numbers one larger that are hidden from the reader before and after it.
    Where the same things happen, the reader must be told the same. This doesn't find what tells a hidden value of
    another kind, such as a card or a name, nor what shows only in that other things happen.
    """
    before, after = step.before, step.outcome.state
    for who in (None, *before.players):
        other = varied_where(before, seen_by(rulebook, step, who), (), one_more)
        if other == before:
            continue
        outcome = advance(
            rulebook, other, Inbox(step.sheets), SeededDice(seed_from(seed), seed, before.phase.number)
        )
        told = events_for(rulebook, after, step.outcome.events, who)
        otherwise = events_for(rulebook, outcome.state, outcome.events, who)
        if [type(event) for event in told] == [type(event) for event in otherwise]:
            fields = dict.fromkeys(chain.from_iterable(map(unlike, told, otherwise)))
            for field in fields:
                yield f"{before.phase}: {field} tells {who or 'the public'} a number that is hidden"


def seen_by(rulebook: Rulebook[Any], step: Step, who: Player | None) -> Sees:
    """Whether a reader sees the secret at a place of the position before a phase, then or after the phase."""
    sees, after = rulebook.sees(step.before, who), position_for(rulebook, step.outcome.state, who)
    shown = {each.words for each in secrets_in(after) if each.held.known}
    return lambda where: sees(where) or tuple(str(step).rstrip("_") for step in where) in shown


def unlike(one: Event[Any], other: Event[Any]) -> Iterator[str]:
    """The fields, not secret, in which two events of a kind differ; none if they make secrets public."""
    secret = secret_fields(type(one))
    for name in () if one.reveals else one.__struct_fields__:
        if name not in secret and getattr(one, name) != getattr(other, name):
            yield f"{type(one).__name__}.{name}"


def one_more(value: Any) -> Any:
    """A number and one; other values as they are."""
    return value + 1 if type(value) is int else value


def told_by_due(rulebook: Rulebook[Any], state: Any) -> Iterator[str]:
    """The seats of the open phase that are due, or aren't, because of a secret: everybody sees who is due."""
    phase, public = rulebook.phase(state.phase.name), position_for(rulebook, state, None)
    for player in phase.seats(state):
        try:
            known = phase.can(public, player) == phase.can(state, player)
        except Unknown:
            known = False
        if not known:
            yield f"{state.phase}: whether {player} is due tells what is hidden (`can`)"
