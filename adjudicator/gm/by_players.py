"""What players do to a match themselves, in whatever way they ask for it: they vote for an end, change their
addresses, and say what mails they get.

Each works on a locked match. `referee.yaml` is written at once, what stands in it for the same request is the same
again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Literal

from msgspec.structs import replace

from adjudicator.engine.folder.entries import Agreed
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import hold_in_force, ledger_of
from adjudicator.engine.folder.papers import Secrets, text_for_referee
from adjudicator.engine.report.template import clock_text
from adjudicator.gm.bots import REGENT
from adjudicator.gm.missed import has_left
from adjudicator.gm.playing import schedule_in_force
from adjudicator.gm.schedule import ALL

NO = "no"
ENDS: tuple[Literal["end", "draw"], ...] = ("end", "draw")


def vote(match: Folder, player: str, choice: str, now: datetime) -> list[Agreed]:
    """Enters a player's vote, `end`, `draw` or `no`, in place of an earlier one. Returns the entry that all votes lead
    to: none, or the agreement. Raises Faulty.

    The votes stay in `referee.yaml` until the match is resumed: a command that dies before the agreement is in the
    ledger finds them again.
    """
    secrets = _secrets(match)
    votes = {**secrets.votes, player: choice}
    _write(match, replace(secrets, votes={name: each for name, each in votes.items() if each != NO}))
    return agreement(match, now)


def agreement(match: Folder, now: datetime) -> list[Agreed]:
    """The entry of an end for which all who count have voted; none if there is none, or the match is on hold for it.
    Raises Faulty.
    """
    votes = _secrets(match).votes
    agreed = next((each for each in ENDS if _is_agreed(match, votes, each)), None)
    if agreed is None or is_agreed_upon(match):
        return []
    why = clock_text(match.rulebook_for(None), "agreed", agreed)
    return [Agreed(at=now, on=agreed, why=why)]


def voters(match: Folder) -> Iterator[str]:
    """The players whose votes count: not bots, nor who has given up the seat, nor who is out of the game. Who is silent
    is against an end, even if the seat is open or a regent's: else the last one who writes would agree alone.
    Raises Faulty.
    """
    entries, secrets = ledger_of(match), _secrets(match)
    bots = {player for player, bot in secrets.bots.items() if bot != REGENT}
    gone = {*bots, *match.rulebook.out(match.state(match.last))}
    return (
        player
        for player in match.card.players
        if player not in gone and not has_left(entries, player, REGENT)
    )


def is_agreed_upon(match: Folder) -> bool:
    """Have the players agreed on an end, and did the GM not let the match go on since? Raises Faulty."""
    return isinstance(hold_in_force(ledger_of(match)), Agreed)


LIGHT, FULL, WAITING, DIGEST, NO_DIGEST = "light", "full", "waiting", "digest", "no-digest"
"""Settings: mails with text, form and link alone, or with all files; a mail also of phases in which nothing is asked of
the player; one mail a day about all matches of the player's address.
"""
WITHOUT = {LIGHT: FULL, FULL: LIGHT, "no-waiting": WAITING, NO_DIGEST: DIGEST, DIGEST: NO_DIGEST}
"""Settings that take another one away."""
LASTING = (LIGHT, FULL, WAITING, DIGEST, NO_DIGEST)
"""Settings that are kept; the other only takes one away."""
FULL_UNASKED = ("0.1.", "0.2.")
"""Versions whose matches keep full mails until a player says otherwise."""


def settings_of(match: Folder, player: str) -> tuple[str, ...]:
    """What a player has said of the mails that they get. Raises Faulty."""
    secrets = match.secrets()
    return secrets.settings.get(player, ()) if secrets is not None else ()


def is_light(settings: Sequence[str], *, usual: bool) -> bool:
    """Are mails light by a player's settings? Without a word of the player's they are as is `usual`."""
    return LIGHT in settings or (usual and FULL not in settings)


def light_is_usual(match: Folder, page: str) -> bool:
    """Are the mails of a match that bring a link light, as long as a player says nothing else? `page` is the address of
    the page of links; empty: there is none.
    """
    return bool(page and match.card.version) and not match.card.version.startswith(FULL_UNASKED)


def change_settings(match: Folder, player: str, given: Sequence[str]) -> tuple[str, ...]:
    """Writes what a player says of mails, one setting after the other; returns those in force. Raises Faulty."""
    secrets = _secrets(match)
    found = {*secrets.settings.get(player, ())}
    for each in given:
        found = (found - {WITHOUT.get(each, "")}) | ({each} & {*LASTING})
    settings = {**secrets.settings, player: tuple(sorted(found))}
    _write(match, replace(secrets, settings={name: each for name, each in settings.items() if each}))
    return tuple(sorted(found))


def change_address(match: Folder, player: str, address: str) -> None:
    """Writes a player's new address, and makes the token anew, so that the open phase is mailed there.
    Raises Faulty.
    """
    secrets = _secrets(match)
    tokens = {**secrets.tokens, player: secrets.tokens.get(player, 0) + 1}
    _write(match, replace(secrets, addresses={**secrets.addresses, player: address}, tokens=tokens))


def _secrets(match: Folder) -> Secrets:
    secrets = match.secrets()
    assert secrets is not None, "a match whose players are known by tokens has a seed"
    return secrets


def _write(match: Folder, secrets: Secrets) -> None:
    match.put_referee(text_for_referee(secrets))


def _is_agreed(match: Folder, votes: Mapping[str, str], choice: str) -> bool:
    every = [*voters(match)]
    schedule = schedule_in_force(match)
    yes = sum(votes.get(player) == choice for player in every)
    of_all = schedule is None or schedule.vote == ALL
    return bool(every) and (yes == len(every) if of_all else 2 * yes > len(every))
