"""MED-2.10 to 2.12: transfers within a zone, jettison, and dismissing sailors."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.engine.table import Table, Use, Verb
from adjudicator.engine.table.domain import (
    Counts,
    Domain,
    Either,
    Limit,
    Offering,
    OneOf,
    Part,
    Record,
    Whole,
    between,
)
from adjudicator.rulebooks.mediterranee.board import BOARD, GOODS, HOLD
from adjudicator.rulebooks.mediterranee.events import Dismissed, Jettisoned, Sank, Shifted
from adjudicator.rulebooks.mediterranee.naming import elsewhere, not_yours, other_ports
from adjudicator.rulebooks.mediterranee.oddities import warn_of_sinking
from adjudicator.rulebooks.mediterranee.standing import COUNT, GALLEY, GOODS_COUNTED, PLACE, PORT
from adjudicator.rulebooks.mediterranee.state import (
    GalleyId,
    State,
    galleys_of,
    one_by_one,
    ports_of,
    room,
    without,
)

PIECES: Domain[Mapping[str, int]] = Counts(dict.fromkeys(("sailors", *GOODS), Whole(0)))


def transfer(t: Table[State]) -> None:
    """MED-2.10: goods go between the player's galleys, sailors between them and the player's own port,
    both ways at once."""
    galleys, ports = galleys_of(t.state, t.me), ports_of(t.state, t.me)
    zones = {name: galley.zone for name, galley in galleys.items()} | {name: name for name in ports}
    source = t.pick("from", OneOf(zones, but=not_yours(t.state, t.me)), rule="MED-2.10")
    beside = [name for name in zones if name != source and zones[name] == zones[source]]
    target = t.pick("to", OneOf(beside, but=elsewhere(t.state, t.me, zones[source])), rule="MED-2.10")
    both = source in galleys and target in galleys
    here, beyond = pieces(t.state, source, goods=both), pieces(t.state, target, goods=both)
    space, more = (room_for(t.state, place) for place in (target, source))
    offered = Offering(here, lambda: here.at_most(space) if space else one_piece(here))
    there = t.pick("transfer", offered, rule="MED-2.10")
    gone = sum(there.values())
    offered = Offering(beyond, lambda: beyond.at_most(more + gone, gone - space))
    back = t.pick("back", offered, rule="MED-2.10", default=None) or {}
    for name, come, go in ((source, back, there), (target, there, back)):
        if name in galleys:
            over = sum(come.values()) - sum(go.values()) - room(galleys[name])
            t.require(over <= 0, "MED-0.6", "no-room", galley=name, over=over)
    for name, come, go in ((source, back, there), (target, there, back)):
        if name in galleys:
            warn_if_empty(t, name, come, go, "transfer" if name == source else "back")
    shift(t, there, source, target)
    if back:
        shift(t, back, target, source)
    for name in (source, target):
        sink_if_empty(t, name)


def room_for(state: State, place: str) -> int:
    """MED-0.6: how many pieces a galley can take; any number stays in a garrison."""
    return room(state.galleys[place]) if place in state.galleys else 2 * HOLD


def one_piece(here: Counts) -> Either:
    """MED-2.10: one piece for another one that comes back, where there is no room."""
    kinds = [what for what, whole in here.each.items() if whole.most]
    return Either(tuple(Record(dict, {what: Part(between(1, 1), needed=True)}) for what in kinds))


def warn_if_empty(
    t: Table[State], name: GalleyId, come: Mapping[str, int], go: Mapping[str, int], field: str
) -> None:
    """MED-0.6: warns that the galley will sink with the goods that are left aboard."""
    galley = t.state.galleys[name]
    if galley.sailors + come.get("sailors", 0) == go.get("sailors", 0):
        kept = without((*galley.cargo, *one_by_one(cargo_in(come))), cargo_in(go))
        warn_of_sinking(t, name, kept, field, rule="MED-0.6")


def cargo_in(pieces: Mapping[str, int]) -> dict[str, int]:
    """The goods among pieces."""
    return {what: count for what, count in pieces.items() if what != "sailors"}


def pieces(state: State, place: str, *, goods: bool) -> Counts:
    """MED-2.10: the pieces that can leave a galley or a garrison."""
    if place in state.ports:
        return Counts(
            {
                "sailors": Whole(
                    0, [Limit(state.ports[place].garrison, "MED-2.10", "garrison", {"port": place})]
                )
            }
        )
    galley = state.galleys[place]
    aboard = {
        "sailors": galley.sailors,
        **({good: galley.cargo.count(good) for good in GOODS} if goods else {}),
    }
    return Counts(
        {
            what: Whole(0, [Limit(count, "MED-2.10", "aboard", {"galley": place})])
            for what, count in aboard.items()
        }
    )


def shift(t: Table[State], what: Mapping[str, int], source: str, target: str) -> None:
    """MED-2.10: plays one direction of a transfer: goods and sailors go from `source` to `target`."""
    goods = cargo_in(what)
    sailors = what.get("sailors", 0)
    t.play(Shifted(rule="MED-2.10", player=t.me, sailors=sailors, goods=goods, source=source, target=target))


def sink_if_empty(t: Table[State], place: str) -> None:
    """MED-2.10, MED-0.6: a galley emptied of sailors sinks with its goods."""
    galley = galleys_of(t.state, t.me).get(place)
    if galley is not None and galley.sailors == 0:
        t.play(Sank(rule="MED-0.6", galley=place, owner=t.me, cargo=galley.cargo))


def jettison(t: Table[State]) -> None:
    """MED-2.11: a player throws goods away from a galley.

    **Ruling**: anywhere, also at sea.
    """
    mine = galleys_of(t.state, t.me)
    name = t.pick("from", OneOf(mine, but=not_yours(t.state, t.me)), rule="MED-2.11")
    aboard = {good: mine[name].cargo.count(good) for good in GOODS}
    limits = {
        good: Whole(0, [Limit(count, "MED-2.11", "aboard", {"galley": name})])
        for good, count in aboard.items()
    }
    goods = t.pick("jettison", Counts(limits), rule="MED-2.11")
    t.play(Jettisoned(rule="MED-2.11", player=t.me, goods=goods, galley=name))


def dismiss(t: Table[State]) -> None:
    """MED-2.12: a player puts sailors ashore in a zone with a port; at least one stays aboard."""
    mine = galleys_of(t.state, t.me)
    name = t.pick("from", OneOf(mine, but=not_yours(t.state, t.me)), rule="MED-2.12")
    zone = mine[name].zone
    t.require(zone in BOARD.ports, "MED-2.12", "no-port-there", galley=name, zone=zone)
    port = t.pick("at", OneOf((zone,), but=other_ports(t.state, name)), rule="MED-2.12", default=zone)
    limit = Limit(mine[name].sailors - 1, "MED-2.12", "one-stays", {"galley": name})
    sailors = t.pick("dismiss", Whole(1, [limit]), rule="MED-2.12")
    t.play(Dismissed(rule="MED-2.12", player=t.me, sailors=sailors, galley=name, port=port))


def uses_of_transfer(what: str, source: str, target: str) -> tuple[Use, ...]:
    """MED-2.10: what one direction of a transfer takes and gives; a galley that gives its last sailor sinks
    (MED-0.6).
    """
    return (
        Use(f"aboard {{{source}}} {{each}}", what, gone=source),
        Use(f"aboard {{{target}}} {{each}}", what, -1),
        Use(f"room {{{target}}}", what, bounds=True),
        Use(f"room {{{source}}}", what, -1),
    )


VERBS = {
    "transfer": Verb(
        transfer,
        {"transfer": PIECES, "from": PLACE, "to": PLACE, "back": PIECES},
        ("from", "to"),
        uses=(
            *uses_of_transfer("transfer", "from", "to"),
            *uses_of_transfer("back", "to", "from"),
            # Without sailors a galley sinks, and goes back into the box with all that is aboard.
            *(Use(f"box {what}", "transfer.sailors", -1, perhaps=True) for what in ("galley", *GOODS)),
        ),
        subject=("from", "to"),
    ),
    "jettison": Verb(
        jettison,
        {"jettison": GOODS_COUNTED, "from": GALLEY},
        ("from",),
        uses=(
            Use("aboard {from} {each}", "jettison"),
            Use("room {from}", "jettison", -1),
            Use("box {each}", "jettison", -1),
        ),
        subject=("from",),
    ),
    "dismiss": Verb(
        dismiss,
        {"dismiss": COUNT, "from": GALLEY, "at": PORT},
        ("from",),
        uses=(
            Use("aboard {from} sailors", "dismiss", keeps=1),
            Use("room {from}", "dismiss", -1),
            Use("ashore {from}", "dismiss", -1),
            Use("box sailors", "dismiss", -1),
        ),
        subject=("from",),
    ),
}
