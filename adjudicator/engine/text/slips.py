"""Slips that the YAML parser notices only in a later line: a colon left out, a space, a dash, a quote, a bracket."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_BEFORE = re.compile(r"^\s*(?:-\s+)*")
_COMMENT = re.compile(r"(?<!\S)#")
_NO_SPACE = re.compile(r"[\w-]+:(?=[^\s:])")
_NO_SPACE_AFTER_DASH = re.compile(r"-(?=[^\W\d])")

Found = tuple[tuple[int, int], str]
"""Line and column of a slip, both from 1, and a sentence."""


def slip_above(lines: Sequence[str], line: int) -> Found | None:
    """The slip in the line above a line that goes on with a key, if it can be told for certain."""
    above = next(_lines_above(lines, line), 0)
    if not above:
        return None
    before, said = _parts(lines[above - 1])
    begins, indented = len(before), _indentation(lines[line - 1])
    if dash := _NO_SPACE_AFTER_DASH.match(said):
        return (above, begins + dash.end() + 1), "a space is missing after '-'"
    if no_space := _NO_SPACE.match(said):
        return (above, begins + no_space.end() + 1), "a space is missing after ':'"
    a_key = ": " in said or said.endswith(":")
    if not a_key and (indented == begins or "-" not in before):
        return (above, begins + 1), f"': ' is missing in this line: line {line} goes on with another key"
    return None


def part_of_value(lines: Sequence[str], line: int) -> Found | None:
    """Says of a line with a key that it is read as part of the value above; None if nothing stands above."""
    above = next(_lines_above(lines, line), 0)
    said = f"this line is read as part of the value in line {above}; the keys of one entry begin below each other"
    return ((line, _indentation(lines[line - 1]) + 1), said) if above else None


def fault_of_indentation(lines: Sequence[str], line: int) -> str:
    """Says which lines above leave no place for a line's indentation, or lack a dash; empty if none do."""
    indented, deeper = _indentation(lines[line - 1]), 0
    for above in _lines_above(lines, line):
        there = _indentation(lines[above - 1])
        if there > indented:
            deeper = above
        elif there == indented > 0 and lacks_dash(lines, line, above):
            return f"line {above}, indented as far, begins with '- ', and this line doesn't"
        elif deeper:
            return f"this line is indented neither as line {above} nor as line {deeper}"
        elif there == indented > 0 and _is_dash(lines[line - 1]) > _is_dash(lines[above - 1]):
            return f"line {above} has no '- '"
        else:
            return ""
    return f"line {deeper} is indented deeper" if deeper else ""


def dash_left_out(lines: Sequence[str], line: int) -> Found | None:
    """Says of a line without a key that it lacks the dash of the entry above it; None if no such entry is above."""
    above = next(_lines_above(lines, line), 0)
    said = f"'- ' is missing in this line: line {above}, indented as far, begins with it"
    return (
        ((line, _indentation(lines[line - 1]) + 1), said)
        if above and lacks_dash(lines, line, above)
        else None
    )


def lacks_dash(lines: Sequence[str], line: int, above: int) -> bool:
    """Is a line indented as far as an entry above it that begins with a dash, and has none?"""
    one, other = lines[line - 1], lines[above - 1]
    return _indentation(one) == _indentation(other) and _is_dash(other) > _is_dash(one)


def place_of_open_quotes(lines: Sequence[str], line: int, column: int) -> Found | None:
    """Where the quotes open that end right before a place in a later line; None if none do."""
    mark = lines[line - 1][: column - 1].rstrip()[-1:]
    if mark not in ("'", '"') or lines[line - 1][: column - 1].count(mark) != 1:
        return None
    opens = next((at for at in range(line - 1, 0, -1) if lines[at - 1].count(mark) % 2), 0)
    said = f"the quotes that open here are closed only in line {line}"
    return ((opens, lines[opens - 1].rindex(mark) + 1), said) if opens else None


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
