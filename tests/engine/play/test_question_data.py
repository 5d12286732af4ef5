"""A question as plain data, as a link holds it, is the same question again."""

from __future__ import annotations

import msgspec
import pytest

from adjudicator.engine.library import registry
from adjudicator.engine.play.asking import from_data, in_data

MEDITERRANEE = registry.rulebook("mediterranee")


@pytest.mark.parametrize("game", registry.OWN)
def test_every_question_can_be_read_from_data(game: str) -> None:
    for kind in registry.rulebook(game).questions:
        msgspec.json.Decoder(kind)  # raises TypeError for a field of a kind that can't be read


def test_a_question_comes_back_as_it_was() -> None:
    passage = next(kind for kind in MEDITERRANEE.questions if kind.verb == "passage")
    asked = passage("turkey-1", "turkey", "modon", 3)
    assert from_data(MEDITERRANEE, msgspec.json.decode(msgspec.json.encode(in_data(asked)))) == asked


@pytest.mark.parametrize("plain", [{}, {"passage": {}}, {"seat": {"free": "1"}}, {"seat": 1}, {"bild": {}}])
def test_anything_else_is_no_question(plain: dict[str, object]) -> None:
    assert from_data(MEDITERRANEE, plain) is None
