"""The scripts of pages for orders, of sealing, and of reports: each one text, and packed, as a page holds it.

Half of a page would be scripts. Packed they are a third as long, and a browser unpacks them in some milliseconds. The
packed text is kept in a file, so that every machine makes the same page, whatever its zlib. `make schemas` writes it
again, and a test asks for it. A page made with scripts that aren't packed yet holds them as they are.

The part of a page for orders that is for players without git: it seals the sheet to the referee.

Links: a player's view after the `#` of an address. A browser keeps that part to itself and sends it to no server.

`https://club.example/play/#v=2.<packed>&by=0.3.0`: the packed text is JSON, a `LinkContent`, compressed (zlib, with its
checksum) and written in base64 for addresses. `by` is its `program`, so that the page can give any link to the version
that packed it.

What a page knows about what orders use up: what each verb takes (`Verb.uses`), what is left now, and left to do.
"""

from __future__ import annotations

import binascii
import json
import zlib
from base64 import b85encode, urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from markupsafe import Markup
from msgspec import Struct

from adjudicator.engine.library.texts import Texts, say, texts_of, words
from adjudicator.engine.play.left import Left
from adjudicator.engine.report.template import asset, embedded, names, script, shared
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.table.rulebook import Phase, Rulebook
from adjudicator.engine.table.secret import Unknown
from adjudicator.engine.table.table import Verb
from adjudicator.engine.table.uses import Prices, Use
from adjudicator.engine.text.resources import folder
from adjudicator.engine.text.typed import decode

FORM = ("schema", "yaml", "tree", "fields", "lists", "form", "list", "sheet", "phases")
MAP = (
    "tree",
    "state",
    "words",
    "controls",
    "zoom",
    "places",
    "learn",
    "guide",
    "drawn",
    "prompt",
    "cards",
    "keys",
)


class Bundle(Struct, frozen=True):
    """Scripts that a page holds as one: a library, if they need one, and our own; and the styles that they add.

    `file` in `templates/pages/` has them packed: the digest of their files, and below it raw deflate in base 85,
    with `,` for `<`.
    """

    file: str
    library: str
    own: tuple[str, ...]
    styles: tuple[str, ...] = ()

    @property
    def files(self) -> tuple[str, ...]:
        """The files, the library first."""
        return tuple(filter(None, (self.library, *self.own, *self.styles)))


ORDERS = Bundle(
    "orders.packed",
    "js-yaml.min.js",
    (
        *(f"orders-{part}.js" for part in FORM),
        "engine.js",
        *(f"tap-{part}.js" for part in MAP),
        "tap.js",
        "orders.js",
    ),
    ("tap-made.css",),
)
PROGRAM = Bundle(
    "",
    ORDERS.library,
    (*ORDERS.own[:-1], "tap-program.js", ORDERS.own[-1]),
    (*ORDERS.styles, "tap-program.css"),
)
"""The scripts of the same page where the program itself answers it."""
SEALING = Bundle("sealing.packed", "noble-ciphers.min.js", ("seal.js", "sealing.js"))
REPORT = Bundle("report.packed", "", ("report.js", "replay.js"), ("replay.css",))
PACKED = (ORDERS, SEALING, REPORT)


@cache
def scripts(of: Bundle = ORDERS) -> str:
    """All scripts as one text: a function with the library and our own scripts."""
    parts = [str(script(name)) for name in of.own]
    if of.library:
        parts.insert(0, str(asset(of.library)))
    if of.styles:
        parts.insert(0, f"const STYLE = {json.dumps(''.join(str(asset(name)) for name in of.styles))};")
    return '(() => {\n"use strict";\n' + "\n".join(parts) + "\n})();\n"


@cache
def packed_scripts(of: Bundle = ORDERS) -> str:
    """The scripts packed; empty if the file holds others."""
    path = folder("templates") / "pages" / of.file
    found, _, text = path.read_text(encoding="utf-8").partition("\n") if path.is_file() else ("", "", "")
    return text.strip() if found == digest(of) else ""


def digest(of: Bundle) -> str:
    """Which files the scripts are made of, as they are written: so a page needn't make the scripts to know."""
    return sha256("\n".join([str(asset(name)) for name in of.files]).encode()).hexdigest()


def main() -> None:
    """Packs the scripts as they are now."""
    for of in PACKED:
        squeeze = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
        data = squeeze.compress(scripts(of).encode()) + squeeze.flush()
        path = Path(str(folder("templates"))) / "pages" / of.file
        path.write_text(
            f"{digest(of)}\n{b85encode(data).decode().replace('<', ',')}\n", encoding="utf-8", newline="\n"
        )


if __name__ == "__main__":
    main()


AFTER = '<p id="said"'
"""The part for sealing is put before this text in a page for orders."""


class SealFacts(Struct, frozen=True):
    """What a page needs to seal a sheet: the readers' keys, whose sheet it is, and the token that shows it.

    `file` is the name that the sealed file should have, and `branch` where it belongs.
    """

    recipients: Sequence[str]
    match: str
    phase: str
    player: str
    token: str
    file: str
    branch: str
    answer: bool = False


def sealing_page(page: str, seal: SealFacts, language: str = "en") -> str:
    """A page for orders, or for an answer, that can seal what it makes; unchanged without keys to seal to."""
    if not seal.recipients or not seal.token or AFTER not in page:
        return page
    label = {
        "adjudicator": 1,
        "what": "answer" if seal.answer else "sheet",
        "match": seal.match,
        "phase": seal.phase,
        "player": seal.player,
        "token": seal.token,
    }
    data = embedded({"recipients": list(seal.recipients), "label": label, "file": seal.file})
    packed = packed_scripts(SEALING)
    part = (
        shared(language)
        .get_template("sealing.html.j2")
        .render(
            data=data,
            packed=Markup(packed),
            scripts=Markup("" if packed else scripts(SEALING)),
            file=seal.file,
            branch=seal.branch,
            answer=seal.answer,
        )
    )
    before, mark, after = page.rpartition(AFTER)
    return f"{before}{part}{mark}{after}"


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
    (`play/question_data.py`), and `seal` what is needed to seal a sheet for a repository. `whose` and `moment` are the
    seat and the open phase in words, which the page shows before the program is there.
    """

    view: str
    due: str = ""
    gm: str = ""
    language: str = ""
    program: str = ""
    question: Mapping[str, Any] = {}
    seal: SealFacts | None = None
    known: str = ""
    whose: str = ""
    moment: str = ""


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


FILLED_IN = ("field", "value", "most", "possible")
"""The facts of a reason that only the page knows: they stay as blanks."""


def uses_of_verbs(rulebook: Rulebook[Any], phase: Phase[Any]) -> dict[str, Any]:
    """By verb: what its orders are about, and what they use up."""
    texts = texts_of(rulebook)
    return {name: uses_of_verb(verb, texts) for name, verb in phase.verbs.items()}


def uses_of_verb(verb: Verb[Any], texts: Texts) -> dict[str, Any]:
    """What the orders of one verb are about, and what they use up, without empty parts."""
    told = {
        "subject": list(verb.subject or ()),
        "names": dict(verb.names),
        "ranks": verb.ranks,
        "changes": list(verb.changes),
        "idle": verb.idle,
        "uses": [use_as_json(use, texts) for use in verb.uses or ()],
    }
    return {key: value for key, value in told.items() if value}


def use_as_json(use: Use, texts: Texts) -> dict[str, Any]:
    """A use as JSON, without empty parts."""
    told: dict[str, Any] = {"what": use.what}
    for key in ("by", "keeps", "ends", "perhaps", "decide", "bounds", "always", "gone"):
        if value := getattr(use, key):
            told[key] = value
    if use.times != 1:
        told["times"] = dict(use.times) if isinstance(use.times, Mapping) else use.times
    if use.once is not None:
        told["once"] = words_of_reason(use.once, texts)
    return told


def limits_as_json(rulebook: Rulebook[Any], phase: Phase[Any], view: Any, me: Player) -> dict[str, Any]:
    """What is left now, by name: how much there is; the rule and the words that say it is too little, with facts for
    their blanks; and what a page calls it, if it shows it.

    A name that shares its limit with an earlier one has that name instead. Nothing is said where the reader can't know
    it.
    """
    texts, known = texts_of(rulebook), dict[int, str]()
    told: dict[str, Any] = {}
    try:
        found = phase.limits(view, me)
    except Unknown:
        return told
    for key, limit in found.items():
        if id(limit) in known:
            told[key] = known[id(limit)]
            continue
        known[id(limit)] = key
        facts = {name: value for name, value in limit.facts.items() if isinstance(value, str | int)}
        why = words_of_reason(Reason(limit.rule, limit.key, limit.facts), texts, facts)
        what, *of = key.split(" ")
        called = words(texts).get("totals", {}).get(what, "")
        shown = called.format(of=" ".join(map(names(texts).get, of))) if called else ""
        told[key] = [limit.most, *why, facts, *([shown] if shown else [])]
    return told


def left_as_json(left: Left) -> dict[str, Any]:
    """One thing that is left to do, without empty parts and without the place of the line that decides it."""
    told = {"phase": left.phase, "subject": left.subject, "verbs": left.verbs, "state": left.state}
    more = {"must": left.must or None, "count": left.count}
    return told | {key: value for key, value in more.items() if value is not None}


def prices_now(phase: Phase[Any], view: Any, me: Player) -> dict[str, Prices]:
    """By verb: what its orders cost now. Nothing is said where the reader can't know it."""
    told: dict[str, Prices] = {}
    for name, verb in phase.verbs.items():
        with suppress(Unknown):
            if found := verb.prices(view, me):
                told[name] = found
    return told


def words_of_reason(why: Reason, texts: Texts, later: Iterable[str] = ()) -> list[str]:
    """A reason's rule, and its words with blanks for what only the page knows, and for the facts to fill in `later`.

    A blank that counts something has both forms of the noun, `{most:ducat|ducats}`.
    """
    unknown = [name for name in FILLED_IN if name not in why.facts]
    return [why.rule, say(why, texts, later=[*unknown, *later])]
