"""How templates write values: tables, points, sums of money, places; and others' text, made safe for a report."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from adjudicator.engine.play.account import OrderAccount
from adjudicator.engine.table.domain import Walk
from adjudicator.engine.table.points import Line, total
from adjudicator.engine.text.problem import with_escapes

UNKNOWN = "–"
"""Shown in a table for what the reader may not know, or what doesn't exist."""
MARKUP = re.compile(
    r"\\(?=[!-/:-@\[-`{-~]|$)|[`|]|(?<!\s)\*|\*(?!\s)|<(?=[A-Za-z/!?]|$)|\](?=[(\[:]|$)|(?<![^\W_])_|_(?![^\W_])"
    r"|~(?=~)|&(?=#?\w+;)|^(?:>|[#+=-]+(?=\s|$))"
)
"""Characters where Markdown may treat them specially; in `leptis_magna`, `a & b`, `2 < 3` they are plain text."""
NUMBER = re.compile(r"^\d{1,9}(?=[.)](?:\s|$))")
"""What would begin a numbered list."""
NEEDLESS = re.compile(r"(?<!\\)((?:\\\\)*)\\\](?![(\[:])")
"""A bracket at the end of a text that is no link because of what comes after it."""


def table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A Markdown table with aligned columns; a column whose head begins with `>` is aligned right."""
    cells = [[title.lstrip(">") for title in head], *([str(cell) for cell in row] for row in rows)]
    right = [title.startswith(">") for title in head]
    ends = [">" if end else "<" for end in right]
    widths = [max(3, *(len(row[index]) for row in cells)) for index in range(len(head))]
    lines = [
        f"| {' | '.join(f'{cell:{end}{width}}' for cell, width, end in zip(row, widths, ends, strict=True))} |"
        for row in cells
    ]
    rule = "|".join(
        "-" * (width + 1) + (":" if end else "-") for width, end in zip(widths, right, strict=True)
    )
    return "\n".join([lines[0], f"|{rule}|", *lines[1:]])


def points_table(lines: Mapping[str, Sequence[Line]], texts: Mapping[str, Any]) -> str:
    """Points line by line, with a total if there are several lines, one column a player; a total with an unknown part
    ends with `+`.
    """
    players = list(lines)
    kinds = [line.what for line in lines[players[0]]]
    head = [texts["points"]["what"], *(f">{texts['names'].get(player, player)}" for player in players)]
    rows = [
        [texts["points"].get(what, what), *(_shown(lines[player][index].points) for player in players)]
        for index, what in enumerate(kinds)
        if any(lines[player][index].points != 0 for player in players)
    ]
    if len(rows) != 1:
        rows.append([texts["points"]["total"], *(total(lines[player]) for player in players)])
    return table(head, rows)


def _shown(points: int | None) -> str:
    return UNKNOWN if points is None else str(points)


def account_text(account: OrderAccount, texts: Mapping[str, Any]) -> str:
    """What became of an order, or will become of it: its word, and the one that it may still get instead."""
    word: str = texts["account"][account.word]
    if account.may is None or account.doubt is None:
        return word
    return f"{word}{texts['language']['apart']}{texts['may'][account.may]} ({texts['doubt'][account.doubt]})"


def place(text: str) -> str:
    """Line and column: `sheets/venice.yaml:7:5` and `7:5` both become 7:5.

    Places in another phase's sheet, or in answers, keep that in front: `0003-t1-market 7:5`, `answers 2:3`.
    """
    file, line, column = ("", *text.rsplit(":", 2))[-3:]
    folder = file.partition("/")[0]
    return f"{line}:{column}" if folder in ("", "sheets") else f"{folder} {line}:{column}"


def quoted(text: str) -> str:
    """Others' text, safe for a report: on one line, with no character of it read as Markdown."""
    return NUMBER.sub(r"\g<0>\\", MARKUP.sub(r"\\\g<0>", with_escapes(text)))


def without_needless_escapes(text: str) -> str:
    """A whole report without the escapes that others' text turned out not to need."""
    return NEEDLESS.sub(r"\1]", text) if "\\]" in text else text


def rings(start: str, borders: Mapping[str, Sequence[str]], most: int) -> list[list[str]]:
    """The places within `most` steps, grouped by their number of steps."""
    return Walk(start, borders, most).rings()
