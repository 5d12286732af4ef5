"""Faulty sheets: which faults make a sheet count as not sent, cost one order only, or stop a run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.match.run import run
from adjudicator.engine.table.event import OrderRefused
from tests.engine.match_folders import remarks, report_of, said, send, send_all, tree


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("player: genoa\norders: []", "other-player"),
        ("player: venice\nmatch: other\norders: []", "other-match"),
        ("player: venice\nphase: market\norders: []", "other-phase"),
        ("player: vinice\norders: []", "unknown-player"),
        ("- 1", "not-a-mapping-file"),
        ("", "empty"),
        ("player: venice\norders: []\norders: []", "yaml"),
        ("[" * 30000, "yaml"),
        ("#" * 70000, "yaml"),
    ],
)
def test_sheets_that_count_as_not_sent(lagoon: Path, text: str, key: str) -> None:
    send(lagoon, "venice", text, head=False)
    send(lagoon, "genoa")
    ran = run(lagoon)
    assert ran.missing == ("venice",)
    assert len(ran.problems) == 1
    run(lagoon, deadline=True)
    ((player, found, _),) = remarks(lagoon, 1)
    assert (player, found) == ("venice", key)
    report = "0002-t1-auction/for/{}/report.md"
    assert "counts as not sent" in Folder(lagoon).read(report.format("venice")).decode()
    for other in ("genoa", "public"):
        assert "not sent" not in Folder(lagoon).read(report.format(other)).decode()


def test_a_file_named_after_its_player_need_not_say_whose_it_is(lagoon: Path) -> None:
    """As at every other door: what a GM puts there by hand counts."""
    send(lagoon, "venice", "orders: []", head=False)
    send(lagoon, "genoa")
    ran = run(lagoon)
    assert ran.adjudicated
    assert (list(ran.problems), remarks(lagoon, 1)) == ([], [])


def test_other_faults_cost_only_what_they_lie_in(lagoon: Path) -> None:
    text = "orders: [{place: 5, to: venice-1}, {plaice: 2, to: venice-2}]\nsall: a\nstanding: {price: [], defence: 3}"
    send(lagoon, "venice", text)
    send(lagoon, "genoa")
    run(lagoon)
    assert remarks(lagoon, 1) == [
        ("venice", "unknown-key", "sheets/venice.yaml:3:1"),
        ("venice", "wrong-kind", "sheets/venice.yaml:4:32"),
        ("venice", "unknown-key", "sheets/venice.yaml:4:12"),
    ]
    (refused,) = [event for event in Folder(lagoon).events(1) if isinstance(event, OrderRefused)]
    assert refused.reason.key == "unknown-verb"
    assert Folder(lagoon).state(2).galleys["venice-1"].sailors == 5


def test_what_is_wrong_stands_in_the_order_of_its_lines(lagoon: Path) -> None:
    lines = "".join(f"  - {{place: {count}, to: venice-9}}\n" for count in range(1, 12))
    send(lagoon, "venice", f"stending: {{}}\norders:\n{lines}saalt: a\nstanding: {{price: [{{}}]}}")
    send(lagoon, "genoa")
    run(lagoon)
    report = report_of(lagoon, Folder(lagoon).phases[-1], "venice")
    for part in report.partition("## Your sheet")[2].split("Remarks:"):
        found = [int(line) for line in re.findall(r"^- ([0-9]+):", part, re.MULTILINE)]
        assert len(found) > 2 and found == sorted(found)


@pytest.mark.parametrize(
    "name", ["sheets/venice.yml", "sheets/rome.yaml", "answers/notes.txt", "sheets/Venice.yaml"]
)
def test_a_foreign_file_is_a_problem_and_nothing_is_written(lagoon: Path, name: str) -> None:
    send_all(lagoon)
    path = lagoon / "0001-t1-setup" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("orders: []")
    before = tree(lagoon)
    with pytest.raises(Faulty) as faulty:
        run(lagoon)
    assert faulty.value.problems[0].file == str(path)
    assert tree(lagoon) == before


def test_a_link_isnt_followed_and_hidden_files_do_no_harm(lagoon: Path) -> None:
    send_all(lagoon)
    (lagoon / "0001-t1-setup/sheets/.gitkeep").write_text("")
    (lagoon / "0001-t1-setup/sheets/venice.yaml").unlink()
    (lagoon / "0001-t1-setup/sheets/venice.yaml").symlink_to(lagoon / "referee.yaml")
    with pytest.raises(Faulty) as faulty:
        run(lagoon)
    assert "links aren't followed" in said(faulty)
