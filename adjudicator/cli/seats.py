"""Who can play each game, for the end of `new --help`."""

from __future__ import annotations

from collections.abc import Iterator


def seats_in_all() -> Iterator[tuple[str, str]]:
    """Each game that can be played, and a line for each number of players."""
    from adjudicator.engine.library.registry import NoSuchGame, all_rulebooks, seats

    for game, found in all_rulebooks().items():
        if not isinstance(found, NoSuchGame):
            for line, (number, named) in enumerate(seats(found)):
                yield "" if line else game, f"{number}: {named}"
