"""What is left to do in a sheet: by the things that its orders can be about, which must still be decided, which may be
used, by which line the others are decided, and why no order can be about a thing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import chain
from typing import Any

from msgspec import Struct, field

from adjudicator.engine.library.facts import fact_text
from adjudicator.engine.library.texts import Texts, habits, words
from adjudicator.engine.play.account import UnderstoodOrder, is_meant, with_else
from adjudicator.engine.play.attempts import some_values
from adjudicator.engine.play.checking import Check
from adjudicator.engine.play.listing import LEFT_OUT, Clicking, Fork, run_at
from adjudicator.engine.play.stops import asked_at
from adjudicator.engine.sheets.sheet import Order, Sheet
from adjudicator.engine.table.domain import Domain, OneOf, Walk
from adjudicator.engine.table.event import Event, Player
from adjudicator.engine.table.reason import Reason, Refused
from adjudicator.engine.table.rulebook import Phase, Rulebook, Unfit
from adjudicator.engine.table.secret import Unknown
from adjudicator.engine.table.table import Rule, Verb, Verbs
from adjudicator.engine.table.uses import Use
from adjudicator.engine.text.source import Source

MOST_RUNS = 100
"""How often a verb's rule is run to see what its orders can be about."""
Name = str | int
"""The name of a galley, a piece, an offer; a number that is one."""


class State(StrEnum):
    """How far a thing is decided."""

    OPEN = "open"
    """It must still be decided."""
    FREE = "free"
    """It may be used, and needn't be."""
    DECIDED = "decided"
    """A line of the sheet decides it."""
    PAST = "past"
    """It was decided before the phase opened for this sheet."""


class Left(Struct, frozen=True, omit_defaults=True):
    """One thing that the orders of a phase can be about.

    `subject` is its name, None if the orders are about their player: a bid, a list of wishes. `verbs` are those of its
    orders, each with the fields that may name it, none without a name. `must`: it has to be decided on. `by` is the
    place of the line that decides it, and `count` how many are left of what is counted: sailors to place.
    """

    phase: str
    subject: Name | None
    verbs: Mapping[str, tuple[str, ...]]
    state: State
    must: bool = False
    by: str = ""
    count: int | None = None


def left_in(
    rulebook: Rulebook[Any], view: Any, me: Player, sheet: Sheet | None = None, *, must: bool = False
) -> tuple[Left, ...]:
    """What is left for `me`, with that player's view, in each phase that a sheet is asked for now; without a `sheet`
    what there is to decide. Of later phases it is what is known of them now. `must`: only what must be decided.
    """
    asked = asked_at(rulebook, view.options, view.phase.name)
    if me not in view.phase.due or (must and not any(map(verbs_that_decide, asked))):
        return ()
    table = Steps(rulebook, view, sheet or Sheet(me, Source("", None)))
    return tuple(each for course in table.courses() for each in left_of(course, me, must=must))


def verbs_that_decide(phase: Phase[Any]) -> Verbs:
    """The verbs of a phase whose orders decide what must be decided."""
    return {name: verb for name, verb in phase.verbs.items() if any(use.decide for use in verb.uses or ())}


class Course(Struct):
    """How a player's orders for one phase went, as far as that can be known: the positions between them, the first one
    before them all, what became of them, and the events of the phase.
    """

    phase: Phase[Any]
    positions: Sequence[Any]
    understood: Sequence[UnderstoodOrder] = ()
    events: Sequence[Event[Any]] = ()


class Steps(Check):
    """The table of a check that remembers the positions between a player's own orders.

    What a phase does once the orders are done, or instead of them, comes after that.
    """

    def __init__(self, rulebook: Rulebook[Any], view: Any, sheet: Sheet) -> None:
        super().__init__(rulebook, view, sheet)
        self.positions = [self.state]
        every = [*(sheet.orders or ()), *chain.from_iterable(sheet.later.values())]
        self.own = {each.place() for order in every for each in with_else(order)}

    def courses(self) -> Iterator[Course]:
        """How the orders of each phase go for which a sheet is asked."""
        opened = self.state
        self.take_in()
        yield Course(self.phase, self.positions, self._own(0), tuple(self.events))
        phases = iter(asked_at(self.rulebook, opened.options, self.phase.name)[1:])
        for phase in phases:
            self.positions = [opened]
            if not self.go_on_to(phase.name):
                yield from (Course(each, [opened]) for each in (phase, *phases))
                return
            count = len(self.understood)
            self.try_ahead(self.sheet.later.get(phase.name, ()))
            yield Course(self.phase, self.positions, self._own(count))

    def _own(self, since: int) -> list[UnderstoodOrder]:
        """What was understood since then of the sheet's orders, without those that the rules give in their place."""
        return [each for each in self.understood[since:] if each.place in self.own]

    def carry_out(
        self, player: Player, order: Order, verbs: Verbs | None = None, *, unfit: Unfit | None = None
    ) -> bool:
        """Carries an order out, and remembers where that leads to; False if nothing was done."""
        done = super().carry_out(player, order, verbs, unfit=unfit)
        if order.source is self.sheet.source and self.state is not self.positions[-1]:
            self.positions.append(self.state)
        return done

    def try_ahead(self, orders: Sequence[Order]) -> None:
        """Begins a new phase."""
        self.positions = [self.state]
        super().try_ahead(orders)


# -- what orders can be about ----------------------------------------------------------------------------------------


class Naming(Clicking):
    """A table at which some fields are given, by name; the run ends at the pick of a wanted or a needed one."""

    def __init__(self, state: Any, me: Player, given: Mapping[str, Any], wanted: Sequence[str]) -> None:
        super().__init__(state, me, ())
        self.given, self.wanted = given, wanted
        self.skipped: list[tuple[str, Domain[Any]]] = []

    def pick(self, field: str, among: Domain[Any], *, rule: str, default: Any = ...) -> Any:
        """The given value, else the default; else raises `Fork`."""
        value = self.given.get(field, LEFT_OUT)
        if value is not LEFT_OUT:
            return among.read(value)
        if default is ... or (field in self.wanted and field not in self.given):
            raise Fork(field, among, default, rule)
        if field not in self.given:
            self.skipped.append((field, among))
        return None if default is None else among.read(default)

    def run(self, rule: Rule[Any]) -> Fork | bool:
        """The pick at which the run ends, or whether there may be an order: yes, if it is refused after a field was
        left out.
        """
        return run_at(rule, self) or bool(self.skipped)


class Thing(Struct, frozen=True):
    """What an order of a verb can be about: the field that names it, and its name; neither, if it is about the player.
    `past`: nothing more can be done with it.
    """

    field: str = ""
    name: Name | None = None
    past: bool = False


def things(verb: Verb[Any], state: Any, me: Player, known: set[Thing]) -> Iterator[Thing]:
    """What an order of the verb can be about in a position, as far as the next field that it needs, and isn't `known`
    yet.
    """
    over = {use.once.key for use in verb.uses or () if use.once and use.decide}
    wanted, open_ = fields_that_name(verb), [dict[str, Any]()]
    for _ in range(MOST_RUNS):
        if not open_:
            return
        given = open_.pop()
        table = Naming(state, me, given, wanted)
        fork = table.run(verb.rule)
        if wanted:  # a field that may be left out can lead elsewhere: from a player, not from a port
            skipped = {field: LEFT_OUT for field, _ in table.skipped}
            for name, among in table.skipped:
                if isinstance(among, OneOf):
                    open_ += [{**given, **skipped, name: value} for value in among.values()]
            given = given | skipped
        found = list[Thing]()
        if not wanted:
            found = [Thing()] if (_has_values(fork.among) if isinstance(fork, Fork) else fork) else []
        elif isinstance(fork, Fork) and fork.field not in wanted:
            open_ += [{**given, fork.field: value} for value in some_values(fork.among)]
        elif isinstance(fork, Fork) and isinstance(fork.among, OneOf):
            names = [*fork.among.values()]
            found = [Thing(fork.field, name) for name in names]
            but = fork.among.but if over else {}  # the reasons are worked out when they are listed
            found += [Thing(fork.field, name, past=True) for name, why in but.items() if why.key in over]
            if fork.default is not ...:
                open_.append({**given, fork.field: LEFT_OUT})
            if {*wanted[: wanted.index(fork.field)]} & {*verb.needed}:
                open_ += [{**given, fork.field: name} for name in names]
        for each in found:
            if each not in known and (
                not each.field or each.past or _goes_on(verb, table, {**given, each.field: each.name})
            ):
                known.add(each)
                yield each


def fields_that_name(verb: Verb[Any]) -> tuple[str, ...]:
    """The fields by which the verb's orders differ in what they are about; none if only one of them is to be decided
    on, or if it names several things at once.
    """
    alone = [use for use in verb.uses or () if use.decide and "{" not in use.what]
    return () if alone else verb.subject or ()


def _goes_on(verb: Verb[Any], table: Naming, given: Mapping[str, Any]) -> bool:
    """Can an order begin with these fields, as far as the next one that it needs? The table is used again."""
    table.given, table.wanted, table.skipped = given, (), []
    end = table.run(verb.rule)
    return _has_values(end.among) if isinstance(end, Fork) else end


def _has_values(domain: Domain[Any]) -> bool:
    """Has a domain any value, as far as that can be seen at a glance?"""
    if isinstance(domain, Walk):
        return bool(domain.borders[domain.start])
    if isinstance(domain, OneOf):
        return bool(domain.among)
    return not domain.listed or next(domain.values(), None) is not None


# -- what the orders of a sheet decide -------------------------------------------------------------------------------


def left_of(course: Course, me: Player, *, must: bool = False) -> Iterator[Left]:
    """What is left in a phase after a player's orders. `must`: only what must be decided."""
    taken, found = limits_taken(course), dict[Any, _Group]()
    for name, verb in (verbs_that_decide(course.phase) if must else course.phase.verbs).items():
        uses = [use for use in verb.uses or () if use.once or use.decide]
        for thing in _things_somewhere(verb, course.positions, me):
            decide, limit, by = None, "", ""
            for use in uses:
                what = use.limit_of({thing.field: thing.name})
                if use.decide and decide is None:
                    decide, limit = use, what
                if use.once and not by:
                    by = taken.get(what, "")
            key = limit or (name if thing.name is None else ("", thing.name))
            group = found.setdefault(key, _Group(thing.name, decide, limit))
            group.past = group.past and thing.past
            verbs = group.used if by else group.verbs
            fields = verbs.setdefault(name, ())
            if thing.field and thing.field not in fields:
                verbs[name] = (*fields, thing.field)
            group.by = by or group.by
    for group in found.values():
        yield group.left(course, me, taken)


class _Group(Struct):
    """Orders of several verbs about one thing: those that can still be given, and those that are used up."""

    name: Name | None
    decide: Use | None
    limit: str
    verbs: dict[str, tuple[str, ...]] = field(default_factory=dict)
    used: dict[str, tuple[str, ...]] = field(default_factory=dict)
    by: str = ""
    past: bool = True

    def left(self, course: Course, me: Player, taken: Mapping[str, str]) -> Left:
        """What is left of it."""
        state, by, count = State.FREE if self.verbs else State.DECIDED, "" if self.verbs else self.by, None
        if self.decide is not None:
            count = None if self.decide.once else _count(course, me, self.limit)
            by = taken.get(self.limit, "") if not count else ""
            state = State.DECIDED if by else State.PAST if self.past or count == 0 else State.OPEN
        must = self.decide is not None
        return Left(course.phase.name, self.name, {**self.used, **self.verbs}, state, must, by, count)


def _count(course: Course, me: Player, what: str) -> int | None:
    """How much is left of a limit after the orders; None if its player can't know."""
    try:
        return course.phase.limits(course.positions[-1], me)[what].most
    except Unknown:
        return None


def _things_somewhere(verb: Verb[Any], positions: Sequence[Any], me: Player) -> Iterator[Thing]:
    """What an order of the verb can be about wherever it stands in the sheet."""
    known, decide = set[Thing](), bool([use for use in verb.uses or () if use.decide])
    for index, state in enumerate([positions[0], *positions[:0:-1]]):
        if index < 2 or decide or not known:
            yield from things(verb, state, me, known)


def limits_taken(course: Course) -> dict[str, str]:
    """By limit of which an order takes: the place of the last one that isn't refused."""
    found: dict[str, str] = {}
    for each in course.understood:
        verb = course.phase.verbs.get(next(iter(each.order), ""))
        if verb is not None and is_meant(each):
            found |= {what: each.place for use in verb.uses or () if (what := use.limit_of(each.order))}
    return found


def barred(phase: Phase[Any], view: Any, me: Player, names: Sequence[str]) -> dict[str, list[Reason]]:
    """By name, for those that no order of the phase can be about now: why not, verb by verb."""
    found: dict[str, list[Reason]] = {}
    admitted: set[str] = set()
    for fork in subject_picks(phase, view, me):
        for name in names:
            try:
                fork.admits.read(int(name) if name.isdecimal() else name)
                admitted.add(name)
            except Refused as refused:
                found.setdefault(name, []).append(refused.under(fork.rule).reason)
    return {name: whys for name, whys in found.items() if name not in admitted}


def subject_picks(phase: Phase[Any], view: Any, me: Player) -> Iterator[Fork]:
    """The picks at which orders of the phase name what they are about, where nothing must be picked before."""
    for verb in phase.verbs.values():
        subject = verb.subject or ()
        fork = Naming(view, me, {}, subject).run(verb.rule)
        if isinstance(fork, Fork) and fork.field in subject:
            yield fork


# -- in words --------------------------------------------------------------------------------------------------------


def open_things(left: Iterable[Left], texts: Texts) -> str:
    """What is still open, in words: `move: venice-3, venice-4; bid`; empty if nothing is."""
    said, found = words(texts)["check"], dict[str, list[str]]()
    for each in left:
        if each.state is State.OPEN:
            verbs = said["left-or"].join(each.verbs)
            if each.count is not None:
                verbs = said["left-count"].format(verb=verbs, count=each.count)
            found.setdefault(verbs, []).extend([] if each.subject is None else [str(each.subject)])
    return habits(texts)["apart"].join(
        f"{verbs}: {fact_text(names, habits(texts))}" if names else verbs for verbs, names in found.items()
    )


def sentence_of_open(left: Sequence[Left], texts: Texts) -> str:
    """What is still open of all that must be decided, in a sentence; empty if nothing is."""
    every = [each for each in left if each.must and each.state is not State.PAST]
    open_, told = sum(each.state is State.OPEN for each in every), open_things(every, texts)
    said: str = words(texts)["check"]["left" if len(every) > 1 else "left-one"]
    return said.format(open=open_, all=len(every), things=told) if told else ""
