"""Which part of a mail is the sheet: an attached file, else what its sender wrote, else a quoted form filled in; and
which lines beside it aren't read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.door.submission import CONTENT, keys_with_content, kind_of, plain_in
from adjudicator.engine.text.source import MOST_BYTES
from adjudicator.mail.block import (
    Block,
    MendedLine,
    Mistyped,
    block_in,
    filled_and_readable,
    mended_lines,
    mistyped_in,
    plain_of,
)
from adjudicator.mail.commands import Command, commands_in
from adjudicator.mail.letter import Attached, Body, Letter, addresses, text_of
from adjudicator.mail.limits import MOST_FILES
from adjudicator.mail.quoting import (
    Message,
    Parted,
    html_lines,
    parted,
    plain_lines,
    without_introductions,
)

ENDINGS = (".yaml", ".yml")
TYPES = ("yaml", "x-yaml", "vnd.yaml")
MANY_WORDS, FEW_WORDS = 12, 3
"""With so many words beside a sheet, or so few if there is a question mark, the mail is more than a greeting."""
_WORD = re.compile(r"[^\W\d_]{2,}")


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
    for body in _by_kind(letter):
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
    bodies = _by_kind(letter)
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


class Found(Struct, frozen=True):
    """What a mail brings: a sheet, answers, both, or neither; then `why` is `nothing`, `blank`, `mistyped`, `several`
    or `torn`.

    `several` are the names of files that contradict each other; `unread` are those that aren't read; `mistyped` is a
    key that is almost one of a sheet's. `beside`: the sender wrote another sheet in the text, which doesn't count.
    `left` are the lines of the text that don't belong to the sheet; `below` are orders in the quotation that don't
    count. Neither has lines of a signature, nor others of a quotation of our own mail. `words` is the sender's message:
    all that isn't sheet, command, message to others, quotation or signature; beside these, only if it is more than a
    greeting. `crash` says how the program failed on it, for the GM; then `why` is `crashed`.
    """

    sheet: Piece | None = None
    answers: Piece | None = None
    why: str = ""
    several: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    mistyped: Mistyped | None = None
    beside: bool = False
    left: tuple[str, ...] = ()
    words: str = ""
    below: tuple[str, ...] = ()
    commands: tuple[Command, ...] = ()
    messages: tuple[Message, ...] = ()
    crash: str = ""


def found_in(letter: Letter) -> Found:
    """What counts in a letter. It raises nothing, and says what it has left out."""
    found, asked = _sheet_in(letter), _commands_of(letter)
    messages = next((tuple(ways_in(body)[0].messages) for body in _by_kind(letter) if _own(body)), ())
    lines = {each.line for each in asked}
    said = "\n".join(line for line in words_in(letter).split("\n") if line.strip() not in lines).strip()
    alone = found.why in ("nothing", "blank") and not asked and not messages
    return replace(
        found,
        words=said if alone or _is_more(said) else "",
        left=tuple(line for line in found.left if line.strip() not in lines),
        commands=asked,
        messages=messages,
    )


def _commands_of(letter: Letter) -> tuple[Command, ...]:
    """The commands in the text that a mail program shows: those above the first message and outside a sheet, and the
    one that is the subject.
    """
    above, outside = list[str](), list[str]()
    for body in _by_kind(letter):
        if body.html and any(above):
            break
        lines = ways_in(body)[0]
        above += ["", *(mine := [line.text.rstrip() for line in mended_lines(lines.above)])]
        block = block_in(mended_lines(lines.own))
        outside += [line.rstrip() for line in block.others] if block is not None else mine
    return commands_in(above, outside, letter.subject)


def _by_kind(letter: Letter) -> list[Body]:
    """The bodies of a mail, plain text before HTML."""
    return sorted(letter.bodies, key=lambda body: body.html)


def _own(body: Body) -> bool:
    """Did the sender write anything in a body?"""
    lines = ways_in(body)[0]
    return any(line.strip() for line in lines.own) or bool(lines.messages)


def _is_more(said: str) -> bool:
    """Do the words say more than a greeting: are they a question, or enough for a message?"""
    words = len(_WORD.findall(said))
    return words >= MANY_WORDS or ("?" in said and words >= FEW_WORDS)


def _sheet_in(letter: Letter) -> Found:
    files = list(_pieces(letter.attached))
    filled = [piece for _, piece in files if piece is not None and filled_and_readable(piece.text)[0]]
    blank = any(piece is not None and not filled_and_readable(piece.text)[0] for _, piece in files)
    direct = [piece for piece in filled if piece.where == "attached"]
    unread = tuple(
        one.name or one.kind
        for one, piece in files
        if piece is None or (direct and piece in filled and piece not in direct)
        if not one.kind.endswith("-signature")
    )
    kinds: dict[str, Piece] = {}
    for piece in direct or filled:
        kind = kind_of(piece.text)
        if kind in kinds and kinds[kind].text.split() != piece.text.split():
            return Found(why="several", several=tuple(one.name for one in direct or filled), unread=unread)
        kinds.setdefault(kind, piece)
    text = written_in(letter)
    written, mistyped = text.piece, _mistyped_in(letter, files, text.piece)
    found = Found(unread=unread, left=text.left, mistyped=mistyped)
    if kinds:
        beside = written is not None and written.where == "written"
        left = lines_shown(letter) if beside else text.left
        return replace(
            found, sheet=kinds.get("sheets"), answers=kinds.get("answers"), beside=beside, left=left
        )
    if written is not None and kind_of(written.text) == "answers":
        return replace(found, answers=written)
    if written is not None and written.torn:
        return replace(found, why="torn", left=(*written.left, *text.left))
    if written is not None:
        return replace(found, sheet=written, below=text.below)
    why = "mistyped" if mistyped else "blank" if blank or text.blank else "nothing"
    return replace(found, why=why, left=())


def _mistyped_in(
    letter: Letter, files: Sequence[tuple[Attached, Piece | None]], written: Piece | None
) -> Mistyped | None:
    """A key that is almost one of a sheet's, in an attached file or, if no sheet was found there, in the sender's text;
    None if there is none.
    """
    for one, piece in files[:MOST_FILES]:
        blank = piece is None or not filled_and_readable(piece.text)[0]
        if blank and _may_be(one) and one.kind != "text/html":
            text = text_of(one.data, one.charset)[0]
            if found := mistyped_in([MendedLine(line) for line in text.splitlines()], one.name or one.kind):
                return found
    if written is None:
        for body in letter.bodies:
            if found := mistyped_in(mended_lines(ways_in(body)[0].own)):
                return found
    return None


def _pieces(attached: Sequence[Attached]) -> Iterator[tuple[Attached, Piece | None]]:
    """The attached files, each with the sheet in it, if any. Only the first files that may be sheets are read."""
    room = MOST_FILES
    for one in attached:
        likely = room > 0 and _may_be(one)
        room -= likely
        yield one, _piece(one) if likely else None


def _piece(one: Attached) -> Piece | None:
    """An attached file as a sheet: its name or type says so, or its text reads like one."""
    named = _is_named(one)
    text, charset = text_of(one.data, one.charset)
    where = "forwarded" if one.inside else "attached"
    if named or one.kind in ("text/plain", "application/octet-stream"):
        data, changes = one.data, dict[str, tuple[int, ...]]()
        if charset != "utf-8":
            data, changes = text.encode("utf-8", "replace"), {"charset": ()}
        if named or _reads_like_sheet(data):
            return Piece(data, where, one.name, changes=changes)
    body = Body(text, html=one.kind == "text/html")
    found = ways_in(body)[0]
    for lines in (found.own, found.every):
        block = block_in(mended_lines(lines))
        if block is not None and block.filled and block.readable:
            return piece_of(block, where, html=body.html, name=one.name)
    return None


def _is_named(one: Attached) -> bool:
    return one.name.lower().removesuffix(".txt").endswith(ENDINGS) or one.kind.partition("/")[2] in TYPES


def _may_be(one: Attached) -> bool:
    """Can a file be a sheet, by its name, or else by its type and its size?"""
    texts = one.kind.startswith("text/") or one.kind == "application/octet-stream"
    likely = texts and len(one.data) <= MOST_BYTES * 2 and one.data[:400].count(0) <= 200
    return _is_named(one) or likely


def _reads_like_sheet(data: bytes) -> bool:
    plain = plain_in(data)
    return any(key in plain for key in CONTENT)


def player_named(found: Found) -> str:
    """The player whom the sheet names; empty if it names none."""
    piece = found.sheet or found.answers
    named = plain_in(piece.text).get("player") if piece else None
    return named if isinstance(named, str) else ""


def with_name_added(piece: Piece, text: bytes) -> Piece:
    """A sheet as it was taken: if its player's name was added at its end, that is among its changes."""
    if text == piece.text:
        return piece
    return replace(piece, text=text, changes={**piece.changes, "player": (text.count(b"\n"),)})
