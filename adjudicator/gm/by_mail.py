"""What the clock of a match by mail waits for: mail that lies unread, and mail that wasn't handed over.

A sheet that lies in a mailbox unread isn't late, and nobody misses a sheet that nobody was asked for.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from datetime import datetime

from adjudicator.engine.folder.entries import Bounced, Entry, Extended, Fetched, Reminded, Sent, of_kind
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import DeadlineInForce, announced_in, ledger_of
from adjudicator.engine.folder.names import ACCOUNT, MAIL
from adjudicator.engine.table.event import Player
from adjudicator.gm.missed import entries_since_replaced
from adjudicator.gm.people import is_address

NOTICE = "-notice.eml"
"""The ending of the name of a kept mail that gives a new deadline; other kept mails don't."""
CONFIRM = "-confirm.eml"
"""The ending of the name of a kept mail to an address that isn't a player's yet."""
INVITATION = "-invitation.eml"
"""The ending of the name of a kept mail to somebody who waits for a seat."""
PRESS = "-press.eml"
"""The ending of the name of a kept mail with another player's message."""
MAY_BE_OTHERS = (
    "address-alone",
    "address-of-several",
    "reference-alone",
    "expired",
    "anothers-token",
    "several-players",
)
"""Reasons to hold a mail that its player may have written, and others too."""


def by_mail(match: Folder) -> bool:
    """Is a match played by mail: has it an account, and at least one address?"""
    folder = match.path.absolute()
    if not any(os.path.lexists(each / ACCOUNT) for each in (folder, folder.parent)):
        return False
    secrets = match.secrets()
    return secrets is not None and any(is_address(address) for address in secrets.addresses.values())


def was_read(match: Folder, entries: Iterable[Entry], moment: datetime) -> bool:
    """Was the mailbox read past an instant, for the open phase? True also for a match without a mailbox."""
    read = (entry.until for entry in of_kind(entries, Fetched, match.phases[-1]))
    return any(until >= moment for until in read) or not by_mail(match)


def not_told(
    match: Folder, entries: Sequence[Entry], known: DeadlineInForce, players: Iterable[Player]
) -> tuple[Player, ...]:
    """Those of these players who get mail, and to whom none was handed over since the deadline of the open phase was
    last announced: neither the phase's own mail nor a notice. Without a grace it must go before the deadline.

    Handed over is what our server took. What comes back later, the GM is told.
    """
    phase = match.phases[-1]
    since = entries[announced_in(entries, phase) :]
    return tuple(
        player
        for player in players
        if is_mailed(match, player)
        and not any(
            one.to == player and _gives_deadline(one) and went(one) and (known.grace or one.at < known.due)
            for one in of_kind(entries_since_replaced(since, player), Sent, phase)
        )
    )


def not_mailed_yet(match: Folder) -> tuple[Player, ...]:
    """The due players who get mail, and to whom none of the open phase was handed over. Raises Faulty."""
    entries, due = ledger_of(match), match.state(match.last).phase.due
    sent = of_kind(entries, Sent, match.phases[-1])
    return tuple(
        player
        for player in due
        if is_mailed(match, player) and not any(one.to == player and went(one) for one in sent)
    )


def is_mailed(match: Folder, player: Player) -> bool:
    """Does a player get the mails of a match?"""
    secrets = match.secrets()
    return by_mail(match) and secrets is not None and is_address(secrets.addresses.get(player, ""))


def is_refused(entries: Sequence[Entry], phase: str, player: Player) -> bool:
    """Did the server refuse the last mail of a phase to a player for good?"""
    return next((not isinstance(one, Sent) for one in reversed(_handovers(entries, phase, player))), False)


def is_given_up(entries: Sequence[Entry], phase: str, player: Player) -> bool:
    """Has the GM put the deadline off since mail to a player was refused? Then the phase closes without that player."""
    found = _handovers(entries, phase, player)
    refused = next((one for one in found if isinstance(one, Bounced)), None)
    after = entries[entries.index(refused) :] if refused is not None else ()
    return is_refused(entries, phase, player) and bool(of_kind(after, Extended, phase))


def _handovers(entries: Sequence[Entry], phase: str, player: Player) -> list[Sent | Bounced]:
    """What became of the mails of a phase to a player's address: handed over, or refused for good at once."""
    mine = entries_since_replaced(entries, player)
    mails = {
        one.message
        for one in of_kind(mine, Sent, phase)
        if one.to == player and not any(name.endswith((CONFIRM, PRESS, INVITATION)) for name in one.files)
    }
    return [
        one
        for one in mine
        if (isinstance(one, Sent) and one.message in mails and went(one))
        or (isinstance(one, Bounced) and one.of in mails and one.message == one.of)
    ]


def was_reminded(entries: Sequence[Entry], phase: str, player: Player, since: datetime) -> bool:
    """Was the current player of a seat reminded since an instant?"""
    sent = of_kind(entries_since_replaced(entries, player), Reminded, phase)
    return any(each.player == player and each.at >= since for each in sent)


def _gives_deadline(entry: Sent) -> bool:
    """Is it the mail of a phase, or a notice, and no answer or reminder?"""
    return all(not name.startswith(f"{MAIL}/") or name.endswith(NOTICE) for name in entry.files)


def went(entry: Sent) -> bool:
    """Was a mail handed over? One that a newer mail replaced says why it wasn't."""
    return entry.stage == "done" and not entry.why
