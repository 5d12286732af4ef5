"""The seats of matches, and their tokens: who knows one is the player, by whatever way the bytes came.

How many of a player's mails are answered, kept and entered, so that nobody can make a match write without end.

Only what has the player's own token counts as the player's. Mails that anybody, another player or a machine can have
written are counted apart, so that nobody can use up a player's answers.
"""

from __future__ import annotations

import hmac
from base64 import b32encode
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from adjudicator import __version__
from adjudicator.engine.folder.entries import Asked, Bounced, Entry, Held, Replaced, Sent, Taken, of_kind
from adjudicator.engine.folder.errors import Faulty, collecting_faults, problem
from adjudicator.engine.folder.folder import Folder, changing, open_match
from adjudicator.engine.folder.ledger import ledger_of
from adjudicator.engine.folder.marks import seed_of
from adjudicator.engine.folder.names import REFEREE
from adjudicator.engine.folder.papers import text_for_referee
from adjudicator.gm.by_mail import MAY_BE_OTHERS
from adjudicator.gm.people import is_address

LENGTH = 12
"""Characters of a token: 60 bits."""


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
    """The token of a seat, by which what its player sends is known: it follows from the seed, so nothing is kept."""
    return short_digest(hmac_of(seed, "token", seat.match, seat.player, str(seat.number)), LENGTH)


class Seated(Struct, frozen=True):
    """A player's seat, the match's seed, the address and the name on file, and whether the match is over."""

    seat: Seat
    seed: bytes
    address: str = ""
    over: bool = False
    name: str = ""

    @property
    def token(self) -> str:
        """The token that counts now."""
        return token_of(self.seed, self.seat)

    def code(self, kind: str, *what: str) -> str:
        """A code that shows that its mail is read at this address: it counts for the seat as it is, and for `what`."""
        words = (self.seat.match, self.seat.player, str(self.seat.number), self.address.lower(), *what)
        return short_digest(hmac_of(self.seed, kind, *words), LENGTH)


def seats_of(match: Folder) -> tuple[Seated, ...]:
    """The seats of a match. Raises Faulty if the seed is missing.

    `mail token --new` changes a token, and so does a new player of the seat.
    """
    secrets, seed = match.secrets(), seed_of(match)
    if secrets is None or seed is None:
        raise Faulty(
            [
                problem(
                    match.path / REFEREE,
                    "without the seed there are no tokens, so nobody can tell whose a mail is",
                )
            ]
        )
    replaced = [entry.player for entry in of_kind(ledger_of(match), Replaced)]
    found = []
    for player in match.card.players:
        number = secrets.tokens.get(player, 0) + replaced.count(player)
        address = secrets.addresses.get(player, "")
        seat = Seat(match.card.match, player, number, str(match.path))
        over = match.head(match.last).over
        name = secrets.names.get(player, "")
        found.append(Seated(seat, seed, address if is_address(address) else "", over, name))
    return tuple(found)


def seats_at(match: Folder, player: str) -> list[str]:
    """All players of the match at a player's address, if there are several; else none. Raises Faulty."""
    secrets = match.secrets()
    addresses = secrets.addresses if secrets is not None else {}
    own = addresses.get(player, "").lower()
    there = [one for one in match.card.players if addresses.get(one, "").lower() == own] if own else []
    return there if len(there) > 1 else []


def all_seats(paths: Iterable[Path]) -> tuple[tuple[Seated, ...], list[Faulty]]:
    """The seats of several matches, and what is wrong with those that can't be read.

    A match that was handed on (`export`) has none: its tokens are those of the match that it was made of.
    """
    found: list[Seated] = []
    wrong: list[Faulty] = []
    for path in paths:
        with collecting_faults(path, wrong):
            match = open_match(path)
            handed_on = match.head(match.last).over and not match.has(REFEREE)  # it has no seats any more
            found += () if handed_on else seats_of(match)
    return tuple(found), wrong


def token(path: Path, player: str) -> str:
    """The player's token that counts now. Raises Faulty."""
    return _seat(open_match(path), player).token


def make_anew(path: Path, player: str) -> None:
    """Makes a new token for a player; from now on mails with the old one are held. Raises Faulty."""
    _seat(open_match(path), player)
    with changing(path) as match:
        secrets = match.secrets()
        assert secrets is not None
        tokens = {**secrets.tokens, player: secrets.tokens.get(player, 0) + 1}
        match.put_referee(text_for_referee(replace(secrets, tokens=tokens)))


def _seat(match: Folder, player: str) -> Seated:
    for seated in seats_of(match):
        if seated.seat.player == player:
            return seated
    said = f"there is no player {player!a} in this match; there are {', '.join(match.card.players)}"
    raise Faulty([problem(match.path, said)])


MACHINES = ("robot", "list")
"""Reasons to hold what no person wrote."""
UNREAD = ("misnamed", "phase-over", "known")
"""Reasons not to read a file that was pushed to a player's branch: under another name its content may count."""
UNSEALED = ("unsealed", "no-label", "anothers", "without-token", "a-link", "too-large", *UNREAD)
"""Reasons to refuse a file that was pushed to a player's branch, and that anybody could have pushed."""
WITHOUT_TOKEN = (*MAY_BE_OTHERS, *UNSEALED)
"""Reasons to hold what anybody could have written, or another player of the match."""
UNSURE = (*WITHOUT_TOKEN, *MACHINES)
"""Reasons to hold a mail that its player may not have written; with a token it may come again, and is read."""
DAY = timedelta(days=1)
MOST_ANSWERS = 10
"""Answers to a player within a day; further mails are still taken or held."""
MOST_ALONE, MOST_KEPT_ALONE, MOST_HELD_ALONE = 2, 5, 20
"""How many mails without a token are answered, kept, and entered in the ledger within a day."""
LONGEST_KEPT = 2**14
"""Bytes of a mail without a token, or beyond the limits, that are kept."""
MOST_READ = 40
"""Mails of a player that are read within a day; the next are left in the mailbox, for the GM to look at."""
ANSWER = "-answer.eml"
"""The ending of answers' file names in a phase's `mail/`."""
ALONE = f"-alone{ANSWER}"
"""The ending for answers to a mail without a token."""


def _day_before(entries: Sequence[Entry], player: str, now: datetime) -> datetime:
    """From when on a player's mails are counted: for a day, and not before somebody else played the seat."""
    return max([now - DAY, *(one.at for one in of_kind(entries, Replaced) if one.player == player)])


def may_answer(entries: Sequence[Entry], player: str, now: datetime, *, alone: bool) -> bool:
    """May a player get another answer today? `alone`: to a mail without a token."""
    since = _day_before(entries, player, now)
    names = {
        one.message: next(iter(one.files), "")
        for one in of_kind(entries, Sent)
        if one.to == player and one.at > since
    }
    answers = [name for name in names.values() if name.endswith(ANSWER) and name.endswith(ALONE) == alone]
    return len(answers) < (MOST_ALONE if alone else MOST_ANSWERS)


def mails_without_token(
    entries: Sequence[Entry], player: str, now: datetime, why: Sequence[str] = (*WITHOUT_TOKEN, "over")
) -> int:
    """How many mails without a token were held for a player within a day, or came to a match that is over; or those
    that were held for the reasons `why`.
    """
    held = of_kind(entries, Held)
    return sum(one.player == player and one.at > now - DAY and one.because in why for one in held)


def has_sent_enough(entries: Sequence[Entry], player: str, now: datetime) -> bool:
    """Were so many of a player's mails read within a day that no more are read? What isn't sure counts apart."""
    since = _day_before(entries, player, now)
    read = {
        one.message
        for one in entries
        if isinstance(one, Taken | Asked) or (isinstance(one, Held) and one.because not in UNSURE)
        if one.player == player and one.at > since
    }
    return len(read) >= MOST_READ


def is_known(entries: Sequence[Entry], message: str, player: str, *, sure: bool = False) -> bool:
    """Has that player sent a mail with that Message-ID before? Another player's mail may have the same by mistake.

    `sure`: it is the player's now. Then one that was held because it might not be doesn't count. Nor does one that
    another version of the program failed on.
    """
    return any(
        isinstance(one, Taken | Held | Asked | Bounced)
        and (one.message, one.player) == (message, player)
        and not (isinstance(one, Held) and ((sure and one.because in UNSURE) or is_to_be_tried(one)))
        for one in entries
    )


def is_to_be_tried(entry: Held) -> bool:
    """Did another version of the program fail on what is held? Then this one reads it again."""
    return bool(entry.version) and entry.version != __version__
