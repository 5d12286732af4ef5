"""What users name on the command line: games, rules, options. For a wrong name the nearest right one is suggested."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from adjudicator.engine.library.rules import RuleText
    from adjudicator.engine.table.event import Player
    from adjudicator.engine.table.rulebook import Options, Rulebook


def game_named(name: str) -> Rulebook[Any]:
    """The rulebook of that name. Raises BadParameter."""
    from adjudicator.engine.library import registry

    try:
        return registry.rulebook(name)
    except registry.NoSuchGame as error:
        if error.why:
            raise typer.BadParameter(f"the rulebook {name} can't be loaded: {error.why}") from None
        raise typer.BadParameter(f"there is no rulebook {name}{meant(name, error.known)}") from None


def rule_numbered(rulebook: Rulebook[Any], number: str) -> RuleText:
    """The rule with that number, which may lack the game's letters. Raises BadParameter."""
    from adjudicator.engine.library.rules import rules_of

    known = rules_of(rulebook)
    wanted = number.upper() if "-" in number else f"{rulebook.prefix}-{number}"
    if wanted not in known:
        raise typer.BadParameter(
            f"{rulebook.title} has no rule {wanted}{meant(wanted, nearby(wanted, known))}"
        )
    return known[wanted]


def nearby(number: str, known: Iterable[str]) -> Sequence[str]:
    """The rules of the same chapter, if there is such a chapter; else all rules."""
    every = list(known)
    chapter = number.partition(".")[0]
    return [rule for rule in every if rule.partition(".")[0] == chapter] or every


def meant(word: str, known: Sequence[str]) -> str:
    """The end of a sentence about an unknown name: what may have been meant, and which names there are."""
    from adjudicator.engine.text.problem import nearest

    guess = nearest(word, known)
    listed = ", ".join(known[:30]) + (", ..." if len(known) > 30 else "")
    return f" (did you mean {guess}?); known: {listed}" if guess else f"; known: {listed}"


def table_of(rulebook: Rulebook[Any], number: int) -> tuple[Player, ...]:
    """The players of a match with `number` players; 0: as many as can play. Raises BadParameter."""
    number = number or max(rulebook.tables)
    if number not in rulebook.tables:
        known = ", ".join(str(count) for count in sorted(rulebook.tables))
        raise typer.BadParameter(f"{rulebook.title} can't be played by {number}; possible: {known}")
    return rulebook.tables[number][0]


def options_in(rulebook: Rulebook[Any], given: Sequence[str]) -> Options:
    """The options of a match from words like `turns=8`. Raises BadParameter."""
    import msgspec

    from adjudicator.engine.play.options import with_flags

    known = rulebook.Options.__struct_fields__
    found: dict[str, str] = {}
    for word in given:
        name, equals, value = word.partition("=")
        if not equals:
            raise typer.BadParameter(f"{word}: an option is a name, = and a value, such as turns=8")
        if name not in known:
            raise typer.BadParameter(f"{rulebook.title} has no option {name}{meant(name, known)}")
        found[name] = value
    try:
        return msgspec.convert(with_flags(rulebook, found), rulebook.Options, strict=False)
    except msgspec.ValidationError as error:
        raise typer.BadParameter(f"--option: {error}") from None
