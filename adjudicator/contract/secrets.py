"""Promise 6, secrets: change what is hidden, same bytes; neither events nor who is due tells what a view hides."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from adjudicator.engine.bots import Step, random_orders, sheet_of
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.inbox import Inbox, flaws_in
from adjudicator.engine.play.referee import advance
from adjudicator.engine.play.view import events_for, position_for
from adjudicator.engine.report.reader_facts import Extras, ReaderFacts
from adjudicator.engine.report.reader_texts import texts_for
from adjudicator.engine.report.story import render_report
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.engine.table.dice import SeededDice, seed_from
from adjudicator.engine.table.event import Event, Player
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.secret import Private, Secret, Sees, Unknown, Where, secret_fields

ANYBODY = "another player", "the public"
COLLECTIONS = (tuple, Mapping, dict)
Names = tuple[tuple[str, str], ...]
"""The players that one step of a secret's path names: by a field of that name, or by a key (no name)."""


class PlacedSecret(Struct, frozen=True):
    """A secret and its place: its path, the path's kind (`players.*.hand.*`), and the players it names by step."""

    words: tuple[str, ...]
    kind: str
    named: tuple[Names, ...]
    held: Secret[Any]


def secrets_in(
    value: Any, words: tuple[str, ...] = (), kind: tuple[str, ...] = (), named: tuple[Names, ...] = ()
) -> Iterator[PlacedSecret]:
    """All secrets of a position or an event, including nested ones, as far as they are known."""
    if isinstance(value, Secret):
        yield PlacedSecret(words, ".".join(kind), named, value)
        if value.known:
            yield from secrets_in(value.value, words, kind, named)
    elif isinstance(value, Struct):
        fields = value.__struct_fields__
        here = (
            *named,
            tuple((name, held) for name in fields if isinstance(held := getattr(value, name), str)),
        )
        for name in secret_fields(type(value)):
            yield from secrets_in(
                getattr(value, name), (*words, name.rstrip("_")), (*kind, name.rstrip("_")), here
            )
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from secrets_in(item, (*words, str(key)), (*kind, "*"), (*named, (("", str(key)),)))
    elif isinstance(value, tuple):
        for number, item in enumerate(value):
            yield from secrets_in(item, (*words, str(number)), (*kind, "*"), named)


def relation_to(each: PlacedSecret, who: Player | None) -> str:
    """How a reader relates to a secret, in words: as the player named nearest to it, another player, or the public."""
    if who is None:
        return ANYBODY[1]
    for names in reversed(each.named):
        for field, name in names:
            if name == who:
                return f"the player who is its `{field}`" if field else "the player whose it is"
    return ANYBODY[0]


def declared_kinds(rulebook: Rulebook[Any]) -> Iterator[str]:
    """The kinds of all secrets in the types of a position and of the events."""
    yield from kinds_of(rulebook.State, ())
    for event in rulebook.events:
        yield from kinds_of(event, (event.__name__,))


def kinds_of(hint: Any, kind: tuple[str, ...]) -> Iterator[str]:
    """The kinds of the secrets of one type."""
    if (get_origin(hint) or hint) in (Secret, Private):
        yield ".".join(kind)
        yield from kinds_of(get_args(hint)[0], kind)
    elif isinstance(hint, type) and issubclass(hint, Struct):
        hints = get_type_hints(hint)
        for name in secret_fields(hint):
            yield from kinds_of(hints[name], (*kind, name.rstrip("_")))
    else:
        for inside in get_args(hint):
            yield from kinds_of(inside, (*kind, "*") if get_origin(hint) in COLLECTIONS else kind)


def leaks(rulebook: Rulebook[Any], step: Step, who: Player | None, *, pages: bool = True) -> Iterator[str]:
    """What `who` gets after a phase, with or without pages, that changes with what is hidden from `who`."""
    state, events = step.outcome.state, step.outcome.events
    other = varied(rulebook, state, state, who)
    others = [
        varied_event(rulebook, state, event, who) for event in events if not event.to or who in event.to
    ]
    first = all_papers(rulebook, step.before, state, events, who, pages)
    second = all_papers(rulebook, step.before, other, others, who, pages)
    for name, text in first.items():
        if second[name] != text:
            yield f"{state.phase}: {name} of {who or 'the public'} tells what is hidden"


def flawed_views(rulebook: Rulebook[Any], step: Step) -> Iterator[str]:
    """What the checks of positions find wrong with a view of a valid position: hidden parts aren't broken."""
    for who in (None, *step.before.players):
        view = position_for(rulebook, step.outcome.state, who)
        for flaw in flaws_in(rulebook, view):
            yield f"{step.outcome.state.phase}: the view of {who or 'the public'} has {flaw}"


def all_papers(
    rulebook: Rulebook[Any],
    before: Any,
    state: Any,
    events: Sequence[Event[Any]],
    who: Player | None,
    pages: bool,
) -> dict[str, str]:
    """All that a reader gets, and what a check says of a sheet with mistakes."""
    view, seen = position_for(rulebook, state, who), events_for(rulebook, state, events, who)
    told = ReaderFacts(who, position_for(rulebook, before, who), seen, view)
    report = render_report(rulebook, who, view, seen, before=told.before)
    found = texts_for(rulebook, state, told, report, Extras(), pages=pages)
    if who is not None and who in state.phase.due:
        found["check"] = str(check_sheet(rulebook, view, faulty_sheet(rulebook, view, who)).problems)
    return found


def faulty_sheet(rulebook: Rulebook[Any], view: Any, who: Player) -> Sheet:
    """A sheet of random orders, each given twice, some with a field left out."""
    phase = rulebook.phase(view.phase.name)
    orders = random_orders(rulebook, phase, view, who, SeededChance("odd sheet"))
    lacking = [dict(list(order.items())[:-1]) for order in orders if len(order) > 1]
    return sheet_of(who, {"orders": [*orders, *orders, *lacking]})


def varied(rulebook: Rulebook[Any], state: Any, value: Any, who: Player | None) -> Any:
    """A position (or a part of it) with another value in every secret that `who` may not see."""
    return varied_where(value, rulebook.sees(state, who))


def varied_event(rulebook: Rulebook[Any], state: Any, event: Event[Any], who: Player | None) -> Event[Any]:
    """An event with other values in its secrets, and with another line unless it comes from the sheet of `who`."""
    found: Event[Any] = varied_where(event, rulebook.sees(state, who), (event,))
    if who is None or f"/{who}.yaml" not in found.by:
        found = msgspec.structs.replace(found, by="sheets/nobody.yaml:9:9")
    return found


def varied_where(
    value: Any, sees: Sees, where: Where = (), other: Callable[[Any, Where], Any] | None = None
) -> Any:
    """A value with another one in every secret that isn't seen. `other` makes it of the value and its path; by default
    it is `other_value`.
    """
    if isinstance(value, Secret):
        if sees(where):
            inside = varied_where(value.value, sees, where, other)
        else:
            inside = other_value(value.value) if other is None else other(value.value, where)
        return type(value)(inside) if not isinstance(value, Private) or sees(where) else value
    if isinstance(value, Struct):
        fields = secret_fields(type(value))
        changes = {name: varied_where(getattr(value, name), sees, (*where, name), other) for name in fields}
        return msgspec.structs.replace(value, **changes) if fields else value
    if isinstance(value, Mapping):
        return {key: varied_where(item, sees, (*where, key), other) for key, item in value.items()}
    if isinstance(value, tuple):
        return tuple(varied_where(item, sees, (*where, index), other) for index, item in enumerate(value))
    return value


def other_value(value: Any) -> Any:
    """Another value of the same kind."""
    if isinstance(value, int):
        return value + 700
    if isinstance(value, str):
        return f"not-{value}"
    if isinstance(value, tuple | list):
        return type(value)(other_value(item) for item in value)
    if isinstance(value, Struct):
        changes = {name: other_value(getattr(value, name)) for name in value.__struct_fields__}
        return msgspec.structs.replace(value, **changes)
    return value


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
