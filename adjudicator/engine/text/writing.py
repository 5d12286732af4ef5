"""Writing: plain data as YAML that people can read and edit, and that reads back as the same data."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from adjudicator.engine.text.source import MOST_DIGITS, MOST_LEVELS, Plain, reads_as_text

WIDTH = 100
"""The most columns of a line: a longer value isn't written in brackets on one line."""
LONGEST_KEY = 1000
"""The most characters of a key: YAML allows `key: value` only for keys of at most 1024, with their quotes."""

_PLAIN_WORD = re.compile(r"[^\W\d_]\w*(?:[ -]\w+)*")
_MEANS_SOMETHING = re.compile(
    r"""^[\s,\[\]{}#&*!|>'"%@`] | ^[-?:](?:\s|\Z) | ^--- | ^\.\.\. | :[ ] | :\Z | [ ]\# | \s\Z""", re.VERBOSE
)
_NEEDS_QUOTES_IN_BRACKETS = re.compile(r"^[?:] | :\? | [,\[\]{}]", re.VERBOSE)
_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _needs_quotes(text: str) -> bool:
    """Is there anything in a text that makes quotes necessary?"""
    return bool(
        _MEANS_SOMETHING.search(text) or (not text.isprintable() and _pattern_of_unprintable().search(text))
    )


@cache
def _pattern_of_unprintable() -> re.Pattern[str]:
    """What must be escaped. Nothing that is printable for Python is, so few texts need it; compiling it takes 3 ms."""
    return re.compile(
        r"[^ -~\xa0-\u200a\u2010-\u2027\u202f-\u205f\u206a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
    )


def write(plain: Plain, comment: str = "", brackets_from: int = 2) -> str:
    """Return the data as a YAML document, under the comment (without `#`), with a line end after each line.

    A list or mapping that lies at least `brackets_from` keys or list entries deep is written in brackets on one line,
    if it fits and holds only scalars, or lists or mappings of scalars. What `read` couldn't give back (over 32 levels,
    numbers of more than 18 digits, infinities, lone surrogates) is the caller's bug: ValueError.
    """
    lines: list[str] = []
    _Lines(lines, brackets_from).add(plain, "", "", 0)
    return as_comments(comment) + "\n".join(lines) + "\n"


def as_comments(text: str) -> str:
    """Lines of text as YAML comments, whatever they hold; empty for empty text."""
    lines = text.splitlines()
    if not text.replace("\n", "").isprintable():
        lines = [_pattern_of_unprintable().sub(_escape, line) for line in lines]
    return "".join([f"# {line}".rstrip() + "\n" for line in lines])


def in_a_line(plain: Plain) -> str:
    """Plain data in brackets on one line, however long: `{buy: wine, at: napoli}`."""
    return _in_brackets(plain, 1 << 30, MOST_LEVELS - 1) or ""


class _Lines:
    """The lines written so far."""

    def __init__(self, lines: list[str], brackets_from: int) -> None:
        self.lines = lines
        self.brackets_from = brackets_from

    def add(self, plain: Plain, head: str, pad: str, depth: int) -> None:
        """Add a value after its head, an indented `key:` or `-`; its inside is indented by `pad`."""
        if not plain or not isinstance(plain, (list, dict)):
            self.lines.append(_after(head, _short_form(plain, in_brackets=False)))
            return
        if depth >= MOST_LEVELS:
            raise ValueError(f"more than {MOST_LEVELS} levels")
        if depth >= self.brackets_from:
            line = _in_brackets(plain, WIDTH - len(head) - 1, min(1, MOST_LEVELS - 1 - depth))
            if line is not None:
                self.lines.append(_after(head, line))
                return
        # `-` (or `:` alone) fits into the indentation, and the first entry stands beside it.
        joined = len(head) < len(pad)
        if head and not joined:
            self.lines.append(head)
        begin = len(self.lines)
        self.add_all(plain, pad, depth + 1)
        if joined:
            self.lines[begin] = head + self.lines[begin][len(head) :]

    def add_all(self, plain: list[Plain] | dict[str, Plain], pad: str, depth: int) -> None:
        """Add the entries of a list or mapping, each on lines of its own."""
        inner = pad + "  "
        if isinstance(plain, list):
            for value in plain:
                self.add(value, f"{pad}-", inner, depth)
            return
        for key, value in plain.items():
            word = _key(key, in_brackets=False)
            if len(word) > LONGEST_KEY:
                self.lines.append(f"{pad}? {word}")
                self.add(value, f"{pad}:", inner, depth)
            else:
                self.add(value, f"{pad}{word}:", inner, depth)


def _after(head: str, text: str) -> str:
    return f"{head} {text}" if head else text


def _in_brackets(plain: Plain, room: int, inner: int) -> str | None:
    """The value on one line of at most `room` characters; None if it doesn't fit or is too deep inside."""
    if not plain or not isinstance(plain, (list, dict)):
        return _short_form(plain, in_brackets=True)
    if inner < 0 or 3 * len(plain) > room:
        return None
    parts = []
    for key, value in plain.items() if isinstance(plain, dict) else enumerate(plain):
        part = _in_brackets(value, room, inner - 1)
        if part is None:
            return None
        if isinstance(key, str):
            part = f"{_key(key, in_brackets=True)}: {part}"
        parts.append(part)
        room -= len(part) + 2
        if room < 0:
            return None
    line = ", ".join(parts)
    return f"{{{line}}}" if isinstance(plain, dict) else f"[{line}]"


def _short_form(plain: Plain, *, in_brackets: bool) -> str:
    """A scalar, or an empty list or mapping."""
    if isinstance(plain, str):
        return _text(plain, in_brackets=in_brackets)
    if plain is None:
        return "null"
    if isinstance(plain, bool):
        return "true" if plain else "false"
    if isinstance(plain, int):
        if abs(plain) >= 10**MOST_DIGITS:
            raise ValueError(f"a number of more than {MOST_DIGITS} digits")
        return str(plain)
    if isinstance(plain, float):
        if plain - plain != 0:
            raise ValueError("not a finite number")
        return repr(plain)
    return "[]" if isinstance(plain, list) else "{}"


def _text(text: str, *, in_brackets: bool) -> str:
    word = _key(text, in_brackets=in_brackets)
    return word if word[0] == '"' or reads_as_text(word) else f'"{word}"'


@lru_cache(maxsize=1024)  # most texts are names, and are written in one file after another
def _key(text: str, *, in_brackets: bool) -> str:
    """The text, in quotes if it has characters that mean something in YAML. Keys are never read as numbers."""
    if _PLAIN_WORD.fullmatch(text):
        return text
    if not text or _needs_quotes(text) or (in_brackets and _NEEDS_QUOTES_IN_BRACKETS.search(text)):
        return f'"{_escaped(text)}"'
    return text


def _escaped(text: str) -> str:
    quotable = text.replace("\\", "\\\\").replace('"', '\\"')
    return quotable if text.isprintable() else _pattern_of_unprintable().sub(_escape, quotable)


def _escape(found: re.Match[str]) -> str:
    char = found[0]
    if char in _ESCAPES:
        return _ESCAPES[char]
    code = ord(char)
    if 0xD800 <= code <= 0xDFFF:
        raise ValueError("a lone surrogate, which no file can hold")
    return f"\\x{code:02X}" if code <= 0xFF else f"\\u{code:04X}"
