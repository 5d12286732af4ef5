"""A match folder on disk: its phases, positions and events, and those that a run is about to add."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from adjudicator import __version__
from adjudicator.engine.folder import commit, papers
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.files import Files, digest_of
from adjudicator.engine.folder.gate import Gate, Kind
from adjudicator.engine.folder.names import CARD, EVENTS, FOR, NOTE, OPEN, REFEREE, SEED, STATE, head_of
from adjudicator.engine.library import registry
from adjudicator.engine.library.languages import ENGLISH
from adjudicator.engine.library.texts import forget_match, in_language
from adjudicator.engine.table.event import Event, Head
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.text.problem import nearest

NO_MATCH = "this isn't a match folder"


def card_in(text: bytes, match: Path) -> papers.Card:
    """What a match's `match.yaml` says. Raises Faulty."""
    return papers.read_paper(text, str(match / CARD), papers.Card)


class Folder(Files):
    """A match: what its files say, and its phases by number."""

    def __init__(self, path: Path, gate: Gate | None = None) -> None:
        super().__init__(path, gate)
        self.home = path
        """Where the match lies, or will lie when it is begun: its group's words are looked for from there."""
        self.card = card_in(self.read(CARD, NO_MATCH), path)
        self.rulebook: Rulebook[Any] = self._rulebook()
        self._check_seats()
        with self.steady:
            self.phases = self._phases()
        self._states: dict[int, Any] = {}
        self._events: dict[int, tuple[Event[Any], ...]] = {}
        self._openings: dict[int, papers.Opening] = {}
        self._secrets: papers.Secrets | None = None
        self.read_before: dict[str, tuple[str, Any]] = {}
        """Players' files by name, each with its SHA-256 and the value read from it, so that none is read twice."""

    def _rulebook(self) -> Rulebook[Any]:
        try:
            return registry.rulebook(self.card.rulebook)
        except registry.NoSuchGame as error:
            said, mean = str(error), nearest(error.name, error.known)
            if mean and not error.why:
                said += (
                    f". If {error.name} is called {mean} now, its author can keep the old name too, or you play this "
                    f"match with the release of {error.name} that began it"
                )
            raise Faulty([problem(self.path / CARD, said)]) from None

    def _check_seats(self) -> None:
        """Checks that the players are seats of the game: their names become names of files. Raises Faulty if they
        aren't.
        """
        from adjudicator.engine.play.inbox import is_table

        if not is_table(self.rulebook, self.card.players):
            said = f"{', '.join(self.card.players)} can't play {self.rulebook.title} together: edited by hand"
            raise Faulty([problem(self.path / CARD, said)])

    def _phases(self) -> list[str]:
        found = sorted((head.number, name) for name in self._names() if (head := head_of(name)))
        for index, (number, name) in enumerate(found):
            if number != index:
                twice = bool(index) and found[index - 1][0] == number
                said = f"the folder of phase {index} is missing"
                if twice:
                    said = f"{found[index - 1][1]} has the same number"
                raise Faulty([problem(self.path / name, said)])
        if not found:
            raise Faulty([problem(self.path, "there is no phase in this match, not even 0000-t1-start")])
        return [name for _, name in found]

    def _names(self) -> list[str]:
        """All folders named like a phase's folder. Raises Faulty for a link."""
        return [name for name in self.names() if head_of(name) and self.checked_kind(name) is Kind.FOLDER]

    # -- what stands in them --------------------------------------------------------------------------------------

    @property
    def last(self) -> int:
        """The number of the open phase, or of the end."""
        return len(self.phases) - 1

    def head(self, number: int) -> Head:
        """Number, turn and name of a phase."""
        found = head_of(self.phases[number])
        assert found is not None
        return found

    def state(self, number: int) -> Any:
        """The position of a phase. Raises Faulty with everything wrong in its file."""
        if number not in self._states:
            self._states[number] = self._read_state(number)
        return self._states[number]

    def _read_state(self, number: int) -> Any:
        from adjudicator.engine.play.position import PositionFile, hidden_in, read_position

        name = f"{self.phases[number]}/{STATE}"
        opened = read_position(self.read(name), str(self.path / name))
        if not isinstance(opened, PositionFile):
            raise Faulty(opened)
        if hidden := hidden_in(opened):
            raise Faulty(hidden)
        state, head, card = opened.state, self.head(number), self.card
        found = state.phase
        wrong = [
            (
                f"the position is of the match {state.match}, but {CARD} is of {card.match}",
                state.match == card.match,
            ),
            (f"the position is of the game {state.rulebook}", state.rulebook == card.rulebook),
            ("the players aren't those of " + CARD, tuple(state.players) == card.players),
            (
                f"the position is of phase {found.number} ({found.name}, turn {found.turn}), not of this folder's",
                (found.number, found.name, found.turn) == (head.number, head.name, head.turn),
            ),
        ]
        told = [problem(self.path / name, said) for said, good in wrong if not good]
        if told:
            raise Faulty(told)
        return state

    def events(self, number: int) -> tuple[Event[Any], ...]:
        """All events of a phase that has been adjudicated. Raises Faulty."""
        if number not in self._events:
            name = f"{self.phases[number]}/{EVENTS}"
            self._events[number] = papers.events_in(self.rulebook, self.read(name), str(self.path / name))
        return self._events[number]

    def opening(self, number: int) -> papers.Opening:
        """The phase's `open.yaml`. Raises Faulty."""
        if number not in self._openings:
            name = f"{self.phases[number]}/{OPEN}"
            self._openings[number] = papers.read_paper(self.read(name), str(self.path / name), papers.Opening)
        return self._openings[number]

    def by_deadline(self, number: int) -> bool:
        """Was a finished phase closed without those who had sent nothing? Raises Faulty."""
        closed = self.opening(number).closed
        return closed is not None and closed.deadline

    def rules(self, number: int) -> int:
        """The version of the rules by which a phase was played, or is to be played. Raises Faulty.

        A match of release 0.2 or before says it of the phases that were played.
        """
        closed = self.opening(number).closed
        if closed is None and (said := int(self.state(number).rules)):
            return said
        if closed is None and number:
            closed = self.opening(number - 1).closed
        return int(closed.rules) if closed is not None else self.rulebook.versions[0]

    def check_rules(self) -> None:
        """Raises Faulty if the open phase is played by a version of the rules that this program doesn't have."""
        versions, rules = self.rulebook.versions, self.rules(self.last)
        if rules not in versions:
            here = f"{versions[0]} to {versions[-1]}" if versions[1:] else str(versions[-1])
            how = "it needs a later release"
            if rules < versions[0]:
                how = f"`adjudicator upgrade {self.path}` says what would come out otherwise"
            said = (
                f"this match is played by version {rules} of {self.rulebook.title}'s rules, and this program, "
                f"{__version__}, has {here}; {how}"
            )
            raise Faulty([problem(self.path / self.phases[-1], said)])

    def rulebook_for(self, who: str | None) -> Rulebook[Any]:
        """The rulebook as a player reads it, or (None, or `public`) the public. Raises Faulty."""
        if self._secrets is None:
            self._secrets = self.secrets() or papers.Secrets("")
        language = self._secrets.languages.get(who or "", self._secrets.language)
        return in_language(self.rulebook, language or ENGLISH, self.templates)

    @property
    def templates(self) -> str:
        """The folder of the group's own words; empty if it has none."""
        named = self.card.templates
        return str((self.home / named).resolve()) if named else ""

    def put_referee(self, text: bytes) -> None:
        """Writes `referee.yaml` again; who reads in which language may be another now. Raises Faulty."""
        super().put_referee(text)
        self._secrets = None

    def handed_out(self, number: int) -> bool:
        """Did players get reports at a phase, whether or not these still exist? Raises Faulty."""
        return self.has(f"{self.phases[number]}/{FOR}") or bool(self.opening(number).handed)

    def last_handed_out(self, number: int) -> int:
        """The last phase before phase `number` at which reports went to the players; the start if there was none."""
        return next((past for past in range(number - 1, -1, -1) if self.handed_out(past)), 0)

    def note(self, number: int) -> str:
        """The GM's note on a phase; empty if there is none."""
        return self._note(number).decode(errors="replace").strip()

    def note_digest(self, number: int) -> str:
        """The SHA-256 of the GM's note on a phase; empty if there is none."""
        return digest_of(self._note(number)) if self.note(number) else ""

    def _note(self, number: int) -> bytes:
        name = f"{self.phases[number]}/{NOTE}"
        return self.read(name) if self.has(name) else b""

    def secrets(self) -> papers.Secrets | None:
        """The seed and the addresses; None if the folder has neither `referee.yaml` nor a published seed."""
        for name in (REFEREE, f"{self.phases[-1]}/{SEED}"):
            if self.has(name):
                return papers.read_paper(self.read(name), str(self.path / name), papers.Secrets)
        return None

    # -- what a run adds ------------------------------------------------------------------------------------------

    def add_opening(self, number: int, opening: papers.Opening) -> None:
        """Adds a phase's `open.yaml`, to be written again."""
        self._openings[number] = opening
        self.add(f"{self.phases[number]}/{OPEN}", papers.text_of(opening))

    def add_phase(self, state: Any) -> None:
        """Adds a phase's folder with its position."""
        from adjudicator.engine.sheets.reading import folder_name

        self.phases.append(folder_name(state.phase))
        self.change_state(state)

    def change_state(self, state: Any) -> None:
        """Adds the open phase's position, to be written again."""
        from adjudicator.engine.play.position import write_position

        self._states[self.last] = state
        self.add(f"{self.phases[-1]}/{STATE}", write_position(state).encode())

    def check_whole(self) -> None:
        """Raises Faulty unless the files of the earlier phases exist, and what players sent for the last of them."""
        names = [f"{folder}/{name}" for folder in self.phases[:-1] for name in (STATE, EVENTS, OPEN)]
        if self.last and not (missing := [name for name in names if not self.has(name)]):
            closed = self.opening(self.last - 1).closed
            names = [f"{self.phases[-2]}/{name}" for name in (closed.files if closed else ())]
        missing = [name for name in names if not self.has(name)]
        if missing:
            raise Faulty([problem(self.path / name, "this file of the match is missing") for name in missing])

    def add_events(self, number: int, events: tuple[Event[Any], ...], lines: list[bytes]) -> None:
        """Adds the events of an adjudicated phase."""
        self._events[number] = events
        self.add(f"{self.phases[number]}/{EVENTS}", papers.record_text(lines))


def open_match(path: Path) -> Folder:
    """The match in a folder, for reading. Raises Faulty."""
    _is_there(path)
    return Folder(path)


@contextmanager
def changing(path: Path) -> Iterator[Folder]:
    """The match in a folder, for changing: no other run works on it meanwhile. Raises Faulty, or Busy if one does."""
    _is_there(path)
    gate = Gate(path)
    card_in(gate.read(CARD, NO_MATCH), path)  # without a match, leave nothing, not even a lock
    with commit.locked(path, gate):
        try:
            yield Folder(path, gate)
        finally:
            forget_match()


def _is_there(path: Path) -> None:
    if not path.is_dir():
        said = "this is a file, not a match folder" if path.exists() else "there is no such folder"
        raise Faulty([problem(path, said)])


def chain_of(files: dict[str, str]) -> str:
    """The SHA-256 of a phase: of the lines that `sha256sum` writes for its files, in order."""
    return digest_of("".join(f"{digest}  {name}\n" for name, digest in files.items()).encode())
