"""What users name on the command line: games, rules, options. For a wrong name the nearest right one is suggested."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from adjudicator.engine.library.registry import RuleText
    from adjudicator.engine.table.event import Player
    from adjudicator.engine.table.rulebook import Options, Rulebook

NUMBER = re.compile(r"(?:([a-z]+)[-\s]*)?([0-9]+(?:\.[0-9]+)?)", re.IGNORECASE)
"""The number of a rule or a chapter: `MED-3.3`, `med 3`, `3.3`."""


def game_named(name: str) -> Rulebook[Any]:
    """The rulebook of that name. Raises BadParameter."""
    from adjudicator.engine.library import registry

    try:
        return registry.rulebook(name)
    except registry.NoSuchGame as error:
        if error.why:
            raise typer.BadParameter(str(error)) from None
        raise typer.BadParameter(
            f"there is no rulebook {name or repr(name)}{suggestion(name, error.known)}"
        ) from None


def game_of(number: str) -> Rulebook[Any]:
    """The rulebook whose rules have the number's letters. Raises BadParameter."""
    from adjudicator.engine.library import registry

    found = NUMBER.fullmatch(number.strip())
    prefix = ((found and found[1]) or number.partition("-")[0]).upper()
    own = [registry.rulebook(name) for name in registry.OWN]
    for rulebook in own:
        if rulebook.prefix == prefix:
            return rulebook
    # Loading entry points takes time, so other packages' rulebooks are searched only for letters that aren't ours.
    every = [
        found for found in registry.all_rulebooks().values() if not isinstance(found, registry.NoSuchGame)
    ]
    for rulebook in every:
        if rulebook.prefix == prefix:
            return rulebook
    letters = suggestion(prefix, [each.prefix for each in every])
    raise typer.BadParameter(f"{number!a}: no game's rules begin with {prefix or repr(prefix)}{letters}")


def full_number(rulebook: Rulebook[Any], number: str) -> str:
    """A number of a rule or a chapter with the game's letters, however it was written: `med 3.3`, `3.3`."""
    found = NUMBER.fullmatch(number.strip())
    return f"{(found[1] or rulebook.prefix).upper()}-{found[2]}" if found else number.upper()


def rule_numbered(rulebook: Rulebook[Any], number: str) -> RuleText:
    """The rule with that number, which may lack the game's letters. Raises BadParameter."""
    from adjudicator.engine.library.registry import rules_of

    known = rules_of(rulebook)
    wanted = full_number(rulebook, number)
    if wanted not in known:
        raise typer.BadParameter(
            f"{rulebook.title} has no rule {wanted}{suggestion(wanted, rules_nearby(wanted, known))}"
        )
    return known[wanted]


def rules_nearby(number: str, known: Iterable[str]) -> Sequence[str]:
    """The rules of the same chapter, if there is such a chapter; else all rules."""
    every = list(known)
    chapter = number.partition(".")[0]
    return [rule for rule in every if rule.partition(".")[0] == chapter] or every


def suggestion(word: str, known: Sequence[str]) -> str:
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

    from adjudicator.engine.play.inbox import with_flags

    known = rulebook.Options.__struct_fields__
    found: dict[str, str] = {}
    for word in given:
        name, equals, value = word.partition("=")
        if not equals:
            raise typer.BadParameter(
                f"{word or repr(word)}: an option is a name, = and a value, such as turns=8"
            )
        if name not in known:
            raise typer.BadParameter(
                f"{rulebook.title} has no option {name or repr(name)}{suggestion(name, known)}"
            )
        found[name] = value
    try:
        return msgspec.convert(with_flags(rulebook, found), rulebook.Options, strict=False)
    except msgspec.ValidationError as error:
        raise typer.BadParameter(f"--option: {error}") from None
