"""Every language says all that English says, and tells the same facts; what it lacks is told in English."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from adjudicator.contract.languages import faults_of_facts, faults_of_language, some_steps, translations
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.library import languages, registry
from adjudicator.engine.library.languages import noun
from adjudicator.engine.library.texts import forget_texts, game_texts, in_language, number_text, say, words
from adjudicator.engine.report.loader import with_lacking_parts
from adjudicator.engine.report.template import environment, macros, names
from adjudicator.engine.report.translated import share_told
from adjudicator.engine.sheets.schema import players
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.text import resources
from adjudicator.gm.acts import give_seat
from adjudicator.gm.people import Person
from tests.cli.calling import adjudicator

WHOLE = (
    ("mediterranee", "fr"),
    ("oltremare", "de"),
    ("oltremare", "fr"),
    ("rome-carthage", "fr"),
    ("serenissima", "fr"),
    ("triumvirat", "fr"),
)


EVERY_GAME = [("", language) for language in dict.fromkeys(language for _, language in WHOLE)]
"""The texts that all games share, in each language."""


def test_each_language_of_a_game_is_whole() -> None:
    """The contract holds each of them against English; none is left out."""
    assert sorted((game, each) for game in registry.OWN for each in translations(game)) == sorted(WHOLE)


@pytest.mark.parametrize(("game", "language"), EVERY_GAME)
def test_a_language_says_all_that_english_says(game: str, language: str) -> None:
    assert list(faults_of_language(game, language)) == []


@pytest.mark.parametrize(("game", "language"), [*((game, "en") for game in registry.OWN), *WHOLE])
def test_no_help_says_in_words_whom_its_example_names(game: str, language: str) -> None:
    """Each reader's example names somebody else (`with_own_names`): *{owner: venice}: any of Genoa's*."""
    texts = game_texts(game, language)
    called = [str(names(texts).get(player)) for player in players(registry.rulebook(game))]
    helps = [text for part in ("kinds", "verbs", "fields") for text in told(words(texts)[part])]
    assert [each for each in helps if "{" in each and any(name in each for name in called)] == []


def told(texts: Any) -> Iterator[str]:
    """The texts in a part of the words, however deep."""
    if isinstance(texts, str):
        yield texts
    else:
        yield from (text for each in texts.values() for text in told(each))


@pytest.mark.soak
@pytest.mark.parametrize(("game", "language"), WHOLE)
def test_a_language_tells_the_same_facts_of_each_event(game: str, language: str) -> None:
    """The contract looks at the phases of one match, this at many."""
    rulebook = registry.rulebook(game)
    assert list(faults_of_facts(rulebook, language, some_steps(rulebook, 1000))) == []


@pytest.fixture
def templates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of all texts, for changes."""
    ours, copy = resources.folder, tmp_path / "templates"
    shutil.copytree(ours("templates"), copy)
    monkeypatch.setattr(registry, "folder", lambda kind: copy if kind == "templates" else ours(kind))
    monkeypatch.setattr(languages, "folder", lambda kind: copy if kind == "templates" else ours(kind))
    forget_texts()
    yield copy
    forget_texts()


@pytest.fixture
def oltremare(templates: Path) -> Path:
    """The folder of a game's French texts, for changes."""
    return templates / "oltremare/fr"


def change(path: Path, before: str, after: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), encoding="utf-8")


@pytest.mark.ci
@pytest.mark.parametrize(
    ("file", "before", "after", "said"),
    [
        ("words.yaml", "  seats: ", "  seets: ", "reasons.seats is missing"),
        ("words.yaml", "{card} est à deux", "{cart} est à deux", "card-twice fills in ['cart']"),
        (
            "prompts.yaml",
            "{times|carte|cartes}",
            "{time|carte|cartes}",
            "orders.buy fills in ['buy', 'time']",
        ),
        ("events.md.j2", "macro Sold(run", "macro Sols(run", "Sold is missing"),
        (
            "events.md.j2",
            "macro Sold(run, scene)",
            "macro Sold(run)",
            "Sold is not called with ['run', 'scene']",
        ),
        ("events.md.j2", 'deals[0].source == "deck"', "deals", "Bought doesn't look at deck, source"),
        ("pieces.md.j2", "{% macro money", "{% micro money", "pieces.md.j2:"),
        ("rules.md", "**OLT-8.3**", "**OLT-8.9**", "OLT-8.3 is only in en"),
    ],
)
def test_what_a_language_lacks_is_named(
    file: str, before: str, after: str, said: str, oltremare: Path
) -> None:
    change(oltremare / file, before, after)
    assert any(said in fault for fault in faults_of_language("oltremare", "fr"))


MARK = re.compile(rb"\b[0-9a-f]{4,64}\b")
"""A part of a mark, or a digest."""
LOST = {
    "oltremare": ("Played", "**joue {{ cards(run[0].cards) or", "**joue {{ cards(run[0].cards[1:]) or"),
    "mediterranee": ("BidShown", "{{ name(e.player) }} {{ ducats(e.sum) }}", "{{ name(e.player) }}"),
    "rome-carthage": ("SeatsTaken", "le tour va ainsi : {{ players(e.seats) }}", "le tour va de soi"),
    "serenissima": ("Entered", "→ {{ name(e.zone) }}", "→ en mer"),
    "triumvirat": ("Produced", "{{ cards(e.cards) or", "{{ cards(e.cards[1:]) or"),
}
"""For each game a text of its French events, and the same without a fact."""


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=() if game == "oltremare" else pytest.mark.ci) for game in LOST]
)
def test_a_fact_that_is_lost_in_translation_is_found(game: str, templates: Path) -> None:
    kind, before, after = LOST[game]
    change(templates / game / "fr/events.md.j2", before, after)
    rulebook = registry.rulebook(game)
    found = [*faults_of_facts(rulebook, "fr", some_steps(rulebook, 20))]
    assert [each for each in found if kind in each.partition(", told")[0] and each.endswith(" missing")]


def test_a_place_that_only_the_board_names_is_a_fact_too(oltremare: Path) -> None:
    change(oltremare / "news.md.j2", '" " ~ a(name(e.port)))', '"")')
    rulebook = registry.rulebook("oltremare")
    found = [*faults_of_facts(rulebook, "fr", some_steps(rulebook, 20))]
    assert [each for each in found if "MarkerTaken" in each and each.endswith(" missing")]


def test_readers_of_two_languages_get_nothing_of_each_others(tmp_path: Path) -> None:
    """Each gets, byte by byte, what is got where everybody reads that language; but for marks, which follow from all
    that was handed out.
    """
    seats = ("--player", "contarini", "--bot", "dandolo", "--bot", "grimani", "--seed", "x")
    told: dict[str, dict[str, bytes]] = {}
    for readers, options in {
        "en": (),
        "fr": ("--language", "fr"),
        "both": ("--language", "contarini=fr", "--language", "grimani=fr"),
    }.items():
        pond = tmp_path / readers / "pond"
        assert adjudicator("new", "oltremare", pond, *seats, *options).exit_code == 0
        told[readers] = {
            path.relative_to(pond).as_posix(): MARK.sub(b"#", path.read_bytes())
            for path in pond.glob("*/for/*/*")
            if path.is_file()
        }
    assert len(told["both"]) > 10
    for name, text in told["both"].items():
        french = name.split("/")[2] in ("contarini", "grimani")
        assert text == told["fr" if french else "en"][name], name


def test_what_a_language_lacks_is_told_in_english(oltremare: Path) -> None:
    (oltremare / "news.md.j2").unlink()
    change(oltremare / "words.yaml", "  seats: ", "  seets: ")
    french, english = game_texts("oltremare", "fr"), game_texts("oltremare")
    assert macros(french, "news.md.j2").heading == "Ducats"
    assert words(french)["reasons"]["seats"] == words(english)["reasons"]["seats"]
    assert words(french)["reasons"]["yourself"] != words(english)["reasons"]["yourself"]


@pytest.mark.ci
def test_games_says_how_whole_a_language_is(oltremare: Path) -> None:
    def told() -> str:
        forget_texts()
        lines = adjudicator("games").output.splitlines()
        start = next(at for at, line in enumerate(lines) if line.startswith("oltremare "))
        return next(line for line in lines[start:] if line.startswith("  languages: en"))

    for path in oltremare.glob("*"):
        if path.name != "words.yaml":
            path.unlink()
    few, whole = share_told("oltremare", "fr")
    assert f", fr ({few} of {whole} texts)" in told()
    shutil.rmtree(oltremare)
    assert ", fr" not in told()  # the words that all games share are no language of this one
    shutil.rmtree(oltremare.parent.parent / "fr")
    shutil.copytree(oltremare.parent.parent / "en", oltremare.parent.parent / "fr")
    shutil.copytree(oltremare.parent / "en", oltremare)
    assert f"{told()},".count(", fr,") == 1
    change(oltremare / "events.md.j2", "{% macro", "{% micro")
    assert ", fr (can't be read: " in told()


def test_a_template_gets_the_macros_and_imports_that_it_lacks() -> None:
    english = (
        '{# E #}\n{% from "a.j2" import one, two %}\n{% macro a(x) %}{{ one(x) }}{% endmacro %}\n'
        "{% macro b() %}B{% endmacro %}\n"
    )
    french = '{% from "a.j2" import two %}\n{% macro b() %}Bé{% endmacro %}\n'
    both = with_lacking_parts(french, english)
    assert both.startswith(french)
    assert '{% from "a.j2" import one %}\n{% macro a(x) %}{{ one(x) }}{% endmacro %}' in both
    assert "}B{" not in both
    assert with_lacking_parts("a text by itself", english) == "a text by itself"


def test_names_have_forms() -> None:
    found = names(game_texts("oltremare", "fr"))
    gem = found.get("gem")
    assert (gem, gem.many, gem.gender, gem.at) == ("pierre précieuse", "pierres précieuses", "f", "")
    assert found.get("salt").gender == ""


GERMAN = {
    "sailor": {"one": "Matrose", "many": "Matrosen", "acc": "Matrosen", "gender": "m"},
    "stone": {"one": "Edelstein", "many": "Edelsteine", "gender": "m"},
    "silk": {"one": "Seide", "gender": "f"},
    "salt": {"one": "Salz", "gender": "n"},
    "genoa": "Genua",
    "rhodes": "Rhodos",
    "turkey": {"one": "Türkei", "gender": "f", "article": "ja"},
    "lebanon": {"one": "Libanon", "gender": "m", "article": "ja"},
}


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("der(stone)", "der Edelstein"),
        ("der(stone, 'gen')", "des Edelsteins"),
        ("der(silk, 'dat')", "der Seide"),
        ("ein(sailor, 'acc')", "einen Matrosen"),
        ("ein(salt)", "ein Salz"),
        ("count_of(1, sailor, 'acc')", "1 Matrosen"),
        ("count_of(2, stone)", "2 Edelsteine"),
        ("count_of(2, stone, 'dat')", "2 Edelsteinen"),
        ("count_of(2, sailor, 'dat')", "2 Matrosen"),
        ("count_of(2, salt, 'dat')", "2 Salz"),
        ("proper(genoa, 'gen')", "Genuas"),
        ("proper(rhodes, 'gen')", "Rhodos’"),
        ("proper(turkey, 'dat')", "der Türkei"),
        ("with('von', genoa)", "von Genua"),
        ("with('in', turkey, 'acc')", "in die Türkei"),
        ("with('zu', turkey)", "zur Türkei"),
        ("with('in', lebanon)", "im Libanon"),
        ("day('2026-12-01')", "1.12.2026"),
    ],
)
def test_german_has_cases(written: str, said: str) -> None:
    macros_of = '{% from "grammar.md.j2" import count_of, day, der, ein, proper, with %}'
    template = environment(game_texts("oltremare", "de")).from_string(f"{macros_of}{{{{ {written} }}}}")
    assert template.render({key: noun(each) for key, each in GERMAN.items()}) == said


@pytest.mark.parametrize(
    ("language", "written", "none", "one"),
    [
        ("de", "1.200", "0 Karten", "1 Karte"),
        ("en", "1,200", "0 cards", "1 card"),
        ("fr", "1 200", "0 carte", "1 carte"),
    ],
)
def test_numbers_are_written_as_the_language_does(language: str, written: str, none: str, one: str) -> None:
    texts = game_texts("oltremare", language)
    assert number_text(1200, texts) == written
    for count, said in ((0, none), (1, one)):
        reason = Reason("OLT-2.1", "hand-is-smaller", {"player": "dandolo", "value": count, "most": 2})
        assert said in say(reason, texts)


def test_who_takes_a_seat_reads_in_the_language_of_the_match(tmp_path: Path) -> None:
    """Also if what is told before was told in the language of the player before."""
    begin = ("new", "mediterranee", tmp_path / "m", "--player", "venice", "--player", "genoa")
    assert adjudicator(*begin, "--language", "genoa=fr").exit_code == 0
    match = open_match(tmp_path / "m")
    assert match.rulebook_for("genoa").language == "fr"
    give_seat(match, "genoa", Person(address="ben@example.org"), datetime(2026, 11, 23, tzinfo=UTC), why="")
    assert match.rulebook_for("genoa").language == "en"


def test_a_macro_in_a_comment_of_a_translation_hides_none() -> None:
    english = "{% macro a() %}\nA\n{% endmacro %}\n"
    commented = "{#\n{% macro a() %}\n{% endmacro %}\n#}\n"
    assert english.strip() in with_lacking_parts(commented, english)


def test_a_game_without_texts_in_a_language_is_told_in_english(tmp_path: Path) -> None:
    """The shared words of a language amid a game's English sentences would be neither."""
    start = ("--player", "blue", "--player", "red", "--option", "pages=off")
    refused = adjudicator("new", "serenissima", tmp_path / "m", *start, "--language", "red=de")
    assert refused.exit_code == 2 and "there is no language de; there are en, fr" in " ".join(
        refused.output.split()
    )
    assert in_language(registry.rulebook("serenissima"), "de").language == "en"
    account = tmp_path / "mail.yaml"
    account.write_text("from: gm@example.org\nmaildir: box\nsendmail: 'true'\nlanguage: de\n")
    account.chmod(0o600)
    assert adjudicator("new", "serenissima", tmp_path / "m", *start).exit_code == 0
    assert open_match(tmp_path / "m").rulebook_for("red").language == "en"
