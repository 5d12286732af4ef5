"""Sheets and orders that the papers and the rules show can be sent: the schemas admit them, and so does `check`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from adjudicator.contract.cases import first_position
from adjudicator.engine.library import registry
from adjudicator.engine.library.texts import game_texts, words
from adjudicator.engine.play.account import every_account
from adjudicator.engine.play.checking import CheckResult, check_sheet
from adjudicator.engine.play.instructing import flaws_within
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report.filters import account_text
from adjudicator.engine.sheets.reading import Expected, read_answers, read_sheet
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.engine.table.event import Head, NotSent
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.text.source import Source, read
from adjudicator.engine.text.writing import write
from adjudicator.mail.commands import command_in

TOP = Path(__file__).parent.parent
PAPERS = [*sorted(TOP.glob("docs/**/*.md")), TOP / "README.md"]
FOR_PLAYERS = {"en": "docs/play.md", "fr": "docs/fr/play.md"}
COMMAND = re.compile(r"(?:`|^)(adjudicator (?:check|try|verify|rules|play) ?[^`\n]*)", re.MULTILINE)
"""A command that players write."""
OF_SHEETS = {"orders", "standing", "later"}


def examples() -> Iterator[Any]:
    """Every sheet, and list of orders or answers, in a block of YAML: its game, its place, its data."""
    papers = [("mediterranee", path) for path in PAPERS]
    papers += [
        (game, TOP / "adjudicator" / "rulebooks" / package.rpartition(".")[2] / "rules.md")
        for game, package in registry.OWN.items()
    ]
    for game, path in papers:
        text = path.read_text(encoding="utf-8")
        for block in re.finditer(r"^```yaml\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
            source = read(block[1].encode(), path.name)
            assert isinstance(source, Source), source
            place = f"{path.relative_to(TOP)}:{text[: block.start()].count(chr(10)) + 1}"
            for number, plain in enumerate(sheets_in(source.plain)):
                yield pytest.param(game, plain, id=f"{place}-{number}")


def sheets_in(plain: Any) -> Iterator[dict[str, Any]]:
    """The sheets in a block's data; of a list of orders, which may be for different phases, one for each."""
    if isinstance(plain, dict) and plain.keys() & OF_SHEETS:
        yield plain
    elif isinstance(plain, list) and "case" not in plain[0]:
        yield from ({"orders": [order]} for order in plain)


def read_in(game: str, phase: str, plain: dict[str, Any]) -> Sheet:
    """The sheet as it is read when it comes for a phase, from the first player of the usual table."""
    book = registry.rulebook(game)
    table = book.tables[min(book.tables)][0]
    asked = Expected(book, "case", Head(1, phase, 1, table), table)
    sheet = read_sheet(write({"player": table[0], **plain}).encode(), asked)
    assert isinstance(sheet, Sheet), sheet
    return sheet


def flaws_in(sheet: Sheet) -> list[str]:
    """Everything that the schema finds wrong with a sheet."""
    orders = [*(sheet.orders or ()), *(each for later in sheet.later.values() for each in later)]
    return [str(flaw) for flaw in (*sheet.flaws, *(flaw for each in orders for flaw in flaws_within(each)))]


def said_at_the_start(sheet: Sheet, game: str, phase: str) -> list[str]:
    """What `check` says of a sheet in the first position of a phase, but for warnings."""
    said = check_at_the_start(sheet, game, phase).said
    return [f"{each.reason.rule} {each.reason.key}" for each in said if each.severity != "warning"]


def check_at_the_start(sheet: Sheet, game: str, phase: str) -> CheckResult:
    """The check of a sheet in the first position of a phase."""
    book = registry.rulebook(game)
    table = book.tables[min(book.tables)][0]
    state = first_position(book, book.start("case", book.Options(), table), phase)
    return check_sheet(book, position_for(book, state, sheet.player), sheet)


@pytest.mark.parametrize(("game", "plain"), [*examples()])
def test_what_is_shown_can_be_sent(game: str, plain: dict[str, Any]) -> None:
    """In some phase, or as an answer to a question; `check` finds it wrong at most for where things stand."""
    book = registry.rulebook(game)
    asks = {kind.verb for kind in book.questions}
    if all(next(iter(order)) in asks for order in plain.get("orders", [{"": ""}])):
        found = read_answers(
            write({"player": book.tables[min(book.tables)][0][0], "answers": plain["orders"]}).encode(),
            asked_by(book),
        )
        assert not isinstance(found, NotSent), found
        assert found[1] == ()
        return
    wrong = {phase.name: flaws_in(read_in(game, phase.name, plain)) for phase in book.phases if phase.verbs}
    fits = [phase for phase, flaws in wrong.items() if not flaws]
    assert fits, wrong
    said = said_at_the_start(read_in(game, fits[0], plain), game, fits[0])
    assert [each for each in said if each.partition(" ")[0] in {"SCHEMA", "YAML"}] == []


def asked_by(book: Rulebook[Any]) -> Expected:
    """What is expected of whoever is asked something."""
    table = book.tables[min(book.tables)][0]
    return Expected(book, "case", Head(1, book.phases[-1].name, 1, table), table)


@pytest.mark.parametrize("paper", FOR_PLAYERS.values())
def test_the_sheets_that_players_read_first_are_good_where_they_say(paper: str) -> None:
    shown = [each.values[1] for each in examples() if str(each.id).startswith(paper)]
    assert [next(iter(sheet["orders"][0])) for sheet in shown] == ["move", "buy", "buy"]
    for sheet, phase in zip(shown[::2], ("movement", "market"), strict=True):
        assert said_at_the_start(read_in("mediterranee", phase, sheet), "mediterranee", phase) == []


@pytest.mark.parametrize("language", FOR_PLAYERS)
def test_what_becomes_of_the_orders_shown_is_what_stands_beside_them(language: str) -> None:
    text = (TOP / FOR_PLAYERS[language]).read_text(encoding="utf-8").split("\n### ")[1]
    block = text.partition("```yaml\n")[2].partition("```")[0]
    beside = [each.strip() for each in re.findall(r"- \w+: \w+ +# ([^:\n]+)", block)]
    source = read(block.encode(), "play.md")
    assert isinstance(source, Source), source
    checked = check_at_the_start(read_in("mediterranee", "market", source.plain), "mediterranee", "market")
    texts = game_texts("mediterranee", language)
    assert [account_text(each, words(texts)) for each in every_account(checked.accounts)] == beside
    said = words(texts)["account"]
    assert set(beside) == {said["done"], said["nothing"], said["not-needed"]}


@pytest.mark.parametrize("paper", FOR_PLAYERS.values())
def test_the_commands_by_mail_that_players_read_of_are_understood(paper: str) -> None:
    text = (TOP / paper).read_text(encoding="utf-8").split("\n## ")[3]
    shown = [each for each in re.findall(r"`([^`]+)`", text) if "message" not in each]
    understood = [command_in(each) for each in shown]
    assert [each.verb for each in understood if each is not None] == [
        *(
            "help",
            "status",
            "form",
            "map",
            "calendar",
            "history",
            "rules",
            "away",
            "vote",
            "settings",
            "address",
            "resign",
        )
    ]
    assert all(each is not None and each.read != "wrong" for each in understood)


@pytest.mark.parametrize("paper", ["play.md", "page.md"])
def test_papers_in_french_name_the_commands_that_the_english_ones_do(paper: str) -> None:
    english, french = (
        {
            *re.findall(
                r"(?:`|^)(adjudicator (?:check|try|verify|rules|play) ?[^`\n]*)",
                (TOP / home / paper).read_text(),
                re.M,
            )
        }
        for home in ("docs", "docs/fr")
    )
    assert french == english
    assert len(french) > 1
