"""Links: a player's view after the `#` of an address. A browser keeps that part to itself and sends it to no server.

`https://club.example/play/#v=2.<packed>&by=0.3.0`: the packed text is JSON, a `LinkContent`, compressed (zlib, with its
checksum) and written in base64 for addresses. `by` is its `program`, so that the page can give any link to the version
that packed it.
"""

from __future__ import annotations

import binascii
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from adjudicator.engine.report.sealing import SealFacts
from adjudicator.engine.text.from_json import decode

MARK = "v="
VERSION = "2"
"""Rises when links are packed differently."""
MOST_PACKED = 16_384
"""Characters of a link that are read: ten times what the longest view takes."""
MOST_UNPACKED = 2**19
"""Bytes: far more than any game's view has. What would unpack to more isn't unpacked."""


class LinkContent(Struct, frozen=True, omit_defaults=True):
    """What a link holds: the text of a `view.yaml`, that of its `known.yaml`, and what the page can't know from them.

    `due` is the deadline in words, `gm` the address that a sheet is mailed to, `language` that of the reader, `program`
    the version that wrote the view. `question` is what the player is asked in the middle of a phase
    (`play/question_data.py`), and `seal` what is needed to seal a sheet for a repository.
    """

    view: str
    due: str = ""
    gm: str = ""
    language: str = ""
    program: str = ""
    question: Mapping[str, Any] = {}
    seal: SealFacts | None = None
    known: str = ""


_DECODER = msgspec.json.Decoder(LinkContent)


class BadLink(Exception):
    """A link that can't be opened; its text is the key of a sentence in `words.yaml`, `pages`."""


def link(address: str, content: LinkContent) -> str:
    """The link to the page at `address` that opens this view."""
    by = f"&by={content.program}" if content.program else ""
    return f"{address.partition('#')[0]}#{MARK}{packed_link(content)}{by}"


def packed_link(content: LinkContent) -> str:
    """The part of a link after `#v=`."""
    data = zlib.compress(msgspec.json.encode(content), 9)
    return f"{VERSION}.{urlsafe_b64encode(data).decode().rstrip('=')}"


def link_content(text: str) -> LinkContent:
    """What the part of a link after `#v=` holds. Raises `BadLink` for anything else, whoever wrote it."""
    version, dot, code = text.partition(".")
    if not dot or not version.isdecimal():
        raise BadLink("link-broken")
    if version != VERSION:
        raise BadLink("link-version")
    if len(code) > MOST_PACKED:
        raise BadLink("link-long")
    try:
        data = urlsafe_b64decode(code + "=" * (-len(code) % 4))
        loosen = zlib.decompressobj()
        body = loosen.decompress(data, MOST_UNPACKED)
    except (binascii.Error, ValueError, zlib.error) as error:
        raise BadLink("link-broken") from error
    if loosen.unconsumed_tail:
        raise BadLink("link-long")
    if not loosen.eof or loosen.unused_data:
        raise BadLink("link-broken")
    try:
        content: LinkContent = decode(_DECODER, body)
    except ValueError as error:
        raise BadLink("link-broken") from error
    return content
