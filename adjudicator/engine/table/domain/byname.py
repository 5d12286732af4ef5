"""Mappings in which a name decides what may stand under it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from adjudicator.engine.table.domain.base import Chance, Domain, Schema
from adjudicator.engine.table.domain.names import Name
from adjudicator.engine.table.reason import Refused, unfit


class ByName(Domain[Mapping[str, Any]], frozen=True):
    """A mapping from names of several kinds: the first kind that a name fits decides what may stand under it."""

    kinds: Sequence[tuple[Name, Domain[Any]]]

    @property
    def listed(self) -> bool:
        return False

    def takes(self, plain: Any) -> bool:
        return type(plain) is dict

    def read(self, plain: Any) -> Mapping[str, Any]:
        if type(plain) is not dict:
            raise unfit("not-a-mapping", value=plain)
        found: dict[str, Any] = {}
        for name, value in plain.items():
            each = next((domain for names, domain in self.kinds if names.fits(name)), None)
            if each is None:
                raise unfit(
                    "unknown-field", (name,), value=name, possible=[names.kind for names, _ in self.kinds]
                )
            try:
                found[name] = each.read(value)
            except Refused as refused:
                raise refused.within(name) from None
        return found

    def sample(self, chance: Chance) -> Any:
        names, each = self.kinds[chance(len(self.kinds))]
        return {names.sample(chance): each.sample(chance)}

    def schema(self) -> Schema:
        return self._schema_with({names.schema()["pattern"]: each.schema() for names, each in self.kinds})

    def shape(self) -> Schema:
        return self._schema_with({names.schema()["pattern"]: each.shape() for names, each in self.kinds})

    def _schema_with(self, patterns: Schema) -> Schema:
        return {"type": "object", "patternProperties": patterns, "additionalProperties": False}
