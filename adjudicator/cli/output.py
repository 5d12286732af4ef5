"""What commands read, show and write: files or lines that say what is wrong with them; text on any terminal, in any
encoding.
"""

from __future__ import annotations

import codecs
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from adjudicator.engine.folder import disk
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.gate import MOST_READ, NotPlain, read_named, read_plain

if TYPE_CHECKING:
    from adjudicator.engine.text.problem import Problem


ESCAPED = "adjudicator.escaped"


def echo(text: str = "", *, nl: bool = True, err: bool = False) -> None:
    """Shows a command's message on the standard output, or with `err` on the standard error; `nl`: with a line end.

    The message may quote sheets and names, so control characters and commands for a CI runner are made harmless.
    """
    from adjudicator.engine.text.problem import visible

    _write("\n".join(visible(line) for line in text.split("\n")), nl=nl, err=err)


def echo_lines(lines: Iterable[str]) -> None:
    """Shows sentences, each on a line."""
    for line in lines:
        echo(line)


def echo_problems(problems: Iterable[Problem]) -> None:
    """Shows on the standard error what is wrong, each problem on a line; nothing if nothing is."""
    from adjudicator.engine.text.problem import as_text

    if found := [*problems]:
        echo(as_text(found), err=True)


def show_document(text: str, *, nl: bool = True) -> None:
    """Shows a report, form, page or map as it is, except characters that control a terminal."""
    from adjudicator.engine.text.problem import with_escapes

    _write("\n".join(with_escapes(line) for line in text.split("\n")), nl=nl)


def show_commands(text: str) -> None:
    """Shows commands for a CI runner as they are: whatever they quote must be escaped already."""
    _write(text)


def writable(text: str, *, err: bool = False) -> str:
    """The text with characters that the output's encoding lacks written as in JSON: `\\u2013`."""
    encoding = getattr(sys.stderr if err else sys.stdout, "encoding", None) or "utf-8"
    return text.encode(encoding, ESCAPED).decode(encoding)


def _write(text: str, *, nl: bool = True, err: bool = False) -> None:
    typer.echo(writable(text, err=err), nl=nl, err=err)


def escaped(text: str) -> str:
    """Every character of a text by its number, as in JSON."""
    units = text.encode("utf-16-be", "surrogatepass").hex(" ", 2).split()
    return "".join(f"\\u{unit}" for unit in units)


def _unwritable(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    return escaped(error.object[error.start : error.end]), error.end


codecs.register_error(ESCAPED, _unwritable)


def take_any_text() -> None:
    """Lets both outputs take text of any kind that is shown without `echo`: help and tables."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=ESCAPED)


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


def content_of(name: str, most: int = MOST_READ) -> bytes:
    """The bytes of a plain file, as `content` reads them. Raises Faulty."""
    found = content(name, most)
    if not isinstance(found, bytes):
        raise Faulty([found])
    return found


def known_beside(view: Path) -> bytes:
    """The text of the `known.yaml` beside a view; empty if there is none that can be read."""
    from adjudicator.engine.play.known_file import KNOWN

    found = b"" if str(view) == STANDING_INPUT else content(str(view.with_name(KNOWN)))
    return found if isinstance(found, bytes) else b""


def replace_own(file: Path, text: str, *begins: str) -> None:
    """Writes a file. It replaces only one of ours, which starts with one of `begins`. Raises Faulty, OSError.

    The earlier file is replaced when the new one is complete: a web server's page doesn't vanish on a full disk.
    """
    try:
        earlier = read_plain(file, max(len(each.encode()) for each in begins))
    except FileNotFoundError:
        earlier = b""
        file.parent.mkdir(parents=True, exist_ok=True)
    except NotPlain as odd:
        raise Faulty([unreadable(str(file), str(odd))]) from None
    if earlier and not earlier.startswith(tuple(each.encode() for each in begins)):
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
