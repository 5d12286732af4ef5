"""The table: all that a rule can touch. Orders, other players' decisions and dice come in only through it.

A rule is a plain function of a table. The same function is run by the referee, by a player's check, and by the
drivers that list orders, describe forms and play at random, so these cannot disagree. Picks and requires come before
the first ask, throw, reveal or event; whether an order is accepted then depends on nothing its player may not know.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from enum import Enum
from typing import Any, ClassVar, Generic, NoReturn, Protocol, TypeVar, overload

from msgspec import Struct

from adjudicator.engine.table.dice import Die
from adjudicator.engine.table.domain import Domain, Flag
from adjudicator.engine.table.event import Event, Player
from adjudicator.engine.table.reason import Path
from adjudicator.engine.table.secret import Secret

S = TypeVar("S")
T = TypeVar("T")
A = TypeVar("A")


class Entry(Protocol):
    """What is read field by field: an order, a standing instruction, an answer."""

    @overload
    def pick(self, field: str, among: Domain[T], *, rule: str) -> T: ...
    @overload
    def pick(self, field: str, among: Domain[T], *, rule: str, default: None) -> T | None: ...
    @overload
    def pick(self, field: str, among: Domain[T], *, rule: str, default: Any) -> T: ...

    def pick(self, field: str, among: Domain[Any], *, rule: str, default: Any = ...) -> Any:
        """The field's value, if the domain admits it; else the order is refused with the rule and the place.

        A default stands for the field left out and must be admitted too; None means that nothing is chosen.
        """

    def require(self, ok: bool, rule: str, why: str, **facts: Any) -> None:
        """Refuses the order unless `ok`. `why` is a key into the texts, `facts` fill it in."""

    def prepared(self, ok: bool, rule: str, why: str, **facts: Any) -> None:
        """As `require`, of what orders above in the sheet can bring about: a page offers the order all the same."""

    def warn(self, rule: str, why: str, *path: str | int, **facts: Any) -> None:
        """Legal, but odd: its player's own `check` says so at `path` of the order, and nobody else ever hears of it.

        Before the first ask, throw, reveal or event, like picks and requires: a check comes no further.
        """


class Table(Entry, Protocol[S]):
    """What a rule is a function of."""

    state: S
    me: Player

    @property
    def by(self) -> str:
        """The place of the order that is being carried out: `sheets/venice.yaml:7:5`."""

    def ask(self, who: Player, question: Question[S, A]) -> A:
        """Another player's decision (or one's own, when it comes up): standing instruction, answer or default."""

    def throw(self, die: Die, *what: str, rule: str, player: Player = "") -> int:
        """A face of the die, recorded with what it is thrown for."""

    def shuffle(self, items: Sequence[str], *what: str, rule: str) -> tuple[str, ...]:
        """The items in an order drawn by lot, recorded."""

    def reveal(self, secret: Secret[T]) -> T:
        """The value of another player's secret."""

    def play(self, event: Event[S]) -> None:
        """Makes an event happen."""

    def mention(self, rule: str, why: str, *path: str | int, **facts: Any) -> None:
        """Tells the order's player, and nobody else, what no event tells of it; `path` leads to its place."""

    def refuse(self, rule: str, why: str, **facts: Any) -> NoReturn:
        """Gives up after an ask: the order changes nothing, and the reason may tell what the ask has shown."""

    def to_come(self, who: Player) -> Sequence[Mapping[str, Any]] | None:
        """The player's orders that are still to be carried out in this phase, as written, those of `else` among them.

        None where nobody knows yet. It is a secret of that player: of another only after an ask.
        """

    def step(
        self, field: str, index: int, verbs: Mapping[str, Verb[S]], but: Collection[Path] = ()
    ) -> Path | None:
        """Carries out one of the orders that the field holds, like an order of its own, or else its `else`.

        The path in this order of what was carried out, `("load", 1)` or `("load", 1, "else", 0)`; None if nothing was.
        Those at the paths `but` aren't tried.
        """

    def part(self, rule: Callable[[Table[S]], bool | None]) -> bool:
        """Carries out a part of the order: if it is refused, it alone changes nothing, and the order goes on.

        False if it was refused; else what the rule says, and True if it says nothing. Its picks may come after events:
        whether they are good is known no sooner.
        """


Rule = Callable[[Table[S]], None]


class Question(Struct, Generic[S, A], frozen=True):
    """A decision that comes up in an order, for a player to make. Its fields say what is asked.

    A rule puts it by `t.ask(player, Enter("cluj", "green"))` and gets what `answer`, `standing` or `default` returns: a
    value of the game's own choosing. An answer is verb first, like an order: `names()` are the fields that say which
    question it answers, `shapes` those and the fields that answer it. It is put in words by a macro of the class's name
    in the game's `questions.md.j2`. One without `shapes` is put to nobody: other players' orders alone meet it.
    """

    verb: ClassVar[str]
    """The first key of an answer."""
    rule: ClassVar[str]
    """The rule that asks."""
    shapes: ClassVar[Mapping[str, Domain[Any]]]
    """The type of each field of an answer, the verb's first."""
    needed: ClassVar[tuple[str, ...]] = ()
    """The fields without which an answer answers nothing."""
    waits: ClassVar[bool] = True
    """Does a phase wait for its answer in live pacing?"""

    @property
    def looks_back(self) -> bool:
        """May an order meet it that has been refused already?"""
        return False

    def names(self) -> Mapping[str, Any]:
        """The fields of an answer that name the question, the verb's first."""
        raise NotImplementedError

    def answer(self, entry: Entry, state: S) -> A:
        """The decision, read from the other fields of an answer."""
        raise NotImplementedError

    def standing(self, state: S, asked: Player) -> A | None:
        """The decision that the asked player's standing instructions make; None if nothing there fits."""
        return None

    def default(self, state: S) -> A:
        """The decision when nobody makes it."""
        raise NotImplementedError

    def hoped(self, state: S) -> A | None:
        """The decision that the one whose order asks hopes for, where that is plain: a check goes on with it."""
        return None

    def meets(self, state: S, other: Question[S, Any]) -> A | None:
        """The decision made by an order of the asked player that would put the question `other` back; None if none."""
        return None


class YesNo(Question[S, bool], frozen=True):
    """A decision that is yes or no: the one field in `needed` makes it, and nobody's is no."""

    def answer(self, entry: Entry, state: S) -> bool:
        return entry.pick(self.needed[0], Flag(), rule=self.rule)

    def default(self, state: S) -> bool:
        return False


class Verb(Struct, Generic[S], frozen=True):
    """An order that a phase knows: its rule, the type of each of its fields (its own key first), the needed ones.

    `Verb(drive, {"drive": CART, "via": Many(TOWN)}, ("via",))` is an order `- drive: red-cart` with a field `via`. The
    rule picks every one of the fields, each from a domain of what is possible now; the types here only say what could
    ever be, and make the published schema. The verb's own field is always needed. `steps` are fields that hold orders,
    each a step (`t.step`), picked as `Steps`: what the schema says against one is said, and refused, of that one alone.
    """

    rule: Rule[S]
    fields: Mapping[str, Domain[Any]]
    needed: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()


class When(Enum):
    """How a field of an entry says when the entry fits."""

    ALL = "what it names; left out, all"
    SAME = "what it names; left out, where there is none"
    MOST = "so many at the most; left out, any number"


class Instruction(Struct, Generic[S], frozen=True):
    """A kind of standing instruction: a list of entries, each read field by field by `read`.

    `read(entry, state, me)` returns a struct, or raises `Refused` for an entry that can't be. `fields` are the types of
    the fields that it picks, `rule` what the kind rests on. The entries lie in `players.<me>.standing.value`, in the
    field of the kind's name: `leave: tuple[Leave, ...] = ()`; each is written back in the words of a sheet, so a field
    that is left out is not written (`omit_defaults`), and a key such as `for` is the field `for_`, renamed.

    `when`: the fields that say when an entry fits, so that a check can tell one that is never reached because an
    earlier one always fits; without any, none is told.
    """

    read: Callable[[Entry, S, Player], Struct]
    fields: Mapping[str, Domain[Any]]
    rule: str
    when: Mapping[str, When] = {}


class Setting(Struct, frozen=True):
    """A standing instruction that is one value: `draw: agree`. It lies in the field of its name, `draw: str = ""`.

    `spares` are values that answer all that a phase would ask, each with the phase's name: standing orders for it are
    never reached.
    """

    among: Domain[Any]
    rule: str
    spares: Mapping[str, str] = {}
