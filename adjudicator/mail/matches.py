"""The matches that mail comes for: their seats, with the tokens that count now."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from adjudicator.engine.folder.adjudication import seed_of
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.folder import Folder, open_match
from adjudicator.engine.folder.ledger import Replaced, ledger_of, of_kind
from adjudicator.engine.folder.names import REFEREE
from adjudicator.mail.account import is_address
from adjudicator.mail.sender import Seated
from adjudicator.mail.tokens import Seat


def seats_of(match: Folder) -> tuple[Seated, ...]:
    """The seats of a match. Raises Faulty where the seed isn't there.

    A token is another one each time that `mail token --new` made it so, or that somebody else took the seat.
    """
    secrets, seed = match.secrets(), seed_of(match)
    if secrets is None or seed is None:
        raise Faulty(
            [problem(match.path / REFEREE, "without the seed there are no tokens, and mail can't be known")]
        )
    replaced = [entry.player for entry in of_kind(ledger_of(match), Replaced)]
    found = []
    for player in match.card.players:
        number = secrets.tokens.get(player, 0) + replaced.count(player)
        address = secrets.addresses.get(player, "")
        seat = Seat(match.card.match, player, number, str(match.path))
        found.append(Seated(seat, seed, address if is_address(address) else ""))
    return tuple(found)


def all_seats(paths: Iterable[Path]) -> tuple[Seated, ...]:
    """The seats of several matches. Raises Faulty."""
    return tuple(seated for path in paths for seated in seats_of(open_match(path)))
