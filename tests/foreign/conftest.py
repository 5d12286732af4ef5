"""What is installed is looked up once in a test: it takes ten milliseconds, and is asked for again and again."""

from __future__ import annotations

from functools import cache

import pytest

from adjudicator.engine.sheets import registry


@pytest.fixture(autouse=True)
def looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_foreign", cache(registry._foreign))
