"""What the clock of a match by mail waits for: mail that lies unread, and mail that wasn't handed over; and who has
missed sheets in a row.

A sheet that lies in a mailbox unread isn't late, and nobody misses a sheet that nobody was asked for.

What a GM may have mistyped in `referee.yaml`: addresses, players, zones, languages; each with its line.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct

from adjudicator.engine.folder.entries import (
    Bounced,
    Closed,
    Entry,
    Extended,
    Fetched,
    Reminded,
    Replaced,
    Resigned,
    Sent,
    of_kind,
    standing,
)
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import DeadlineInForce, announced_in, ledger_of, written_schedule
from adjudicator.engine.folder.names import ACCOUNT, MAIL, REFEREE
from adjudicator.engine.folder.papers import Secrets, read_paper
from adjudicator.engine.folder.post import SHEETS
from adjudicator.engine.library.languages import known_languages
from adjudicator.engine.table.event import Player
from adjudicator.engine.text.problem import Problem, Severity, in_order
from adjudicator.engine.text.source import Path, Source, read
from adjudicator.gm.schedule import Missed, Schedule, no_such, schedule_of, zone_named

_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ADDRESS = re.compile(rf"[A-Za-z0-9.!#$%&'*/=?^_`{{|}}~+-]{{1,64}}@(?=.{{1,253}}\Z){_LABEL}(?:\.{_LABEL})*")
_PERSON = re.compile(r'(?:"(?P<quoted>[^"<>]*)"|(?P<name>[^"<>]*))\s*<(?P<address>[^<>]*)>')
LONGEST_NAME = 80
BY_PLAYER = ("addresses", "names", "zones", "languages", "tokens")
"""The keys of the file that hold values by player."""


def is_address(text: str) -> bool:
    """Can a mail be sent to this address?"""
    return _ADDRESS.fullmatch(text) is not None


class Person(Struct, frozen=True):
    """Who plays: a name and a mail address, each empty if it isn't known."""

    name: str = ""
    address: str = ""


def person_in(text: str) -> Person:
    """The person that a text names: `one@example.org`, `Anna <one@example.org>`, or `Anna` alone, who gets no mail.

    Raises ValueError with the message for anything else.
    """
    found = _PERSON.fullmatch(text.strip())
    name = " ".join((found["quoted"] or found["name"] or "").split()) if found else ""
    address = found["address"].strip() if found else text.strip()
    if found is None and "@" not in text and not {*"<>"} & {*text}:
        name, address = " ".join(text.split()), ""
    if (address or found) and not is_address(address):
        raise ValueError(f"{text!a} isn't a mail address; write one@example.org or 'Anna <one@example.org>'")
    if not name.isprintable() or len(name) > LONGEST_NAME:
        raise ValueError(f"a name has one line of at most {LONGEST_NAME} visible characters: {name!a}")
    return Person(name, address)


def person_of(text: str) -> Person:
    """The person that a text names; nobody, if it names none rightly."""
    try:
        return person_in(text)
    except ValueError:
        return Person()


def problems_of_addresses(match: Folder) -> list[Problem]:
    """All that seems wrong in the match's `referee.yaml`, in order; empty if it has none. Raises Faulty.

    A `warning` may be intended: a name in place of an address, for somebody who gets no mail, or one address for two
    seats.
    """
    if not match.has(REFEREE):
        return []
    name, text = str(match.path / REFEREE), match.read(REFEREE)
    found = read_paper(text, name, Secrets)
    source = read(text, name, most=None)
    if not isinstance(source, Source):
        raise Faulty([source])
    wrong = (*_addresses(found, source), *_zones(found, source), *_languages(match, found, source))
    return in_order([*_players(match, source), *wrong])


def _problem(
    source: Source, path: Path, said: str, severity: Severity = "error", *, key: bool = False
) -> Problem:
    mark = source.mark(path, key=key)
    return Problem(source.name, mark.line, mark.column, "MATCH", said, severity)


def _players(match: Folder, source: Source) -> Iterator[Problem]:
    """Names that no player of the match has: their values are for nobody."""
    known, plain = match.card.players, source.plain
    for part in BY_PLAYER:
        by_player: Any = plain.get(part) if isinstance(plain, dict) else None
        for name in by_player if isinstance(by_player, dict) else ():
            if name not in known:
                said = no_such("player", name or repr(name), known)
                yield _problem(source, (part, name), said, key=True)


def _addresses(found: Secrets, source: Source) -> Iterator[Problem]:
    """Addresses to which no mail can go, and addresses that two seats share."""
    if found.gm and not is_address(found.gm):
        yield _problem(source, ("gm",), f"{found.gm!a} isn't a mail address; write one as gm@example.org")
    seats: dict[str, list[str]] = {}
    for player, address in found.addresses.items():
        where: Path = ("addresses", player)
        if is_address(address):
            seats.setdefault(address.lower(), []).append(player)
        elif address:
            said = (
                f"{address!a} isn't a mail address, and {player} gets no mail; one is as {player}@example.org"
            )
            yield _problem(source, where, said, "error" if "@" in address else "warning")
    for players in seats.values():
        if len(players) > 1:
            whom = f"{', '.join(players[:-1])} and {players[-1]}"
            said = (
                f"{whom} have one address: a mail from it without a token may be for any of them, and is held"
            )
            yield _problem(source, ("addresses", players[-1]), said, "warning")


def _zones(found: Secrets, source: Source) -> Iterator[Problem]:
    for player, zone in found.zones.items():
        try:
            zone_named(zone)
        except ValueError as error:
            yield _problem(source, ("zones", player), str(error))


def _languages(match: Folder, found: Secrets, source: Source) -> Iterator[Problem]:
    """Languages without texts."""
    for path, language in (
        (("language",), found.language),
        *((("languages", player), language) for player, language in found.languages.items()),
    ):
        if language and (said := no_such_language(match.rulebook.key, language)):
            yield _problem(source, path, said)


def no_such_language(game: str, language: str) -> str:
    """Why nobody can read a game in that language; empty if somebody can."""
    known = known_languages(game)
    return "" if language in known else no_such("language", language, known)


NOTICE = "-notice.eml"
"""The ending of the name of a kept mail that gives a new deadline; other kept mails don't."""
CONFIRM = "-confirm.eml"
"""The ending of the name of a kept mail to an address that isn't a player's yet."""
INVITATION = "-invitation.eml"
"""The ending of the name of a kept mail to somebody who waits for a seat."""
SOON = "-soon.eml"
"""The ending of the name of a kept mail that reminds of a deadline that is still to come."""
LAST_CALL = "-last-call.eml"
"""The ending of the name of a kept mail that warns of an early close."""
PRESS = "-press.eml"
"""The ending of the name of a kept mail with another player's message."""


class MissedInARow(Struct, frozen=True):
    """A player's missed sheets in a row, and whether by the schedule this is told (`warned`), the others don't wait any
    more (`go_on`), or the seat is `open`; it also is if its player has `resigned`.
    """

    player: str
    missed: int
    warned: bool
    open: bool
    go_on: bool = False
    resigned: bool = False


def entries_since_replaced(entries: Sequence[Entry], player: str) -> Sequence[Entry]:
    """The entries since a seat last changed hands; all entries if it never did."""
    at = [
        index for index, entry in enumerate(entries) if isinstance(entry, Replaced) and entry.player == player
    ]
    return entries[at[-1] + 1 :] if at else entries


def has_resigned(entries: Sequence[Entry], player: str) -> bool:
    """Has the player given up the seat, and did nobody take it since?"""
    return any(each.player == player for each in of_kind(entries_since_replaced(entries, player), Resigned))


def missed_in_a_row(match: Folder, entries: Sequence[Entry], schedule: Schedule | None) -> list[MissedInARow]:
    """Each player who has missed sheets in a row, up to the last closed phase, and how many; and each who
    has resigned.
    """
    found = []
    for player in match.card.players:
        mine = [
            each for each in standing(entries_since_replaced(entries, player)) if isinstance(each, Closed)
        ]
        missed = 0
        for each in mine:
            if player in each.missing:
                missed += 1
            elif has_sent(match, each.phase, player):
                missed = 0
        resigned = has_resigned(entries, player)
        if missed or resigned:
            limits = schedule.missed if schedule is not None else Missed()
            warned, go_on, gone = (0 < each <= missed for each in (limits.warn, limits.go_on, limits.replace))
            seat = MissedInARow(player, missed, warned, gone or resigned, go_on or resigned, resigned)
            found.append(seat)
    return found


def has_sent(match: Folder, phase: str, player: str) -> bool:
    """Did a player send a sheet for a closed phase?"""
    return phase in match.phases and match.has(f"{phase}/{SHEETS}/{player}.yaml")


def newly_missed(match: Folder) -> list[MissedInARow]:
    """The players whose sheet was missing when the last run closed a phase, if the schedule says to tell.

    A run may play more phases, which wait for nobody; all that it closes has its instant. Raises Faulty.
    """
    entries = ledger_of(match)
    closed = [each for each in standing(entries) if isinstance(each, Closed)]
    gone = {player for each in closed if each.at == closed[-1].at for player in each.missing}
    found = missed_in_a_row(match, entries, schedule_of(written_schedule(match))) if gone else []
    return [seat for seat in found if seat.player in gone and seat.missed and (seat.warned or seat.open)]


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
