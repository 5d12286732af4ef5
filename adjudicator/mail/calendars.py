"""Calendars to subscribe to: a file for each seat, with the deadlines of all matches of its player's address.

A file's name follows from the match's seed, and only the player is told it. So the files may lie on a server that
everybody can reach.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from adjudicator.door.seats import Seated
from adjudicator.engine.folder import disk
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.handout.times import calendar_of
from adjudicator.mail.account import Account
from adjudicator.mail.club import matches_of
from adjudicator.mail.digest import places_by_address


def name_of(seated: Seated) -> str:
    """The name of a seat's calendar; another player of the seat, or another address, has another one."""
    return f"{seated.code('calendar')}.ics"


def link_of(account: Account, seated: Seated) -> str:
    """The address to which a player's calendar can be subscribed; empty if there are no such files."""
    return f"{account.calendars.page}{name_of(seated)}" if account.calendars is not None else ""


def write_calendars(account: Account, paths: Sequence[Path]) -> list[Faulty]:
    """Writes the calendars of all players of an account's matches that aren't as they should be, in a folder that is
    made if there is none; returns what is wrong.
    """
    if account.calendars is None:
        return []
    folder = Path(account.file).parent / Path(account.calendars.folder).expanduser()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for places in places_by_address(matches_of(account, paths)):
            going = [(each.match, each.player) for each in places if not each.seated.over]
            for each in places:
                _write(folder / name_of(each.seated), calendar_of(going, empty=True).encode())
    except OSError as error:
        return [Faulty([problem(account.file, f"calendars: {error}")])]
    return []


def _write(file: Path, data: bytes) -> None:
    if file.is_file() and file.read_bytes() == data:
        return
    fresh = file.with_name(f".{file.name}.tmp")
    fresh.unlink(missing_ok=True)
    disk.write(fresh, data, 0o644)
    fresh.replace(file)
