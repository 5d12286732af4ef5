"""What a GM changes in a running match: its position, other files, the source of its dice, its schedule, its rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from msgspec.structs import asdict, replace

from adjudicator import __version__
from adjudicator.engine.audit.verify import Difference, Replay, first_difference, verify
from adjudicator.engine.beacon import quicknet
from adjudicator.engine.beacon.quicknet import DiceSource
from adjudicator.engine.folder.adjudication import (
    ClosedPhase,
    FormerSource,
    beacon_in,
    closed_in,
    closed_text,
)
from adjudicator.engine.folder.entries import (
    Amended,
    Edited,
    Entry,
    Replaced,
    Rescheduled,
    SourceChanged,
    Taken,
    Upgraded,
    instant,
    of_kind,
)
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.folder import Folder, chain_of, open_match
from adjudicator.engine.folder.ledger import (
    add_entries,
    deadline_in_force,
    entries_on_disk,
    hold_in_force,
    ledger_of,
    now_in,
    written_schedule,
)
from adjudicator.engine.folder.names import CLOSED, FOR, KEYS, LEDGER, NOTE, REFEREE, STATE
from adjudicator.engine.folder.patches import FIXED, Unfit, amended_position, derived_position, differences
from adjudicator.engine.folder.post import SHEETS
from adjudicator.engine.match.showing import hand_out_again
from adjudicator.engine.play.position import write_position
from adjudicator.engine.sheets.sheet import ANSWERS
from adjudicator.engine.table.secret import plain_of
from adjudicator.gm.acts import checked_reason, enter, match_for_act
from adjudicator.gm.closing import LEAD, named_source
from adjudicator.gm.playing import deadline_of, phases_of
from adjudicator.gm.schedule import schedule_of


def amend(path: Path, at: datetime, *, why: str) -> Amended:
    """Records the GM's changes in the last phase's `state.yaml`, and hands out its reports again. Raises Faulty.

    In a match that is over, this corrects the result. The file as it is now is compared with what follows from the
    phase before and earlier changes.
    """
    with match_for_act(path, over=True) as match:
        number, why = match.last, checked_reason(why)
        where = path / match.phases[number] / STATE
        if match.opening(number).waits:
            said = "the phase waits for an answer, and its position is frozen: put it back as it was, and undo first"
            raise Faulty([problem(where, said)])
        if closed_in(match, number) is not None:
            said = "the phase is closed, and everybody knows its mark: put the position back as it was, and undo first"
            raise Faulty([problem(where, said)])
        try:
            before = amended_position(match, number, derived_position(match, number))
        except Unfit:
            raise Faulty(
                [problem(where, "the phase before doesn't lead to this position: see verify")]
            ) from None
        changes = differences(plain_of(before), plain_of(match.state(number)))
        fixed = {change.path[0] for change in changes} & {*FIXED}
        if match.state(number).chain != (chain := chain_before(match, number)):
            was = f" ({chain})" if chain else " (empty)"
            raise Faulty([problem(where, _fixed_files({*fixed, "chain"}) + was)])
        if fixed:
            raise Faulty([problem(where, _fixed_files(fixed))])
        if not changes:
            raise Faulty([problem(where, _nothing(match, number))])
        entry = Amended(at=instant(at), phase=match.phases[number], changes=tuple(changes), why=why)
        enter(match, entry)
        return entry


def chain_before(match: Folder, number: int) -> str:
    """The chain that a phase's position must have: the SHA-256 of the phase before; empty at the start."""
    closed = match.opening(number - 1).closed if number else None
    return chain_of(dict(closed.files)) if closed is not None else ""


def _fixed_files(names: Iterable[str]) -> str:
    return f"{', '.join(sorted(names))}: this can't be changed by hand; put it back as it was"


def _nothing(match: Folder, number: int) -> str:
    """The message for a file with an unchanged position, which may be written in another way."""
    text = match.read(f"{match.phases[number]}/{STATE}")
    if text == write_position(match.state(number)).encode():
        return "nothing was changed in this position; edit it first, then amend"
    return "this is the same position, written in another way (comments, order, spaces): nothing was changed"


def enter_edits(before: Path, new: Folder, at: datetime, *, why: str) -> tuple[str, ...]:
    """Tells everybody, by an entry, which files that only people write were changed since; returns their names. The
    match must be locked.

    Raises Faulty for what nobody may change so: the ledger's lines, and all that follows from other files, such as a
    position without `amend`.
    """
    old, after = open_match(before), new.path
    text = old.read(LEDGER) if old.has(LEDGER) else b""
    if not (new.read(LEDGER) if new.has(LEDGER) else b"").startswith(text):
        said = "lines that stood here were changed or taken away: put them back as they were"
        raise Faulty([problem(after / LEDGER, said)])
    found = verify(after)
    if not found.good:
        known = {(_name(before, each.file), each.text) for each in verify(before).problems}
        wrong = [each for each in found.problems if each.severity == "error"]
        if fresh := [each for each in wrong if (_name(after, each.file), each.text) not in known]:
            raise Faulty(fresh)
    files = tuple(_edited(old, new, entries_on_disk(new)[len(entries_on_disk(old)) :]))
    if files:
        enter(new, Edited(at=now_in(new, at), phase=new.phases[-1], files=files, why=checked_reason(why)))
    return files


def _name(top: Path, file: str) -> str:
    return file.removeprefix(str(top))


def _edited(old: Folder, new: Folder, entries: tuple[Entry, ...]) -> Iterator[str]:
    """The files that only people write, and that are others now, but for what these entries say already."""
    told = {name for each in of_kind(entries, Edited) for name in each.files}
    told |= {
        f"{each.phase}/{each.file}" for each in of_kind(entries, Taken) if each.mail
    }  # with its evidence
    told |= {REFEREE for _ in of_kind(entries, Replaced)}
    for name in _written_by_people(old, new):
        was, now = (match.read(name) if match.has(name) else None for match in (old, new))
        if was != now and name not in told:
            yield name


def _written_by_people(old: Folder, new: Folder) -> Iterator[str]:
    secrets = new.secrets()
    bots = secrets.bots if secrets is not None else {}
    yield from (KEYS, REFEREE)
    for phase in new.phases:
        yield f"{phase}/{NOTE}"
        for folder in (f"{phase}/{SHEETS}", f"{phase}/{ANSWERS}"):
            names = {*old.names(folder), *new.names(folder)}
            yield from (f"{folder}/{name}" for name in sorted(names) if name.partition(".")[0] not in bots)


def rename(path: Path, at: datetime, *, why: str, named: str = "", lead: timedelta = LEAD) -> ClosedPhase:
    """Names another source for the dice of a closed phase: a public text, else the next round of drand. Its sheets stay
    as they are. Raises Faulty, also if what came of the first source is here already.
    """
    with match_for_act(path) as match:
        closed, now = closed_in(match, match.last), now_in(match, at)
        if closed is None:
            raise Faulty([problem(path, f"{match.phases[-1]} isn't closed, so no source of dice is named")])
        if not closed.dice.open or beacon_in(match, match.last) is not None:
            said = "its dice are known already, so another source would be a choice among throws"
            raise Faulty([problem(path / closed.phase, said)])
        source = named_source(named) if named else DiceSource(drand=quicknet.round_after(now + lead))
        before = FormerSource(closed.dice, now, checked_reason(why))
        entry = SourceChanged(
            at=now, phase=closed.phase, drand=source.drand, named=source.named, why=before.why
        )
        closed = replace(closed, dice=source, renamed=(*closed.renamed, before))
        match.add(f"{closed.phase}/{CLOSED}", closed_text(closed))
        add_entries(match, entry)
        if match.has(f"{closed.phase}/{FOR}"):
            hand_out_again(match)
        match.commit()
        return closed


def reschedule(path: Path, schedule: Mapping[str, Any], at: datetime, *, why: str) -> Rescheduled:
    """Gives a match another schedule, as it is written in a file. Raises Faulty.

    The announced deadline of the open phase stands: players count on it, and `extend` can move it. If the phase has
    none, because the match had no schedule, it gets one, counted from now; if the match is on hold, when it goes on.
    """
    with match_for_act(path) as match:
        now = now_in(match, at)
        if dict(schedule) == dict(written_schedule(match)):
            raise Faulty([problem(path, "the match already has this schedule")])
        read = schedule_of(schedule, phases_of(match.rulebook))
        entries, phase = ledger_of(match), match.phases[-1]
        entry = Rescheduled(at=now, schedule=dict(schedule), why=checked_reason(why))
        if read is not None and deadline_in_force(entries, phase) is None and hold_in_force(entries) is None:
            found = deadline_of(match, now, schedule=read)
            assert found is not None
            entry = replace(entry, phase=phase, **asdict(found))
        enter(match, entry)
        return entry


def upgrade(path: Path, at: datetime, *, why: str = "") -> Upgraded | Difference:
    """Lets a match go on by the newest version of its rulebook: if every phase comes out as it did, or with a reason.

    Else nothing is changed, and the first difference is returned. Raises Faulty, also for a match in which something
    doesn't follow from the rest.
    """
    with match_for_act(path) as match:
        now, was, newest = now_in(match, at), match.rules(match.last), match.rulebook.versions[-1]
        _check(match, was, newest)
        if wrong := [each for each in Replay(match).check().problems if each.severity == "error"]:
            raise Faulty(wrong)
        found = first_difference(match, newest)
        if found is not None and not why:
            return found
        reason = checked_reason(why) if why else ""
        entry = Upgraded(
            at=now,
            phase=match.phases[-1],
            was=was,
            now=newest,
            program=__version__,
            same=found is None,
            why=reason,
        )
        match.change_state(replace(match.state(match.last), rules=newest))
        enter(match, entry)
        return entry


def _check(match: Folder, was: int, newest: int) -> None:
    """Raises Faulty if the open phase can't go on by other rules."""
    where = match.path / match.phases[-1]
    if was == newest:
        raise Faulty(
            [problem(where, f"the match is played by version {newest} of the rules already, the newest here")]
        )
    if was > newest:
        said = f"the match is played by version {was} of the rules; this program has {newest}: it needs a later release"
        raise Faulty([problem(where, said)])
    if waits := match.opening(match.last).waits:
        said = f"the phase has begun and waits for {waits}: let it end, or undo, and upgrade then"
        raise Faulty([problem(where, said)])
    if closed_in(match, match.last) is not None:
        said = (
            "the phase is closed, and everybody knows its mark: let it be played, or undo, and upgrade then"
        )
        raise Faulty([problem(where / STATE, said)])
