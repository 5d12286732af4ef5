"""Letters: a mail taken apart into the few things that matter to a match. Whatever the bytes are, there is a letter."""

from __future__ import annotations

import codecs
import email
import email.errors
import email.header
import email.utils
import hashlib
import re
from collections.abc import Iterator
from email.message import Message

from msgspec import Struct

LARGEST = 8 * 2**20
"""Bytes: of a larger mail no more is looked at."""
MOST_PARTS = 100
"""Parts of a mail that are looked at."""
MOST_TEXT = 2**19
"""Characters of a body that are looked at; a report quoted whole is a tenth of it."""
MOST_NAME = 80
_ID = re.compile(r"<[^<>\s]{1,250}>")
_ADDRESS = re.compile(r"[^\s<>,;:\"()\[\]\\@]{1,64}@[^\s<>,;:\"()\[\]\\@]{1,255}")
_WIDER = {"iso-8859-1": "cp1252", "latin-1": "cp1252", "us-ascii": "utf-8", "gb2312": "gb18030"}
"""What is said to be the first is in truth often the second, which holds the first."""
SEEN = ("list-id", "list-post", "precedence", "auto-submitted", "return-path", "x-autoreply", "x-autorespond",
        "x-auto-response-suppress", "x-loop", "feedback-id", "x-failed-recipients", "content-type", "date")  # fmt: skip
"""Headers that tell whether somebody wrote it, or a machine."""
STATUS = ("message/delivery-status", "message/global-delivery-status")
"""The part of a bounce that is for machines."""
GONE_TO = ("to", "cc", "delivered-to", "x-original-to", "envelope-to", "x-delivered-to", "resent-to")
"""Headers that name an address which the mail went to."""


class Body(Struct, frozen=True):
    """A text of the mail that is shown at once. `flowed`: its lines are broken softly, `joined` without a space."""

    text: str
    html: bool = False
    flowed: bool = False
    joined: bool = False


class Attached(Struct, frozen=True):
    """A file that came along: its name as the sender had it (it may be empty), its type, its bytes and their charset.

    `inside`: it lies in a mail that was forwarded as a file.
    """

    name: str
    kind: str
    data: bytes
    charset: str = ""
    inside: bool = False


class Letter(Struct, frozen=True):
    """A mail. `id` is its Message-ID, or made of its bytes where it has none; `answers` are those it replies to."""

    id: str
    sender: str
    to: tuple[str, ...]
    subject: str
    answers: tuple[str, ...] = ()
    bodies: tuple[Body, ...] = ()
    attached: tuple[Attached, ...] = ()
    headers: dict[str, str] = {}
    parts: tuple[str, ...] = ()


def letter_in(data: bytes) -> Letter:
    """The letter in the bytes of a message; it may be empty, but it is never an exception."""
    message = email.message_from_bytes(data)
    parts = list(_parts(message))
    bodies: list[Body] = []
    attached: list[Attached] = []
    for part, inside in parts:
        found = _part(part, inside)
        if isinstance(found, Body):
            bodies.append(found)
        elif found is not None:
            attached.append(found)
    ids = _ID.findall(_header(message, "message-id"))
    answers = _ID.findall(f"{_header(message, 'in-reply-to')} {_header(message, 'references')}"[-8000:])
    return Letter(
        id=ids[0] if ids else f"<{hashlib.sha256(data).hexdigest()[:32]}@no-id>",
        sender=next(iter(addresses(_header(message, "from"))), ""),
        to=tuple(dict.fromkeys(one for name in GONE_TO for one in addresses(_headers(message, name)))),
        subject=_header(message, "subject")[:1000],
        answers=tuple(dict.fromkeys(answers)),
        bodies=tuple(bodies),
        attached=tuple(attached),
        headers={name: _header(message, name)[:1000] for name in SEEN if message.get(name) is not None},
        parts=tuple(part.get_content_type() for part, _ in parts),
    )


def addresses(text: str) -> list[str]:
    """All mail addresses in a header, in small letters: `gm+lagoon@example.org`."""
    return [found.lower().strip("'.") for found in _ADDRESS.findall(text[:20_000])]


def text_of(data: bytes, charset: str = "") -> tuple[str, str]:
    """Bytes as text, and the charset that they were read by: the one given, else the first that they can be."""
    for mark, name in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(mark):
            return data.decode(name, "replace"), name.removesuffix("-sig")
    said = charset.strip("'\" ").lower()
    for name in (_WIDER.get(said, said), *_likely(data)):
        try:
            if name and codecs.lookup(name)._is_text_encoding:
                return data.decode(name), name
        except (LookupError, ValueError):
            continue
    return data.decode("latin-1"), "latin-1"


def _likely(data: bytes) -> tuple[str, ...]:
    """UTF-8, else what Windows writes; every second byte of plain text in UTF-16 is 0."""
    if data[1:400:2].count(0) > len(data[:400]) // 3:
        return ("utf-16-le",)
    if data[0:400:2].count(0) > len(data[:400]) // 3:
        return ("utf-16-be",)
    return ("utf-8", "cp1252")


def _parts(message: Message) -> Iterator[tuple[Message, bool]]:
    """The parts that hold something, and whether each lies in a forwarded mail; not by recursion, which may be deep."""
    waiting: list[tuple[Message, bool]] = [(message, False)]
    for _ in range(MOST_PARTS):
        if not waiting:
            return
        part, inside = waiting.pop(0)
        below = part.get_payload() if part.is_multipart() else None
        if part.get_content_type() in STATUS:
            yield part, inside
        elif isinstance(below, list):
            inside = inside or part.get_content_type() == "message/rfc822"
            waiting[:0] = [(one, inside) for one in below[:MOST_PARTS] if isinstance(one, Message)]
        else:
            yield part, inside


def _part(part: Message, inside: bool) -> Body | Attached | None:
    kind, data = part.get_content_type(), _bytes(part)
    name = _name(part)
    charset = _parameter(part, "charset")
    disposed = _header(part, "content-disposition").lower().startswith("attachment")
    if inside or name or disposed or kind not in ("text/plain", "text/html"):
        return Attached(name, kind, data, charset, inside) if data else None
    text = text_of(data, charset)[0][:MOST_TEXT]
    if kind == "text/html":
        return Body(text, html=True)
    flowed = _parameter(part, "format").lower() == "flowed"
    return Body(text, flowed=flowed, joined=flowed and _parameter(part, "delsp").lower() == "yes")


def _bytes(part: Message) -> bytes:
    try:
        data = part.get_payload(decode=True)
    except (ValueError, LookupError, AssertionError, email.errors.MessageError):
        data = None
    if isinstance(data, bytes):
        return data
    try:
        raw = part.get_payload()
    except (ValueError, LookupError):  # a charset that is no word
        return b""
    if isinstance(raw, list):  # the parser takes each block of a status for a message
        raw = "\n".join(
            f"{key}: {value}" for one in raw if isinstance(one, Message) for key, value in one.items()
        )
    return raw.encode("utf-8", "surrogateescape") if isinstance(raw, str) else b""


def _name(part: Message) -> str:
    """The name of an attached file, without folders."""
    found = ""
    for header, key in (("content-disposition", "filename"), ("content-type", "name")):
        found = found or _parameter(part, key, header)
    return re.split(r"[/\\]", found.strip())[-1][:MOST_NAME]


def _parameter(part: Message, key: str, header: str = "content-type") -> str:
    try:
        value = part.get_param(key, "", header)
        if isinstance(value, tuple):
            value = email.utils.collapse_rfc2231_value(value)
    except (ValueError, LookupError, TypeError, IndexError, email.errors.MessageError):
        return ""
    return _decoded(str(value))


def _headers(message: Message, name: str) -> str:
    return ", ".join(_decoded(str(value)) for value in (message.get_all(name) or [])[:50])


def _header(message: Message, name: str) -> str:
    return _decoded(str(message.get(name, "")))


def _decoded(text: str) -> str:
    """A header in plain signs on one line: its encoded words are read, where they can be."""
    text = text[:20_000]
    try:
        if "=?" in text:
            text = str(email.header.make_header(email.header.decode_header(text)))
    except (ValueError, LookupError, email.errors.MessageError, AssertionError):
        pass
    text = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
