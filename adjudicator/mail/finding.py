"""Which part of a mail is the sheet: an attached file, else what its sender wrote, else a quoted form filled in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.door.content import CONTENT, kind_of, plain_in
from adjudicator.engine.text.source import MOST_BYTES
from adjudicator.mail.block import Mistyped, block_in, filled_and_readable, mistyped_in
from adjudicator.mail.letter import Attached, Body, Letter, text_of
from adjudicator.mail.limits import MOST_FILES
from adjudicator.mail.mending import MendedLine, mended_lines
from adjudicator.mail.written import Piece, lines_shown, piece_of, ways_in, words_in, written_in

ENDINGS = (".yaml", ".yml")
TYPES = ("yaml", "x-yaml", "vnd.yaml")
MANY_WORDS, FEW_WORDS = 12, 3
"""With so many words beside a sheet, or so few if there is a question mark, the mail is more than a greeting."""
_WORD = re.compile(r"[^\W\d_]{2,}")


class Found(Struct, frozen=True):
    """What a mail brings: a sheet, answers, both, or neither; then `why` is `nothing`, `blank`, `mistyped`, `several`
    or `torn`.

    `several` are the names of files that contradict each other; `unread` are those that aren't read; `mistyped` is a
    key that is almost one of a sheet's. `beside`: the sender wrote another sheet in the text, which doesn't count.
    `left` are the lines of the text that don't belong to the sheet; `below` are orders in the quotation that don't
    count. Neither has lines of a signature, nor others of a quotation of our own mail. `words` is the sender's message:
    all that isn't sheet, quotation or signature; beside a sheet, only if it is more than a greeting.
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


def found_in(letter: Letter) -> Found:
    """What counts in a letter. It raises nothing, and says what it has left out."""
    found = _sheet_in(letter)
    said = words_in(letter)
    return replace(found, words=said if found.why in ("nothing", "blank") or _is_more(said) else "")


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
    """Can a file be a sheet, by its name, its type and its size?"""
    if len(one.data) > MOST_BYTES * 2:
        return False
    texts = one.kind.startswith("text/") or one.kind == "application/octet-stream"
    return _is_named(one) or (texts and one.data[:400].count(0) <= 200)


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
