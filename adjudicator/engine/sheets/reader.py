"""Reads an entry of a file field by field, for the referee, a check, standing instructions and answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adjudicator.engine.table.domain import Domain
from adjudicator.engine.table.reason import Reason, Refused


class Reader:
    """Reads the fields of an entry in a file; `taken` are the fields that were asked for."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self.fields = fields
        self.taken: tuple[str, ...] = ()

    def pick(self, field: str, among: Domain[Any], *, rule: str, default: Any = ...) -> Any:
        """The field's value as the domain reads it. Raises `Refused`."""
        if field in self.fields:
            self.taken += (field,)
            plain = self.fields[field]
        elif default is None:
            return None
        elif default is ...:
            raise Refused(Reason(rule, "missing", {"field": field}))
        else:
            plain = default
        try:
            return among.read(plain)
        except Refused as refused:
            raise refused.under(rule, field) from None

    def require(self, ok: bool, rule: str, why: str, **facts: Any) -> None:
        """Raises `Refused` unless `ok`."""
        if not ok:
            raise Refused(Reason(rule, why, facts))

    def prepared(self, ok: bool, rule: str, why: str, **facts: Any) -> None:
        """Raises `Refused` unless `ok`."""
        self.require(ok, rule, why, **facts)

    def warn(self, rule: str, why: str, *path: str | int, **facts: Any) -> None:
        """Ignored: a check reports it."""
