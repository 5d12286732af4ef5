"""Tries a player's orders on what the player knows, and notes what is to be said of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from operator import and_
from typing import Any, NoReturn

from msgspec.structs import replace

from adjudicator.engine.play.account import Finding, UnderstoodOrder, UsedUp, names_in, with_else
from adjudicator.engine.play.listing import refusal
from adjudicator.engine.play.referee import OwnView, Referee
from adjudicator.engine.play.view import do_others_come_first, is_unseen
from adjudicator.engine.sheets.sheet import Order, Sheet, path_of_innermost_order
from adjudicator.engine.table.dice import Die
from adjudicator.engine.table.domain.names import NAME
from adjudicator.engine.table.event import Event, OrderRefused, Player, Remarked
from adjudicator.engine.table.position import WaitingOrder
from adjudicator.engine.table.reason import Flaw, Reason, Refused
from adjudicator.engine.table.rulebook import Rulebook, Unfit
from adjudicator.engine.table.secret import Unknown
from adjudicator.engine.table.table import Question, Verbs
from adjudicator.engine.text.problem import Severity
from adjudicator.engine.text.source import Path


class OrderTrial(OwnView):
    """The table of a check, which notes how each order fared, and what is wrong or uncertain."""

    def __init__(self, rulebook: Rulebook[Any], view: Any, sheet: Sheet) -> None:
        super().__init__(rulebook, view, sheet)
        self.asked = False  # has the current order asked another player?
        self.thrown = False  # has it come as far as a throw?
        self.halfway = False  # does one of its parts depend on what nobody knows yet?
        self.within = False  # is an order with orders inside it being carried out?
        self.placeless = False  # has the current order no place, as things are known now?
        self.ahead = ""  # the later phase whose orders are being tried
        self.doubted: dict[str, int] = {}  # orders whose `if` isn't true now, with the events so far
        self.understood: list[UnderstoodOrder] = []
        self.said: list[Finding] = []
        self.warned: list[tuple[Order | None, Path, Reason]] = []
        self.staked: dict[str, Reason] = {}  # names that others' decisions may remove meanwhile
        self.used_up = UsedUp()

    def course(self) -> None:
        """Carries out the player's orders in the phase, until one depends on what the player can't know."""
        if self.sheet.player in self.due:
            self.unsure = self.unsure or (self.phase.beforehand is None and self._others_first())
            try:
                self.phase.course(self)
            except Unknown:
                self.unsure = True

    def _others_first(self) -> bool:
        """Do others act before the player, or between the player's orders?"""
        return do_others_come_first(self.phase, self.state, self.sheet.player)

    @contextmanager
    def silence(self) -> Iterator[None]:
        """Suppresses the problems found meanwhile."""
        said, understood, warned = len(self.said), len(self.understood), len(self.warned)
        yield
        del self.said[said:], self.understood[understood:], self.warned[warned:]

    def finish(
        self, player: Player, *, absent: bool = False, present: bool = False, again: bool = False
    ) -> None:
        """Does what a phase does when orders are done, or instead of them; the sheet isn't blamed for it."""
        with self.silence():
            try:
                super().finish(player, absent=absent, present=present, again=again)
            except Unknown:
                self.unsure = True

    def say(self, place: str, reason: Reason, severity: Severity, order: str = "") -> None:
        """Notes a problem, with the place of its order."""
        self.said.append(Finding(place, reason, severity, order))

    def say_flaws(self, order: Order) -> None:
        """Notes everything the schema finds wrong with an order and those of its `else`."""
        for flaw in order.flaws:
            place, home = order.source.place(flaw.path, key=flaw.key), self._home_of(flaw, order)
            self.say(place, self._with_what_is_possible(order, flaw), "error", order.source.place(home))
        for other in order.otherwise:
            self.say_flaws(other)

    def _home_of(self, flaw: Flaw, order: Order) -> Path:
        """The path of the innermost order that a flaw lies in: the order, one inside it, or one of its `else`."""
        verb, end = self.rulebook.phase(self.ahead or self.phase.name).verbs.get(order.verb), len(order.path)
        inside = verb is not None and len(flaw.path) > end + 1 and flaw.path[end] in verb.steps
        return path_of_innermost_order(flaw.path, end + 2) if inside else order.path

    def _with_what_is_possible(self, order: Order, flaw: Flaw) -> Reason:
        """Why the schema refuses a name, with the names that the order's rule admits there, if it comes that far."""
        reason, verb = flaw.reason, self.phase.verbs.get(order.verb)
        if verb is None or flaw.key or type(reason.facts.get("value")) not in NAME:
            return reason
        if reason.key == "over-lines":
            return reason
        refused = refusal(verb, self.state, self.sheet.player, order.fields)
        possible = refused.reason.facts.get("possible") if refused is not None else None
        if refused is None or (*order.path, *refused.path) != flaw.path or not possible:
            return reason
        known = reason.facts.get("possible", ())
        return Reason(reason.rule, "unknown-here", {**reason.facts, "possible": possible, "known": known})

    def _say_unfit(self, order: Order, unfit: Unfit | None) -> list[str]:
        """Notes which orders of an `else` can't take this order's place, whether or not they are tried. Returns their
        places.

        It does so too if the order itself no longer has a place. Whether it has one may depend on what nobody knows.
        """
        places = []
        self.placeless = self.unsure and unfit is not None and unfit(order) is not None
        for other in with_else(order):
            why = None if other.flaws or unfit is None else unfit(other)
            if why is not None:
                places.append(other.place())
                self.say(other.place(), why, "may" if self.placeless else "error", order.place())
        return places

    def carry_out(
        self, player: Player, order: Order, verbs: Verbs | None = None, *, unfit: Unfit | None = None
    ) -> bool:
        """Carries an order out as far as can be known; False if nothing was done.

        Notes for each order, including those of `else`, how it fared.
        """
        if self.within:
            return self._try(player, order, verbs, unfit)
        self.say_flaws(order)
        misplaced = self._say_unfit(order, unfit)
        count, unsure, self.within = len(self.events), self.unsure, True
        known, before, opened = len(self.understood), self._at_stake(), (self.state, self.used)
        done = self._try(player, order, verbs, unfit)
        self._try_untried(order, opened, verbs, unfit, unsure=unsure)
        self.within = False
        anew = {name: why for name, why in self._at_stake().items() if before.get(name) != why}
        self._say_stakes(order, known, anew)
        self.staked |= anew
        doubt, told = min(self.doubted.values(), default=len(self.events)), {*self.doubted, *misplaced}
        for index, event in enumerate(self.events[count:], count):
            if isinstance(event, OrderRefused) and event.rule != "SCHEMA" and event.by not in told:
                open_ = (unsure or index >= doubt) and not self._is_final(order, event.reason)
                self.say_refused(event, order, "may" if open_ else "error")
            elif isinstance(event, Remarked):
                self.say(event.place, event.reason, "warning", event.by)
        self.used_up.note(self.ahead, self.phase, order, self.understood[known:])
        self.unsure = self.unsure or bool(self.doubted)
        self.doubted = {}
        return done

    def _at_stake(self) -> Mapping[str, Reason]:
        """What the player may lose by others' decisions as things stand."""
        return self.rulebook.at_stake(self.state, self.sheet.player)

    def _say_stakes(self, order: Order, known: int, anew: Mapping[str, Reason]) -> None:
        """Notes where a good order names something that may be lost before it is carried out; what the order itself
        offers away doesn't count."""
        if not self.staked:
            return
        good = {each.place for each in self.understood[known:] if each.good and each.tried}
        for each in with_else(order):
            for path, name in names_in(each.fields) if each.place() in good else ():
                if name in self.staked and name not in anew:
                    self.unsure = True
                    self.say(each.place(path), self.staked[name], "may", order.place())

    def say_refused(self, event: OrderRefused, order: Order, severity: Severity) -> None:
        """Notes that an order, or one within it, is refused."""
        self.say(f"{order.source.name}:{event.place}", event.reason, severity, event.by)

    def keep_waiting(self, order: Order) -> WaitingOrder:
        """Tries an order now that would wait until another phase is over."""
        self.note_flaws(order)
        return super().keep_waiting(order)

    def pass_over(self, player: Player, order: Order, why: Reason) -> None:
        """Skips an order that nothing can come of any more, and says why."""
        super().pass_over(player, order, why)
        self.say_flaws(order)
        self.say(order.place(), why, "may" if self.unsure else "error", order.place())
        self.understood.append(
            UnderstoodOrder(order.place(), order.fields, good=False, depends=self.unsure, phase=self.ahead)
        )

    def note_flaws(self, order: Order) -> None:
        """Notes what the schema finds wrong with an order that can't be tried yet."""
        self.say_flaws(order)
        self.understood += (
            UnderstoodOrder(each.place(), each.fields, not each.flaws, waits=True, phase=self.ahead)
            for each in with_else(order)
        )

    def _try(self, player: Player, order: Order, verbs: Verbs | None, unfit: Unfit | None) -> bool:
        place, before, count, unsure = len(self.understood), order.place(), len(self.events), self.unsure
        self.asked = self.thrown = self.halfway = False
        done = super().carry_out(player, order, verbs, unfit=unfit)
        refused = self._refusals(count, before)
        if refused:
            self.warned = [each for each in self.warned if each[0] is not order]
        failed = bool(refused) or id(order) in self.refused
        good, doubtful = done and not failed, before in self.doubted
        misplaced = unfit is not None and unfit(order) and not self.placeless
        depends = failed and unsure and not (misplaced or self._is_refused_for_good(order, count))
        found = UnderstoodOrder(
            before,
            order.fields,
            good,
            partly=bool(refused) and id(order) not in self.refused,
            doubtful=doubtful,
            depends=depends,
            unsure=unsure or self.asked or (self.unsure and not self.thrown),
            halfway=self.halfway,
            phase=self.ahead,
        )
        self.understood.insert(place, found)
        if failed:
            places = {each.place for each in self.understood[place:]}
            for other in order.otherwise:
                if other.place() not in places:
                    self.understood.append(
                        UnderstoodOrder(
                            other.place(), other.fields, good=False, tried=False, phase=self.ahead
                        )
                    )
        return done

    def _is_refused_for_good(self, order: Order, since: int) -> bool:
        """Can't anything that others do save an order that came to nothing? Of one whose parts failed one by one, each
        must have failed for good.
        """
        told = [
            event
            for event in self.events[since:]
            if isinstance(event, OrderRefused | Remarked) and event.by == order.place()
        ]
        final = [event.reason.rule == "SCHEMA" or self._is_final(order, event.reason) for event in told]
        whole = [isinstance(event, OrderRefused) and not event.of_part for event in told]
        return any(map(and_, final, whole)) or (bool(final) and all(final))

    def _refusals(self, since: int, place: str) -> list[OrderRefused]:
        """The refusals of the order at a place, among the later events."""
        return [each for each in self.events[since:] if isinstance(each, OrderRefused) and each.by == place]

    def _is_final(self, order: Order, why: Reason) -> bool:
        """Is a refusal final, or does the order name something that isn't there and can't be before its turn?

        What standing orders name may come into being in a later turn, for which they apply too.
        """
        if why.key in self.rulebook.lasting or self.used_up.holds(self.ahead, self.phase, order):
            return True
        name = why.facts.get("value")
        if order.path[:1] == ("standing",):
            return False
        return isinstance(name, str) and self.rulebook.never(self.opened, name)

    def _run_rule(
        self, rule: Callable[[Any], bool | None], order: Order, *, part: bool = False
    ) -> bool | None:
        """Carries out an order as the referee does, and drops what was understood of a refused part."""
        count = len(self.understood)
        done = super()._run_rule(rule, order, part=part)
        if part and done is None:
            del self.understood[count:]
        return done

    def part(self, rule: Callable[[Any], bool | None]) -> bool:
        """Carries out a part of the current order, and notes whether it came to what nobody can know yet."""
        try:
            return super().part(rule)
        except Unknown:
            self.halfway = True
            raise

    def warn(self, rule: str, why: str, *path: str | int, **facts: Any) -> None:
        """Notes a warning about the order, which is told if the order is accepted."""
        self.warned.append((self.order, path, Reason(rule, why, facts)))

    def ask(self, who: Player, question: Question[Any, Any]) -> Any:
        """Notes that the current order asks somebody."""
        self.asked = True
        return super().ask(who, question)

    def throw(self, die: Die, *what: str, rule: str, player: Player = "") -> NoReturn:
        """Notes that the current order throws: whatever comes, it doesn't come to nothing."""
        self.thrown = True
        super().throw(die, *what, rule=rule, player=player)

    def _condition(self, order: Order) -> Refused | None:
        """Why the order is refused by its `if:`, as far as that can be known; None if it isn't.

        If a fact isn't true now, others may make it true first. So this tries the order as if it were true, and also
        what would replace it. If all are true, others may make one untrue first: what comes after the order is less
        certain.
        """
        broken = super()._condition(order)
        self.unsure = self.unsure or (bool(order.conditions) and self._others_first())
        alone = is_unseen(self.phase) or tuple(self.due) == (self.sheet.player,)
        if broken is None or (alone and not self.unsure):
            return broken
        self.doubted[order.place()] = len(self.events)
        self.say(order.place(broken.path), broken.reason, "may", order.place())
        self._suppose(order)
        return broken

    def _suppose(self, order: Order) -> None:
        """Notes what would be wrong with an order if its `if` were true, and undoes everything else."""
        with self._undone(order) as told:
            self._carry_out_alone(replace(order, conditions={}))
        for event in told:
            if isinstance(event, OrderRefused) and event.rule != "SCHEMA":
                self.say_refused(event, order, "may")
            elif isinstance(event, Remarked):
                self.say(event.place, event.reason, "warning", event.by)

    def _try_untried(
        self,
        order: Order,
        opened: tuple[Any, frozenset[int]],
        verbs: Verbs | None,
        unfit: Unfit | None,
        *,
        unsure: bool,
    ) -> None:
        """Notes what would be wrong with the orders of an `else` that weren't tried, had all above them come to
        nothing. `opened` is the position before the order.
        """
        tried = {each.place for each in self.understood if each.tried}
        for other in with_else(order):
            if other.place() in tried or other.flaws or (unfit is not None and unfit(other)):
                continue
            with self._undone(order) as told:
                self.state, self.used = opened
                self._carry_out_alone(other, verbs, unfit)
            for event in told:
                if isinstance(event, OrderRefused) and event.rule != "SCHEMA":
                    sure = not unsure or self._is_final(other, event.reason)
                    self.say_refused(event, other, "error" if sure else "may")

    def _carry_out_alone(self, order: Order, verbs: Verbs | None = None, unfit: Unfit | None = None) -> None:
        """Carries an order out without its `else`, as far as that can be known."""
        with suppress(Unknown):
            Referee.carry_out(self, self.me, replace(order, otherwise=()), verbs, unfit=unfit)

    @contextmanager
    def _undone(self, order: Order) -> Iterator[list[Event[Any]]]:
        """Undoes what the table does meanwhile for an order, and gives the events of it. Warnings stay if none of them
        is a refusal.
        """
        events, understood, warned = len(self.events), len(self.understood), len(self.warned)
        state, used, taken, parts, heard = self.state, self.used, self.taken, self.parts, self.heard
        turn_came, refused_before, served = set(self.turn_came), set(self.refused), set(self.served)
        doubted, unsure = dict(self.doubted), self.unsure
        told: list[Event[Any]] = []
        yield told
        told += self.events[events:]
        if any(isinstance(event, OrderRefused) for event in told):
            del self.warned[warned:]
        del self.events[events:], self.understood[understood:]
        self.state, self.used, self.doubted, self.unsure = state, used, doubted, unsure
        self.turn_came, self.refused, self.served = turn_came, refused_before, served
        self.parts, self.heard = parts, heard
        self.turn_to(self.sheet.player, order)
        self.taken = taken
