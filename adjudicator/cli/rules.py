"""What one asks about games and their rules; and what users name on the command line: games, rules, options."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from adjudicator.cli.output import echo, echo_lines, echo_problems, show_document
from adjudicator.engine.library import registry
from adjudicator.engine.library.registry import NoSuchGame, all_rulebooks, seats
from adjudicator.engine.library.rules import citations, rules_md
from adjudicator.engine.library.texts import say, texts_of, words
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.position import Options
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.text.problem import suggestion
from adjudicator.engine.text.resources import PACKAGE, folder_of


def games(
    templates: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="A folder of your own words: what it adds, and what is wrong with it."
        ),
    ] = None,
) -> None:
    """List the rulebooks: name, title, numbers of players, version, the players for each number, and the languages.

    Example: adjudicator games
    """
    own = str(templates.resolve()) if templates is not None else ""
    rows: list[tuple[str, ...]] = []
    tables: list[list[str]] = []
    broken: list[str] = []
    for name, found in all_rulebooks().items():
        if isinstance(found, NoSuchGame):
            broken.append(f"{name}: can't be loaded: {found.why}")
            continue
        players = ", ".join(str(number) for number in sorted(found.tables))
        rows.append((name, found.title, f"{players} players", f"version {found.version}"))
        told = f"  languages: {', '.join(_languages(name, own))}"
        tables.append([*(f"  {number} players: {named}" for number, named in seats(found)), told])
    widths = [max(len(row[column]) for row in rows) for column in range(4)] if rows else []
    for row, lines in zip(rows, tables, strict=True):
        echo("  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip())
        echo_lines(lines)
    echo_lines(broken)
    if own:
        from adjudicator.engine.report.translated import faults_of_group

        echo_problems(faults_of_group(own))


def _languages(game: str, templates: str) -> Iterator[str]:
    """A game's languages; one that isn't whole with how much of it there is."""
    from jinja2 import TemplateError

    from adjudicator.engine.library.languages import ENGLISH, known_languages
    from adjudicator.engine.report.translated import share_told

    yield ENGLISH
    for language in known_languages(game, templates)[1:]:
        try:
            told, wanted = share_told(game, language, templates)
        except (ValueError, TemplateError) as error:
            yield f"{language} (can't be read: {error})"
        else:
            yield language if told == wanted else f"{language} ({told} of {wanted} texts)"


def rules(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The rulebook, as in `adjudicator games`.")],
    number: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RULE]",
            help="A rule (MED-3.3, or 3.3), several (3.1 to 3.4), or a chapter (MED-3, or a word of its title).",
        ),
    ] = None,
    page: Annotated[
        Path | None,
        typer.Option(
            "--page", metavar="FILE", help="Write all of them into this file, as a page with the map."
        ),
    ] = None,
    language: Annotated[
        str, typer.Option("--language", metavar="NAME", help="The language of that page, as in `games`.")
    ] = "",
) -> None:
    """Show the rules of a game: all, a chapter, or some by their numbers.

    Example: adjudicator rules mediterranee MED-3.3
    """
    from adjudicator.engine.library.rules import NUMBER, NoSuchRule, paragraphs_named

    alone = NUMBER.match(game)
    if alone and alone[1]:  # MED-3.3 says which game is meant
        rulebook, wanted = game_of(alone[0]), " ".join([game, *(number or [])])
    else:
        rulebook, wanted = game_named(game), " ".join(number or [])
    if page is not None:
        write_rules(rulebook, page, language)
        return
    if not wanted.strip():
        show_document(rules_md(rulebook).rstrip("\n"))
        return
    try:
        show_document("\n\n".join(paragraphs_named(rulebook, wanted.strip())))
    except NoSuchRule as error:
        raise typer.BadParameter(str(error)) from None


def write_rules(rulebook: Rulebook[Any], page: Path, language: str) -> None:
    """Writes the page with a game's rules; it replaces only an earlier one."""
    from adjudicator.cli.output import replace_own
    from adjudicator.engine.library.languages import known_languages
    from adjudicator.engine.library.texts import in_language
    from adjudicator.engine.report.rules_page import rules_page

    if language and language not in (known := known_languages(rulebook.key)):
        raise typer.BadParameter(f"{rulebook.title} has no texts in {language}; it has {', '.join(known)}")
    text = rules_page(in_language(rulebook, language) if language else rulebook)
    replace_own(page, text, text.partition("<html")[0])
    echo(f"{page}: the rules of {rulebook.title}")


def explain(
    number: Annotated[str, typer.Argument(metavar="RULE", help="A rule's number: MED-3.3.")],
    match: Annotated[Path | None, typer.Argument(metavar="[FOLDER]", help="A GM's match folder.")] = None,
) -> None:
    """Show a rule, where the code enforces it, and the orders it refused in a match.

    Example: adjudicator explain MED-3.3 lagoon
    """

    from adjudicator.engine.library.rules import NoSuchRule, rule_numbered

    rulebook = game_of(number)
    try:
        rule = rule_numbered(rulebook, number)
    except NoSuchRule as error:
        raise typer.BadParameter(str(error)) from None
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


def game_named(name: str) -> Rulebook[Any]:
    """The rulebook of that name. Raises BadParameter."""
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
    from adjudicator.engine.library.rules import NUMBER

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
    for game, found in all_rulebooks().items():
        if not isinstance(found, NoSuchGame):
            for line, (number, named) in enumerate(seats(found)):
                yield "" if line else game, f"{number}: {named}"
