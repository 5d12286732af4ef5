"""What a GM does to a match besides running it: each act writes an entry in the ledger and the open phase's reports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

from msgspec.structs import asdict, replace as with_other

from adjudicator.engine.folder import ledger, papers
from adjudicator.engine.folder.adjudication import closed_in
from adjudicator.engine.folder.entries import (
    Absent,
    Agreed,
    Entry,
    Extended,
    HeldUp,
    Replaced,
    Resumed,
    Undone,
    instant,
    of_kind,
)
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.folder import Folder, changing
from adjudicator.engine.folder.names import REFEREE
from adjudicator.engine.handout.times import instant_text
from adjudicator.engine.match import undo as taking_back
from adjudicator.engine.match.showing import hand_out_again
from adjudicator.engine.text.problem import counted
from adjudicator.gm import bots
from adjudicator.gm.absences import NotAbsent, absence, why_not_absent
from adjudicator.gm.people import Person, person_in
from adjudicator.gm.playing import deadline_of, entry_of_opening, schedule_in_force
from adjudicator.gm.schedule import Span, no_such, span_in

LONGEST_WHY = 300
OWN = "own"
"""The name of the regent that a game has: its own bot, with caution."""


@contextmanager
def match_for_act(path: Path, *, over: bool = False) -> Iterator[Folder]:
    """The match, locked, for an act of the GM. Raises Faulty, also if the match is over, unless `over`."""
    with changing(path) as match:
        match.check_whole()
        if not over and match.head(match.last).over:
            raise Faulty([problem(path, "the match is over")])
        yield match


def enter(match: Folder, *entries: Entry) -> None:
    """Writes entries, and hands out the open phase again, because its reports say the deadline and what was done."""
    ledger.add_entries(match, *entries)
    hand_out_again(match)
    match.commit()


def checked_reason(given: str) -> str:
    """The GM's reason on one line. Raises Faulty if there is none."""
    why = " ".join(given.split())
    if not why or not why.isprintable() or len(why) > LONGEST_WHY:
        text = f"say why, in at most {LONGEST_WHY} characters: the next report tells the players"
        raise Faulty([problem("--why", text)], misused=True)
    return why


def checked_player(match: Folder, player: str) -> str:
    """The player's name, if there is such a player in the match. Raises Faulty."""
    if player in match.card.players:
        return player
    raise Faulty([problem(match.path, no_such("player", player or repr(player), match.card.players))])


def absent(path: Path, player: str, days: str, at: datetime, *, why: str = "", regent: str = "") -> Absent:
    """Notes that a player is away on some days (`2026-12-24..2026-12-28`). No deadline of a phase in which the player
    is due falls on them; or a `regent` plays: `own`, the game's own bot, with caution. Raises Faulty, also for more
    than the schedule allows.
    """
    with match_for_act(path) as match:
        now = ledger.now_in(match, at)
        checked_player(match, player)
        if regent not in ("", OWN):
            said = f"there is no regent {regent}; there is {OWN}, the game's own bot, which then plays with caution"
            raise Faulty([problem("--regent", said)], misused=True)
        try:
            span = span_in(days)
        except ValueError as error:
            raise Faulty([problem("FROM..TO", str(error))], misused=True) from None
        if (not_away := why_not_absent(match, player, span, now, regent=bool(regent))) is not None:
            raise _refusal(match, player, span, not_away)
        reason = checked_reason(why) if why.strip() else ""
        entry = absence(match, player, span, now, reason, regent=bool(regent))
        enter(match, entry)
        return entry


def _refusal(match: Folder, player: str, span: Span, found: NotAbsent) -> Faulty:
    if found.why == "no-schedule":
        said = (
            "this match has no schedule: its deadlines are the GM's own; `adjudicator schedule` gives it one"
        )
        return Faulty([problem(match.path, said)])
    if found.why == "no-regent":
        said = bots.NO_ANSWERS if bots.has_regent(match.rulebook) else f"{match.rulebook.title} has no regent"
        return Faulty([problem("--regent", said)], misused=True)
    if found.why == "past":
        return Faulty([problem("FROM..TO", f"{span.last} is in the past")], misused=True)
    may = (
        f"{player} may be absent {counted(found.times, 'time')} more, for {counted(found.days, 'day')} in all"
    )
    return Faulty([problem(match.path, f"{may}; this is {counted(span.days, 'day')}")])


def extend(path: Path, to: datetime, at: datetime, *, why: str) -> Extended:
    """Puts the deadline of the open phase off to an instant. Raises Faulty, also for an instant in the past.

    A deadline that was put off too far may be brought back, but not before the phase's own deadline: players rely on
    that.
    """
    with match_for_act(path) as match:
        now, due = ledger.now_in(match, at), instant(to)
        schedule, entries = schedule_in_force(match), ledger.ledger_of(match)
        if due <= now:
            raise Faulty([problem("--to", f"{due:%Y-%m-%d %H:%M} UTC is in the past")], misused=True)
        if ledger.hold_in_force(entries) is not None:
            raise Faulty([problem(path, "the match is on hold; resume it first")])
        if closed_in(match, match.last) is not None and not match.opening(match.last).waits:
            raise Faulty([problem(path, "the phase is closed: no other sheet counts any more")])
        own = ledger.deadline_in_force(
            [each for each in entries if not isinstance(each, Extended)], match.phases[-1]
        )
        if own is not None and due < own.due:
            until = instant_text(match, own.due, None)
            text = f"the players were told {until}: a deadline can be put off, but not brought forward"
            raise Faulty([problem("--to", text)], misused=True)
        grace = schedule.grace if schedule is not None else timedelta(0)
        entry = Extended(at=now, phase=match.phases[-1], due=due, closes=due + grace, why=checked_reason(why))
        enter(match, entry)
        return entry


def hold(path: Path, at: datetime, *, why: str) -> HeldUp:
    """Puts a match on hold: it has no deadline until it is resumed. Raises Faulty if it is on hold already."""
    with match_for_act(path) as match:
        if ledger.hold_in_force(ledger.ledger_of(match)) is not None:
            raise Faulty([problem(path, "the match is on hold already")])
        entry = HeldUp(at=instant(at), why=checked_reason(why))
        enter(match, entry)
        return entry


def resume(path: Path, at: datetime, *, why: str) -> Resumed:
    """Lets a match on hold go on. The open phase has the time that it had left before. Raises Faulty."""
    with match_for_act(path) as match:
        now = ledger.now_in(match, at)
        entries, phase = ledger.ledger_of(match), match.phases[-1]
        still = ledger.hold_in_force(entries)
        if still is None:
            raise Faulty([problem(path, "the match isn't on hold")])
        known, begun = ledger.deadline_in_force(entries, phase), ledger.opened_at(entries, phase)
        entry = Resumed(at=now, phase=phase, why=checked_reason(why))
        left = None
        if known is not None and (begun is None or begun <= still.at):
            left = max(known.due - still.at, timedelta(0))
        if (found := deadline_of(match, now, least=left)) is not None:
            entry = with_other(entry, **asdict(found))
        elif known is not None:
            due = now + max(known.due - still.at, timedelta(0))
            entry = with_other(entry, due=due, closes=due + known.grace)
        if (secrets := match.secrets()) is not None and secrets.votes and isinstance(still, Agreed):
            # before the entry: a command that dies between the two can be given again
            match.put_referee(papers.text_for_referee(with_other(secrets, votes={})))
        enter(match, entry)
        return entry


def replace(path: Path, player: str, who: str, at: datetime, *, why: str, bot: str | None = None) -> Replaced:
    """Gives a seat to somebody else: `new@example.org`, `Anna <new@example.org>`, or empty; or to a bot, by its name
    (empty: the game's own). Raises Faulty.

    The address of the player before is kept, for a mail that says so. What the seat may know is in its folders in all
    phases; nothing more is written for the new player.
    """
    with match_for_act(path) as match:
        checked_player(match, player)
        if not match.has(REFEREE):
            raise Faulty([problem(path / REFEREE, "this file of the match is missing")])
        plays = "" if bot is None else bots.bot_name(match.rulebook, bot)
        if plays and match.state(match.last).options.pacing == "live":
            raise Faulty([problem("--bot", bots.NO_ANSWERS)], misused=True)
        person = Person(name=bots.name_shown(plays)) if plays else _person(who)
        entry = give_seat(match, player, person, at, why=checked_reason(why), bot=plays)
        enter(match, entry)
        return entry


def give_seat(
    match: Folder, player: str, person: Person, at: datetime, *, why: str, bot: str = ""
) -> Replaced:
    """Writes who plays for a player from now on into `referee.yaml` of a locked match, and returns the entry.

    The address comes before the entry: a command that dies between the two can be given again, with the same result.
    """
    secrets = match.secrets()
    assert secrets is not None, "its file is there"
    before = secrets.before.get(player, ())
    times = sum(each.player == player for each in of_kind(ledger.ledger_of(match), Replaced))
    if len(before) <= times:  # otherwise a command that died in between has already written it
        before = (*before, *[""] * (times - len(before)), secrets.addresses.get(player, ""))
    changed = with_other(
        secrets,
        addresses=_with_seat(secrets.addresses, player, person.address),
        names=_with_seat(secrets.names, player, person.name),
        zones=_with_seat(secrets.zones, player, ""),
        languages=_with_seat(secrets.languages, player, ""),
        before={**secrets.before, player: before},
        bots=_with_seat(secrets.bots, player, bot),
        votes=_with_seat(secrets.votes, player, ""),
        settings={name: each for name, each in secrets.settings.items() if name != player},
    )
    match.put_referee(papers.text_for_referee(changed))
    return Replaced(at=instant(at), player=player, bot=bot, why=why)


def _person(who: str) -> Person:
    try:
        found = person_in(who)
    except ValueError as error:
        raise Faulty([problem("PLAYER=ADDRESS", str(error))], misused=True) from None
    if found.name and not found.address:
        raise Faulty([problem("PLAYER=ADDRESS", f"{who!a} isn't a mail address")], misused=True)
    return found


def _with_seat(by_seat: Mapping[str, str], player: str, value: str) -> dict[str, str]:
    """The mapping with another value for a seat, or without the seat if the value is empty."""
    return {name: other for name, other in {**by_seat, player: value}.items() if other}


def undo(path: Path, at: datetime, *, why: str) -> taking_back.Undone:
    """Takes the last phase back, with an entry; the phase that is open again gets a new deadline. Raises Faulty."""
    because = checked_reason(why)

    def keep(match: Folder, done: taking_back.Undone) -> list[Entry]:
        now = ledger.now_in(match, at)
        entry = Undone(at=now, phase=done.open, gone=done.folders, where=done.where, why=because)
        return [entry, *entry_of_opening(match, now)]

    return taking_back.undo(path, keep)
