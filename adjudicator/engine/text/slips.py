"""Slips that the YAML parser notices only in a later line: a colon left out, a space, a dash, a quote, a bracket."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from adjudicator.engine.text.problem import Slip

_BEFORE = re.compile(r"^\s*(?:-\s+)*")
_COMMENT = re.compile(r"(?<!\S)#")
_NO_SPACE = re.compile(r"[\w-]+:(?=[^\s:])")
_OTHER_DASH = re.compile(r"[\u2010-\u2015\u2022\u2212](?=\s)")
_NO_SPACE_AFTER_DASH = re.compile(r"-(?=[^\W\d])")


def slip_above(lines: Sequence[str], line: int) -> Slip | None:
    """The slip in the line above a line that goes on with a key, if it can be told for certain."""
    above = next(_lines_above(lines, line), 0)
    if not above:
        return None
    before, said = _parts(lines[above - 1])
    begins, indented = len(before), _indentation(lines[line - 1])
    if dash := _NO_SPACE_AFTER_DASH.match(said):
        return Slip(above, begins + dash.end() + 1, "no-space-after-dash")
    if other := _OTHER_DASH.match(said):
        return Slip(above, begins + 1, "other-dash", {"found": other.group()})
    if no_space := _NO_SPACE.match(said):
        return Slip(above, begins + no_space.end() + 1, "no-space-after-colon")
    a_key = ": " in said or said.endswith(":")
    if not a_key and (indented == begins or "-" not in before):
        return Slip(above, begins + 1, "no-colon-before", {"line": line})
    return None


def part_of_value(lines: Sequence[str], line: int) -> Slip | None:
    """Says of a line with a key that it is read as part of the value above; None if nothing stands above."""
    above = next(_lines_above(lines, line), 0)
    return Slip(line, _indentation(lines[line - 1]) + 1, "part-of-value", {"above": above}) if above else None


def fault_of_indentation(lines: Sequence[str], line: int) -> tuple[str, dict[str, int]]:
    """Says which lines above leave no place for a line's indentation, or lack a dash: a key and its facts; an empty key
    if none do.
    """
    indented, deeper = _indentation(lines[line - 1]), 0
    for above in _lines_above(lines, line):
        there = _indentation(lines[above - 1])
        if there > indented:
            deeper = above
        elif there == indented > 0 and lacks_dash(lines, line, above):
            return "dash-above", {"above": above}
        elif deeper:
            return "between-indentations", {"above": above, "deeper": deeper}
        elif there == indented > 0 and _is_dash(lines[line - 1]) > _is_dash(lines[above - 1]):
            return "no-dash-above", {"above": above}
        else:
            return "", {}
    return ("deeper-above", {"deeper": deeper}) if deeper else ("", {})


def dash_left_out(lines: Sequence[str], line: int) -> Slip | None:
    """Says of a line without a key that it lacks the dash of the entry above it; None if no such entry is above."""
    above = next(_lines_above(lines, line), 0)
    if not above or not lacks_dash(lines, line, above):
        return None
    return Slip(line, _indentation(lines[line - 1]) + 1, "dash-left-out", {"above": above})


def lacks_dash(lines: Sequence[str], line: int, above: int) -> bool:
    """Is a line indented as far as an entry above it that begins with a dash, and has none?"""
    one, other = lines[line - 1], lines[above - 1]
    return _indentation(one) == _indentation(other) and _is_dash(other) > _is_dash(one)


def place_of_open_quotes(lines: Sequence[str], line: int, column: int) -> Slip | None:
    """Where the quotes open that end right before a place in a later line; None if none do."""
    mark = lines[line - 1][: column - 1].rstrip()[-1:]
    if mark not in ("'", '"') or lines[line - 1][: column - 1].count(mark) != 1:
        return None
    opens = next((at for at in range(line - 1, 0, -1) if lines[at - 1].count(mark) % 2), 0)
    return Slip(opens, lines[opens - 1].rindex(mark) + 1, "late-quotes", {"line": line}) if opens else None


def _lines_above(lines: Sequence[str], line: int) -> Iterator[int]:
    """The lines above with more than a comment, the nearest first."""
    return (at for at in range(line - 1, 0, -1) if _parts(lines[at - 1])[1])


def _parts(line: str) -> tuple[str, str]:
    """A line's indentation with its dashes, and the rest without a comment."""
    comment = _COMMENT.search(line)
    line = (line[: comment.start()] if comment else line).rstrip()
    said = _BEFORE.sub("", line, count=1)
    return line[: len(line) - len(said)], said


def _is_dash(line: str) -> bool:
    return line.lstrip().startswith("- ")


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
