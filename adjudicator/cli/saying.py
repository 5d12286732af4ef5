"""What commands say about a match and a run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adjudicator.engine.beacon.quicknet import DiceSource
    from adjudicator.engine.folder.folder import Folder
    from adjudicator.engine.match.run import RunResult
    from adjudicator.gm.missed import MissedInARow
    from adjudicator.gm.situation import Situation


def sentences_of_run(folder: Path, ran: RunResult, *, quiet: bool = False) -> Iterator[str]:
    """What a run did, a sentence on each line; if `quiet` only its end, and who has missed sheets."""
    for name in ran.adjudicated if not quiet else ():
        yield f"Adjudicated: {name}."
    if ran.adjudicated:
        from adjudicator.engine.folder.folder import open_match
        from adjudicator.gm.missed import newly_missed

        yield from sentences_of_missed(newly_missed(open_match(folder)))
    if ran.taken and not quiet:
        yield f"Carried out although it is a draft (ready: false): the sheet of {names(ran.taken)}."
    if ran.over:
        yield f"The match is over. The last reports and the seed are in {folder / ran.open}."
    if ran.over or quiet:
        return
    if ran.closed:
        from adjudicator.engine.folder.adjudication import closed_in
        from adjudicator.engine.folder.folder import open_match
        from adjudicator.engine.folder.names import CLOSED

        match = open_match(folder)
        closed = closed_in(match, match.last)
        yield f"Closed: {ran.closed}, in {folder / ran.closed / CLOSED}."
        if closed is not None:
            yield sentence_of_source(closed.dice)
    else:
        yield from sentences_of_open(folder, ran)


def sentences_of_open(folder: Path, ran: RunResult) -> Iterator[str]:
    """Which phase is open after a run, and what it waits for."""
    yield f"Open now: {ran.open}."
    if ran.still:
        yield f"It is on hold ({ran.still}): nothing is played until you resume it, even if all sheets are in."
    if ran.waiting:
        yield f"It waits for an answer by {ran.waiting}, in {folder / ran.open / 'answers' / ran.waiting}.yaml."
    drafts = [player for player in ran.missing if player in ran.drafts]
    without = [player for player in ran.missing if player not in ran.drafts]
    if without:
        yield sentence_of_missing_sheets(folder / ran.open, without)
    if drafts:
        yield f"Only a draft (ready: false) from {names(drafts)}."
    if ran.missing:
        yield from sentences_of_faults(folder)
    if ran.because:
        yield f"It isn't played yet: {ran.because}{'' if ran.undrawn else f'. {how_to_close_by_hand(folder)}'}"


def sentences_of_faults(folder: Path) -> Iterator[str]:
    """Whose sheets for the open phase have faults, which they can still correct."""
    from adjudicator.engine.folder.folder import open_match
    from adjudicator.engine.folder.post import Post
    from adjudicator.gm.situation import players_with_faults

    match = open_match(folder)
    if faulty := players_with_faults(match, Post(match).collect(match.last)):
        yield f"With faults, which can still be corrected: the sheet of {names(faulty)} (see status)."


def sentences_of_rules(match: Folder) -> Iterator[str]:
    """By which version of its rules a match is played, if it isn't the newest."""
    rules, newest = match.rules(match.last), match.rulebook.versions[-1]
    if rules != newest and not match.head(match.last).over:
        yield (
            f"Played by version {rules} of the rules; the newest here is {newest}. "
            f"`adjudicator upgrade {match.path}` says what would come out otherwise."
        )


def sentence_of_missing_sheets(phase: Path, players: Sequence[str]) -> str:
    """Whose sheets are missing, and where they go; `phase` is the open phase's folder."""
    files = names([f"{player}.yaml" for player in players])
    return f"No sheet yet from {names(players)}. Sheets go into {phase / 'sheets'}, as {files}."


def sentence_of_source(dice: DiceSource) -> str:
    """Where the dice of a closed phase will come from, and when they can be known."""
    if dice.drand:
        from adjudicator.engine.beacon.quicknet import time_of

        return f"Its dice: round {dice.drand} of drand, out {time_of(dice.drand):%Y-%m-%d %H:%M:%S} UTC."
    return f"Its dice: {dice.named}." if dice.named else "Its dice: those of the match's seed."


def sentences_of_missed(seats: Iterable[MissedInARow]) -> Iterator[str]:
    """Who has missed how many sheets in a row, and whose seat is open."""
    from adjudicator.engine.text.problem import counted

    for seat in seats:
        what = "; somebody else may take the seat (see replace)" if seat.open else ""
        if seat.resigned:
            yield f"Given up: {seat.player}{what}."
            continue
        yield f"Missed: {seat.player}, {counted(seat.missed, 'sheet')} in a row{what}."


def how_to_close_by_hand(folder: Path) -> str:
    """How a GM closes the open phase, whatever it waits for."""
    return f"To close it by hand: adjudicator run {folder} --deadline"


def sentences_of_hold(match: Folder, found: Situation) -> Iterator[str]:
    """Why the open phase isn't played although it could be, until when, and how to play it by hand."""
    from adjudicator.engine.handout.times import instant_text
    from adjudicator.gm.situation import BY_MAIL, WITH_ALL_IN, Now

    if found.now not in (*WITH_ALL_IN, *BY_MAIL):
        return
    yield f"Not played yet: {found.now.value}."
    if found.faulty:
        yield f"There are faults in the sheets of {names(found.faulty)}; `adjudicator check` shows them."
    if found.now is Now.UNREAD:
        yield f"It will be played when `adjudicator mail turn {match.path}` has read the mailbox."
    elif found.now is Now.UNSENT:
        yield f"It waits for mail to {names(found.unsent)}: `adjudicator mail turn {match.path}` sends it."
    elif found.plays is not None:
        yield f"It will be played {instant_text(match, found.plays, None)}, if no other mail comes."
    yield how_to_close_by_hand(match.path)


def sentences_of_reminders(match: Folder, now: datetime, found: Situation | None = None) -> Iterator[str]:
    """In the grace: whom to remind, until when, and who was reminded by mail; `found` is the situation, if known."""
    from adjudicator.engine.folder.ledger import deadline_in_force, ledger_of
    from adjudicator.engine.handout.times import instant_text
    from adjudicator.gm.by_mail import was_reminded
    from adjudicator.gm.situation import players_to_remind

    late, phase, entries = players_to_remind(match, now, found), match.phases[-1], ledger_of(match)
    known = deadline_in_force(entries, phase)
    if not late or known is None or now >= known.closes:
        return
    until = instant_text(match, known.closes, None)
    what = "an answer" if match.opening(match.last).waits else "a sheet"
    done = [player for player in late if was_reminded(entries, phase, player, known.due)]
    if left := [player for player in late if player not in done]:
        yield f"Remind {names(left)}: {what} still counts until {until}."
    if done:
        yield f"Reminded by mail: {names(done)}; {what} still counts until {until}."


def sentences_of_undelivered(match: Folder) -> Iterator[str]:
    """Whom the mail of the open phase didn't reach, why, and what to do."""
    from adjudicator.mail.mails_to_send import undelivered

    for player, why in undelivered(match):
        words = f" ({why})" if why else ""
        mend = f"correct the address in referee.yaml, then adjudicator mail token {match.path} {player} --new"
        yield f"The mail for {player} came back{words}: {mend}"


def sentence_of_rounds(match: Folder) -> str:
    """How often the match has waited for mail, and how often it would have waited with each list of stops."""
    from adjudicator.engine.match.run import rounds_of

    found = rounds_of(match)
    others = ", ".join(f"{count} with {stops}" for stops, count in found.by_stops.items())
    return f"rounds of mail: {found.so_far}; without orders sent ahead, {others}"


def names(players: Sequence[str]) -> str:
    """Names as a sentence lists them: `venice, genoa and spain`."""
    first, last = list(players[:-1]), players[-1]
    return f"{', '.join(first)} and {last}" if first else last
