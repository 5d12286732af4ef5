"""A player's own check of a sheet, on that player's view: its orders, and those for the phases that they lead to.

Checks what those who act before a player in the same phase may change: what they can prevent, or make possible.

The player's orders are tried again in each position that, by the rulebook, those players can bring about
(`Phase.beforehand`). Without it, nothing that comes after others' orders is certain (`OrderTrial.course`).

The account of a sheet before it is carried out: what will become of each order as far as its player can know, and
what that may still become.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.library.texts import problems_at, texts_of
from adjudicator.engine.play.account import (
    Doubt,
    Finding,
    OrderAccount,
    UnderstoodOrder,
    Word,
    accounts,
    with_else,
)
from adjudicator.engine.play.instructing import take_standing, warnings_on_entries
from adjudicator.engine.play.stops import standing_orders
from adjudicator.engine.play.trying import OrderTrial
from adjudicator.engine.play.view import do_others_come_first, is_unseen
from adjudicator.engine.sheets.sheet import NOT_DUE, Order, Sheet
from adjudicator.engine.table.event import Due, Event, Head, Opened, Player, Remarked
from adjudicator.engine.table.rulebook import Phase, Rulebook
from adjudicator.engine.table.secret import Unknown
from adjudicator.engine.table.table import Rule
from adjudicator.engine.text.problem import Problem, Severity


def reckon_with_others(check: OrderTrial, view: Any) -> None:
    """Marks the orders for the open phase that others can prevent, and the refused ones that may yet be possible."""
    phase, sheet = check.rulebook.phase(view.phase.name), check.sheet
    if not sheet.orders or phase.beforehand is None or not do_others_come_first(phase, view, sheet.player):
        return
    conditional = {each.place() for order in sheet.orders for each in with_else(order) if each.conditions}
    good, refused = set[str](), set[str]()
    with suppress(Unknown):
        for other in phase.beforehand(view, sheet.player):
            for each in orders_as_understood(check.rulebook, other, sheet):
                (good if each.good else refused).add(each.place)
    for index, each in enumerate(check.understood):
        if each.phase or not each.tried:
            continue
        if each.good and each.place in refused | conditional:
            check.understood[index] = replace(each, preventable=True)
        elif not each.good and not each.doubtful and each.place in good:
            check.understood[index] = replace(each, depends=True)
    for index, said in enumerate(check.said):
        if said.severity == "error" and said.order in good:
            check.said[index] = replace(said, severity="may")


def orders_as_understood(rulebook: Rulebook[Any], position: Any, sheet: Sheet) -> list[UnderstoodOrder]:
    """How the orders would fare in a position, for those that would be tried there."""
    trial = OrderTrial(rulebook, position, sheet)
    take_standing(trial, sheet)
    trial.course()
    return [each for each in trial.understood if each.tried]


def foreseen_accounts(
    orders: Sequence[Order],
    phase: Phase[Any],
    events: Iterable[Event[Any]],
    understood: Iterable[UnderstoodOrder],
    said: Iterable[Finding],
) -> tuple[OrderAccount, ...]:
    """What will become of the orders for one phase, from what a check made of them: its events, how it understood each
    order, and all that it said.
    """
    known = {each.place: each for each in understood}
    found = [_with_doubts(each, known) for each in accounts(orders, phase, events, waiting=False)]
    homes = dict[str, list[Finding]]()
    places = {place for each in found for place in _places_of(each)}
    for each in said:
        homes.setdefault(each.place if each.place in places else each.order, []).append(each)
    own = {order.place() for order in orders}
    return tuple(_with_findings(each, homes) for each in found if each.place in own)


def _places_of(found: OrderAccount) -> Iterator[str]:
    yield found.place
    for each in (*found.parts, *found.otherwise):
        yield from _places_of(each)


def _with_findings(found: OrderAccount, homes: Mapping[str, Sequence[Finding]]) -> OrderAccount:
    return replace(
        found,
        findings=tuple(homes.get(found.place, found.findings)),
        parts=tuple(_with_findings(each, homes) for each in found.parts),
        otherwise=tuple(_with_findings(each, homes) for each in found.otherwise),
    )


def _with_doubts(
    found: OrderAccount,
    known: Mapping[str, UnderstoodOrder],
    *,
    outer: Doubt | None = None,
    above: Doubt | None = None,
) -> OrderAccount:
    """The account, with what may still become of the order, its parts and its `else`. `outer` is what is in doubt of
    the order that it is a part of, `above` of those in whose `else` it stands.
    """
    found = _with_own_doubt(found, known.get(found.place))
    if found.may is None and outer is not None:
        found = replace(found, may=_opposite(found.word), doubt=outer)
    if found.may is None and above is not None and found.word is not Word.WAITS:
        tried = found.word is not Word.NOT_NEEDED
        found = replace(found, may=Word.NOT_NEEDED if tried else Word.DONE, doubt=above)
    parts = tuple(_with_doubts(each, known, outer=found.doubt) for each in found.parts)
    open_ = next((each.doubt for each in parts if each.may is not None), None)
    if found.may is None and open_ is not None:
        found = replace(found, may=Word.PARTLY if found.word is Word.DONE else Word.DONE, doubt=open_)
    others, doubt = list[OrderAccount](), found.doubt
    if found.word is Word.WAITS:
        doubt = Doubt.UNKNOWN
    for each in found.otherwise:
        others.append(_with_doubts(each, known, above=doubt))
        doubt = doubt or _doubt_within(others[-1])
    return replace(found, parts=parts, otherwise=tuple(others))


def _doubt_within(found: OrderAccount) -> Doubt | None:
    """What is in doubt of an order or of its `else`, and so of what comes after them."""
    doubts = (_doubt_within(each) for each in found.otherwise)
    return found.doubt or next((each for each in doubts if each is not None), None)


def _with_own_doubt(found: OrderAccount, how: UnderstoodOrder | None) -> OrderAccount:
    """The account of an order by what a check knows of it alone."""
    if how is None:
        return found
    # Nothing of it was tried: what is faulty is sure to fail in a later phase, and isn't refused before the rest.
    if how.waits:
        failed = bool(how.phase) and not how.good
        return replace(found, word=Word.NOTHING if failed else Word.WAITS, phase=how.phase)
    doubt = None
    if how.tried and how.doubtful:
        doubt = Doubt.CONDITION
    elif how.tried and how.good and how.preventable:
        doubt = Doubt.OTHERS
    elif how.tried and (how.depends or ((how.good or how.partly) and how.unsure)):
        doubt = Doubt.UNKNOWN
    may = None if doubt is None else _opposite(found.word)
    if doubt is Doubt.UNKNOWN and how.partly and not how.depends:  # what was refused of it can't be helped
        may = Word.NOTHING
    if doubt is None and how.tried and how.halfway and found.word is Word.DONE:
        may, doubt = Word.PARTLY, Doubt.UNKNOWN
    return replace(found, may=may, doubt=doubt, phase=how.phase)


def _opposite(word: Word) -> Word:
    """What an order becomes if what it depends on turns out otherwise."""
    return Word.DONE if word in (Word.NOTHING, Word.PARTLY) else Word.NOTHING


FURTHEST = 16
"""How many phases, at most, a check goes on to try orders for later ones."""


class CheckResult(Struct, frozen=True):
    """The result of a check: the first problems in order of place, the orders as understood, the reason for each
    problem, and the account of the sheet as far as its player can know it.
    """

    problems: tuple[Problem, ...]
    understood: tuple[UnderstoodOrder, ...]
    said: tuple[Finding, ...] = ()
    accounts: tuple[OrderAccount, ...] = ()


class Check(OrderTrial):
    """The table of a check, which can go on to later phases."""

    def run(self) -> None:
        """Takes in the standing instructions and carries out every order as far as can be known."""
        take_standing(self, self.sheet)
        for event in self.events:
            if isinstance(event, Remarked):
                self.say(event.place, event.reason, "warning")
        for flaw in warnings_on_entries(self.rulebook, self.state, self.sheet):
            self.say(self.sheet.source.place(flaw.path), flaw.reason, "warning")
        wanted = {**(self.sheet.phases or {}), **self.sheet.later}
        in_force = self._in_force()
        if self.sheet.orders is not None:
            self.course()
        elif self.phase.name in (self.sheet.phases or {}) and self.sheet.player in self.due:
            # Such standing instructions are in force from this phase on, and apply in it if a deadline closes it.
            self.try_ahead(wanted.pop(self.phase.name))
        else:
            self.play_without_orders(in_force.get(self.phase.name))
        self.look_ahead(wanted, in_force)
        for warned, path, reason in self.warned:
            if warned is not None:
                self.say(warned.place(path), reason, "warning", warned.place())

    def take_in(self) -> None:
        """Takes in the standing instructions and carries out the orders, without reporting them."""
        take_standing(self, self.sheet)
        self.course()

    def _in_force(self) -> dict[str, Sequence[Order]]:
        """The standing orders for phases from an earlier sheet that this one leaves in force."""
        if self.sheet.phases is not None:
            return {}
        found = {
            phase.name: standing_orders(self.state, self.sheet.player, phase.name)
            for phase in self.rulebook.phases
        }
        return {name: orders for name, orders in found.items() if orders is not None}

    def look_ahead(
        self, wanted: Mapping[str, Sequence[Order]], in_force: Mapping[str, Sequence[Order]] | None = None
    ) -> None:
        """Tries orders for phases to come, in the position to which the sheet leads as far as that can be known.

        Others act before, so what is found there is marked `may`, unless all are still apart. For a phase that can't be
        reached this way, only the schema's findings are reported. Where the sheet has no orders, orders `in_force` take
        their place, or what the rules do for a player who sent nothing.
        """
        left, me, turn = dict(wanted), self.sheet.player, self.state.phase.turn
        for _ in range(FURTHEST):
            own = any(self.rulebook.phase(name).own_turn for name in left)
            if not left or not self._go_on() or (self.state.phase.turn != turn and not own):
                break
            if not self._may_take_part(me):
                continue
            if self.phase.name in left:
                self.try_ahead(left.pop(self.phase.name))
            elif self.phase.name not in wanted:
                self.play_without_orders((in_force or {}).get(self.phase.name))
        self.unsure = True
        for self.ahead, orders in left.items():
            for order in orders:
                self.note_flaws(order)

    def _may_take_part(self, player: Player) -> bool:
        """Has the player a seat in the phase, as far as can be known? Others' standing instructions may decide it."""
        try:
            return player in self.phase.seats(self.state)
        except Unknown:
            return True

    def try_ahead(self, orders: Sequence[Order]) -> None:
        """Tries orders for the later phase that the table has reached."""
        self.ahead = self.phase.name
        self.sheets[self.sheet.player] = replace(self.sheet, orders=tuple(orders))
        self.course()

    def play_without_orders(self, standing: Sequence[Order] | None) -> None:
        """Plays the phase as if no orders came for it: by the standing orders, else by what the rules do then. Reports
        no findings.
        """
        with self.silence():
            if standing is not None:
                self.try_ahead(standing)
            else:
                self.sheets.pop(self.sheet.player, None)
                self.course()

    def go_on_to(self, name: str) -> bool:
        """Goes on to the next phase of that name in the turn; False if it isn't reached."""
        turn = self.state.phase.turn
        for _ in range(FURTHEST):
            if not self._go_on() or self.state.phase.turn != turn:
                return False
            if self.phase.name == name:
                return True
        return False

    def _go_on(self) -> bool:
        """Goes on to the phase that follows, as far as can be known; False if that isn't known or the match ends."""
        me, head, apart = self.sheet.player, self.state.phase, self.phase.apart
        self.staked |= self._at_stake()
        self.turn_to("", None)
        try:
            self._as_far_as_known(self.phase.closes)
            self.phase.clears(self)
            following = self.rulebook.after(self.state)
        except Unknown:
            return False
        if following is None:
            return False
        self.phase = self.rulebook.phase(following.phase)
        self.unsure = self.unsure or not (apart and is_unseen(self.phase))
        opened = Head(head.number + 1, following.phase, following.turn)
        self.play(Opened(rule=self.phase.chapter, phase=opened))
        self._as_far_as_known(self.phase.opens)
        self.turn_to("", None)
        self.play(Due(rule=self.phase.chapter, players=(me,)))
        return True

    def _as_far_as_known(self, rule: Rule[Any]) -> None:
        """Does what happens between orders, up to what nobody can know yet."""
        try:
            rule(self)
        except Unknown:
            self.unsure = True


def check_sheet(rulebook: Rulebook[Any], view: Any, sheet: Sheet) -> CheckResult:
    """Checks a sheet on its player's view, with the code that will adjudicate it."""
    check = Check(rulebook, view, sheet)
    for flaw in sheet.flaws_as_a_whole(view.phase.due):
        severity: Severity = "warning" if flaw.reason.key == NOT_DUE else "error"
        check.say(sheet.source.place(flaw.path, key=flaw.key), flaw.reason, severity)
    check.run()
    reckon_with_others(check, view)
    said = without_repetitions(check.said)
    problems = problems_at([(each.place, each.reason, each.severity) for each in said], texts_of(rulebook))
    found = tuple(
        account
        for phase, orders in orders_by_phase(sheet, view.phase.name)
        for account in foreseen_accounts(orders, rulebook.phase(phase), check.events, check.understood, said)
    )
    if sheet.player not in view.phase.due:  # none of the orders for the open phase was tried
        idle = {order.place() for order in sheet.orders or ()}
        found = tuple(_without_effect(each) if each.place in idle else each for each in found)
    return CheckResult(tuple(problems), tuple(check.understood), tuple(said), found)


def _without_effect(found: OrderAccount) -> OrderAccount:
    """The account of an order that can't count, because its player isn't due, and of its parts and its `else`."""
    parts, otherwise = map(_without_effect, found.parts), map(_without_effect, found.otherwise)
    return replace(found, word=Word.NOTHING, parts=tuple(parts), otherwise=tuple(otherwise))


def orders_by_phase(sheet: Sheet, now: str) -> Iterator[tuple[str, Sequence[Order]]]:
    """The orders of a sheet, each list with the name of its phase; `now` is the open one."""
    yield now, sheet.orders or ()
    yield from sheet.later.items()
    yield from (sheet.phases or {}).items()


def without_repetitions(said: Sequence[Finding]) -> list[Finding]:
    """The findings without repetitions, and without warnings at places that are also called wrong."""

    def what(each: Finding) -> tuple[str, str, str]:
        return each.place, each.reason.rule, each.reason.key

    wrong = {what(each) for each in said if each.severity == "error"}
    once: dict[tuple[str, ...], Finding] = {}
    for each in said:
        once.setdefault((*what(each), each.severity, repr(each.reason.facts)), each)
    return [each for each in once.values() if each.severity != "warning" or what(each) not in wrong]
