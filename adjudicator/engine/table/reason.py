"""Why something is refused or remarked on: a rule, a key into the texts, and the facts that the text names.

There are three types for what is wrong, from the inside out: a `Reason` is why; a `Flaw` is a reason at a place of a
file; a `Refused` is a reason raised by a rule. (With its file and line a flaw becomes a `Problem`, of `engine.text`.)

Reasons why names are impossible, worked out only when one is named: most orders name what is possible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, partial, update_wrapper, wraps
from typing import Any, Literal, ParamSpec, TypeVar

from msgspec import Struct

Path = tuple[str | int, ...]
"""The path to a value in a file: keys, and numbers (from 0) of list entries."""


class Reason(Struct, frozen=True):
    """A refusal or remark as a value. `key` names a text in `templates/**/words.yaml`, `facts` fill it in.

    `rule` is the rule's number (`MED-2.2`), or `SHEET` if no game's rule says it.
    """

    rule: str
    key: str
    facts: Mapping[str, Any] = {}


class Flaw(Struct, frozen=True):
    """What is wrong in a sheet, a file of answers or a position: the reason, and the path to the place.

    `key`: the field's name is at fault, not its value.
    """

    reason: Reason
    path: Path = ()
    key: bool = False


Flaws = Iterator[Flaw | Literal[False] | None]
"""Tests, one after another: the flaw if something is wrong, else nothing."""
Hindrance = Reason | Literal[False] | None
Hindrances = Iterator[Hindrance]
"""Tests, one after another: the reason if something stands in the way, else nothing."""
W = TypeVar("W", Flaw, Reason)
P = ParamSpec("P")


def flaw(path: Path, rule: str, why: str, **facts: Any) -> Flaw:
    """A flaw of a position, as checks return it."""
    return Flaw(Reason(rule, why, facts), path)


def first_flaw(tests: Iterable[W | Literal[False] | None]) -> W | None:
    """The first flaw, or reason, that a test finds; later tests aren't made."""
    for found in tests:
        if found:
            return found
    return None


def first_of(tests: Callable[P, Iterable[W | Literal[False] | None]]) -> Callable[P, W | None]:
    """Turns a generator of `yield port.garrison < 0 and flaw(...)`, one test a line, into a check that returns the
    first flaw.
    """

    @wraps(tests)
    def check(*args: P.args, **named: P.kwargs) -> W | None:
        return first_flaw(tests(*args, **named))

    return check


class Refused(Exception):
    """The control signal of a refused order: its reason and the place of the fault in the order (`key`: it is the
    field's name).
    """

    def __init__(self, reason: Reason, path: Path = (), *, key: bool = False) -> None:
        super().__init__(reason.key)
        self.reason, self.path, self.key = reason, path, key

    def under(self, rule: str, field: str = "") -> Refused:
        """The refusal with its place counted from the picked field; if it cites no rule yet, it cites this one."""
        facts, path = self.reason.facts, self.path
        if field:
            facts, path = {"field": field, **facts}, (field, *path)
        return Refused(Reason(self.reason.rule or rule, self.reason.key, facts), path, key=self.key)

    def within(self, *path: str | int) -> Refused:
        """The refusal with its place counted from further out."""
        return Refused(self.reason, (*path, *self.path), key=self.key)


def unfit(key: str, path: Path = (), rule: str = "", **facts: Any) -> Refused:
    """The refusal of a value outside a domain; without `rule` the refusal cites the rule of the pick."""
    return Refused(Reason(rule, key, facts), path)


class refused_at:
    """A `with` block: refusals raised in it get this place of the order, and this rule if they cite none yet."""

    def __init__(self, *path: str | int, rule: str = "") -> None:
        self.path, self.rule = path, rule

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, raised: object, traceback: object) -> None:
        if isinstance(raised, Refused):
            raise raised.under(self.rule).within(*self.path) from None


class LazyReasons(partial[Mapping[Any, Reason]], Mapping[Any, Reason]):
    """Reasons by name, as `OneOf(..., but=)` takes them; equal to any mapping with the same content.

    Work them out from values that never change, such as a position: this may happen later, or never.
    """

    @cached_property
    def _found(self) -> Mapping[Any, Reason]:
        return self()

    def __getitem__(self, name: Any) -> Reason:
        return self._found[name]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def __or__(self, other: Mapping[Any, Reason]) -> LazyReasons:
        return LazyReasons(_together, self, other)

    def __ror__(self, other: Mapping[Any, Reason]) -> LazyReasons:
        return LazyReasons(_together, other, self)


def _together(*several: Mapping[Any, Reason]) -> dict[Any, Reason]:
    found: dict[Any, Reason] = {}
    for each in several:
        found |= each._found if isinstance(each, LazyReasons) else each
    return found


def when_named(reasons: Callable[P, Mapping[Any, Reason]]) -> Callable[P, LazyReasons]:
    """Turns a function that gives reasons by name into one that runs only when one of them is asked for."""
    return update_wrapper(partial(LazyReasons, reasons), reasons)
