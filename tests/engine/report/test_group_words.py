"""A group's own words go before ours, key by key and macro by macro; hostile ones are refused or stopped.

`tests/hostile/templates/` has a template for each way to do harm, with what is said of it in its first line.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from adjudicator.contract.languages import some_steps
from adjudicator.engine.library import registry
from adjudicator.engine.library.languages import faults_noted
from adjudicator.engine.library.texts import forget_texts, game_texts, in_language, say, texts_of, words
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report.narrator import Narrator
from adjudicator.engine.report.template import macros, names
from adjudicator.engine.table.reason import Reason

HOSTILE = sorted((Path(__file__).parents[2] / "hostile/templates").glob("*.md.j2"))
GAME = registry.rulebook("oltremare")
MANY = tuple(range(120))


@pytest.fixture
def group(tmp_path: Path) -> Path:
    """An empty folder of a group."""
    forget_texts()
    for language in ("en", "it"):
        (tmp_path / "oltremare" / language).mkdir(parents=True)
        (tmp_path / language).mkdir()
    return tmp_path


@pytest.mark.parametrize(
    "hostile",
    [
        pytest.param(path, id=path.name, marks=() if number % 6 == 0 else pytest.mark.ci)
        for number, path in enumerate(HOSTILE)
    ],
)
def test_a_hostile_template_is_refused_or_stopped_and_ours_goes_on(hostile: Path, group: Path) -> None:
    text = hostile.read_text(encoding="utf-8")
    (group / "oltremare/en/events.md.j2").write_text(text, encoding="utf-8")
    said = text.partition("\n")[0].strip("{# }")
    theirs = in_language(GAME, "en", str(group))
    if not faults_noted(str(group)):
        sold = macros(texts_of(theirs), "events.md.j2").Sold
        with suppress(Exception):  # ours is used then, which these facts don't suit
            sold(MANY, None)
    (fault,) = faults_noted(str(group))
    assert said in fault
    assert fault.startswith("oltremare/en/events.md.j2")
    for step in some_steps(GAME, 6):
        events = [each for each in step.outcome.events if not each.to]
        told = [
            [*Narrator(each, None, position_for(each, step.before, None)).lines(events)]
            for each in (GAME, theirs)
        ]
        assert told[0] == told[1]


def test_a_group_s_words_go_before_ours(group: Path) -> None:
    (group / "oltremare/en/words.yaml").write_text(
        "names: {dandolo: Uncle Bob}\nreasons: {seats: Too few of you}\n"
    )
    (group / "oltremare/en/events.md.j2").write_text(
        "{% macro Sold(run, scene) %}{{ named(run[0].player) }} sells like hot cakes{% endmacro %}\n"
        "{% macro named(who) %}{{ name(who) }}{% endmacro %}\n"
    )
    texts, ours = game_texts("oltremare", "en", str(group)), game_texts("oltremare")
    assert (names(texts).get("dandolo"), names(ours).get("dandolo")) == ("Uncle Bob", "Dandolo")
    assert say(Reason("X", "seats"), texts) == "Too few of you"
    assert words(texts)["reasons"]["yourself"] == words(ours)["reasons"]["yourself"]

    class Event:
        player = "dandolo"

    assert macros(texts, "events.md.j2").Sold([Event], None) == "Uncle Bob sells like hot cakes"
    assert faults_noted(str(group)) == []


def test_a_language_of_the_group_s_falls_back_to_english(group: Path) -> None:
    (group / "it/words.yaml").write_text("account: {done: fatto}\n")
    texts = game_texts("oltremare", "it", str(group))
    assert words(texts)["account"]["done"] == "fatto"
    assert words(texts)["account"]["partly"] == "partly"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("reasons: {seats: 'too few: {value:>1000000000}'}", "a brace that fills in nothing"),
        (
            "reasons: {seats: 'too few: {value.__class__}'}",
            "{value.__class__} isn't filled in here; possible: value",
        ),
        ("reasons: {seats: '{os.NAME}'}", "{os.NAME} isn't filled in here"),
        ("reasons: {seats: 'too few {'}", "a brace that fills in nothing"),
        ("reasons: {none: 'x'}", "there is no such key"),
        ("reasons: {seats: 3}", "this must be a text"),
        ("names: {dandolo: {many: x}}", "a name with forms has texts"),
        (f"names: {{dandolo: {'x' * 100}}}", "this is too long"),
        ("names: {dandolo: *a}", "can't be read as YAML"),
        ("- names", "can't be read as YAML with parts and keys"),
        ("# " + "x" * 70000, "larger than"),
    ],
)
def test_words_that_could_fail_or_grow_are_not_used(text: str, said: str, group: Path) -> None:
    (group / "oltremare/en/words.yaml").write_text(text)
    texts = game_texts("oltremare", "en", str(group))
    assert words(texts) == words(game_texts("oltremare"))
    assert said in "".join(faults_noted(str(group)))


def test_a_link_is_not_followed(group: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("names: {dandolo: Secret}\n")
    (group / "oltremare/en/words.yaml").symlink_to(tmp_path / "secret")
    assert names(game_texts("oltremare", "en", str(group))).get("dandolo") == "Dandolo"
    assert "isn't a plain file" in "".join(faults_noted(str(group)))


@pytest.mark.parametrize(
    "value", ["units = {}", "unit = 'sou'", "luck = luck", "units = {'ducats': ('fair', 'sou')}"]
)
def test_a_value_is_made_like_ours(value: str, group: Path) -> None:
    (group / "oltremare/en/news.md.j2").write_text(f"{{% set {value} %}}", encoding="utf-8")
    theirs = macros(game_texts("oltremare", "en", str(group)), "news.md.j2")
    assert theirs.unit == macros(game_texts("oltremare"), "news.md.j2").unit
    assert len(faults_noted(str(group))) == 1
