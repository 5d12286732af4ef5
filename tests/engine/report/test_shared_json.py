"""Pages hold data in which repeated parts are written once; unfolded, it is what it was."""

from __future__ import annotations

import json
from typing import Any

import pytest

from adjudicator.engine.report.orderpage import PART, json_with_shared_parts

LONG = "a text that is long enough"


def unfolded(data: dict[str, Any]) -> Any:
    parts: list[Any] = []

    def whole(value: Any) -> Any:
        if isinstance(value, dict):
            return (
                parts[value[PART]]
                if set(value) == {PART}
                else {key: whole(each) for key, each in value.items()}
            )
        return [whole(each) for each in value] if isinstance(value, list) else value

    for part in data["parts"]:
        parts.append(whole(part))
    return whole(data["whole"])


@pytest.mark.parametrize(
    ("value", "parts"),
    [
        ([LONG, LONG], 1),
        ([LONG, {"key": LONG}], 1),
        ({LONG: 1, "b": {LONG: 1}}, 0),  # a key is no part
        (["short", "short"], 0),
        ([[LONG, 1], [LONG, 1], [LONG, True]], 2),  # 1 is not true
        (
            [{"a": [LONG], "b": []}, {"a": [LONG], "b": []}, {"b": [], "a": [LONG]}],
            2,
        ),  # within a part, nothing is a part of its own
        ([[], {}, None, 0, False, ""], 0),
    ],
)
def test_what_repeats_is_written_once_and_nothing_is_lost(value: Any, parts: int) -> None:
    found = json.loads(json_with_shared_parts(value))
    assert len(found["parts"]) == parts
    assert repr(unfolded(found)) == repr(value)
