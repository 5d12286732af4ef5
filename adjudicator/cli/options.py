"""What commands share: their arguments and options, and what is meant by them. The one place where the program
reads a clock.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator.cli.output import echo
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.gate import Gate

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from adjudicator.gm.closing import Dice
    from adjudicator.gm.people import Person
    from adjudicator.mail.account import Account


AHEAD_DAYS = 1
"""Days by which a clock may be behind the last entry of a ledger; one that is further behind can't be right."""

MatchFolder = Annotated[Path, typer.Argument(metavar="FOLDER", help="The match's folder.")]
At = Annotated[
    str,
    typer.Option(
        metavar="TIME",
        help="Do it as if it were this time, such as 2026-11-26T20:00+01:00 (without a zone: the match's, or UTC "
        "for several matches); left out: now.",
    ),
]
Relays = Annotated[
    list[str] | None,
    typer.Option(
        "--relay",
        metavar="URL",
        help="A relay of drand to ask for dice; may be given several times. Left out: three of drand's own.",
    ),
]
Why = Annotated[str, typer.Option(help="Your reason; the next reports tell it to the players.")]


def group(name: str) -> typer.Typer:
    """A command with commands of its own."""
    return typer.Typer(
        name=name,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        no_args_is_help=True,
    )


def time_of(text: str, folder: Path | None = None, option: str = "--at") -> datetime:
    """The time that a command is given, else the clock's, in UTC. Without a zone it is in the match's zone.

    Ends with status 2 for an impossible time, or if the clock is behind the match's ledger.
    """
    if text:
        return _parsed_time(text, folder, option)
    now = datetime.now(UTC)
    last = _last_entry(folder) if folder is not None else None
    if last is not None and now < last - timedelta(days=AHEAD_DAYS):
        written = f"{last:%Y-%m-%d %H:%M} UTC"
        said = f"the last entry of the ledger is of {written}: is the clock right? Or name the time"
        raise typer.BadParameter(said, param_hint=option)
    return now


def time_of_act(text: str, folder: Path) -> datetime:
    """The time of an act that moves deadlines. Once the open phase should have closed, by the clock, it can't be dated
    back to before that: nobody could tell it from one in time, and the GM knows by then whose sheet is missing.
    """
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.engine.folder.ledger import deadline_in_force, ledger_of

    found = time_of(text, folder)
    match = open_match(folder)
    known = deadline_in_force(ledger_of(match), match.phases[-1])
    if text and known is not None and found < known.closes <= by_the_clock():
        closed = f"{match.phases[-1]} was to close on {known.closes:%Y-%m-%d %H:%M} UTC, which is past"
        raise typer.BadParameter(f"{closed}: do it as of now, or of a time since then", param_hint="--at")
    return found


def by_the_clock() -> datetime:
    """What the clock says, whatever time a command is given."""
    return datetime.now(UTC)


def _parsed_time(text: str, folder: Path | None, option: str) -> datetime:
    from adjudicator.engine.folder.entries import FIRST_YEAR, LAST_YEAR

    if _is_day(text):  # the GM hardly means its first minute, least of all for a deadline
        said = f"{text} is a day; write the hour as well, such as {text}T20:00"
        raise typer.BadParameter(said, param_hint=option)
    try:
        found = datetime.fromisoformat(text)
        if not FIRST_YEAR <= found.year <= LAST_YEAR:
            raise ValueError
    except ValueError:
        said = f"{text} isn't a time; write 2026-11-26T20:00, and a zone such as Z or +01:00 if it isn't the match's"
        raise typer.BadParameter(said, param_hint=option) from None
    if found.tzinfo is None:
        from adjudicator.gm.deadlines import SKIPPED, instant_at

        found, odd = instant_at(_clock(folder), found.date(), found.time())
        if odd == SKIPPED:
            said = f"there is no {text} in the match's zone: its clocks go forward and skip that hour"
            raise typer.BadParameter(said, param_hint=option)
    return found.astimezone(UTC)


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _clock(folder: Path | None) -> ZoneInfo:
    from zoneinfo import ZoneInfo

    from adjudicator.engine.folder.folder import open_match
    from adjudicator.engine.folder.ledger import zone_of

    return ZoneInfo("UTC") if folder is None else zone_of(open_match(folder), None)[1]


def _last_entry(folder: Path) -> datetime | None:
    from adjudicator.engine.folder.ledger import entries_in
    from adjudicator.engine.folder.names import LEDGER

    gate = Gate(folder)
    entries = entries_in(gate.read(LEDGER), str(folder / LEDGER)) if gate.has(LEDGER) else ()
    return entries[-1].at if entries else None


def matches_among(folders: list[Path]) -> list[Path]:
    """The folders without those of `*/` that are no matches and never were; a single one is a match, or a fault."""
    from adjudicator.engine.folder.names import CARD, LEDGER, REFEREE

    there = [
        each
        for each in folders
        if not each.is_dir() or any(os.path.lexists(each / name) for name in (CARD, LEDGER, REFEREE))
    ]
    return there if len(folders) > 1 else folders


@contextmanager
def wrong_values_end_with_2(option: str = "") -> Iterator[None]:
    """Lets a command end with status 2 if it got an impossible value; other faults go on, and end it with status 1.

    `option` is the option with that value, if the problem itself doesn't name it.
    """
    try:
        yield
    except Faulty as wrong:
        if not wrong.misused:
            raise
        first = wrong.problems[0]
        raise typer.BadParameter(first.text, param_hint=option or first.file) from None


def person(text: str, option: str) -> Person:
    """Who plays a seat, from `venice=Anna <one@example.org>`. Ends with status 2 for a wrong mail address."""
    from adjudicator.gm.people import person_in

    try:
        return person_in(text.partition("=")[2])
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint=option) from None


def say_due(folder: Path) -> None:
    """Says the deadline of the open phase as it is now, and where the reports with it are."""
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.engine.handout.times import due_text

    match = open_match(folder)
    until = due_text(match, match.last, None)
    echo(f"{match.phases[-1]} is due: {until}" if until else f"{match.phases[-1]} has no deadline.")
    echo(f"The reports in {folder / match.phases[-1] / 'for'} say so.")


def dice_of(relays: Sequence[str] | None, drawn: str = "") -> Dice:
    """How a run gets its dice: from the relays with these addresses, or from the public text that the GM gives."""
    from adjudicator.engine.beacon.relays import drawing
    from adjudicator.gm.closing import Dice

    return Dice(draw=drawing(relays or ()), text=drawn)


def language_of_page(text: str) -> str:
    """A language of pages about many matches, or none. Ends with status 2 for one that there isn't."""
    from adjudicator.engine.library.languages import known_languages

    if text and text not in known_languages():
        raise typer.BadParameter(f"there is no language {text}; there are {', '.join(known_languages())}")
    return text


def account_beside(folder: Path) -> Account | None:
    """The `mail.yaml` beside a match, if there is one. Raises Faulty."""
    from adjudicator.engine.folder.names import ACCOUNT
    from adjudicator.mail.account import account_in

    file = folder.absolute().parent / ACCOUNT
    return account_in(file) if file.exists() else None


def usual_language(folders: Sequence[Path]) -> str:
    """The language of a page about these matches: that of the `mail.yaml` beside the first, if it can be read, else
    English.
    """
    from adjudicator.engine.folder.errors import collecting_faults
    from adjudicator.engine.library.languages import ENGLISH

    found = ENGLISH
    for folder in folders[:1]:
        with collecting_faults(folder, []):
            beside = account_beside(folder)
            found = beside.language if beside is not None and beside.language else found
    return found


LanguageOfPage = Annotated[
    str,
    typer.Option(
        "--language",
        callback=language_of_page,
        help="The language of the page, such as fr; left out: the one in mail.yaml, else English.",
    ),
]
