"""A match's options as a GM writes them: true or false may also be written on or off, yes or no."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from adjudicator.engine.table.reason import Flaw, Reason
from adjudicator.engine.table.rulebook import Options, Rulebook

STOPS, EVERY = "stops", "all"
FLAGS = {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}


def with_flags(rulebook: Rulebook[Any], plain: Mapping[str, Any]) -> dict[str, Any]:
    """The options with true or false in place of such words; any YAML 1.1 tool writes `on` as `true`, and back.

    Stops may come as a text, `auction,movement`, as on a command line.
    """
    flags = flags_of(rulebook.Options)
    found = {
        name: FLAGS.get(value.lower(), value) if name in flags and isinstance(value, str) else value
        for name, value in plain.items()
    }
    if isinstance(stops := found.get(STOPS), str) and stops != EVERY:
        found[STOPS] = [word.strip() for word in stops.strip("[]").split(",")]
    return found


@cache
def flags_of(options: type[Options]) -> frozenset[str]:
    """The names of the options that are true or false."""
    return frozenset(field.encode_name for field in msgspec.structs.fields(options) if field.type is bool)


def options_in(rulebook: Rulebook[Any], plain: Mapping[str, Any]) -> Options:
    """The options in plain data; a missing one has its default. Raises msgspec.ValidationError."""
    return msgspec.convert(with_flags(rulebook, plain), rulebook.Options)


def options_of_new_match(rulebook: Rulebook[Any], plain: Mapping[str, Any]) -> dict[str, Any]:
    """The options given for a new match, with the rulebook's own stops if none are given."""
    return {**({STOPS: list(rulebook.stops[0])} if rulebook.stops else {}), **plain}


def flaw_in_stops(rulebook: Rulebook[Any], options: Options) -> Flaw | None:
    """Stops that aren't one of the rulebook's lists."""
    if options.stops == EVERY or options.stops in rulebook.stops:
        return None
    possible = [EVERY, *(f"[{', '.join(stops)}]" for stops in rulebook.stops)]
    facts = {"value": list(options.stops), "possible": possible}
    return Flaw(Reason("SHEET", "unknown-stops", facts), ("options", STOPS))
