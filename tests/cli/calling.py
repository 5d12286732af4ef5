"""Calls the program in this process, and writes the files for these calls."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from adjudicator.cli import app
from adjudicator.engine.library import registry
from adjudicator.engine.play.inbox import Inbox
from adjudicator.engine.play.position import write_position
from adjudicator.engine.play.referee import advance
from adjudicator.engine.play.view import position_for
from adjudicator.engine.table.dice import SeededDice, seed_from
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.secret import plain_of
from adjudicator.engine.text.source import Source, read
from adjudicator.engine.text.writing import write

GAME = "mediterranee"
BAD = {
    "unreadable": b"player: venice\norders: [\n",
    "brackets": b"[" * 30_000,
    "large": b"player: venice\norders: []\n" + b"#" * 70_000,
    "double key": b"player: venice\norders: []\norders: []\n",
    "alias": b"player: venice\norders: &a []\nlater: *a\n",
    "tag": b"player: venice\norders: !!python/object/apply:os.getcwd []\n",
    "not UTF-8": b"player: venice\n# \xff\norders: []\n",
    "binary": bytes(range(256)) * 8,
    "empty": b"",
    "list": b"- player: venice\n- orders: []\n",
    "text": b"move venice-1 to ionio\n",
    "unknown player": b"player: vennice\norders: []\n",
    "unknown player, a list": b"player: [venice]\norders: []\n",
    "other match": b"player: venice\nmatch: pond\norders: []\n",
    "other phase": b"player: venice\nphase: 0004-t1-movement\norders: []\n",
}
"""Files that count as not sent."""
FAULTY = {
    "unknown key": (
        "player: venice\nordres: []\n",
        '2:1: SCHEMA there is no "ordres" here (did you mean orders?)',
    ),
    "unknown verb": ("player: venice\norders:\n  - bild: galley\n", "3:5: SCHEMA"),
    "unknown field": ("player: venice\norders:\n  - buy: wine\n    att: modon\n", "(did you mean at?)"),
    "wrong type": ("player: venice\norders:\n  - buy: [wine]\n    at: modon\n", "3:10: SCHEMA"),
    "orders a text": ("player: venice\norders: none\n", "2:9: SCHEMA"),
    "negative": (
        "player: venice\norders:\n  - buy: wine\n    at: venezia\n    price: -100\n",
        "5:12: SCHEMA",
    ),
    "fraction": (
        "player: venice\norders:\n  - buy: wine\n    at: venezia\n    quantity: 1.5\n",
        "5:15: SCHEMA",
    ),
    "another's galley": (
        "player: venice\norders:\n  - jettison: {wine: 1}\n    from: genoa-1\n",
        "4:11: MED-2.11",
    ),
    "order a text": ("player: venice\norders:\n  - pass\n", "3:5: SCHEMA"),
    "standing": ("player: venice\norders: []\nstanding: {price: []}\n", "3:12: SCHEMA"),
    "later": ("player: venice\norders: []\nlater: {auction: {orders: []}}\n", "3:9: SCHEMA"),
}
"""Sheets for a market with something wrong in them, and what is said of it."""


def adjudicator(*words: Any, given: bytes | None = None) -> Result:
    """Runs a command; anything but an orderly end is an error of the test."""
    result = CliRunner().invoke(app, [str(word) for word in words], input=given)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert "Traceback" not in result.output
    return result


@cache
def position(phase: str, players: tuple[Player, ...] = ("venice", "genoa"), **options: Any) -> Any:
    """The usual start played without sheets up to a phase of the first turn, of a match without pages."""
    rulebook = registry.rulebook(GAME)
    state = rulebook.start("lagoon", rulebook.Options(**{"pages": "off", **options}), players)
    while state.phase.name != phase:
        dice = SeededDice(seed_from("calm"), "lagoon", state.phase.number)
        state = advance(rulebook, state, Inbox(), dice).state
    return state


def lay_out(folder: Path, state: Any, player: Player = "venice") -> Path:
    """A position and a player's view of it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "state.yaml").write_text(write_position(state))
    view = position_for(registry.rulebook(state.rulebook), state, player)
    (folder / "view.yaml").write_text(write_position(view))
    return folder


def everything(folder: Path) -> dict[str, bytes]:
    """All files below a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def put(name: str, what: Any) -> str:
    """Writes a file: bytes, a text, or something to be written as YAML; returns its name."""
    text = (
        what
        if isinstance(what, bytes)
        else (what if isinstance(what, str) else write(plain_of(what))).encode()
    )
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_bytes(text)
    return name


def plain(name: str) -> Any:
    """What stands in a file of YAML."""
    source = read(Path(name).read_bytes(), name, most=None)
    assert isinstance(source, Source)
    return source.plain


def sheet(player: str, orders: list[Any] | None = None, **more: Any) -> str:
    """Writes a sheet; returns its name."""
    return put(f"{player}.yaml", {"player": player, "orders": orders or [], **more})
