"""The referee: carries out the sheets of one phase, and opens the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn, TypeVar

import msgspec
from msgspec import Struct

from adjudicator.engine.dice import Dice, Die
from adjudicator.engine.event import (
    Due,
    Event,
    Head,
    Opened,
    OrderRefused,
    Player,
    Remarked,
    Shuffled,
    Stood,
    Thrown,
)
from adjudicator.engine.probe import question_put
from adjudicator.engine.reader import Reader
from adjudicator.engine.reason import Reason, Refused
from adjudicator.engine.rulebook import Breach, Pace, Phase, Rulebook
from adjudicator.engine.secret import Secret, plain_of
from adjudicator.engine.sheet import Order, Sheet, order_of, place_in
from adjudicator.engine.source import Path
from adjudicator.engine.table import Instruction, Question, Rule, Setting, Verb

S = TypeVar("S")
A = TypeVar("A")
T = TypeVar("T")


class Awaited(Exception):
    """The phase waits for a player's answer: the control signal of live pacing."""

    def __init__(self, player: Player, question: Question[Any, Any]) -> None:
        super().__init__(player)
        self.player, self.question = player, question


class BrokenRule(Exception):
    """A rule has left a position that can't be: a bug in the rulebook."""


class Answer(Struct, frozen=True):
    """One entry of an answer file, verb first, and where it stands."""

    verb: str
    fields: Mapping[str, Any]
    place: str


class Inbox(Struct, frozen=True):
    """All that came in for a phase. `waits`: questions wait for an answer (live pacing, no deadline)."""

    sheets: Mapping[Player, Sheet] = {}
    answers: Mapping[Player, tuple[Answer, ...]] = {}
    notes: tuple[Event[Any], ...] = ()
    waits: bool = False


class Outcome(Struct, frozen=True):
    """What came of a phase: its events and the position after them, unless it waits."""

    state: Any
    events: tuple[Event[Any], ...]
    waiting: Player = ""
    question: Question[Any, Any] | None = None


class Referee(Reader):
    """The table of the game as it is really played, and the hearing of its sheets."""

    def __init__(
        self, rulebook: Rulebook[Any], state: Any, inbox: Inbox, dice: Dice, *, strict: bool = False
    ) -> None:
        super().__init__({})
        self.rulebook, self.state, self.inbox, self.dice, self.strict = rulebook, state, inbox, dice, strict
        self.events: list[Event[Any]] = list(inbox.notes)
        self.me: Player = ""
        self.order: Order | None = None
        self.used: set[int] = set()
        self._by: str | None = ""

    # -- the phase ----------------------------------------------------------------------------------------------

    @property
    def phase(self) -> Phase[Any]:
        """The phase that is open."""
        return self.rulebook.phase(self.state.phase.name)

    @property
    def due(self) -> Sequence[Player]:
        """Who is due, in order of playing."""
        due: Sequence[Player] = self.state.phase.due
        return due

    def adjudicate(self) -> None:
        """Carries out the phase's sheets, closes it and opens the next. Raises `Awaited`."""
        phase = self.phase
        for player in self.state.players:
            if player in self.inbox.sheets:
                self._take_standing(self.inbox.sheets[player])
        phase.course(self)
        self._seat("", None)
        if not self._next_seat(phase):
            phase.closes(self)
            self._seat("", None)
            self._open_next()

    def orders(self, player: Player) -> Sequence[Order]:
        """The player's orders that no one else's has been matched with."""
        sheet = self.inbox.sheets.get(player)
        if sheet is None or sheet.orders is None or player not in self.due:
            return ()
        return [order for order in sheet.orders if id(order) not in self.used]

    def carry_out(self, player: Player, order: Order, verbs: Mapping[str, Verb[Any]] | None = None) -> bool:
        """Carries out an order, or refuses it whole and tries those of its `else`; False if nothing was done."""
        if id(order) in self.used:
            return True
        before, count = self.state, len(self.events)
        self._seat(player, order)
        try:
            self._begin(order, verbs or self.phase.verbs)(self)
        except Refused as refused:
            self.state = before
            del self.events[count:]
            self._seat(player, order)
            self._refuse(order, refused)
            return any(self.carry_out(player, other, verbs) for other in order.otherwise)
        for field in self.unneeded():
            reason = Reason("SHEET", "unneeded", {"field": field, "verb": order.verb})
            self._remark(player, reason, order.place((field,), key=True))
        return True

    def finish(self, player: Player) -> None:
        """What the phase does when a player's orders are done, or when there is no sheet."""
        self._seat(player, None)
        sheet = self.inbox.sheets.get(player)
        if sheet is None or sheet.orders is None:
            self.phase.absent(self)
        self.phase.done(self)

    def _begin(self, order: Order, verbs: Mapping[str, Verb[Any]]) -> Rule[Any]:
        for flaw in order.flaws:
            raise Refused(flaw.reason, flaw.path[len(order.path) :], key=flaw.key)
        broken = self._condition(order)
        if broken:
            raise broken
        if order.verb not in verbs:
            raise Refused(Reason("SHEET", "unknown-verb", {"value": order.verb, "possible": list(verbs)}))
        return verbs[order.verb].rule

    def _condition(self, order: Order) -> Refused | None:
        """The first fact of `if:` that isn't true."""
        return broken_condition(self.rulebook, self.state, order)

    def _refuse(self, order: Order, refused: Refused) -> None:
        place = order.place(refused.path, key=refused.key).partition(":")[2]
        field = str(refused.path[0]) if refused.path else ""
        verb = str(order.fields.get(order.verb, "")) if order.verb else ""
        named = f"{order.verb}: {verb}" if verb else order.verb
        event = OrderRefused(
            rule=refused.reason.rule,
            to=(self.me,),
            player=self.me,
            verb=named,
            reason=refused.reason,
            place=place,
            field=field,
        )
        self.play(event)

    def _remark(self, player: Player, reason: Reason, place: str) -> None:
        self.play(Remarked(rule=reason.rule, to=(player,), player=player, reason=reason, place=place))

    def _take_standing(self, sheet: Sheet) -> None:
        """Takes in standing instructions; a bad entry is dropped alone and said."""
        player = sheet.player
        for key, plain in sheet.standing.items():
            kind = self.rulebook.standing[key]
            if isinstance(kind, Setting):
                taken = self._standing_entry(sheet, ("standing", key), plain, kind)
            else:
                found = [
                    self._standing_entry(sheet, ("standing", key, i), each, kind)
                    for i, each in enumerate(plain)
                ]
                taken = [entry for entry in found if entry is not None]
            held = plain_of(self.state.players[player].standing.value)
            if taken is not None and taken != held.get(key):
                place = place_in(sheet.source, ("standing", key), key=True)
                entries = Secret(taken)
                self.play(
                    Stood(rule=kind.rule, by=place, to=(player,), player=player, key=key, entries=entries)
                )

    def _standing_entry(self, sheet: Sheet, path: Path, plain: Any, kind: Instruction[Any] | Setting) -> Any:
        for flaw in sheet.flaws:
            if flaw.path[: len(path)] == path:
                self._remark(sheet.player, flaw.reason, place_in(sheet.source, flaw.path, key=flaw.key))
                return None
        try:
            if isinstance(kind, Setting):
                return plain_of(kind.among.read(plain))
            return plain_of(kind.read(Reader(plain), self.state, sheet.player))
        except Refused as refused:
            self._remark(sheet.player, refused.reason, place_in(sheet.source, (*path, *refused.path)))
            return None

    # -- what comes next ----------------------------------------------------------------------------------------

    def _next_seat(self, phase: Phase[Any]) -> bool:
        """In live pacing a phase in order of playing goes on with the next seat, in a folder of its own."""
        if self.state.options.pacing != "live" or phase.pace is not Pace.IN_ORDER or not self.due:
            return False
        seats = list(phase.seats(self.state))
        rest = who_can(self.state, phase, seats[seats.index(self.due[-1]) + 1 :])
        if not rest:
            return False
        head = self.state.phase
        self.play(Opened(rule=phase.chapter, phase=Head(head.number + 1, head.name, head.turn)))
        self.play(Due(rule=phase.chapter, players=rest[:1]))
        return True

    def _open_next(self) -> None:
        following = self.rulebook.after(self.state)
        number = self.state.phase.number + 1
        if following is None:
            self.play(Opened(rule=self.phase.chapter, phase=Head(number, "end", self.state.phase.turn)))
            return
        phase = self.rulebook.phase(following.phase)
        self.play(Opened(rule=phase.chapter, phase=Head(number, following.phase, following.turn)))
        phase.opens(self)
        self._seat("", None)
        due = who_can(self.state, phase, phase.seats(self.state))
        if self.state.options.pacing == "live" and phase.pace is Pace.IN_ORDER:
            due = due[:1]
        if due:
            self.play(Due(rule=phase.chapter, players=due))

    # -- the table ----------------------------------------------------------------------------------------------

    @property
    def by(self) -> str:
        """The place of the order that is being carried out."""
        if self._by is None:
            assert self.order is not None
            self._by = self.order.place()
        return self._by

    def ask(self, who: Player, question: Question[S, A]) -> A:
        """The decision: an order that meets it, an answer, a standing instruction; else it waits, or the default."""
        met = self._order_that_meets(who, question)
        if met is not None:
            return met
        answer = self._answered(who, question)
        if answer is not None:
            return answer
        standing = question.standing(self.state, who)
        if standing is not None:
            return standing
        if self.inbox.waits and question.waits:
            raise Awaited(who, question)
        return question.default(self.state)

    def throw(self, die: Die, *what: str, rule: str, player: Player = "") -> int:
        """Throws a die and says so."""
        face = self.dice.throw(die, what)
        self.play(Thrown(rule=rule, what=what, face=face, player=player or self.me))
        return face

    def shuffle(self, items: Sequence[str], *what: str, rule: str) -> tuple[str, ...]:
        """Draws an order by lot; who may see it is for the rulebook to say."""
        order = self.dice.shuffle(items, what)
        self.play(Shuffled(rule=rule, what=what, order=tuple(Secret(item) for item in order)))
        return order

    def reveal(self, secret: Secret[T]) -> T:
        """The value of another player's secret."""
        return secret.value

    def play(self, event: Event[Any]) -> None:
        """Applies an event and records it with the line that caused it."""
        if self.order is not None and not event.by:
            event = msgspec.structs.replace(event, by=self.by)
        self.state = event.apply(self.state)
        self.events.append(event)
        if self.strict:
            for check in self.rulebook.invariants:
                breach = check(self.state)
                if breach:
                    raise BrokenRule(event, breach)

    def refuse(self, rule: str, why: str, **facts: Any) -> NoReturn:
        """Gives the order up after an ask."""
        raise Refused(Reason(rule, why, facts))

    def steps(self, field: str, verbs: Mapping[str, Verb[Any]]) -> None:
        """Carries out the orders that the field holds."""
        order, fields, taken, player = self.order, self.fields, self.taken, self.me
        assert order is not None
        for index, plain in enumerate(fields.get(field, ())):
            step = order_of(order.source, (*order.path, field, index), plain, {})
            self.carry_out(player, step, verbs)
        self._seat(player, order)
        self.fields, self.taken = fields, [*taken, field]

    # -- inside -------------------------------------------------------------------------------------------------

    def _seat(self, player: Player, order: Order | None) -> None:
        self.me, self.order, self.taken = player, order, []
        self.fields = order.fields if order else {}
        self._by = None if order else ""

    def _order_that_meets(self, who: Player, question: Question[Any, A]) -> A | None:
        if type(question).meets is Question.meets:
            return None
        for order in self.orders(who):
            put = question_put(self.rulebook, self.phase, self.state, who, order)
            met = question.meets(put) if put is not None else None
            if met is not None:
                self.used.add(id(order))
                return met
        return None

    def _answered(self, who: Player, question: Question[Any, A]) -> A | None:
        names = question.names()
        for answer in self.inbox.answers.get(who, ()):
            if answer.verb == question.verb and all(
                answer.fields.get(key, value) == value for key, value in names.items()
            ):
                try:
                    return question.answer(Reader(answer.fields), self.state)
                except Refused as refused:
                    self._remark(who, refused.reason, answer.place)
        return None


def who_can(state: Any, phase: Phase[Any], players: Sequence[Player]) -> tuple[Player, ...]:
    """Those of the players for whom some order is possible, by what is public; with `skip` off, all."""
    return tuple(player for player in players if not state.options.skip or phase.can(state, player))


def broken_condition(rulebook: Rulebook[Any], state: Any, order: Order) -> Refused | None:
    """The first fact of the order's `if:` that isn't true now."""
    for name, wanted in order.conditions.items():
        condition = rulebook.condition
        if condition is None or not condition.holds(state, name, wanted):
            return Refused(Reason("SHEET", "if-false", {"name": name, "wanted": wanted}), ("if", name))
    return None


def breaches(rulebook: Rulebook[Any], state: Any) -> list[Breach]:
    """Everything about a position that can't be."""
    found = [check(state) for check in rulebook.checks]
    return [breach for breach in found if breach is not None]


def advance(
    rulebook: Rulebook[Any], state: Any, inbox: Inbox, dice: Dice, *, strict: bool = False
) -> Outcome:
    """Adjudicates the open phase: a pure function of position, sheets, answers and dice."""
    referee = Referee(rulebook, state, inbox, dice, strict=strict)
    try:
        referee.adjudicate()
    except Awaited as awaited:
        return Outcome(referee.state, tuple(referee.events), awaited.player, awaited.question)
    return Outcome(referee.state, tuple(referee.events))
