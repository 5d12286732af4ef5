"""Work in proportion: how much work `check` and `run` do for the largest files, counted in calls, not in seconds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from cProfile import Profile
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from adjudicator.cli.check import check_text
from adjudicator.contract.hostile import LONGEST_REPORT
from adjudicator.engine.library import registry
from adjudicator.engine.library.texts import MOST_TOLD
from adjudicator.engine.play.inbox import Inbox
from adjudicator.engine.play.referee import advance
from adjudicator.engine.play.view import events_for, position_for
from adjudicator.engine.report.story import render_report
from adjudicator.engine.sheets.limits import MOST_ORDERS
from adjudicator.engine.sheets.reading import Expected, read_sheet
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.engine.table.dice import SeededDice, seed_from
from adjudicator.engine.table.event import OrderRefused, Remarked
from adjudicator.engine.text.problem import as_text
from adjudicator.engine.text.source import MOST_BYTES
from tests.cli.calling import GAME, adjudicator, lay_out, position

HEAD = "player: venice\n"
MOST_CALLS = 1_200_000
"""Calls of functions, of Python and of C, in a `check` of a file of MOST_BYTES."""


def lines(line: str) -> Callable[[int], str]:
    """A file of one line again and again, in which {n} is the line's number, up to a size."""

    def filled(size: int) -> str:
        count = (size - len(HEAD) - 200) // (len(line) + 3)
        return HEAD + "".join(line.replace("{n}", str(number)) for number in range(count))

    return filled


def entries(before: str, entry: str, after: str, most: int = 10**9) -> Callable[[int], str]:
    """A file of one entry again and again in brackets, up to a size."""

    def filled(size: int) -> str:
        count = min(most, (size - len(HEAD + before + after)) // len(entry))
        return HEAD + before + entry * count + after

    return filled


FILES: Mapping[str, Callable[[int], str]] = {
    "line ends": lines("\n"),
    "quotes": lambda size: "\"'{ " * (size // 4),
    "a quote that isn't closed": lambda size: HEAD + 'orders: "' + "\n" * (size - 40),
    "brackets": lambda size: "[" * size,
    "keys": lines("k{n}:\n"),
    "comments": lines("# {n}\n"),
    "values": entries("orders: [", "1,", "]"),
    "values up to the limit": entries("orders: [", "1,", "]", 9900),
    "empty orders": entries("orders: [", "{},", "]", 9900),
    "lists in lists": entries("orders: [", "[[[[a]]]],", "]", 1900),
    "verbs that aren't known": entries("orders: [", "{by: },", "]", 4900),
    "orders refused": entries("orders: [", "{buy: wine, at: venezia, price: 100},", "]"),
    "orders refused by a rule": entries("orders: [", "{dismiss: 9, from: venice-1, at: venezia},", "]"),
    "good orders": entries("orders: [", "{dismiss: 1, from: venice-1, at: venezia},", "]"),
    "else in else": entries("orders: [" + "{by: x, else: [" * 13, "{by: },", "]}" * 13 + "]", 4900),
    "an else for each": entries("orders: [", "{buy: wine, at: x, else: [{buy: wine, at: x}]},", "]"),
    "fields that aren't known": lambda size: (
        lines("    k{n}: 1\n")(size).replace(HEAD, HEAD + "orders:\n  - buy: wine\n")
    ),
    "facts": entries("orders: [", "{buy: wine, at: venezia, if: {venice-1: {in: a}}},", "]", 1600),
    "facts in facts": entries(
        "orders: [", "{buy: wine, at: venezia, if: {any: [{venice-1: {in: a}}, {not: {me: {seat: 3}}}]}},", "]", 600
    ),
    "facts of one order": entries(
        "orders: [{dismiss: 1, from: venice-1, at: venezia, if: {any: [", "{venice-1: {in: corfu}},", "]}}]", 2400
    ),
    "ways": entries("orders: [", "{buy: wine, at: [[a], [b], {most: 3}], quantity: {most: 9}},", "]", 800),
    "later": entries("orders: []\nlater: {movement: {orders: [", "{mov: a},", "]}}", 4900),
    "entries": entries("orders: []\nstanding: {passage: [", "{x: 1},", "]}", 4900),
    "entries that aren't too many": entries("orders: []\nstanding: {passage: [", "{x: 1},", "]}", 200),
    "kinds of entries": lambda size: lines("  z{n}:\n")(size).replace(HEAD, HEAD + "orders: []\nstanding:\n"),
    "a long name": lambda size: HEAD + f"orders: [{{buy: {'x' * (size - 60)}}}]",
    "names": entries("orders: [", "{buy: wine, at: constantinopoli},", "]"),
    "signs that can't be seen": entries("orders: [", '{buy: "\\e\\e\\e\\e\\e\\e\\e\\e\\e\\e"},', "]"),
    "answers": entries("answers: [", "{passage: x},", "]", 4900),
    "good answers": entries("answers: [", "{price: wine, for: genoa, at: creta, ask: 300},", "]"),
}  # fmt: skip


def counted(work: Callable[[], Any]) -> tuple[int, Any]:
    """How many functions are called meanwhile, and what comes of it."""
    counting = Profile()
    found = counting.runcall(work)
    return sum(each.callcount for each in counting.getstats()), found


@pytest.mark.parametrize("part", [8, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("kind", FILES)
def test_a_check_grows_with_the_file_and_no_faster_and_tells_the_first_of_it(
    tmp_path: Path, kind: str, part: int
) -> None:
    """A file of an eighth of the size that is read; in `soak` of all of it."""
    folder, counts = lay_out(tmp_path, position("market")), []
    check_text(
        "view.yaml", (folder / "view.yaml").read_bytes(), folder / "view.yaml"
    )  # what is read once in a process
    for size in (MOST_BYTES // part // 8, MOST_BYTES // part):
        path = folder / f"{size}.yaml"
        path.write_bytes(FILES[kind](size).encode())
        assert path.stat().st_size <= MOST_BYTES
        count, (lines, problems, _) = counted(
            partial(check_text, str(path), path.read_bytes(), folder / "view.yaml")
        )
        counts.append(count)
    assert counts[1] <= 8.8 * counts[0] + 5000
    assert counts[1] <= MOST_CALLS
    assert len(problems) <= MOST_TOLD + 1
    if len(problems) > MOST_TOLD:
        assert problems[-1].text.startswith("and ")
        assert problems[-1].text.endswith(" more problems, from here on")
    assert len("\n".join(map(str, lines))) + len(as_text(problems)) <= 3 * MOST_BYTES


@pytest.mark.parametrize("part", [4, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("kind", FILES)
def test_a_report_of_refusals_stays_one_to_read(kind: str, part: int) -> None:
    """Of a quarter of what is read; in `soak` of all of it."""
    rulebook, state = registry.rulebook(GAME), position("market")
    asked = Expected(rulebook, "lagoon", state.phase, tuple(state.players), "venice")
    sheet = read_sheet(FILES[kind](MOST_BYTES // part).encode(), asked)
    if not isinstance(sheet, Sheet):
        return
    notes = tuple(
        Remarked(
            rule="SHEET", to=("venice",), player="venice", reason=flaw.reason, place="sheets/venice.yaml:1:1"
        )
        for flaw in sheet.flaws_as_a_whole(state.phase.due)
    )
    outcome = advance(
        rulebook, state, Inbox({"venice": sheet}, notes=notes), SeededDice(seed_from("x"), "x", 3)
    )
    refused = [event for event in outcome.events if isinstance(event, OrderRefused)]
    assert len(refused) <= MOST_ORDERS
    view = position_for(rulebook, outcome.state, "venice")
    seen = events_for(rulebook, outcome.state, outcome.events, "venice")
    report = render_report(rulebook, "venice", view, seen, before=position_for(rulebook, state, "venice"))
    assert len(report) < LONGEST_REPORT
    told = report.partition("## Your sheet")[2].partition("## The position")[0].count("\n- ")
    assert told <= MOST_TOLD
    if len(refused) > MOST_TOLD:
        assert f"And {len(refused) + len(notes) - told} more, not listed here." in report


def test_orders_beyond_the_limit_are_not_read_and_said_once(tmp_path: Path) -> None:
    folder = lay_out(tmp_path, position("market"))
    good = "{dismiss: 1, from: venice-1, at: venezia}"
    over = "{dismiss: 1, from: venice-1, at: venezia, else: [" + f"{good}," * MOST_ORDERS + "]}"
    for text, line in (
        (f"orders:\n- {over}\n- {good}\n", 3),
        ("orders:\n" + f"- {good}\n" * (MOST_ORDERS + 2), MOST_ORDERS + 3),
        (
            "orders:\n" + f"- {good}\n" * MOST_ORDERS + f"later: {{movement: {{orders: [{good}]}}}}\n",
            MOST_ORDERS + 3,
        ),
    ):
        (folder / "sheet.yaml").write_text(HEAD + text)
        output = adjudicator("check", folder / "sheet.yaml").output
        (said,) = [line for line in output.splitlines() if "aren't read" in line]
        assert f"from line {line} on" in said
        assert sum(": done: " in line or ": nothing: " in line for line in output.splitlines()) <= MOST_ORDERS
    (folder / "sheet.yaml").write_text(HEAD + "orders:\n" + f"- {good}\n" * MOST_ORDERS)
    assert "aren't read" not in adjudicator("check", folder / "sheet.yaml").output


FACTS = ", if: {not: {me: {seat: 3}}, any: [{napoli: {}}]}"


@pytest.mark.parametrize("facts", ["", pytest.param(FACTS, marks=pytest.mark.soak)])
def test_deals_of_two_long_sheets_are_compared_in_bounds(facts: str) -> None:
    """Every order of one asks the other, whose orders are all looked at: the square of what is read, and no more."""
    rulebook, state = registry.rulebook(GAME), position("market")
    aboard = {"zone": "napoli", "sailors": 2, "cargo": ("wine", "wine")}
    galleys = {name: replace(state.galleys[name], **aboard) for name in ("venice-1", "genoa-1")}
    state = replace(state, galleys=galleys)
    dice, counts = SeededDice(seed_from("x"), "x", 3), []
    for number in (MOST_ORDERS // 2, 3 * MOST_ORDERS):
        sheets = {}
        for me, other in (("venice", "genoa"), ("genoa", "venice")):
            order = f"{{sell: wine, to: {other}, from: {me}-1, price: {{ask: 400}}{facts}}},"
            asked = Expected(rulebook, "lagoon", state.phase, ("venice", "genoa"), me)
            sheet = read_sheet(f"player: {me}\norders: [{order * number}]\n".encode(), asked)
            assert isinstance(sheet, Sheet)
            sheets[me] = sheet
        counts.append(counted(partial(advance, rulebook, state, Inbox(sheets), dice))[0])
    assert counts[1] <= 4.4 * counts[0]
    assert counts[1] <= 2 * MOST_CALLS


@pytest.mark.parametrize("form", ["text", "json", "github"])
def test_an_else_that_is_not_needed_is_said(tmp_path: Path, form: str) -> None:
    folder = lay_out(tmp_path, position("market"))
    (folder / "sheet.yaml").write_text(
        "player: venice\norders:\n- dismiss: 9\n  from: venice-1\n  at: venezia\n  else:\n"
        "  - {dismiss: 1, from: venice-1, at: venezia}\n  - {dismiss: 2, from: venice-1, at: venezia}\n"
        "- dismiss: 1\n  from: venice-1\n  at: venezia\n  else: [{dismiss: 2, from: venice-1, at: venezia}]\n"
    )
    output = adjudicator("check", folder / "sheet.yaml", "--format", form).output
    said = "not needed: {dismiss: 2, from: venice-1, at: venezia}"
    assert output.count("not needed") == 2 * (form == "text")
    if form == "text":
        assert output.splitlines()[3] == f"{folder}/sheet.yaml:8:5: {said}"


def test_what_is_possible_is_looked_up_once_however_much_is_wrong() -> None:
    rulebook, state = registry.rulebook(GAME), position("auction")
    looked_up = []

    def names() -> list[str]:
        looked_up.append(1)
        return list(state.galleys)

    asked = Expected(rulebook, "lagoon", state.phase, tuple(state.players), "venice", names)
    for number in (1, 7000):
        looked_up.clear()
        read_sheet(f"{HEAD}orders: [{{bid: 0, seats: [{'venice-1,' * number}]}}]\n".encode(), asked)
        assert 0 < len(looked_up) <= 4
