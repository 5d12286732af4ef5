"""The sheet in a mail's text: in what its sender wrote, else in a quotation, and which of the lines aren't read."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from adjudicator.door.content import keys_with_content
from adjudicator.mail.block import Block, block_in, plain_of
from adjudicator.mail.headers import addresses
from adjudicator.mail.html_lines import html_lines
from adjudicator.mail.letter import Body, Letter
from adjudicator.mail.mending import mended_lines
from adjudicator.mail.quoting import Parted, parted, plain_lines, without_introductions


class Piece(Struct, frozen=True):
    """A sheet, or a file of answers, as it was found.

    `where` is `attached`, `written`, `quoted` or `forwarded` (attached to an attached mail); `html`: it was found in
    the HTML part. `name` is the file's. `changes` says what was changed in which lines, from 1, and `left` are lines
    within the sheet that weren't read; `torn`: there are orders among these, and none in the sheet.
    """

    text: bytes
    where: str
    name: str = ""
    html: bool = False
    changes: dict[str, tuple[int, ...]] = {}
    left: tuple[str, ...] = ()
    torn: bool = False


class Written(Struct, frozen=True):
    """What is in a mail's text: the sheet, if any; whether there is an empty form; orders that are quoted below a sheet
    and don't count; and all other lines that aren't read.

    Neither `below` nor `left` has lines of a signature, nor `left` those of a quotation of our own mail.
    """

    piece: Piece | None = None
    blank: bool = False
    below: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


def words_in(letter: Letter) -> str:
    """The sender's message: the text around the sheet in the first body that has one."""
    for body in sorted(letter.bodies, key=lambda body: body.html):
        lines = ways_in(body)[0]
        block = block_in(mended_lines(lines.own))
        others = _remarks(lines, block)
        if not _quotes_us(lines, letter):
            others = [*others, *lines.quoted]
        if said := "\n".join(others).strip():
            return said
    return ""


def _remarks(lines: Parted, block: Block | None) -> list[str]:
    """The sender's own lines that don't belong to the sheet, without introductions to a quotation."""
    every = without_introductions(lines.own)
    if block is None:
        return every
    own = {line.text.rstrip() for line in mended_lines(every)}
    return [line for line in block.others if line in own]


def _quotes_us(lines: Parted, letter: Letter) -> bool:
    """Is what a body quotes our own mail: one from where this one went, or, if none is named, what it answers?"""
    named = {_without_plus(one) for one in addresses(lines.about)}
    if named & {_without_plus(one) for one in letter.to}:
        return True
    return lines.sure and bool(letter.answers) and not named - {_without_plus(letter.sender)}


def _without_plus(address: str) -> str:
    local, _, host = address.rpartition("@")
    return f"{local.partition('+')[0]}@{host}"


def written_in(letter: Letter) -> Written:
    """The sheet in the sender's text, else in the quotation, and what is left out.

    Orders that were typed below a quoted key are read together with the quotation, if that changes nothing else in the
    sender's text. Plain text comes before HTML, and a readable sheet before an unreadable one.
    """
    blank = False
    bodies = sorted(letter.bodies, key=lambda body: body.html)
    for where in ("written", "quoted"):
        broken: Written | None = None
        for body in bodies:
            for lines in ways_in(body):
                block = block_in(mended_lines(lines.own if where == "written" else lines.every))
                if block is None or not block.filled:
                    blank = blank or block is not None
                elif block.readable:
                    return _read_in(letter, body, lines, block, where)
                else:
                    left = _left_in(letter, body, lines, block, quoted=where == "quoted")
                    broken = broken or Written(piece_of(block, where, html=body.html), left=left)
        if broken is not None:
            return broken
    return Written(blank=blank, left=lines_shown(letter))


def _read_in(letter: Letter, body: Body, lines: Parted, block: Block, where: str) -> Written:
    """A readable sheet that was found in a body, `written` or `quoted`."""
    written = where == "written"
    if written and block.torn and (whole := _merged_block(lines, block)) is not None:
        left = _left_in(letter, body, lines, whole, quoted=True)
        return Written(piece_of(whole, "quoted", html=body.html), left=left)
    bare = written and not {"orders", "answers"} & keys_with_content(plain_of(block))
    piece = piece_of(block, where, html=body.html, torn=bare and block.torn)
    below = _quoted_orders(lines) if written else ()
    left = _left_in(letter, body, lines, block, quoted=not written, named=below)
    return Written(piece, below=below, left=left)


def _merged_block(lines: Parted, own: Block) -> Block | None:
    """The sender's text read together with the quotation, if that says more and keeps all that the sender wrote."""
    every = block_in(mended_lines(lines.every))
    if every is None or not every.readable or every.torn:
        return None
    plain, mine = plain_of(every), plain_of(own)
    kept = all(plain.get(key) == value for key, value in mine.items())
    return every if kept and keys_with_content(plain) > keys_with_content(mine) else None


def _quoted_orders(lines: Parted) -> tuple[str, ...]:
    """The orders in the quotation, line by line."""
    block = block_in(mended_lines(lines.quoted))
    if block is None or not {"orders", "later"} & keys_with_content(plain_of(block)):
        return ()
    return tuple(
        line for line in block.text.splitlines() if line.strip() and not line.strip().startswith("#")
    )


def _left_in(
    letter: Letter, body: Body, lines: Parted, block: Block, *, quoted: bool, named: Sequence[str] = ()
) -> tuple[str, ...]:
    """The lines that aren't read if a sheet is read from a body: the sender's own there and in the bodies that are
    shown with it, and quoted ones if they aren't our own mail's. `quoted`: the sheet was read together with these.
    `named` are left out.
    """
    left = _remarks(lines, block)
    if not _quotes_us(lines, letter):
        own = {line.text.rstrip() for line in mended_lines(lines.own)}
        left += [line for line in block.others if line not in own] if quoted else lines.quoted
    for other in letter.bodies:
        if other.html == body.html and other is not body:
            left += without_introductions(ways_in(other)[0].own)
    told = {line.strip() for line in (*named, *block.left)}
    return tuple(line for line in left if line.strip() and line.strip()[:200] not in told)


def lines_shown(letter: Letter) -> tuple[str, ...]:
    """All lines in the bodies that a mail program shows together (the plain ones, else those in HTML), except
    signatures and quotations of our own mail.
    """
    left = list[str]()
    for body in [body for body in letter.bodies if not body.html] or letter.bodies:
        lines = ways_in(body)[0]
        left += without_introductions(lines.own)
        left += [] if _quotes_us(lines, letter) else lines.quoted
    return tuple(line for line in left if line.strip())


@lru_cache(maxsize=8)
def ways_in(body: Body) -> Sequence[Parted]:
    """The ways to read the lines of a body: a flowed one also as it is, since some programs only claim to flow."""
    if body.html:
        return (parted(html_lines(body.text)),)
    flowed = (False,) if body.flowed else ()
    return tuple(parted(plain_lines(body, joined=joined)) for joined in (True, *flowed))


def piece_of(block: Block, where: str, *, html: bool, name: str = "", torn: bool = False) -> Piece:
    """The sheet that was found as a block of lines: `written`, `quoted`, or in a file of that name."""
    text = block.text.encode("utf-8", "replace")
    return Piece(text, where, name, html, block.changes, block.left, torn)
