"""The referee: carries out the sheets of one phase, and opens the next.

Orders carried out on what their player knows: as the referee does, up to what nobody can know yet.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NoReturn

from msgspec.structs import replace

from adjudicator.engine.play.asking import Asking
from adjudicator.engine.play.inbox import AnswerAwaited, Inbox, Outcome, alternatives, outlasts_refusal
from adjudicator.engine.play.instructing import take_standing
from adjudicator.engine.play.stops import open_next, seat_after_seat, standing_orders
from adjudicator.engine.play.view import is_unseen, position_by_own_orders
from adjudicator.engine.sheets.sheet import KEYWORDS, Order, Sheet, order_from_position, step_at
from adjudicator.engine.table.dice import Dice, Die, ScriptedDice
from adjudicator.engine.table.event import OrderRefused, Player, Remarked
from adjudicator.engine.table.position import WaitingOrder
from adjudicator.engine.table.reason import Reason, Refused
from adjudicator.engine.table.rulebook import Pace, Rulebook, Unfit, nothing
from adjudicator.engine.table.secret import Unknown
from adjudicator.engine.table.table import Question, Verbs
from adjudicator.engine.text.source import Path, Source
from adjudicator.engine.text.syntax import shortened
from adjudicator.engine.text.writing import in_a_line

LONGEST_NAMED = 200
"""The most characters with which a refused order is quoted."""
REPLIES = (OrderRefused, Remarked)
"""Events that change nothing: the player is told what became of an order."""


class Referee(Asking):
    """The table of the real game, which carries out a phase's sheets."""

    def __init__(
        self, rulebook: Rulebook[Any], state: Any, inbox: Inbox, dice: Dice, *, strict: bool = False
    ) -> None:
        super().__init__(rulebook, state, inbox, dice, strict=strict)
        self.events.extend(inbox.notes)
        self.opened = state
        self.served: set[Player] = set()  # players who had an order carried out
        self.unheard: list[Order] = []  # orders whose turn never came
        self.carried: Path = ()  # the path in its sheet of the order carried out last
        self.parts: list[bool] = []  # of each part of the current order, whether it brought about anything

    @property
    def due(self) -> Sequence[Player]:
        """The due players, in order of playing, whatever order the position lists them in."""
        due: Sequence[Player] = self.state.phase.due
        if self.phase.pace is Pace.ONE_BY_ONE:
            return due
        seats = [player for player in self.phase.seats(self.state) if player in due]
        return [*seats, *[player for player in due if player not in seats]]

    @property
    def over(self) -> bool:
        """Has the match ended in the middle of the phase?"""
        return self.phase.over is not None and self.phase.over(self.state)

    def adjudicate(self) -> None:
        """Carries out the phase's sheets, closes it and opens the next. Raises `AnswerAwaited`."""
        for player in self.state.players:
            if player in self.sheets:
                take_standing(self, self.sheets[player])
        self._stand_in()
        self.phase.course(self)
        self.unheard = self._left_out()
        self.turn_to("", None)
        open_next(self, self.phase)
        if self.strict and self.unheard and not self.state.phase.over:
            raise AssertionError(self.phase.name, [order.plain for order in self.unheard])

    def _left_out(self) -> list[Order]:
        """The due players' orders that the phase's course has left out."""
        return [order for who in self.due for order in self.orders(who) if id(order) not in self.turn_came]

    def _stand_in(self) -> None:
        """Uses standing orders for due players who sent nothing else for the phase."""
        for player in self.due:
            none = self.sent(player) or player in self.inbox.in_vain
            standing = None if none else standing_orders(self.state, player, self.phase.name)
            if standing is not None:
                self.sheets[player] = Sheet(player, Source(f"sheets/{player}.yaml", None), standing)

    def carry_out(
        self, player: Player, order: Order, verbs: Verbs | None = None, *, unfit: Unfit | None = None
    ) -> bool:
        """Carries out an order, or refuses it whole and tries those of its `else`; False if nothing was done.

        An order that came to nothing, as each of its parts was refused, is as good as refused.
        """
        if self.used and id(order) in self.used:
            return True
        self.turn_came.add(id(order))
        self.turn_to(player, order)
        around, self.parts, heard, self.heard = self.parts, [], self.heard, False
        known = verbs or self.phase.verbs
        plain = order.verb in known and not (order.flaws or order.conditions or unfit)
        broken = None if plain else self._why_not_begin(order, known, unfit)
        if broken is not None:
            self._refuse(order, broken)
        refused = broken is not None or self._run_rule(known[order.verb].rule, order) is None
        self.parts, self.heard = around, heard or self.heard
        if refused:
            self.refused.add(id(order))
            return any(self.carry_out(player, other, verbs, unfit=unfit) for other in order.otherwise)
        self.served.add(player)
        self.carried = order.path
        for field in self.fields:
            if field not in self.taken:
                reason = Reason("SHEET", "unneeded", {"field": field, "verb": order.verb})
                self.remark(player, reason, order.place((field,), key=True))
        return True

    def _run_rule(
        self, rule: Callable[[Any], bool | None], order: Order, *, part: bool = False
    ) -> bool | None:
        """Runs the rule of an order, or of a part of it; None if it was refused, or came to nothing, and so changed
        nothing. Else what the rule returns, True if it returns nothing.

        An order whose parts all brought about nothing came to nothing, unless it heard something: a throw, a revealed
        secret or an answer. So an `else` is never a second throw, nor a second look.
        """
        before, count, used, player = self.state, len(self.events), self.used, self.me
        refused: Refused | None = None
        try:
            done = rule(self)
        except Refused as why:
            refused = why
        else:
            if part or done is not None or self.heard or not self.parts or True in self.parts:
                return done is not False
        self.state, self.used = before, used
        told = self.events[count:]
        if refused is None:  # each part was refused, and says why
            self.events[count:] = [event for event in told if type(event) in REPLIES]
        else:
            self.events[count:] = [event for event in told if outlasts_refusal(event, player)]
        for event in self.events[count:]:
            self.state = event.apply(self.state)
        self.turn_to(player, order)
        if refused is not None:
            self._refuse(order, refused, part=part)
        return None

    def keep_waiting(self, order: Order) -> WaitingOrder:
        """The order as the position keeps it while it waits for a later phase."""
        self.turn_came.add(id(order))
        return WaitingOrder(order.plain, order.place())

    def pass_over(self, player: Player, order: Order, why: Reason) -> None:
        """Skips an order that nothing can come of any more, and tells its player why."""
        self.turn_came.add(id(order))
        self.remark(player, why, order.place())

    def taken_up(self, waiting: WaitingOrder) -> Order:
        """An order that has waited, ready to be carried out."""
        return order_from_position(waiting.order, waiting.at)

    def unforeseen(self, player: Player) -> None:
        """Does nothing: the referee knows everything that the player does."""

    def finish(
        self, player: Player, *, absent: bool = False, present: bool = False, again: bool = False
    ) -> None:
        """Does what the phase does when a player's orders are done, or if there is no sheet (or `absent`: as if there
        were none); nothing if the player is asked `again`.

        At a deadline the rules decide also for a player whose orders all came to nothing, since nobody is asked for a
        better sheet; not if the phase needs no decision of that player, who is `present` then.
        """
        self.turn_to(player, None)
        idle = self.phase.done is nothing and self.phase.absent is nothing
        if idle or (again and not self.inbox.deadline):
            return
        in_vain = self.inbox.deadline and bool(self.orders(player)) and player not in self.served
        if absent or (in_vain and not present) or not self.sent(player):
            self.phase.absent(self)
        self.phase.done(self)

    def _why_not_begin(self, order: Order, verbs: Verbs, unfit: Unfit | None) -> Refused | None:
        """What refuses an order before its rule runs: a flaw, its place, its verb, its `if:`."""
        steps = verbs[order.verb].steps if order.verb in verbs else ()
        for flaw in order.flaws:
            path = flaw.path[len(order.path) :]
            if not (len(path) > 1 and path[0] in steps):
                return Refused(flaw.reason, path, key=flaw.key)
        why = None if unfit is None else unfit(order)
        if why is not None:
            return Refused(why)
        if order.verb not in verbs:
            key = "verb-first" if order.verb in KEYWORDS else "unknown-verb"
            return Refused(Reason("SHEET", key, {"value": order.verb, "possible": list(verbs)}))
        return self._condition(order) if order.conditions else None

    def _condition(self, order: Order) -> Refused | None:
        """The first fact of `if:` that isn't true."""
        return self.views.first_untrue(self.position_for_if(order), self.me, order)

    def position_for_if(self, order: Order) -> Any:
        """The position for the order's `if:`: in a phase played all at once, without what others do."""
        if order.conditions and is_unseen(self.phase):
            return position_by_own_orders(self.opened, self.events, self.me)
        return self.state

    def _refuse(self, order: Order, refused: Refused, *, part: bool = False) -> None:
        place = ":".join(order.place(refused.path, key=refused.key).rsplit(":", 2)[1:])
        field = str(refused.path[0]) if refused.path else ""
        thing = order.fields.get(order.verb)
        named = order.verb if thing is None else f"{order.verb}: {in_a_line(thing)}"
        ending = f", {field}" if part and field else ""  # `OrderRefused.of_part` looks for it
        event = OrderRefused(
            rule=refused.reason.rule,
            to=(self.me,),
            player=self.me,
            verb=shortened(named, LONGEST_NAMED - len(ending)) + ending,
            reason=refused.reason,
            place=place,
            field=field,
            part=part and not field,
        )
        self.play(event)

    def to_come(self, who: Player) -> Sequence[Mapping[str, Any]] | None:
        """The orders whose turn is still to come; None (unknown) for later seats where each has its own folder."""
        if who in self.state.phase.due or not seat_after_seat(self.state, self.phase):
            orders = [order for order in self.orders(who) if id(order) not in self.turn_came]
            return [fields for order in orders for fields in alternatives(order)]
        seats = list(self.phase.seats(self.state))
        return None if seats.index(who) > seats.index(self.me) else ()

    def step(self, field: str, index: int, verbs: Verbs, but: Collection[Path] = ()) -> Path | None:
        """Carries out one of the orders that the field holds."""
        order, fields, taken, player = self.order, self.fields, self.taken, self.me
        assert order is not None
        own = len(order.path)
        first = step_at(order, field, index, fields[field][index])
        ways: tuple[Order, ...] = (first,)
        if but:
            others = tuple([other for other in first.otherwise if other.path[own:] not in but])
            ways = others if first.path[own:] in but else (replace(first, otherwise=others),)
        done = any(self.carry_out(player, way, verbs) for way in ways)
        self.parts.append(done)
        self.turn_to(player, order)
        self.fields, self.taken = fields, (*taken, field)
        return self.carried[own:] if done else None

    def part(self, rule: Callable[[Any], bool | None]) -> bool:
        """Carries out a part of the order, which may be refused alone; `Table.part` says what it returns."""
        assert self.order is not None
        taken, around, count = self.taken, self.parts, len(self.events)
        self.parts = []
        done = self._run_rule(rule, self.order, part=True)
        self.taken = (*taken, *self.taken)
        within, self.parts = self.parts, around
        told = self.events[count:]
        if within and done is not None:
            around += within
        elif told:  # a part of which nothing is told, such as no lines, wasn't asked for
            around.append(bool([each for each in told if type(each) not in REPLIES]))
        return bool(done)


def advance(
    rulebook: Rulebook[Any], state: Any, inbox: Inbox, dice: Dice, *, strict: bool = False
) -> Outcome:
    """Adjudicates the open phase: a pure function of position, sheets, answers and dice."""
    referee = Referee(rulebook, state, inbox, dice, strict=strict)
    try:
        referee.adjudicate()
    except AnswerAwaited as awaited:
        return Outcome(referee.state, tuple(referee.events), awaited.player, awaited.question)
    return Outcome(referee.state, tuple(referee.events))


class OwnView(Referee):
    """The table of a player's own view. At an ask, a throw or another's secret the order counts as good; what follows
    is `unsure`.
    """

    def __init__(self, rulebook: Rulebook[Any], view: Any, sheet: Sheet) -> None:
        super().__init__(rulebook, view, Inbox({sheet.player: sheet}), ScriptedDice(()))
        self.sheet, self.unsure = sheet, False

    def carry_out(
        self, player: Player, order: Order, verbs: Verbs | None = None, *, unfit: Unfit | None = None
    ) -> bool:
        """Carries an order out like the referee, but stops at what can't be known; False if nothing was done."""
        try:
            return super().carry_out(player, order, verbs, unfit=unfit)
        except Unknown:
            self.unsure = True
            self.carried = order.path
            return True

    def ask(self, who: Player, question: Question[Any, Any]) -> Any:
        """Nobody knows the answer yet: goes on only if it is plain which answer the order's player wants."""
        self.unsure = self.heard = True
        hoped = question.hoped(self.state)
        if hoped is None:
            raise Unknown
        return hoped

    def throw(self, die: Die, *what: str, rule: str, player: Player = "") -> NoReturn:
        """Stops: nobody knows the throw yet."""
        raise Unknown

    def shuffle(self, items: Sequence[str], *what: str, rule: str) -> NoReturn:
        """Stops: nobody knows the shuffle yet."""
        raise Unknown

    def unforeseen(self, player: Player) -> None:
        """Makes all that follows uncertain if the player is another one: nobody knows what that player does."""
        self.unsure = self.unsure or player != self.sheet.player

    def to_come(self, who: Player) -> Sequence[Mapping[str, Any]] | None:
        """Stops if another player is meant: nobody knows others' orders."""
        if who != self.sheet.player:
            raise Unknown
        return super().to_come(who)

    def position_for_if(self, order: Order) -> Any:
        """The position for the order's `if:`: in the open phase as the referee sees it, in a later one as it opens."""
        return (
            super().position_for_if(order)
            if self.state.phase.number == self.opened.phase.number
            else self.state
        )
