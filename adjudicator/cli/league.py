"""`adjudicator league`: a table of players over finished matches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.cli.options import LanguageOfPage, usual_language
from adjudicator.cli.output import content_of, echo, echo_lines, replace_own, show_document
from adjudicator.engine.text.problem import counted

if TYPE_CHECKING:
    from adjudicator.gm.league import League, Row


def league(
    folders: Annotated[list[Path], typer.Argument(metavar="FOLDER...", help="The folders of matches.")],
    yaml: Annotated[bool, typer.Option("--yaml", help="Print it as YAML, for other programs.")] = False,
    page: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write it as a page that needs no network.")
    ] = None,
    title: Annotated[
        str, typer.Option(help="The heading of the page; left out: League, in its language.")
    ] = "",
    sites: Annotated[
        str,
        typer.Option(
            metavar="FOLDER", help="Where sites of matches lie, as seen from the page: it links to them."
        ),
    ] = "",
    names: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Names for addresses, in lines such as one@example.org: Anna"),
    ] = None,
    language: LanguageOfPage = "",
) -> None:
    """Show a table of players over finished matches: ratings by Glicko, each with its ±, from the order of finish.

    Players are the addresses (or names) in each match's referee.yaml; shown is the name in --names, else that in
    referee.yaml, else the part before the @.
    Matches count in the order in which they ended, by their ledgers; those without a ledger last, by name. Matches that
    aren't over or can't be read are named and left out; status 1 if a match is faulty, else 0.

    Example: adjudicator league lagoon pond alps --names names.yaml --page league.html
    """
    from adjudicator.gm.league import league as found_in, read_names

    known: Mapping[str, str] = {}
    if names is not None:
        text = content_of(str(names))
        known = read_names(text, str(names))
    found = found_in(folders, known)
    if page is not None:
        _write(found, page, title, sites, language or usual_language(folders))
    if yaml:
        from adjudicator.engine.text.writing import write

        show_document(write(_plain(found), brackets_from=3), nl=False)
    else:
        echo_lines(_lines(found))
    for each in found.left_out:
        echo(f"left out: {each.folder}: {each.why}", err=True)
    if page is not None:
        echo(f"Open {page.resolve().as_uri()}", err=yaml)
    if any(each.faulty for each in found.left_out):
        raise typer.Exit(1)


def _write(found: League, page: Path, title: str, sites: str, language: str) -> None:
    """Writes the page, with links to those sites that are there. Ends with status 2 if it would show an address."""
    from adjudicator.gm.league import BEGINS, league_page

    bare = [row.person for row in found.rows if "@" in row.person]
    if bare:
        said = (
            f"{', '.join(bare)}: a page is public and shows no addresses; give names for these with --names"
        )
        raise typer.BadParameter(said, param_hint="--page")
    names = (Path(each.folder).name for each in found.finishes)
    there = {name: f"{sites}/{name}/index.html" for name in names if sites}
    links = {name: path for name, path in there.items() if (page.parent / path).is_file()}
    replace_own(page, league_page(found, title, links, language), *BEGINS)


def _lines(found: League) -> Iterator[str]:
    if not found.rows:
        yield "No match counts yet."
        return
    width = max(6, *(len(row.person) for row in found.rows))
    yield f"place  {'player':<{width}}  {'rating':>10}  matches  won"
    for row in found.rows:
        yield f"{row.place:5}  {row.person:<{width}}  {row.rating!s:>10}  {row.matches:7}  {round(row.won, 2):g}"
    matches = counted(len(found.finishes), "finished match", "finished matches")
    yield f"{counted(len(found.rows), 'player')}, {matches}."


def _plain(found: League) -> dict[str, Any]:
    return {
        "players": [
            {
                "place": row.place,
                "player": row.person,
                **_rating(row),
                "matches": row.matches,
                "won": round(row.won, 2),
            }
            for row in found.rows
        ],
        "matches": [
            {
                "folder": each.folder,
                "match": each.match,
                "game": each.game,
                **({"ended": f"{each.ended:%Y-%m-%dT%H:%M:%SZ}"} if each.ended else {}),
                "finish": [list(place) for place in each.places],
                "seats": {one: part.seat for one, part in each.parts.items()},
                "points": {one: part.points for one, part in each.parts.items()},
            }
            for each in found.finishes
        ],
        "games": {
            game: [{"place": row.place, "player": row.person, **_rating(row)} for row in rows]
            for game, rows in found.games.items()
        },
        "seats": {
            game: [
                {"seat": row.person, **_rating(row), "matches": row.matches, "won": round(row.won, 2)}
                for row in rows
            ]
            for game, rows in found.seats.items()
        },
        "left-out": [{"folder": each.folder, "why": each.why} for each in found.left_out],
    }


def _rating(row: Row) -> dict[str, float]:
    return {"rating": round(row.rating.rating, 1), "give": round(row.rating.give, 1)}
