"""Why something is refused or remarked on: a rule, a key into the texts, and the facts that the text names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct


class Reason(Struct, frozen=True):
    """A refusal or remark as a value. `key` names a text in `templates/**/words.yaml`, `facts` fill it in.

    `rule` is the rule's number (`MED-2.2`), or `SHEET` for what no game's rule says.
    """

    rule: str
    key: str
    facts: Mapping[str, Any] = {}


class Fault(Exception):
    """A value isn't in a domain. `rule` is empty where the pick's own rule is the one to cite.

    `path` leads from the field to the part at fault.
    """

    def __init__(self, key: str, rule: str = "", path: tuple[str | int, ...] = (), **facts: Any) -> None:
        super().__init__(key)
        self.key, self.rule, self.path, self.facts = key, rule, path, facts

    def within(self, *path: str | int) -> Fault:
        """The same fault, seen from further out."""
        self.path = (*path, *self.path)
        return self


class Refused(Exception):
    """The control signal of a refused order: its reason and the place in the order that is at fault
    (`key`: the field's name itself)."""

    def __init__(self, reason: Reason, path: tuple[str | int, ...] = (), *, key: bool = False) -> None:
        super().__init__(reason.key)
        self.reason, self.path, self.key = reason, path, key
