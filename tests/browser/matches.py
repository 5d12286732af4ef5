"""Matches in their folders, with pages of every kind; the phases are written by hand and opened one after the other."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from shutil import copytree, ignore_patterns, rmtree
from typing import Any

import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.handout import for_all
from adjudicator.engine.library import registry
from adjudicator.engine.match.begin import begin
from adjudicator.engine.match.run import run
from adjudicator.engine.match.showing import write_again
from adjudicator.engine.play.position import write_position
from adjudicator.engine.report.reader_facts import ReaderFacts
from adjudicator.engine.sheets.reading import folder_name
from adjudicator.engine.table.event import Head, Player
from adjudicator.engine.table.rulebook import Rulebook
from tests.browser.written_phases import KINDS, Written, phases_of, players_of, state_of, text_of

NAME = "by hand"
GM = "gm@example.org"
DUE = "Sunday, 20:00"
HOSTILE = "<script>alert(1)</script> \"x\" '&amp;' </script> 😀 \u05e9\u05dc\u05d5\u05dd"
"""A match's name that does harm wherever a text is put in unescaped."""


WHOLE = 1
"""Of so many games all is tried in `make test-all`; of the others every phase once, and the rest in `soak`."""
EVERY = list(registry.OWN)


def param(*values: str, by_default: bool) -> Any:
    """A parameter of tests, in `soak` alone if not by default."""
    return pytest.param(*values, id="-".join(values), marks=() if by_default else pytest.mark.soak)


def of(game: str, *what: str) -> Any:
    """A parameter of tests: a game, perhaps with something of it."""
    return param(game, *what, by_default=game in EVERY[:WHOLE])


def verbs_of(game: str, kind: str) -> set[str]:
    """What can be ordered in a kind of phase."""
    return {*registry.rulebook(game).phase(kind).verbs}


def is_no_part(game: str, kind: str) -> bool:
    """Can something be ordered in this kind of phase that can't in a richer one?"""
    return not any(verbs_of(game, kind) < verbs_of(game, other) for other in KINDS[game])


RICHEST = {game: max(KINDS[game], key=lambda kind: len(verbs_of(game, kind))) for game in EVERY}
"""The kind of phase in which most can be ordered."""
GAMES = [of(game) for game in EVERY]
PHASES = [of(game, kind) for game in EVERY for kind in KINDS[game]]
SHEETS = [
    param(
        *(game, written.name),
        by_default=is_no_part(game, written.phase) and (game in EVERY[:WHOLE] or not written.case),
    )
    for game in EVERY
    for written in phases_of(game).phases
    if written.sheets
]
ALIKE = [
    param(game, kind, by_default=game in EVERY[:WHOLE] and kind == RICHEST[game])
    for game in EVERY
    for kind in KINDS[game]
]
"""For tests of a game, of a kind of its phases, of the sheets of a phase (in `make test-all` of each game the kinds
whose verbs don't all stand in another), and of pages that are made alike for each kind (in `make test-all` one)."""


class Played(Struct, frozen=True):
    """A match in a folder, with the folders of its phases by the names that tests call them by."""

    path: Path
    rulebook: Rulebook[Any]
    phases: Mapping[str, str]
    dues: Mapping[str, tuple[Player, ...]]

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of phases in which somebody is due."""
        return KINDS[self.rulebook.key]

    def folder(self, phase: str, who: str) -> Path:
        """What a reader got when a phase began."""
        return self.path / self.phases[phase] / "for" / who

    def begun(self, phase: str, to: Path) -> Path:
        """A copy of the match as it was when a phase began, for a test to play on."""
        return Path(copytree(self.path.with_name(phase), to))

    def state(self, phase: str) -> Any:
        """The position when a phase began."""
        match = open_match(self.path)
        return match.state(match.phases.index(self.phases[phase]))

    def due(self, phase: str) -> tuple[Player, ...]:
        """Who was due in it."""
        return self.dues[phase]


@contextmanager
def nothing_handed_out() -> Iterator[None]:
    """For runs of which only the events and positions are looked at: most of their time goes into forms and reports."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(for_all, "texts_for_all", lambda *which, **how: {})
        yield


@contextmanager
def handed_to_the_first() -> Iterator[None]:
    """Reports, forms and pages are made for who is due first, and for everybody: no test looks at the others'."""
    texts_for = for_all.texts_for

    def for_the_first(
        rulebook: Rulebook[Any], state: Any, told: ReaderFacts, *more: Any, **how: Any
    ) -> dict[str, str]:
        looked_at = told.who is None or told.who in state.phase.due[:1]
        return texts_for(rulebook, state, told, *more, **how) if looked_at else {}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(for_all, "texts_for", for_the_first)
        yield


def play(game: str, path: Path) -> Played:
    """Opens each of the written phases in turn, with pages, and plays it with its sheets to its deadline."""
    options = {name: str(value) for name, value in phases_of(game).options.items()} | {"pages": "off"}
    with nothing_handed_out():
        begin(game, path, players_of(game), options=options, seed_text=NAME, name=NAME, gm=GM, due_text=DUE)
    found, dues = dict[str, str](), dict[str, tuple[Player, ...]]()
    for written in phases_of(game).phases:
        state = state_of(game, written)
        folder = put_in(path, written, state)
        found[written.name], dues[written.name] = folder.name, state.phase.due
        with handed_to_the_first():
            write_again(path, pages=True)
        copytree(path, path.with_name(written.name), ignore=ignore_patterns("*.html", "schema.json"))
        for player in written.sheets:
            (folder / "sheets" / f"{player}.yaml").write_text(text_of(written, player), encoding="utf-8")
        with nothing_handed_out():
            ran = run(path, deadline=True, due_text=DUE)
        assert folder.name in ran.adjudicated
    with handed_to_the_first():
        write_again(path, pages=True)
    return Played(path, registry.rulebook(game), found, dues)


def shared(game: str, folder: Path) -> Played:
    """The match in that folder, which whoever comes first plays, and whoever comes meanwhile waits for."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        told = folder / "told.json"
        if not told.exists():
            made = play(game, folder / "match")
            told.write_bytes(msgspec.json.encode((made.phases, made.dues)))
    phases, dues = msgspec.json.decode(
        told.read_bytes(), type=tuple[dict[str, str], dict[str, tuple[Player, ...]]]
    )
    return Played(folder / "match", registry.rulebook(game), phases, dues)


def put_in(path: Path, written: Written, state: Any) -> Path:
    """The open phase becomes the written one, as a GM may edit a position by hand; returns its folder."""
    match = open_match(path)
    made, number = match.state(match.last), match.last
    head = Head(number, written.phase, written.turn, state.phase.due)
    state = replace(state, match=made.match, options=made.options, chain=made.chain, phase=head)
    folder = (path / match.phases[-1]).rename(path / folder_name(head))
    rmtree(folder / "for", ignore_errors=True)
    (folder / "sheets").mkdir(exist_ok=True)
    (folder / "state.yaml").write_text(write_position(state), encoding="utf-8", newline="\n")
    return folder
