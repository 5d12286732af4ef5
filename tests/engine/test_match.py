"""Runs of a match: who is due and missing, sheets sent earlier, drafts, deadlines, throws by hand, waiting, undo."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.match.run import Run, run
from adjudicator.engine.match.showing import write_again
from adjudicator.engine.match.undo import undo
from adjudicator.engine.match.verify import verify
from adjudicator.engine.report.for_all import handout
from adjudicator.engine.table.event import NotSent, OrderRefused, Remarked
from tests.engine.postbox import FOUR, begun, play, send, send_all, tree
from tests.engine.scripted import section


@pytest.fixture
def lagoon(tmp_path: Path) -> Path:
    return begun(tmp_path / "lagoon")


def remarks(match: Path, number: int) -> list[tuple[str, str, str]]:
    return [
        (event.player, event.reason.key, event.place)
        for event in Folder(match).events(number)
        if isinstance(event, NotSent | Remarked)
    ]


def said(faulty: pytest.ExceptionInfo[Faulty]) -> str:
    return faulty.value.problems[0].text


def test_it_waits_for_all_who_are_due(lagoon: Path) -> None:
    before = tree(lagoon)
    assert run(lagoon).missing == ("venice", "genoa")
    send(lagoon, "genoa")
    ran = run(lagoon)
    assert (ran.adjudicated, ran.missing, ran.open) == ((), ("venice",), "0001-t1-setup")
    assert {**tree(lagoon), "0001-t1-setup/sheets/genoa.yaml": b""} == {
        **before,
        "0001-t1-setup/sheets/genoa.yaml": b"",
    }
    send(lagoon, "venice")
    ran = run(lagoon)
    assert (ran.adjudicated, ran.open) == (("0001-t1-setup",), "0002-t1-auction")
    assert Folder(lagoon).opening(2).since == 1


def test_standing_instructions_alone_are_no_sheet(lagoon: Path) -> None:
    send(lagoon, "venice", "standing: {passage: [{grant: true}]}\norders:")
    send(lagoon, "genoa")
    assert run(lagoon).missing == ("venice",)
    run(lagoon, deadline=True)
    assert Folder(lagoon).state(2).players["venice"].standing.value.passage


def test_a_draft_starts_no_run_but_counts_at_the_deadline(lagoon: Path) -> None:
    send(lagoon, "venice", "ready: false\norders: [{place: 5, to: venice-1}]")
    send(lagoon, "genoa")
    ran = run(lagoon)
    assert (ran.missing, ran.drafts) == (("venice",), ("venice",))
    assert run(lagoon, deadline=True).adjudicated
    assert Folder(lagoon).state(2).galleys["venice-1"].sailors == 5


def test_a_deadline_closes_one_phase(lagoon: Path) -> None:
    ran = run(lagoon, deadline=True, due_text="Sunday evening")
    assert (ran.adjudicated, ran.missing) == (("0001-t1-setup",), ("venice", "genoa"))
    folder = Folder(lagoon)
    assert folder.state(2).galleys["venice-1"].sailors == 4  # MED-0.3: no sheet
    closed = folder.opening(1).closed
    assert closed is not None and closed.deadline
    assert folder.opening(2).until == "Sunday evening"
    assert "Sunday evening" in folder.read("0002-t1-auction/for/venice/report.md").decode()
    assert "Sunday evening" in folder.read("0002-t1-auction/for/venice/sheet.yaml").decode()


def test_later_sheets_go_on_in_the_same_run(lagoon: Path) -> None:
    later = "orders: []\nlater: {auction: {orders: [{bid: 100}]}, market: {orders: []}}"
    send(lagoon, "venice", later)
    send(lagoon, "genoa", "orders: []\nlater: {auction: {orders: []}}")
    ran = run(lagoon)
    assert ran.adjudicated == ("0001-t1-setup", "0002-t1-auction")
    assert (ran.open, ran.missing) == ("0003-t1-market", ("genoa",))
    folder = Folder(lagoon)
    assert folder.state(3).players["venice"].treasury.value == 1900
    assert not folder.has("0002-t1-auction/for")
    report = folder.read("0003-t1-market/for/public/report.md").decode()
    assert "Set-up" in report and "Auction" in report
    send(lagoon, "genoa", "orders: []\nlater: {auction: {orders: [{bid: 100}]}}")
    assert run(lagoon).open == "0004-t1-movement"


def test_a_sheet_of_its_own_replaces_a_later_one(lagoon: Path) -> None:
    send(lagoon, "venice", "orders: []\nlater: {auction: {orders: [{bid: 100}]}}")
    send(lagoon, "genoa")
    assert run(lagoon).missing == ("genoa",)
    send(lagoon, "venice", "orders: [{bid: 700}]")
    send(lagoon, "genoa")
    run(lagoon)
    assert Folder(lagoon).state(3).players["venice"].treasury.value == 1300


def test_a_broken_sheet_doesnt_fall_back_on_a_later_one_before_the_deadline(lagoon: Path) -> None:
    send(lagoon, "venice", "orders: []\nlater: {auction: {orders: [{bid: 100}]}}")
    send(lagoon, "genoa")
    run(lagoon)
    send(lagoon, "venice", "orders: [")
    send(lagoon, "genoa")
    ran = run(lagoon)
    assert ran.missing == ("venice",)
    assert ran.problems[0].file.endswith("0002-t1-auction/sheets/venice.yaml")
    run(lagoon, deadline=True)
    assert Folder(lagoon).state(3).players["venice"].treasury.value == 1900
    assert remarks(lagoon, 2) == [("venice", "yaml", "sheets/venice.yaml:2:10")]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("player: genoa\norders: []", "other-player"),
        ("player: venice\nmatch: other\norders: []", "other-match"),
        ("player: venice\nphase: market\norders: []", "other-phase"),
        ("player: vinice\norders: []", "unknown-player"),
        ("- 1", "not-a-mapping-file"),
        ("", "empty"),
        ("orders: []", "no-player"),
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


def test_who_isnt_due_may_send_standing_instructions_alone(tmp_path: Path) -> None:
    match = begun(tmp_path / "m", pacing="live")
    run(match, deadline=True)
    run(match, deadline=True)
    (due,) = Folder(match).state(3).phase.due
    other = "genoa" if due == "venice" else "venice"
    send(match, other, "orders: [{fly: 1}]\nstanding: {passage: [{grant: true}]}")
    assert run(match).missing == (due,)
    send(match, due)
    run(match)
    assert remarks(match, 3) == [(other, "not-due", f"sheets/{other}.yaml:2:1")]
    assert Folder(match).state(4).players[other].standing.value.passage


def test_an_edited_position_counts_and_a_wrong_one_is_a_problem(lagoon: Path) -> None:
    path = lagoon / "0001-t1-setup/state.yaml"
    text = path.read_text()
    path.write_text(text.replace("treasury: 2000", "treasury: 1500", 1))
    send_all(lagoon)
    run(lagoon)
    assert Folder(lagoon).state(2).players["venice"].treasury.value == 1500
    path = lagoon / "0002-t1-auction/state.yaml"
    text = path.read_text()
    send_all(lagoon)
    for old, new in (
        ("match: lagoon", "match: other"),
        ("number: 2", "number: 3"),
        ("sailors: 1", "sailors: 100"),
        ("turn: 1", "turn: x"),
        ("players:", "spieler:"),
        ("rulebook: mediterranee", "rulebook: chess"),
    ):
        assert old in text
        path.write_text(text.replace(old, new))
        before = tree(lagoon)
        with pytest.raises(Faulty) as faulty:
            run(lagoon)
        assert faulty.value.problems[0].file == str(path)
        assert tree(lagoon) == before


# -- throws made by hand -------------------------------------------------------------------------------------------


def test_throws_by_hand_must_be_as_many_as_needed(tmp_path: Path) -> None:
    match = begun(tmp_path / "m")
    send_all(match)
    before = tree(match)
    with pytest.raises(Faulty) as faulty:
        run(match, throws=[3])
    assert "these throws were not needed: 3" in said(faulty)
    assert tree(match) == before
    run(match, throws=[])
    send(match, "venice", "orders: [{bid: 0}]")
    send(match, "genoa", "orders: [{bid: 0}]")
    before = tree(match)
    with pytest.raises(Faulty) as faulty:
        run(match, throws=[])
    assert said(faulty).startswith("one more throw is needed, for ")
    with pytest.raises(Faulty) as faulty:
        run(match, throws=[7])
    assert said(faulty).startswith("7 can't be thrown for ")
    assert tree(match) == before
    needed = 0
    throws: list[int] = []
    while True:
        throws = [6, 5, 4, 3, 2, 1][: needed + 1]
        try:
            run(match, throws=throws)
            break
        except Faulty:
            needed += 1
            assert needed < 6
    closed = Folder(match).opening(2).closed
    assert closed is not None and closed.dice == tuple(throws)
    assert "made by hand" in (match / "0003-t1-market/for/public/report.md").read_text()


def test_without_the_seed_throws_are_made_by_hand(lagoon: Path) -> None:
    (lagoon / "referee.yaml").unlink()
    send_all(lagoon)
    with pytest.raises(Faulty) as faulty:
        run(lagoon)
    assert "--dice" in said(faulty)
    assert run(lagoon, throws=[]).adjudicated


def test_another_seed_than_the_committed_one_is_a_problem(lagoon: Path) -> None:
    for text in ("seed: 00", "seed: rome"):
        (lagoon / "referee.yaml").write_text(text)
        with pytest.raises(Faulty) as faulty:
            run(lagoon)
        assert "match.yaml" in said(faulty)


# -- waiting -------------------------------------------------------------------------------------------------------


@pytest.fixture
def narrows(tmp_path: Path) -> Path:
    """Genoa is about to move past two galleys of Venice, in live pacing."""
    match = begun(tmp_path / "narrows", pacing="live")
    for _ in range(4):
        send_all(match)
        run(match)
    path = match / "0005-t1-movement/state.yaml"
    text = path.read_text()
    for old, new in (
        ("venice-1: {owner: venice, zone: venezia", "venice-1: {owner: venice, zone: marseille"),
        ("venice-2: {owner: venice, zone: venezia", "venice-2: {owner: venice, zone: ponente"),
        (
            "genoa-1: {owner: genoa, zone: genova, sailors: 1",
            "genoa-1: {owner: genoa, zone: genova, sailors: 3",
        ),
    ):
        assert old in text
        text = text.replace(old, new)
    path.write_text(text)
    send(match, "genoa", "orders: [{move: genoa-1, via: [marseille, ponente, barcelona]}]")
    return match


def answer(match: Path, zone: str, grant: str = "true") -> None:
    send(match, "venice", f"answers: [{{passage: genoa-1, in: {zone}, grant: {grant}}}]", "answers")


def test_who_is_asked_alone_has_a_page_for_the_answer(narrows: Path) -> None:
    run(narrows)
    top = "0005-t1-movement/for"
    names = [name for name in write_again(narrows, pages=True) if name.endswith(".html")]
    assert [name for name in names if name.endswith("orders.html")] == [f"{top}/venice/orders.html"]
    assert names[-1] == f"{top}/public/report.html"
    for who, asked in (("venice", True), ("genoa", False), ("public", False)):
        text = (narrows / top / who / "report.html").read_text()
        assert ("Do you" in text) == asked
        assert ('href="orders.html"' in text) == asked


def test_who_isnt_asked_learns_nothing_of_how_far_a_waiting_phase_has_come(narrows: Path) -> None:
    match = Folder(narrows)
    before = handout(match, match.last, pages=True)
    held = Run(match).play(Run(match).mail(), deadline=False)[0]
    assert held.waiting == "venice"
    while_it_waits = handout(match, match.last, held, pages=True)
    for who in ("genoa", "public"):
        top = f"0005-t1-movement/for/{who}"
        told, still = (
            section(texts[f"{top}/report.md"], "The position") for texts in (before, while_it_waits)
        )
        assert still == told != ""
        drawn = [
            re.search('<img src="([^"]+)"', texts[f"{top}/report.html"]) for texts in (before, while_it_waits)
        ]
        assert drawn[0] and drawn[1] and drawn[0][1] == drawn[1][1]
        assert "passage" not in while_it_waits[f"{top}/report.md"]
    asked = while_it_waits["0005-t1-movement/for/venice/report.md"]
    assert section(asked, "What happened") != section(
        before["0005-t1-movement/for/venice/report.md"], "What happened"
    )


def test_a_question_waits_and_every_answer_plays_on(narrows: Path) -> None:
    ran = run(narrows)
    assert (ran.adjudicated, ran.waiting, ran.open) == ((), "venice", "0005-t1-movement")
    top = narrows / "0005-t1-movement"
    opening = (top / "open.yaml").read_text()
    assert "waits: venice" in opening and "passage" not in opening
    assert (top / "for/venice/answer.yaml").is_file()
    assert not (top / "for/genoa/answer.yaml").exists()
    assert "Marseille. Do you" in (top / "for/venice/report.md").read_text()
    assert "Do you" not in (top / "for/public/report.md").read_text()
    before = tree(narrows)
    assert run(narrows).waiting == "venice"
    assert tree(narrows) == before
    answer(narrows, "marseille")
    ran = run(narrows)
    assert (ran.adjudicated, ran.waiting) == ((), "venice")
    assert "ponente" in (top / "for/venice/answer.yaml").read_text()
    answer(narrows, "ponente")  # the file need not hold the first answer any more
    ran = run(narrows)
    assert (ran.adjudicated, ran.waiting) == (("0005-t1-movement",), "")
    assert Folder(narrows).state(6).galleys["genoa-1"].zone == "barcelona"
    (edited,) = verify(narrows).problems
    assert "edited by hand" in edited.text


def test_an_answer_that_doesnt_answer_is_told_and_can_be_bettered(narrows: Path) -> None:
    run(narrows)
    for zone, grant, problem in (
        ("marseille", "maybe", "true or false"),
        ("ragusa", "true", "no answer to what is asked"),
    ):
        answer(narrows, zone, grant)
        ran = run(narrows)
        assert ran.waiting == "venice"
        assert problem in ran.problems[0].text
    send(narrows, "venice", "answers: [", "answers")
    assert run(narrows).problems
    answer(narrows, "marseille", "false")
    assert run(narrows).adjudicated
    assert Folder(narrows).state(6).galleys["genoa-1"].zone == "marseille"


def test_what_a_waiting_phase_began_with_is_frozen(narrows: Path) -> None:
    run(narrows)
    sheet = narrows / "0005-t1-movement/sheets/genoa.yaml"
    good = sheet.read_bytes()
    send(narrows, "genoa")
    with pytest.raises(Faulty) as faulty:
        run(narrows)
    assert "changed since the phase began" in said(faulty)
    assert faulty.value.problems[0].file == str(sheet)
    sheet.write_bytes(good)
    send(narrows, "venice", "standing: {passage: [{grant: true}]}")
    with pytest.raises(Faulty):
        run(narrows)
    done = undo(narrows)
    assert (done.folders, done.open) == ((), "0005-t1-movement")
    assert run(narrows).adjudicated
    assert Folder(narrows).state(6).galleys["genoa-1"].zone == "barcelona"


def test_a_deadline_answers_open_questions_by_default(narrows: Path) -> None:
    run(narrows)
    ran = run(narrows, deadline=True)
    assert (ran.adjudicated, ran.waiting) == (("0005-t1-movement",), "")
    assert Folder(narrows).state(6).galleys["genoa-1"].zone == "marseille"


def test_the_same_bytes_after_waits_as_with_all_answers_at_once(narrows: Path, tmp_path: Path) -> None:
    both = "answers: [{passage: genoa-1, in: marseille, grant: true}, {passage: genoa-1, in: ponente, grant: true}]"
    send(narrows, "venice", both, "answers")
    run(narrows)
    events = (narrows / "0005-t1-movement/events.jsonl").read_bytes()
    undo(narrows)
    (narrows / "0005-t1-movement/answers/venice.yaml").unlink()
    run(narrows)
    for zone in ("marseille", "ponente"):
        answer(narrows, zone)
        run(narrows)
    assert (narrows / "0005-t1-movement/events.jsonl").read_bytes() == events


def test_reports_of_a_waiting_phase_are_written_again_alike(narrows: Path) -> None:
    run(narrows)
    before = tree(narrows)
    write_again(narrows)
    assert tree(narrows) == before


# -- undo, notes, reports again ------------------------------------------------------------------------------------


def test_undo_takes_back_what_followed_from_the_last_sheets(lagoon: Path) -> None:
    send_all(lagoon, "orders: []\nlater: {auction: {orders: []}}")
    run(lagoon)
    state = (lagoon / "0003-t1-market/state.yaml").read_bytes()
    events = (lagoon / "0002-t1-auction/events.jsonl").read_bytes()
    done = undo(lagoon)
    assert (done.folders, done.where, done.open) == (("0003-t1-market",), "undone/0001", "0002-t1-auction")
    assert (lagoon / "undone/0001/0003-t1-market/state.yaml").read_bytes() == state
    assert (lagoon / "undone/0001/0002-t1-auction/events.jsonl").read_bytes() == events
    assert not (lagoon / "0002-t1-auction/events.jsonl").exists()
    assert "**The GM has taken" in (lagoon / "0002-t1-auction/for/public/report.md").read_text()
    run(lagoon)
    assert (lagoon / "0003-t1-market/state.yaml").read_bytes() == state
    assert "**The GM has taken" in (lagoon / "0003-t1-market/for/public/report.md").read_text()
    assert verify(lagoon).good
    assert undo(lagoon).where == "undone/0002"
    assert undo(lagoon).open == "0001-t1-setup"
    with pytest.raises(Faulty) as faulty:
        undo(lagoon)
    assert "nothing to take back" in said(faulty)


def test_the_gms_words_head_the_next_reports_once(lagoon: Path) -> None:
    (lagoon / "0001-t1-setup/note.md").write_text("Welcome to the lagoon.\n")
    write_again(lagoon)
    report = "for/public/report.md"
    assert "Welcome to the lagoon." in (lagoon / "0001-t1-setup" / report).read_text()
    send_all(lagoon)
    run(lagoon)
    assert "Welcome" not in (lagoon / "0002-t1-auction" / report).read_text()
    (lagoon / "0002-t1-auction/note.md").write_text("Genoa was late.\n")
    send_all(lagoon)
    run(lagoon)
    assert "Genoa was late." in (lagoon / "0003-t1-market" / report).read_text()


def test_reports_written_again_are_the_same(lagoon: Path) -> None:
    play(lagoon, 4)
    before = tree(lagoon)
    write_again(lagoon)
    assert tree(lagoon) == before


def test_a_match_ends_and_publishes_its_seed(tmp_path: Path) -> None:
    match = begun(tmp_path / "m", FOUR, turns="1")
    assert play(match, 20).over
    last = match / Folder(match).phases[-1]
    assert last.name.endswith("-end")
    assert Folder(match).card.seed and "seed: " in (last / "seed.yaml").read_text()
    assert sorted(path.name for path in (last / "for/venice").iterdir()) == ["report.md", "view.yaml"]
    before = tree(match)
    ran = run(match)
    assert ran.over and not ran.adjudicated
    assert tree(match) == before


# -- orders sent ahead ---------------------------------------------------------------------------------------------


AHEAD = """orders: []
later:
  auction: {orders: [{bid: 100}, {bidd: 3}]}
  market: {orders: []}
  combat: {orders: [{attack: genoa-1, with: venice-1}]}
"""


def report_of(match: Path, folder: str, who: str) -> str:
    return (match / folder / f"for/{who}/report.md").read_text()


def test_places_of_orders_sent_ahead_name_the_sheet_they_stand_in(lagoon: Path) -> None:
    send(lagoon, "venice", AHEAD)
    send(lagoon, "genoa", "orders: []\nlater: {auction: {orders: []}}")
    run(lagoon)
    (refused,) = [event for event in Folder(lagoon).events(2) if isinstance(event, OrderRefused)]
    assert refused.where == "0001-t1-setup/sheets/venice.yaml:4:35"
    assert "- 0001-t1-setup 4:35 **bidd: 3**" in report_of(lagoon, "0003-t1-market", "venice")
    assert "bidd" not in report_of(lagoon, "0003-t1-market", "genoa")
    assert verify(lagoon).good


def test_a_player_whose_orders_are_in_already_is_told_so_alone(lagoon: Path) -> None:
    send(lagoon, "venice", AHEAD)
    send(lagoon, "genoa", "orders: []\nlater: {auction: {orders: []}}")
    assert run(lagoon).open == "0003-t1-market"
    folder = "0003-t1-market"
    said = "in already"
    assert f"{said}**, with your sheet of 0001-t1-setup" in report_of(lagoon, folder, "venice")
    assert "**You are due**" not in report_of(lagoon, folder, "venice")
    assert said in (lagoon / folder / "for/venice/sheet.yaml").read_text()
    for path in sorted((lagoon / folder / "for").glob("*/*")):
        assert path.parent.name == "venice" or said not in path.read_text()
    assert "**You are due**" in report_of(lagoon, folder, "genoa")
    before = tree(lagoon)
    write_again(lagoon)
    assert tree(lagoon) == before


@pytest.mark.parametrize("pacing", ["batch", "live"])
def test_orders_sent_ahead_for_a_phase_with_nothing_to_decide_are_told_once(
    tmp_path: Path, pacing: str
) -> None:
    match = begun(tmp_path / "m", pacing=pacing)
    send(match, "venice", AHEAD)
    while "-t1-" in run(match).open:
        folder = Folder(match)
        for player in folder.state(folder.last).phase.due:
            if folder.last > 1 or player != "venice":
                send(match, player)
    told = [
        (name, event.place)
        for number, name in enumerate(Folder(match).phases[:-1])
        for event in Folder(match).events(number)
        if isinstance(event, Remarked) and event.reason.key == "later-not-needed"
    ]
    assert [place for _, place in told] == ["0001-t1-setup/sheets/venice.yaml:6:3"]
    assert told[0][0].endswith("-combat")
    where = [
        path
        for path in sorted(match.glob("*/for/*/report.md"))
        if "combat weren't needed" in path.read_text()
    ]
    assert [path.parent.name for path in where] == ["venice"]
    assert verify(match).good


def test_the_first_report_has_no_empty_story(lagoon: Path) -> None:
    assert "What happened" not in report_of(lagoon, "0001-t1-setup", "venice")


# -- files of answers ----------------------------------------------------------------------------------------------


def test_a_plain_list_answers_too(narrows: Path) -> None:
    run(narrows)
    lines = [f"- passage: genoa-1\n  in: {zone}\n  grant: true" for zone in ("marseille", "ponente")]
    send(narrows, "venice", "\n".join(lines), "answers", head=False)
    assert run(narrows).adjudicated
    assert Folder(narrows).state(6).galleys["genoa-1"].zone == "barcelona"


@pytest.mark.parametrize(
    ("text", "key", "line"),
    [
        ("seat two", "answers-not-a-list", "1:1"),
        ("- [", "answers-yaml", "1:4"),
        ("", "answers-empty", "1:1"),
        ("answers: []", "answers-no-player", "1:1"),
        ("player: genoa\nanswers: []", "answers-other-player", "1:9"),
        ("player: venice\nphase: market\nanswers: []", "answers-other-phase", "2:8"),
        ("- passage two", "not-an-answer", "1:3"),
        ("- {}\n- passage: genoa-1\n", "not-an-answer", "1:3"),
        ("- pasage: genoa-1", "answers-unknown-verb", "1:3"),
        ("player: venice\nanswers:\n  - pasage: genoa-1", "answers-unknown-verb", "3:5"),
        ("player: venice\nanswers: yes please", "wrong-kind", "2:10"),
    ],
)
def test_bad_answers_are_a_remark_and_the_sheet_counts(narrows: Path, text: str, key: str, line: str) -> None:
    run(narrows)
    send(narrows, "venice", text, "answers", head=False)
    ran = run(narrows)
    assert (ran.waiting, ran.missing, ran.adjudicated) == ("venice", (), ())
    assert ran.problems[0].file.endswith("0005-t1-movement/answers/venice.yaml")
    assert "sheet" not in ran.problems[0].text
    run(narrows, deadline=True)
    assert ("venice", key, f"answers/venice.yaml:{line}") in remarks(narrows, 5)
    report = report_of(narrows, Folder(narrows).phases[-1], "venice")
    assert f"- answers {line} " in report
    assert "not sent" not in report
    assert [problem.text.count("edited by hand") for problem in verify(narrows).problems] == [
        1
    ]  # in the fixture


def test_bad_answers_dont_stop_a_phase_that_doesnt_wait(lagoon: Path) -> None:
    send_all(lagoon)
    send(lagoon, "venice", "- [", "answers", head=False)
    assert run(lagoon).adjudicated == ("0001-t1-setup",)
    assert remarks(lagoon, 1) == [("venice", "answers-yaml", "answers/venice.yaml:1:4")]


def test_what_is_wrong_stands_in_the_order_of_its_lines(lagoon: Path) -> None:
    lines = "".join(f"  - {{place: {count}, to: venice-9}}\n" for count in range(1, 12))
    send(lagoon, "venice", f"stending: {{}}\norders:\n{lines}saalt: a\nstanding: {{price: [{{}}]}}")
    send(lagoon, "genoa")
    run(lagoon)
    report = report_of(lagoon, Folder(lagoon).phases[-1], "venice")
    for part in report.partition("Refused")[2].split("Remarks:"):
        found = [int(line) for line in re.findall(r"^- ([0-9]+):", part, re.MULTILINE)]
        assert len(found) > 2 and found == sorted(found)


def test_a_long_reason_of_unread_answers_is_told_whole(lagoon: Path) -> None:
    send(lagoon, "venice", "- &a {seat: 1}\n- *a", "answers", head=False)
    (told,) = run(lagoon).problems
    assert not told.text.endswith("...")
