"""`verify` repeats every change that `amend` accepts: values, added and removed pieces, and their order."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, strategies as st

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.names import FOR
from adjudicator.engine.folder.patches import differences, patched
from adjudicator.engine.library import registry
from adjudicator.engine.match.begin import begin
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.text.writing import write
from adjudicator.gm.changing import amend
from tests.engine.match_folders import PHASE_BY_PHASE, begun, play, yaml_in
from tests.gm.weeks import utc
from tests.hostile.mutants import mutants

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["a", "b", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abcd"), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from("abcd"), PLAIN), st.dictionaries(st.sampled_from("abcd"), PLAIN))
def test_the_changes_found_lead_from_one_to_the_other_in_order(old: Any, new: Any) -> None:
    again = msgspec.json.decode(msgspec.json.encode(differences(old, new)))
    found = patched(old, differences(old, new))
    assert msgspec.json.encode(found) == msgspec.json.encode(new)
    assert bool(again) == (msgspec.json.encode(old) != msgspec.json.encode(new))


def reordered(plain: Any, chance: SeededChance) -> Any:
    """Every mapping inside with two of its lines exchanged."""
    if isinstance(plain, list):
        return [reordered(each, chance) for each in plain]
    if not isinstance(plain, dict):
        return plain
    keys = [*plain]
    if len(keys) > 1:
        one, two = chance(len(keys)), chance(len(keys))
        keys[one], keys[two] = keys[two], keys[one]
    return {key: reordered(plain[key], chance) for key in keys}


def edits(text: bytes, plain: dict[str, Any], count: int) -> list[bytes]:
    """Positions as a hand may leave them: in another order, with other values."""
    chance = SeededChance("edits")
    in_other_order = [write(reordered(plain, chance)).encode() for _ in range(count)]
    return [*in_other_order, *mutants(text, "state.yaml", count, "amend")]


@pytest.mark.parametrize(
    ("game", "count"),
    [
        pytest.param(
            game, count, marks=() if few and game in ("mediterranee", "oltremare") else pytest.mark.soak
        )
        for game in registry.OWN
        for few, count in ((True, 6), (False, 150))
    ],
)
def test_whatever_is_accepted_is_done_again(tmp_path: Path, game: str, count: int) -> None:
    rulebook = registry.rulebook(game)
    table = rulebook.tables[min(rulebook.tables)][0]
    begin(game, tmp_path / "lagoon", table, options=PHASE_BY_PHASE, seed_text="test", name="lagoon")
    play(tmp_path / "lagoon", 3)
    state = tmp_path / "lagoon" / Folder(tmp_path / "lagoon").phases[-1] / "state.yaml"
    accepted = 0
    for number, text in enumerate(edits(state.read_bytes(), yaml_in(state), count)):
        match = Path(shutil.copytree(tmp_path / "lagoon", tmp_path / str(number)))
        (match / state.relative_to(tmp_path / "lagoon")).write_bytes(text)
        try:
            amend(match, utc("2026-11-23 12:00"), why="x")
        except Faulty:
            continue
        accepted += 1
        assert [each.text for each in verify(match).problems] == [], text
        play(match, 1)
        assert verify(match).good, text
    assert accepted


@pytest.mark.parametrize("runs", [3, 40], ids=["going on", "over"])
def test_without_what_was_handed_out_nothing_is_said_to_be_tampered_with(tmp_path: Path, runs: int) -> None:
    """It can be made again: `verify` says that it isn't there."""
    match = begun(tmp_path / "lagoon", turns="1", stops="auction,movement")
    play(match, runs)
    for folder in match.glob(f"*/{FOR}"):
        shutil.rmtree(folder)
    found = verify(match)
    assert found.problems == ()
    assert len(found.left_out) == 1
    assert "files that players got" in found.left_out[0]
