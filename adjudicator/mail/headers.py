"""Headers of a mail and of its parts as plain text, however they are encoded or broken."""

from __future__ import annotations

import email.errors
import email.header
import email.utils
import re
from email.message import Message

LONGEST_CODED = 2000
"""Characters of a header in which encoded words are read."""
_ADDRESS = re.compile(r"[^\s<>,;:\"()\[\]\\@]{1,64}@[^\s<>,;:\"()\[\]\\@]{1,255}")


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
