"""Why something is refused or remarked on: a rule, a key into the texts, and the facts that the text names.

Three words for what is wrong, from the inside out: a `Reason` is why; a `Flaw` is a reason at a place of a file; a
`Refused` is a reason on its way out of a rule. (With its file and line a flaw becomes a `Problem`, of `engine.text`.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from msgspec import Struct

Path = tuple[str | int, ...]
"""The way to a value in a file: the keys and the numbers (from 0) of list entries."""


class Reason(Struct, frozen=True):
    """A refusal or remark as a value. `key` names a text in `templates/**/words.yaml`, `facts` fill it in.

    `rule` is the rule's number (`MED-2.2`), or `SHEET` for what no game's rule says.
    """

    rule: str
    key: str
    facts: Mapping[str, Any] = {}


class Flaw(Struct, frozen=True):
    """What is wrong in a sheet, a file of answers or a position: why, and the way to the place.

    `key`: it is the name of the field there that is at fault, not its value.
    """

    reason: Reason
    path: Path = ()
    key: bool = False


Flaws = Iterator[tuple[bool, Flaw]]
"""What may be wrong, one after another: if it is, and the flaw that it then is."""
Hindrances = Iterator[tuple[bool, Reason]]
"""What may stand in the way, one after another: if it does, and the reason that it then is."""
W = TypeVar("W", Flaw, Reason)
P = ParamSpec("P")


def flaw(path: Path, rule: str, why: str, **facts: Any) -> Flaw:
    """A flaw of a position, as its checks find it."""
    return Flaw(Reason(rule, why, facts), path)


def first_flaw(tests: Iterable[tuple[bool, W]]) -> W | None:
    """The first flaw, or reason, of those of which it is true that they are there; no test after it is made."""
    for there, found in tests:
        if there:
            return found
    return None


def first_of(tests: Callable[P, Iterable[tuple[bool, W]]]) -> Callable[P, W | None]:
    """A check as a table: a generator of `yield port.garrison < 0, flaw(...)`, a line a test; the first one counts."""

    @wraps(tests)
    def check(*args: P.args, **named: P.kwargs) -> W | None:
        return first_flaw(tests(*args, **named))

    return check


class Refused(Exception):
    """The control signal of a refused order: its reason and the place in the order that is at fault
    (`key`: the field's name itself)."""

    def __init__(self, reason: Reason, path: Path = (), *, key: bool = False) -> None:
        super().__init__(reason.key)
        self.reason, self.path, self.key = reason, path, key

    def under(self, rule: str, field: str = "") -> Refused:
        """The same, seen from the field that was picked: where no rule is cited yet, the pick's own is."""
        facts, path = self.reason.facts, self.path
        if field:
            facts, path = {"field": field, **facts}, (field, *path)
        return Refused(Reason(self.reason.rule or rule, self.reason.key, facts), path, key=self.key)

    def within(self, *path: str | int) -> Refused:
        """The same, seen from further out."""
        return Refused(self.reason, (*path, *self.path), key=self.key)


def unfit(key: str, path: Path = (), rule: str = "", **facts: Any) -> Refused:
    """The refusal of a value that isn't in a domain; without a rule, that of the pick is cited."""
    return Refused(Reason(rule, key, facts), path)


@contextmanager
def refused_at(*path: str | int, rule: str = "") -> Iterator[None]:
    """What is refused in here is so at that place of the order, and by that rule where none is cited yet."""
    try:
        yield
    except Refused as refused:
        raise refused.under(rule).within(*path) from None
