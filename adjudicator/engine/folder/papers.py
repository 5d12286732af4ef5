"""Reading and writing a match's `match.yaml`, the GM's `referee.yaml`, and each phase's `open.yaml`.

The record of a phase: `events.jsonl`, one event a line, with nothing hidden.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Annotated, Any, TypeVar, Union

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from adjudicator import __version__
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.library.texts import problem_of
from adjudicator.engine.table.event import Event
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.secret import decode_secret, encode_secret, plain_of
from adjudicator.engine.text.problem import Problem
from adjudicator.engine.text.source import Source, Unread, read
from adjudicator.engine.text.typed import decode, is_later, problem_of_type
from adjudicator.engine.text.writing import write

T = TypeVar("T", bound=Struct)


FIRST_RULES = "1"
"""The version of the rulebook if a phase doesn't name the one that played it: there was only one then."""


class Card(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """`match.yaml`: what everybody may know of a match from the start. `seed` is the SHA-256 of the secret seed.

    `schedule` says when sheets are due, as it was written; the engine uses only its `zone`. `bots` are the seats that a
    program plays from the start, with its name. `templates` is the folder of the group's own words, seen from the
    match's folder.
    """

    match: str
    rulebook: str
    players: tuple[str, ...]
    options: Mapping[str, Any]
    seed: str
    version: str = ""
    schedule: Mapping[str, Any] = {}
    bots: Mapping[str, str] = {}
    templates: str = ""


Language = Annotated[str, msgspec.Meta(pattern="^([a-z]{2,3})?$")]
"""A language as files name it: `fr`."""


class Secrets(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """`referee.yaml` and `seed.yaml`: the seed in hexadecimal, the players' addresses and names, and the GM's own.

    `zones` are those in which players read deadlines, if not the schedule's: `{venice: America/New_York}`. `languages`
    are those in which players read, and `language` that of everybody else and the public; empty: English. `tokens`
    counts how often a player's token, which marks the player's mails, was renewed. `before` are the addresses of
    replaced persons, in order; empty where none was known. `bots` are the seats that a program plays now, with its
    name. `votes` are those for an end of the match: nobody else learns them, so they aren't in the ledger.
    `settings` are what each player has said of the mails that they get.
    """

    seed: str
    addresses: Mapping[str, str] = {}
    names: Mapping[str, str] = {}
    gm: str = ""
    zones: Mapping[str, str] = {}
    language: Language = ""
    languages: Mapping[str, Language] = {}
    tokens: Mapping[str, int] = {}
    before: Mapping[str, tuple[str, ...]] = {}
    bots: Mapping[str, str] = {}
    votes: Mapping[str, str] = {}
    settings: Mapping[str, tuple[str, ...]] = {}


class Owner(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A player's public key, in `keys.yaml`. `number` is how often the player's token had been made again when it came:
    a key with another number counts no more. `signing` is the SSH key with which the player signs, if everything is to
    be signed.
    """

    key: str
    number: int = 0
    signing: str = ""


class Keys(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """`keys.yaml`: the referee's public keys (the job's, and a spare), and the players'. `boxes` are the repositories
    with the branches of players who may not push to the match's own.
    """

    referee: tuple[str, ...]
    players: Mapping[str, Owner] = {}
    boxes: Mapping[str, str] = {}


class Closing(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How a phase was adjudicated: by which version, at a deadline or not, with which throws made by hand.

    `rules` is the version of the rulebook. `files` are the SHA-256 of everything it was adjudicated from, of the
    events, and of `open.yaml`: the chain is made of them.
    """

    version: str
    rules: Annotated[str, msgspec.Meta(pattern="^[0-9]{1,4}$")] = FIRST_RULES
    deadline: bool = False
    dice: tuple[Any, ...] = ()
    files: Mapping[str, str] = {}

    @classmethod
    def by(cls, version: str, rules: int, *, deadline: bool, dice: tuple[Any, ...]) -> Closing:
        """What a version of the program says of a phase that it adjudicates by that version of the rules."""
        text = str(rules)
        # msgspec leaves out a default only if it is the very same text: what is equal would be written, and give
        # another digest when it is read back.
        return cls(version, FIRST_RULES if text == FIRST_RULES else text, deadline, dice)


class Opening(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """`open.yaml`: who is due in a phase, or (`waits`) whose answer it waits for.

    `since` is the number of the phase in which the run that opened it began; `until` is the deadline in the GM's words.
    While it waits, `lines` of `events.jsonl` are final, `files` are frozen, and `dice` are throws made by hand.
    `handed` are the SHA-256 of what players got of it, by name. `earlier` are those of what they had got before it was
    handed out again, and of pages as they were mailed. `noted` is the SHA-256 of the GM's note that its reports told.
    If there are any of these, `told` is the SHA-256 of all three. `entries` is how many entries the ledger had when the
    phase was opened, `ledger` the SHA-256 of these lines; `acts` and `acted` are the same of its last reports, if they
    tell of more. `undone` names the folder in `undone/` to which the phases
    after this one were moved, `taken` are the SHA-256 of everything moved there.
    """

    due: tuple[str, ...] = ()
    waits: str = ""
    since: int = 0
    until: str = ""
    version: str = ""
    entries: int = 0
    ledger: str = ""
    acts: int = 0
    acted: str = ""
    undone: str = ""
    taken: Mapping[str, str] = {}
    lines: int = 0
    dice: tuple[Any, ...] = ()
    files: Mapping[str, str] = {}
    handed: Mapping[str, str] = {}
    earlier: Mapping[str, tuple[str, ...]] = {}
    noted: str = ""
    told: str = ""
    closed: Closing | None = None


def digest_of_handout(opening: Opening) -> str:
    """The SHA-256 of everything that a phase says was handed out, if some of it was handed out again or a note was
    told; else empty.

    Nothing else of the earlier texts is kept: until the next position's chain covers them, only this shows whether
    their digests were changed by mistake.
    """
    if not (opening.earlier or opening.noted):
        return ""
    over = (opening.handed, opening.earlier, *filter(None, [opening.noted]))
    return hashlib.sha256(msgspec.json.encode(over)).hexdigest()


def digest_of_opening(opening: Opening) -> str:
    """The SHA-256 of `text_of_opening`: of all that `open.yaml` says of an adjudicated phase, but for the chain's
    digests.
    """
    return hashlib.sha256(text_of_opening(opening)).hexdigest()


def text_of_opening(opening: Opening) -> bytes:
    """The text of `open.yaml`, except the digests of the chain, as it counts once the phase is adjudicated."""
    closed = replace(opening.closed, files={}) if opening.closed is not None else None
    sealed = replace(opening, closed=closed, waits="", lines=0, dice=(), files={})
    return text_of(sealed)


def read_paper(text: bytes, name: str, kind: type[T]) -> T:
    """Reads one of the match's YAML files as a value of that kind. The same bytes give the same value, which nobody
    changes. Raises Faulty.
    """
    found: T = _paper(text, name, kind)
    return found


def yaml_in(text: bytes, name: str, most: int | None = None) -> Source:
    """The YAML in a file, as `source.read` reads it. Raises Faulty."""
    source = read(text, name, most)
    if isinstance(source, Unread):
        raise Faulty([problem_of(source)])
    return source


@lru_cache(maxsize=256)
def _paper(text: bytes, name: str, kind: type[Any]) -> Any:
    source = yaml_in(text, name)
    for path in VERSIONS.get(kind, ()):
        if said := _too_late(source.plain, path):
            mark = source.mark(path)
            raise Faulty([Problem(name, mark.line or 1, mark.column or 1, "MATCH", said)])
    try:
        return msgspec.convert(source.plain, kind, strict=True)
    except msgspec.ValidationError as error:
        found = problem_of_type(source, kind, error, "MATCH")
        said = f"this isn't as the program wrote it: {found.text}"
        raise Faulty([replace(found, text=said)]) from None


VERSIONS: Mapping[type[Any], Sequence[tuple[str, ...]]] = {
    Card: [("version",)],
    Opening: [("version",), ("closed", "version")],
}
"""Where papers say which version of the program wrote them."""


def _too_late(plain: Any, path: Sequence[str]) -> str:
    """Why this program doesn't read a paper: a later release wrote it, or no release that there can be. Else empty."""
    for step in path:
        plain = plain.get(step, "") if isinstance(plain, dict) else ""
    version = str(plain)
    try:
        later = bool(version) and is_later(version)
    except ValueError as error:
        return str(error)
    return (
        f"this was written by {version}, and this program is {__version__}: use {version} or later"
        if later
        else ""
    )


def text_of(paper: Struct, comment: str = "") -> bytes:
    """The bytes of one of the match's YAML files, from its value."""
    return write(plain_of(paper), comment, brackets_from=1).encode()


def text_for_referee(secrets: Secrets) -> bytes:
    """The bytes of `referee.yaml`."""
    return text_of(secrets, "For the referee alone: whoever knows the seed knows the dice.")


AS_JSON: msgspec.json.Decoder[dict[str, Any]] = msgspec.json.Decoder(dict[str, Any])
"""Reads a line as it stands, whatever its event is."""
_ENCODER = msgspec.json.Encoder(enc_hook=encode_secret)


def lines_of(events: Iterable[Event[Any]]) -> list[bytes]:
    """The events as lines of `events.jsonl`, without line ends."""
    return [_ENCODER.encode(event) for event in events]


def record_text(lines: Iterable[bytes]) -> bytes:
    """The text of `events.jsonl`."""
    return b"".join(line + b"\n" for line in lines)


def events_in(rulebook: Rulebook[Any], text: bytes, name: str) -> tuple[Event[Any], ...]:
    """The events of a file. Raises Faulty with the first bad line."""
    decoder = _decoder(rulebook.events)
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            found.append(decode(decoder, line))
        except ValueError as error:
            raise Faulty([Problem(name, number, 1, "MATCH", f"this isn't an event: {error}")]) from None
    return tuple(found)


@cache
def _decoder(events: tuple[type[Event[Any]], ...]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(Union[events], dec_hook=decode_secret)  # noqa: UP007  made of a tuple
