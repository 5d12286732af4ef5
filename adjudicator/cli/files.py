"""Files that commands read and write: their bytes, or a line that says what is wrong with them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from adjudicator.engine.folder import disk
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.gate import MOST_READ, NotPlain, read_named, read_plain

if TYPE_CHECKING:
    from adjudicator.engine.text.problem import Problem

STANDING_INPUT = "-"


def content(name: str, most: int = MOST_READ) -> bytes | Problem:
    """The bytes of a plain file (`-`: standard input), of a file longer than `most` the first `most` + 1; or why it
    can't be read.
    """
    try:
        if name == STANDING_INPUT:
            return sys.stdin.buffer.read(most + 1)
        return read_named(Path(name), most)
    except NotPlain as odd:
        folder = Path(name).is_dir() and not Path(name).is_symlink()
        return unreadable(name, "this is a folder; name a file in it" if folder else str(odd))
    except Faulty as faulty:
        return faulty.problems[0]
    except FileNotFoundError:
        return unreadable(name, "there is no such file")
    except (OSError, ValueError) as error:  # ValueError: a NUL byte in the name
        return unreadable(name, f"can't be read ({getattr(error, 'strerror', None) or error})")


def known_beside(view: Path) -> bytes:
    """The text of the `known.yaml` beside a view; empty if there is none that can be read."""
    from adjudicator.engine.play.known_file import KNOWN

    found = b"" if str(view) == STANDING_INPUT else content(str(view.with_name(KNOWN)))
    return found if isinstance(found, bytes) else b""


def replace_own(file: Path, text: str, begins: str) -> None:
    """Writes a file. It replaces only an earlier file of ours, which starts with `begins`. Raises Faulty, OSError.

    The earlier file is replaced when the new one is complete: a web server's page doesn't vanish on a full disk.
    """
    try:
        earlier = read_plain(file, len(begins.encode()))
    except FileNotFoundError:
        earlier = b""
        file.parent.mkdir(parents=True, exist_ok=True)
    except NotPlain as odd:
        raise Faulty([unreadable(str(file), str(odd))]) from None
    if earlier and not earlier.startswith(begins.encode()):
        said = "this is there already, and this command didn't write it; name another file"
        raise Faulty([unreadable(str(file), said)])
    fresh = file.with_name(f".{file.name}.tmp")
    try:
        fresh.unlink(missing_ok=True)  # left by a killed command
        disk.write(fresh, text.encode())
        fresh.replace(file)
    except PermissionError:  # a file of ours in somebody else's folder, as under a web server's root
        file.write_text(text, encoding="utf-8", newline="\n")


def unreadable(name: str, text: str) -> Problem:
    """A problem with a whole file."""
    from adjudicator.engine.text.problem import Problem

    return Problem(name, 0, 0, "FILE", text)
