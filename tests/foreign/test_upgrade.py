"""A match outlives its rules: it stops under other ones, is upgraded, and every phase is replayed by what played it.

The Carters have two versions: by the first, who sends nothing lays the last card of the hand.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from adjudicator.engine.audit import old_programs
from adjudicator.engine.audit.verify import Difference, verify
from adjudicator.engine.folder import commit
from adjudicator.engine.folder.entries import Upgraded
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.folder.ledger import ledger_of
from adjudicator.engine.match.begin import begin
from adjudicator.engine.match.run import run
from adjudicator.gm.acts import undo
from adjudicator.gm.changing import amend, upgrade
from tests.cli.calling import adjudicator
from tests.engine.folder.test_commit import Killed, Killer
from tests.engine.match_folders import report_of, said, tree, yaml_in
from tests.foreign.installed import install
from tests.gm.weeks import utc

NOON = utc("2026-11-23 12:00")
MARKET, ROAD = "0001-t1-market", "0002-t1-road"
TREE = Path(__file__).parents[2]
Program = Callable[[int, int], None]


def with_versions(patch: pytest.MonkeyPatch) -> Program:
    """Gives the program versions of the Carters' rules, from the oldest to the newest."""
    install(patch)
    carters = import_module("carters")
    rulebook = carters.RULEBOOK

    def has(oldest: int, newest: int) -> None:
        patch.setattr(carters, "RULES", newest)
        patch.setattr(carters, "RULEBOOK", replace(rulebook, oldest=oldest, version=str(newest)))

    return has


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> Program:
    """Changes which versions the program has; at first the first alone."""
    has = with_versions(monkeypatch)
    has(1, 1)
    return has


def played(path: Path, *, silent: bool) -> Path:
    """A match, played by the first version to its first road; if players are silent they lay what the rules say."""
    begin("carters", path, ("red", "green"), options={"pages": "off"}, seed_text="hands", name="roads")
    if not silent:
        market(path)
    run(path, deadline=True)
    assert open_match(path).phases[-1] == ROAD
    return path


def market(path: Path) -> None:
    """Both lay the first card of their hands."""
    match = open_match(path)
    for player, seat in match.state(match.last).players.items():
        sheet = path / match.phases[-1] / "sheets" / f"{player}.yaml"
        sheet.write_text(f"player: {player}\norders: [{{lay: {seat.hand[0].value}}}]\n")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Matches that were played by the first version, made once: one comes out the same by the second, one otherwise.

    `later` is the other one, upgraded all the same and played on.
    """
    folder = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch:
        has = with_versions(patch)
        has(1, 1)
        played(folder / "same", silent=False)
        later = Path(shutil.copytree(played(folder / "other", silent=True), folder / "later"))
        has(1, 2)
        upgrade(later, NOON, why="all agreed")
        lay_and_drive(later)
    return folder


@pytest.fixture
def same(made: Path, program: Program, tmp_path: Path) -> Path:
    """A match that comes out the same by both versions."""
    return Path(shutil.copytree(made / "same", tmp_path / "roads"))


@pytest.fixture
def other(made: Path, program: Program, tmp_path: Path) -> Path:
    """A match that comes out otherwise by the second version."""
    return Path(shutil.copytree(made / "other", tmp_path / "roads"))


def lay_and_drive(path: Path, times: int = 2) -> None:
    """Phases in which nobody sends anything."""
    for _ in range(times):
        run(path, deadline=True)


def replayed(path: Path, count: int) -> None:
    """Every phase is replayed, and follows."""
    found = verify(path)
    assert found.good, found.problems
    assert (found.replayed, found.phases) == (count, count)
    assert found.not_replayed == ()


# -- before an upgrade


def test_a_run_by_rules_that_are_not_here_stops_before_it_plays(other: Path, program: Program) -> None:
    program(2, 2)
    before = tree(other)
    with pytest.raises(Faulty) as stopped:
        run(other, deadline=True)
    assert said(stopped).startswith(
        "this match is played by version 1 of The Carters's rules, and this program, "
    )
    assert said(stopped).endswith(f"has 2; `adjudicator upgrade {other}` says what would come out otherwise")
    assert tree(other) == before
    for command in ("status", "due"):
        shown = adjudicator(command, other).stdout
        assert "Played by version 1 of the rules; the newest here is 2." in shown


def test_a_match_goes_on_by_its_own_version_as_long_as_the_program_has_it(
    other: Path, program: Program
) -> None:
    program(1, 2)
    lay_and_drive(other, 2)
    match = open_match(other)
    assert [match.rules(number) for number in range(match.last + 1)] == [1] * 5
    hand = match.state(3).players["red"].hand
    assert match.state(4).gone[2] == hand[-1].value  # as version 1 has it
    replayed(other, 4)


def test_a_match_of_the_newest_version_needs_no_word(program: Program, tmp_path: Path) -> None:
    program(1, 2)
    match = played(tmp_path / "roads", silent=True)
    assert "version" not in adjudicator("status", match).stdout
    done = adjudicator("upgrade", match)
    assert done.exit_code == 1 and "played by version 2 of the rules already" in done.stderr


# -- an upgrade


def test_a_match_that_comes_out_the_same_moves_on_with_an_entry(same: Path, program: Program) -> None:
    program(2, 2)
    done = adjudicator("upgrade", same, "--at", "2026-11-23T12:00")
    assert done.exit_code == 0, done.stderr
    assert (
        f"from {ROAD} on by version 2 of the rules, and not 1: every phase comes out as it did."
        in done.stdout
    )
    entry = ledger_of(open_match(same))[-1]
    assert isinstance(entry, Upgraded)
    assert entry.same
    assert (entry.phase, entry.was, entry.now, entry.why) == (ROAD, 1, 2, "")
    assert yaml_in(same / ROAD / "state.yaml")["rules"] == 2
    for who in ("red", "public"):
        told = " ".join(report_of(same, ROAD, who).split())
        assert (
            f"From {ROAD} on the match is played by version 2 of the game’s rules, and not by version 1"
            in told
        )
        assert "what was played before comes out the same" in told
    lay_and_drive(same)
    replayed(same, 4)


def test_a_match_in_which_something_does_not_follow_is_not_upgraded(same: Path, program: Program) -> None:
    program(2, 2)
    state = same / ROAD / "state.yaml"
    for was, now in (("roads: 2", "roads: 3"), ("rulebook: carters", "rulebook: carters\nrules: -1")):
        before = state.read_text()
        assert was in before
        state.write_text(before.replace(was, now, 1))
        done = adjudicator("upgrade", same)
        assert done.exit_code == 1, done.output
        assert f"{ROAD}/state.yaml" in done.stderr.replace("\n", "")
        state.write_text(before)


def test_a_match_that_comes_out_otherwise_stays_and_is_told_what_can_be_done(
    other: Path, program: Program
) -> None:
    program(2, 2)
    before = tree(other)
    found = upgrade(other, NOON)
    assert isinstance(found, Difference)
    assert (found.phase, found.rules) == (MARKET, ("CAR-1.1",))
    assert found.was != found.now and '"Laid"' in found.was and '"Laid"' in found.now
    done = adjudicator("upgrade", other)
    assert done.exit_code == 3
    assert "CAR-1.1, since version 2: it was the last one" in done.stdout
    assert f"{MARKET}/events.jsonl:{found.line}" in done.stdout
    assert f"- go on from {ROAD} by version 2: adjudicator upgrade {other} --why ..." in done.stdout
    assert "- go on by version 1, with the program that has it: release " in done.stdout
    assert "- or wait: until you decide, the match stays as it is." in done.stdout
    assert tree(other) == before


def test_it_may_go_on_by_the_old_rules_if_the_program_has_them(other: Path, program: Program) -> None:
    program(1, 2)
    assert (
        f"- go on by version 1, which this program has too: adjudicator run {other}"
        in adjudicator("upgrade", other).stdout
    )
    lay_and_drive(other, 1)
    replayed(other, 3)


def test_with_a_reason_it_goes_on_by_the_new_rules_from_the_open_phase(other: Path, program: Program) -> None:
    program(1, 2)
    done = adjudicator("upgrade", other, "--why", "all agreed", "--at", "2026-11-23T12:00")
    assert done.exit_code == 0, done.stderr
    told = " ".join(report_of(other, ROAD, "green").split())
    assert "by version 2 of the game’s rules, and not by version 1: all agreed" in told
    lay_and_drive(other)
    match = open_match(other)
    assert [match.rules(number) for number in range(match.last + 1)] == [1, 1, 2, 2, 2]
    assert match.state(4).gone[2] == match.state(3).players["red"].hand[0].value  # as version 2 has it
    replayed(other, 4)


def test_what_was_changed_by_hand_and_by_upgrade_in_one_position_follows(
    other: Path, program: Program
) -> None:
    program(1, 2)
    state = other / ROAD / "state.yaml"
    state.write_text(state.read_text().replace("coins: ", "coins: 1", 1))
    amend(other, NOON, why="a coin was lost")
    upgrade(other, NOON, why="all agreed")
    lay_and_drive(other, 1)
    replayed(other, 3)


@pytest.mark.usefixtures("reports_made_once")
def test_an_upgrade_that_is_cut_short_is_done_whole_or_not_at_all(
    other: Path, program: Program, tmp_path: Path
) -> None:
    program(2, 2)
    whole = Path(shutil.copytree(other, tmp_path / "whole"))
    upgrade(whole, NOON, why="all agreed")
    for step in range(1, 60, 4):
        match = Path(shutil.copytree(other, tmp_path / f"cut{step}"))
        with pytest.MonkeyPatch.context() as patch:
            Killer(patch, step)
            try:
                upgrade(match, NOON, why="all agreed")
            except Killed:
                pass
            else:
                assert step > 3
                return
        with commit.locked(match):  # puts in place what was complete
            pass
        assert {name: text for name, text in tree(match).items() if "/." not in name} in (
            tree(other),
            tree(whole),
        )
    raise AssertionError("the upgrade was never done")


def test_an_undo_across_the_border_takes_the_upgrade_back_too(other: Path, program: Program) -> None:
    program(1, 2)
    upgrade(other, NOON, why="all agreed")
    undo(other, NOON, why="too early")
    match = open_match(other)
    assert (match.phases[-1], match.rules(match.last)) == (MARKET, 1)
    run(other, deadline=True)
    assert open_match(other).rules(2) == 1
    replayed(other, 2)
    upgrade(other, NOON, why="once more")
    lay_and_drive(other)
    replayed(other, 4)
    undo(other, NOON, why="to the border")
    undo(other, NOON, why="to the border")
    assert open_match(other).phases[-1] == ROAD
    assert open_match(other).rules(2) == 2  # the upgrade of the phase itself stays
    lay_and_drive(other, 1)
    replayed(other, 3)


# -- verify, when the old rules aren't here any more


def test_phases_that_come_out_the_same_by_the_newest_rules_count_as_replayed_and_it_is_said(
    same: Path, program: Program
) -> None:
    program(2, 2)
    replayed(same, 2)
    done = adjudicator("verify", same)
    assert done.exit_code == 0
    told = (
        f"0000-t1-start to {MARKET} (2 phases): played by version 1 of the rules, and replayed by version 2"
    )
    assert told in done.stderr


@pytest.fixture
def later(made: Path, program: Program, tmp_path: Path) -> Path:
    """A match that was upgraded in the middle although it comes out otherwise, in a program without the old rules."""
    program(2, 2)
    return Path(shutil.copytree(made / "later", tmp_path / "roads"))


def old_program(folder: Path, text: str = "", *, version: int = 1) -> Path:
    """A program that has that version of the rules; or one that does something else."""
    script = (
        text
        or f"""
sys.path[:0] = {[str(TREE), str(TREE / "tests" / "foreign")]!r}
import carters
from msgspec.structs import replace
carters.RULES = {version}
carters.RULEBOOK = replace(carters.RULEBOOK, oldest={version}, version="{version}")
from adjudicator.cli import app
app()
"""
    )
    path = folder / "old"
    path.write_text(f"#!{sys.executable}\nimport os, sys, threading\nstay = threading.Event().wait\n{script}")
    path.chmod(0o700)
    return path


def verified(match: Path, old: Path) -> Any:
    """What `verify` says with an old program at hand."""
    release = open_match(match).card.version
    before = tree(match)
    done = adjudicator("verify", match, "--with", f"{release}={old}")
    assert tree(match) == before
    return done


def test_what_could_not_be_replayed_is_counted_and_named_and_never_follows(
    later: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    done = adjudicator("verify", later)
    assert done.exit_code == 3
    assert "Replayed 3 of 4 phases, whose positions and events follow from the files." in done.stdout
    release = open_match(later).card.version
    assert (
        f"Not replayed: {MARKET}, played by version 1 of the rules; release {release} can replay it."
        in done.stdout
    )
    assert f"name that program with --with {release}=PATH, or install uv or pipx" in done.stderr


def test_the_old_program_replays_what_it_played(later: Path, tmp_path: Path) -> None:
    done = verified(later, old_program(tmp_path))
    assert done.exit_code == 0, done.output
    assert "Replayed 4 phases: every position and event follows from the files." in done.stdout
    assert (
        f"{MARKET}: played by version 1 of the rules, which this program doesn't have; replayed by release "
        in done.stderr
    )


def test_a_program_that_has_not_played_it_replays_nothing(later: Path, tmp_path: Path) -> None:
    done = verified(later, old_program(tmp_path, version=2))
    assert done.exit_code == 3
    assert "Replayed 3 of 4 phases" in done.stdout


def test_what_the_old_program_finds_wrong_is_wrong(later: Path, tmp_path: Path) -> None:
    """A throw by another seed, where each file has the digest that the next one tells."""
    wrong = "print('m/0001-t1-market/events.jsonl:3:1: MATCH the replay differs here', file=sys.stderr)\n"
    wrong += "print('Replayed 1 of 2 phases; the first file that differs: m/0001'); sys.exit(1)"
    done = verified(later, old_program(tmp_path, wrong))
    assert done.exit_code == 1
    assert "says: m/0001-t1-market/events.jsonl:3:1: MATCH the replay differs here" in done.stderr


@pytest.mark.parametrize(
    ("does", "told"),
    [
        ("sys.exit('no')", "it ended with status 1: no"),
        ("print('Replayed 2 phases: all.'); sys.exit(2)", "it says: Replayed 2 phases"),
        ("print('x' * 10**6); stay()", "it took too long, or said too much: xxx"),
        (
            "print('begun', flush=True); os.close(1); os.close(2); stay()",
            "it took too long, or said too much",
        ),
        ("if os.fork() == 0: stay()\nstay()", "it took too long, or said too much"),
        ("if os.fork() == 0: stay()", "it ended with status 0"),
    ],
)
def test_an_old_program_that_fails_replays_nothing_and_takes_no_longer_than_it_may(
    later: Path, tmp_path: Path, does: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(old_programs, "PATIENCE", 0.5)
    done = verified(later, old_program(tmp_path, does))
    assert done.exit_code == 3
    assert told in done.stderr
    assert "Replayed 3 of 4 phases" in done.stdout


def test_an_old_program_sees_a_copy_alone_that_ends_with_what_it_played(later: Path, tmp_path: Path) -> None:
    (later / "mail.yaml").write_text("password: secret\n")
    seen = tmp_path / "seen"
    look = f"import shutil; shutil.copytree(sys.argv[-1], {str(seen)!r}); print(os.getcwd())\n"
    look += f"open({str(tmp_path / 'at')!r}, 'w').write(os.getcwd() + ' ' + ' '.join(os.listdir()))"
    verified(later, old_program(tmp_path, look))
    names = {str(path.relative_to(seen)) for path in seen.rglob("*") if path.is_file()}
    assert "mail.yaml" not in names and not any("/for/" in name for name in names)
    assert {name.partition("/")[0] for name in names} == {
        "match.yaml",
        "referee.yaml",
        "0000-t1-start",
        MARKET,
        ROAD,
    }
    assert set(yaml_in(seen / "referee.yaml")) == {"seed"}
    known = {"due", "since", "until", "version", "entries", "ledger", "undone", "taken"}  # to every release
    assert set(yaml_in(seen / ROAD / "open.yaml")) <= known
    assert yaml_in(seen / ROAD / "state.yaml")["rules"] == 1
    at, *beside = (tmp_path / "at").read_text().split()
    assert not Path(at).is_relative_to(later) and beside == []
    assert not Path(at).exists()


@pytest.mark.parametrize("given", ["0.1.0", "=old", "0.1.0=nowhere"])
def test_a_program_that_is_not_named_right_is_wrong_use(later: Path, given: str) -> None:
    done = adjudicator("verify", later, "--with", given)
    assert done.exit_code == 2


@pytest.mark.parametrize(
    ("given", "command"),
    [
        ("bin/adjudicator", ("bin/adjudicator",)),
        ("bin/python3.11", ("bin/python3.11", "-I", "-m", "adjudicator")),
        ("old.pyz", (sys.executable, "-I", "old.pyz")),
    ],
)
def test_a_release_is_a_program_a_python_or_a_zip_app(
    tmp_path: Path, given: str, command: tuple[str, ...]
) -> None:
    found = old_programs.command_of("0.1.0", {"0.1.0": tmp_path / given})
    assert found == tuple(str(tmp_path / each) if each == given else each for each in command)


@pytest.fixture
def uv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A program called uv is installed here, and nothing else."""
    program = tmp_path / "bin" / "uv"
    program.parent.mkdir()
    program.write_text("")
    program.chmod(0o700)
    monkeypatch.setenv("PATH", str(program.parent))
    yield str(program)


def test_uv_runs_a_release_of_the_registry_and_nothing_that_is_none(uv: str) -> None:
    assert old_programs.command_of("0.1.0", {}) == (
        uv,
        "tool",
        "run",
        "--from",
        "adjudicator-games==0.1.0",
        "adjudicator",
    )
    for made_up in ("0.1.0 @ file:///x", "--from", "", "0.3.0.dev0"):
        assert old_programs.command_of(made_up, {}) == ()


# -- versions that can't be


@pytest.mark.parametrize(
    ("file", "old", "new", "place", "told"),
    [
        (
            "match.yaml",
            "version: ",
            "version: 99.0.0 #",
            ":1",
            "this was written by 99.0.0, and this program is ",
        ),
        ("match.yaml", "version: ", "version: newest #", ":1", "'newest' isn't a version of the program"),
        (f"{ROAD}/open.yaml", "version: ", "version: 99.0.0 #", ":", "use 99.0.0 or later"),
        (f"{MARKET}/open.yaml", "  version: ", "  version: 99.0.0 #", ":", "use 99.0.0 or later"),
        (
            f"{MARKET}/open.yaml",
            "  version: ",
            "  version: 1; rm #",
            ":",
            "'1; rm' isn't a version of the program",
        ),
        (
            f"{MARKET}/open.yaml",
            "  version: ",
            "  rules: new\n  version: ",
            ":",
            "this isn't as the program wrote it",
        ),
        (
            f"{ROAD}/state.yaml",
            "format: ",
            "format: 99.1 #",
            ":1:9",
            "release 99.1 or later, and this program is ",
        ),
        (
            f"{ROAD}/state.yaml",
            "format: ",
            "format: new #",
            ":1:9",
            "release new isn't one of the program",
        ),
        (f"{ROAD}/state.yaml", "rules: ", "rules: 9 #", ":4:8", "is played by version 9 of the game's rules"),
        (
            "ledger.jsonl",
            "",
            '{"kind": "eaten", "at": "2026-11-22T12:00:00Z"}\n',
            ":1:1",
            "a later release than ",
        ),
    ],
)
def test_a_version_from_the_future_or_made_up_is_refused_at_its_place(
    same: Path, file: str, old: str, new: str, place: str, told: str
) -> None:
    path = same / file
    text = path.read_text() if path.exists() else ""
    assert old in text
    path.write_text(text.replace(old, new, 1))
    before = tree(same)
    for words in (("run", same, "--deadline"), ("verify", same), ("upgrade", same)):
        done = adjudicator(*words)
        assert done.exit_code == 1, words
        assert not done.exception or isinstance(done.exception, SystemExit)
        assert f"{path}{place}" in done.stderr and told in done.stderr, (words, done.stderr)
    assert tree(same) == before


def test_a_phase_played_by_rules_that_are_still_to_come_stops_the_match_and_is_not_replayed(
    same: Path,
) -> None:
    path = same / ROAD / "state.yaml"
    path.write_text(path.read_text().replace("rules: 1\n", ""))
    path = same / MARKET / "open.yaml"
    path.write_text(path.read_text().replace("  files:", '  rules: "7"\n  files:'))
    for command in ("run", "upgrade"):
        done = adjudicator(command, same)
        assert done.exit_code == 1 and "it needs a later release" in done.stderr, done.output
    assert "tampered with" in adjudicator("verify", same).stderr


def test_a_position_says_the_version_by_which_its_phase_was_played(other: Path, program: Program) -> None:
    """Two versions in one phase: what `open.yaml` says and what the position says."""
    program(1, 2)
    path = other / MARKET / "state.yaml"
    path.write_text(path.read_text().replace("rules: 1", "rules: 2"))
    told = f"{path}: MATCH the phase was played by version 1 of the rules, but this says 2: tampered with"
    assert told in adjudicator("verify", other).stderr


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("format: 99.1\n", "release 99.1 or later, and this program is "),
        ("rules: 9\n", "is played by version 9 of the game's rules"),
    ],
)
def test_a_view_of_a_later_release_checks_no_sheet(same: Path, line: str, told: str, tmp_path: Path) -> None:
    view, sheet = tmp_path / "view.yaml", same / ROAD / "for" / "red" / "sheet.yaml"
    text = (same / ROAD / "for" / "red" / "view.yaml").read_text()
    key = line.partition(":")[0]
    view.write_text(
        "".join(line if each.startswith(f"{key}:") else each for each in text.splitlines(keepends=True))
    )
    done = adjudicator("check", "--view", view, sheet)
    assert done.exit_code == 1 and told in done.output


def test_a_rulebook_that_has_changed_its_name_is_said_with_what_can_be_done(
    same: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Another author's package is newer than the match, and its game is called cartwrights now."""
    shutil.copytree(Path(__file__).parent / "carters", tmp_path / "carters")
    info = Path(
        shutil.copytree(Path(__file__).parent / "carters-1.dist-info", tmp_path / "carters-2.dist-info")
    )
    entry = info / "entry_points.txt"
    entry.write_text(entry.read_text().replace("carters =", "carter ="))
    install(monkeypatch, tmp_path)
    done = adjudicator("run", same)
    told = "If carters is called carter now, its author can keep the old name too"
    assert done.exit_code == 1 and told in done.output
