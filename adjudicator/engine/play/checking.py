"""A player's own check of a sheet, on that player's view: as the referee, up to what nobody can know yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NoReturn

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.play.inbox import Inbox
from adjudicator.engine.play.instructing import odd_entries, take_standing
from adjudicator.engine.play.referee import Referee
from adjudicator.engine.play.stops import standing_orders
from adjudicator.engine.sheets.sheet import NOT_DUE, Order, Sheet, place_in
from adjudicator.engine.sheets.words import problems_at
from adjudicator.engine.table.dice import Die, Scripted
from adjudicator.engine.table.event import Due, Head, Opened, OrderRefused, Player, Remarked
from adjudicator.engine.table.reason import Reason, Refused
from adjudicator.engine.table.rulebook import Held, Rulebook
from adjudicator.engine.table.secret import Secret, Unknown
from adjudicator.engine.table.table import Question, Rule, Verb
from adjudicator.engine.text.problem import Problem, Severity
from adjudicator.engine.text.source import Path

MOST_PHASES_AHEAD = 16
"""How many phases a check goes on, at most, to try orders sent ahead."""


class Understood(Struct, frozen=True):
    """An order as it was understood: its place, its text, and whether it is good as far as can be known.

    Not `tried` is one of an `else` where the one before it was carried out; `held` one that waits for a phase between.
    `phase` is for which later phase it is, empty for the open one.
    """

    place: str
    order: Mapping[str, Any]
    good: bool
    tried: bool = True
    held: bool = False
    phase: str = ""


class Said(Struct, frozen=True):
    """A problem as it was found: where (`sheets/venice.yaml:7:5`), why, how bad it is, and the order's own place."""

    place: str
    reason: Reason
    severity: Severity
    order: str = ""


class Checked(Struct, frozen=True):
    """What a check found: problems in order of place, the first of many, the orders as understood, and why each
    problem is one."""

    problems: tuple[Problem, ...]
    understood: tuple[Understood, ...]
    said: tuple[Said, ...] = ()


class Check(Referee):
    """The table of a check: at an ask, a throw or a secret the order counts as good, and what follows is less sure."""

    def __init__(self, rulebook: Rulebook[Any], view: Any, sheet: Sheet) -> None:
        super().__init__(rulebook, view, Inbox({sheet.player: sheet}), Scripted(()))
        self.sheet, self.unsure = sheet, False
        self.within = False  # is an order being carried out, of which others are parts?
        self.ahead = ""  # the later phase whose orders are tried
        self.understood: list[Understood] = []
        self.said: list[Said] = []
        self.warned: list[tuple[Order | None, Path, Reason]] = []

    def run(self) -> None:
        """Takes in the standing instructions and carries out every order as far as can be known."""
        take_standing(self, self.sheet)
        for event in self.events:
            if isinstance(event, Remarked):
                self._say(event.place, event.reason, "warning")
        for flaw in odd_entries(self.rulebook, self.state, self.sheet):
            self._say(place_in(self.sheet.source, flaw.path), flaw.reason, "warning")
        self.course()
        self.look_ahead({**(self.sheet.phases or {}), **self.sheet.later}, self._in_force())
        for warned, path, reason in self.warned:
            if warned is not None:
                self._say(warned.place(path), reason, "warning")

    def hear(self) -> None:
        """Takes in the standing instructions and carries out the orders, and says nothing of them."""
        take_standing(self, self.sheet)
        self.course()

    def course(self) -> None:
        """Carries out the player's orders in the phase, up to what nobody can know."""
        if self.orders(self.sheet.player):
            try:
                self.phase.course(self)
            except Unknown:
                self.unsure = True

    def _in_force(self) -> dict[str, Sequence[Order]]:
        """The standing orders for phases that an earlier sheet laid down, and this one leaves in force."""
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

        Others act before: what is found there is marked `may`. For a phase that isn't reached so, only what the schema
        says is said. Orders `in_force` stand in where none are wanted, and nothing is said of them.
        """
        left, me, turn = dict(wanted), self.sheet.player, self.state.phase.turn
        self.unsure = True
        for _ in range(MOST_PHASES_AHEAD):
            own = any(self.rulebook.phase(name).own_turn for name in left)
            if not left or not self._onward() or (self.state.phase.turn != turn and not own):
                break
            if self.phase.name in left and self._may_take_part(me):
                self.try_ahead(left.pop(self.phase.name))
            elif in_force and self.phase.name in in_force and self.phase.name not in wanted:
                said, understood, warned = len(self.said), len(self.understood), len(self.warned)
                self.try_ahead(in_force[self.phase.name])
                del self.said[said:], self.understood[understood:], self.warned[warned:]
        for self.ahead, orders in left.items():
            for order in orders:
                self._say_flaws(order)
                self.understood.append(
                    Understood(order.place(), order.fields, not order.flaws, held=True, phase=self.ahead)
                )

    def _may_take_part(self, player: Player) -> bool:
        """Has the player a seat in the phase, as far as can be known? What others have laid down may decide it."""
        try:
            return player in self.phase.seats(self.state)
        except Unknown:
            return True

    def try_ahead(self, orders: Sequence[Order]) -> None:
        """Tries orders for the phase that the table has gone on to."""
        self.ahead = self.phase.name
        self.sheets[self.sheet.player] = replace(self.sheet, orders=tuple(orders))
        self.course()

    def onward_to(self, name: str) -> bool:
        """Goes on to the next phase of that name in the turn; False where it isn't reached."""
        turn = self.state.phase.turn
        for _ in range(MOST_PHASES_AHEAD):
            if not self._onward() or self.state.phase.turn != turn:
                return False
            if self.phase.name == name:
                return True
        return False

    def _onward(self) -> bool:
        """Goes on to the phase that follows, as far as can be known; False where that isn't known, or it is the end."""
        me, head = self.sheet.player, self.state.phase
        self.turn_to("", None)
        try:
            with suppress(Unknown):
                self.phase.closes(self)
            following = self.rulebook.after(self.state)
        except Unknown:
            return False
        if following is None:
            return False
        self.phase = self.rulebook.phase(following.phase)
        opened = Head(head.number + 1, following.phase, following.turn)
        self.play(Opened(rule=self.phase.chapter, phase=opened))
        with suppress(Unknown):
            self.phase.opens(self)
        self.turn_to("", None)
        self.play(Due(rule=self.phase.chapter, players=(me,)))
        return True

    def _say_flaws(self, order: Order) -> None:
        """All that the schema says against an order and those of its `else`."""
        for flaw in order.flaws:
            place = place_in(order.source, flaw.path, key=flaw.key)
            self._say(place, flaw.reason, "error", order.place())
        for other in order.otherwise:
            self._say_flaws(other)

    def carry_out(self, player: Player, order: Order, verbs: Mapping[str, Verb[Any]] | None = None) -> bool:
        """As the referee, but stops at what can't be known; says of each order, also of `else`, how it fared."""
        if self.within:
            return self._tried(player, order, verbs)
        self._say_flaws(order)
        count, unsure, self.within = len(self.events), self.unsure, True
        done = self._tried(player, order, verbs)
        self.within = False
        for event in self.events[count:]:
            if isinstance(event, OrderRefused) and event.rule != "SCHEMA":
                severity: Severity = "may" if unsure else "error"
                self._say(f"{order.source.name}:{event.place}", event.reason, severity, event.by)
            elif isinstance(event, Remarked):
                self._say(event.place, event.reason, "warning")
        return done

    def hold(self, order: Order) -> Held:
        """An order that waits for a phase between is looked at then."""
        self._say_flaws(order)
        self.understood.append(
            Understood(order.place(), order.fields, not order.flaws, held=True, phase=self.ahead)
        )
        return super().hold(order)

    def finish(self, player: Player) -> None:
        """What a phase does when orders are done is nothing that a sheet is to blame for."""

    def _tried(self, player: Player, order: Order, verbs: Mapping[str, Verb[Any]] | None) -> bool:
        place, before, count = len(self.understood), order.place(), len(self.events)
        try:
            done = super().carry_out(player, order, verbs)
        except Unknown:
            done = self.unsure = True
        refused = any(isinstance(event, OrderRefused) and event.by == before for event in self.events[count:])
        if refused:
            self.warned = [each for each in self.warned if each[0] is not order]
        self.understood.insert(
            place, Understood(before, order.fields, done and not refused, phase=self.ahead)
        )
        if refused:
            places = {each.place for each in self.understood[place:]}
            for other in order.otherwise:
                if other.place() not in places:
                    self.understood.append(
                        Understood(other.place(), other.fields, good=False, tried=False, phase=self.ahead)
                    )
        return done

    def part(self, rule: Rule[Any]) -> bool:
        """As the referee; what was understood of a part that is refused counts for nothing."""
        count = len(self.understood)
        done = super().part(rule)
        if not done:
            del self.understood[count:]
        return done

    def warn(self, rule: str, why: str, *path: str | int, **facts: Any) -> None:
        """Odd, if the order is accepted."""
        self.warned.append((self.order, path, Reason(rule, why, facts)))

    def ask(self, who: Player, question: Question[Any, Any]) -> Any:
        """Nobody knows the answer yet; the order counts as good, and goes on only where what is hoped for is plain."""
        self.unsure = True
        hoped = question.hoped(self.state)
        if hoped is None:
            raise Unknown
        return hoped

    def throw(self, die: Die, *what: str, rule: str, player: Player = "") -> NoReturn:
        """Nobody knows the throw yet."""
        raise Unknown

    def shuffle(self, items: Sequence[str], *what: str, rule: str) -> NoReturn:
        """Nobody knows the order yet."""
        raise Unknown

    def to_come(self, who: Player) -> NoReturn:
        """Nobody knows another's orders."""
        raise Unknown

    def reveal(self, secret: Secret[Any]) -> Any:
        """Another's secret, unless this player may see it."""
        return secret.value

    def seen(self, order: Order) -> Any:
        """No others' orders are known, in whatever phase."""
        return self.state

    def _condition(self, order: Order) -> Refused | None:
        """A fact of `if:` that isn't true may still come true, by what others do before."""
        broken = super()._condition(order)
        if broken:
            self._say(order.place(broken.path), broken.reason, "may")
        return None

    def _say(self, place: str, reason: Reason, severity: Severity, order: str = "") -> None:
        self.said.append(Said(place, reason, severity, order))


def check_sheet(rulebook: Rulebook[Any], view: Any, sheet: Sheet) -> Checked:
    """Everything that can be said of a sheet on its player's view, by the code that will adjudicate it."""
    check = Check(rulebook, view, sheet)
    for flaw in sheet.flaws_as_a_whole(view.phase.due):
        severity: Severity = "warning" if flaw.reason.key == NOT_DUE else "error"
        check._say(place_in(sheet.source, flaw.path, key=flaw.key), flaw.reason, severity)
    check.run()
    problems = problems_at([(each.place, each.reason, each.severity) for each in check.said], rulebook.key)
    return Checked(tuple(problems), tuple(check.understood), tuple(check.said))
