"""Seats of bots: they order whenever the match waits for them, by what their seats may know, and always the same."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest

from adjudicator import __version__
from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.folder import changing, open_match
from adjudicator.engine.handout import for_all
from adjudicator.engine.library import registry
from adjudicator.gm import bots
from adjudicator.gm.closing import Dice
from adjudicator.gm.playing import close_by_hand, run_by_hand, run_if_due
from tests.cli.calling import adjudicator
from tests.gm.weeks import utc

pytestmark = pytest.mark.usefixtures("nobody_reads")

NOW = utc("2026-11-23 12:00")


def begun(path: Path, *others: str, game: str = "mediterranee") -> Path:
    usual = ("--seed", "bots", "--at", "2026-11-23T12:00Z", "--option", "pages=off")
    result = adjudicator("new", game, path, *usual, *others)
    assert result.exit_code == 0, result.output
    return path


KEPT = tempfile.TemporaryDirectory(prefix="bots-")


def against_bots_anew(path: Path) -> Path:
    return begun(
        path, "--player", "venice", "--bot", "genoa", "--bot", "spain=random", "--bot", "turkey=trader"
    )


def against_bots(path: Path) -> Path:
    """The same match, begun once in a process and copied; and once more for tests that read what is handed out."""
    kept = Path(KEPT.name) / for_all.texts_for_all.__name__ / "lagoon"
    if not kept.exists():
        kept.parent.mkdir()
        against_bots_anew(kept)
    return Path(shutil.copytree(kept, path))


def sheets_in(path: Path) -> dict[str, str]:
    folder = path / open_match(path).phases[-1] / "sheets"
    return {each.stem: each.read_text() for each in sorted(folder.iterdir())}


def test_who_begins_against_bots_is_told_of_play(tmp_path: Path) -> None:
    path, seats = tmp_path / "lagoon", ("--player", "venice")
    told = adjudicator(
        "new", "mediterranee", path, *seats, "--bot", "genoa", "--at", "2026-11-23T12:00Z"
    ).output
    assert f"adjudicator play {path}" in told.replace("\n", " ")
    alone = adjudicator("new", "mediterranee", tmp_path / "reef", *seats, "--player", "genoa").output
    assert "adjudicator play" not in alone


def test_bots_have_ordered_as_soon_as_a_phase_waits_for_them(tmp_path: Path) -> None:
    path = against_bots(tmp_path / "lagoon")
    assert [*sheets_in(path)] == ["genoa", "spain", "turkey"]
    (path / open_match(path).phases[-1] / "sheets" / "venice.yaml").write_text("player: venice\norders: []\n")
    ran = run_by_hand(path, NOW)
    assert ran.missing == ("venice",)
    assert {*sheets_in(path)} <= {"genoa", "spain", "turkey"}
    assert verify(path).problems == ()


def test_the_same_match_gets_the_same_sheets(tmp_path: Path) -> None:
    same = [sheets_in(against_bots_anew(tmp_path / name / "lagoon")) for name in ("a", "b")]
    assert same[0] != {}
    assert same[0] == same[1]


LONGEST = "triumvirat"


@pytest.mark.ci
@pytest.mark.parametrize(
    "game",
    [pytest.param(game, marks=pytest.mark.soak) if game == LONGEST else game for game in registry.OWN],
)
def test_a_match_of_bots_alone_plays_itself_to_its_end(tmp_path: Path, game: str) -> None:
    players = registry.rulebook(game).tables[min(registry.rulebook(game).tables)][0]
    options = ["--option", "turns=1"] if game == "mediterranee" else []
    path = begun(tmp_path / "alone", *(f"--bot={player}" for player in players), *options, game=game)
    assert run_by_hand(path, NOW).over
    assert open_match(path).head(open_match(path).last).over
    assert bots.check_sheets_of_bots(open_match(path)) == bots.BotSheets()


def test_a_phase_closed_without_a_person_goes_on_with_the_bots(tmp_path: Path) -> None:
    path = against_bots(tmp_path / "lagoon")
    first = open_match(path).last
    assert run_if_due(path, NOW).adjudicated == ()
    assert run_by_hand(path, NOW, deadline=True).missing == ("venice",)
    assert open_match(path).last > first


@pytest.mark.parametrize("by_hand", [True, False])
def test_a_run_that_ended_before_its_bots_had_ordered_is_finished_by_the_next(
    tmp_path: Path, by_hand: bool
) -> None:
    path = against_bots(tmp_path / "lagoon")
    top, before = open_match(path).phases[-1], sheets_in(path)
    for name in before:
        (path / top / "sheets" / f"{name}.yaml").unlink()
    run_by_hand(path, NOW, deadline=True) if by_hand else run_if_due(path, NOW)
    assert {name: (path / top / "sheets" / f"{name}.yaml").read_text() for name in before} == before


def test_the_clock_lets_a_bot_order_that_took_over_a_seat(tmp_path: Path) -> None:
    path = begun(tmp_path / "lagoon", "--player", "venice", "--player", "genoa")
    done = adjudicator("replace", path, "venice", "--bot", "--why", "gone", "--at", "2026-11-23T12:00Z")
    assert done.exit_code == 0, done.output
    assert run_if_due(path, NOW).missing == ("genoa",)
    assert [*sheets_in(path)] == ["venice"]


def test_a_phase_that_is_closed_by_hand_has_the_sheets_of_its_bots(tmp_path: Path) -> None:
    path = against_bots(tmp_path / "lagoon")
    for file in (path / open_match(path).phases[-1] / "sheets").iterdir():
        file.unlink()
    assert close_by_hand(path, NOW, Dice(first=True)) == ("venice",)


def test_a_bot_may_take_over_a_seat_and_give_it_back(tmp_path: Path) -> None:
    path = begun(tmp_path / "lagoon", "--player", "venice=one@example.org", "--player", "genoa")
    assert sheets_in(path) == {}
    done = adjudicator("replace", path, "venice", "--bot", "--why", "gone", "--at", "2026-11-23T12:00Z")
    assert done.exit_code == 0, done.output
    run_by_hand(path, NOW)
    assert [*sheets_in(path)] == ["venice"]
    secrets = open_match(path).secrets()
    assert secrets is not None and secrets.bots == {"venice": "trader"}
    again = adjudicator(
        "replace", path, "venice=two@example.org", "--why", "back", "--at", "2026-11-23T12:00Z"
    )
    assert again.exit_code == 0, again.output
    secrets = open_match(path).secrets()
    assert secrets is not None and secrets.bots == {}


def test_a_sheet_that_lies_there_is_left_alone(tmp_path: Path) -> None:
    """The GM may put a bot's sheet right."""
    path = against_bots(tmp_path / "lagoon")
    before = sheets_in(path)
    with changing(path) as match:
        assert not bots.write_sheets_of_bots(match, NOW)
    run_by_hand(path, NOW, deadline=True)
    assert sheets_in(path) != before


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--bot", "genoa=shark"), "has no bot shark; there are trader, random"),
        (("--bot", "nobody"), "there is no player nobody"),
        (("--bot", "genoa", "--option", "pacing=live"), "which no bot can answer"),
        (("--bot", "venice"), "venice is named twice"),
    ],
)
def test_what_can_not_be_is_refused_before_anything_is_written(
    tmp_path: Path, given: tuple[str, ...], said: str
) -> None:
    result = adjudicator("new", "mediterranee", tmp_path / "lagoon", "--player", "venice", *given)
    assert result.exit_code != 0
    assert said in " ".join(result.output.split())
    assert not (tmp_path / "lagoon").exists()


@pytest.mark.read
def test_nobody_is_said_to_wait_for_a_bot(tmp_path: Path) -> None:
    """Not in any player's report, page, or mail: its sheet is in as soon as the phase is open."""
    path = against_bots(tmp_path / "lagoon")
    folder = path / open_match(path).phases[-1] / "for" / "venice"
    report = (folder / "report.md").read_text()
    assert "Sheets are due from Venice." in report
    assert adjudicator("run", path).output.count("No sheet yet from venice.") == 1


@pytest.mark.parametrize("command", ["run", "due"])
def test_who_waits_for_sheets_is_told_where_they_go(tmp_path: Path, command: str) -> None:
    path = begun(tmp_path / "lagoon", "--player", "venice", "--player", "genoa")
    sheets = path / open_match(path).phases[-1] / "sheets"
    said = adjudicator(command, path).output.replace("\n", " ")
    assert f"Sheets go into {sheets}, as venice.yaml and genoa.yaml." in said


# -- made again ------------------------------------------------------------------------------------------------------


def pass_on(path: Path) -> None:
    """Venice sends nothing but a pass, and the phase is played."""
    top = path / open_match(path).phases[-1]
    (top / "sheets").mkdir(exist_ok=True)
    (top / "sheets" / "venice.yaml").write_text("player: venice\norders: []\n")
    assert run_by_hand(path, NOW).adjudicated


def genoas(path: Path) -> Path:
    return path / open_match(path).phases[-1] / "sheets" / "genoa.yaml"


REWRITTEN = {
    "orders": lambda file: file.write_text("player: genoa\norders: []\n"),
    "a salt": lambda file: file.write_text(f"{file.read_text()}salt: one that suits\n"),
    "a remark": lambda file: file.write_text(f"# mine\n{file.read_text()}"),
}


@pytest.mark.parametrize("what", REWRITTEN)
def test_a_sheet_that_the_gm_has_written_for_a_bot_is_found(what: str, tmp_path: Path) -> None:
    """The program plays it like any other, so that all else fits: only the bot itself can tell."""
    path = against_bots(tmp_path / "lagoon")
    pass_on(path)
    assert adjudicator("verify", path).exit_code == 0
    REWRITTEN[what](genoas(path))
    pass_on(path)
    assert verify(path).good
    told = adjudicator("verify", path)
    assert told.exit_code == 1
    assert "sheets/genoa.yaml: MATCH the bot trader orders something else here" in " ".join(
        told.output.split()
    )


def test_a_bot_that_was_not_asked_or_not_heard_is_found(tmp_path: Path) -> None:
    """A sheet in a bot's name instead of the orders that it sent ahead, and one that a deadline passed over."""
    path = against_bots(tmp_path / "lagoon")
    top = open_match(path).phases[-1]
    pass_on(path)
    (path / top / "sheets" / "genoa.yaml").unlink()
    (said,) = bots.check_sheets_of_bots(open_match(path)).problems
    assert "a bot orders whenever the match waits for it" in said.text
    path = begun(tmp_path / "pond", "--player", "venice", "--bot", "genoa")
    pass_on(path)
    genoas(path).parent.mkdir(exist_ok=True)
    genoas(path).write_text("player: genoa\norders: []\n")
    (said,) = bots.check_sheets_of_bots(open_match(path)).problems
    assert "which has ordered nothing here" in said.text


def test_what_another_version_ordered_or_what_was_changed_by_hand_is_not_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = against_bots(tmp_path / "lagoon")
    pass_on(path)
    monkeypatch.setattr(bots, "__version__", "0.3.0")
    told = adjudicator("verify", path)
    assert told.exit_code == 3
    said = (
        f"Not compared: 0001-t1-setup: the sheets of bots, made by version {__version__}, and this is 0.3.0."
    )
    assert said in " ".join(told.output.split())
    monkeypatch.undo()
    state = path / open_match(path).phases[-1] / "state.yaml"
    state.write_text(state.read_text().replace("treasury: 2000", "treasury: 1900", 1))
    assert adjudicator("amend", path, "--why", "typo", "--at", "2026-11-23T12:00Z").exit_code == 0
    assert "the position was changed by hand" in bots.check_sheets_of_bots(open_match(path)).unchecked[0]


@pytest.mark.read
def test_from_when_a_bot_has_a_seat_everybody_can_tell(tmp_path: Path) -> None:
    """So a GM can't call a person's what a bot should have ordered, nor the reverse."""
    path = begun(tmp_path / "lagoon", "--player", "venice", "--player", "genoa", "--bot", "spain")
    assert (
        "bots: {spain: trader}" in (path / open_match(path).phases[-1] / "for/public/match.yaml").read_text()
    )
    done = adjudicator("replace", path, "genoa", "--bot", "--why", "gone", "--at", "2026-11-23T12:00Z")
    assert done.exit_code == 0
    report = path / open_match(path).phases[-1] / "for/public/report.md"
    assert "A program plays Genoa from now on: gone" in report.read_text()
    pass_on(path)
    REWRITTEN["a salt"](genoas(path))
    pass_on(path)
    (said,) = bots.check_sheets_of_bots(open_match(path)).problems
    assert said.file.endswith("genoa.yaml")
