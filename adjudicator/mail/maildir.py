"""A Maildir that a mail server fills, and a command that sends: for a machine with a mail server of its own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.gate import Kind, kind_of
from adjudicator.mail.account import Account, words_of
from adjudicator.mail.boxes import Arrived, MailRefused, plausible_time, server_problem
from adjudicator.mail.limits import LARGEST

_NO_USER, _DATA, _NO_HOST = 67, 65, 68
"""What a sendmail command ends with (sysexits.h) when it can never deliver."""
_HEAD = 65536


@contextmanager
def opened_maildir(account: Account) -> Iterator[Maildir]:
    """The account's Maildir, for reading and marking mails. Raises Faulty if it isn't one, or if a file can't be read
    or moved.
    """
    home = Path(account.maildir).expanduser()
    if not home.is_absolute():
        home = Path(account.file).parent / home
    for name in ("new", "cur"):
        if kind_of(home / name) is not Kind.FOLDER:
            raise Faulty([problem(home, f"this isn't a Maildir: there is no folder {name} in it")])
    try:
        yield Maildir(home)
    except OSError as error:
        raise server_problem(account, f"the Maildir {home}", error) from None


class Maildir:
    """A Maildir that nobody else reads: settled mails are in `cur`, marked as seen."""

    def __init__(self, home: Path) -> None:
        self.home = home

    def new(self) -> Iterator[Arrived]:
        """The mails that aren't marked as seen, by the time at which they came."""
        waiting = [path for path in self._all() if not _is_seen(path)]
        for path in sorted(waiting, key=lambda path: (path.stat().st_mtime, path.name)):
            with path.open("rb") as file:
                data = file.read(LARGEST + 1)
                came = plausible_time(os.fstat(file.fileno()).st_mtime)
            yield Arrived(path.relative_to(self.home).as_posix(), data, came)

    def mark_settled(self, arrived: Arrived, *, read: bool) -> None:
        """Moves the mail to `cur`, marked as seen; without `read` it is also flagged, for the GM to look at."""
        path = self.home / arrived.key
        base, _, flags = path.name.partition(":2,")
        marks = "".join(sorted({*flags, "S", *("" if read else "F")}))
        path.rename(self.home / "cur" / f"{base}:2,{marks}")

    def has(self, message: str) -> bool:
        """Has any mail in the Maildir that Message-ID? Searches the headers of all."""
        wanted = message.encode()
        for path in self._all():
            with path.open("rb") as file:
                head = file.read(_HEAD).replace(b"\r\n", b"\n").partition(b"\n\n")[0]
            lines = head.replace(b"\n ", b" ").replace(b"\n\t", b" ").split(b"\n")
            if any(line.lower().startswith(b"message-id:") and wanted in line for line in lines):
                return True
        return False

    def _all(self) -> list[Path]:
        found = [path for name in ("new", "cur") for path in (self.home / name).iterdir()]
        return [path for path in found if kind_of(path) is Kind.FILE and not path.name.startswith(".")]


def _is_seen(path: Path) -> bool:
    return path.parent.name == "cur" and "S" in path.name.partition(":2,")[2]


@contextmanager
def through_command(account: Account) -> Iterator[Command]:
    """The account's command that sends mail, for one round of sending."""
    yield Command(account)


class Command:
    """A command like `sendmail`: it takes a mail on its input, and the addresses as words."""

    def __init__(self, account: Account) -> None:
        self.account = account

    def send(self, data: bytes, to: Sequence[str]) -> None:
        """Runs the command once."""
        words = [*words_of(self.account.sendmail), "-i", "-f", self.account.address, "--", *to]
        try:
            ran = subprocess.run(
                words,
                input=data.replace(b"\r\n", b"\n"),
                capture_output=True,
                timeout=self.account.timeout,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise server_problem(self.account, words[0], TimeoutError()) from None
        except OSError as error:
            raise server_problem(self.account, words[0], error) from None
        said = ran.stderr.decode(errors="replace").strip()[:300]
        if ran.returncode in (_NO_USER, _DATA, _NO_HOST):
            raise MailRefused(said or f"status {ran.returncode}")
        if ran.returncode:
            raise server_problem(self.account, words[0], OSError(f"status {ran.returncode} {said}"))
