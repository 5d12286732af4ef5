"""What commands show: text of any origin, on any terminal, in any encoding."""

from __future__ import annotations

import codecs
import sys

import typer

ESCAPED = "adjudicator.escaped"


def echo(text: str = "", *, nl: bool = True, err: bool = False) -> None:
    """Shows text, on the standard output or with `err` the other one; `nl`: with a line end."""
    typer.echo(writable(text, err=err), nl=nl, err=err)


def writable(text: str, *, err: bool = False) -> str:
    """The text, line by line, with an escape for what a terminal or a CI runner would obey, or can't show.

    A match may come from anybody: its names and reports hold any text. What isn't in the output's encoding is written
    as in JSON: `\\u2013`.
    """
    from adjudicator.engine.text.problem import visible

    text = "\n".join(visible(line) for line in text.split("\n"))
    encoding = getattr(sys.stderr if err else sys.stdout, "encoding", None) or "utf-8"
    return text.encode(encoding, ESCAPED).decode(encoding)


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
