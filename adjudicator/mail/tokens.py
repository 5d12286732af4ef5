"""Tokens in mails: in the reply address, in the subject and behind the page's mail button; and our Message-IDs.

Each of our Message-IDs has a mark that can only be made with the seed, so an answer to one is known too. A new number
changes a seat's token and marks.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable, Mapping

from adjudicator.door.seats import LENGTH, Seat, hmac_of, short_digest
from adjudicator.mail.limits import MOST_IDS

MARK = 16
LONGEST_LOCAL = 64
"""Characters before the @ of an address (RFC 5321)."""
_TOKEN = re.compile(rf"(?<![a-z0-9])[a-z2-7]{{{LENGTH}}}(?![a-z0-9])")
_OURS = re.compile(rf"<([a-z2-7]{{{MARK}}})\.([a-z2-7]{{{MARK}}})@[^<>\s]+>")
_PLAIN = re.compile(r"[^a-z0-9]+")


def message_id(seed: bytes, seat: Seat, what: str, host: str) -> str:
    """The Message-ID of a mail to a player: the same for the same mail, and different for every other."""
    own = short_digest(hmac_of(seed, "mail", seat.match, seat.player, what), MARK)
    return f"<{own}.{_mark(seed, seat, own)}@{host}>"


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
