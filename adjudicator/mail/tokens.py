"""Tokens, by which a player's mails are known. They follow from the seed, so nothing has to be kept.

A player's token is in the reply address, in the subject and behind the page's mail button. Each of our Message-IDs has
a mark that can only be made with the seed, so an answer to one is known too. A new number changes a player's token and
marks.
"""

from __future__ import annotations

import hmac
import re
from base64 import b32encode
from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import sha256

from msgspec import Struct

from adjudicator.mail.limits import MOST_IDS

LENGTH = 12
"""Characters of a token: 60 bits."""
MARK = 16
LONGEST_LOCAL = 64
"""Characters before the @ of an address (RFC 5321)."""
_TOKEN = re.compile(rf"(?<![a-z0-9])[a-z2-7]{{{LENGTH}}}(?![a-z0-9])")
_OURS = re.compile(rf"<([a-z2-7]{{{MARK}}})\.([a-z2-7]{{{MARK}}})@[^<>\s]+>")
_PLAIN = re.compile(r"[^a-z0-9]+")


class Seat(Struct, frozen=True, order=True):
    """A player of a match; `number` is how often the token was made again, `folder` the match's folder on the disk."""

    match: str
    player: str
    number: int = 0
    folder: str = ""


def hmac_of(seed: bytes, *words: str) -> bytes:
    """An HMAC of some words under the seed, distinct from every other use of the seed."""
    text = "\0".join(("mail", *words)).encode()
    return hmac.digest(seed, text, sha256)


def short_digest(digest: bytes, length: int) -> str:
    """A digest in small letters and digits, which people can read out and addresses can hold."""
    return b32encode(digest).decode().lower()[:length]


@lru_cache(maxsize=2**14)
def token_of(seed: bytes, seat: Seat) -> str:
    """A player's token."""
    return short_digest(hmac_of(seed, "token", seat.match, seat.player, str(seat.number)), LENGTH)


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
