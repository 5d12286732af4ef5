"""Who plays: names and mail addresses as people write them, and what a GM may have mistyped in `referee.yaml`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.names import REFEREE
from adjudicator.engine.folder.papers import Secrets, read_paper, yaml_in
from adjudicator.engine.library.languages import known_languages
from adjudicator.engine.text.problem import Problem, Severity, in_order
from adjudicator.engine.text.source import Path, Source
from adjudicator.gm.schedule import no_such, zone_named

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


def seats_of_person(match: Folder, who: str) -> list[str]:
    """The players whom a person plays in a match, by address or by name. Raises Faulty."""
    secrets, wanted = match.secrets(), who.strip().casefold()
    known = (secrets.addresses, secrets.names) if secrets is not None and wanted else ()
    return [
        player
        for player in match.card.players
        if any(each.get(player, "").casefold() == wanted for each in known)
    ]


def problems_of_addresses(match: Folder) -> list[Problem]:
    """All that seems wrong in the match's `referee.yaml`, in order; empty if it has none. Raises Faulty.

    A `warning` may be intended: a name in place of an address, for somebody who gets no mail, or one address for two
    seats.
    """
    if not match.has(REFEREE):
        return []
    name, text = str(match.path / REFEREE), match.read(REFEREE)
    found = read_paper(text, name, Secrets)
    source = yaml_in(text, name)
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
        if language and (said := no_such_language(match.rulebook.key, language, match.templates)):
            yield _problem(source, path, said)


def no_such_language(game: str, language: str, templates: str = "") -> str:
    """Why nobody can read a game in that language; empty if somebody can. `templates` is the group's folder."""
    known = known_languages(game, templates)
    return "" if language in known else no_such("language", language, known)
