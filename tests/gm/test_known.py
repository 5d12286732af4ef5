"""`known.yaml` in a match: folded from phase to phase, made anew, widened by what the GM changes by hand."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from adjudicator import adjudicate
from adjudicator.cli.output import known_beside
from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.handout.gathering import position_known
from adjudicator.engine.match.trying_out import guessed_position
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.report.page_scripts import LinkContent, link_content, packed_link
from adjudicator.engine.table.domain import Chance
from adjudicator.gm.bots import sheet_of
from adjudicator.gm.changing import amend
from adjudicator.page.called import PageCalls
from adjudicator.page.opened import opened
from adjudicator.page.serving import papers_of
from tests.cli.calling import adjudicator
from tests.engine.match_folders import begun, play, tree, yaml_in
from tests.gm.weeks import utc

MONDAY = utc("2026-11-23 12:00")
FOUR = ("venice", "genoa", "spain", "turkey")
PURSE = "players.{}.treasury"


def folder_of(match: Path, player: str, phase: int = -1) -> Path:
    return match / Folder(match).phases[phase] / "for" / player


def numbers(match: Path, player: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml_in(folder_of(match, player) / "known.yaml")["numbers"]
    return found


def purses(match: Path) -> dict[str, int]:
    state = Folder(match).state(Folder(match).last)
    return {player: seat.treasury.value for player, seat in state.players.items()}


@pytest.fixture(scope="session")
def seven_phases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    match = begun(tmp_path_factory.mktemp("seven") / "lagoon", FOUR)
    play(match, 7)
    return match


@pytest.fixture
def lagoon(seven_phases: Path, tmp_path: Path) -> Path:
    """Seven phases, played once in a process and copied."""
    return Path(shutil.copytree(seven_phases, tmp_path / "lagoon"))


@pytest.fixture(scope="session", params=["own", "shown"])
def three_phases(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, str]:
    """Three phases, which tests only read, and the option `bookkeeping` of the match."""
    match = begun(tmp_path_factory.mktemp("three") / "lagoon", FOUR, bookkeeping=request.param)
    play(match, 3)
    return match, request.param


@pytest.fixture(scope="session")
def gone_on(seven_phases: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same match, two phases later."""
    match = Path(shutil.copytree(seven_phases, tmp_path_factory.mktemp("nine") / "lagoon"))
    play(match, 2, seed="on")
    return match


def test_every_hidden_purse_is_reckoned_and_the_own_one_is_in_the_view(lagoon: Path) -> None:
    """MED-0.8: all payments are public."""
    for player in FOUR:
        held = {name: sum_ for name, sum_ in purses(lagoon).items() if name != player}
        told = {PURSE.format(name): {"least": sum_, "most": sum_} for name, sum_ in held.items()}
        assert numbers(lagoon, player) == told
    assert verify(lagoon).problems == ()


@pytest.mark.parametrize("what", ["missing", "edited"])
def test_it_is_made_anew_from_all_events_if_the_last_one_is_not_there_as_it_was_handed_out(
    lagoon: Path, gone_on: Path, what: str
) -> None:
    """A match begun before goes on, and what players write into their folders counts for nothing."""
    folder = Folder(lagoon)
    for path in lagoon.glob("*/for/*/known.yaml"):
        if what == "missing":
            path.unlink()
        else:
            path.write_text(path.read_text().replace("most: ", "most: 1"))
    play(lagoon, 2, seed="on")
    assert folder.phases != Folder(lagoon).phases
    for player in FOUR:
        one, two = (folder_of(match, player) / "known.yaml" for match in (lagoon, gone_on))
        assert one.read_bytes() == two.read_bytes()


def changed_by_hand(match: Path, old: str, new: str) -> None:
    state = match / Folder(match).phases[-1] / "state.yaml"
    text = state.read_text()
    assert old in text
    state.write_text(text.replace(old, new, 1))
    amend(match, MONDAY, why="a wrong booking")


def test_a_change_that_a_player_cant_see_leaves_no_hidden_number_certain(lagoon: Path) -> None:
    """The report says that something was changed, and not what: so it may be any purse. Its owner sees which it was."""
    sum_ = purses(lagoon)["genoa"]
    changed_by_hand(lagoon, f"treasury: {sum_}", f"treasury: {sum_ + 700}")
    for player in ("venice", "spain", "turkey"):
        assert [*numbers(lagoon, player).values()] == [{"least": 0}] * 3
        assert "(something that you may not know)" in (folder_of(lagoon, player) / "report.md").read_text()
    assert all(each["least"] == each["most"] for each in numbers(lagoon, "genoa").values())
    play(lagoon, 9, seed="on")
    held = purses(lagoon)
    assert verify(lagoon).problems == ()
    for player in FOUR:
        for place, bounds in numbers(lagoon, player).items():
            assert bounds["least"] <= held[place.split(".")[1]] <= bounds.get("most", 10**9)
    assert any(each["least"] for each in numbers(lagoon, "venice").values())  # since then there was income


def test_a_change_that_everybody_sees_leaves_all_certain(lagoon: Path) -> None:
    changed_by_hand(lagoon, "warehouse: []", "warehouse: [gold]")
    for player in FOUR:
        assert all(each["least"] == each["most"] for each in numbers(lagoon, player).values())
        assert "may not know" not in (folder_of(lagoon, player) / "report.md").read_text()


def test_a_change_of_which_a_player_sees_a_part_is_said_to_be_more(lagoon: Path) -> None:
    sum_ = purses(lagoon)["genoa"]
    state = lagoon / Folder(lagoon).phases[-1] / "state.yaml"
    state.write_text(state.read_text().replace("warehouse: []", "warehouse: [gold]", 1))
    changed_by_hand(lagoon, f"treasury: {sum_}", f"treasury: {sum_ + 700}")
    report = (folder_of(lagoon, "venice") / "report.md").read_text()
    assert "[gold]; and something that you may not know)" in report
    assert numbers(lagoon, "venice") == {PURSE.format(name): {"least": 0} for name in FOUR[1:]}


@pytest.mark.parametrize("bookkeeping", ["own", "shown"])
def test_forms_and_reports_show_what_was_reckoned_if_the_match_says_so(
    tmp_path: Path, bookkeeping: str
) -> None:
    """MED-0.8, option `bookkeeping`; the view hides the same in both."""
    match = begun(tmp_path / "lagoon", FOUR, bookkeeping=bookkeeping)
    play(match, 2)
    while "market" not in Folder(match).phases[-1]:
        play(match, 1)
    folder, shown = folder_of(match, "venice"), bookkeeping == "shown"
    sum_ = f"{purses(match)['genoa']:,}"
    assert (f"Genoa has {sum_}" in (folder / "sheet.yaml").read_text()) is shown
    row = next(line for line in (folder / "report.md").read_text().splitlines() if line.startswith("| Genoa"))
    assert (sum_ in row) is shown
    assert yaml_in(folder / "view.yaml")["players"]["genoa"]["treasury"] == "hidden"
    assert ("public" in {path.parent.name for path in match.rglob("known.yaml")}) is shown
    assert {*tree(match)} >= {f"{Folder(match).phases[-1]}/for/venice/known.yaml"}


def papers_of_match(match: Path, position: Path, to: Path) -> Path:
    """What lies in the match, which was begun and run."""
    return match


def papers_of_resolve(match: Path, position: Path, to: Path) -> Path:
    """What `resolve` makes of the same position."""
    assert adjudicator("resolve", position, "--seed", "x", "--out", to).exit_code == 0
    return to


def papers_of_python(match: Path, position: Path, to: Path) -> Path:
    """What a program in Python is given of the same position."""
    found = adjudicate(position.read_bytes(), {}, seed="x")
    for who, papers in found.papers.items():
        for name, text in papers.items():
            (to / who).mkdir(parents=True, exist_ok=True)
            (to / who / name).write_text(text)
    return to


@pytest.mark.parametrize("door", [papers_of_match, papers_of_resolve, papers_of_python])
def test_whoever_is_handed_a_view_is_handed_what_is_known_besides(
    door: Callable[[Path, Path, Path], Path], three_phases: tuple[Path, str], tmp_path: Path
) -> None:
    """Also the public, where bookkeeping is no part of the game. It belongs to the view."""
    match, bookkeeping = three_phases
    position = match / Folder(match).phases[-2] / "state.yaml"
    top = door(match, position, tmp_path / "papers")
    views = [path.parent for path in top.rglob("view.yaml")]
    assert {each.name for each in views} == {*FOUR, "public"}
    for folder in views:
        assert (folder / "known.yaml").exists() is (folder.name != "public" or bookkeeping == "shown")
    view = max(each for each in views if each.name == "venice") / "view.yaml"
    assert opened(view.read_bytes(), known=known_beside(view)).known is not None


def test_bots_in_seats_play_by_it(lagoon: Path) -> None:
    """A seat's bot knows what its seat was told."""
    seen: list[Any] = []

    def bot(view: Any, me: str, chance: Chance) -> dict[str, Any]:
        seen.append(view)
        return {"orders": []}

    sheet_of(Folder(lagoon), "venice", bot, SeededChance("seat"))
    held = purses(lagoon)
    assert {player: seat.treasury.value for player, seat in seen[0].players.items()} == held


def test_a_phase_played_without_a_match_goes_on_from_what_was_known(lagoon: Path, tmp_path: Path) -> None:
    """By the program and by `resolve`, which looks beside the position."""
    top = lagoon / Folder(lagoon).phases[-1]
    known = {each.parent.name: each.read_text() for each in top.glob("for/*/known.yaml")}
    played = adjudicate((top / "state.yaml").read_text(), {}, seed="on", known=known)
    out = tmp_path / "next"
    assert adjudicator("resolve", top / "state.yaml", "--seed", "on", "--out", out).exit_code == 0
    after = yaml_in(out / "state.yaml")["players"]
    for player in FOUR:
        said = yaml_in(out / "for" / player / "known.yaml")
        assert played.papers[player]["known.yaml"] == (out / "for" / player / "known.yaml").read_text()
        for other in {*FOUR} - {player}:
            held = after[other]["treasury"]
            assert said["numbers"][PURSE.format(other)] == {"least": held, "most": held}


def test_the_page_of_play_reasons_from_it(lagoon: Path) -> None:
    papers, calls = papers_of(lagoon, "venice"), PageCalls()
    calls.look(papers["view"], "player: venice\norders: []\n", known=papers["known"])
    assert calls.view is not None and without_mark(calls.view.seen) == known_to_venice(lagoon)


def without_mark(view: Any) -> Any:
    """A view as it is without the phase's mark, which stands in the file alone."""
    return replace(view, chain="")


def known_to_venice(match: Path) -> Any:
    return position_known(Folder(match), Folder(match).last, "venice")


def test_guesses_links_and_checks_reason_from_it(lagoon: Path) -> None:
    """`try`, the page of a link, and `check`: whichever way the view comes, `known.yaml` beside it goes along."""
    folder, held = folder_of(lagoon, "venice"), purses(lagoon)
    view, known = ((folder / name).read_bytes() for name in ("view.yaml", "known.yaml"))
    assert known_beside(folder / "view.yaml") == known
    calls = PageCalls()
    calls.open_content(link_content(packed_link(LinkContent(view.decode(), known=known.decode()))))
    for seen in (opened(view, known=known), calls.view):
        assert seen is not None
        for seed in ("a", "b"):
            guess = guessed_position(seen.rulebook, seen.view, seen.me, seed, seen.known)
            assert {player: seat.treasury.value for player, seat in guess.players.items()} == held
        assert {player: seat.treasury.value for player, seat in seen.seen.players.items()} == held
    assert known_to_venice(lagoon) == without_mark(seen.seen)
    tried = adjudicator("try", folder / "view.yaml")
    (folder / "known.yaml").write_text("never: seen\n")
    assert adjudicator("try", folder / "view.yaml").exit_code == tried.exit_code == 0
    assert opened(view, known=b"never: seen").known is None
