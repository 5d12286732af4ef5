"""Many matches at a glance: what a GM looks for in each, as one value, on one line, and as a page for the GM alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

from msgspec import Struct

from adjudicator.engine.folder.entries import Held, of_kind
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import ledger_of
from adjudicator.engine.library.languages import ENGLISH, known_languages
from adjudicator.engine.library.texts import game_texts, words
from adjudicator.gm.by_mail import MAY_BE_OTHERS, not_mailed_yet
from adjudicator.gm.regents import open_seats
from adjudicator.gm.situation import Now, situation

KEPT_BACK = (*MAY_BE_OTHERS, "beyond", "crashed")
"""Reasons to hold a mail that a GM may put right."""


class Glance(Struct, frozen=True, omit_defaults=True):
    """A match at an instant: the open phase, when it is due, what it waits for (`now`), whose sheets or answer are
    missing, whose have faults, how many mails of the open phase were held that a player may have sent, to whom none of
    it was handed over, and whose seats are open.
    """

    folder: str
    match: str
    phase: str
    now: str
    due: datetime | None = None
    missing: tuple[str, ...] = ()
    faulty: tuple[str, ...] = ()
    held: int = 0
    unmailed: tuple[str, ...] = ()
    seats_open: tuple[str, ...] = ()
    over: bool = False


def glance(match: Folder, at: datetime) -> Glance:
    """A match at an instant. Raises Faulty."""
    found, phase = situation(match, at), match.phases[-1]
    held = [one for one in of_kind(ledger_of(match), Held, phase) if one.because in KEPT_BACK]
    known = found.deadline_in_force
    over = found.now is Now.OVER
    return Glance(
        folder=str(match.path),
        match=match.card.match,
        phase=phase,
        now=f"on hold ({found.held.why})" if found.held is not None else found.now.value,
        due=known.due if known is not None and found.held is None else None,
        missing=found.awaited,
        faulty=found.faulty,
        held=0 if over else len(held),
        unmailed=() if over else not_mailed_yet(match),
        seats_open=tuple(open_seats(match)),
        over=over,
    )


MARK = "adjudicator status"
BEGINS = tuple(
    f'<!doctype html>\n<html lang="{each}">\n<head>\n<meta charset="utf-8">\n<meta name="generator" content="{MARK}">'
    for each in known_languages()
)
"""The beginnings of these pages, by language. A file that begins so is ours and may be replaced."""


def in_order_of_deadlines(found: Iterable[Glance]) -> list[Glance]:
    """Matches in the order of their deadlines, those that are over last."""
    last = datetime.max.replace(tzinfo=UTC)
    return sorted(found, key=lambda each: (each.over, each.due or last, each.folder))


def club_words(language: str = ENGLISH) -> Mapping[str, str]:
    """The words for many matches at a glance, in a language."""
    found: Mapping[str, str] = words(game_texts("", language))["club"]
    return found


def now_of(each: Glance, said: Mapping[str, str]) -> str:
    """What a match waits for, in those words; the GM's own reason for a hold as it was written."""
    return next((said[f"now.{one.name.lower()}"] for one in Now if one.value == each.now), each.now)


def parts_of(each: Glance, said: Mapping[str, str]) -> list[tuple[str, str]]:
    """What a GM may have to see to in a match, in those words: each part by its kind, such as `missing`."""
    held = said["held_one" if each.held == 1 else "held_many"].format(count=each.held)
    found = [
        (said["missing"], _names(each.missing, said)),
        (said["faults"], _names(each.faulty, said)),
        ("", held if each.held else ""),
        (said["unmailed"], _names(each.unmailed, said)),
        (said["seats"], _names(each.seats_open, said)),
    ]
    return [(kind, text) for kind, text in found if text]


def _names(players: Sequence[str], said: Mapping[str, str]) -> str:
    return f" {said['and']} ".join(filter(None, (", ".join(players[:-1]), *players[-1:])))


def line_of(each: Glance, said: Mapping[str, str]) -> str:
    """A match at a glance: `lagoon: 0003-t1-market, due 2026-11-25 19:00 UTC; missing genoa; seat open: genoa`."""
    if each.over:
        return f"{each.folder}: {said['over']}"
    due = f", {said['due_at'].format(due=f'{each.due:%Y-%m-%d %H:%M}')}" if each.due is not None else ""
    parts = (f"{kind} {text}".strip() for kind, text in parts_of(each, said))
    return "; ".join((f"{each.folder}: {each.phase}{due}; {now_of(each, said)}", *parts))


def glance_page(found: Iterable[Glance], at: datetime, language: str = ENGLISH) -> str:
    """The page of many matches in a language: those that go on by their deadlines, then those that are over."""
    from adjudicator.engine.report.template import shared

    going = in_order_of_deadlines(found)
    frame = shared(language).get_template("club.html.j2")
    facts = {"matches": going, "parts_of": parts_of, "now_of": now_of}
    text = str(frame.render(mark=MARK, at=at.astimezone(UTC), **facts))
    return text.lstrip("\n").rstrip("\n") + "\n"
