"""Promise 6, what happens: neither events nor the players who are due tell a reader what its view hides."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from msgspec import Struct

from adjudicator.contract.secret_kinds import secrets_in
from adjudicator.contract.secrets import varied_where
from adjudicator.engine.bots import Step
from adjudicator.engine.play.inbox import Inbox
from adjudicator.engine.play.referee import advance
from adjudicator.engine.play.view import events_for, position_for
from adjudicator.engine.table.dice import SeededDice, seed_from
from adjudicator.engine.table.event import Event, Player
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.secret import Secret, Sees, Unknown, Where, secret_fields


def deducible_secrets(rulebook: Rulebook[Any], step: Step, to_remember: Sequence[str] = ()) -> Iterator[str]:
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


def hidden_values_told(rulebook: Rulebook[Any], step: Step, seed: str) -> Iterator[str]:
    """Events that tell a reader something hidden in a field that isn't a secret. `seed` is that of the match.

    The phase is played again with other values in what is hidden from the reader before and after it: once with all
    whole numbers one larger, once with texts, such as cards, changed about among the places of their kind. Where the
    same things happen, the reader must be told the same numbers, and no text that only hidden places hold. This doesn't
    find what shows only in that other things happen.
    """
    before, after = step.before, step.outcome.state
    for who in (None, *before.players):
        sees, reader = sees_before_or_after(rulebook, step, who), who or "the public"
        told = events_for(rulebook, after, step.outcome.events, who)
        for field, _ in differing_fields(
            told,
            events_of_other_position(rulebook, step, seed, who, varied_where(before, sees, (), plus_one)),
        ):
            yield f"{before.phase}: {field} tells {reader} a number that is hidden"
        secret = texts_hidden(rulebook, step, who, told)
        otherwise = (
            events_of_other_position(rulebook, step, seed, who, with_moved_texts(before, sees))
            if secret
            else None
        )
        for field, value in differing_fields(told, otherwise):
            if not secret.isdisjoint(texts_in(value)):
                yield f"{before.phase}: {field} tells {reader} a text that is hidden"


def events_of_other_position(
    rulebook: Rulebook[Any], step: Step, seed: str, who: Player | None, other: Any
) -> Sequence[Event[Any]] | None:
    """What a reader is told if the phase begins in another position; None if that is the same position."""
    if other == step.before:
        return None
    dice = SeededDice(seed_from(seed), seed, step.before.phase.number)
    outcome = advance(rulebook, other, Inbox(step.sheets), dice)
    return events_for(rulebook, outcome.state, outcome.events, who)


def with_moved_texts(state: Any, sees: Sees) -> Any:
    """The position with the texts in hidden secrets moved on, each to the next place of its kind.

    Places are of one kind if their paths differ only in numbers and players.
    """
    found: defaultdict[Where, deque[str]] = defaultdict(deque)

    def collected(value: Any, where: Where) -> Any:
        if isinstance(value, str):
            found[kind_of(state, where)].append(value)
        return value

    def moved_on(value: Any, where: Where) -> Any:
        return found[kind_of(state, where)].popleft() if isinstance(value, str) else value

    varied_where(state, sees, (), collected)
    for texts in found.values():
        texts.rotate(1)
    return varied_where(state, sees, (), moved_on)


def kind_of(state: Any, where: Where) -> Where:
    """The path of a secret without numbers and players."""
    return tuple(step for step in where if isinstance(step, str) and step not in state.players)


def texts_hidden(
    rulebook: Rulebook[Any], step: Step, who: Player | None, told: Sequence[Event[Any]]
) -> set[str]:
    """The texts that lie in secrets before and after the phase, and that the reader sees nowhere; `told` are the
    phase's events as the reader may know them.
    """
    hidden = []
    shown = {text for event in told if event.reveals for text in texts_in(event)}
    for state in (step.before, step.outcome.state):
        view = position_for(rulebook, state, who)
        seen = {each.words: each.held.value for each in secrets_in(view) if each.held.known}
        shown.update(texts_in(view), texts_in(seen))
        hidden.append(
            {
                text
                for each in secrets_in(state)
                if each.words not in seen
                for text in texts_in(each.held.value)
            }
        )
    return (hidden[0] & hidden[1]) - shown


def texts_in(value: Any) -> Iterator[str]:
    """The texts in a value, as far as it isn't secret."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Struct) and not isinstance(value, Secret):
        yield from chain.from_iterable(texts_in(getattr(value, name)) for name in value.__struct_fields__)
    elif isinstance(value, Mapping):
        yield from chain.from_iterable(texts_in(each) for each in (*value, *value.values()))
    elif isinstance(value, tuple | list):
        yield from chain.from_iterable(map(texts_in, value))


def sees_before_or_after(rulebook: Rulebook[Any], step: Step, who: Player | None) -> Sees:
    """Whether a reader sees the secret at a place of the position before a phase, then or after the phase."""
    sees, after = rulebook.sees(step.before, who), position_for(rulebook, step.outcome.state, who)
    shown = {each.words for each in secrets_in(after) if each.held.known}
    return lambda where: sees(where) or tuple(str(step).rstrip("_") for step in where) in shown


def differing_fields(
    told: Sequence[Event[Any]], otherwise: Sequence[Event[Any]] | None
) -> list[tuple[str, Any]]:
    """The fields, not secret, in which events differ, each with its value in the first; none of events that make
    secrets public, and none at all if other things happen.
    """
    if otherwise is None or [type(event) for event in told] != [type(event) for event in otherwise]:
        return []
    found: dict[str, Any] = {}
    for one, other in zip(told, otherwise, strict=True):
        secret = secret_fields(type(one))
        for name in () if one.reveals else one.__struct_fields__:
            if name not in secret and getattr(one, name) != getattr(other, name):
                found.setdefault(f"{type(one).__name__}.{name}", getattr(one, name))
    return [*found.items()]


def plus_one(value: Any, where: Where) -> Any:
    """A number and one; other values as they are."""
    return value + 1 if type(value) is int else value


def secrets_told_by_due(rulebook: Rulebook[Any], state: Any) -> Iterator[str]:
    """The seats of the open phase that are due, or aren't, because of a secret: everybody sees who is due."""
    phase, public = rulebook.phase(state.phase.name), position_for(rulebook, state, None)
    for player in phase.seats(state):
        try:
            known = phase.can(public, player) == phase.can(state, player)
        except Unknown:
            known = False
        if not known:
            yield f"{state.phase}: whether {player} is due tells what is hidden (`can`)"
