"""Matches in folders for tests: begun, and played by bots that write sheets as players do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from adjudicator.contract.secrets import varied, varied_event
from adjudicator.engine.bots import random_orders
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.names import OPEN, STATE
from adjudicator.engine.folder.papers import text_of
from adjudicator.engine.handout import for_all
from adjudicator.engine.library import registry
from adjudicator.engine.match.begin import begin
from adjudicator.engine.match.run import RunResult, run
from adjudicator.engine.play import attempts
from adjudicator.engine.play.position import write_position
from adjudicator.engine.play.view import position_for
from adjudicator.engine.table.event import NotSent, Player, Remarked
from adjudicator.engine.text.source import Source, read
from adjudicator.engine.text.writing import write

TWO = ("venice", "genoa")
FOUR = ("venice", "genoa", "spain", "turkey")
PHASE_BY_PHASE = {"pages": "off", "stops": "all"}
"""Options of a match that waits at every phase, as most tests want it: a sheet for each."""

SOME_GAMES = [
    pytest.param(game, marks=() if game in ("mediterranee", "oltremare") else pytest.mark.soak)
    for game in registry.OWN
]
"""Every game, for what is the same in all and is seen in whole matches: two that differ most (sheets of all at once, a
turn for each; a board for all, hands), the others in `soak` alone."""


class Varied(Folder):
    """A match in which all is different that a reader may not know."""

    def __init__(self, path: Path, who: Player | None) -> None:
        super().__init__(path)
        self.who = who

    def state(self, number: int) -> Any:
        state = super().state(number)
        return varied(self.rulebook, state, state, self.who)

    def events(self, number: int) -> Any:
        state = super().state(number + 1)
        seen = [event for event in super().events(number) if not event.to or self.who in event.to]
        return tuple(varied_event(self.rulebook, state, event, self.who) for event in seen)


def begun(path: Path, players: tuple[str, ...] = TWO, **options: str) -> Path:
    """A new match with a seed that is always the same, without pages unless they are wanted.

    It is begun once in a process; after that its files are laid out as they were.
    """
    key = (for_all.texts_for_all.__name__, players, *options.items())  # some tests leave reports out
    if key not in LAID_OUT:
        begun_anew(path, players, **options)
        LAID_OUT[key] = [
            (one.relative_to(path), one.stat().st_mode, None if one.is_dir() else one.read_bytes())
            for one in sorted(path.rglob("*"))
        ]
        return path
    path.mkdir(0o700, parents=True)
    for name, mode, data in LAID_OUT[key]:
        if data is None:
            (path / name).mkdir(mode)
        else:
            (path / name).write_bytes(data)
            (path / name).chmod(mode)
    return path


def begun_anew(path: Path, players: tuple[str, ...] = TWO, **options: str) -> Path:
    """The same, for tests of the beginning."""
    begin(
        "mediterranee", path, players, options={**PHASE_BY_PHASE, **options}, seed_text="test", name="lagoon"
    )
    return path


LAID_OUT: dict[tuple[Any, ...], list[tuple[Path, int, bytes | None]]] = {}
"""What lies in a match that has just begun, by its players and options: names, modes, and what stands in files."""


def send(match: Path, player: str, text: str = "orders: []", kind: str = "sheets", head: bool = True) -> Path:
    """Puts a file into the open phase's folder, as the GM would."""
    path = match / Folder(match).phases[-1] / kind / f"{player}.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text((f"player: {player}\n" if head else "") + text + "\n")
    return path


def send_all(match: Path, text: str = "orders: []") -> None:
    """A sheet of everybody who is due."""
    folder = Folder(match)
    for player in folder.state(folder.last).phase.due:
        send(match, player, text)


def answer(match: Path, zone: str, grant: str = "true") -> None:
    """Venice answers whether Genoa's galley may go on from a zone."""
    send(match, "venice", f"answers: [{{passage: genoa-1, in: {zone}, grant: {grant}}}]", "answers")


def play(match: Path, runs: int, seed: str = "bots", bot: str = "random") -> RunResult:
    """Bots send their sheets, and the match is run, so many times or to its end."""
    chances = attempts.SeededChance(seed)
    for _ in range(runs):
        folder = Folder(match)
        state = folder.state(folder.last)
        for player in state.phase.due:
            view = position_for(folder.rulebook, state, player)
            sheet: dict[str, Any] = {"player": player}
            if bot == "random":
                phase = folder.rulebook.phase(state.phase.name)
                sheet["orders"] = random_orders(folder.rulebook, phase, view, player, chances)
            else:
                assert folder.rulebook.bot is not None
                sheet |= folder.rulebook.bot(view, player, chances)
            (match / folder.phases[-1] / "sheets" / f"{player}.yaml").write_text(write(sheet))
        ran = run(match)
        if ran.over:
            break
    return ran


def remarks(match: Path, number: int) -> list[tuple[str, str, str]]:
    """What is said of the sheets of a phase: whose it is, why, and where."""
    return [
        (event.player, event.reason.key, event.place)
        for event in Folder(match).events(number)
        if isinstance(event, NotSent | Remarked)
    ]


def report_of(match: Path, folder: str, who: str) -> str:
    """A report as it was handed out."""
    return (match / folder / f"for/{who}/report.md").read_text()


def said(faulty: pytest.ExceptionInfo[Faulty]) -> str:
    """The first thing that is wrong."""
    return faulty.value.problems[0].text


def tree(match: Path) -> dict[str, bytes]:
    """Every file of a match but the lock, by name."""
    return {
        str(path.relative_to(match)): path.read_bytes()
        for path in sorted(match.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }


def at_position(path: Path, state: Any) -> Path:
    """A match whose first phase after the start is that position, as a GM would put it there by hand."""
    game, players = state.rulebook, tuple(state.players)
    begin(game, path, players, options=PHASE_BY_PHASE, seed_text="test", name=path.name)
    top = path / Folder(path).phases[-1]
    head = msgspec.structs.replace(state.phase, number=1)
    new = path / f"0001-t{head.turn}-{head.name}"
    top.rename(new)
    put = yaml_in(new / STATE)
    options = msgspec.convert(put["options"], type(state.options))
    state = msgspec.structs.replace(state, match=path.name, phase=head, options=options, chain=put["chain"])
    (new / STATE).write_text(write_position(state))
    opening = msgspec.structs.replace(Folder(path).opening(1), due=tuple(head.due))
    (new / OPEN).write_bytes(text_of(opening))
    return path


def yaml_in(file: Path) -> dict[str, Any]:
    """What stands in a file that the program wrote."""
    source = read(file.read_bytes(), file.name, most=None)
    assert isinstance(source, Source)
    plain: Any = source.plain
    return dict(plain)
