"""`resolve`: files in, files out; a pure function."""

import errno
from pathlib import Path

import pytest

from adjudicator.engine.folder import disk
from tests.cli.calling import BAD, FAULTY, adjudicator, everything, plain, position, put, sheet

pytestmark = pytest.mark.usefixtures("here")


def test_a_phase_with_scripted_dice() -> None:
    state = put("state.yaml", position("auction"))
    result = adjudicator("resolve", state, sheet("venice", [{"bid": 0}]), "--dice", "2,5")
    assert result.exit_code == 0, result.output
    assert "No orders came from genoa." in result.output
    assert sorted(path.name for path in Path("resolved").iterdir()) == [
        ".resolved",
        "events.jsonl",
        "for",
        "state.yaml",
    ]
    after = plain("resolved/state.yaml")
    assert (after["order"], after["phase"]["name"], after.get("chain", "")) == (
        ["genoa", "venice"],
        "market",
        "",
    )
    events = Path("resolved/events.jsonl").read_text()
    assert '"type":"Thrown"' in events
    names = {path.name for path in Path("resolved/for/venice").iterdir()}
    assert names == {"view.yaml", "known.yaml", "sheet.yaml", "schema.json", "report.md"}
    assert plain("resolved/for/venice/view.yaml")["players"]["genoa"]["treasury"] == "hidden"


def test_pages_are_written_where_the_position_says_so() -> None:
    state = put("state.yaml", position("auction", pages="on"))
    assert adjudicator("resolve", state, "--dice", "2,5").exit_code == 0
    names = {path.name for path in Path("resolved/for/venice").iterdir()}
    assert names == {
        "view.yaml",
        "known.yaml",
        "sheet.yaml",
        "schema.json",
        "report.md",
        "report.html",
        "orders.html",
    }
    assert {path.name for path in Path("resolved/for/public").iterdir()} == {
        "view.yaml",
        "report.md",
        "report.html",
    }


def test_the_results_are_a_position_again() -> None:
    state = put("state.yaml", position("auction"))
    adjudicator("resolve", state, "--dice", "2,5")
    result = adjudicator("resolve", "resolved/state.yaml", "--out", "next")
    assert result.exit_code == 0
    assert plain("next/state.yaml")["phase"]["name"] == "movement"
    assert (
        adjudicator("resolve", "next/state.yaml", "--out", "next").exit_code == 2
    )  # onto what it is made from


def test_earlier_results_are_replaced_whole() -> None:
    four = put("four.yaml", position("market", ("venice", "genoa", "spain", "turkey")))
    assert adjudicator("resolve", four).exit_code == 0
    assert Path("resolved/for/spain/view.yaml").exists()
    state = put("state.yaml", position("market"))
    put("resolved/notes.txt", "mine")
    assert adjudicator("resolve", state).exit_code == 0
    assert not Path("resolved/for/spain").exists()
    assert Path("resolved/notes.txt").exists()
    assert not list(Path().rglob(".resolve.*"))


def test_too_few_throws_and_too_many() -> None:
    state = put("state.yaml", position("auction"))
    before = everything(Path())
    for dice, said in (
        (None, "one more throw is needed, for seat venice"),
        ("4", "one more throw is needed, for seat genoa"),
        ("4,4,4,4", "one more throw is needed"),
        ("4,6,1", "these throws were not needed: 1"),
        ("4,7", "7 can't be thrown"),
        ("4,[a,b]", "[a, b] can't be thrown"),
        ("4,{a: 1}", "write throws as"),
        ("4,[", "write throws as"),
    ):
        result = adjudicator("resolve", state, *(["--dice", dice] if dice else []))
        assert result.exit_code == 2, (dice, result.output)
        assert said in " ".join(result.output.split()), dice
    assert everything(Path()) == before


def test_a_seed_throws_what_is_not_scripted() -> None:
    state = put("state.yaml", position("auction"))
    first = adjudicator("resolve", state, "--seed", "calm", "--out", "one")
    again = adjudicator("resolve", state, "--seed", "calm", "--out", "two")
    assert (first.exit_code, again.exit_code) == (0, 0)
    assert everything(Path("one")) == everything(Path("two"))
    assert adjudicator("resolve", state, "--dice", "6", "--seed", "calm").exit_code == 0


def test_a_phase_without_dice_needs_none() -> None:
    assert adjudicator("resolve", put("state.yaml", position("market"))).exit_code == 0


def test_phases_that_need_nobody_are_played_too() -> None:
    state = put("state.yaml", position("market"))
    later = {"movement": {"orders": [{"move": "venice-1", "via": ["ragusa"]}]}}
    result = adjudicator("resolve", state, sheet("venice", later=later))
    assert plain("resolved/state.yaml")["phase"]["name"] == "movement"
    result = adjudicator(
        "resolve",
        state,
        sheet("venice", later=later),
        sheet("genoa", later=later | {"movement": {"orders": []}}),
    )
    assert "Played: 0003-t1-market.\nPlayed: 0004-t1-movement.\n" in result.output
    assert plain("resolved/state.yaml")["galleys"]["venice-1"]["zone"] == "ragusa"


def test_a_refused_order_is_a_result() -> None:
    state = put("state.yaml", position("movement"))
    result = adjudicator("resolve", state, sheet("venice", [{"move": "genoa-1", "via": ["ragusa"]}]))
    assert result.exit_code == 0
    assert result.stderr.startswith("venice.yaml:3:12: MED-3.1 genoa-1")
    assert '"type":"OrderRefused"' in Path("resolved/events.jsonl").read_text()


@pytest.mark.parametrize("name", BAD)
def test_a_file_that_counts_as_not_sent(name: str) -> None:
    state = put("state.yaml", position("market"))
    result = adjudicator("resolve", state, put("venice.yaml", BAD[name]))
    assert result.exit_code == 0, result.output
    assert result.stderr.startswith("venice.yaml:")
    assert "No orders came from venice" in result.output


@pytest.mark.parametrize("name", FAULTY)
def test_a_fault_costs_only_its_order(name: str) -> None:
    state = put("state.yaml", position("market"))
    result = adjudicator("resolve", state, put("venice.yaml", FAULTY[name][0]))
    assert result.exit_code == 0, result.output
    assert result.stderr.startswith("venice.yaml:")


def test_two_sheets_of_a_player() -> None:
    state = put("state.yaml", position("market"))
    result = adjudicator(
        "resolve", state, sheet("venice"), put("again.yaml", {"player": "venice", "orders": []})
    )
    assert result.exit_code == 2
    assert "two files of venice" in result.output
    assert not Path("resolved").exists()


def test_files_that_are_not_there() -> None:
    state = put("state.yaml", position("market"))
    for words in (
        ["nothing.yaml"],
        [state, "nothing.yaml"],
        [state, "."],
        [state, "--answer", "nothing.yaml"],
    ):
        result = adjudicator("resolve", *words)
        assert result.exit_code == 1, words
        assert "FILE" in result.output
    assert not Path("resolved").exists()


def test_a_match_folder_is_left_alone() -> None:
    state = put("state.yaml", position("market"))
    put("lagoon/match.yaml", "")
    result = adjudicator("resolve", state, "--out", "lagoon/0004-t1-movement")
    assert result.exit_code == 2
    assert "only `run` writes" in " ".join(result.output.split())
    assert adjudicator("resolve", state, "--out", "state.yaml").exit_code == 2
    assert adjudicator("resolve", state, "--out", ".").exit_code == 2


def test_a_full_disk_leaves_everything_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, text: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    state = put("state.yaml", position("market"))
    before = everything(Path())
    monkeypatch.setattr(disk, "write", full)
    result = adjudicator("resolve", state)
    assert result.exit_code == 1
    assert "No space left on device" in result.output
    assert everything(Path()) == before


def test_orders_sent_ahead_that_werent_needed_are_told() -> None:
    state = put("state.yaml", position("market"))
    later = {
        "movement": {"orders": [{"mve": 1}]},
        "combat": {"orders": [{"attack": "genoa-1", "with": "venice-1"}]},
    }
    both = sheet("venice", later=later), sheet("genoa", later={"movement": {"orders": []}})
    result = adjudicator("resolve", state, *both)
    assert result.exit_code == 0, result.output
    assert result.output.startswith("venice.yaml:5:15: SCHEMA")
    assert result.output.count("your orders for combat weren't needed") == 1
    result = adjudicator("resolve", state, both[0], "--out", "next")
    assert (
        "None of your orders for this phase is possible as things stand."
        in Path("next/for/venice/report.md").read_text()
    )
    assert "already sent" not in Path("next/for/genoa/report.md").read_text()


def test_a_file_that_counts_as_not_sent_is_told_also_if_throws_are_missing() -> None:
    """Perhaps they are missing only because of that."""
    state = put("state.yaml", position("auction"))
    result = adjudicator("resolve", state, put("venice.yaml", "orders: ["), put("odd.yaml", "- 1"))
    assert result.exit_code == 2
    assert "one more throw is needed" in result.output
    assert "venice.yaml:1:" in result.output
    assert "odd.yaml:1:1: SHEET a sheet is a mapping" in result.output
