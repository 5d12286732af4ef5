"""What a GM changed in a match's files beside all commands: entered in the ledger and told to everybody, or refused."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.entries import Edited, Entry, Replaced, Taken, of_kind
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.folder import Folder, open_match
from adjudicator.engine.folder.ledger import entries_on_disk, now_in
from adjudicator.engine.folder.names import KEYS, LEDGER, NOTE, REFEREE
from adjudicator.engine.folder.post import SHEETS
from adjudicator.engine.sheets.answers import ANSWERS
from adjudicator.gm.acts import checked_reason, enter


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
