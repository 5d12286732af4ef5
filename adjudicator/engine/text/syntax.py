"""Syntax errors: what the YAML parser says, as slips that the texts have words for (`unread:` in words.yaml)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudicator.engine.text.problem import Facts, Slip

if TYPE_CHECKING:
    from yaml.error import Mark, YAMLError

LONGEST_QUOTED = 40
"""How many characters of a file a problem quotes."""
END_OF_FILE, END_OF_LINE, TAB = "end-of-file", "end-of-line", "tab"
"""The keys of what is found at a place and can't be quoted."""


SIGNS = ("alias", "anchor", "tag", "directive")
"""The parts of YAML that sheets do without; each has a text of its name."""

_NO_COLON = "could not find expected ':'"
_MISPLACED_KEY = "mapping values are not allowed in this context"
_NO_DASH = "did not find expected '-' indicator"
_NO_COMMA = {
    "did not find expected ',' or ']'": "no-comma-in-list",
    "did not find expected ',' or '}'": "no-comma-in-mapping",
}
_MISPLACED = (_NO_DASH, "did not find expected key", "did not find expected <document start>")
_NO_TOKEN = "found character that cannot start any token"
_UNDEFINED_TAG = "found undefined tag handle"
# The parser's messages, and the keys of our texts, which may name what is `found` at the place, and where the value
# around it begins: `begin`.
_KEYS = {
    _NO_COLON: "no-colon",
    _MISPLACED_KEY: "misplaced-key",
    "block sequence entries are not allowed in this context": "misplaced-dash",
    "mapping keys are not allowed in this context": "question-mark",
    "did not find expected key": "no-key",
    _NO_DASH: "no-dash",
    **_NO_COMMA,
    "did not find expected node content": "no-value",
    "did not find expected <document start>": "after-the-end",
    "did not find expected comment or line break": "no-end-of-line",
    "found unexpected end of stream": "open-quotes",
    "found unexpected document indicator": "open-quotes-before-end",
    "found unknown escape character": "no-escape",
    "did not find expected hexdecimal number": "no-hexadecimal",
    "found invalid Unicode character escape code": "no-character",
    "found unexpected ':'": "colon-in-brackets",
    "found a tab character that violates indentation": "a-tab",
    "found a tab character where an indentation space is expected": "a-tab",
    "found an indentation indicator equal to 0": "no-indentation",
}
_SAID_OF_THE_BEGINNING = (_NO_COLON, "found unexpected end of stream", "found unexpected document indicator")


def slip_of(error: YAMLError, text: str) -> Slip:
    """The slip behind the parser's error in `text`, with its line and column (from 1; 0 for no place)."""
    said = str(getattr(error, "problem", error))
    at, begin = getattr(error, "problem_mark", None), getattr(error, "context_mark", None)
    if at is None:
        return Slip(0, 0, "not-yaml")
    context = "tag" if said == _UNDEFINED_TAG else str(getattr(error, "context", "")).rsplit(" ", 1)[-1]
    if begin is not None and (said in _SAID_OF_THE_BEGINNING or context in SIGNS):
        at = begin
    line, column = (at.line + 1, at.column + 1) if at.index < len(text) else _end(text)
    if context in SIGNS:
        return Slip(line, column, context)
    found = _found(text, at.index)
    if slip := _slip_before(said, (line, column), begin, found, text):
        return slip
    if said == _NO_TOKEN:
        return Slip(line, column, "a-tab") if found == TAB else Slip(line, column, "a-sign", {"found": found})
    where = f"{begin.line + 1}:{begin.column + 1}" if begin is not None else ""
    facts: Facts = {"found": found, "begin": where}
    return Slip(line, column, _KEYS.get(said, "not-yaml"), facts)


def _slip_before(said: str, place: tuple[int, int], begin: Mark | None, found: str, text: str) -> Slip | None:
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
    if said in _NO_COMMA and begin is not None and begin.line + 1 < line:
        key = f"open-{_NO_COMMA[said]}"
        return Slip(begin.line + 1, begin.column + 1, key, {"line": line, "found": found})
    if said == _NO_COLON:
        return dash_left_out(lines, line)
    if said not in _MISPLACED:
        return None
    if slip := place_of_open_quotes(lines, line, column) or (
        slip_above(lines, line) if said == _NO_DASH else None
    ):
        return slip
    key, facts = fault_of_indentation(lines, line)
    return Slip(line, column, key, {"found": found, **facts}) if key else None


def _end(text: str) -> tuple[int, int]:
    """The end of the last line that isn't empty: the parser would name a line after the last."""
    lines = text.rstrip().splitlines() or [""]
    return len(lines), len(lines[-1]) + 1


def shortened(text: str, most: int = LONGEST_QUOTED) -> str:
    """Return the text, cut to `most` characters, as it is quoted in a problem."""
    return text if len(text) <= most else text[: most - 3] + "..."


def _found(text: str, index: int) -> str:
    """What stands at a place, in quotes; or the key of what can't be quoted."""
    rest = text[index : index + LONGEST_QUOTED + 1]
    if not rest:
        return END_OF_FILE
    if rest[0] in "\r\n":
        return END_OF_LINE
    if rest[0] == "\t":
        return TAB
    return f"'{shortened((rest.split() or rest)[0])}'"
