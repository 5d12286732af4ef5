"""TRI-5 Barbarians: where they appear; players drive and raise them one after another, until all have passed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise

from adjudicator.engine.table import Hindrances, PhaseRun, Player, Reason, Table, Use, Verb, up_to_all
from adjudicator.engine.table.domain import Counts, Either, Flag, Limit, Many, OneOf, Walk, Whole, allowed
from adjudicator.engine.table.remembered import remembered
from adjudicator.rulebooks.triumvirat import board, ending, events, pieces, setup, standing
from adjudicator.rulebooks.triumvirat.board import BOARD, BORDERS, ITALY, LANDS, OUTSIDE, ProvinceId
from adjudicator.rulebooks.triumvirat.standing import ALL, HORDE, PROVINCE, TAKEN
from adjudicator.rulebooks.triumvirat.state import State

Way = tuple[ProvinceId, ...]
Horde = dict[ProvinceId, pieces.Barbarians]
"""The number of barbarians by province."""
SHORTEST = 4
"""A route's field admits at least so many steps: routes of this length are checked as a whole, never listed."""


WAYS: Mapping[bool, Mapping[ProvinceId, Way]] = {
    False: {name: tuple(to for to in OUTSIDE if to in BORDERS[name]) for name in OUTSIDE},
    True: {name: tuple(to for to in OUTSIDE if to in board.NEXT[name]) for name in OUTSIDE},
}
"""TRI-5.4, TRI-5.5: the steps of a pile: to adjacent provinces except Italy; with pirates also from coast to coast."""


def begin(t: Table[State]) -> None:
    """TRI-5.1: draws a card of the barbarian deck, and one more for each war; then names the order in which players
    drive them.

    In live pacing each go is a phase of its own; all but the first find the barbarians already on the board.
    """
    if t.state.done.went:
        return
    for _ in range(1 + t.state.events.count("war")):
        if not t.state.over():
            draw(t)
    if not t.state.over():
        standing.name_order(t)


def draw(t: Table[State]) -> None:
    """TRI-5.1: a barbarian appears in each province with the resource of the card;
    when all eight cards are out, the deck is shuffled again."""
    if not t.state.barbarian_deck:
        setup.lay(t, "barbarian_deck", t.state.barbarian_out, rule="TRI-5.1")
    resource = t.reveal(t.state.barbarian_deck[0])
    t.play(events.CardTurned(rule="TRI-5.1", deck="barbarian_deck", card=resource))
    # Italy first, then players' provinces, then neutral ones (Ruling), where the resource is printed (Ruling), or by
    # option where a caravan works it
    there = [name for name, land in LANDS.items() if resource in land.resources]
    if t.state.options.barbarians == "caravans":
        there = [name for name in there if name in ITALY or resource in t.state.provinces[name].caravans]
    for name in sorted(there, key=lambda name: (name not in ITALY, not t.state.provinces[name].owner)):
        if not t.state.over():
            appear(t, name, resource if name in ITALY else "", rule="TRI-5.1")


def appear(t: Table[State], name: ProvinceId, site: str, *, rule: str) -> None:
    """TRI-5.1: an ordinary barbarian appears, or an elite one if one is already there; in Italy it replaces the one on
    the site.

    None appears where a temple stands, or if none is left.
    """
    here = t.state.provinces[name]
    among = here.sites[site] != "free" if site else here.barbarians.count > 0
    kind: events.Kind = "elite" if among else "ordinary"
    if here.temple:
        t.play(events.NobodyCame(rule=rule, province=name, why="temple", kind=kind))
    elif site and here.sites[site] == "elite":
        t.play(events.NobodyCame(rule=rule, province=name, why="held", kind=kind, site=site))
    elif not t.state.left("elite" if among else "barbarian"):
        t.play(events.NobodyCame(rule=rule, province=name, why="none-left", kind=kind, site=site))
    else:
        t.play(events.Appeared(rule=rule, province=name, kind=kind, site=site))
        ending.look_at_italy(t)


# -- driven ----------------------------------------------------------------------------------------------------------


def drive(t: Table[State]) -> None:
    """TRI-5.4: a player drives a pile of up to 4 from province to province and may
    pick up others on the way; never in Italy."""
    check_turn(t)
    state = t.state
    saved = 1 if state.ready(t.me, "free-barbarian-step") else 0
    setup.can_pay(t, BOARD.costs["step"], "TRI-5.4", saved)  # no route costs less
    there = partial(movable, state, t.me)
    onward = WAYS["pirates" in state.events]
    start = t.pick("from", piles(state, t.me), rule="TRI-5.4")
    pile = barbarians_meant(t, there(start))
    most = min(max(state.purse(t.me) + saved, SHORTEST), BOARD.numbers["longest"])
    via = t.pick("via", Walk(start, onward, most), rule="TRI-5.4")
    for name in via[:-1]:
        stop = state.provinces[name].temple or state.garrisoned(name)
        t.require(not stop, "TRI-5.4", "must-stop", field="via", value=name)
    taken = barbarians_on_way(t, {name: there(name) for name in via} | {start: there(start) - pile}, via)
    count = pile.count + sum(each.count for each in taken.values())
    most = BOARD.numbers["pile"]
    t.require(count <= most, "TRI-5.4", "pile-too-large", value=count, most=most)
    steps = list(drive_pile(t.me, (start, *via), pile, taken))
    costs = [BOARD.costs["step"] * (board.convoys(step.pile.count) if step.sea else 1) for step in steps]
    cost, saved = sum(costs), saved if state.rules < 3 else saved * costs[0]
    setup.pay_taxes(t, cost, "TRI-5.4", saved, power="free-barbarian-step", by="TRI-10.9")
    for step in steps:
        t.play(step)


@remembered
def piles(state: State, player: Player) -> OneOf[ProvinceId]:
    """TRI-5.4, TRI-5.5: the provinces from which a player can drive barbarians, and why not from others."""
    onward = WAYS["pirates" in state.events]

    def hindrances(name: ProvinceId) -> Hindrances:
        yield name in ITALY and Reason("TRI-5.4", "italy-stays")
        why = "they-lie" if state.provinces[name].barbarians.count else "nobody-there"
        yield movable(state, player, name) == pieces.NO_BARBARIANS and Reason("TRI-5.4", why)
        yield not onward[name] and Reason("TRI-5.5", "no-way")

    return allowed(LANDS, hindrances)


def movable(state: State, player: Player, at: ProvinceId) -> pieces.Barbarians:
    """TRI-5.4: the barbarians of a province, except those that lie for another player."""
    there = state.provinces[at].barbarians
    for who, lying in state.done.lying.get(at, {}).items():
        if who != player:
            there -= lying
    return there


def barbarians_meant(t: Table[State], there: pieces.Barbarians) -> pieces.Barbarians:
    """TRI-5.4: the barbarians that an order means: a number, ordinary ones first;
    `all` (up to 4); or a number of each kind."""
    most = Limit(BOARD.numbers["pile"], "TRI-5.4", "pile-too-large")
    count = Whole(1, [Limit(there.count, "TRI-5.4", "not-so-many-there"), most])
    kinds = up_to_all(there, "TRI-5.4", "not-so-many-there", most)
    wanted = t.pick("drive", Either((ALL, count, kinds)), rule="TRI-5.4")
    if isinstance(wanted, Mapping):
        return pieces.Barbarians(**wanted)
    return there.first(BOARD.numbers["pile"] if wanted == "all" else wanted)


def barbarians_on_way(t: Table[State], there: Horde, via: Way) -> Horde:
    """TRI-5.4: barbarians on the way, before its end, may be picked up, ordinary ones first."""
    each = {name: Whole(0, [Limit(there[name].count, "TRI-5.4", "not-so-many-there")]) for name in via[:-1]}
    but = dict.fromkeys(LANDS, Reason("TRI-5.4", "not-on-the-way"))
    wanted = t.pick("take", Counts(each, but=but), rule="TRI-5.4", default=None) or {}
    return {name: there[name].first(count) for name, count in wanted.items()}


def drive_pile(player: Player, way: Way, pile: pieces.Barbarians, taken: Horde) -> Iterator[events.Driven]:
    """TRI-5.4, TRI-5.5: moves the pile step by step, by land or sea, with the barbarians picked up by then."""
    for start, end in pairwise(way):
        sea = end not in BORDERS[start]
        yield events.Driven(player, start, end, pile, sea, rule="TRI-5.5" if sea else "TRI-5.4")
        pile += taken.pop(end, pieces.Barbarians())


def raise_(t: Table[State]) -> None:
    """TRI-5.3: a player raises one barbarian for two taxes in a neutral province
    outside Italy (Ruling), an ordinary one."""
    check_turn(t)
    name = t.pick("raise", neutral(t.state), rule="TRI-5.3")
    t.require(bool(t.state.left("barbarian")), "TRI-0.5", "none-left", piece="barbarian")
    setup.pay_taxes(t, BOARD.costs["raise"], "TRI-5.3")
    t.play(events.Appeared(rule="TRI-5.3", player=t.me, province=name, kind="ordinary"))


@remembered
def neutral(state: State) -> OneOf[ProvinceId]:
    """TRI-5.3: the provinces in which barbarians can be raised, and why not in others."""

    def hindrances(name: ProvinceId) -> Hindrances:
        yield name in ITALY and Reason("TRI-5.3", "raised-outside")
        yield bool(state.provinces[name].owner) and Reason("TRI-5.3", "not-neutral")

    return allowed(LANDS, hindrances)


def pass_(t: Table[State]) -> None:
    """TRI-5.3: a player passes for good (Ruling)."""
    check_turn(t)
    t.require(t.pick("pass", Flag(), rule="TRI-5.3"), "TRI-5.3", "pass-is-true")
    t.play(events.Passed(rule="TRI-5.3", player=t.me))


# -- whose go it is --------------------------------------------------------------------------------------------------


def check_turn(t: Table[State]) -> None:
    """TRI-5.3: a player who has passed drives no more; in live pacing a sheet is for one go."""
    t.require(t.me not in t.state.done.passed, "TRI-5.3", "passed-already")
    if t.state.options.pacing == "live":
        t.require(t.me in drivers(t.state), "TRI-5.3", "one-go")


def still_driving(state: State) -> tuple[Player, ...]:
    """TRI-5.3: the players who haven't passed, from the one whose go it is."""
    order = standing.order_of(state, "barbarians")
    at = order.index(state.done.went) + 1 if state.done.went in order else 0
    return tuple(player for player in (*order[at:], *order[:at]) if player not in state.done.passed)


def drivers(state: State) -> Sequence[Player]:
    """TRI-5.3: the players whose sheets are due: all at once; in live pacing the one whose go it is."""
    return still_driving(state)[:1] if state.options.pacing == "live" else still_driving(state)


def can(state: State, player: Player) -> bool:
    """TRI-5.3, TRI-5.4: can the player move or raise a barbarian, by a tax or a free step?"""
    return state.has_cards(player) or bool(state.power(player, "free-barbarian-step"))


def turn_about(run: PhaseRun) -> None:
    """TRI-5.3: players carry out one order of their lists at a time, in turn;
    a refused order loses that go and isn't a pass; an empty list passes."""
    lists = {player: iter(run.orders(player)) for player in run.state.seats}
    while players := still_driving(run.state):
        player = players[0]
        if order := next(lists[player], None):
            run.carry_out(player, order)
        else:
            run.play(events.Passed(rule="TRI-5.3", player=player))
        run.play(events.GoDone(rule="TRI-5.3", player=player))
        if run.state.options.pacing == "live":
            break
    for player in run.due:
        for order in lists[player]:
            run.carry_out(player, order)


def clear(t: Table[State]) -> None:
    """TRI-5.3: when all have passed the barbarians stand up again."""
    if not still_driving(t.state):
        t.play(events.PhaseDone(rule="TRI-5.3"))


DRIVE = {"drive": Either((ALL, Whole(1), HORDE)), "from": PROVINCE, "via": Many(PROVINCE), "take": TAKEN}
RULES = {"can": can, "course": turn_about, "opens": begin, "clears": clear}
GOES = (Use("go", times=0, keeps=1), Use("one-go", always=True))
"""TRI-5.3: who has passed drives no more; in live pacing a sheet is for one go, and a refused order loses it."""
VERBS = {
    "drive": Verb(
        drive,
        DRIVE,
        ("from", "via"),
        uses=(*GOES, Use("taxes", times=None)),
        changes=("from", "via"),
        subject=("from",),
        prices=lambda state, player: {"": BOARD.costs["step"]},
    ),
    "raise": Verb(
        raise_,
        {"raise": PROVINCE},
        uses=(*GOES, Use("taxes", times=BOARD.costs["raise"])),
        changes=("raise",),
        subject=("raise",),
        prices=lambda state, player: {"": BOARD.costs["raise"]},
    ),
    "pass": Verb(pass_, {"pass": Flag()}, uses=(*GOES, Use("go", ends=True)), subject=()),
}
