"""Players whom the mail of the open phase didn't reach: it was refused or came back, and no newer mail was sent."""

from __future__ import annotations

from collections.abc import Iterator

from adjudicator.engine.folder.entries import Bounced, Sent, of_kind
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import ledger_of
from adjudicator.engine.folder.names import MAIL


def undelivered(match: Folder) -> Iterator[tuple[str, str]]:
    """Each player to whom a report didn't get through, with the server's words. Raises Faulty.

    A new token or another player of the seat makes another mail; once that is begun, the player is left out here.
    """
    entries = ledger_of(match)
    why = {one.of: one.because for one in of_kind(entries, Bounced) if one.of}
    last = {
        one.to: one.message
        for one in of_kind(entries, Sent)
        if one.phase == match.phases[-1]
        and one.stage == "begun"
        and not any(name.startswith(f"{MAIL}/") for name in one.files)
    }
    for player in match.card.players:
        if (message := last.get(player)) in why:
            yield player, why[message]
