"""The table: everything a rule can touch. Orders, other players' decisions and dice come in only through it.

A rule is a plain function of a table. The referee, a player's check, and the drivers that list orders, describe forms
and play at random all run the same function, so they cannot disagree. Picks and requires come before the first ask,
throw, reveal or event, so whether an order is accepted depends on nothing its player may not know.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from enum import Enum
from typing import Any, ClassVar, Generic, NoReturn, Protocol, TypeVar, overload

from msgspec import Struct

from adjudicator.engine.table.dice import Die
from adjudicator.engine.table.domain import Domain, Flag
from adjudicator.engine.table.domain.mappings import RENAMED, fields_of
from adjudicator.engine.table.event import Event, Player
from adjudicator.engine.table.reason import Path
from adjudicator.engine.table.secret import Secret
from adjudicator.engine.table.uses import Prices, Use

S = TypeVar("S")
T = TypeVar("T")
A = TypeVar("A")
R = TypeVar("R", bound=Struct)


class FieldReader(Protocol):
    """Reads an entry of a file field by field: an order, a standing instruction, an answer."""

    @property
    def named(self) -> Collection[str] | None:
        """The fields that the entry has; None while they are still being chosen."""

    @overload
    def pick(self, field: str, among: Domain[T], *, rule: str) -> T: ...
    @overload
    def pick(self, field: str, among: Domain[T], *, rule: str, default: None) -> T | None: ...
    @overload
    def pick(self, field: str, among: Domain[T], *, rule: str, default: Any) -> T: ...

    def pick(self, field: str, among: Domain[Any], *, rule: str, default: Any = ...) -> Any:
        """The field's value, if the domain admits it; else the order is refused with the rule and the place.

        A default stands for a field left out and must be admitted too; None means that nothing is chosen.
        """

    def require(self, ok: bool, rule: str, why: str, **facts: Any) -> None:
        """Refuses the order unless `ok`. `why` is a key into the texts, `facts` fill it in."""

    def prepared(self, ok: bool, rule: str, why: str, **facts: Any) -> None:
        """Refuses the order like `require`, where earlier orders of the sheet can bring about what is missing: a page
        offers the order anyway.
        """

    def warn(self, rule: str, why: str, *path: str | int, **facts: Any) -> None:
        """Says of a legal but odd order, at its `path`, what is odd; only its player's own `check` shows it.

        Like picks and requires, it must come before the first ask, throw, reveal or event: a check goes no further.
        """


def struct_from(
    entry: FieldReader, kind: type[R], fields: Mapping[str, Domain[Any]], rule: str, **rules: str
) -> R:
    """A struct made of an entry's fields, by their names in files; one left out has the struct's default.

    `rules` are the rules of fields that have another one. Raises `Refused`, as `pick` does.
    """
    found: dict[str, Any] = {}
    known, there, rule_of = fields_of(kind), entry.named, {**dict.fromkeys(fields, rule), **rules}
    for name, among in fields.items():
        _, needed = known[name]
        if not (needed or there is None or name in there):
            continue
        given = entry.pick(name, among, rule=rule_of[name], default=... if needed else None)
        if given is not None:
            found[f"{name}_" if name in RENAMED else name] = given
    return kind(**found)


class Table(FieldReader, Protocol[S]):
    """The argument of every rule."""

    state: S
    me: Player

    @property
    def by(self) -> str:
        """The place of the order being carried out: `sheets/venice.yaml:7:5`."""

    def ask(self, who: Player, question: Question[S, A]) -> A:
        """Another player's decision (or one's own, when it comes up): standing instruction, answer or default."""

    def throw(self, die: Die, *what: str, rule: str, player: Player = "") -> int:
        """A face of the die, recorded with what it is thrown for."""

    def shuffle(self, items: Sequence[str], *what: str, rule: str) -> tuple[str, ...]:
        """The items in random order, recorded."""

    def reveal(self, secret: Secret[T]) -> T:
        """The value of another player's secret."""

    def play(self, event: Event[S]) -> None:
        """Makes an event happen."""

    def mention(self, rule: str, why: str, *path: str | int, **facts: Any) -> None:
        """Tells the order's player, and nobody else, what no event tells; `path` is the place in the order that it is
        about.
        """

    def refuse(self, rule: str, why: str, **facts: Any) -> NoReturn:
        """Gives up after an ask: the order changes nothing, and the reason may tell what the ask has shown."""

    def to_come(self, who: Player) -> Sequence[Mapping[str, Any]] | None:
        """The player's orders still to be carried out in this phase, as written, including those of `else`.

        None if nobody knows yet. It is a secret of that player; another's may be read only after an ask.
        """

    def step(
        self, field: str, index: int, verbs: Mapping[str, Verb[S]], but: Collection[Path] = ()
    ) -> Path | None:
        """Carries out one of the orders in the field, like an order of its own, or else one of its `else`.

        Returns the path in this order of what was carried out, `("load", 1)` or `("load", 1, "else", 0)`; None if
        nothing was. Those at the paths `but` aren't tried.
        """

    def part(self, rule: Callable[[Table[S]], bool | None]) -> bool:
        """Carries out a part of the order: if refused, it alone changes nothing, and the order goes on.

        False if it was refused; else what the rule returns, True if it returns nothing. Its picks may come after
        events: whether they are good isn't known earlier.
        """


Rule = Callable[[Table[S]], bool | None]
"""Carries out an order, or raises `Refused`.

If each part of an order was refused it came to nothing, and its `else` is tried, unless its rule returns True.
"""


class Question(Struct, Generic[S, A], frozen=True):
    """A decision that comes up in an order, for a player to make. Its fields say what is asked; whoever is asked may
    know all of them.

    A rule puts it by `t.ask(player, Enter("cluj", "green"))` and gets what `answer`, `standing` or `default` returns, a
    value of the game's choice. An answer is verb first, like an order: `names()` are the fields that say which question
    it answers, `shapes` those and the fields that answer it. A macro of the class's name in the game's
    `questions.md.j2` puts it in words. A question without `shapes` is put to nobody: only another player's order can
    decide it (`meets`).
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
        """May an order that was already refused decide the question?"""
        return False

    def names(self) -> Mapping[str, Any]:
        """The fields of an answer that name the question, the verb's first."""
        raise NotImplementedError

    def answer(self, entry: FieldReader, state: S) -> A:
        """The decision, read from the other fields of an answer."""
        raise NotImplementedError

    def standing(self, state: S, asked: Player) -> A | None:
        """The decision by the asked player's standing instructions; None if none fits."""
        return None

    def default(self, state: S) -> A:
        """The decision when nobody makes it."""
        raise NotImplementedError

    def hoped(self, state: S) -> A | None:
        """The decision that the player whose order asks wants, if that is plain: a check goes on with it."""
        return None

    def meets(self, state: S, other: Question[S, Any]) -> A | None:
        """The decision, if an order of the asked player makes it: one that would ask the question `other`; else None.

        So two orders that each need the other player's consent can meet.
        """
        return None


class YesNo(Question[S, bool], frozen=True):
    """A yes or no decision: the one field in `needed` makes it; without an answer it is no."""

    def answer(self, entry: FieldReader, state: S) -> bool:
        return entry.pick(self.needed[0], Flag(), rule=self.rule)

    def default(self, state: S) -> bool:
        return False


class Verb(Struct, Generic[S], frozen=True):
    """An order that a phase knows: its rule, the type of each of its fields (its own key first), the needed ones.

    `Verb(drive, {"drive": CART, "via": Many(TOWN)}, ("via",))` is an order `- drive: red-cart` with a field `via`. The
    rule picks every field, each from a domain of what is possible now; the types here only say what could ever be
    possible, and make the published schema. The verb's own field is always needed. `steps` are fields that hold orders,
    each a step (`t.step`), picked as `Steps`: one that the schema finds wrong is refused alone.

    The rest is for pages. `uses` says what an order takes from those below it (`uses.Use`); every verb says so, by an
    empty tuple if it takes nothing. `changes` are the fields that name things which the order changes in ways that
    `uses` doesn't count. `subject` are the fields whose value the order is about, the likeliest first; without
    any it is about its player. `names` says of fields with numbers what these name (`{"sail": "piece"}`), and `ranks`
    is the field whose list is an order of preference. `prices(view, player)` is what an order costs now.
    `idle`: an order with the verb's own field alone, though it has others, comes to the same as none.
    """

    rule: Rule[S]
    fields: Mapping[str, Domain[Any]]
    needed: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    uses: tuple[Use, ...] | None = None
    changes: tuple[str, ...] = ()
    subject: tuple[str, ...] | None = None
    names: Mapping[str, str] = {}
    ranks: str = ""
    prices: Callable[[S, Player], Prices] = lambda state, player: {}
    idle: bool = False


Verbs = Mapping[str, Verb[Any]]
"""The verbs of a phase, by their keys."""


class When(Enum):
    """How a field of an entry says when the entry applies."""

    ALL = "what it names; left out, all"
    SAME = "what it names; left out, where there is none"
    MOST = "so many at the most; left out, any number"


class Instruction(Struct, Generic[S], frozen=True):
    """A kind of standing instruction: a list of entries, each read field by field by `read`.

    `read(entry, state, me)` returns a struct, or raises `Refused` for an impossible entry. `fields` are the types of
    the fields that it picks, `rule` is the kind's rule. The entries lie in `players.<me>.standing.value`, in the field
    of the kind's name: `leave: tuple[Leave, ...] = ()`. Each is written back in the words of a sheet, so an absent
    field is not written (`omit_defaults`), and a key such as `for` is the field `for_`, renamed.

    `when`: the fields that say when an entry applies, so that a check can report one that is never reached because an
    earlier one always applies; without any, none is reported.
    """

    read: Callable[[FieldReader, S, Player], Struct]
    fields: Mapping[str, Domain[Any]]
    rule: str
    when: Mapping[str, When] = {}


class Setting(Struct, frozen=True):
    """A standing instruction that is one value: `draw: agree`. It lies in the field of its name, `draw: str = ""`.

    `spares`: values with which a phase has nothing to ask the player, each with the phase's name. Standing orders for
    that phase are then never used.
    """

    among: Domain[Any]
    rule: str
    spares: Mapping[str, str] = {}
