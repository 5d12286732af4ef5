"""Runs git as a program: its words, its settings, and how much it may read and how long it may take.

Git gets no text of a player as a word of its command line, and no setting of the machine or of a repository that makes
it run anything else: no hook, no filter, no other transport, no object fetched in passing.

Anybody who can push may push anything: large files, thousands of commits, trees that unpack to gigabytes. Of a player's
branch only its last commit is fetched, without large files, and of that commit only the files that can count.
"""

from __future__ import annotations

import base64
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from threading import Event, Timer
from urllib.parse import urlsplit

LARGEST_SEALED = 2**18
"""Bytes of a sealed file from a player: a sheet has at most 64 KiB, and the seal adds little."""
LARGEST_FETCHED = 2**26
"""Bytes that git may write to the disk of a player's branch, or as a list."""
LARGEST_AT_ONCE = 2**24
"""Bytes of what is new in `main` that is fetched as it comes; of more, only small files are."""
WITH_THE_REST = 2**22
"""Bytes of a file in `main` up to which it comes with the rest, as the host's program does."""
LARGEST_MAIN = 2**28
"""Bytes of what is new in `main` that git may write to the disk."""
LARGEST_MARK = 1000
"""Bytes of a file `mark`, which is fetched in any case."""
MOST_MEMORY = 2**31
"""Bytes of memory for git while it reads what others push."""
LARGEST_FILE = 2**24
"""Bytes of a file of the referee's: sealed, or as it lies in an archive."""
LARGEST_MATCH = 2**28
"""Bytes of all files of a match in `main`, and of all that is in its archives."""
MOST_FILES = 20_000
"""Files of a match in `main`, and in one archive."""
MOST_SAID = 2**24
"""Bytes of git's output, when it isn't a file's content."""
PATIENCE = 120.0
"""Seconds that git may take with another machine; a slower one is given up."""
MOST_ATTEMPTS = 8
"""How often a job begins again because another was faster."""
STEP = 4096
"""Sealed texts are filled up to a multiple of this, so that their size tells little."""
WIDE_STEP = 2 * STEP
"""What a player gets of a phase is filled up to a multiple of this, and to what the player with the most gets: so sizes
don't tell who has something to decide, and how much.
"""


TOKEN = "ADJUDICATOR_TOKEN"
"""A variable with which a host's job may push over https."""
SETTINGS = (
    "core.hooksPath=" + os.devnull,
    "core.fsmonitor=false",
    "core.attributesFile=" + os.devnull,
    "core.quotePath=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "fetch.recurseSubmodules=false",
    "push.recurseSubmodules=no",
    "fetch.unpackLimit=1",
    "protocol.ext.allow=never",
    "protocol.version=2",
    "pack.useSparse=false",
)
"""What git is told each time, whatever the machine's own settings say. The sparse way to find what to push goes through
each path of a tree of which somebody has made 10^9.
"""
MOST_TOLD = 2**16
"""Bytes of git's words about a failure."""
_LIMITS = 'ulimit -f "$0" 2>/dev/null; ulimit -v "$1" 2>/dev/null; shift; exec "$@"'
"""What the shell does before git: its blocks have 512 bytes, and its pieces of memory 1024."""
_KEPT = (
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_SSH_VARIANT",
    "GIT_ASKPASS",
    "GIT_SSL_CAINFO",
    "GIT_PROXY_SSL_CAINFO",
)
"""Settings of git's that a user may have made; the others would lead it to another repository."""
MORE_THAN_FETCHED = "more lies there than is fetched"
NO_WORKFLOW = "to create or update workflow"
"""What GitHub says of a push with a workflow, by a token that may push none."""
_PLAINLY = {
    r"could not read (Username|Password)|Authentication failed|returned error: 401|Invalid (username|credentials)": (
        "the host wants a user and a password or a token, and takes none that git has"
    ),
    r"returned error: 403|[Pp]ermission .*denied to|not allowed to push|[Pp]rotected branch": (
        "the host doesn't let this user, or this token, do it"
    ),
    r"Permission denied \(|Host key verification failed": "the host doesn't take the SSH key that git has",
    r"returned error: 404|[Rr]epository .*not found|(does not appear to be|not) a git repository|invalid gitfile": (
        "there is no such repository, or this user may not see it"
    ),
    r"File too large|index-pack died|invalid index-pack output": (
        f"{MORE_THAN_FETCHED}; if it is `main`, ask the GM: `adjudicator git rescue` puts it back"
    ),
    NO_WORKFLOW: "this token needs the scope `workflow`, or push with an SSH key",
    "couldn't find remote ref refs/heads/main": (
        "there is no match in this repository yet; `adjudicator git init` puts one there"
    ),
    r"Could ?n.t? (resolve host|connect)|Failed to connect|Connection (refused|timed out|reset)|unreachable": (
        "the host can't be reached"
    ),
}
"""What git's words mean for whoever reads them: the first that fits."""
_USER = re.compile(r"(?<=://)[^/@\s]+@")
"""The user, and maybe the password, in an address."""
_OVER_THE_NET = "file:git:http:https:ssh"


class GitFailed(Exception):
    """Git failed: the text says why, in git's words or ours. Nothing was changed."""


class TookTooLong(GitFailed):
    """Git was given up; the other machine may have done what it was asked for."""


def run(
    at: Path,
    words: tuple[str, ...],
    given: bytes = b"",
    *,
    url: str = "",
    room: int = 0,
    most: int = MOST_SAID,
) -> bytes:
    """Git's output in the folder `at`. Raises GitFailed.

    With the address of the own repository, `url`, it may talk to other machines. With `room`, it may write only files
    of so many bytes, and fill little of the memory.
    """
    settings = [part for one in SETTINGS for part in ("-c", one)]
    word = words[2] if words[0] == "-c" else words[0]
    with tempfile.TemporaryFile() as into, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as wrong:
        into.write(given)
        into.seek(0)
        try:
            git = subprocess.Popen(
                [*_confined(room), "git", "--no-pager", "--literal-pathspecs", *settings, *words],
                cwd=at,
                env=environment(url),
                stdin=into,
                stdout=out,
                stderr=wrong,
            )
        except FileNotFoundError:
            raise GitFailed("git isn't installed here; it is needed to play in a repository") from None
        code = _ended(git)
        if code is None:
            raise TookTooLong(f"git {word} took longer than {PATIENCE:.0f} s, and was given up")
        size = out.seek(0, os.SEEK_END)
        if code:
            out.seek(0)  # where `push` says what became of each branch
            wrong.seek(0)
            raise GitFailed(_reason_of(word, out.read(MOST_TOLD) + b"\n" + wrong.read(MOST_TOLD), code))
        if size > most:
            raise GitFailed(f"git {word} found {size} bytes, more than are read")
        out.seek(0)
        return out.read()


def _ended(git: subprocess.Popen[bytes]) -> int | None:
    """The status with which git ends; None if it took too long, and was killed.

    (Python's own way to wait only so long looks at intervals, which are longer than most of git's work.)
    """
    late = Event()

    def give_up() -> None:
        late.set()
        git.kill()

    patience = Timer(PATIENCE, give_up)
    patience.start()
    try:
        code = git.wait()
    finally:
        git.kill()
        patience.cancel()
        patience.join()
    return None if late.is_set() else code


def environment(url: str) -> dict[str, str]:
    """The variables that git gets; `url` is the own repository, if it may talk to other machines: only there goes the
    token.
    """
    found = {
        name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name in _KEPT
    }
    found |= {
        "GIT_TERMINAL_PROMPT": "1" if sys.stdin is not None and sys.stdin.isatty() else "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "LC_ALL": "C",
    }
    if not url:
        return found | {
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_ALLOW_PROTOCOL": "none",
        }
    found["GIT_ALLOW_PROTOCOL"] = _OVER_THE_NET
    token, parts = os.environ.get(TOKEN, ""), urlsplit(url)
    if token and parts.scheme == "https":
        known = base64.b64encode(f"x-access-token:{token}".encode()).decode()
        found["GIT_CONFIG_COUNT"] = "1"
        found["GIT_CONFIG_KEY_0"] = f"http.{parts.scheme}://{parts.netloc}/.extraHeader"
        found["GIT_CONFIG_VALUE_0"] = f"Authorization: Basic {known}"
    return found


def address(url: str) -> str:
    """The address of a repository as git may be given it. Raises GitFailed for one that would make git do more."""
    if not url or url.startswith("-") or "::" in url or not url.isprintable():
        raise GitFailed(f"{url!a} isn't the address of a repository")
    local = Path(url).expanduser()
    if "://" not in url and (":" not in url or local.exists()):
        return str(local.absolute())
    return url


def _confined(room: int) -> list[str]:
    """The words before a command by which a shell limits how large files it may write and how much memory it may use.

    A lower limit of the machine stays. (Python could set limits too, but only in a copy of this whole process.)
    """
    if not room or sys.platform == "win32":
        return []
    return ["sh", "-c", _LIMITS, str(room // 512), str(MOST_MEMORY // 1024)]


def without_user(url: str) -> str:
    """An address without a user and a password, to be shown: others may read a job's log."""
    return _USER.sub("", url)


def _reason_of(word: str, text: bytes, code: int) -> str:
    """Git's reason, on one line; it may hold words of another machine."""
    lines = [line.strip() for line in text.decode(errors="replace").splitlines() if line.strip()]
    told = without_user("; ".join(lines[-6:]))[:1000]
    plain = next((said for words, said in _PLAINLY.items() if re.search(words, told)), "")
    if plain:
        return f"{plain} (git {word}: {told})"
    return f"git {word}: {told}" if told else f"git {word} ended with status {code}"
