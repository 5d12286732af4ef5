"""What a field may hold: domains admit, list, sample and describe values, so that no rule has to do it twice.

A domain without limits is only the field's type (`Verb.fields`). The same class with what is possible now is what a
rule picks from. `read` turns what a sheet says into the value that the rule uses, or raises `Refused`.
"""

from adjudicator.engine.table.domain.base import Chance, Domain, Limit, Schema, Whole, between
from adjudicator.engine.table.domain.forms import (
    AllOf,
    AtMost,
    Belonging,
    FirstOf,
    Forms,
    Leaving,
    UpTo,
    so_many,
    up_to,
)
from adjudicator.engine.table.domain.lists import Many, Steps, Walk
from adjudicator.engine.table.domain.mappings import Counts, Either, MapOf, Part, Record, record, some
from adjudicator.engine.table.domain.names import (
    Another,
    ByName,
    Flag,
    Name,
    OneOf,
    allowed,
    only,
    unhindered,
)
from adjudicator.engine.table.domain.offering import Offering

__all__ = [
    "AllOf",
    "Another",
    "AtMost",
    "Belonging",
    "ByName",
    "Chance",
    "Counts",
    "Domain",
    "Either",
    "FirstOf",
    "Flag",
    "Forms",
    "Leaving",
    "Limit",
    "Many",
    "MapOf",
    "Name",
    "Offering",
    "OneOf",
    "Part",
    "Record",
    "Schema",
    "Steps",
    "UpTo",
    "Walk",
    "Whole",
    "allowed",
    "between",
    "only",
    "record",
    "so_many",
    "some",
    "unhindered",
    "up_to",
]
