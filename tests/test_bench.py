"""What `make bench AGAINST=` says where there is nothing to compare with."""

from __future__ import annotations

import pytest

from tests import bench_against
from tests.bench import Figure, Work


def test_a_commit_that_does_not_exist_is_a_sentence() -> None:
    """A figure is compared with nothing but the same work at a commit that there is."""
    with (
        pytest.raises(SystemExit, match="There is no commit 'nowhere' here"),
        bench_against.checked_out("nowhere"),
    ):
        pass


def test_other_work_is_not_compared(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where the players or phases differ, no ratio is printed."""

    def played(tree: object, name: str, rev: str) -> Work:
        return Work(f"{name}, {2 if rev == 'old' else 4} players", (Figure("calls", 100, "a sheet"),))

    monkeypatch.setattr(bench_against, "played", played)
    bench_against.compare(bench_against.ROOT, "old", "mediterranee")
    said = capsys.readouterr().out
    assert "other work at old" in said
    assert "2 players" in said
    assert "times" not in said
