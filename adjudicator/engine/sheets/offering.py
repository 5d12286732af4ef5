"""What forms and messages offer: only names on the board, and players of this match."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct

from adjudicator.engine.table.domain.names import ANOTHER

PARTS = (dict, list)
"""What a schema is made of; what else stands in it is looked at where it stands."""
PATTERNS = "patternProperties"
"""The key under which a mapping in a schema has its fields by pattern."""


def words_offered(words: Sequence[Any], every: Sequence[str], seated: Sequence[str]) -> list[Any]:
    """The words without players who aren't in the match. Only a list with every player of the rulebook is one of
    players.

    `every` are those of the rulebook, `seated` those of the match; without these, all words are offered.
    """
    if not seated or not set(every) <= set(words):
        return list(words)
    return [word for word in words if word in seated or word not in every]


def with_own_names(text: str, every: Sequence[str], seated: Sequence[str]) -> str:
    """A help text with examples that can be copied: it names another player instead of an absent one or the reader.

    `every` are the players of the rulebook, `seated` those of the match, the reader last. A piece that an example
    names, `venice-1`, becomes the reader's. Different players in the text stay different, as far as there are enough:
    if all others are named too, the reader's own name stays.
    """
    if not seated:
        return text
    return _with_own_names(text, tuple(every), tuple(seated))


@lru_cache(maxsize=4096)
def _with_own_names(text: str, every: tuple[str, ...], seated: tuple[str, ...]) -> str:
    *others, me = seated
    example = _example_of(every)
    named = dict.fromkeys(found[1] for found in example.finditer(text) if not found[2])
    free = [player for player in (*others, me) if player not in named or player == me]
    stand_in = {name: name if name in others else free.pop(0) if free else me for name in named}

    def instead(found: re.Match[str]) -> str:
        name, piece = found[1], found[2]
        return f"{me}{piece}" if piece else stand_in[name]

    return example.sub(instead, text)


@lru_cache(maxsize=64)
def _example_of(every: tuple[str, ...]) -> re.Pattern[str]:
    """The name of one of these players, or of a player's piece, as an example has it."""
    return re.compile(rf"(?<=[ {{\[])({'|'.join(map(re.escape, every))})((?:-\w+)*)(?=[],:}}])")


def players_own_last(view: Any) -> tuple[str, ...]:
    """The players of a match, with the owner of the view last: the one whose standing instructions are known."""
    return tuple(sorted(view.players, key=lambda player: bool(view.players[player].standing.known)))


def names_on_board(view: Any) -> list[str]:
    """All names in a position: players, ports, pieces."""
    tables = (getattr(view, field) for field in view.__struct_fields__)
    return list(
        dict.fromkeys(
            name for table in tables if isinstance(table, Mapping) for name in table if isinstance(name, str)
        )
    )


# -- in schemas --------------------------------------------------------------------------------------------------------


class Spots(Struct, frozen=True):
    """A part of a schema, and by key the parts below it that lead to a spot: a place where names may stand, of players
    or of pieces on the board. Only spots differ from match to match, so nothing else is visited again.
    """

    part: Any
    below: tuple[tuple[Any, Spots], ...]

    @property
    def bare(self) -> bool:
        """Is there no spot in this part or below?"""
        return not self.below and not (isinstance(self.part, dict) and SPOT & self.part.keys())


SPOT = {"description", "enum", "pattern", PATTERNS, ANOTHER}
"""The keys of a mapping in a schema that may hold names, or exclude one."""


def spots(part: Any) -> Spots:
    """A part of a schema with its spots."""
    inside = part.items() if isinstance(part, dict) else enumerate(part)
    below = [(key, spots(each)) for key, each in inside if isinstance(each, PARTS)]
    return Spots(part, tuple((key, each) for key, each in below if key == PATTERNS or not each.bare))


def schema_for_players(where: Spots, every: Sequence[str], seated: Sequence[str]) -> Spots:
    """The schema that offers only players of the match; a name's pattern still admits everything its type admits.

    `every` are the players of the rulebook, `seated` those of the match, the reader last. For a pattern that lists
    players, `examples` are those offered.
    """
    if not seated:
        return where
    below = [(key, schema_for_players(each, every, seated)) for key, each in where.below]
    below = [(key, keys_seated(each, every, seated) if key == PATTERNS else each) for key, each in below]
    found = where.part.copy()
    for key, each in below:
        found[key] = each.part
    if isinstance(found, list):
        return Spots(found, tuple(below))
    if found.pop(ANOTHER, False):
        seated = seated[:-1]
    if isinstance(words := found.get("enum"), list):
        found["enum"] = words_offered(words, every, seated)
    if isinstance(text := found.get("description"), str):
        found["description"] = with_own_names(text, every, seated)
    if isinstance(said := found.get("errorMessage"), str) and isinstance(found.get("pattern"), str):
        words = found["pattern"][2:-2].split("|")
        known = words_offered(words, every, seated)
        found["errorMessage"] = said.replace(", ".join(words), ", ".join(known))
        if known != words:
            found["examples"] = known
    return Spots(found, tuple(below))


def keys_seated(patterns: Spots, every: Sequence[str], seated: Sequence[str]) -> Spots:
    """A mapping by patterns, in which a pattern that lists players leaves out those who aren't in the match."""

    def key(pattern: str) -> str:
        words = pattern[2:-2].split("|")
        known = words_offered(words, every, seated)
        return pattern if known == words else f"^({'|'.join(known)})$"

    part = {key(pattern): each for pattern, each in patterns.part.items()}
    return Spots(part, tuple((key(pattern), each) for pattern, each in patterns.below))


def with_names(where: Spots, names: tuple[str, ...]) -> Any:
    """The schema with `names` suggested wherever a pattern admits them, as a text or as the key of a mapping."""
    if not names:
        return where.part
    found = where.part.copy()
    for key, each in where.below:
        found[key] = with_names(each, names)
    if isinstance(found, list):
        return found
    if PATTERNS in found:
        for pattern, each in found[PATTERNS].items():
            fitting = dict.fromkeys(names_fitting(pattern, names), each)
            found["properties"] = {**fitting, **found.get("properties", {})}
    if "pattern" in found and found.get("type") == "string":
        good = names_fitting(found["pattern"], names)
        return {"anyOf": [{"enum": [*good]}, found]} if good else found
    return found


@lru_cache(maxsize=1024)
def names_fitting(pattern: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """The names that a pattern admits; kept, since a form asks this in many places."""
    admits = re.compile(pattern).search
    return tuple(name for name in names if admits(name))
