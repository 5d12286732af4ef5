"""Options of a match as a GM writes them: one that is true or false may also be said to be on or off, yes or no."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from adjudicator.engine.table.rulebook import Options, Rulebook

FLAGS = {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}


def with_flags(rulebook: Rulebook[Any], plain: Mapping[str, Any]) -> dict[str, Any]:
    """The options with true or false where a word says so; any YAML 1.1 tool writes `on` as `true`, and back."""
    flags = {field.encode_name for field in msgspec.structs.fields(rulebook.Options) if field.type is bool}
    return {
        name: FLAGS.get(value.lower(), value) if name in flags and isinstance(value, str) else value
        for name, value in plain.items()
    }


def options_in(rulebook: Rulebook[Any], plain: Mapping[str, Any]) -> Options:
    """The options that plain data are; one left out is its default. Raises msgspec.ValidationError."""
    return msgspec.convert(with_flags(rulebook, plain), rulebook.Options)
