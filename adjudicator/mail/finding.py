"""Which part of a mail is the sheet: an attached file, else what its sender wrote, else a quoted form filled in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.text.source import MOST_BYTES, Source
from adjudicator.mail.block import (
    CONTENT,
    Block,
    block_in,
    filled_and_readable,
    keys_with_content,
    plain_of,
    source_in,
)
from adjudicator.mail.html_lines import html_lines
from adjudicator.mail.letter import Attached, Body, Letter, text_of
from adjudicator.mail.limits import MOST_FILES
from adjudicator.mail.mending import mended_lines
from adjudicator.mail.quoting import own_and_quoted, plain_lines, without_introductions

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


class Found(Struct, frozen=True):
    """What a mail brings: a sheet, answers, both, or neither; then `why` is `nothing`, `blank`, `several` or `torn`.

    `several` are the names of files that contradict each other; `unread` are those that aren't sheets. `beside`: the
    sender wrote another sheet in the text, which doesn't count; `below`: there are orders in the quotation, which don't
    count either, and none in the sender's own text. `words` is the sender's message: all that isn't sheet, quotation
    or signature; beside a sheet, only if it is more than a greeting.
    """

    sheet: Piece | None = None
    answers: Piece | None = None
    why: str = ""
    several: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    beside: bool = False
    words: str = ""
    below: bool = False


def found_in(letter: Letter) -> Found:
    """What counts in a letter. It raises nothing, and says what it has left out."""
    found = _sheet_in(letter)
    said = _words_in(letter.bodies)
    return replace(found, words=said if found.why in ("nothing", "blank") or _is_more(said) else "")


def _words_in(bodies: Sequence[Body]) -> str:
    """The sender's message: the text around the sheet in the first body that has one."""
    for body in sorted(bodies, key=lambda body: body.html):
        lines = next(_ways(body))[0]
        block = block_in(mended_lines(lines))
        if said := "\n".join(without_introductions(lines if block is None else block.others)).strip():
            return said
    return ""


def _is_more(said: str) -> bool:
    """Do the words say more than a greeting: are they a question, or enough for a message?"""
    words = len(_WORD.findall(said))
    return words >= MANY_WORDS or ("?" in said and words >= FEW_WORDS)


def _sheet_in(letter: Letter) -> Found:
    files = list(_pieces(letter.attached))
    filled = [piece for _, piece in files if piece is not None and filled_and_readable(piece.text)[0]]
    blank = any(piece is not None and not filled_and_readable(piece.text)[0] for _, piece in files)
    unread = tuple(one.name or one.kind for one, piece in files if piece is None)
    direct = [piece for piece in filled if piece.where == "attached"]
    kinds: dict[str, Piece] = {}
    for piece in direct or filled:
        kind = "answers" if _is_answers(piece.text) else "sheet"
        if kind in kinds and kinds[kind].text.split() != piece.text.split():
            return Found(why="several", several=tuple(one.name for one in direct or filled), unread=unread)
        kinds.setdefault(kind, piece)
    written, seen, below = _sheet_in_bodies(letter.bodies)
    blank = blank or seen
    if kinds:
        beside = written is not None and written.where == "written"
        return Found(kinds.get("sheet"), kinds.get("answers"), unread=unread, beside=beside)
    if written is not None and _is_answers(written.text):
        return Found(answers=written, unread=unread)
    if written is not None and written.torn:
        return Found(why="torn", unread=unread)
    if written is not None:
        return Found(sheet=written, unread=unread, below=below)
    return Found(why="blank" if blank else "nothing", unread=unread)


def _is_answers(text: bytes) -> bool:
    """Is the text a file of answers, not a sheet?"""
    source = source_in(text)
    if isinstance(source, Source):
        return isinstance(source.plain, dict) and "answers" in source.plain and "orders" not in source.plain
    return any(line.startswith(b"answers:") for line in text.splitlines())


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
    own, every = own_and_quoted(html_lines(body.text) if body.html else plain_lines(body))
    for lines in (own, every):
        block = block_in(mended_lines(lines))
        if block is not None and block.filled and block.readable:
            return _piece_of(block, where, html=body.html, name=one.name)
    return None


def _is_named(one: Attached) -> bool:
    return one.name.lower().removesuffix(".txt").endswith(ENDINGS) or one.kind.partition("/")[2] in TYPES


def _may_be(one: Attached) -> bool:
    """Can a file be a sheet, by its name, its type and its size?"""
    if len(one.data) > MOST_BYTES * 2:
        return False
    texts = one.kind.startswith("text/") or one.kind == "application/octet-stream"
    return _is_named(one) or (texts and one.data[:400].count(0) <= 200)


def _reads_like_sheet(data: bytes) -> bool:
    source = source_in(data)
    return (
        isinstance(source, Source)
        and isinstance(source.plain, dict)
        and any(key in source.plain for key in CONTENT)
    )


def _sheet_in_bodies(bodies: Sequence[Body]) -> tuple[Piece | None, bool, bool]:
    """The sheet in the sender's text, else in the quotation; whether there is an empty form; and whether the quotation
    has orders while the sender's text has none.

    Orders that were typed below a quoted key are read together with the quotation, if that changes nothing else in the
    sender's text. Plain text comes before HTML, and a readable sheet before an unreadable one.
    """
    blank = False
    for where, index in (("written", 0), ("quoted", 1)):
        broken: Piece | None = None
        for body in sorted(bodies, key=lambda body: body.html):
            for lines in _ways(body):
                block = block_in(mended_lines(lines[index]))
                if block is None or not block.filled:
                    blank = blank or block is not None
                elif block.readable:
                    if not index and block.torn and (whole := _merged_block(lines, block)) is not None:
                        return _piece_of(whole, "quoted", html=body.html), blank, False
                    bare = not index and not {"orders", "answers"} & keys_with_content(plain_of(block))
                    piece = _piece_of(block, where, html=body.html, torn=bare and block.torn)
                    return piece, blank, bare and _is_more_quoted(lines)
                else:
                    broken = broken or _piece_of(block, where, html=body.html)
        if broken is not None:
            return broken, blank, False
    return None, blank, False


def _merged_block(lines: tuple[list[str], list[str]], own: Block) -> Block | None:
    """The sender's text read together with the quotation, if that says more and keeps all that the sender wrote."""
    every = block_in(mended_lines(lines[1]))
    if every is None or not every.readable or every.torn:
        return None
    plain, mine = plain_of(every), plain_of(own)
    kept = all(plain.get(key) == value for key, value in mine.items())
    return every if kept and keys_with_content(plain) > keys_with_content(mine) else None


def _is_more_quoted(lines: tuple[list[str], list[str]]) -> bool:
    """Are there orders in the quotation?"""
    own, every = iter(lines[0]), lines[1]
    quoted, mine = list[str](), next(own, None)
    for line in every:
        if line == mine:
            mine = next(own, None)
        else:
            quoted.append(line)
    block = block_in(mended_lines(quoted))
    return block is not None and bool({"orders", "later"} & keys_with_content(plain_of(block)))


def _ways(body: Body) -> Iterator[tuple[list[str], list[str]]]:
    """The lines of a body: the sender's own, and all. A flowed body also as it is: some programs only claim to flow."""
    if body.html:
        yield own_and_quoted(html_lines(body.text))
        return
    yield own_and_quoted(plain_lines(body))
    if body.flowed:
        yield own_and_quoted(plain_lines(body, joined=False))


def _piece_of(block: Block, where: str, *, html: bool, name: str = "", torn: bool = False) -> Piece:
    text = block.text.encode("utf-8", "replace")
    return Piece(text, where, name, html, block.changes, block.left, torn)


def with_player(piece: Piece, player: str) -> Piece:
    """A sheet with the player's name, if it has none and can be read. The name goes to the end, to keep line numbers.

    A sheet to which nothing can be appended, such as one in braces, stays as it was.
    """
    source = source_in(piece.text)
    if not isinstance(source, Source) or not isinstance(source.plain, dict) or "player" in source.plain:
        return piece
    column = min((source.mark((key,), key=True).column for key in source.plain), default=1)
    end = b"" if piece.text.endswith(b"\n") else b"\n"
    text = piece.text + end + b" " * (column - 1) + f"player: {player}\n".encode()
    if not isinstance(source_in(text), Source):
        return piece
    return replace(piece, text=text, changes={**piece.changes, "player": (text.count(b"\n"),)})
