"""Every case is a test that bears its rule and its whole sentence, so that `-k` finds it by any word of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from adjudicator.contract.cases import cases_by_name

CASES = Path(__file__).parents[1] / "cases"


class Collected:
    """A plugin that keeps what was collected."""

    names: tuple[str, ...] = ()

    def pytest_collection_finish(self, session: Any) -> None:
        self.names = tuple(item.name for item in session.items)


@pytest.mark.parametrize("game", sorted(path.name for path in CASES.iterdir()))
def test_cases_bear_their_sentences(game: str) -> None:
    collected = Collected()
    module = Path(__file__).with_name(f"test_contract_{game.replace('-', '_')}.py")
    arguments = ["--collect-only", "-p", "no:cacheprovider", str(module)]
    assert pytest.main(arguments, plugins=[collected]) == pytest.ExitCode.OK
    names = (
        name.encode("unicode_escape").decode() for name in cases_by_name(CASES / game)
    )  # as pytest shows them
    assert {f"test_case[{name}]" for name in names} <= {*collected.names}
