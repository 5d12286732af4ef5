"""Who has sent a mail: a player is known by a token or by the mail that is answered, never by an address alone.

Tokens stand in the reply address, in the subject and behind the page's mail button. Each of our Message-IDs has a mark
that can only be made with the seed, so an answer to one is known too. A new number changes a seat's token and marks.

Mails that no person wrote are never answered, or two machines would write to each other for ever. RFC 3834 says how to
recognise a machine's mail; bounces follow RFC 3464 or have an empty sender.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.door.seats import LENGTH, Seat, Seated, hmac_of, short_digest, token_of
from adjudicator.engine.folder.names import PUBLIC
from adjudicator.mail.letter import STATUS, Letter
from adjudicator.mail.limits import MOST_IDS

MARK = 16
LONGEST_LOCAL = 64
"""Characters before the @ of an address (RFC 5321)."""
_TOKEN = re.compile(rf"(?<![a-z0-9])[a-z2-7]{{{LENGTH}}}(?![a-z0-9])")
_OURS = re.compile(rf"<([a-z2-7]{{{MARK}}})\.([a-z2-7]{{{MARK}}})@[^<>\s]+>")
_PLAIN = re.compile(r"[^a-z0-9]+")
_IDS = re.compile(rb"<[a-z2-7]{16}\.[a-z2-7]{16}@[^<>\s]{1,250}>")
_WEEK = "week-"
_BULK = frozenset(("bulk", "list", "junk", "auto_reply"))
_DAEMON = re.compile(r"(?:mailer-daemon|mail-daemon|postmaster)@", re.IGNORECASE)
_NO_REPLY = re.compile(r"(?:no-?reply|do-?not-?reply)[^@]*@", re.IGNORECASE)
_REPORT = re.compile(r"report-type\s*=\s*\"?delivery-status", re.IGNORECASE)
_FAILED = re.compile(r"^action:\s*failed", re.IGNORECASE | re.MULTILINE)
_STATUS = re.compile(r"^(?:diagnostic-code|status):[ \t]*(.{1,200})", re.IGNORECASE | re.MULTILINE)


def message_id(seed: bytes, seat: Seat, what: str, host: str) -> str:
    """The Message-ID of a mail to a player: the same for the same mail, and different for every other."""
    own = _own(seed, seat, what)
    return f"<{own}.{_mark(seed, seat, own)}@{host}>"


def stands_for(seed: bytes, seat: Seat, what: str, messages: Iterable[str]) -> bool:
    """Is one of these Message-IDs that of such a mail to a player, whatever the token or the host was then?"""
    return any(one.startswith(f"<{_own(seed, seat, what)}.") for one in messages)


def _own(seed: bytes, seat: Seat, what: str) -> str:
    return short_digest(hmac_of(seed, "mail", seat.match, seat.player, what), MARK)


def is_to(seed: bytes, seat: Seat, message: str) -> bool:
    """Is the Message-ID one of a mail of ours to that player?"""
    found = _OURS.fullmatch(message)
    return found is not None and hmac.compare_digest(found[2], _mark(seed, seat, found[1]))


def _mark(seed: bytes, seat: Seat, own: str) -> str:
    return short_digest(hmac_of(seed, "id", seat.match, seat.player, str(seat.number), own), MARK)


def reply_address(address: str, seat: Seat, token: str) -> str:
    """The address for a player's mails: `gm+lagoon-venice-k7q2m9x4ptzc@example.org`; names that are too long for an
    address are shortened.
    """
    local, _, host = address.rpartition("@")
    room = max(0, LONGEST_LOCAL - len(local) - len(token) - 1)
    names = _PLAIN.sub("-", f"{seat.match}-{seat.player}".lower()).strip("-")
    named = f"{names[: room - 1].strip('-')}-" if room > 1 else ""
    return f"{local}+{named}{token}@{host}"


def tokens_in(to: Iterable[str], subject: str) -> tuple[set[str], set[str]]:
    """Possible tokens: in the parts of addresses after a plus, and in a subject."""
    parts = [address.rpartition("@")[0].partition("+")[2] for address in to]
    return {part[-LENGTH:] for part in parts if part}, set(_TOKEN.findall(subject.lower()))


def seats_of_tokens(found: Iterable[str], tokens: Mapping[str, Seat]) -> set[Seat]:
    """The players whose tokens are among those found. The lookup tells nothing about similar tokens."""
    return {tokens[word] for word in found if word in tokens}


def possible_own_ids(messages: Iterable[str]) -> list[str]:
    """The first Message-IDs that may be ours. Only the first, because each must be tried with every player's key."""
    return [one for one in dict.fromkeys(messages) if _OURS.fullmatch(one)][:MOST_IDS]


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


def id_of_week(at: datetime, host: str) -> str:
    """The Message-ID of the mail by which `mail week` shows the GM all matches."""
    return f"<{_WEEK}{at:%Y%m%dT%H%M%S}@{host}>"


def is_of_week(message: str) -> bool:
    """Is the Message-ID that of such a mail?"""
    return message.startswith(f"<{_WEEK}")


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


def bounce(letter: Letter, *, known: bool = False) -> str:
    """What kind of bounce a mail is. `known`: it is from a player, and so not a bounce for its sender's name alone.

    It is `bounce` if a mail server says that a mail couldn't be delivered, `delayed` if the server still tries; else
    empty. From headers alone these two can't be told apart.
    """
    headers = letter.headers
    if _REPORT.search(headers.get("content-type", "")) or set(STATUS) & set(letter.parts):
        return "bounce" if _FAILED.search(_report(letter)) else "delayed"
    daemon = _DAEMON.match(letter.sender) and (_has_no_return(letter) or not (known or letter.answers))
    return "bounce" if headers.get("x-failed-recipients") or daemon else ""


def robot(letter: Letter, *, known: bool = False) -> str:
    """The kind of machine that wrote the mail: `list`, `robot`; empty for a person.

    If its sender is `known` by a token, a person sent it, even if by a list or from a no-reply address.
    """
    headers = letter.headers
    if bounce(letter, known=known):
        return "robot"
    if not known and (
        headers.get("list-id") or headers.get("list-post") or headers.get("precedence", "").lower() == "list"
    ):
        return "list"
    submitted = headers.get("auto-submitted", "no").partition(";")[0].strip().lower()
    answers = headers.get("x-autoreply") or headers.get("x-autorespond")
    bulk = headers.get("precedence", "").lower() in _BULK - {"list"}
    if submitted != "no" or bulk or _has_no_return(letter) or answers:
        return "robot"
    return "robot" if not known and (_NO_REPLY.match(letter.sender) or not letter.sender) else ""


def _has_no_return(letter: Letter) -> bool:
    return letter.headers.get("return-path", "x").replace(" ", "") == "<>"


def reason_in(letter: Letter) -> str:
    """The reason that a bounce gives, in its own words."""
    found = _STATUS.findall(_report(letter))
    return max(found, key=len, default="").strip() or letter.subject[:200]


def _report(letter: Letter) -> str:
    """The machine-readable part of a bounce."""
    texts = [one.data[:20_000].decode("utf-8", "replace") for one in letter.attached]
    return "\n".join(text for text, one in zip(texts, letter.attached, strict=True) if one.kind in STATUS)
