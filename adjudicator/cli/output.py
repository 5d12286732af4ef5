"""What commands show: text of any origin, on any terminal, in any encoding."""

from __future__ import annotations

import codecs
import sys

import typer

ESCAPED = "adjudicator.escaped"


def echo(text: str = "", *, nl: bool = True, err: bool = False) -> None:
    """Shows a command's message on the standard output, or with `err` on the standard error; `nl`: with a line end.

    The message may quote sheets and names, so control characters and commands for a CI runner are made harmless.
    """
    from adjudicator.engine.text.problem import visible

    _write("\n".join(visible(line) for line in text.split("\n")), nl=nl, err=err)


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
