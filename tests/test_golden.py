"""The golden matches in `tests/golden/`, replayed from their sheets: the results are those written there."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from functools import cache
from itertools import zip_longest
from pathlib import Path

import pytest
from msgspec import structs

from adjudicator.contract import predictions, sending
from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.folder.names import FOR, PUBLIC
from adjudicator.engine.library import registry
from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.match.showing import report_of
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.report.reader_texts import REPORT
from adjudicator.engine.report.story import render_report
from adjudicator.engine.report.template import names
from tests import golden
from tests.rulebooks.replaced import REPLACED

CASES = [pytest.param(case, id=case.name) for case in golden.cases()]
AGAIN = "if that is what you mean: make golden, read the diff, and say in the commit why it changed"


def first_difference(name: str, wanted: str, now: str) -> str:
    """Where two texts part, and both lines; empty if they don't."""
    lines = enumerate(zip_longest(wanted.splitlines(True), now.splitlines(True), fillvalue=""), start=1)
    number, was, is_ = next(((number, *pair) for number, pair in lines if pair[0] != pair[1]), (0, "", ""))
    return f"{name}:{number}\n  was: {was!r}\n  now: {is_!r}\n{AGAIN}" if number else ""


Replayed = Callable[[Path], tuple[Path, list[str]]]


@pytest.fixture(scope="module")
def replayed(tmp_path_factory: pytest.TempPathFactory) -> Replayed:
    """Replays a golden match, each once: where it lies, and what of its mail was never called for."""

    @cache
    def replay(case: Path) -> tuple[Path, list[str]]:
        path = tmp_path_factory.mktemp("golden") / case.name
        return path, golden.replay(case, path)

    return replay


@pytest.mark.ci
@pytest.mark.parametrize("case", CASES)
def test_what_checks_say_of_their_sheets_is_borne_out(case: Path, replayed: Replayed) -> None:
    path, _ = replayed(case)
    steps = sending.played_in_folder(path)
    assert (
        list(predictions.wrong_predictions(open_match(path).rulebook, steps, SeededChance(case.name))) == []
    )


def without_content(report: str) -> list[str]:
    """The headings of a report with nothing below them, the heads of tables without rows, and gaps of several lines."""
    lines = [line for line in report.splitlines() if line.strip()]
    found = ["a gap"] if "\n\n\n" in report else []
    for line, below in zip(lines, [*lines[1:], "# "], strict=True):
        level, under = (len(each) - len(each.lstrip("#")) for each in (line, below))
        if (0 < under <= level) or (re.fullmatch(r"[|: -]+", line) and not below.startswith("|")):
            found.append(line)
    return found


@pytest.mark.parametrize("case", CASES)
def test_the_first_lines_of_a_report_call_their_reader_you(case: Path, replayed: Replayed) -> None:
    """Their names are only those of pieces, `Genoa 1`, and of places that are called like a player."""
    path, _ = replayed(case)
    named, called = [], names(texts_of(open_match(path).rulebook))
    for report in sorted(path.glob("*/for/*/report.md")):
        first = report.read_text().partition("\n## ")[0].split("\n", 3)[-1]
        own = re.compile(rf"(?<!at )(?<!in )\b{called.get(report.parent.name)}\b(?! \d|'s |\))")
        named += [line for line in first.splitlines() if own.search(line)]
    assert named == []


@pytest.mark.parametrize("case", CASES)
def test_no_report_has_a_table_without_rows_or_a_heading_without_content(
    case: Path, replayed: Replayed
) -> None:
    path, _ = replayed(case)
    reports = sorted(path.glob("*/for/*/report.md"))
    assert reports
    assert {f"{each}": found for each in reports if (found := without_content(each.read_text()))} == {}


@pytest.mark.parametrize("game", [game for game in registry.OWN if REPLACED[game]])
def test_no_report_of_an_empty_board_has_a_heading_without_content(game: str) -> None:
    book = registry.rulebook(game)
    bare: dict[str, dict[str, object]] = {name: {} for name in REPLACED[game]}
    state = structs.replace(book.start("bare", book.Options(), book.tables[max(book.tables)][0]), **bare)
    assert without_content(render_report(book, None, state, ())) == []


@pytest.mark.parametrize("case", CASES)
def test_the_same_sheets_give_what_they_gave(case: Path, replayed: Replayed, tmp_path: Path) -> None:
    before, unused = replayed(case)
    path = Path(shutil.copytree(before, tmp_path / case.name))
    verified = verify(path)
    assert verified.problems == ()
    made = golden.outcome(case, path, unused)
    there = {file.name for file in case.iterdir()}
    assert there == {golden.INPUT, *made}
    for name, text in made.items():
        wanted = (case / name).read_bytes().decode()
        assert not (said := first_difference(f"tests/golden/{case.name}/{name}", wanted, text)), said


@pytest.mark.parametrize("game", registry.OWN)
def test_a_rulebook_whose_events_come_out_otherwise_gets_its_next_version(
    game: str, replayed: Replayed
) -> None:
    found = {}
    for case in golden.cases():
        if golden.recorded(case).rulebook == game:
            path, unused = replayed(case)
            found[case.name] = golden.digests(case, golden.events_of(path, unused))
    now, before = golden.Version(registry.rulebook(game).version, found), golden.versions()[game]
    assert golden.unversioned(game, now, before) == ""
    assert now == before, f"tests/golden/versions.yaml is out of date: {AGAIN}"


def test_a_reason_alone_asks_for_no_version(tmp_path: Path) -> None:
    """`verify` tells it as a warning; of a shared reason no rulebook could know."""
    (tmp_path / golden.INPUT).touch()
    line = (
        '{{"type":"OrderRefused","verb":"move","reason":{{"rule":"{}","key":"{}","facts":{{"value":{}}}}}}}\n'
    )
    events = [
        line.format(*parts) for parts in (("MED-3.1", "a", 1), ("MED-3.1", "b", 2), ("MED-3.2", "a", 1))
    ]
    first, same, other = (golden.digests(tmp_path, text) for text in events)
    assert first == same
    assert first != other


def test_the_next_version_is_asked_for_where_the_same_sheets_give_other_events() -> None:
    before = golden.Version("3", {"trade": golden.Digests("same sheets", "events")})
    for version, sheets, events, asked in (
        ("3", "same sheets", "events", False),
        ("3", "same sheets", "other events", True),
        ("3", "other sheets", "other events", False),
        ("4", "same sheets", "other events", False),
    ):
        now = golden.Version(version, {"trade": golden.Digests(sheets, events)})
        said = golden.unversioned("mediterranee", now, before)
        assert ("adjudicator/rulebooks/mediterranee/__init__.py the next number" in said) is asked


def test_a_report_that_is_missing_is_made_anew_as_it_was_told(replayed: Replayed, tmp_path: Path) -> None:
    case = golden.TOP / "mediterranee-trade"
    path = Path(shutil.copytree(replayed(case)[0], tmp_path / case.name))
    match, phases = open_match(path), [file.parts[-4] for file in path.glob(f"*/{FOR}/{PUBLIC}/{REPORT}")]
    assert len(phases) > 5
    for phase in phases:
        for who in (PUBLIC, *match.card.players):
            stored = report_of(match, who, phase)
            (path / phase / FOR / who / REPORT).unlink()
            assert report_of(match, who, phase) == stored


@pytest.mark.parametrize("game", registry.OWN)
def test_every_game_has_golden_matches_of_whatever_makes_a_match_hard_to_play_again(game: str) -> None:
    """Throws and shuffles, what is secret, refusals, remarks, standing instructions, orders sent ahead."""
    text = "".join(
        (case / "events.txt").read_text(encoding="utf-8")
        for case in golden.cases()
        if golden.recorded(case).rulebook == game
    )
    chance = ('"Thrown"', '"Shuffled"')
    assert any(word in text for word in chance)
    for word in ('"to":[', '"OrderRefused"', '"Remarked"', '"Stood"', '"by":"000'):
        assert word in text


def test_golden_matches_have_questions_that_wait() -> None:
    asked = {
        verb
        for case in golden.cases()
        for mail in golden.recorded(case).mail
        for text in mail.answers.values()
        for verb in ("passage", "prize", "offer", "last-word", "seat")
        if f"{verb}:" in text
    }
    assert asked == {"passage", "prize", "offer", "last-word", "seat"}


def test_the_first_line_that_differs_is_named() -> None:
    assert first_difference("end.yaml", "a\nb\n", "a\nb\n") == ""
    assert first_difference("end.yaml", "a\nb\n", "a\nc\n").startswith(
        "end.yaml:2\n  was: 'b\\n'\n  now: 'c\\n'"
    )
    assert first_difference("end.yaml", "a\n", "a").startswith("end.yaml:1\n  was: 'a\\n'\n  now: 'a'")
    assert first_difference("end.yaml", "a\n", "a\nb\n").startswith("end.yaml:2\n  was: ''")
