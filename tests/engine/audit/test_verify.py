"""`verify`: what a replay finds in a match that was edited, tampered with, or played by another version."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from adjudicator.engine.audit import verify as audit
from adjudicator.engine.audit.verify import VerifyResult, verify
from adjudicator.engine.match import run as matches
from adjudicator.engine.match.run import run
from tests.engine.match_folders import begun, play, send, send_all, tree


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    match = begun(tmp_path_factory.mktemp("match") / "lagoon", turns="2")
    play(match, 8)
    return match


@pytest.fixture
def lagoon(played: Path, tmp_path: Path) -> Path:
    shutil.copytree(played, tmp_path / "lagoon")
    return tmp_path / "lagoon"


def errors(found: VerifyResult, match: Path) -> list[tuple[str, str]]:
    return [
        (each.file.removeprefix(f"{match}/"), each.text)
        for each in found.problems
        if each.severity == "error"
    ]


def changed(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_a_match_as_it_was_played_is_good_and_left_alone(lagoon: Path) -> None:
    before = tree(lagoon)
    found = verify(lagoon)
    assert found.good and found.seed and not found.problems
    assert found.replayed == found.phases >= 8
    assert tree(lagoon) == before


def test_another_place_and_name_of_the_folder_change_nothing(lagoon: Path) -> None:
    lagoon.rename(lagoon.parent / "elsewhere")
    assert verify(lagoon.parent / "elsewhere").good


def test_a_sheet_changed_afterwards(lagoon: Path) -> None:
    path = lagoon / "0002-t1-auction/sheets/venice.yaml"
    path.write_text(path.read_text() + "# more\n")
    found = verify(lagoon)
    assert errors(found, lagoon) == [
        ("0002-t1-auction/sheets/venice.yaml", "changed after the phase was adjudicated: tampered with")
    ]
    path.unlink()
    assert "missing" in errors(verify(lagoon), lagoon)[0][1]
    (lagoon / "0003-t1-market/answers").mkdir()
    (lagoon / "0003-t1-market/answers/genoa.yaml").write_text("player: genoa\n")
    assert (
        "0003-t1-market/answers/genoa.yaml",
        "added after the phase was adjudicated",
    ) in errors(verify(lagoon), lagoon)


def test_an_event_changed_afterwards(lagoon: Path) -> None:
    path = lagoon / "0001-t1-setup/events.jsonl"
    changed(path, '"sailors":1', '"sailors":2')
    found = verify(lagoon)
    assert found.first == str(path)
    texts = [text for _, text in errors(found, lagoon)]
    assert "changed after the phase was adjudicated: tampered with" in texts
    assert "the replay differs here" in texts
    assert any("edited by hand" in text for text in texts)
    path.write_text("{}")
    assert any("this isn't an event" in text for _, text in errors(verify(lagoon), lagoon))


def test_a_position_edited_by_the_gm_before_the_phase(tmp_path: Path) -> None:
    match = begun(tmp_path / "m")
    send_all(match)
    run(match)
    path = match / "0002-t1-auction/state.yaml"
    changed(path, "treasury: 2000", "treasury: 1900")
    send_all(match)
    run(match)
    ((file, text),) = errors(verify(match), match)
    assert file == "0002-t1-auction/state.yaml"
    assert text == "the position doesn't follow from the events of 0001-t1-setup: edited by hand"
    (problem,) = verify(match).problems
    assert "1900" in path.read_text().splitlines()[problem.line - 1]


def test_a_position_changed_afterwards(lagoon: Path) -> None:
    changed(lagoon / "0002-t1-auction/state.yaml", "treasury: 2000", "treasury: 1900")
    found = errors(verify(lagoon), lagoon)
    assert ("0002-t1-auction/state.yaml", "changed after the phase was adjudicated: tampered with") in found
    assert any("edited by hand" in text for _, text in found)


def test_verify_finds_a_broken_chain(lagoon: Path) -> None:
    path = lagoon / "0004-t1-movement/state.yaml"
    if not path.exists():
        path = next(lagoon.glob("0004-*")) / "state.yaml"
    text = path.read_text()
    chain = text.split("chain: ")[1][:64]
    path.write_text(text.replace(chain, "0" * 64))
    found = errors(verify(lagoon), lagoon)
    assert found[0][0] == str(path.relative_to(lagoon))
    assert "tampered with" in found[0][1]


def test_verify_finds_another_seed(lagoon: Path) -> None:
    (lagoon / "referee.yaml").write_text(f"seed: {'00' * 32}\n")
    found = verify(lagoon)
    assert "SHA-256" in errors(found, lagoon)[0][1]
    assert not found.seed


def test_without_the_seed_throws_come_from_the_events(lagoon: Path) -> None:
    for path in (lagoon / "referee.yaml", *lagoon.glob("*/seed.yaml")):
        path.unlink()
    found = verify(lagoon)
    assert found.good and not found.seed and not found.problems


def test_the_published_seed_is_enough(tmp_path: Path) -> None:
    match = begun(tmp_path / "m", turns="1")
    assert play(match, 20).over
    (match / "referee.yaml").unlink()
    found = verify(match)
    assert found.good and found.seed


def test_throws_made_by_hand_are_replayed(tmp_path: Path) -> None:
    match = begun(tmp_path / "m")
    send_all(match)
    run(match, throws=[])
    send_all(match, "orders: [{bid: 0}]")
    for throws in ([], [6], [6, 1], [6, 1, 6, 1]):
        try:
            run(match, throws=throws)
        except Exception:
            continue
    assert (match / "0003-t1-market").is_dir()
    assert verify(match).good


def test_a_deadline_is_replayed_as_one(tmp_path: Path) -> None:
    match = begun(tmp_path / "m", pacing="live")
    send(match, "venice")
    run(match, deadline=True)
    run(match, deadline=True)
    assert verify(match).good


def test_another_version_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = begun(tmp_path / "m")
    with monkeypatch.context() as patch:
        patch.setattr(matches, "__version__", "0.0.9")
        send_all(match)
        run(match)
    found = verify(match)
    assert found.good
    assert [problem.severity for problem in found.problems] == ["warning"]
    assert "played by version 0.0.9" in found.problems[0].text


def test_a_phase_that_cannot_be_read_doesnt_keep_the_others_from_being_looked_at(lagoon: Path) -> None:
    (lagoon / "0002-t1-auction/open.yaml").unlink()
    path = lagoon / "0003-t1-market/sheets/venice.yaml"
    path.write_text("orders: []")
    files = [file for file, _ in errors(verify(lagoon), lagoon)]
    assert files[0] == "0002-t1-auction/open.yaml"
    assert "0003-t1-market/sheets/venice.yaml" in files


@pytest.fixture
def refused(tmp_path: Path) -> Path:
    """A match with an order that was refused, and a sheet that counts as not sent."""
    match = begun(tmp_path / "refused")
    send(match, "venice", "orders: [{place: 1, to: genoa-1}, {plaice: 1}]\nstanding: {prices: 7}")
    send(match, "genoa", "phase: movement\norders: []")
    run(match, deadline=True)
    return match


def test_reasons_that_a_later_version_words_otherwise_are_a_warning(
    refused: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The words of the shared part, and the choice of a reason, may change without a new version of each rulebook."""
    lines_of = audit.papers.lines_of
    assert verify(refused).problems == ()
    monkeypatch.setattr(
        audit.papers,
        "lines_of",
        lambda events: [
            re.sub(rb'"key":"[a-z-]+","facts":', b'"key":"other","facts":', line) for line in lines_of(events)
        ],
    )
    found = verify(refused)
    assert found.good
    (problem,) = found.problems
    assert problem.severity == "warning"
    assert problem.file.endswith("0001-t1-setup/events.jsonl")
    assert problem.text.startswith(
        "4 refusals and remarks of this phase, from here on, would be given other reasons"
    )


@pytest.mark.parametrize("changed_to", [b'"rule":"MED-9.9","key"', b'"why":"x","key"'])
def test_another_rule_is_a_difference(
    refused: Path, changed_to: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines_of = audit.papers.lines_of
    monkeypatch.setattr(
        audit.papers,
        "lines_of",
        lambda events: [
            re.sub(rb'"rule":"[A-Z0-9.-]+","key"', changed_to, line) for line in lines_of(events)
        ],
    )
    assert [text for _, text in errors(verify(refused), refused)] == ["the replay differs here"]


def test_a_reason_edited_by_the_gm_is_tampered_with(refused: Path) -> None:
    changed(refused / "0001-t1-setup/events.jsonl", '"unknown-verb"', '"never-reached"')
    found = verify(refused)
    assert ("0001-t1-setup/events.jsonl", "changed after the phase was adjudicated: tampered with") in errors(
        found, refused
    )
