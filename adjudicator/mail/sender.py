"""Who has sent a mail: a player is known by a token or by the mail that is answered, never by an address alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.door.seats import Seat, Seated, token_of
from adjudicator.engine.folder.names import PUBLIC
from adjudicator.mail.letter import Letter
from adjudicator.mail.tokens import is_to, possible_own_ids, seats_of_tokens, tokens_in

_IDS = re.compile(rb"<[a-z2-7]{16}\.[a-z2-7]{16}@[^<>\s]{1,250}>")


class Sender(Struct, frozen=True):
    """The sender of a letter. `by` is how we know the sender: `address`, `subject` or `reply`.

    Without it `because` is why the letter is held, and `seat` is who may have sent it. `because` is `expired` (a token
    that was replaced), `address-alone`, `reference-alone` (it answers a mail of ours from an address to which that mail
    didn't go), `anothers-token` (a player's token, but the address of `seat`, who is another player), `several-players`
    or `address-of-several` (`seat` is one of several), or `unknown`.
    """

    seat: Seat | None = None
    by: str = ""
    because: str = ""


def sender_of(letter: Letter, seats: Sequence[Seated], player: str = "") -> Sender:
    """Who has sent a mail. `player` is the one whom its sheet names: if the mail points to several, that one counts.

    Every mail of a thread has the Message-ID of our mail. So it counts only for the player to whom that mail went, not
    for others who answer in the thread.
    """
    plus, subject = tokens_in(letter.to, letter.subject)
    tokens = {each.token: each.seat for each in seats}
    referred = _players_answered(letter, seats)
    replied = {each.seat for each in referred if each.address.lower() == letter.sender}
    ways = {
        "address": seats_of_tokens(plus, tokens),
        "subject": seats_of_tokens(subject, tokens),
        "reply": replied,
    }
    every = set[Seat]().union(*ways.values())
    known = {seat for seat in every if seat.player == player} if len(every) > 1 else every
    if len(known) == 1:
        seat = next(iter(known))
        if player != seat.player and (other := _other_player(letter, seat, seats)):
            return Sender(other, because="anothers-token")
        return Sender(seat, next(way for way, found in ways.items() if seat in found))
    if every:
        return Sender(min(every), because="several-players")
    if old := _player_of_old_token(letter, seats, plus | subject):
        return Sender(old, because="expired")
    if referred:
        return Sender(min(each.seat for each in referred), because="reference-alone")
    there = [each for each in seats if each.address and each.address.lower() == letter.sender]
    # Somebody who also played in a match that is over means the one that goes on, unless the mail says otherwise.
    named = [each.seat for each in there if not each.over] or [each.seat for each in there]
    if not named:
        return Sender(because="unknown")
    mine = [seat for seat in named if seat.match.lower() in letter.subject.lower()] or named
    mine = [seat for seat in mine if seat.player == player] or mine
    return Sender(min(mine), because="address-alone" if len(mine) == 1 else "address-of-several")


def _players_answered(letter: Letter, seats: Sequence[Seated]) -> list[Seated]:
    """The players who got the mails of ours that a letter answers."""
    answered = possible_own_ids(letter.answers)
    return [each for each in seats if any(is_to(each.seed, each.seat, one) for one in answered)]


def _other_player(letter: Letter, seat: Seat, seats: Iterable[Seated]) -> Seat | None:
    """Another player of the match whose address on file the letter came from, unless that is also the seat's
    address.
    """
    there = [
        each.seat
        for each in seats
        if each.seat.folder == seat.folder
        and each.seat.match == seat.match
        and each.address
        and each.address.lower() == letter.sender
    ]
    return min(there) if there and seat not in there else None


def _player_of_old_token(letter: Letter, seats: Iterable[Seated], words: set[str]) -> Seat | None:
    answered = possible_own_ids(letter.answers)
    for each in seats:
        for number in range(each.seat.number):
            old = replace(each.seat, number=number)
            if token_of(each.seed, old) in words or any(is_to(each.seed, old, one) for one in answered):
                return each.seat
    return None


def is_ours(each: Seated, message: str) -> bool:
    """Is the Message-ID one of a mail of ours to that player, with the current or an earlier token?"""
    return any(is_to(each.seed, replace(each.seat, number=n), message) for n in range(each.seat.number + 1))


def observer(each: Seated, address: str = "") -> Seated:
    """The seat of the observers of a player's match. Its token never counts."""
    return Seated(Seat(each.seat.match, PUBLIC, 0, each.seat.folder), each.seed, address)


def mail_bounced(data: bytes, seats: Sequence[Seated]) -> tuple[Seat, str] | None:
    """Whose mail came back, and its Message-ID, which may be anywhere in the bounce."""
    for found in possible_own_ids(one.decode() for one in _IDS.findall(data)):
        for each in seats:
            if is_ours(each, found):
                return each.seat, found
    return None
