"""What a GM has changed in a position by hand, place by place: found, and repeated when a match is replayed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from adjudicator.engine.folder.entries import Amended, Change, Upgraded, of_kind, standing
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import entries_on_disk
from adjudicator.engine.play.inbox import options_in
from adjudicator.engine.play.view import position_for
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.secret import decode_secret, plain_of

FIXED = ("match", "rulebook", "options", "phase", "chain", "rules")
"""Parts of a position that nobody may change by hand: other files of the match repeat them."""


class Unfit(Exception):
    """A change doesn't fit its position, or events don't."""


def derived_position(match: Folder, number: int) -> Any:
    """The position of a phase as it follows from the one before and its events, without changes by hand.

    Its chain is taken from the file. Raises Unfit, Faulty.
    """
    there = match.state(number)
    try:
        if not number:
            options = options_in(match.rulebook, match.card.options)
            begun = match.rulebook.start(match.card.match, options, match.card.players)
            return replace(begun, rules=there.rules, chain=there.chain)
        state = match.state(number - 1)
        for event in match.events(number - 1):
            state = event.apply(state)
    except (LookupError, ValueError, TypeError, AttributeError) as error:
        raise Unfit from error
    return replace(state, chain=there.chain)


def amended_position(match: Folder, number: int, state: Any) -> Any:
    """The position with all that the ledger records for it: changes by hand, other rules. Raises Unfit; Faulty."""
    for upgraded in of_kind(standing(entries_on_disk(match)), Upgraded, match.phases[number]):
        state = replace(state, rules=upgraded.now)
    changes = [change for entry in amendments(match, match.phases[number]) for change in entry.changes]
    return _changed(match, state, changes) if changes else state


def amendments(match: Folder, phase: str) -> list[Amended]:
    """What was changed by hand in the position of a phase, in order."""
    return of_kind(standing(entries_on_disk(match)), Amended, phase)


def changes_seen(match: Folder, entry: Amended, who: Player | None) -> list[Change]:
    """What a reader (None: the public) may know of a change by hand; nothing of one that was taken back since."""
    there = amendments(match, entry.phase) if entry.phase in match.phases else []
    if entry not in there:
        return []
    after = match.state(match.phases.index(entry.phase))
    try:
        for each in reversed(there[there.index(entry) + 1 :]):
            after = _changed(match, after, _undoing(each))
        before = _changed(match, after, _undoing(entry))
    except Unfit:  # `verify` says so
        return []
    one, other = (plain_of(position_for(match.rulebook, state, who)) for state in (before, after))
    return list(_differences(one, other, ()))


def is_seen_whole(match: Folder, entry: Amended, who: Player | None) -> bool:
    """May a reader know all of a change by hand? The reports say if not."""
    return tuple(changes_seen(match, entry, who)) == tuple(entry.changes)


def _undoing(entry: Amended) -> list[Change]:
    return [Change(each.path, each.now, each.was) for each in reversed(entry.changes)]


def _changed(match: Folder, state: Any, changes: Iterable[Change]) -> Any:
    try:
        plain = patched(plain_of(state), changes)
        return msgspec.convert(plain, match.rulebook.State, dec_hook=decode_secret)
    except (LookupError, TypeError, ValueError) as error:  # a ValidationError is a ValueError
        raise Unfit from error


def differences(old: Any, new: Any) -> list[Change]:
    """The changes that turn one value of plain data into another, including the order of its keys, which positions
    keep.

    Lists are replaced whole, and so is a mapping whose keys would end in another order.
    """
    return list(_differences(old, new, ()))


def _differences(old: Any, new: Any, path: tuple[str, ...]) -> Iterator[Change]:
    if msgspec.json.encode(old) == msgspec.json.encode(new):
        return
    in_order = isinstance(old, dict) and isinstance(new, dict) and [*_keys_after(old, new)] == [*new]
    if not in_order:
        yield Change(path, old, new)
        return
    for key in [*old, *(key for key in new if key not in old)]:
        inner = (*path, key)
        if key in old and key in new:
            yield from _differences(old[key], new[key], inner)
        else:
            yield Change(inner, old.get(key, UNSET), new.get(key, UNSET))


def _keys_after(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """The keys in the order that single changes leave them in: new keys come last."""
    yield from (key for key in old if key in new)
    yield from (key for key in new if key not in old)


def patched(plain: Any, changes: Iterable[Change]) -> Any:
    """Plain data with the changes made; the original stays as it is. Raises LookupError if one doesn't fit."""
    for change in changes:
        plain = _patched(plain, change.path, change)
    return plain


def _patched(plain: Any, path: Sequence[str], change: Change) -> Any:
    if not path:
        if plain != change.was:
            raise LookupError(change.path)
        return change.now
    if not isinstance(plain, dict):
        raise LookupError(change.path)
    inner = _patched(plain.get(path[0], UNSET), path[1:], change)
    if inner is UNSET:
        return {key: value for key, value in plain.items() if key != path[0]}
    return {**plain, path[0]: inner}
