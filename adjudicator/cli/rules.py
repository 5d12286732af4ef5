"""What one asks about games and their rules; and what users name on the command line: games, rules, options."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from adjudicator.cli.output import echo, echo_lines, show_document
from adjudicator.engine.library.texts import texts_of

if TYPE_CHECKING:
    from adjudicator.engine.library.registry import RuleText
    from adjudicator.engine.table.event import Player
    from adjudicator.engine.table.rulebook import Options, Rulebook


def games() -> None:
    """List the rulebooks: name, title, numbers of players, version, and the players for each number.

    Example: adjudicator games
    """
    from adjudicator.engine.library.registry import NoSuchGame, all_rulebooks, seats

    rows: list[tuple[str, ...]] = []
    tables: list[list[str]] = []
    broken: list[str] = []
    for name, found in all_rulebooks().items():
        if isinstance(found, NoSuchGame):
            broken.append(f"{name}: can't be loaded: {found.why}")
            continue
        players = ", ".join(str(number) for number in sorted(found.tables))
        rows.append((name, found.title, f"{players} players", f"version {found.version}"))
        tables.append([f"  {number} players: {named}" for number, named in seats(found)])
    widths = [max(len(row[column]) for row in rows) for column in range(4)] if rows else []
    for row, lines in zip(rows, tables, strict=True):
        echo("  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip())
        echo_lines(lines)
    echo_lines(broken)


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


def explain(
    number: Annotated[str, typer.Argument(metavar="RULE", help="A rule's number: MED-3.3.")],
    match: Annotated[Path | None, typer.Argument(metavar="[FOLDER]", help="A GM's match folder.")] = None,
) -> None:
    """Show a rule, where the code enforces it, and the orders it refused in a match.

    Example: adjudicator explain MED-3.3 lagoon
    """

    rulebook = game_of(number)
    rule = rule_numbered(rulebook, number)
    # First, so that nothing is shown if the match can't be read.
    refused = list(refusals(match, rule.number)) if match is not None else []
    echo(f"{rulebook.title}, {rule.chapter}\n\n{rule.number} {rule.text}\n")
    echo_lines([*code(rulebook, rule.number, enforced=rule.enforced), *cases(rulebook, rule.number)])
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
    from adjudicator.engine.library.texts import say, words
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


def seats_in_all() -> Iterator[tuple[str, str]]:
    """Each game that can be played, and a line for each number of players."""
    from adjudicator.engine.library.registry import NoSuchGame, all_rulebooks, seats

    for game, found in all_rulebooks().items():
        if not isinstance(found, NoSuchGame):
            for line, (number, named) in enumerate(seats(found)):
                yield "" if line else game, f"{number}: {named}"
