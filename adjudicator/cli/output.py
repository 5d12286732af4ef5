"""What commands show: text of any origin, on any terminal, in any encoding."""

from __future__ import annotations

import codecs
import sys

import typer

ESCAPED = "adjudicator.escaped"


def echo(text: str = "", *, nl: bool = True, err: bool = False) -> None:
    """Shows what a command has to say, on the standard output or with `err` the other one; `nl`: with a line end.

    It may quote sheets and names, so that nothing in it is obeyed, neither by a terminal nor by a CI runner.
    """
    from adjudicator.engine.text.problem import visible

    _write("\n".join(visible(line) for line in text.split("\n")), nl=nl, err=err)


def document(text: str, *, nl: bool = True) -> None:
    """Shows a report, form, page or map as it is, but for what a terminal would obey."""
    from adjudicator.engine.text.problem import printable

    _write("\n".join(printable(line) for line in text.split("\n")), nl=nl)


def command(text: str) -> None:
    """Shows commands for a CI runner, which are to be obeyed: whatever they quote must have been escaped."""
    _write(text)


def writable(text: str, *, err: bool = False) -> str:
    """The text with what isn't in the output's encoding written as in JSON: `\\u2013`."""
    encoding = getattr(sys.stderr if err else sys.stdout, "encoding", None) or "utf-8"
    return text.encode(encoding, ESCAPED).decode(encoding)


def _write(text: str, *, nl: bool = True, err: bool = False) -> None:
    typer.echo(writable(text, err=err), nl=nl, err=err)


def escaped(text: str) -> str:
    """Every character by its number."""
    units = text.encode("utf-16-be", "surrogatepass").hex(" ", 2).split()
    return "".join(f"\\u{unit}" for unit in units)


def _unwritable(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    return escaped(error.object[error.start : error.end]), error.end


codecs.register_error(ESCAPED, _unwritable)


def be_written() -> None:
    """Lets both outputs take all text that isn't shown by `echo`: help, and tables."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=ESCAPED)
