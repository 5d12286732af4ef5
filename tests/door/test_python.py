"""The face for other programs: the programs of docs/python.md run as they stand there; wrong calls get a sentence."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

import adjudicator
from adjudicator.engine.library import registry
from adjudicator.engine.table.event import NotSent
from adjudicator.engine.table.reason import Reason
from tests.engine.match_folders import begun

PAGE = Path(__file__).parent.parent.parent / "docs/python.md"
PROGRAMS = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
LONGEST = 40
SHEET = "orders: [{place: 1, to: venice-1}]"


def program(number: int) -> dict[str, Any]:
    found: dict[str, Any] = {"__name__": "program"}
    exec(PROGRAMS[number], found)
    return found


@pytest.fixture
def lagoon(tmp_path: Path) -> Path:
    return begun(tmp_path / "lagoon")


def test_each_program_of_the_page_is_short() -> None:
    assert [len(each.splitlines()) for each in PROGRAMS if len(each.splitlines()) >= LONGEST] == []
    assert len(PROGRAMS) == 5


def test_a_chat_bot_takes_orders_and_tells_what_became_of_them(lagoon: Path) -> None:
    answer = program(0)["answer"]
    assert answer(lagoon, "@anna", "/status") == "0001-t1-setup: sheets are due. Missing: venice, genoa."
    assert "/orders" in answer(lagoon, "@nobody", f"/orders\n{SHEET}")
    told = answer(lagoon, "@anna", f"/orders\n{SHEET}")
    assert re.match(r"Taken, with the receipt [0-9a-f]{16}\.\n", told) and "place: 1" in told
    assert answer(lagoon, "@anna", "/orders\n[").startswith("Not taken. It can't count as your sheet")
    assert answer(lagoon, "@anna", "/status").endswith("Missing: genoa.")


def test_a_web_form_takes_a_sheet(lagoon: Path) -> None:
    found = program(1)
    found["Form"].folder = str(lagoon)
    found["Form"].log_message = lambda *_: None
    with found["serve"](0) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        home = f"http://127.0.0.1:{server.server_port}"
        assert "orders:" in read(f"{home}/k7q2m9x4")
        assert "Taken: " in read(f"{home}/k7q2m9x4", sheet=SHEET)
        held = read(f"{home}/k7q2m9x4", sheet="[")
        assert "can&#x27;t count" in held and "line 1, column 2: YAML" in held
        with pytest.raises(HTTPError):
            read(f"{home}/venice")
        server.shutdown()
    assert adjudicator.open(lagoon).status().missing == ("genoa",)


def read(url: str, **given: str) -> str:
    with urlopen(url, urlencode(given).encode() if given else None) as answer:
        return str(answer.read().decode())


@pytest.mark.ci
def test_a_notebook_plays_matches_and_draws_their_scores(capsys: pytest.CaptureFixture[str]) -> None:
    found = program(2)
    assert len(found["results"]) == 100
    told = capsys.readouterr().out
    assert told.count("#") == 100 * len(found["results"][0].points)


def test_a_referee_of_ones_own_plays_a_whole_match(tmp_path: Path) -> None:
    asked = []

    def ask(player: str, papers: Any, faults: Any) -> str:
        asked.append(bool(faults))
        return "orders: []" if faults or len(asked) % 2 else "orders: [{bild: galley}]"

    status = program(3)["referee"](str(tmp_path / "mine"), ask)
    assert status.over and status.winners and {*status.points} == {"venice", "genoa"}
    assert True in asked


def test_a_phase_is_played_from_text_to_text(lagoon: Path, capsys: pytest.CaptureFixture[str]) -> None:
    position = (lagoon / "0001-t1-setup/state.yaml").read_text()
    sheets = {"venice": "player: venice\norders: [{place: 1, to: nowhere}]", "genoa": "orders: []"}
    after = program(4)["next_turn"](position, sheets, [])
    assert "nowhere" in capsys.readouterr().out
    assert adjudicator.view_of(after, "venice") != adjudicator.view_of(after, "genoa")
    assert adjudicator.adjudicate(position, sheets) == adjudicator.adjudicate(position, sheets)


def test_a_check_by_the_view_says_what_handing_in_says(lagoon: Path) -> None:
    match = adjudicator.open(lagoon)
    view = match.papers("venice")["view.yaml"]
    for text in (SHEET, "orders: [{place: 1, to: nowhere}]", "orders:", "", "[", "player: genoa\norders: []"):
        checked, sent = adjudicator.check(text, view), match.submit("venice", text)
        assert (checked.because, checked.why, checked.receipt) == (sent.because, sent.why, sent.receipt)
        assert (checked.lines, checked.problems) == (sent.lines, sent.problems)


OURS: Any = NotSent(rule="SHEET", player="venice", reason=Reason("SHEET", "empty"), place="sheet:1:1")
WRONG: dict[str, tuple[Callable[[Path], Any], type[Exception], str]] = {
    "no such folder": (lambda path: adjudicator.open(path / "alps"), adjudicator.Faulty, "no such folder"),
    "no such game": (
        lambda path: adjudicator.begin("medit", path / "x", []),
        adjudicator.Faulty,
        "mediterranee",
    ),
    "a text for players": (
        lambda path: adjudicator.begin("mediterranee", path / "x", "venice"),
        TypeError,
        "players are a list of names, such as ['venice', 'genoa']; this is str",
    ),
    "nothing for a game": (
        lambda path: adjudicator.begin(None, path / "x", ["venice"]),  # type: ignore[arg-type]
        TypeError,
        "a game is a text",
    ),
    "a number for a player": (
        lambda path: adjudicator.begin("mediterranee", path / "x", ["venice", 2]),  # type: ignore[list-item]
        TypeError,
        "a player's name is a text",
    ),
    "a number for a name": (
        lambda path: adjudicator.begin("mediterranee", path / "x", ["venice", "genoa"], name=3),  # type: ignore[arg-type]
        TypeError,
        "a match's name is a text",
    ),
    "a match for its folder": (
        lambda path: adjudicator.verify(adjudicator.open(path)),  # type: ignore[arg-type]
        TypeError,
        "a match's folder is a path, as text or Path; this is Match",
    ),
    "a text for throws": (
        lambda path: adjudicator.adjudicate((path / "0001-t1-setup/state.yaml").read_text(), {}, throws="46"),
        TypeError,
        "throws are a list",
    ),
    "half a match": (
        lambda _: adjudicator.simulate("mediterranee", 0.5),  # type: ignore[arg-type]
        TypeError,
        "the number of matches is a whole number",
    ),
    "fewer matches than none": (
        lambda _: adjudicator.simulate("mediterranee", -1),
        ValueError,
        "is 0 or more, not -1",
    ),
    "no such player": (
        lambda path: adjudicator.open(path).submit("venise", SHEET),
        adjudicator.Faulty,
        "did you mean venice",
    ),
    "a value of ours for a sheet": (
        lambda path: adjudicator.open(path).submit("venice", OURS),
        TypeError,
        "this is NotSent",
    ),
    "a time without a zone": (
        lambda path: adjudicator.open(path).submit("venice", SHEET, came=datetime(2026, 1, 1)),  # noqa: DTZ001
        ValueError,
        "no time zone",
    ),
    "a text for a time": (
        lambda path: adjudicator.open(path).status("now"),  # type: ignore[arg-type]
        TypeError,
        "a time is a datetime",
    ),
    "no position": (lambda path: adjudicator.adjudicate("orders: []", {}), adjudicator.Faulty, "state.yaml"),
    "a sheet of nobody": (
        lambda path: adjudicator.adjudicate((path / "0001-t1-setup/state.yaml").read_text(), {"rome": ""}),
        adjudicator.Faulty,
        "no player 'rome'",
    ),
    "a list for a mapping": (
        lambda path: adjudicator.begin("mediterranee", path / "x", ["venice"], options=["turns"]),  # type: ignore[arg-type]
        TypeError,
        "options are a mapping by name",
    ),
    "a number for a seed": (
        lambda path: adjudicator.begin("mediterranee", path / "x", ["venice", "genoa"], seed=0),  # type: ignore[arg-type]
        TypeError,
        "a seed is a text",
    ),
    "nothing for a reader": (
        lambda path: adjudicator.open(path).papers(None),  # type: ignore[arg-type]
        TypeError,
        "a player's name is a text",
    ),
    "a number for a rule": (
        lambda path: adjudicator.rules(3),  # type: ignore[arg-type]
        TypeError,
        "the number of a rule is a text",
    ),
    "a view for a position": (
        lambda path: adjudicator.adjudicate(
            adjudicator.open(path).papers("venice")["view.yaml"], {}, seed="x"
        ),
        adjudicator.Faulty,
        "the whole position is needed",
    ),
    "a view that is nobody's": (
        lambda path: adjudicator.check(SHEET, adjudicator.open(path).papers("public")["view.yaml"]),
        adjudicator.Faulty,
        "what the public knows",
    ),
    "matches of no game, before the first is asked for": (
        lambda path: adjudicator.simulate("medit", 1),
        adjudicator.Faulty,
        "mediterranee",
    ),
    "no such bot": (
        lambda path: list(adjudicator.simulate("mediterranee", 1, bots={"venice": "hal"})),
        adjudicator.Faulty,
        "no bot hal",
    ),
    "no such option": (
        lambda path: list(adjudicator.simulate("mediterranee", 1, options={"turn": 8})),
        adjudicator.Faulty,
        "did you mean turns",
    ),
    "no such rule": (lambda path: adjudicator.rules("MED-99"), adjudicator.Faulty, "no rule MED-99"),
    "no such name": (lambda path: adjudicator.submit, AttributeError, "it has Adjudicated"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_call_gets_a_sentence(lagoon: Path, what: str) -> None:
    call, kind, words = WRONG[what]
    with pytest.raises(kind) as raised:
        call(lagoon)
    assert words in str(raised.value)


def test_a_sheet_for_a_match_that_is_over_gets_a_sentence_of_its_view(lagoon: Path) -> None:
    match = adjudicator.open(lagoon)
    while not match.status().over:
        match.adjudicate(deadline=True)
    with pytest.raises(adjudicator.Faulty, match="in the phase end there are no orders to give"):
        adjudicator.check(SHEET, match.papers("venice")["view.yaml"])
    assert match.submit("venice", SHEET).why.startswith("The match is over")


def test_a_text_with_half_a_sign_is_held(lagoon: Path) -> None:
    """Chats pass on such texts, and a player can write one."""
    sent = adjudicator.open(lagoon).submit("venice", f"{SHEET}\nsalt: \ud800")
    assert sent.because == "not-a-sheet" and sent.problems


def test_the_word_of_an_order_is_a_text(lagoon: Path) -> None:
    sent = adjudicator.open(lagoon).submit("venice", SHEET)
    (order,), (left,) = sent.orders, sent.left
    assert isinstance(order, adjudicator.OrderAccount) and order.word == "done" == adjudicator.Word.DONE
    assert isinstance(left, adjudicator.Left) and (left.state, left.count) == ("open", 9)


def test_what_is_given_cant_be_changed(lagoon: Path) -> None:
    sent = adjudicator.open(lagoon).submit("venice", "orders: [{place: 1, to: nowhere}]")
    assert sent.problems and all(each.problems for each in sent.lines[:1])
    for given in (sent.lines, sent.problems, sent.orders, sent.left, *(each.wrong for each in sent.lines)):
        assert isinstance(given, tuple)


def test_the_types_name_what_the_package_hands_on() -> None:
    """`__init__.pyi` and `__init__.py` have the same names, each with a docstring."""
    stub = Path(adjudicator.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    assert {*re.findall(r" as (\w+)", stub), "__version__"} == {*dir(adjudicator)}
    assert [name for name in dir(adjudicator) if not getattr(adjudicator, name).__doc__] == []


def test_the_page_tells_every_call() -> None:
    page = PAGE.read_text(encoding="utf-8")
    calls = [name for name in dir(adjudicator) if name.islower() and not name.startswith("_")]
    calls += [
        f"match.{name}"
        for name in vars(adjudicator.Match)
        if not name.startswith("_") and name not in ("path", "players")
    ]
    assert [name for name in calls if f"`{name}(" not in page] == []


def test_a_bare_import_loads_nothing_else() -> None:
    said = "import sys, adjudicator; print([name for name in sys.modules if name.startswith('adjudicator.')])"
    told = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def test_games_and_rules_are_those_of_the_program() -> None:
    assert {*registry.OWN} <= {game.key for game in adjudicator.games()}
    (rule,) = adjudicator.rules("MED-3.3")
    assert rule in adjudicator.rules("MED-3") and rule in adjudicator.rules("mediterranee")


def test_orders_of_a_player_who_isnt_due_are_told_to_come_to_nothing(tmp_path: Path) -> None:
    players = ["rome", "constantinople", "alexandria", "carthage"]
    match = adjudicator.begin("rome-carthage", tmp_path / "punic", players, options={"first": "rome"})
    sheet = "player: carthage\norders:\n  - move: carthage-cavalry\n    via: [cirta]\n"
    said = match.submit("carthage", sheet)
    assert str(said.lines[0]) == "3:5: nothing: {move: carthage-cavalry, via: [cirta]}"
    assert "its orders have no effect" in said.problems[0].text
