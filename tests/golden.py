"""`make golden`: replays the short matches in `tests/golden/` from their sheets. Read the diff before you commit it.

Of each match `match.yaml` is the input, written by hand: players, options, a text for the seed, and all mail. The other
files are what comes of it: `events.txt`, all events by phase; `end.yaml`, the last position; `public.md` and a
player's report, of all that has happened, from the start to that position; `forms.txt`, the sheets to be filled in that
the player got, the last one of each kind of phase. Digests of other files are left out: they would change with those.

`versions.yaml` has for each game the version of its rulebook and a digest of its golden matches' events, so that nobody
changes what comes of the rules without giving the rulebook its next version.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.audit.verify import without_reason
from adjudicator.engine.folder.folder import Folder, open_match
from adjudicator.engine.folder.marks import DIGITS
from adjudicator.engine.folder.names import EVENTS, FOR, PUBLIC
from adjudicator.engine.library import registry
from adjudicator.engine.match.begin import begin
from adjudicator.engine.match.run import RunResult, run
from adjudicator.engine.match.showing import write_again
from adjudicator.engine.play.position import write_position
from adjudicator.engine.report.reader_texts import REPORT
from adjudicator.engine.text.source import Source, read
from adjudicator.engine.text.writing import write

TOP = Path(__file__).parent / "golden"
INPUT = "match.yaml"
VERSIONS = TOP / "versions.yaml"
FORM = "sheet.yaml"
A_MARK = re.compile(rf"`[0-9a-f]{{{DIGITS}}}`")
SEEN = re.compile(rf"(?m)^seen: \S*[0-9a-f]{{{DIGITS}}}\S*$")


class Mail(Struct, frozen=True, forbid_unknown_fields=True):
    """What comes in for a phase, such as `t1-market`: the players' sheets, and the answers once somebody is asked."""

    to: str
    sheets: Mapping[str, str] = {}
    answers: Mapping[str, str] = {}


class Recorded(Struct, frozen=True, forbid_unknown_fields=True):
    """The input of a golden match; `reader` is the player whose report is kept."""

    rulebook: str
    players: tuple[str, ...]
    options: Mapping[str, Any]
    seed: str
    reader: str
    mail: tuple[Mail, ...]


def cases() -> list[Path]:
    """The folders of all golden matches."""
    return sorted(path.parent for path in TOP.glob(f"*/{INPUT}"))


def recorded(case: Path) -> Recorded:
    """The input of one. Raises ValueError on a file that isn't one."""
    source = read((case / INPUT).read_bytes(), INPUT, most=None)
    if not isinstance(source, Source):
        raise ValueError(f"{case.name}/{INPUT}:{source.line}: {source.text}")
    return msgspec.convert(source.plain, Recorded)


# -- replaying ---------------------------------------------------------------------------------------------------------


def replay(case: Path, path: Path) -> list[str]:
    """Plays a golden match from its mail in a new match folder; returns what of the mail was never called for.

    Mail waits until its phase is open, a player's answers until the player is asked. Whoever has sent nothing sends
    nothing: that is a deadline. So the mail needs no change when a rule makes a phase longer or leaves one out.
    """
    match = recorded(case)
    options = {name: _as_option(value) for name, value in match.options.items()} | {"pages": "off"}
    ran = begin(match.rulebook, path, match.players, options=options, seed_text=match.seed, name=case.name)
    left, unused = list(match.mail), []
    while left and not ran.over and _turn(ran) <= max(_turn(mail) for mail in left):
        here = next((at for at, mail in enumerate(left) if ran.open.endswith(f"-{mail.to}")), None)
        mail = Mail(ran.open)
        if here is not None:
            unused += [each.to for each in left[:here]]
            mail, left = left[here], left[here + 1 :]
        ran = _delivered(path, ran, mail)
    return [*unused, *(mail.to for mail in left)]


def _delivered(path: Path, ran: RunResult, mail: Mail) -> RunResult:
    """Runs a phase with its mail, and to its end."""
    phase, answers = ran.open, dict(mail.answers)
    for player, text in mail.sheets.items():
        _put(path / phase / "sheets" / f"{player}.yaml", f"player: {player}\n{text}")
    ran = run(path)
    while ran.open == phase:
        asked = answers.pop(ran.waiting, None)
        if asked is not None:
            _put(path / phase / "answers" / f"{ran.waiting}.yaml", f"player: {ran.waiting}\n{asked}")
        ran = run(path, deadline=asked is None)
    return ran


def _put(file: Path, text: str) -> None:
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8", newline="\n")


def _turn(phase: RunResult | Mail) -> int:
    """The turn in `t3-market` or `0015-t3-market`."""
    name = phase.open if isinstance(phase, RunResult) else phase.to
    return int(next(part for part in name.split("-") if part.startswith("t"))[1:])


def _as_option(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


# -- what comes of it --------------------------------------------------------------------------------------------------


def outcome(case: Path, path: Path, unused: list[str]) -> dict[str, str]:
    """What is kept of a match that was replayed in a folder, by file."""
    match, reader = open_match(path), recorded(case).reader
    texts = {
        "events.txt": events_of(path, unused),
        "end.yaml": write_position(replace(match.state(match.last), chain="")),
        "forms.txt": _forms(match, reader),
    }
    # The reports tell what has happened since those before them; without those, all of it.
    with patch.object(Folder, "handed_out", return_value=False):
        write_again(path)
    for who in (PUBLIC, reader):
        report = (path / match.phases[-1] / FOR / who / REPORT).read_text(encoding="utf-8")
        texts[f"{who}.md"] = A_MARK.sub("`(mark)`", report)
    return texts


def _forms(match: Folder, reader: str) -> str:
    """The sheets that a player got to be filled in, the last one of each kind of phase, each below its phase."""
    last: dict[str, str] = {}
    for phase in match.phases:
        path = f"{phase}/{FOR}/{reader}/{FORM}"
        if match.has(path):
            last[phase.split("-", 2)[2]] = (
                f"# ---- {phase}\n{SEEN.sub('seen: (mark)', match.read(path).decode())}"
            )
    return "\n".join(last.values())


def events_of(path: Path, unused: list[str]) -> str:
    """All events of a match that was replayed in a folder, and what of its mail was never called for."""
    return "".join(f"{line}\n" for line in _events(open_match(path), unused))


def _events(match: Folder, unused: list[str]) -> Iterator[str]:
    """All events by phase, as they stand in `events.jsonl`."""
    for phase in match.phases[:-1]:
        yield f"# {phase}"
        yield from match.read(f"{phase}/{EVENTS}").decode().splitlines()
    yield f"# {match.phases[-1]} is open"
    if unused:
        yield f"# never called for: {', '.join(unused)}"


# -- versions of the rulebooks -----------------------------------------------------------------------------------------


class Digests(Struct, frozen=True):
    """Of one golden match: what goes in, and the events that come out."""

    input: str
    events: str


class Version(Struct, frozen=True):
    """The version of a rulebook with which its golden matches' events came out so."""

    version: str
    matches: Mapping[str, Digests]


def _done(line: str) -> str:
    """A line of the events; of a refusal or a remark without its reason, which needs no version (`verify`)."""
    return str(without_reason(line.encode())) if '"reason":' in line else line


def digests(case: Path, events: str) -> Digests:
    """Those of a golden match whose events are known."""
    done = "".join(f"{_done(line)}\n" for line in events.splitlines())
    texts = (case / INPUT).read_bytes(), done.encode()
    return Digests(*(sha256(text).hexdigest()[:DIGITS] for text in texts))


def versions() -> dict[str, Version]:
    """What is written in `versions.yaml`, by game."""
    source = read(VERSIONS.read_bytes() if VERSIONS.is_file() else b"{}", VERSIONS.name, most=None)
    assert isinstance(source, Source), source
    return msgspec.convert(source.plain, dict[str, Version])


def unversioned(game: str, now: Version, before: Version | None) -> str:
    """What must be done where a game's events come out otherwise than before; empty if nothing must."""
    if before is None or now.version != before.version:
        return ""
    was = before.matches
    changed = [
        name
        for name, here in now.matches.items()
        if name in was and here.input == was[name].input and here.events != was[name].events
    ]
    if not changed:
        return ""
    return (
        f"The events of {', '.join(changed)} come out otherwise than before by version {before.version} of the "
        f"rulebook: give `version` in adjudicator/rulebooks/{game.replace('-', '_')}/__init__.py the next number, "
        "then `make golden`"
    )


def main() -> int:
    """Writes what comes of all golden matches, and the versions; 1 if a rulebook has to get its next one first."""
    found: dict[str, dict[str, Digests]] = {}
    for case in cases():
        with TemporaryDirectory() as folder:
            path = Path(folder) / case.name
            made = outcome(case, path, replay(case, path))
        for old in case.iterdir():
            if old.name not in (INPUT, *made):
                old.unlink()
        for name, text in made.items():
            write_if_new(case / name, text)
        found.setdefault(recorded(case).rulebook, {})[case.name] = digests(case, made["events.txt"])
    before = versions()
    after = {game: Version(registry.rulebook(game).version, matches) for game, matches in found.items()}
    faults = {game: unversioned(game, now, before.get(game)) for game, now in after.items()}
    kept = {game: before[game] if faults[game] else now for game, now in after.items()}
    write_if_new(VERSIONS, write(msgspec.to_builtins(kept)))
    for fault in filter(None, faults.values()):
        print(fault, file=sys.stderr)
    return 1 if any(faults.values()) else 0


def write_if_new(file: Path, text: str) -> None:
    """Writes a file that isn't so already, and says it."""
    if not file.is_file() or file.read_bytes() != text.encode():
        file.write_bytes(text.encode())
        print(f"written: {file.relative_to(TOP.parent.parent)}")


if __name__ == "__main__":
    sys.exit(main())
