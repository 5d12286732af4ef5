"""Replays phases of a match by the release of the program that played them, as a process of its own.

The old program verifies a copy that ends with the position after these phases, as it had written it: it gets files
alone, never the match's own folder, and can change nothing there.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Timer
from typing import Any

from msgspec import Struct

from adjudicator.engine.folder.entries import Amended, standing
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.gate import Kind
from adjudicator.engine.folder.ledger import entries_on_disk
from adjudicator.engine.folder.marks import below
from adjudicator.engine.folder.names import CARD, FOR, KEYS, LEDGER, OPEN, REFEREE, SEED, STATE, UNDONE
from adjudicator.engine.folder.papers import Opening, Secrets, text_of
from adjudicator.engine.text import typed
from adjudicator.engine.text.problem import counted
from adjudicator.engine.text.resources import DISTRIBUTION
from adjudicator.engine.text.source import Source, read
from adjudicator.engine.text.writing import write

PATIENCE = 600.0
"""How long an old program may take, in seconds."""
MOST_SAID = 64 * 1024
"""How much it may say, in bytes."""
MOST_TOLD = 300
"""How much of that is told, in characters."""
INSTALLERS = {"uv": ("tool", "run", "--from"), "pipx": ("run", "--spec")}
"""Programs that run a release from the package registry."""
_PYTHON = re.compile(r"(?i)(python[0-9.]*|py)(\.exe)?")
_REPLAYED = re.compile(
    r"^Replayed (?P<count>\d+)(?: of \d+)? phases?(?P<differs>; the first file that differs)?", re.M
)


class Stretch(Struct, frozen=True):
    """Phases that were played by a version of the rules that this program doesn't have, and that come out otherwise by
    the newest; `release` played the last of them, whose number is `last`.
    """

    rules: int
    release: str
    phases: tuple[str, ...]
    last: int

    @property
    def name(self) -> str:
        """The phases' names."""
        return names_of(self.phases)


class ReplayByOther(Struct, frozen=True):
    """What another program made of a stretch: `good` if it replayed each of its phases, and everything follows.

    `said` are its words, or why it couldn't be asked. `wrong`: it says that something doesn't follow.
    """

    good: bool
    said: str
    wrong: bool = False


def names_of(phases: Sequence[str]) -> str:
    """Phases in words: `0003-t1-market to 0005-t1-combat, 0009-t2-market (4 phases)`."""
    rows: list[list[str]] = []
    for name in phases:
        if rows and _number(name) == _number(rows[-1][-1]) + 1:
            rows[-1].append(name)
        else:
            rows.append([name])
    told = ", ".join(f"{row[0]} to {row[-1]}" if row[1:] else row[0] for row in rows)
    return f"{told} ({counted(len(phases), 'phase')})" if phases[1:] else told


def _number(phase: str) -> int:
    return int(phase.partition("-")[0])


def replay_by_release(given: Mapping[str, Path], match: Folder, stretch: Stretch) -> ReplayByOther:
    """What the release that played a stretch makes of it: from those given by their versions (programs, zip apps or
    Pythons that have them), else from the package registry, if `uv` or `pipx` is installed here. Raises Faulty.
    """
    command = command_of(stretch.release, given)
    if not command:
        how = f"name that program with --with {stretch.release}=PATH, or install uv or pipx"
        return ReplayByOther(good=False, said=how)
    with tempfile.TemporaryDirectory(prefix="adjudicator-") as made:
        here, copy = Path(made, "here"), Path(made, "match")
        here.mkdir()
        for name, data in files_then(match, stretch.last):
            path = copy / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if data is None:
                path.mkdir(exist_ok=True)
            else:
                path.write_bytes(data)
        try:
            status, said = _answer((*command, "verify", str(copy)), here)
        except OSError as error:
            return ReplayByOther(good=False, said=f"{command[0]}: {error.strerror or error}")
        return _understood(status, said.replace(str(copy), str(match.path)), stretch, match)


def command_of(release: str, given: Mapping[str, Path]) -> tuple[str, ...]:
    """The command that runs a release of the program; empty if there is none here."""
    if release in given:
        path = given[release].absolute()
        if _PYTHON.fullmatch(path.name):
            return (str(path), "-I", "-m", "adjudicator")
        return (sys.executable, "-I", str(path)) if path.suffix == ".pyz" else (str(path),)
    try:
        typed.release_of(release)
    except ValueError:
        return ()
    if "dev" not in release:  # such a version is in no registry
        for name, words in INSTALLERS.items():
            if (found := shutil.which(name)) is not None:
                return (str(Path(found).absolute()), *words, f"{DISTRIBUTION}=={release}", "adjudicator")
    return ()


def files_then(match: Folder, last: int) -> Iterator[tuple[str, bytes | None]]:
    """The files of a match by name as they were when phase `last` had been played, without what players got; a folder
    has None. Raises Faulty.
    """
    yield CARD, match.read(CARD)
    if match.has(KEYS):
        yield KEYS, match.read(KEYS)
    waits = last == match.last
    over = not waits and match.head(last + 1).over
    if (secrets := match.secrets()) is not None:
        yield f"{match.phases[last + 1]}/{SEED}" if over else REFEREE, text_of(Secrets(seed=secrets.seed))
    for number in range(last + 1):
        top = match.phases[number]
        for name in below(match, top):
            if not name.startswith(f"{top}/{FOR}/") and match.kind(name) is Kind.FILE:
                yield name, match.read(name)
        if match.opening(number).handed:
            yield f"{top}/{FOR}", None  # early releases look whether it is there
    openings = [match.opening(number) for number in range(min(last + 1, match.last) + 1)]
    newest = max(each.undone for each in openings)
    for name in match.names(UNDONE) if newest else ():
        if f"{UNDONE}/{name}" <= newest:
            yield from ((each, match.read(each)) for each in below(match, f"{UNDONE}/{name}"))
    if waits:
        if match.has(LEDGER):
            yield LEDGER, match.read(LEDGER)
        return
    yield from _position_after(match, last)
    if lines := _ledger_then(match, last + 1):
        yield LEDGER, lines


def _position_after(match: Folder, last: int) -> Iterator[tuple[str, bytes]]:
    """The position after a phase, and its `open.yaml`, as the program that played the phase had written them.

    A later release may have written them anew, with options and keys that the old one doesn't know.
    """
    before, after = (_plain(match, f"{match.phases[number]}/{STATE}") for number in (last, last + 1))
    for key in (typed.KEY, "rules", "options"):
        after.pop(key, None) if key not in before else after.update({key: before[key]})
    opening = match.opening(last + 1)
    then = Opening(
        due=opening.due,
        since=opening.since,
        until=opening.until,
        version=opening.version,
        entries=opening.entries,
        ledger=opening.ledger,
        undone=opening.undone,
        taken=opening.taken,
    )
    yield f"{match.phases[last + 1]}/{STATE}", write(after).encode()
    yield f"{match.phases[last + 1]}/{OPEN}", text_of(then)


def _plain(match: Folder, name: str) -> dict[str, Any]:
    found = read(match.read(name), name, most=None)
    return dict(found.plain) if isinstance(found, Source) and isinstance(found.plain, dict) else {}


def _ledger_then(match: Folder, number: int) -> bytes:
    """The ledger as it was when a phase was opened, with the changes by hand in its position, which came later."""
    if not match.has(LEDGER):
        return b""
    entries, lines = entries_on_disk(match), match.read(LEDGER).splitlines(keepends=True)
    then, kept = match.opening(number).entries, standing(entries)
    later = [
        line
        for entry, line in zip(entries[then:], lines[then:], strict=True)
        if isinstance(entry, Amended) and entry.phase == match.phases[number] and entry in kept
    ]
    return b"".join((*lines[:then], *later))


def _answer(command: tuple[str, ...], here: Path) -> tuple[int, str]:
    """What a program says, and its status; it may take only so long, and say only so much. Raises OSError."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    with subprocess.Popen(
        command,
        cwd=here,
        env={**variables, "PYTHONSAFEPATH": "1", "PYTHONUTF8": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        timer = Timer(PATIENCE, _end, (process,))
        timer.start()
        try:
            said = process.stdout.read(MOST_SAID)
            if process.stdout.read(1):
                _end(process)
            return process.wait(), said.decode(errors="replace")
        finally:
            timer.cancel()
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends a process, and those that it started, also if it has ended before them."""
    if sys.platform == "win32":
        process.kill()
    else:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def _understood(status: int, said: str, stretch: Stretch, match: Folder) -> ReplayByOther:
    """What an old program says of a stretch. Its phases count as replayed if the program says that it has replayed as
    many as were played by their rules.
    """
    lines = [" ".join(line.split()) for line in said.splitlines() if line.strip()]
    found = _REPLAYED.search(said)
    if found is None or status < 0:
        why = "it took too long, or said too much" if status < 0 else f"it ended with status {status}"
        return ReplayByOther(good=False, said=f"{why}: {' '.join(lines[-1:])}"[:MOST_TOLD])
    if found["differs"]:
        wrong = [line for line in lines if ": warning: " not in line]
        return ReplayByOther(good=False, said="; ".join(wrong)[:MOST_TOLD], wrong=True)
    ended = min(stretch.last + 1, match.last)
    played = sum(match.rules(number) == stretch.rules for number in range(ended))
    if int(found["count"]) < played or status not in (0, 3):
        return ReplayByOther(good=False, said=f"it says: {found[0]}")
    return ReplayByOther(good=True, said=found[0])
