"""Letters: the few parts of a mail that matter to a match, as plain text, however they are encoded or broken. Any bytes
give a letter.

Anybody can write a mail: `head_in` reads only its headers, which name the sender; `letter_in` is for a mail within the
limits (see `is_beyond`).
"""

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
from email.parser import BytesParser

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.mail.limits import LARGEST, MOST_PARTS, MOST_TEXT, head_of

LONGEST_CODED = 2000
"""Characters of a header in which encoded words are read."""
_ADDRESS = re.compile(r"[^\s<>,;:\"()\[\]\\@]{1,64}@[^\s<>,;:\"()\[\]\\@]{1,255}")
MOST_NAME = 80
_ID = re.compile(r"<[^<>\s]{1,250}>")
_WIDER = {"iso-8859-1": "cp1252", "latin-1": "cp1252", "us-ascii": "utf-8", "gb2312": "gb18030"}
"""A mail that names the first charset is often in the second, which includes the first."""
SEEN = ("list-id", "list-post", "precedence", "auto-submitted", "return-path", "x-autoreply", "x-autorespond",
        "x-auto-response-suppress", "x-loop", "feedback-id", "x-failed-recipients", "content-type", "date")  # fmt: skip
"""Headers that show whether a person or a machine wrote it."""
STATUS = ("message/delivery-status", "message/global-delivery-status")
"""Types of the machine-readable part of a bounce."""
GONE_TO = ("to", "cc", "delivered-to", "x-original-to", "envelope-to", "x-delivered-to", "resent-to")
"""Headers with addresses that the mail went to."""


def addresses(text: str) -> list[str]:
    """All mail addresses in a header, in small letters: `gm+lagoon@example.org`."""
    return [found.lower().strip("'.") for found in _ADDRESS.findall(text[:20_000])]


def parameter(part: Message, key: str, of: str = "content-type") -> str:
    """A parameter of a header, such as a part's charset; empty if there is none or it can't be read."""
    try:
        value = part.get_param(key, "", of)
        if isinstance(value, tuple):
            value = email.utils.collapse_rfc2231_value(value)
    except (ValueError, LookupError, TypeError, IndexError, email.errors.MessageError):
        return ""
    return decoded(str(value))


def headers_of(message: Message, name: str) -> str:
    """All headers of a name, joined by commas."""
    return ", ".join(_on_one_line(str(value)) for value in (message.get_all(name) or [])[:50])


def header(message: Message, name: str) -> str:
    """A header, with its encoded words decoded."""
    return decoded(str(message.get(name, "")))


def plain(message: Message, name: str) -> str:
    """A header without encoded words, such as one with addresses."""
    return _on_one_line(str(message.get(name, "")))


def decoded(text: str) -> str:
    """A header's text on one line, with its encoded words decoded where possible."""
    text = text[:LONGEST_CODED]
    try:
        if "=?" in text:
            text = str(email.header.make_header(email.header.decode_header(text)))
    except (ValueError, LookupError, email.errors.MessageError, AssertionError):
        pass
    return _on_one_line(text)


def _on_one_line(text: str) -> str:
    text = text[:20_000]
    text = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


class Body(Struct, frozen=True):
    """A text that mail programs show at once. `flowed`: it has soft line breaks; `joined`: these stand for no space."""

    text: str
    html: bool = False
    flowed: bool = False
    joined: bool = False


class Attached(Struct, frozen=True):
    """An attached file: the sender's name for it (may be empty), its type, its bytes and their charset.

    `inside`: it is part of a mail that was forwarded as a file.
    """

    name: str
    kind: str
    data: bytes
    charset: str = ""
    inside: bool = False


class Letter(Struct, frozen=True):
    """A mail. `id` is its Message-ID, or a digest of its bytes if it has none; `answers` are the Message-IDs that it
    replies to, the nearest first. `within` are the headers of attached mails. A letter made from headers alone has no
    bodies, no attached files and no `parts`.
    """

    id: str
    sender: str
    to: tuple[str, ...]
    subject: str
    answers: tuple[str, ...] = ()
    bodies: tuple[Body, ...] = ()
    attached: tuple[Attached, ...] = ()
    headers: dict[str, str] = {}
    parts: tuple[str, ...] = ()
    within: tuple[Letter, ...] = ()


def head_in(data: bytes) -> Letter:
    """The headers of a mail as a letter, whatever follows them."""
    return _letter_of_headers(BytesParser().parsebytes(head_of(data), headersonly=True), data)


def letter_in(data: bytes) -> Letter:
    """The letter in a mail within the limits. It may be empty; nothing is raised."""
    message = email.message_from_bytes(data)
    parts = list(_parts(message))
    bodies: list[Body] = []
    attached: list[Attached] = []
    room = MOST_TEXT
    for part, inside in parts:
        found = _part(part, inside, room)
        if isinstance(found, Body):
            bodies.append(found)
            room -= len(found.text)
        elif found is not None:
            attached.append(found)
    return replace(
        _letter_of_headers(message, data),
        bodies=tuple(bodies),
        attached=tuple(attached),
        parts=tuple(part.get_content_type() for part, _ in parts),
        within=tuple(_letter_of_headers(one, b"") for one in _attached_mails(message)),
    )


def _letter_of_headers(message: Message, data: bytes) -> Letter:
    """The letter that the headers give."""
    ids = _ID.findall(plain(message, "message-id"))
    answers = _ID.findall(plain(message, "in-reply-to"))
    answers += reversed(_ID.findall(plain(message, "references")[-8000:]))
    return Letter(
        id=ids[0] if ids else f"<{hashlib.sha256(data[:LARGEST]).hexdigest()[:32]}@no-id>",
        sender=next(iter(addresses(plain(message, "from"))), ""),
        to=tuple(dict.fromkeys(one for name in GONE_TO for one in addresses(headers_of(message, name)))),
        subject=header(message, "subject")[:1000],
        answers=tuple(dict.fromkeys(answers)),
        headers={name: plain(message, name)[:1000] for name in SEEN if message.get(name) is not None},
    )


def text_of(data: bytes, charset: str = "") -> tuple[str, str]:
    """Bytes as text, and their charset: the one given, else the first that fits."""
    for mark, name in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(mark):
            return data.decode(name, "replace"), name.removesuffix("-sig")
    said = charset.strip("'\" ").lower()
    for name in (_WIDER.get(said, said), *_likely_charsets(data)):
        try:
            if name and codecs.lookup(name)._is_text_encoding:
                return data.decode(name), name
        except (LookupError, ValueError):
            continue
    return data.decode("latin-1"), "latin-1"


def _likely_charsets(data: bytes) -> tuple[str, ...]:
    """Charsets to try: UTF-16 if every second byte is 0, else UTF-8, then what Windows writes."""
    if data[1:400:2].count(0) > len(data[:400]) // 3:
        return ("utf-16-le",)
    if data[0:400:2].count(0) > len(data[:400]) // 3:
        return ("utf-16-be",)
    return ("utf-8", "cp1252")


def _parts(message: Message) -> Iterator[tuple[Message, bool]]:
    """The parts with content, and whether each is in a forwarded mail. No recursion, because mails may nest deeply."""
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


def _attached_mails(message: Message) -> Iterator[Message]:
    """The attached mails, at any depth."""
    waiting = [message]
    for _ in range(MOST_PARTS):
        if not waiting:
            return
        part = waiting.pop(0)
        below = part.get_payload() if part.is_multipart() else None
        inner = (
            [one for one in below[:MOST_PARTS] if isinstance(one, Message)] if isinstance(below, list) else []
        )
        if part.get_content_type() == "message/rfc822":
            yield from inner
        waiting += inner


def _part(part: Message, inside: bool, room: int) -> Body | Attached | None:
    """A part as a body of at most `room` characters, or as a file."""
    kind, data = part.get_content_type(), _bytes(part)
    name = _name(part)
    charset = parameter(part, "charset")
    disposed = header(part, "content-disposition").lower().startswith("attachment")
    if inside or name or disposed or kind not in ("text/plain", "text/html"):
        return Attached(name, kind, data, charset, inside) if data or name else None
    text = (
        text_of(data, charset)[0][:room].encode("utf-8", "replace").decode("utf-8")
    )  # no half of a pair of units
    if kind == "text/html":
        return Body(text, html=True)
    flowed = parameter(part, "format").lower() == "flowed"
    return Body(text, flowed=flowed, joined=flowed and parameter(part, "delsp").lower() == "yes")


def _bytes(part: Message) -> bytes:
    """The content of a part. Uuencode isn't decoded: that takes much memory, and no program writes it any more."""
    coded = "uu" in plain(part, "content-transfer-encoding").lower()
    try:
        data = None if coded else part.get_payload(decode=True)
    except (ValueError, LookupError, AssertionError, email.errors.MessageError):
        data = None
    if isinstance(data, bytes):
        return data
    try:
        raw = part.get_payload()
    except (ValueError, LookupError):  # an impossible name of a charset
        return b""
    if isinstance(raw, list):  # the parser reads each block of a status as a message
        raw = "\n".join(
            f"{key}: {value}" for one in raw if isinstance(one, Message) for key, value in one.items()
        )
    return raw.encode("utf-8", "surrogateescape") if isinstance(raw, str) else b""


def _name(part: Message) -> str:
    """The name of an attached file, without folders."""
    found = ""
    for of, key in (("content-disposition", "filename"), ("content-type", "name")):
        found = found or parameter(part, key, of)
    return re.split(r"[/\\]", found.strip())[-1][:MOST_NAME]
