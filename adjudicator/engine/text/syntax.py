"""Syntax errors: the YAML parser's messages in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from yaml.error import Mark, YAMLError

    from adjudicator.engine.text.slips import Found

LONGEST_QUOTED = 40
"""How many characters of a file a problem quotes."""

SIGNS = {
    "alias": "an alias, which isn't read, begins here; text that begins with * needs quotes",
    "anchor": "an anchor, which isn't read, begins here; text that begins with & needs quotes",
    "tag": "a tag, which isn't read, begins here; text that begins with ! needs quotes",
    "directive": "a YAML directive, which isn't read, begins here; text that begins with % needs quotes",
}
"""Messages about the parts of YAML that sheets do without."""

_NO_COLON = "could not find expected ':'"
_MISPLACED_KEY = "mapping values are not allowed in this context"
_NO_DASH = "did not find expected '-' indicator"
_IN_LISTS = ("did not find expected ',' or ']'", "did not find expected ',' or '}'")
_MISPLACED = (_NO_DASH, "did not find expected key", "did not find expected <document start>")
_TAB = "a tab stands here; indent with spaces only"
_NO_TOKEN = "found character that cannot start any token"
_UNDEFINED_TAG = "found undefined tag handle"
# The parser's messages, and ours: {found} is what is at the place, {begin} is where the value around it begins.
_SENTENCES = {
    _NO_COLON: "no ': ' follows this key; check its line and the indentation",
    _MISPLACED_KEY: (
        "': ' can't stand here; text that holds it needs quotes, and a key is indented like its neighbours"
    ),
    "block sequence entries are not allowed in this context": (
        "a list entry '- ' can't begin here; check the indentation"
    ),
    "mapping keys are not allowed in this context": (
        "'? ' can't stand here; text that begins with it needs quotes"
    ),
    "did not find expected key": (
        "found {found} where a key of the mapping that begins at {begin} was expected; "
        "check indentation and quotes"
    ),
    _NO_DASH: (
        "found {found} where '- ' was expected, for the next entry of the list that begins at {begin}; "
        "check the indentation"
    ),
    "did not find expected ',' or ']'": (
        "found {found} where ',' or ']' was expected, in the list that begins at {begin}"
    ),
    "did not find expected ',' or '}'": (
        "found {found} where ',' or '}}' was expected, in the mapping that begins at {begin}"
    ),
    "did not find expected node content": "found {found} where a value was expected",
    "did not find expected <document start>": (
        "found {found} after the end of the data; check indentation and quotes"
    ),
    "did not find expected comment or line break": "found {found} where the line should end",
    "found unexpected end of stream": "the quotes that open here aren't closed",
    "found unexpected document indicator": "the quotes that open here aren't closed before '---' or '...'",
    "found unknown escape character": (
        "found {found} in double quotes, where a backslash must begin an escape such as \\n; "
        "for a backslash itself write two"
    ),
    "did not find expected hexdecimal number": (
        "found {found} where the hexadecimal number of a character was expected"
    ),
    "found invalid Unicode character escape code": "no character has this number",
    "found unexpected ':'": "':' can't stand here between brackets; text that holds it needs quotes",
    "found a tab character that violates indentation": _TAB,
    "found a tab character where an indentation space is expected": _TAB,
    "found an indentation indicator equal to 0": "the indentation after | or > can't be 0",
}
_SAID_OF_THE_BEGINNING = (
    _NO_COLON,
    "found unexpected end of stream",
    "found unexpected document indicator",
)


def in_plain_words(error: YAMLError, text: str) -> tuple[tuple[int, int], str]:
    """Return line and column (from 1; 0 for no place) of the parser's error in `text`, and a sentence."""
    said = str(getattr(error, "problem", error))
    at, begin = getattr(error, "problem_mark", None), getattr(error, "context_mark", None)
    if at is None:
        return (0, 0), f"this isn't YAML: {said}"
    context = "tag" if said == _UNDEFINED_TAG else str(getattr(error, "context", "")).rsplit(" ", 1)[-1]
    if begin is not None and (said in _SAID_OF_THE_BEGINNING or context in SIGNS):
        at = begin
    place = (at.line + 1, at.column + 1) if at.index < len(text) else _end(text)
    if context in SIGNS:
        return place, SIGNS[context]
    found = _found(text, at.index)
    if slip := _slip(said, place, begin, found, text):
        return slip
    if said == _NO_TOKEN:
        return place, _TAB if found == "a tab" else f"text that begins with {found} needs quotes"
    if said not in _SENTENCES:
        return place, f"this isn't YAML: {said}"
    where = f"{begin.line + 1}:{begin.column + 1}" if begin is not None else ""
    return place, _SENTENCES[said].format(found=found, begin=where)


def _slip(said: str, place: tuple[int, int], begin: Mark | None, found: str, text: str) -> Found | None:
    """The slip in an earlier line that led to the error at a place; None if none can be named."""
    from adjudicator.engine.text.slips import (
        dash_left_out,
        fault_of_indentation,
        part_of_value,
        place_of_open_quotes,
        slip_above,
    )

    lines, (line, column) = text.splitlines(), place
    if said == _MISPLACED_KEY and ": " not in lines[line - 1][: column - 1]:
        return slip_above(lines, line) or part_of_value(lines, line)
    if said in _IN_LISTS and begin is not None and begin.line + 1 < line:
        opens, needed = (begin.line + 1, begin.column + 1), said.removeprefix("did not find expected ")
        return opens, f"the bracket that opens here isn't closed in line {line}: found {found}, not {needed}"
    if said == _NO_COLON:
        return dash_left_out(lines, line)
    if said not in _MISPLACED:
        return None
    if slip := place_of_open_quotes(lines, line, column) or (
        slip_above(lines, line) if said == _NO_DASH else None
    ):
        return slip
    above = fault_of_indentation(lines, line)
    return (place, f"{found} can't stand here: {above}; check dashes and indentation") if above else None


def _end(text: str) -> tuple[int, int]:
    """The end of the last line that isn't empty: the parser would name a line after the last."""
    lines = text.rstrip().splitlines() or [""]
    return len(lines), len(lines[-1]) + 1


def shortened(text: str, most: int = LONGEST_QUOTED) -> str:
    """Return the text, cut to `most` characters, as it is quoted in a problem."""
    return text if len(text) <= most else text[: most - 3] + "..."


def _found(text: str, index: int) -> str:
    rest = text[index : index + LONGEST_QUOTED + 1]
    if not rest:
        return "the end of the file"
    if rest[0] in "\r\n":
        return "the end of the line"
    if rest[0] == "\t":
        return "a tab"
    return f"'{shortened((rest.split() or rest)[0])}'"
