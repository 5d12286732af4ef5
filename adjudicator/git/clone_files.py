"""The files in a player's clone: written as they come, but none over what the player has changed; none is lost."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import count

from adjudicator.engine.folder import disk
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.gate import Gate, Kind, kind_of
from adjudicator.engine.folder.names import UNDONE
from adjudicator.git.repository import Repository
from adjudicator.git.seat import write_own

NEWER = "new-"
"""The beginning of a file's name whose earlier version the player has changed."""
_FILE = re.compile(r"[^\W_][^/\\:\x00-\x1f]{0,99}")


class CloneFiles:
    """The files of a clone. `written` are the SHA-256 of those that we wrote, by name; `kept` the names of newer files
    that lie beside one that the player has changed; `odd` takes what isn't as it should be.
    """

    def __init__(self, repository: Repository, written: dict[str, str], odd: list[str]) -> None:
        self.repository, self.written, self.odd = repository, written, odd
        self.kept: list[str] = []

    def write(self, files: Mapping[str, bytes]) -> None:
        """Writes files by name. Raises Faulty if something is in the way, OSError."""
        gate, top = Gate(self.repository.path), self.repository.path
        for name, text in files.items():
            home, _, file = name.rpartition("/")
            if not _FILE.fullmatch(file):
                self.odd.append(f"{name!a} isn't the name of a file that a player gets")
                continue
            kind = gate.kind(name)
            if kind not in (Kind.FILE, Kind.NOTHING):
                raise Faulty([problem(top / name, "this is in the way: rename or remove it")])
            if kind is Kind.FILE and digest_of(gate.read(name)) not in (
                self.written.get(name),
                digest_of(text),
            ):
                self.kept.append(f"{home}/{NEWER}{file}")
                write_own(top / home / f"{NEWER}{file}", text)
            else:
                write_own(top / name, text)
                self.written[name] = digest_of(text)

    def put_away(self, phase: str) -> None:
        """Moves the folder of a phase that was taken back, with what the player has written there."""
        home = self.repository.path / UNDONE
        number = next(number for number in count(1) if not (home / f"{number:04d}" / phase).exists())
        if Gate(self.repository.path).checked_kind(phase) is Kind.FOLDER:
            (home / f"{number:04d}").mkdir(mode=0o700, parents=True, exist_ok=True)
            (self.repository.path / phase).rename(home / f"{number:04d}" / phase)
        self.written = {name: text for name, text in self.written.items() if name.split("/")[0] != phase}

    def leave_out_of_git(self) -> None:
        """Makes `git status` and `git add` leave these files alone: some of them are secret."""
        file = self.repository.home / "info" / "exclude"
        if kind_of(file) is Kind.NOTHING:
            file.parent.mkdir(exist_ok=True)
            disk.write(file, b"*\n")
