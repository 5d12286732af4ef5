"""What is the sheet of a mail: a file that came with it, else what its sender wrote, else what was filled in quoted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.text.source import MOST_BYTES, Source, read
from adjudicator.mail.block import CONTENT, Block, block_in, judged
from adjudicator.mail.hypertext import html_lines
from adjudicator.mail.letter import Attached, Body, Letter, text_of
from adjudicator.mail.mending import mended
from adjudicator.mail.quoting import own_and_quoted, plain_lines

ENDINGS = (".yaml", ".yml")
TYPES = ("yaml", "x-yaml", "vnd.yaml")


class Piece(Struct, frozen=True):
    """A sheet, or a file of answers, as it was found.

    `where` is `attached`, `written`, `quoted` or `forwarded` (attached to a mail that was attached); `html`: it was
    found in the part that is HTML. `name` is the file's. `changes` says what was changed in which lines, from 1, and
    `left` are lines between those of the sheet that weren't read.
    """

    text: bytes
    where: str
    name: str = ""
    html: bool = False
    changes: dict[str, tuple[int, ...]] = {}
    left: tuple[str, ...] = ()


class Found(Struct, frozen=True):
    """What a mail brings: a sheet, answers, both, or neither, and then why: `nothing`, `blank`, `several`.

    `several` are the names of files that say different things; `unread` are those that were no sheet. `beside`: there
    is another sheet in what its sender wrote, which doesn't count.
    """

    sheet: Piece | None = None
    answers: Piece | None = None
    why: str = ""
    several: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    beside: bool = False


def found_in(letter: Letter) -> Found:
    """What of a letter counts. Never an exception, and nothing that isn't said in what is found."""
    files = [(one, _piece(one)) for one in letter.attached]
    filled = [piece for _, piece in files if piece is not None and judged(piece.text)[0]]
    blank = any(piece is not None and not judged(piece.text)[0] for _, piece in files)
    unread = tuple(one.name or one.kind for one, piece in files if piece is None)
    direct = [piece for piece in filled if piece.where == "attached"]
    kinds: dict[str, Piece] = {}
    for piece in direct or filled:
        kind = "answers" if _is_answers(piece.text) else "sheet"
        if kind in kinds and kinds[kind].text.split() != piece.text.split():
            return Found(why="several", several=tuple(one.name for one in direct or filled), unread=unread)
        kinds.setdefault(kind, piece)
    written, seen = _in_bodies(letter.bodies)
    blank = blank or seen
    if kinds:
        beside = written is not None and written.where == "written"
        return Found(kinds.get("sheet"), kinds.get("answers"), unread=unread, beside=beside)
    if written is not None and _is_answers(written.text):
        return Found(answers=written, unread=unread)
    if written is not None:
        return Found(sheet=written, unread=unread)
    return Found(why="blank" if blank else "nothing", unread=unread)


def _is_answers(text: bytes) -> bool:
    """Is it a file of answers, not a sheet?"""
    source = read(text, "sheet")
    if isinstance(source, Source):
        return isinstance(source.plain, dict) and "answers" in source.plain and "orders" not in source.plain
    return any(line.startswith(b"answers:") for line in text.splitlines())


def _piece(one: Attached) -> Piece | None:
    """An attached file as a sheet: by its name or type, or because it is text that reads like one."""
    if len(one.data) > MOST_BYTES * 2:
        return None
    named = one.name.lower().removesuffix(".txt").endswith(ENDINGS) or one.kind.partition("/")[2] in TYPES
    texts = named or one.kind.startswith("text/") or one.kind == "application/octet-stream"
    if not texts or (not named and one.data[:400].count(0) > 200):
        return None
    text, charset = text_of(one.data, one.charset)
    where = "forwarded" if one.inside else "attached"
    if named or one.kind in ("text/plain", "application/octet-stream"):
        data, changes = one.data, dict[str, tuple[int, ...]]()
        if charset != "utf-8":
            data, changes = text.encode("utf-8", "replace"), {"charset": ()}
        if named or _reads(data):
            return Piece(data, where, one.name, changes=changes)
    body = Body(text, html=one.kind == "text/html")
    own, every = own_and_quoted(html_lines(body.text) if body.html else plain_lines(body))
    for lines in (own, every):
        block = block_in(mended(lines))
        if block is not None and block.filled and block.readable:
            return _written(block, where, html=body.html, name=one.name)
    return None


def _reads(data: bytes) -> bool:
    source = read(data, "sheet")
    return (
        isinstance(source, Source)
        and isinstance(source.plain, dict)
        and any(key in source.plain for key in CONTENT)
    )


def _in_bodies(bodies: Sequence[Body]) -> tuple[Piece | None, bool]:
    """The sheet among what its sender wrote, else in what is quoted; and whether a form was seen that says nothing.

    Plain text comes before HTML, what can be read before what can't.
    """
    blank = False
    for where, index in (("written", 0), ("quoted", 1)):
        broken: Piece | None = None
        for body in sorted(bodies, key=lambda body: body.html):
            for lines in _ways(body, index):
                block = block_in(mended(lines))
                if block is None or not block.filled:
                    blank = blank or block is not None
                elif block.readable:
                    return _written(block, where, html=body.html), blank
                else:
                    broken = broken or _written(block, where, html=body.html)
        if broken is not None:
            return broken, blank
    return None, blank


def _ways(body: Body, index: int) -> Iterator[list[str]]:
    """The lines of a body, own or all; of a flowed one also as they were broken, for programs that only say so."""
    if body.html:
        yield own_and_quoted(html_lines(body.text))[index]
        return
    yield own_and_quoted(plain_lines(body))[index]
    if body.flowed:
        yield own_and_quoted(plain_lines(body, joined=False))[index]


def _written(block: Block, where: str, *, html: bool, name: str = "") -> Piece:
    return Piece(block.text.encode("utf-8", "replace"), where, name, html, block.changes, block.left)


def with_player(piece: Piece, player: str) -> Piece:
    """With the player's name, where a sheet doesn't say it and can be read: at its end, so that lines keep numbers.

    A sheet behind which nothing can stand, as one in braces, stays as it was.
    """
    source = read(piece.text, "sheet")
    if not isinstance(source, Source) or not isinstance(source.plain, dict) or "player" in source.plain:
        return piece
    column = min((source.mark((key,), key=True).column for key in source.plain), default=1)
    end = b"" if piece.text.endswith(b"\n") else b"\n"
    text = piece.text + end + b" " * (column - 1) + f"player: {player}\n".encode()
    if not isinstance(read(text, "sheet"), Source):
        return piece
    return replace(piece, text=text, changes={**piece.changes, "player": (text.count(b"\n"),)})
