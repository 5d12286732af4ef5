"""Evidence of who sent a mail: its DKIM signatures, and the keys with which they could be checked when it came.

A mail server signs what it sends; the key stands in its domain's name server (DNS), for a few months. So the key is
looked up when the mail comes, and kept beside it: then the signature can be checked for ever, without a network.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct

from adjudicator.engine.folder.papers import read_paper, text_of
from adjudicator.engine.text.extras import how_to_install, reading_a_strangers

MOST = 3
"""Signatures of a mail that are looked at: one is usual, a mailing list adds another."""
LONGEST_RECORD = 4096
SECONDS = 5
"""How long a name server may take."""
_NAME = re.compile(r"[a-z0-9_][a-z0-9._-]{0,200}\.[a-z0-9-]{1,63}")

Ask = Callable[[str, int], "bytes | None"]
"""From a name and a time in seconds to its text record in the DNS; None if there is none."""


class Missing(Exception):
    """The library isn't installed; the text says how to install it."""

    def __init__(self) -> None:
        super().__init__(f"dkimpy ({how_to_install('evidence')})")


class KeyRecords(Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a mail's signatures as they were at that instant: the text records, by their names in the DNS."""

    at: datetime
    records: Mapping[str, str]


class Signature(Struct, frozen=True):
    """A signature of a mail: whose it is, and the name of its key's record. `whole`: it is for all of the mail's text;
    `headers` are those that it is for, in small letters.
    """

    number: int
    domain: str
    name: str
    whole: bool
    headers: frozenset[str] = frozenset()

    def speaks_for(self, address: str) -> bool:
        """Is it of the mail server of that address: of its domain, or of one above it?"""
        host = address.rpartition("@")[2].lower()
        return host == self.domain or host.endswith(f".{self.domain}")


def keys_in_dns(data: bytes, at: datetime, ask: Ask | None = None) -> bytes:
    """The text of the keys of a mail's signatures, as they are now; empty for a mail without any. Raises Missing."""
    names = [each.name for each in signatures(data)]
    found = {}
    for name in dict.fromkeys(names):
        try:
            record = (ask or in_dns)(name, SECONDS)
        except Missing:
            raise
        except Exception:  # a name server may answer anything, or nothing
            record = None
        if record and len(record) <= LONGEST_RECORD and (text := _plain(record)):
            found[name] = text
    comment = "The keys of this mail's signatures, as they were when it came."
    return text_of(KeyRecords(at, found), comment) if names else b""


def right_signatures(data: bytes, keys: bytes, name: str) -> tuple[Signature, ...]:
    """The signatures of a mail that are right, by the keys kept in a file of that name. Raises Faulty, Missing."""
    kept = read_paper(keys, name, KeyRecords)
    return tuple(each for each in signatures(data) if each.whole and _is_right(data, each, kept.records))


def signatures(data: bytes) -> Iterator[Signature]:
    """The first signatures of a mail; none that can't be read. Raises Missing."""
    library = _library()
    try:
        with reading_a_strangers():
            headers = library.DKIM(data).headers
    except ValueError:
        return
    tags = [value for key, value in headers if key.lower() == b"dkim-signature"]
    for number, value in enumerate(tags[:MOST]):
        try:
            with reading_a_strangers():
                found = library.util.parse_tag_value(value)
                domain, selector, signed = (found[key].decode("ascii").lower() for key in (b"d", b"s", b"h"))
        except ValueError:
            continue
        record = f"{selector}._domainkey.{domain}"
        if _NAME.fullmatch(record):
            headers = frozenset(each.strip() for each in signed.split(":"))
            yield Signature(number, domain, record, b"l" not in found, headers)


def _is_right(data: bytes, signature: Signature, records: Mapping[str, str]) -> bool:
    def kept(name: bytes, timeout: int = SECONDS) -> bytes | None:
        text = records.get(name.decode("ascii", "replace").rstrip(".").lower())
        return text.encode() if text is not None else None

    library = _library()
    try:
        with reading_a_strangers():
            return bool(library.DKIM(data).verify(signature.number, dnsfunc=kept))
    except ValueError:
        return False


def in_dns(name: str, seconds: int) -> bytes | None:
    """The text record of that name. Raises Missing, and the library's errors."""
    from dns.exception import DNSException
    from dns.resolver import resolve

    try:
        answer = resolve(name, "TXT", lifetime=seconds, raise_on_no_answer=False)
    except DNSException:
        return None
    return next((b"".join(each.strings) for each in answer), None)


def _plain(record: bytes) -> str:
    text = record.decode("ascii", "replace")
    return text if text.isprintable() and "\ufffd" not in text else ""


def _library() -> Any:
    try:
        import dkim  # type: ignore[import-untyped]
        import dns.resolver  # noqa: F401  said now, not at the first mail
    except ImportError:
        raise Missing from None
    return dkim
