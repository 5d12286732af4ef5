"""`adjudicator new`: begins a match."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.cli.options import At, account_beside, person, time_of
from adjudicator.cli.output import content_of, echo, echo_problems
from adjudicator.cli.saying import names

if TYPE_CHECKING:
    from adjudicator.engine.table.rulebook import Rulebook


def new(  # noqa: PLR0917  - as many options as a match has
    rulebook: Annotated[
        str, typer.Argument(metavar="GAME", help="The game, one of those that `adjudicator games` lists.")
    ],
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="The match's folder, which must be new or empty.")
    ],
    player: Annotated[
        list[str] | None,
        typer.Option(
            help="A player of the list below, = and the person: venice='Anna <one@example.org>'; once for each."
        ),
    ] = None,
    bot: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLAYER[=BOT]",
            help="A seat that a program plays: the game's own bot, or =random; once for each.",
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="An option of the game and its value, such as turns=8."),
    ] = None,
    seed: Annotated[
        str,
        typer.Option(
            metavar="TEXT",
            help="Make the secret seed from this text, so that the same match can be made again.",
        ),
    ] = "",
    match: Annotated[str, typer.Option(help="The match's name; left out: the folder's.")] = "",
    gm: Annotated[
        str, typer.Option(help="Your own mail address; the players' pages for orders mail sheets to it.")
    ] = "",
    due: Annotated[
        str, typer.Option(help="The first deadline, in your own words, for forms and reports.")
    ] = "",
    schedule: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A file that says when sheets are due; see `due`.")
    ] = None,
    zone: Annotated[
        list[str] | None,
        typer.Option(
            help="A player's own time zone, such as venice=America/New_York; left out: the schedule's."
        ),
    ] = None,
    language: Annotated[
        list[str] | None,
        typer.Option(
            help="A language for everybody and the public, such as fr, or a player's own, such as venice=fr; left out:"
            " the one in mail.yaml, else English."
        ),
    ] = None,
    at: At = "",
) -> None:
    """Begin a match in a folder of its own; its first phase is then open.

    Example: adjudicator new mediterranee lagoon --player venice=one@example.org --player genoa --option turns=8
    """
    from adjudicator.cli.rules import game_named
    from adjudicator.cli.run import problems_of_words
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.engine.match.begin import begin
    from adjudicator.gm.bots import name_shown
    from adjudicator.gm.closing import hangs_on_the_gm_s_word
    from adjudicator.gm.playing import entries_of_run, run_by_hand

    now = time_of(at)
    game = game_named(rulebook)
    played = bots_in(game, bot or [])
    players = [*(text.partition("=")[0] for text in player or ()), *played]
    persons = {text.partition("=")[0]: person(text, "--player") for text in player or ()}
    beside = account_beside(folder)
    templates = str(Path("..", Path(beside.templates).expanduser())) if beside and beside.templates else ""
    own = str((folder.absolute() / templates).resolve()) if templates else ""
    usual = beside.language if beside else ""
    of_all, of_players = _languages(rulebook, language or [], players, own, usual)
    ran = begin(
        rulebook,
        folder,
        players,
        options=_pairs(option or []),
        seed_text=seed,
        name=match,
        addresses={name: one.address for name, one in persons.items()},
        names={
            **{name: one.name for name, one in persons.items()},
            **{name: name_shown(each) for name, each in played.items()},
        },
        gm=gm,
        due_text=due,
        schedule=_schedule(schedule, game) if schedule is not None else None,
        zones=_zones(zone or [], players),
        language=of_all,
        templates=templates,
        languages=of_players,
        bots=played,
        keep=entries_of_run(now),
    )
    if played:
        ran = run_by_hand(folder, now)
    echo_problems(problems_of_words(folder))
    echo(f"The match is in {folder}.")
    if any(one.address for one in persons.values()) and hangs_on_the_gm_s_word(open_match(folder)):
        echo(
            "What was dealt or thrown at the start hangs on the seed alone, so players have only your word that you"
            " began this match once. With --option dice=drand or dice=named they have more (docs/dice.md).",
            err=True,
        )
    if seed:
        said = (
            "Whoever guesses the text of --seed knows all dice and cards: the match's public commitment tells whether a"
            " guess is right. Unless you want to make the match again, leave --seed out for a random seed."
        )
        echo(said, err=True)
    if not ran.missing:
        echo(f"Open now: {ran.open}: {ran.because}.")
        echo(f"To go on: adjudicator run {folder}. Keep {folder / 'referee.yaml'} to yourself.")
        return
    echo(f"Open now: {ran.open}. Sheets are due from {names(ran.missing)}.")
    echo(
        f"The files to send to each player are in {folder / ran.open / 'for'}; the sheets that come back go into"
        f" {folder / ran.open / 'sheets'}. Keep {folder / 'referee.yaml'} secret."
    )
    if played:
        echo(f"To play it in a browser on this machine: adjudicator play {folder}.")


def bots_in(game: Rulebook[Any], texts: list[str]) -> dict[str, str]:
    """The seats of bots, each with the bot's name. Raises Faulty for a bot that the game doesn't have."""
    from adjudicator.gm.bots import bot_name

    seats = (text.partition("=") for text in texts)
    return {player: bot_name(game, name) for player, _, name in seats}


def _schedule(path: Path, game: Rulebook[Any]) -> dict[str, Any]:
    """The schedule in a file, as it is written there. Raises Faulty."""
    from adjudicator.gm.new_schedule import read_schedule
    from adjudicator.gm.playing import phases_of

    text = content_of(str(path))
    return read_schedule(text, str(path), phases_of(game))[0]


def _zones(texts: list[str], players: list[str]) -> dict[str, str]:
    """The players' own time zones. Ends with status 2 for an unknown one."""
    from adjudicator.gm.schedule import zone_named

    found: dict[str, str] = {}
    for text in texts:
        name, equals, zone = text.partition("=")
        if not equals:
            raise typer.BadParameter(f"{text}: write a player, = and a zone", param_hint="--zone")
        _check_player(name, players, "--zone")
        if name in found:
            raise typer.BadParameter(f"{name} has two zones; leave one out", param_hint="--zone")
        try:
            found[name] = zone_named(zone)
        except ValueError as error:
            raise typer.BadParameter(str(error), param_hint="--zone") from None
    return found


def _check_player(name: str, players: list[str], hint: str) -> None:
    if name not in players:
        there = ", ".join(players)
        raise typer.BadParameter(f"there is no player {name} here; there are {there}", param_hint=hint)


def _languages(
    game: str, texts: list[str], players: list[str], templates: str, usual: str
) -> tuple[str, dict[str, str]]:
    """The language of everybody, and those of single players. Ends with status 2 for one in which the game has no
    texts; the club's `usual` one is then left out.
    """
    from adjudicator.gm.people import no_such_language

    found: dict[str, str] = {}
    for text in texts:
        name, _, language = text.rpartition("=")
        if name:
            _check_player(name, players, "--language")
        if said := no_such_language(game, language, templates):
            raise typer.BadParameter(said, param_hint="--language")
        if name in found:
            raise typer.BadParameter(f"{text}: this is named twice; leave one out", param_hint="--language")
        found[name] = language
    return found.pop("", "" if no_such_language(game, usual, templates) else usual), found


def _pairs(options: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in options:
        name, equals, value = text.partition("=")
        if not equals:
            raise typer.BadParameter(f"{text} has no value: write {text}=...", param_hint="--option")
        if name in found:
            raise typer.BadParameter(f"{name} is there twice; leave one out", param_hint="--option")
        found[name] = value
    return found
