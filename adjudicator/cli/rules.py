"""`rules`: shows the rules of a game: all, a chapter, or one or several by their numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from adjudicator.cli.output import show_document

if TYPE_CHECKING:
    from adjudicator.engine.table.rulebook import Rulebook

RANGE = re.compile(r"\s*(?:\.\.+|–|\bto\b|(?<=[0-9])\s*-)\s*")
"""What stands between the first and the last number: `3.1 to 3.4`, `3.1-3.4`."""


def rules(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The rulebook, as in `adjudicator games`.")],
    number: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RULE]",
            help="A rule (MED-3.3, or 3.3), several (3.1 to 3.4), or a chapter (MED-3, or a word of its title).",
        ),
    ] = None,
) -> None:
    """Show the rules of a game: all, a chapter, or some by their numbers.

    Example: adjudicator rules mediterranee MED-3.3
    """
    from adjudicator.cli.find import NUMBER, game_named, game_of
    from adjudicator.engine.library.registry import rules_md

    alone = NUMBER.match(game)
    if alone and alone[1]:  # MED-3.3 says which game is meant
        rulebook, wanted = game_of(alone[0]), " ".join([game, *(number or [])])
    else:
        rulebook, wanted = game_named(game), " ".join(number or [])
    if not wanted.strip():
        show_document(rules_md(rulebook.package).rstrip("\n"))
        return
    show_document("\n\n".join(named(rulebook, wanted.strip())))


def named(rulebook: Rulebook[Any], wanted: str) -> Iterator[str]:
    """The paragraphs of what is named. Raises BadParameter."""
    from adjudicator.cli.find import NUMBER, full_number, rule_numbered
    from adjudicator.engine.library.registry import chapters_of, rules_of

    chapters = chapters_of(rulebook)
    numbered = {title.partition(" ")[0]: text for title, text in chapters.items()}
    first, *more = RANGE.split(wanted)
    if len(more) > 1 or not all(NUMBER.fullmatch(each) for each in (first, *more)):
        titled = [text for title, text in chapters.items() if wanted.casefold() in title.casefold()]
        yield from titled or _unknown(rulebook, wanted, chapters)
        return
    first = full_number(rulebook, first)
    last = full_number(rulebook, *more) if more else first
    if "." not in first:
        known, last = [*numbered], last.partition(".")[0]
        if first not in known or last not in known:
            _unknown(rulebook, last if first in known else first, chapters)
        yield from [*numbered.values()][known.index(first) : known.index(last) + 1] or _backwards(first, last)
        return
    if "." not in last:  # MED-3.1 to 4
        last = f"{first.partition('.')[0]}.{last.rpartition('-')[2]}"
    texts = list(rules_of(rulebook).values())
    begin, end = (texts.index(rule_numbered(rulebook, each)) for each in (first, last))
    chapter = ""
    for rule in texts[begin : end + 1] or _backwards(first, last):
        if rule.chapter != chapter:
            yield (chapter := rule.chapter)
        yield f"{rule.number} {rule.text}"


def _unknown(rulebook: Rulebook[Any], wanted: str, chapters: Iterable[str]) -> NoReturn:
    raise typer.BadParameter(
        f"{rulebook.title} has no rule or chapter {wanted}; chapters: {'; '.join(chapters)}"
    )


def _backwards(first: str, last: str) -> NoReturn:
    raise typer.BadParameter(f"{last} comes before {first}: name the first one first")
