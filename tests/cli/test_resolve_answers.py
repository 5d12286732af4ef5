"""`resolve` in live pacing: a question that waits, and files of answers."""

from pathlib import Path

import pytest

from adjudicator.engine.table.secret import plain_of
from tests.cli.calling import adjudicator, plain, position, put, sheet

pytestmark = pytest.mark.usefixtures("here")


def live() -> str:
    """Venice would go on from a zone in which Genoa lies."""
    state = plain_of(position("movement", pacing="live"))
    state["galleys"]["genoa-1"]["zone"] = "ragusa"
    return put("state.yaml", state)


def test_a_question_that_waits() -> None:
    state = live()
    move = sheet("venice", [{"move": "venice-1", "via": ["ragusa", "corfu"]}])
    result = adjudicator("resolve", state, move)
    assert result.exit_code == 3, result.output
    assert "waits for an answer of genoa" in result.output
    assert "- passage: venice-1" in result.output
    assert not Path("resolved").exists()
    answer = put(
        "answer.yaml",
        {"player": "genoa", "answers": [{"passage": "venice-1", "in": "ragusa", "grant": True}]},
    )
    result = adjudicator("resolve", state, move, "--answer", answer)
    assert result.exit_code == 0, result.output
    assert plain("resolved/state.yaml")["galleys"]["venice-1"]["zone"] == "corfu"


@pytest.mark.parametrize("name", ["genoa.yaml", "reply.yaml"])
def test_a_plain_list_of_answers_is_offered_to_who_is_asked(name: str) -> None:
    state = live()
    move = sheet("venice", [{"move": "venice-1", "via": ["ragusa", "corfu"]}])
    answer = put("a/" + name, "- passage: venice-1\n  in: ragusa\n  grant: true\n")
    result = adjudicator("resolve", state, move, "--answer", answer)
    assert result.exit_code == 0, result.output
    assert plain("resolved/state.yaml")["galleys"]["venice-1"]["zone"] == "corfu"


def test_bad_answers_are_told_and_the_question_stays_open() -> None:
    state = live()
    move = sheet("venice", [{"move": "venice-1", "via": ["ragusa", "corfu"]}])
    for name, text, said in (
        ("genoa.yaml", "- [", "genoa.yaml:1:4: YAML your answers weren't read"),
        ("reply.yaml", "- pass: venice-1", "pass isn't a question"),
    ):
        result = adjudicator("resolve", state, move, "--answer", put(name, text))
        assert result.exit_code == 3, result.output
        assert said in result.output
