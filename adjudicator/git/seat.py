"""A player's clone: its own data beside git's files (whose it is, the keys, what was shown last); the files in it,
written as they come, but none over what the player has changed; and what the player is told, in the language that
is read there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path

from msgspec import Struct

from adjudicator.engine.folder import disk, papers
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.gate import Gate, Kind, NotPlain, kind_of, read_named
from adjudicator.engine.folder.names import UNDONE
from adjudicator.engine.library.languages import ENGLISH, known_languages
from adjudicator.git.keys import RefereeKey, new_referee_key, referee_key, text_of
from adjudicator.git.repository import Repository
from adjudicator.git.sealed import Identity, identity

FOLDER = "adjudicator"
KEY, SEAT = "key.txt", "seat.yaml"
REFEREE_KEY, SPARE_KEY, SPARE = "referee-key.txt", "spare-key.txt", "spare-public-key.txt"
DEPLOY_KEY = "deploy-key"
NEWER = "new-"
"""The beginning of a file's name whose earlier version the player has changed."""
_FILE = re.compile(r"[^\W_][^/\\:\x00-\x1f]{0,99}")
_BEGINNING = 1000
"""Characters of a view in which its language stands."""
_LANGUAGE = re.compile(r"^language: (\w+)$", re.MULTILINE)


def language_of(clone: Path) -> str:
    """The language of the newest view in a player's clone; English as long as there is none. Raises OSError."""
    views = (view for view in clone.glob("[0-9]*/view.yaml") if view.is_file())
    if newest := max(views, default=None):
        with newest.open(encoding="utf-8", errors="replace") as file:
            found = _LANGUAGE.search(file.read(_BEGINNING))
        if found and found[1] in known_languages(""):
            return found[1]
    return ENGLISH


def told(clone: Path, key: str, /, **facts: object) -> str:
    """A sentence for the player of a clone: the macro of that name in `git-said.md.j2`, with these facts."""
    from adjudicator.engine.report.template import shared

    sentence = getattr(shared(language_of(clone)).get_template("git-said.md.j2").module, key)
    return str(sentence(**facts)).strip()


class Seat(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Whose clone it is: a player of a match. `key` is the file of the secret key, `public` the
    public one, `token` the one that was told.

    `referee` are the referee's public keys, as they were when the player joined, or as a reply has told them since.
    `box` is where the player's branch lies, if not in the match's repository. `commitment` is the SHA-256 of the
    match's seed, as it was when the player joined. `signing` is the file of the SSH key with which sheets are signed.
    `written` are the SHA-256 of the files that `git read` has written, by name: what the player has changed since is
    left alone. `fetched` are the numbers of what was read from `main`. `fresh` and `kept` are those of `News`, and
    `put_back` says that the referee has put the match back, as long as the player hasn't been told; `told` is the
    SHA-256 of the last reply that the player was told. `sent` says by receipt for which phase and kind
    of file a sheet went out from here, the last one last; `taken` are the receipts that the referee has confirmed.
    """

    match: str
    player: str
    key: str
    token: str = ""
    public: str = ""
    box: str = ""
    commitment: str = ""
    signing: str = ""
    written: Mapping[str, str] = {}
    fetched: Mapping[str, str] = {}
    fresh: Sequence[str] = ()
    kept: Sequence[str] = ()
    told: str = ""
    put_back: bool = False
    referee: tuple[str, ...] = ()
    sent: Mapping[str, str] = {}
    taken: Mapping[str, str] = {}


def home_of(repository: Repository) -> Path:
    """Our own folder inside git's. Raises GitFailed."""
    return repository.home / FOLDER


def clone_around(*places: Path) -> Path | None:
    """The first player's clone in which one of these folders lies, or which it is; None if there is none."""
    for place in places:
        for folder in (place.absolute(), *place.absolute().parents):
            if (folder / ".git" / FOLDER / SEAT).is_file():
                return Path() if folder == Path.cwd() else folder
    return None


def key_of(repository: Repository, file: Path | None) -> RefereeKey:
    """The referee's key: in the file that was named, else in the variable, else in the clone. Raises Faulty."""
    return referee_key(file, home_of(repository) / REFEREE_KEY)


def seat_of(repository: Repository) -> Seat:
    """The player of the clone. Raises Faulty if it isn't a player's clone, GitFailed."""
    file = home_of(repository) / SEAT
    if not file.is_file():
        said = "this is no player's clone; `adjudicator git join URL PLAYER` makes one"
        raise Faulty([problem(repository.path, said)])
    return papers.read_paper(Gate(home_of(repository)).read(SEAT), str(file), Seat)


def keep_seat(repository: Repository, seat: Seat) -> None:
    """Writes the player of the clone. Raises OSError."""
    write_own(home_of(repository) / SEAT, papers.text_of(seat))


def identity_of(seat: Seat) -> Identity:
    """The player's secret key. Raises Faulty."""
    return identity(secret_in(Path(seat.key)), seat.key)


def secret_in(file: Path) -> bytes:
    """The text of a file with a key. Raises Faulty."""
    try:
        return read_named(file.expanduser(), 2**16)
    except NotPlain as odd:
        raise Faulty([problem(file, str(odd))]) from None
    except FileNotFoundError:
        raise Faulty(
            [problem(file, "the key isn't here any more; without it nothing can be opened")]
        ) from None


def write_own(file: Path, text: bytes) -> None:
    """Writes a file that only its owner may read, replacing the one before. Raises OSError."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = file.with_name(f".{file.name}.tmp")
    fresh.unlink(missing_ok=True)
    disk.write(fresh, text, 0o600)
    os.replace(fresh, file)  # noqa: PTH105


def write_new_keys(home: Path, before: str = "") -> tuple[RefereeKey, tuple[str, str]]:
    """Makes the referee's key and a spare, in files whose names have something `before` them. Returns the key, and the
    public halves of both. The key's file comes last. Raises OSError.
    """
    key, public = new_referee_key()
    spare, spare_public = new_referee_key(key.marking)
    write_own(home / f"{before}{SPARE}", f"{public}\n{spare_public}\n".encode())
    told = text_of(spare, spare_public, "The spare key: keep it elsewhere")
    write_own(home / f"{before}{SPARE_KEY}", told.encode())
    told = text_of(key, public, "The referee's key: for the host's secret")
    write_own(home / f"{before}{REFEREE_KEY}", told.encode())
    return key, (public, spare_public)


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
                self.odd.append(told(top, "no_file", name=f"{name!a}"))
                continue
            kind = gate.kind(name)
            if kind not in (Kind.FILE, Kind.NOTHING):
                raise Faulty([problem(top / name, told(top, "in_the_way"))])
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
