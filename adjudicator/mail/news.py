"""What has happened to matches, for other programs: `notify` in `mail.yaml` is a command that gets one line of JSON for
each.

Nothing in it is secret: it says what every player is told.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from adjudicator.engine.folder.entries import Agreed, Entry, PhaseOpened, Reminded
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.folder import Folder, open_match
from adjudicator.engine.folder.ledger import MOVERS, deadline_in_force, ledger_of
from adjudicator.engine.text.problem import counted
from adjudicator.gm.regents import open_seats
from adjudicator.mail.account import Account, words_of


class Happened(Struct, frozen=True, omit_defaults=True):
    """Something that happened to a match: `opened` (a phase), `due` (it has another deadline), `late` (its deadline is
    past, and sheets are missing), `seat-open`, `agreed`, or `over`.
    """

    what: str
    match: str
    rulebook: str
    phase: str
    due: datetime | None = None
    player: str = ""


class Before(Struct, frozen=True):
    """What is compared of a match: how many entries its ledger has, whose seats are open, and whether it is over."""

    entries: int
    seats: tuple[str, ...]
    over: bool


class News:
    """Matches as they were, so that it can be told what has happened to them since."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self.before: dict[Path, Before] = {}
        for path in paths:
            with suppress(Faulty, OSError):  # what is wrong with a match is told where it is used
                self.before[path] = _now(open_match(path))

    def since(self, paths: Sequence[Path]) -> Iterator[Happened]:
        """What has happened to some of these matches."""
        for path in paths:
            if (before := self.before.get(path)) is not None:
                with suppress(Faulty, OSError):
                    yield from _happened(open_match(path), before)


def _now(match: Folder) -> Before:
    return Before(len(ledger_of(match)), tuple(open_seats(match)), match.head(match.last).over)


def _happened(match: Folder, before: Before) -> Iterator[Happened]:
    entries, now = ledger_of(match), _now(match)
    known = deadline_in_force(entries, match.phases[-1])
    facts: dict[str, Any] = {
        "match": match.card.match,
        "rulebook": match.card.rulebook,
        "phase": match.phases[-1],
        "due": known.due if known is not None and not now.over else None,
    }
    kinds = dict.fromkeys(filter(None, map(_kind_of, entries[before.entries :])))
    for kind in kinds if not now.over else ():
        yield Happened(kind, **facts)
    for player in now.seats:
        if player not in before.seats:
            yield Happened("seat-open", **facts, player=player)
    if now.over and not before.over:
        yield Happened("over", **facts)


def _kind_of(entry: Entry) -> str:
    if isinstance(entry, PhaseOpened):
        return "opened"
    if isinstance(entry, Reminded):
        return "late"
    if isinstance(entry, Agreed):
        return "agreed"
    return "due" if isinstance(entry, MOVERS) and entry.due is not None else ""


def tell_news(account: Account, news: Iterator[Happened]) -> list[Faulty]:
    """Runs the account's command for each thing that happened; returns what is wrong, of which no match hears."""
    if not account.notify:
        return []
    wrong = []
    for each in news:
        try:
            subprocess.run(
                words_of(account.notify),
                input=msgspec.json.encode(each) + b"\n",
                capture_output=True,
                timeout=account.timeout,
                check=True,
            )
        except subprocess.TimeoutExpired:
            said = f"it didn't end within {counted(account.timeout, 'second')}"
            wrong.append(Faulty([problem(account.file, f"notify: {said}")]))
        except subprocess.CalledProcessError as error:
            said = error.stderr.decode(errors="replace").strip()[:300]
            wrong.append(
                Faulty([problem(account.file, f"notify: it ended with status {error.returncode} {said}")])
            )
        except OSError as error:
            wrong.append(Faulty([problem(account.file, f"notify: {error}")]))
    return wrong
