"""Problems: their order, the forms in which they are shown, and guesses at what was meant."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from adjudicator.engine.text.problem import Problem, as_github, as_json, as_text, in_order, nearest

ROOM = Problem("sheets/venice.yaml", 7, 5, "MED-0.6", "quantity: 3, but there is room for 2")
PURSE = Problem("sheets/venice.yaml", 7, 5, "MED-2.2", '100% of 5 ducats, for "wine"', "may")
LATE = Problem("sheets/genoa.yaml", 12, 0, "SHEET", "salt: not used", "warning")
MISSING = Problem("sheets/venice.yaml", 0, 0, "SHEET", "no orders")
ALL = [PURSE, ROOM, MISSING, LATE, ROOM]


def test_problems_are_sorted_and_told_once() -> None:
    assert in_order(ALL) == [LATE, MISSING, ROOM, PURSE]
    assert in_order(reversed(ALL)) == in_order(ALL)
    assert in_order([]) == []


def test_as_text() -> None:
    assert as_text(ALL) == (
        "sheets/genoa.yaml:12: warning: SHEET salt: not used\n"
        "sheets/venice.yaml: SHEET no orders\n"
        "sheets/venice.yaml:7:5: MED-0.6 quantity: 3, but there is room for 2\n"
        'sheets/venice.yaml:7:5: may: MED-2.2 100% of 5 ducats, for "wine"'
    )
    assert as_text([]) == ""
    assert as_text([Problem("", 0, 0, "SHEET", "x")]) == "SHEET x"


def test_text_stays_one_line_and_moves_no_cursor() -> None:
    shown = as_text([Problem("a\n.yaml", 1, 1, "SHEET", "no zone \x1b[31mred\r\n\u2028è")])
    assert shown == "a\\n.yaml:1:1: SHEET no zone \\x1b[31mred\\r\\n\\u2028è"


def test_as_json() -> None:
    rows = json.loads(as_json(ALL))
    assert [row["code"] for row in rows] == ["SHEET", "SHEET", "MED-0.6", "MED-2.2"]
    assert rows[3] == {
        "file": "sheets/venice.yaml", "line": 7, "column": 5, "code": "MED-2.2",
        "text": '100% of 5 ducats, for "wine"', "severity": "may",
    }  # fmt: skip
    assert rows[2]["severity"] == "error"
    assert json.loads(as_json([])) == []


def test_as_github() -> None:
    assert as_github(ALL).splitlines() == [
        "::warning file=sheets/genoa.yaml,line=12,title=SHEET::salt: not used",
        "::error file=sheets/venice.yaml,title=SHEET::no orders",
        "::error file=sheets/venice.yaml,line=7,col=5,title=MED-0.6::quantity: 3, but there is room for 2",
        '::warning file=sheets/venice.yaml,line=7,col=5,title=MED-2.2::may: 100%25 of 5 ducats, for "wine"',
    ]
    assert as_github([Problem("a,b:c%.yaml", 1, 1, "YAML", "x\r\n::error::y")]) == (
        "::error file=a%2Cb%3Ac%25.yaml,line=1,col=1,title=YAML::x\\r\\n:\\x3aerror:\\x3ay"
    )


HOSTILE = (
    "\x1b[2J", "\x9b31m", "\x07", "a\r\nb", "\u2028", "\u202e", "\udcff", "::error::x", ":", "##[stop-commands]x",
    "##vso[task.x]", "####[", "\n::set-env name=x::y", "a,b%c", "è",
)  # fmt: skip
"""Parts of names and texts that a terminal, or a runner of continuous integration, would obey."""


@pytest.mark.parametrize("said", HOSTILE)
@pytest.mark.parametrize("form", [as_text, as_json, as_github])
def test_nothing_that_is_printed_is_obeyed(form: Callable[[list[Problem]], str], said: str) -> None:
    problems = [Problem(f"{said}.yaml", 1, 1, "SHEET", f"no {said}"), Problem(said, 0, 0, "SHEET", said)]
    for line in form(problems).splitlines():
        assert line.isprintable()
        assert "##" not in line
        command = re.fullmatch(r"::(?:error|warning) [^:]*::(.*)", line) if form is as_github else None
        assert "::" not in (command[1] if command else line)
    if form is as_json:
        assert {row["text"] for row in json.loads(as_json(problems))} == {said, f"no {said}"}


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("venise", "venice"),
        ("Venice", "venice"),
        ("venice-", "venice"),
        ("vneice", "venice"),
        ("geona", "genoa"),
        ("salt", "salt"),
        ("sat", "salt"),
        ("constantinople", None),
        ("x", None),
        ("", None),
        ("v" * 65536, None),
    ],
)
def test_the_nearest_word_is_found_in_any_order(word: str, meant: str | None) -> None:
    known = ["venice", "genoa", "salt", "silk", "a"]
    assert nearest(word, known) == meant
    assert nearest(word, reversed(known)) == meant


def test_nearest_takes_the_first_of_the_alphabet() -> None:
    assert nearest("venice-3", {"venice-2", "venice-1", "venice-4"}) == "venice-1"
    assert nearest("venice", []) is None
