"""The commands that work on a match folder: what they print, and how they end."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from adjudicator.cli import COMMANDS, app, command_of
from adjudicator.engine.folder import gate
from adjudicator.engine.folder.folder import open_match
from tests.engine.match_folders import begun, send, send_all, tree

TWO = ("--player", "venice=one@example.org", "--player", "genoa", "--seed", "x")


def call(*words: str | Path) -> Result:
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    assert "Traceback" not in result.output
    return result


@pytest.fixture
def lagoon(tmp_path: Path) -> Path:
    return begun(tmp_path / "lagoon")


def test_help_names_every_command_and_each_shows_an_example() -> None:
    assert all(name in call("--help").output for name in COMMANDS)
    for name in COMMANDS:
        result = call(name, "--help")
        assert result.exit_code == 0
        assert "Example: adjudicator " in result.output, name


def test_help_says_what_to_write_in_place_of_a_type() -> None:
    for made in map(command_of, COMMANDS):
        for one in (made, *getattr(made, "commands", {}).values()):
            assert not re.findall(r"<\w[\w ]*>  ", one.get_help(typer.Context(one, info_name=one.name))), (
                one.name
            )


def test_a_match_from_new_to_verify(tmp_path: Path) -> None:
    match = tmp_path / "lagoon"
    result = call("new", "mediterranee", match, *TWO, "--option", "turns=1", "--due", "Monday")
    assert result.exit_code == 0, result.output
    assert "Open now: 0001-t1-setup." in result.output
    assert "one@example.org" in (match / "referee.yaml").read_text()
    result = call("status", match)
    assert "opened when 0000-t1-start was adjudicated" in result.output
    assert "venice: no sheet yet" in result.output and "due: Monday" in result.output
    result = call("run", match)
    assert result.exit_code == 3, result.output
    assert "No sheet yet from venice and genoa." in result.output
    send(match, "venice", "orders: [{place: 1, to: nowhere}]")
    send(match, "genoa", "ready: false\norders: []")
    result = call("status", match)
    assert "venice: the sheet is in, with 1 fault" in result.output
    assert "genoa: a draft is in" in result.output
    result = call("run", match)
    assert result.exit_code == 3, result.output
    assert "Only a draft (ready: false) from genoa." in result.output
    result = call("run", match, "--deadline", "--due", "Tuesday")
    assert result.exit_code == 0 and "Adjudicated: 0001-t1-setup." in result.output
    while call("run", match, "--deadline").exit_code == 0:
        pass
    assert "The match is over: " in call("status", match).output
    assert call("verify", match).exit_code == 0


@pytest.mark.parametrize(
    ("game", "seats", "dice", "said"),
    [
        ("triumvirat", ("caesar", "crassus", "pompey"), "seed", True),
        ("triumvirat", ("caesar", "crassus", "pompey"), "drand", False),
        ("mediterranee", ("venice", "genoa"), "seed", False),
    ],
)
def test_who_begins_a_match_learns_that_its_first_deal_hangs_on_their_word(
    tmp_path: Path, game: str, seats: tuple[str, ...], dice: str, *, said: bool
) -> None:
    players = [word for seat in seats for word in ("--player", f"{seat}=one@example.org")]
    told = call("new", game, tmp_path / "lagoon", *players, "--option", f"dice={dice}")
    assert told.exit_code == 0, told.output
    assert ("only your word that you began this match once" in told.output) is said


def test_reports_are_written_again_and_a_phase_is_taken_back(lagoon: Path) -> None:
    send_all(lagoon)
    call("run", lagoon)
    result = call("report", lagoon)
    assert result.exit_code == 0, result.output
    assert "Written again" in result.output
    assert "for Venice" in call("report", lagoon, "--player", "venice").output
    assert "for everybody" in call("report", lagoon, "--phase", "1").output
    result = call("report", lagoon, "--player", "venise")
    assert result.exit_code == 1, result.output
    assert "did you mean venice?" in result.output
    assert call("report", lagoon, "--phase", "sale").exit_code == 1
    result = call("undo", lagoon)
    assert result.exit_code == 0, result.output
    assert "Open again: 0001-t1-setup." in result.output
    result = call("undo", lagoon)
    assert result.exit_code == 1, result.output
    assert "nothing to take back" in result.output


def test_report_shows_a_page(lagoon: Path) -> None:
    page = lagoon / "0001-t1-setup/for/venice/report.html"
    shown = call("report", lagoon, "--player", "venice", "--html").output
    assert shown.startswith("<!doctype html>") and '<span class="tag s0">Venice</span>' in shown
    assert not page.exists()
    assert call("report", lagoon, "--html").exit_code == 0
    assert 'href="orders.html"' in page.read_text()
    assert call("report", lagoon, "--player", "venice", "--html").output == page.read_text()


def test_run_takes_throws_made_by_hand(lagoon: Path) -> None:
    send_all(lagoon)
    assert call("run", lagoon, "--dice", "4;x: [").exit_code == 2
    result = call("run", lagoon, "--dice", "4,[salt,wine]")
    assert result.exit_code == 2
    assert "these throws were not needed: 4, [salt, wine]" in " ".join(result.output.split())
    assert call("run", lagoon, "--dice", "").exit_code == 0
    send_all(lagoon, "orders: [{bid: 0}]")
    before = tree(lagoon)
    for throws, said in (("", "one more throw is needed, for seat"), ("7", "7 can't be thrown for seat")):
        result = call("run", lagoon, "--dice", throws)
        assert result.exit_code == 2, result.output
        assert said in " ".join(result.output.split())
    assert tree(lagoon) == before


def test_counts_and_phases_are_said_in_plain_words(lagoon: Path) -> None:
    assert "Replayed 1 phase: " in call("verify", lagoon).output
    later = "orders: []\nlater: {auction: {orders: []}, market: {orders: [{byu: salt}]}}"
    send(lagoon, "venice", later)
    send(lagoon, "genoa", "orders: []\nlater: {auction: {orders: []}}")
    call("run", lagoon, "--deadline")
    result = call("status", lagoon)
    assert "opened when 0001-t1-setup to 0002-t1-auction were adjudicated" in result.output
    assert (
        "venice: orders are in, with the sheet of 0001-t1-setup, with 1 fault (1 nothing)\n" in result.output
    )
    assert "Replayed 3 phases: " in call("verify", lagoon).output
    send(lagoon, "venice", "- [", "answers", head=False)
    for command in ("status", "run"):
        said = "0003-t1-market/answers/venice.yaml:1:4: YAML your answers weren't read: "
        assert said in call(command, lagoon).output
    assert "venice: orders are in" in call("status", lagoon).output


def test_what_is_no_order_is_refused_without_an_empty_name(lagoon: Path) -> None:
    send(lagoon, "venice", "orders: [place 7]\nlater: {auction: {orders: []}}")
    send(lagoon, "genoa", "orders: []\nlater: {auction: {orders: []}}")
    call("run", lagoon, "--deadline")
    report = (lagoon / "0003-t1-market/for/venice/report.md").read_text()
    assert "place 7 isn't an order" in report
    assert "****" not in report


def test_refused_orders_name_the_sheet_they_stand_in(lagoon: Path) -> None:
    send(lagoon, "venice", "orders: [{place: 9, to: venice-1}]\nlater: {auction: {orders: [{bid: 9000}]}}")
    send(lagoon, "genoa", "orders: []\nlater: {auction: {orders: []}}")
    before = tree(lagoon)
    result = call("run", lagoon)
    assert result.exit_code == 3, result.output
    assert "some have faults that their players can still correct" in result.output
    assert tree(lagoon) == before, "a run by hand waits for sheets without faults, as `status` says"
    call("run", lagoon, "--deadline")
    report = (lagoon / "0003-t1-market/for/venice/report.md").read_text()
    assert "- 2:10 *nothing*: place: 9, to: venice-1\n  - 2:18: " in report
    rule = re.search(
        r"- 0001-t1-setup 3:[0-9]+ \*nothing\*: bid: 9000\n  - 0001-t1-setup (3:[0-9]+): .*\((MED-[0-9.]+)\)",
        report,
    )
    assert rule, report
    said = f"  0001-t1-setup/sheets/venice.yaml:{rule[1]}: bid: 9000 (nothing): "
    assert said in call("explain", rule[2], lagoon).output


def test_verify_names_the_first_file_that_differs(lagoon: Path) -> None:
    send_all(lagoon)
    call("run", lagoon)
    path = lagoon / "0001-t1-setup/sheets/genoa.yaml"
    path.write_text(path.read_text() + "salt: pepper\n")
    result = call("verify", lagoon)
    assert result.exit_code == 1
    assert f"the first file that differs: {path}" in result.output


@pytest.mark.parametrize("command", ["status", "run", "undo", "verify", "report"])
def test_faulty_matches_are_said_and_left_alone(tmp_path: Path, command: str) -> None:
    result = call(command, tmp_path / "nothing")
    assert result.exit_code == 1, result.output
    assert "there is no such folder" in result.output
    assert call(command, tmp_path).exit_code == 1
    assert call(command).exit_code == 2
    match = begun(tmp_path / "m")
    send_all(match)
    for name in ("match.yaml", "0001-t1-setup/state.yaml", "0001-t1-setup/open.yaml"):
        good = (match / name).read_bytes()
        for bad in (
            b"[" * 30000,
            b"\xff\xfe",
            b"a: 1\na: 2",
            b"[1]",
            b"a: &b 1",
            b"",
            b"match: " + b"x" * 70000,
        ):
            if command == "report" and "open" in name:
                continue
            (match / name).write_bytes(bad)
            before = tree(match)
            result = call(command, match)
            assert result.exit_code == 1 or (bad == b"" and "open" in name), (name, bad[:9], result.output)
            assert tree(match) == before or (bad == b"" and "open" in name)
        (match / name).write_bytes(good)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="everything is permitted to root")
def test_a_file_that_cannot_be_read_is_told_in_a_line(lagoon: Path) -> None:
    send_all(lagoon)
    (lagoon / "0001-t1-setup/state.yaml").chmod(0)
    result = call("run", lagoon)
    assert result.exit_code == 1, result.output
    assert "Permission denied" in result.output


def test_a_refusal_of_the_system_is_told_in_its_words(lagoon: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(path: Path, **how: object) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(gate, "read_plain", denied)
    for command in ("status", "run", "undo", "verify", "report"):
        result = call(command, lagoon)
        assert result.exit_code == 1, result.output
        assert "Permission denied" in result.output


def test_control_c_ends_a_run_with_its_own_status(lagoon: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(path: Path, **how: object) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr(gate, "read_plain", interrupted)
    assert call("run", lagoon).exit_code in (1, 130)


def test_a_name_mistyped_is_guessed(tmp_path: Path) -> None:
    result = call("new", "mediterranea", tmp_path / "m", *TWO)
    assert result.exit_code == 2, result.output
    assert "did you mean mediterranee?" in result.output
    assert call("new", "mediterranee", tmp_path / "m", "--option", "turns").exit_code == 2
    result = call("statsu", tmp_path)
    assert result.exit_code == 2, result.output
    assert "'status'" in result.output


IMPORTED = """
import sys
from adjudicator.cli import main
try:
    main()
except SystemExit:
    sys.stderr.write(" ".join(sys.modules))
"""


def imported(*words: str | Path) -> set[str]:
    """The modules that a command has imported at its end."""
    run = [sys.executable, "-c", IMPORTED, *map(str, words)]
    return set(subprocess.run(run, capture_output=True, text=True, check=True).stderr.split())


@pytest.mark.ci
def test_only_what_a_command_needs_is_imported(tmp_path: Path) -> None:
    assert not {"jsonschema", "jinja2", "rich", "yaml", "msgspec"} & imported("--help")
    match = begun(tmp_path / "m")
    send_all(match)
    sheet = match / "0001-t1-setup" / "sheets" / "venice.yaml"
    needless = {"jsonschema", "rich", "zoneinfo", "importlib.metadata", "adjudicator.engine.text.slips"}
    assert not (needless | {"jinja2", "_hashlib", "json"}) & imported("check", sheet)
    assert not needless & imported("run", match)
    sheet.write_text(sheet.read_text() + "nothing: of the kind\n")
    assert "jsonschema" in imported("check", sheet)


@pytest.mark.parametrize(
    ("who", "name", "address"),
    [
        ("Anna <one@example.org>", "Anna", "one@example.org"),
        ('"Anna, the GM\'s sister" <one@example.org>', "Anna, the GM's sister", "one@example.org"),
        ("<one@example.org>", None, "one@example.org"),
        ("one@example.org", None, "one@example.org"),
        ("Anna", "Anna", None),
        ("", None, None),
    ],
)
def test_who_plays_is_kept_by_name_and_address(tmp_path, who, name, address):
    words = ("new", "mediterranee", tmp_path / "lagoon", "--player", f"venice={who}", "--player", "genoa")
    assert call(*words).exit_code == 0
    secrets = open_match(tmp_path / "lagoon").secrets()
    assert (secrets.names.get("venice"), secrets.addresses.get("venice")) == (name, address)


@pytest.mark.parametrize(
    "who",
    [
        "one@",
        "Anna <one>",
        "Anna one@example.org",
        "Anna <>",
        "A\x1b <a@b.c>",
        "A <a@b.c> b",
        "A <a@...>",
        "a@b..c",
        "a@-b",
    ],
)
def test_what_is_no_address_is_refused(tmp_path, who):
    words = ("new", "mediterranee", tmp_path / "lagoon", "--player", f"venice={who}", "--player", "genoa")
    told = call(*words)
    assert told.exit_code == 2, told.output
    assert not (tmp_path / "lagoon").exists()
    assert "--player" in told.output


@pytest.mark.parametrize(
    ("players", "options", "blamed"),
    [
        (("blue", "red"), ("closed=[napoli]",), "--option: MATCH closed: "),
        (("blue", "red", "orange", "black"), ("closed=[napoli]", "pages=off"), "--option: MATCH closed: "),
        (("blue", "red"), ("closed=[nowhere]",), "--option: MATCH closed: "),
        (("blue", "orange"), ("closed=[napoli]",), "--player: MATCH blue, orange can't play it together"),
    ],
)
def test_what_is_wrong_with_an_option_is_laid_to_it(tmp_path, players, options, blamed):
    words = [word for name in players for word in ("--player", name)]
    words += [word for text in options for word in ("--option", text)]
    told = call("new", "serenissima", tmp_path / "lagoon", *words)
    assert told.exit_code == 1
    assert blamed in told.output
    assert ("--player" in told.output) == ("--player" in blamed)
