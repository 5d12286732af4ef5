"""Commands and hostile sheets: numbers in quotes, and as many values as a file can hold."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from adjudicator.engine.text.problem import visible
from tests.cli.calling import GAME, adjudicator, lay_out, position

GOOD = "player: venice\norders:\n  - dismiss: 1\n    from: venice-1\n    at: venezia\n"

NUMBERS = ("1e999", "-1e999", "9" * 40, "0x" + "f" * 40, "1e5", ".inf", ".nan", "-0", "null", "~", "true", "")
PLACES = (
    'orders: [{{{0}: 3}}]',
    'orders: [{{buy: {0}}}]',
    'orders: [{{buy: wine, at: {0}}}]',
    'orders: [{{buy: wine, {0}: 3}}]',
    'orders: [{{buy: wine, at: venezia, if: {{{0}: {0}}}}}]',
    'orders: [{{buy: x, else: [{{{0}: {0}}}]}}]',
    'orders: [{0}]',
    'orders: {0}',
    'standing: {{passage: [{{for: {0}}}]}}',
    'standing: {{{0}: {0}}}',
    'later: {{movement: {{orders: [{{move: {0}, via: [{0}]}}]}}}}',
    'later: {{{0}: {{orders: []}}}}',
    'match: {0}',
    'phase: {0}',
    'salt: {0}',
    'ready: {0}',
    '{0}: {0}',
)  # fmt: skip


@pytest.mark.parametrize("one_in", [3, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_in_quotes_are_text_wherever_they_stand(tmp_path: Path, number: str, one_in: int) -> None:
    """Each in a third of the places, others in others; in `soak` all in all."""
    folder = lay_out(tmp_path, position("market"))
    for place in PLACES[NUMBERS.index(number) % one_in :: one_in]:
        text = "player: venice\n" + place.format(f'"{number}"') + "\n"
        (folder / "sheet.yaml").write_text(text)
        result = adjudicator("check", folder / "sheet.yaml")
        assert result.exit_code in (0, 1), text
    (folder / "sheet.yaml").write_text(f'player: "{number}"\norders: []\n')
    assert adjudicator("check", folder / "sheet.yaml").exit_code == 1


def test_a_number_in_quotes_is_said_in_quotes(tmp_path: Path) -> None:
    folder = lay_out(tmp_path, position("market"))
    (folder / "sheet.yaml").write_text(
        'player: venice\norders: [{dismiss: "1e999", from: venice-1, at: x}]\n'
    )
    assert '"1e999"' in adjudicator("check", folder / "sheet.yaml").output


NAMES = (
    "sheet (3).yaml",
    "a:7:5.yaml",
    "::error::x.yaml",
    "##[stop-commands]x.yaml",
    "\x1b[2J\r\u202e.yaml",
    "é.yaml",
)
TEXTS = {
    "good": GOOD,
    "not sent": "player: genoa\norders: []\n",
    "unreadable": "player: [\n",
    "refused": "player: venice\norders: [{dismiss: 9, from: venice-1, at: venezia, else: [{dismiss: 9}]}]\n",
    "remarks": "player: venice\norders: []\nstanding: {passage: [{for: x, grant: 3}]}\n",
    "draft": "player: venice\nready: false\norders: []\n",
    "later": "player: venice\norders: []\nlater: {movement: {orders: [{mov: x}]}}\n",
    "answers": "player: venice\nanswers: [{price: wine, for: genoa, at: creta, ask: 300}, {pric: 1}]\n",
}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param(name, text, marks=() if (which + other) % 3 == 0 else pytest.mark.soak)
        for which, name in enumerate(NAMES)
        for other, text in enumerate(TEXTS)  # a third with each name, others with others; in `soak` all
    ],
)
def test_a_file_is_named_as_it_was_given(tmp_path: Path, name: str, text: str) -> None:
    folder = lay_out(tmp_path / "match", position("market"))
    path = tmp_path / name
    path.write_text(TEXTS[text])
    shown = visible(str(path))
    lines = adjudicator("check", "--view", folder / "view.yaml", path).output.splitlines()
    assert lines
    assert all(line.startswith(f"{shown}:") for line in lines)
    result = adjudicator("check", "--view", folder / "view.yaml", "--format", "json", path)
    assert all(problem["file"] == str(path) for problem in json.loads(result.output))
    for line in adjudicator(
        "check", "--view", folder / "view.yaml", "--format", "github", path
    ).output.splitlines():
        assert line.partition(",")[0].partition("file=")[2] == visible(str(path).replace(":", "%3A"))


OBEYED = (
    "\\x1b[31m",
    "\\x9b2J",
    "\\u202e",
    "::error::x",
    "##[stop-commands]x",
    "\\n::set-env name=x::y",
    "\\r::x::",
)
"""What a terminal or a runner would obey, as it stands in double quotes in a sheet."""


FORMS = ("text", "json", "github")
EACH_IN_TURN = [
    pytest.param(said, form, marks=() if form == FORMS[number % 3] else pytest.mark.soak)
    for number, said in enumerate(OBEYED)
    for form in FORMS
]


@pytest.mark.parametrize(("said", "form"), EACH_IN_TURN)
def test_nothing_in_a_sheet_is_obeyed(tmp_path: Path, said: str, form: str) -> None:
    folder = lay_out(tmp_path, position("market"))
    for place in PLACES:
        (folder / "sheet.yaml").write_text("player: venice\n" + place.format(f'"{said}"') + "\n")
        output = adjudicator("check", "--format", form, folder / "sheet.yaml").output
        unobeyed(output, commands=form == "github")


@pytest.mark.parametrize("said", OBEYED)
def test_nothing_in_a_match_is_obeyed(tmp_path: Path, said: str) -> None:
    lagoon = tmp_path / "##[x]::x::"
    result = adjudicator(
        "new", GAME, lagoon, "--player", "venice", "--player", "genoa", "--option", "pages=off"
    )
    assert result.exit_code == 0
    phase = next(lagoon.glob("0001-*"))
    text = f'orders: [{{place: "{said}", "{said}": 1}}]\nstanding: {{passage: [{{for: "{said}"}}]}}\n'
    for player in ("venice", "genoa"):
        (phase / "sheets" / f"{player}.yaml").write_text(f"player: {player}\n{text}")
    (phase / "sheets" / "\x1b::x.yaml").write_text(text)
    unobeyed(adjudicator("status", lagoon).output)
    unobeyed(adjudicator("run", lagoon).output)
    (phase / "sheets" / "\x1b::x.yaml").unlink()
    unobeyed(adjudicator("run", lagoon, "--due", said.encode().decode("unicode_escape")).output)
    unobeyed(adjudicator("status", lagoon).output)
    sheets = [phase / "sheets" / f"{player}.yaml" for player in ("venice", "genoa")]
    unobeyed(
        adjudicator(
            "resolve", phase / "state.yaml", *sheets, "--seed", "x", "--out", tmp_path / "::x::"
        ).output
    )
    for code in ("MED-0.4", "MED-0.7"):
        unobeyed(adjudicator("explain", code, lagoon).output)


def unobeyed(output: str, *, commands: bool = False) -> None:
    """Lines of signs that can be seen; two colons only in the commands that `check` itself gives a runner."""
    for line in output.splitlines():
        assert line.isprintable(), line
        assert "##" not in line
        command = re.fullmatch(r"::(?:error|warning) [^:]*::(.*)", line) if commands else None
        assert "::" not in (command[1] if command else line)


def test_a_large_view_is_refused(tmp_path: Path) -> None:
    folder = lay_out(tmp_path, position("market"))
    view = folder / "view.yaml"
    (folder / "sheet.yaml").write_text(GOOD)
    text = view.read_bytes()
    view.write_bytes(text + b"#" * (2**20 - len(text)))
    assert adjudicator("check", folder / "sheet.yaml").exit_code == 0
    view.write_bytes(text + b"#" * (2**20 + 1 - len(text)))
    result = adjudicator("check", folder / "sheet.yaml")
    assert (result.exit_code, result.output) == (
        1,
        f"{view}: FILE a view of more than 1048576 bytes isn't read\n",
    )
