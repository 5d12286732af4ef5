"""Many matches, while another run works on some of them: these count as waiting, not as faulty."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.engine.folder import commit
from tests.cli.calling import adjudicator
from tests.engine.match_folders import begun, send_all, tree


@pytest.mark.parametrize("how", [(), ("--if-due",), ("--deadline",)])
def test_a_match_at_which_another_run_is_at_work_waits(tmp_path: Path, how: tuple[str, ...]) -> None:
    busy, free = begun(tmp_path / "busy"), begun(tmp_path / "free")
    send_all(free)
    before = tree(busy)
    with commit.locked(busy):
        found = adjudicator("run", str(busy), str(free), *how)
    lines = found.output.splitlines()
    assert f"{busy}: another run is at work on this match" in lines
    assert lines[-1] == "2 matches: 1 adjudicated, 1 waiting."
    assert found.exit_code == 3
    assert tree(busy) == before
