"""`make golden`: replays the short matches in `tests/golden/` from their sheets. Read the diff before you commit it.

Of each match `match.yaml` is the input, written by hand: players, options, a text for the seed, and all mail. The other
files are what comes of it: `events.txt`, all events by phase; `end.yaml`, the last position; `public.md` and a
player's report, of all that has happened, from the start to that position.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.folder.folder import Folder, open_match
from adjudicator.engine.folder.names import EVENTS, FOR, PUBLIC
from adjudicator.engine.match.begin import begin
from adjudicator.engine.match.run import Ran, run
from adjudicator.engine.match.showing import write_again
from adjudicator.engine.play.position import write_position
from adjudicator.engine.text.source import Source, read

TOP = Path(__file__).parent / "golden"
INPUT = "match.yaml"


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


def _delivered(path: Path, ran: Ran, mail: Mail) -> Ran:
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


def _turn(phase: Ran | Mail) -> int:
    """The turn in `t3-market` or `0015-t3-market`."""
    name = phase.open if isinstance(phase, Ran) else phase.to
    return int(next(part for part in name.split("-") if part.startswith("t"))[1:])


def _as_option(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


# -- what comes of it --------------------------------------------------------------------------------------------------


def outcome(case: Path, path: Path, unused: list[str]) -> dict[str, str]:
    """What is kept of a match that was replayed in a folder, by file."""
    match, reader = open_match(path), recorded(case).reader
    texts = {
        "events.txt": "".join(f"{line}\n" for line in _events(match, unused)),
        # Without the chain: it would say in each of these files that some other file has changed.
        "end.yaml": write_position(replace(match.state(match.last), chain="")),
    }
    # The reports tell what has happened since those before them; without those, all of it.
    with patch.object(Folder, "handed_out", return_value=False):
        write_again(path)
    for who in (PUBLIC, reader):
        texts[f"{who}.md"] = (path / match.phases[-1] / FOR / who / "report.md").read_text(encoding="utf-8")
    return texts


def _events(match: Folder, unused: list[str]) -> Iterator[str]:
    """All events by phase, as they stand in `events.jsonl`."""
    for phase in match.phases[:-1]:
        yield f"# {phase}"
        yield from match.read(f"{phase}/{EVENTS}").decode().splitlines()
    yield f"# {match.phases[-1]} is open"
    if unused:
        yield f"# never called for: {', '.join(unused)}"


def main() -> None:
    """Writes what comes of all golden matches."""
    for case in cases():
        with TemporaryDirectory() as folder:
            path = Path(folder) / case.name
            made = outcome(case, path, replay(case, path))
        for old in case.iterdir():
            if old.name not in (INPUT, *made):
                old.unlink()
        for name, text in made.items():
            file = case / name
            if not file.is_file() or file.read_bytes() != text.encode():
                file.write_bytes(text.encode())
                print(f"written: {file.relative_to(TOP.parent.parent)}")


if __name__ == "__main__":
    main()
