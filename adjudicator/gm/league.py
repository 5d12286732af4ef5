"""A league: how matches ended for the persons who played them, and tables of these persons and of seats (`ratings.py`).

A league as a page: one file that needs no network and no script.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.folder.entries import Agreed, Closed, of_kind, standing
from adjudicator.engine.folder.errors import Faulty, fault_in_words
from adjudicator.engine.folder.folder import Folder, open_match
from adjudicator.engine.folder.ledger import hold_in_force, ledger_of
from adjudicator.engine.folder.papers import yaml_in
from adjudicator.engine.library.languages import ENGLISH, known_languages
from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.report.template import names, shared
from adjudicator.engine.table.points import total
from adjudicator.engine.text.problem import Problem, as_text
from adjudicator.engine.text.source import MOST_BYTES
from adjudicator.gm.ratings import (
    BEGIN,
    SPREAD,
    SUREST,
    UNSURE,
    Places,
    Rating,
    ratings,
    ratings_after_matches,
)

FEWEST = 2
MARK = "adjudicator league"
BEGINS = tuple(
    f'<!doctype html>\n<html lang="{each}">\n<head>\n<meta charset="utf-8">\n<meta name="generator" content="{MARK}">'
    for each in known_languages()
)
"""The beginnings of these pages, by language. A file that begins so is ours and may be replaced."""


class Part(Struct, frozen=True):
    """A person's part in a match: the seat in reading form, and its points at the end."""

    seat: str
    points: int


class Finish(Struct, frozen=True):
    """How a match ended. `ended`: the time of its end by the ledger; None if the ledger has none. Copies of a match
    have the same `key`.

    `places` and `parts` are by person, `names` are persons' names by their address.
    """

    folder: str
    match: str
    game: str
    places: Places
    ended: datetime | None = None
    key: tuple[str, ...] = ()
    parts: Mapping[str, Part] = {}
    names: Mapping[str, str] = {}


class LeftOut(Struct, frozen=True):
    """A match that doesn't count, and why; `faulty`: something is wrong with it."""

    folder: str
    why: str
    faulty: bool = False


class Row(Struct, frozen=True):
    """A person in the table, or a seat. `won` counts matches won; a victory shared by two counts one half."""

    place: int
    person: str
    rating: Rating
    matches: int
    won: float


class RatingSince(Struct, frozen=True):
    """A person after a match: the place in it, among how many, and the rating since."""

    match: str
    game: str
    place: int
    among: int
    rating: Rating


class League(Struct, frozen=True):
    """The table, the matches that it counts, in their order, and those left out.

    `games`: a table for each game, if several games have been played. `seats`: for each game, how its seats fared,
    whoever played them. `history`: what each person played.
    """

    rows: tuple[Row, ...]
    finishes: tuple[Finish, ...]
    left_out: tuple[LeftOut, ...]
    games: Mapping[str, tuple[Row, ...]] = {}
    seats: Mapping[str, tuple[Row, ...]] = {}
    history: Mapping[str, tuple[RatingSince, ...]] = {}


def league(paths: Iterable[Path], known_as: Mapping[str, str] | None = None) -> League:
    """The league of the matches in these folders. `known_as` are persons' names, by their address in small letters.

    A match that can't be read, or can't count, is left out and stops no other.
    """
    finishes: list[Finish] = []
    left_out: list[LeftOut] = []
    for path in paths:
        found = _finish_or_reason(path)
        if isinstance(found, LeftOut):
            left_out.append(found)
        elif same := [each.folder for each in finishes if each.key == found.key]:
            left_out.append(LeftOut(found.folder, f"the same match as {same[0]}"))
        else:
            finishes.append(found)
    finishes.sort(key=lambda each: (each.ended is None, each.ended, each.match, each.folder))
    persons = {one for each in finishes for place in each.places for one in place}
    known = names_shown(persons, {**names_in_matches(finishes), **(known_as or {})})
    named: list[Finish] = []
    for each in finishes:
        places = tuple(tuple(sorted(known[one] for one in place)) for place in each.places)
        everybody = [one for place in places for one in place]
        if twice := sorted({one for one in everybody if everybody.count(one) > 1}):
            left_out.append(LeftOut(each.folder, f"{', '.join(twice)} played more than one seat"))
        else:
            parts = {known[one]: part for one, part in each.parts.items()}
            named.append(replace(each, places=places, parts=parts))
    games = {game: tuple(table([each for each in named if each.game == game])) for game in games_of(named)}
    return League(
        tuple(table(named)), tuple(named), tuple(left_out), games, seats_by_game(named), history(named)
    )


def seats_by_game(finishes: Sequence[Finish]) -> dict[str, tuple[Row, ...]]:
    """For each game a table of its seats, rated as if each were somebody who plays no other game."""
    return {
        game: tuple(table([by_seats(each) for each in finishes if each.game == game]))
        for game in sorted({each.game for each in finishes})
    }


def by_seats(finish: Finish) -> Finish:
    """How a match ended for its seats instead of the persons in them."""
    seats = {one: part.seat for one, part in finish.parts.items()}
    return replace(
        finish, places=tuple(tuple(seats.get(one, one) for one in place) for place in finish.places)
    )


def names_in_matches(finishes: Iterable[Finish]) -> dict[str, str]:
    """Persons' names by address, as their last match has them; none that several addresses have, since these may be
    several persons.
    """
    last = {address: name for each in finishes for address, name in each.names.items()}
    held = [*last.values()]
    return {address: name for address, name in last.items() if held.count(name) == 1}


def games_of(finishes: Sequence[Finish]) -> list[str]:
    """The games played, if there is more than one: each then has a table of its own."""
    games = sorted({each.game for each in finishes})
    return games if len(games) > 1 else []


def history(finishes: Sequence[Finish]) -> dict[str, tuple[RatingSince, ...]]:
    """What each person played, match by match, and the ratings since."""
    found: dict[str, list[RatingSince]] = {}
    for each, now in zip(finishes, ratings_after_matches(each.places for each in finishes), strict=True):
        place = 1
        for persons in each.places:
            for one in persons:
                since = RatingSince(each.match, each.game, place, len(now), now[one])
                found.setdefault(one, []).append(since)
            place += len(persons)
    return {one: tuple(played) for one, played in sorted(found.items())}


def _finish_or_reason(path: Path) -> Finish | LeftOut:
    try:
        return finish_of(open_match(path))
    except Faulty as faulty:
        return LeftOut(str(path), as_text(faulty.problems[:1]), faulty=True)
    except OSError as error:
        return LeftOut(str(path), str(error.strerror or error), faulty=True)
    except (
        BaseException
    ) as error:  # a position that a rulebook can't score: the other matches count all the same
        return LeftOut(str(path), fault_in_words(error), faulty=True)


def finish_of(match: Folder) -> Finish | LeftOut:
    """How a match ended for the persons who played it last. Raises Faulty."""
    folder = str(match.path)
    entries, over = ledger_of(match), match.head(match.last).over
    agreed = None if over else hold_in_force(entries)
    if not over and not isinstance(agreed, Agreed):
        return LeftOut(folder, "it isn't over")
    secrets = match.secrets()
    known = {} if secrets is None else {**secrets.names, **secrets.addresses}
    bots = {} if secrets is None else secrets.bots
    seats = {
        player: _person(known[player])
        for player in match.card.players
        if player in known and player not in bots
    }
    unnamed = [player for player in match.card.players if not seats.get(player) and player not in bots]
    if unnamed:
        return LeftOut(folder, f"there is no address for {', '.join(unnamed)} (addresses in referee.yaml)")
    if len(seats) < FEWEST:
        return LeftOut(folder, "it was played alone")
    places = agreed_places(match, agreed) if isinstance(agreed, Agreed) else places_at_end(match)
    order = [[player for player in place if player in seats] for place in places]
    points, called = match.rulebook.points(match.state(match.last)), names(texts_of(match.rulebook))
    last = [agreed] if agreed is not None else of_kind(standing(entries), Closed)
    return Finish(
        folder,
        match.card.match,
        match.rulebook.title,
        tuple(tuple(seats[player] for player in place) for place in order if place),
        last[-1].at if last else None,
        (match.card.match, match.card.rulebook, match.card.seed),
        {
            seats[player]: Part(called.get(player, player), total(points.get(player, ())).points)
            for player in seats
        },
        {}
        if secrets is None
        else {
            who: secrets.names[player]
            for player, who in seats.items()
            if "@" in who and player in secrets.names
        },
    )


def _person(address: str) -> str:
    """A person's key: the same however the address is written."""
    return " ".join(address.split()).lower() if "@" in address else " ".join(address.split())


def places_at_end(match: Folder) -> Places:
    """The players by place: first all winners, then the others by points. If nobody has won, all share one place."""
    state = match.state(match.last)
    won = tuple(match.rulebook.won(state))
    if not won:
        return (tuple(match.card.players),)
    return (won, *_by_points(match, [player for player in match.card.players if player not in won]))


def agreed_places(match: Folder, agreed: Agreed) -> Places:
    """The players by place in a match that they have voted to end: all share it for a draw, else points tell."""
    players = match.card.players
    return (tuple(players),) if agreed.on == "draw" else _by_points(match, players)


def _by_points(match: Folder, players: Iterable[str]) -> Places:
    points, found = match.rulebook.points(match.state(match.last)), dict[int, list[str]]()
    for player in players:
        found.setdefault(total(points.get(player, ())).points, []).append(player)
    return tuple(tuple(found[sum_]) for sum_ in sorted(found, reverse=True))


def names_shown(persons: Iterable[str], names: Mapping[str, str]) -> dict[str, str]:
    """Persons as they are shown: by name, else by the part before the @, else, if two share that, by the address."""
    everybody = sorted(persons)
    short = {one: names.get(one.lower()) or one.partition("@")[0] for one in everybody}
    unnamed = [one for one in everybody if one.lower() not in names]
    return {
        one: one
        if one in unnamed and any(short[each] == short[one] for each in everybody if each != one)
        else short[one]
        for one in everybody
    }


def table(finishes: Sequence[Finish]) -> list[Row]:
    """The table, best first. Persons whose rounded ratings are the same share a place."""
    now = ratings(each.places for each in finishes)
    order = sorted(now, key=lambda one: (-round(now[one].rating), one))
    rows: list[Row] = []
    for number, one in enumerate(order, start=1):
        rating = now[one]
        same = rows and round(rows[-1].rating.rating) == round(rating.rating)
        played = [each.places for each in finishes if any(one in place for place in each.places)]
        won = sum(1 / len(places[0]) for places in played if one in places[0])
        rows.append(Row(rows[-1].place if same else number, one, rating, len(played), won))
    return rows


def read_names(text: bytes, name: str) -> dict[str, str]:
    """A file of persons' names, `one@example.org: Anna`; two addresses may have one name. Raises Faulty."""
    source = yaml_in(text, name, MOST_BYTES)
    plain: Any = source.plain
    if not isinstance(plain, dict):
        raise Faulty(
            [Problem(name, 1, 1, "LEAGUE", "this is a list of addresses and names: one@example.org: Anna")]
        )
    wrong = []
    for address, shown_as in plain.items():
        if not isinstance(shown_as, str) or not shown_as.strip() or not shown_as.isprintable():
            mark = source.mark((address,))
            wrong.append(Problem(name, mark.line, mark.column, "LEAGUE", f"{address}: a name has one line"))
    if wrong:
        raise Faulty(wrong)
    return {_person(str(address)).lower(): " ".join(shown_as.split()) for address, shown_as in plain.items()}


def league_page(
    found: League, title: str, sites: Mapping[str, str] | None = None, language: str = ENGLISH
) -> str:
    """The page with the tables, the matches, everybody's history, and how the ratings are worked out, in a language.

    `sites` are addresses of matches' sites, by the name of a match's folder.
    """
    text = (
        shared(language)
        .get_template("league.html.j2")
        .render(
            mark=MARK,
            title=title,
            league=found,
            begin=int(BEGIN),
            spread=int(SPREAD),
            unsure=int(UNSURE),
            surest=int(SUREST),
            numbered=numbered_places,
            sites=sites or {},
            folder_of=lambda each: Path(each.folder).name,
        )
    )
    return str(text).lstrip("\n").rstrip("\n") + "\n"


def numbered_places(places: Places) -> list[tuple[int, tuple[str, ...]]]:
    """Places with their numbers: if two share the first place, the third comes next."""
    found: list[tuple[int, tuple[str, ...]]] = []
    number = 1
    for place in places:
        found.append((number, place))
        number += len(place)
    return found
