"""What a field may hold: domains admit, list, sample and describe values, so that no rule has to do it twice.

A domain without limits is only the field's type (`Verb.fields`). The same class with what is possible now is what a
rule picks from. `read` turns what a sheet says into the value that the rule uses, or raises `Refused`.
"""

from adjudicator.engine.table.domain.base import (
    Chance as Chance,
    Domain as Domain,
    Limit as Limit,
    Schema as Schema,
    Whole as Whole,
    between as between,
)
from adjudicator.engine.table.domain.forms import (
    AllOf as AllOf,
    AtMost as AtMost,
    Belonging as Belonging,
    FirstOf as FirstOf,
    Forms as Forms,
    Leaving as Leaving,
    Offering as Offering,
    UpTo as UpTo,
    so_many as so_many,
    up_to as up_to,
)
from adjudicator.engine.table.domain.lists import Many as Many, Steps as Steps, Walk as Walk
from adjudicator.engine.table.domain.mappings import (
    Counts as Counts,
    Either as Either,
    MapOf as MapOf,
    Part as Part,
    Record as Record,
    record as record,
    some as some,
)
from adjudicator.engine.table.domain.names import (
    Another as Another,
    ByName as ByName,
    Flag as Flag,
    Name as Name,
    OneOf as OneOf,
    allowed as allowed,
    only as only,
    unhindered as unhindered,
)
