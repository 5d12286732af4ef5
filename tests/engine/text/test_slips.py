"""Slips of a typist: each is told with the line in which it was made, though the parser may notice it later."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from adjudicator.engine.library.texts import problem_of
from adjudicator.engine.text.source import Unread, read

SHEET = """player: venice
match: lagoon
# what we do
orders:
  - move: venice-1
    via: [ragusa, corfu]
  - move: venice-2
    via:
      - ragusa
      - corfu
    if: {genoa-1: {most: 1}}

    else:
      - move: venice-2
        via: [ragusa]
later:
  landing:
    orders:
      - land: 1   # as many as may go
        from: venice-1
  sale:
    orders:
      - {sell: wine, from: "venice-1"}
      - sell: "silk"
        from: 'venice-2'
"""
LINES = SHEET.splitlines()
SLIPS = {
    "a colon": (r":(?= |$)", ""),
    "a space after a colon": (r"(?<=:) ", ""),
    "a dash": (r"- ", "  "),
    "a dash and its space": (r"- ", ""),
    "a space after a dash": (r"(?<=-) ", ""),
    "a tab": (r"^  ", "\t"),
    "one space less": (r"^ ", ""),
    "one space more": (r"^", " "),
    "a bracket or quote": (r"[\[\]{}\"']", ""),
    "a comma": (r", ", " "),
}


def slipped(what: str) -> Iterator[tuple[int, str]]:
    """The sheet with one slip, at each place where it can be made; with the number of its line."""
    pattern, instead = SLIPS[what]
    for at, line in enumerate(LINES):
        for found in re.finditer(pattern, line.partition("#")[0].rstrip()):
            new = line[: found.start()] + instead + line[found.end() :]
            yield at + 1, "\n".join([*LINES[:at], new, *LINES[at + 1 :]]) + "\n"


@pytest.mark.parametrize("what", SLIPS)
def test_a_slip_is_told_with_its_line(what: str) -> None:
    elsewhere = []
    for line, text in slipped(what):
        found = read(text.encode(), "sheet")
        if isinstance(found, Unread):
            said = problem_of(found).text
            named = {found.slip.line, *map(int, re.findall(r"(?:line |at )(\d+)", said))}
            if line not in named:
                elsewhere.append((line, text.splitlines()[line - 1], found))
    assert elsewhere == []


@pytest.mark.parametrize(
    ("text", "line", "column", "said"),
    [
        (
            "player venice\norders: []\n",
            1,
            1,
            "': ' is missing in this line: line 2 goes on with another key",
        ),
        (
            "orders:\n  - move one\n\n    # by sea\n    via: [a]\n",
            2,
            5,
            "': ' is missing in this line: line 5",
        ),
        ("later:\n  sale\n    orders: []\n", 2, 3, "': ' is missing in this line: line 3"),
        ("orders:\n  - move:one\n    via: [a]\n", 2, 10, "a space is missing after ':'"),
        ("orders:\n  – move: one\n    via: [a]\n", 2, 3, "'–' isn't the '-' with which an entry begins"),
        ("orders:\n  -move: one\n    via: [a]\n", 2, 4, "a space is missing after '-'"),
        ("orders:\n - move: one\n    via: [a]\n", 3, 5, "this line is read as part of the value in line 2"),
        (
            "orders:\n    move: one\n  - move: two\n",
            3,
            3,
            "this line is indented neither as line 1 nor as line 2",
        ),
        (
            "orders:\n  - move: one\n    via: [a]\n    move: two\n",
            4,
            5,
            "given in line 2; if another entry begins here",
        ),
        (
            "orders:\n  - move: one\n    via: [a]\n  move: two\n",
            4,
            3,
            "line 2, indented as far, begins with '- '",
        ),
        (
            "via:\n  - one\n  two\n",
            3,
            3,
            "'- ' is missing in this line: line 2, indented as far, begins with it",
        ),
        ("a: one\na: two\n", 2, 1, 'the key "a" stands here again; it was given in line 1'),
        ("  player: venice\nmatch: lagoon\n", 2, 1, "line 1 is indented deeper"),
        ("orders:\n  {move: one}\n  - move: two\n", 3, 3, "'-' can't stand here: line 2 has no '- '"),
        ("later:\n sale:\n    orders: []\n  market:\n", 4, 3, "neither as line 2 nor as line 3"),
        ("via: [a, b\nmove: c\n", 1, 6, "the bracket that opens here isn't closed in line 2"),
        ('a: "one\nb: "two"\n', 1, 4, "the quotes that open here are closed only in line 2"),
        ("a: b: c\n", 1, 5, "': ' can't stand here"),
    ],
)
def test_what_is_said_of_a_slip(text: str, line: int, column: int, said: str) -> None:
    found = read(text.encode(), "sheet")
    assert isinstance(found, Unread)
    assert (found.slip.line, found.slip.column) == (line, column), found
    assert said in problem_of(found).text
