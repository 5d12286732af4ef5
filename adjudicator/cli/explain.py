"""`explain`: shows a rule, the code that enforces it, its cases, and the orders that it refused in a match."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.cli.output import echo
from adjudicator.engine.library.texts import texts_of

if TYPE_CHECKING:
    from adjudicator.engine.table.rulebook import Rulebook


def explain(
    number: Annotated[str, typer.Argument(metavar="RULE", help="A rule's number: MED-3.3.")],
    match: Annotated[Path | None, typer.Argument(metavar="[FOLDER]", help="A GM's match folder.")] = None,
) -> None:
    """Show a rule, where the code enforces it, and the orders it refused in a match.

    Example: adjudicator explain MED-3.3 lagoon
    """
    from adjudicator.cli.find import game_of, rule_numbered

    rulebook = game_of(number)
    rule = rule_numbered(rulebook, number)
    # First, so that nothing is shown if the match can't be read.
    refused = list(refusals(match, rule.number)) if match is not None else []
    echo(f"{rulebook.title}, {rule.chapter}\n\n{rule.number} {rule.text}\n")
    for line in (*code(rulebook, rule.number, enforced=rule.enforced), *cases(rulebook, rule.number)):
        echo(line)
    if match is not None:
        echo(f"\nOrders it refused in {match}: {len(refused) or 'none'}")
        for line in refused:
            echo(f"  {line}")


def code(rulebook: Rulebook[Any], number: str, *, enforced: bool) -> Iterator[str]:
    """Where the code names the rule."""
    from adjudicator.engine.library.registry import citations
    from adjudicator.engine.text.resources import folder_of

    # A bot that names the rule doesn't enforce it. One line for each function is enough.
    places = [use for use in citations(rulebook).get(number, []) if not use.file.startswith("bot")]
    found = {(use.file, use.function): use for use in reversed(places)}
    if not enforced:
        yield "Marked in the rules as a definition or as done by hand; it needs no code."
    if not found:
        return
    home = relative(folder_of(rulebook.package))
    yield "In the code:"
    for use in sorted(found.values(), key=lambda use: (use.file, use.line)):
        yield f"  {home}/{use.file}:{use.line} {use.function}".rstrip()


def cases(rulebook: Rulebook[Any], number: str) -> Iterator[str]:
    """The rule's case file, where the program runs from a checkout."""
    from adjudicator.engine.text.resources import PACKAGE

    path = PACKAGE.parent / "tests" / "cases" / rulebook.key / f"{number}.yaml"
    if path.is_file():
        yield f"Its cases: {relative(path)}"


def relative(path: Path) -> Path:
    """The path, relative to the current folder if it is inside."""
    try:
        return path.relative_to(Path.cwd())
    except ValueError:
        return path


def refusals(match: Path, number: str) -> Iterator[str]:
    """The orders that the rule refused, or a part of them: phase, player, place in the sheet, order, what became of it,
    reason.
    """
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.engine.folder.post import Post
    from adjudicator.engine.library.words import say, words
    from adjudicator.engine.play.account import every_account
    from adjudicator.engine.play.view import events_for

    folder = open_match(match)
    texts, sheets = texts_of(folder.rulebook), Post(folder).due_sheets
    for phase, name in enumerate(folder.phases[: folder.last]):
        events, after = folder.events(phase), folder.state(phase + 1)
        for player in folder.state(phase).phase.due:
            seen = events_for(folder.rulebook, after, events, player)
            for each in every_account(sheets.accounts(phase, player, seen)):
                for found in each.findings:
                    if found.reason.rule == number:
                        place = f"{name}/{found.place}" if found.place.startswith("sheets/") else found.place
                        word = words(texts)["account"][each.word]
                        yield f"{place}: {each.line} ({word}): {say(found.reason, texts)}"
