"""The contract names everything that a rulebook leaves out or gets wrong, before anything runs."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from adjudicator.contract import composition, event_texts, languages
from adjudicator.contract.composition import missing_parts
from adjudicator.engine.library.texts import game_texts
from adjudicator.engine.report.template import names
from adjudicator.engine.text.resources import folder_of
from tests.cli.calling import adjudicator
from tests.foreign.installed import install

HERE = Path(__file__).parent
NUMBERS = count(1)
Copied = Callable[..., Any]
T = "templates/en/"


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Copied:
    """Makes a copy of the game under a name of its own, with a text in a file replaced (none: the file is gone), and
    perhaps with another name for its `board.py`, which templates don't know."""

    def copy(file: str = "", old: str = "", new: str = "", *, board: str = "board") -> Any:
        name = f"carters{next(NUMBERS)}"
        shutil.copytree(HERE / "carters", tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(HERE / "carters-1.dist-info", tmp_path / f"{name}-1.dist-info")
        entry = tmp_path / f"{name}-1.dist-info" / "entry_points.txt"
        entry.write_text(entry.read_text().replace("carters", name))
        contents = tmp_path / name / "__init__.py"
        contents.write_text(contents.read_text().replace('"carters"', f'"{name}"'))
        for folder in (name, f"{name}-1.dist-info"):
            path = tmp_path / folder / file
            if file and path.is_file():
                if old:
                    assert old in path.read_text(), "the copy isn't changed"
                    path.write_text(path.read_text().replace(old, new))
                else:
                    path.unlink()
            elif file and path.is_dir():
                shutil.rmtree(path)
        if board != "board":
            (tmp_path / name / "board.py").rename(tmp_path / name / f"{board}.py")
            for path in (*(tmp_path / name).glob("*.py"), tmp_path / name / T / "words.yaml"):
                text = path.read_text().replace("from .board", f"from .{board}")
                path.write_text(text.replace("{board.", f"{{{board}."))
        install(monkeypatch, tmp_path)
        return import_module(name).RULEBOOK

    return copy


def without(macro: str, file: str) -> tuple[str, str, str]:
    """The replacement that takes a macro's name away."""
    return T + file, f"macro {macro}(", f"macro another_{macro}("


OMISSIONS = {
    # files
    "no words": (T + "words.yaml", "", "", "templates/en/words.yaml is missing"),
    "no events": (T + "events.md.j2", "", "", "templates/en/events.md.j2 is missing"),
    "no position": (T + "position.md.j2", "", "", "templates/en/position.md.j2 is missing"),
    "no form": (T + "form.yaml.j2", "", "", "templates/en/form.yaml.j2 is missing"),
    "no questions": (T + "questions.md.j2", "", "", "templates/en/questions.md.j2 is missing"),
    "no map": (T + "map.svg.j2", "", "", "templates/en/map.svg.j2 is missing"),
    "no rules": ("rules.md", "", "", "has no rules.md"),
    "no entry point": ("entry_points.txt", "", "", "the program doesn't find it"),
    "no schema": ("schemas/state.json", "", "", "the schema state.json is missing"),
    "an old schema": ("schemas/state.json", '"title"', '"titel"', "the schema state.json is out of date"),
    # what orders use up
    "no uses": ("market.py", "uses=(LAID_ONCE,), ", "", "verb lay: `uses` must say what an order takes"),
    "no subject": ("market.py", ', subject=("lay",)', "", "verb lay: `subject` must say which fields"),
    "a use of no field": ("road.py", "drive {drive}", "drive {cart}", "verb drive: `cart` is named in what"),
    # macros
    "no macro of an event": (*without("Earned", "events.md.j2"), "events.md.j2 has no macro `Earned`"),
    "no news": (T + "news.md.j2", "", "", "templates/en/news.md.j2 is missing"),
    "an event that means nothing to anybody": (
        *without("Earned", "news.md.j2"),
        "news.md.j2: the event Earned has no macro and isn't `quiet`",
    ),
    "an event that is quiet and means something": (
        *(T + "news.md.j2", '"Dealt", ', '"Dealt", "Earned", '),
        "news.md.j2: the event Earned has a macro and is `quiet`",
    ),
    "no threats": (*without("threats", "news.md.j2"), "news.md.j2 has no macro `threats`"),
    "nothing asked": (
        T + "words.yaml",
        '  road: "drive"\n',
        "",
        "what a player is asked for in the phase road",
    ),
    "no threads": (*without("thread", "events.md.j2"), "events.md.j2 has no macro `thread`"),
    "no actors": (*without("actor", "events.md.j2"), "events.md.j2 has no macro `actor`"),
    "no macro of a form": (*without("road", "form.yaml.j2"), "form.yaml.j2 has no macro `road`"),
    "no macro of a question": (*without("Enter", "questions.md.j2"), "questions.md.j2 has no macro `Enter`"),
    "no marks": (*without("marks", "map.svg.j2"), "map.svg.j2 has no macro `marks`"),
    "an event that isn't drawn": (
        *(T + "map.svg.j2", '"Weather", ', ""),
        "map.svg.j2: the event Weather isn't drawn, nor `undrawn`",
    ),
    "an event that is drawn and said not to be": (
        *(T + "map.svg.j2", '"Weather", ', '"Weather", "Drove", '),
        "map.svg.j2: the event Drove is drawn and `undrawn`",
    ),
    "no places": (T + "map.svg.j2", "set places", "set spots", "map.svg.j2 has no macro `places`"),
    "a template that isn't there": (
        *(T + "events.md.j2", "{# What", '{% from "gone.md.j2" import x %}{# What'),
        "events.md.j2 asks for gone.md.j2, which isn't there",
    ),
    "a template that can't be read": (T + "events.md.j2", "{% endmacro %}", "", "events.md.j2:"),
    "a name that isn't there": (
        *(T + "position.md.j2", "seat.coins", "seat.ducats"),
        "phase start can't be shown to the public: position.md.j2:5: ",
    ),
    # texts
    "no text of a reason": (
        *(T + "words.yaml", "  driven-already:", "  driven-before:"),
        "the reason `driven-already` has no text",
    ),
    "a text of no reason": (
        *(T + "words.yaml", "  driven-already:", "  sunk: x\n  driven-already:"),
        "no code gives the reason `sunk`",
    ),
    "a fact that isn't given": (
        *(T + "words.yaml", "{value} has driven", "{value} of {owner} has driven"),
        "the text of `driven-already` names owner",
    ),
    "a full stop": (
        T + "words.yaml",
        'already"',
        'already."',
        "`laid-already` must be one line, without a full",
    ),
    "no text of a verb": (T + "words.yaml", '  lay: "Lay', '  lie: "Lay', "the verb lay has no text under"),
    "no text of a field": (T + "words.yaml", "  via:", "  way:", "has no text under `drive.via` or `via`"),
    "no text of an instruction": (
        *(T + "words.yaml", "standing.leave:", "standing.left:"),
        "the standing instruction leave has no text under",
    ),
    "no name of a phase": (T + "words.yaml", "  road: Road", "  roads: Road", "the phase road has no name"),
    "no name of a player": (T + "words.yaml", "  blue: Blue\n", "", "the player blue has no name"),
    "no total": (T + "words.yaml", "  total:", "  sum:", "words.yaml (points): `total` is missing"),
    "a number in a text": (
        *(T + "words.yaml", "{board.MOST_ROADS}", "2"),
        "`drive` says 2; a fact, or {module.NAME}, must say it",
    ),
    "a number in a template": (
        T + "questions.md.j2",
        "your cart",
        "1 of your 3 carts",
        "questions.md.j2:2 says 3",
    ),
    "a number in a name": (*(T + "words.yaml", "road: Road", "road: 3 roads"), "`road` says 3; a fact"),
    "a number reckoned with in a template": (
        *(T + "form.yaml.j2", "town.pays,", "town.pays * 3,"),
        "form.yaml.j2:9 reckons with 3; a fact, or game.module.NAME",
    ),
    "a number chosen in a template": (
        *(T + "form.yaml.j2", "view.roads,", "3 if view.roads else 0,"),
        "form.yaml.j2:11 reckons with 3; a fact, or game.module.NAME",
    ),
    "a number that isn't there": (
        *(T + "words.yaml", "board.MOST_ROADS", "board.MOST_CARTS"),
        "words.yaml names a number of the rules that isn't there",
    ),
    # lists
    "an event that isn't listed": ("events.py", "Asked, Earned,", "Asked,", "event Earned (carters"),
    "the engine's events aren't listed": (
        *("events.py", "*ENGINE_EVENTS, ", ""),
        "event OrderRefused of the engine isn't listed",
    ),
    "a question that isn't listed": ("__init__.py", "(road.Enter,)", "()", "question Enter (carters"),
    "a check that isn't listed": (
        *("box.py", "CHECKS = (no_card_too_many, carts_are_whole)", "CHECKS = (no_card_too_many,)"),
        "check carts_are_whole (carters",
    ),
    # fields
    "a field of a verb nobody picks": (
        *("market.py", '{"lay": GOOD}', '{"lay": GOOD, "with": GOOD}'),
        "phase market, verb lay: the field `with` is declared",
    ),
    "a field of an instruction nobody picks": (
        *("road.py", '"in": TOWN, "grant": FLAG}, "CAR', '"in": TOWN, "at": TOWN, "grant": FLAG}, "CAR'),
        "standing instruction leave: the field `at` is declared",
    ),
    "a field of a question nobody picks": (
        *("road.py", '"for": PLAYER, "grant": FLAG}\n\n', '"for": PLAYER, "at": TOWN, "grant": FLAG}\n\n'),
        "question Enter: the field `at` is declared",
    ),
    "a field that is needed and isn't there": (
        *("road.py", '("via",),', '("by",),'),
        "phase road, verb drive: `by` is needed, but isn't among its fields",
    ),
    "a verb that isn't its own first field": (
        *("market.py", 'Verb(lay, {"lay"', 'Verb(lay, {"card"'),
        "phase market, verb lay: the first of its fields must be `lay`",
    ),
    # the position
    "an instruction without a field": (
        *("state.py", "leave: tuple[Leave, ...]", "leaves: tuple[Leave, ...]"),
        "the standing instruction `leave` has no field in Standing",
    ),
    "options of no type": (
        "state.py",
        "    options: Options\n",
        "",
        "State.options must be of the type Options",
    ),
    "a number without bounds": (
        "state.py",
        "Meta(ge=1, le=99)",
        "Meta(ge=1)",
        "the option turns needs its least and its most value",
    ),
    "an option without default": (
        "state.py",
        "le=99)] = 3",
        "le=99)]",
        "an option of Options has no default",
    ),
    "a table of another size": (
        "__init__.py",
        '3: (("red", "green", "blue"),)',
        '3: (("red", "green"),)',
        "the table",
    ),
    "a phase called end": ("__init__.py", 'name="road"', 'name="end"', "a phase can't be called end"),
    "no schemas": (
        "schemas",
        "",
        "",
        "there is no folder schemas/ with the schemas of its sheets: python -m",
    ),
}


def test_a_rulebook_without_a_board_calls_its_places_by_their_ids_and_is_told_what_asks_for_it(
    copied: Copied,
) -> None:
    rulebook = copied(board="land")
    assert names(game_texts(rulebook.key)).get("brasov") == "brasov"
    found = "\n".join(missing_parts(rulebook))
    assert found == f"templates/en/map.svg.j2: {rulebook.package} has no board.py"


def test_the_copy_itself_is_whole(copied: Copied) -> None:
    assert list(missing_parts(copied())) == []


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        pytest.param(*each, id=name, marks=pytest.mark.soak if at % 2 else ())
        for at, (name, each) in enumerate(OMISSIONS.items())
    ],
)
def test_it_is_said_by_name(copied: Copied, file: str, old: str, new: str, said: str) -> None:
    found = list(missing_parts(copied(file, old, new)))
    assert any(said in fault for fault in found), found


PROMPTS = """phases: {market: "lay a card", road: "drive"}
verbs: {lay: "Lay", drive: "Drive"}
orders: {lay: "lays {lay}", drive: "**{drive}** {drive@}[ to {via}]"}
"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("", "", []),
        (', road: "drive"', "", ["(phases): nothing says what to tap first in the phase road"]),
        (', drive: "Drive"', "", ["(verbs): the verb drive has no text: a button on the page for orders"]),
        ("verbs: {", 'verbs: {sink: "Sink", ', ["(verbs): `sink` is the text of nothing"]),
        (
            "{via}",
            "{way|town|towns}",
            ["(orders): the text of `drive` names way, which is no field of drive"],
        ),
        ("phases:", "phases: [", ["can't be read: "]),
    ],
)
def test_prompts_say_what_every_verb_does_and_nothing_else(
    copied: Copied, old: str, new: str, said: list[str]
) -> None:
    rulebook = copied()
    path = folder_of(rulebook.package) / T / "prompts.yaml"
    path.write_text(PROMPTS.replace(old, new) if old else PROMPTS)
    found = list(missing_parts(rulebook))
    assert [fault[: len(f"prompts.yaml {wanted}")] for fault, wanted in zip(found, said, strict=True)] == [
        f"prompts.yaml {wanted}" for wanted in said
    ]


def test_a_game_without_places_has_no_map(copied: Copied, tmp_path: Path) -> None:
    """Pages show no empty one, and the command says so."""
    places = '{% set places = board.towns.values() | map(attribute="lonlat") | list %}'
    rulebook = copied(T + "map.svg.j2", places, "{% set places = [] %}")
    assert list(missing_parts(rulebook)) == []
    match = tmp_path / "match"
    players = ("--player", "red", "--player", "green")
    assert adjudicator("new", rulebook.key, str(match), *players, "--seed", "flat").exit_code == 0
    (papers,) = match.glob("*/for/red")
    report, orders = ((papers / name).read_text() for name in ("report.html", "orders.html"))
    assert "<svg" not in report and 'aria-label="Map"' not in report
    assert 'aria-label="The map" hidden>' in orders
    drawn = adjudicator("map", str(match))
    assert drawn.exit_code == 2 and "this game has no map" in drawn.output
    assert adjudicator("site", str(match), str(tmp_path / "site")).exit_code == 0
    assert 'id="stage" hidden>' in (tmp_path / "site" / "index.html").read_text()


@pytest.mark.parametrize("macro", ["moves", "style"])
def test_a_map_may_leave_out_what_it_has_not(copied: Copied, macro: str) -> None:
    assert list(missing_parts(copied(*without(macro, "map.svg.j2")))) == []


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (
            "def orders(view):\n    return [7] * view.roads\n",
            ["bot.py:2 says 7, a number of the rules: import"],
        ),
        ('MUD = 7\n"""CAR-2.2: the roads."""\n', ["bot.py:1 says 7 by a rule: import it from there"]),
        ('HOPED = 7\n"""Coins that a bot hopes for."""\n\n\ndef orders(view):\n    return [8, HOPED]\n', []),
    ],
)
def test_a_bot_that_writes_a_number_of_the_rules_again_is_said(
    copied: Copied, written: str, said: list[str]
) -> None:
    rulebook = copied()
    top = folder_of(rulebook.package)
    with (top / "board.py").open("a") as file:
        file.write("MUD = 7\n")
    (top / "bot.py").write_text(written)
    assert [fault[: len(said[0])] for fault in missing_parts(rulebook) if "bot.py" in fault] == said


SEEN = {
    "an event under nobody's name": (
        *(T + "events.md.j2", '"Laid", "Shown", ', '"Laid", '),
        "event Shown stands under nobody's name: 'shows ",
    ),
    "an event under another's name": (
        *(
            T + "events.md.j2",
            '"Shown", "Drove", "Asked", "Earned") %}{{ e.player }}{% else %}-',
            '"Shown") %}{{ e.player }}',
        ),
        "event Drove stands ",
    ),
    "an event that never happens": (
        *("road.py", "if here != mine[name].town and", "if here == '' and"),
        "event Earned happens in no case and no random match",
    ),
    "a line with a hole": (
        *(T + "events.md.j2", "name(run[0].town) }}: {{ some", "run[0].none }}: {{ some"),
        "event Earned can't be told to the public: events.md.j2:35: ",
    ),
    "a question with a hole": (
        *(T + "questions.md.j2", "your cart", "{{ question.none.none }}"),
        "question Enter can't be put in words: questions.md.j2:2: ",
    ),
    "something hidden": (
        *(T + "events.md.j2", '"a card" }}, face', '"hidden" }}, face'),
        "event Laid, told to the public, leaves something open",
    ),
}


@pytest.mark.parametrize(("file", "old", "new", "said"), SEEN.values(), ids=SEEN)
def test_what_is_seen_in_play_is_said_by_name(
    copied: Copied, file: str, old: str, new: str, said: str
) -> None:
    rulebook = copied(file, old, new)
    found = list(
        event_texts.faults_of_event_texts(rulebook, event_texts.collect_samples(rulebook, HERE / "cases", ()))
    )
    assert any(fault.startswith(said) for fault in found), found


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("", "", []),
        ("macro Earned(", "macro Gained(", ["templates/fr/events.md.j2: Earned is missing"]),
        (
            "asks {{ name(run[0].asked) }}",
            "asks",
            ["templates/fr/events.md.j2: Asked doesn't look at asked", "Asked, told to the public in fr: ⟦"],
        ),
    ],
)
def test_what_its_translation_lacks_is_said(copied: Copied, old: str, new: str, said: list[str]) -> None:
    rulebook = copied()
    top = folder_of(rulebook.package)
    shutil.copytree(top / "templates/en", top / "templates/fr")
    shutil.copy(top / "rules.md", top / "templates/fr")
    events = top / "templates/fr/events.md.j2"
    text = events.read_text()
    assert old in text
    events.write_text(text.replace(old, new) if old else text)
    assert languages.translations(rulebook.key) == ["fr"]
    found = list(languages.faults_of_language(rulebook.key, "fr"))
    found += languages.faults_of_facts(rulebook, "fr", languages.some_steps(rulebook, 12))
    assert [fault[: len(start)] for fault, start in zip(found, said, strict=True)] == said, found


def test_a_rule_that_no_code_enforces_and_no_case_tries_is_said(copied: Copied) -> None:
    rulebook = copied("rules.md", "- **CAR-2.4**", "- **CAR-2.9** Nobody enforces it.\n- **CAR-2.4**")
    found = list(composition.faults_of_rules(rulebook, HERE / "cases"))
    assert found == ["CAR-2.9 is enforced nowhere", "CAR-2.9 has no case file"]


def test_an_option_that_no_rule_names_and_no_case_has_is_said(copied: Copied) -> None:
    options = "class Options(EveryOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):\n"
    rulebook = copied("state.py", options, options + "    mud: bool = False\n")
    assert list(composition.faults_of_options(rulebook, HERE / "cases")) == [
        "the option mud stands nowhere in rules.md: name it, as `mud`, at the rule that it changes",
        "no case has the option mud=True: write what it changes",
    ]


VERSIONS = {
    "a ruling that no text tells": (
        *("rules.md", " *(since 2: it was the last one)*", ""),
        "market.py:28: a ruling has changed; say so at its rule in rules.md: *(since 2: ...)*",
    ),
    "a ruling that no code keeps": (
        *("market.py", "hand[-1] if t.state.rules < 2 else hand[0]", "hand[0]"),
        "CAR-1.1 has changed since version 2, but no code asks for `rules < 2`",
    ),
    "a version for nothing": (
        *("__init__.py", "version=str(RULES)", "version=str(RULES + 1)"),
        "version 3 changes no ruling: no code asks for it, and rules.md tells nothing of it",
    ),
    "a dead ruling": (
        *("__init__.py", "oldest=1,", "oldest=2,"),
        "market.py:28 asks for version 2, but matches are played by 2 to 2",
    ),
    "a ruling of a version to come": (
        *("rules.md", "since 2", "since 3"),
        "CAR-1.1 has changed since version 3, but the newest is 2",
    ),
    "another way to ask": (
        *("market.py", "t.state.rules < 2", "t.state.rules <= 1"),
        "market.py:28: ask for the version of the rules by a number alone, as `state.rules < 5`",
    ),
    "a rule without a case of how it was": (
        *("rules.md", "- **CAR-1.2** Then", "- **CAR-1.2** *(since 2: all at once)* Then"),
        "CAR-1.2 has no case of how it was before version 2: write one, with `rules: 1`",
    ),
}


@pytest.mark.parametrize(("file", "old", "new", "said"), VERSIONS.values(), ids=VERSIONS)
def test_a_ruling_of_an_earlier_version_that_is_not_whole_is_said(
    copied: Copied, file: str, old: str, new: str, said: str
) -> None:
    assert said in list(composition.faults_of_versions(copied(file, old, new), HERE / "cases"))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("        rules=RULES,\n", "", "starts with `rules` 0, and not with the version, 2"),
        ("version=str(RULES)", 'version="1.5"', "`version` must be the text of a whole number from 1 on"),
        ("oldest=1", "oldest=3", "`oldest` must be a version up to 2, and not 3"),
    ],
)
def test_a_version_that_can_not_be_is_said(copied: Copied, old: str, new: str, said: str) -> None:
    found = list(missing_parts(copied("__init__.py", old, new)))
    assert any(said in fault for fault in found), found
