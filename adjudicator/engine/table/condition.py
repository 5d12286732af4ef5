"""What an order's `if:` may hold: facts of kinds that the rulebook names, and around them `not` and `any`.

Facts are asked about the position as the order's player may know it when the order's turn comes, so they can reveal
nothing else.

Facts for `if:` that several games use: the same name means the same in each.

A rulebook says about which kinds of things facts can be told (`About`), how to find a thing by its name, and which of
these facts it has: `{**lies_in(ZONE, zone), **counted(sailors), **there()}`. A piece has `in`, `owner`, `least` and
`most`, `holds`, `there`; a place `owner`, `least` and `most`, `holds`, `free`, `enemies`; `me` has `seat`, `treasury`,
`holds`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from msgspec import Struct

from adjudicator.engine.table.domain import (
    ByName,
    Domain,
    Either,
    Flag,
    Many,
    Name,
    OneOf,
    Part,
    Record,
    Whole,
)
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.reason import Reason, Refused
from adjudicator.engine.table.secret import Unknown

NOT, ANY = "not", "any"
"""`not: {facts}` is true when those facts aren't all true; `any: [{facts}, {facts}]` when one of them is."""


class Condition(Struct, frozen=True):
    """The kinds of facts that `if:` may hold: their shape, a mapping by name, and whether one of them is true now.

    `holds(view, me, name, wanted)` gets the position as `me`, the order's player, may know it; `wanted` is the value
    under the name, in the shape. If it meets something hidden, the fact isn't true. No name may be `not` or `any`,
    which every rulebook has. `facts.condition` builds one from the facts that several games use.
    """

    shape: Domain[Any]
    holds: Callable[[Any, Player, str, Any], bool]


def why_not(condition: Condition, view: Any, me: Player, facts: Mapping[str, Any]) -> Refused | None:
    """The first fact that isn't true, as a refusal at its place; None if all are true."""
    for name, wanted in facts.items():
        if name == NOT:
            found = _not_fails(condition, view, me, wanted)
        elif name == ANY:
            found = _any_fails(condition, view, me, wanted)
        elif _true(condition, view, me, name, wanted):
            found = None
        else:
            found = Refused(Reason("SHEET", "if-false", {"name": name, "wanted": wanted}), (name,))
        if found is not None:
            return found
    return None


def _not_fails(condition: Condition, view: Any, me: Player, facts: Any) -> Refused | None:
    """Why a `not` fails: all its facts are true; the refusal names the first. None if it doesn't fail."""
    given = facts if isinstance(facts, Mapping) else {}
    if why_not(condition, view, me, given) is not None:
        return None
    for name, wanted in given.items():
        return Refused(Reason("SHEET", "if-so", {"name": name, "wanted": wanted}), (NOT, name))
    return Refused(Reason("SHEET", "if-so", {"name": NOT, "wanted": facts}), (NOT,))


def _any_fails(condition: Condition, view: Any, me: Player, several: Any) -> Refused | None:
    """Why an `any` fails: none of its facts is true; the refusal says why the first isn't. None if it doesn't fail."""
    first: Refused | None = None
    for index, facts in enumerate(several if isinstance(several, Sequence) else ()):
        if not isinstance(facts, Mapping):
            continue
        found = why_not(condition, view, me, facts)
        if found is None:
            return None
        first = first or found.within(ANY, index)
    if first is None:
        return Refused(Reason("SHEET", "if-none", {"name": ANY, "wanted": several}), (ANY,))
    return Refused(Reason("SHEET", "if-none", first.reason.facts), first.path)


def _true(condition: Condition, view: Any, me: Player, name: str, wanted: Any) -> bool:
    """Is the fact true, as far as its player can know? A meaningless or hidden fact isn't."""
    try:
        condition.shape.read({name: wanted})
        return condition.holds(view, me, name, wanted)
    except (Refused, Unknown):
        return False


NOBODY = "nobody"
"""The owner of what belongs to no player."""
ME = "me"
"""The name under which the order's own player is asked about."""
THERE = "there"


class Fact(Struct, frozen=True):
    """One fact about a thing: what may be asked, and whether it is true of the thing as its rulebook found it."""

    shape: Domain[Any]
    true: Callable[[Any, Any], bool]


Facts = Mapping[str, Fact]


class About(Struct, frozen=True):
    """A kind of things about which facts can be told.

    `names` are their names. `find(view, me, name)` returns the thing, of whatever type the facts' functions take, or
    None if it doesn't exist, by the position as `me` may know it. For a thing that doesn't exist only `there: false` is
    true. `number` is the fact that a bare number stands for: `{thracia: 2}` is `{thracia: {least: 2}}`.
    """

    names: Name
    find: Callable[[Any, Player, str], Any]
    facts: Facts
    number: str = ""


def condition(*kinds: About) -> Condition:
    """What `if:` may hold: facts of these kinds; a name belongs to the first kind that it fits."""

    def holds(view: Any, me: Player, name: str, wanted: Any) -> bool:
        kind = next(each for each in kinds if each.names.fits(name))
        thing = kind.find(view, me, name)
        if thing is None:
            return bool(wanted == {THERE: False})
        given = wanted if type(wanted) is dict else {kind.number: wanted}
        return all(kind.facts[fact].true(thing, value) for fact, value in given.items())

    return Condition(ByName(tuple((kind.names, domain_of_kind(kind)) for kind in kinds)), holds)


def domain_of_kind(kind: About) -> Domain[Any]:
    """What may stand under the name of a thing of one kind."""
    shape: Record[Any] = Record(dict, {name: Part(fact.shape) for name, fact in kind.facts.items()})
    return Either((kind.facts[kind.number].shape, shape)) if kind.number else shape


def of_me(find: Callable[[Any, Player], Any], facts: Facts) -> About:
    """Facts about the order's own player: `me: {seat: 2}`."""
    return About(Name("player", ME), lambda view, me, name: find(view, me), facts)


# -- facts -------------------------------------------------------------------------------------------------------------


def within(span: Mapping[str, Any], count: int) -> bool:
    """Is a number between `least` and `most`, each of which may be left out?"""
    return bool(span.get("least", count) <= count <= span.get("most", count))


LEAST_AND_MOST: Mapping[str, Part[Any]] = {"least": Part(Whole(0)), "most": Part(Whole(0))}
SPAN: Record[Any] = Record(dict, LEAST_AND_MOST)


def lies_in(places: Domain[str], where: Callable[[Any], str]) -> Facts:
    """`in: corfu`: the place where the thing is."""
    return {"in": Fact(places, lambda thing, wanted: where(thing) == wanted)}


def owned_by(players: Sequence[Player], owners: Callable[[Any], Collection[Player]]) -> Facts:
    """`owner: genoa`, or `nobody`: the thing's owner; a place may have pieces of several."""
    shape = OneOf((*players, NOBODY))
    return {"owner": Fact(shape, lambda thing, wanted: wanted in (owners(thing) or (NOBODY,)))}


def counted(count: Callable[[Any], int]) -> Facts:
    """`least: 2, most: 3`: how many the thing has of what counts: sailors, strength, cards."""
    return {
        "least": Fact(Whole(0), lambda thing, wanted: bool(count(thing) >= wanted)),
        "most": Fact(Whole(0), lambda thing, wanted: bool(count(thing) <= wanted)),
    }


def holding(goods: Domain[str], held: Callable[[Any], Sequence[str]]) -> Facts:
    """`holds: [wine, wine]`: the thing has all of these goods, and a good named twice at least twice."""

    def true(thing: Any, wanted: Sequence[str]) -> bool:
        return not Counter(wanted) - Counter(held(thing))

    return {"holds": Fact(Many(goods, least=1), true)}


def there() -> Facts:
    """`there: false`: the thing isn't there (any more, or yet)."""
    return {THERE: Fact(Flag(), lambda thing, wanted: bool(wanted))}


def enemies(found: Callable[[Any], Sequence[int]], strength: str = "") -> Facts:
    """`enemies: {most: 1, sailors: {most: 3}}`: others' pieces there, and their total strength under its name.

    `found` is the strength of each of these pieces.
    """
    parts = {**LEAST_AND_MOST, **({strength: Part(SPAN)} if strength else {})}

    def true(thing: Any, wanted: Mapping[str, Any]) -> bool:
        pieces = found(thing)
        return within(wanted, len(pieces)) and within(wanted.get(strength, {}), sum(pieces))

    return {"enemies": Fact(Record(dict, parts), true)}


def seated(seat: Callable[[Any], int]) -> Facts:
    """`seat: 2`, or `seat: [1, 2]`: the place in the order of play, from 1."""

    def true(thing: Any, wanted: int | Sequence[int]) -> bool:
        return seat(thing) in (wanted if isinstance(wanted, Sequence) else (wanted,))

    return {"seat": Fact(Either((Whole(1), Many(Whole(1), least=1))), true)}


def purse(treasury: Callable[[Any], int]) -> Facts:
    """`treasury: {least: 500}`: the player's own money."""
    return {"treasury": Fact(SPAN, lambda thing, wanted: within(wanted, treasury(thing)))}


# -- things as most games have them ------------------------------------------------------------------------------------


class Piece(Struct, frozen=True):
    """A piece: its place, its owner, how many it has of what counts, and what it holds."""

    place: str
    owner: Player
    count: int
    held: Sequence[str]


class Place(Struct, frozen=True):
    """A place: its owner ("": nobody), how many there are of what counts, what it holds, the free slots, and the
    strength of each of others' pieces there.
    """

    owner: Player
    count: int
    held: Sequence[str]
    free: int
    others: Sequence[int]


def of_pieces(places: Domain[str], players: Sequence[Player], goods: Domain[str]) -> Facts:
    """The facts of a `Piece`."""
    return {
        **lies_in(places, lambda piece: piece.place),
        **owned_by(players, lambda piece: [piece.owner]),
        **counted(lambda piece: piece.count),
        **holding(goods, lambda piece: piece.held),
        **there(),
    }


def of_places(players: Sequence[Player], goods: Domain[str], strength: str) -> Facts:
    """The facts of a `Place`; the strength of others' pieces there has this name."""
    return {
        **owned_by(players, lambda place: [place.owner] if place.owner else []),
        **counted(lambda place: place.count),
        **holding(goods, lambda place: place.held),
        "free": Fact(Whole(0), lambda place, wanted: bool(place.free >= wanted)),
        **enemies(lambda place: place.others, strength),
    }
