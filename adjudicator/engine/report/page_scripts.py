"""The scripts of the page for orders, and those that seal a sheet: each one text, and packed, as a page holds it.

Half of a page would be scripts. Packed they are a third as long, and a browser unpacks them in some milliseconds. The
packed text is kept in a file, so that every machine makes the same page, whatever its zlib. `make schemas` writes it
again, and a test asks for it. A page made with scripts that aren't packed yet holds them as they are.
"""

from __future__ import annotations

import zlib
from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from adjudicator.engine.report.template import asset, script
from adjudicator.engine.text.resources import folder

FORM = ("schema", "yaml", "tree", "fields", "lists", "form", "list", "sheet", "phases")
MAP = ("tree", "state", "words", "controls", "zoom", "places", "drawn", "prompt", "cards", "keys")


class Bundle(Struct, frozen=True):
    """Scripts that a page holds as one: a library, and our own that use it.

    `file` in `templates/pages/` has them packed: the digest of their files, and below it raw deflate in base64.
    """

    file: str
    library: str
    own: tuple[str, ...]


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
)
PROGRAM = Bundle("", ORDERS.library, (*ORDERS.own[:-1], "tap-program.js", ORDERS.own[-1]))
"""The scripts of the same page where the program itself answers it."""
SEALING = Bundle("sealing.packed", "noble-ciphers.min.js", ("seal.js", "sealing.js"))


@cache
def scripts(of: Bundle = ORDERS) -> str:
    """All scripts as one text: a function with the library and our own scripts."""
    parts = "\n".join(str(script(name)) for name in of.own)
    return f'(() => {{\n"use strict";\n{asset(of.library)}\n{parts}\n}})();\n'


@cache
def packed_scripts(of: Bundle = ORDERS) -> str:
    """The scripts packed; empty if the file holds others."""
    path = folder("templates") / "pages" / of.file
    found, _, text = path.read_text(encoding="utf-8").partition("\n") if path.is_file() else ("", "", "")
    return text.strip() if found == digest(of) else ""


def digest(of: Bundle) -> str:
    """Which files the scripts are made of, as they are written: so a page needn't make the scripts to know."""
    return sha256("\n".join([str(asset(name)) for name in (of.library, *of.own)]).encode()).hexdigest()


def main() -> None:
    """Packs the scripts as they are now."""
    for of in (ORDERS, SEALING):
        squeeze = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
        data = squeeze.compress(scripts(of).encode()) + squeeze.flush()
        path = Path(str(folder("templates"))) / "pages" / of.file
        path.write_text(f"{digest(of)}\n{b64encode(data).decode()}\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
