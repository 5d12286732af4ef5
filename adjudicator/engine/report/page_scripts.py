"""The scripts of the page for orders: one text, and the same packed, as a page holds it.

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

from adjudicator.engine.report.template import asset, script
from adjudicator.engine.text.resources import folder

FORM = ("schema", "yaml", "tree", "fields", "lists", "form", "list", "sheet", "phases")
MAP = ("tree", "state", "words", "controls", "zoom", "places", "drawn", "prompt", "cards", "keys")
PACKED = "orders.packed"
"""The file in `templates/pages/`: the digest of their files, and below it the scripts, raw deflate in base64."""


LIBRARY = "js-yaml.min.js"
OWN = (
    *(f"orders-{part}.js" for part in FORM),
    "engine.js",
    *(f"tap-{part}.js" for part in MAP),
    "tap.js",
    "orders.js",
)


@cache
def scripts() -> str:
    """All of them as one text: js-yaml, then one function with our own."""
    parts = "\n".join(str(script(name)) for name in OWN)
    return f'{asset(LIBRARY)}\n(() => {{\n"use strict";\n{parts}\n}})();\n'


@cache
def packed() -> str:
    """The scripts packed; empty if the file holds others."""
    path = folder("templates") / "pages" / PACKED
    found, _, text = path.read_text(encoding="utf-8").partition("\n") if path.is_file() else ("", "", "")
    return text.strip() if found == digest() else ""


def digest() -> str:
    """Which files the scripts are made of, as they are written: so a page needn't make the scripts to know."""
    return sha256("\n".join([str(asset(name)) for name in (LIBRARY, *OWN)]).encode()).hexdigest()


def main() -> None:
    """Packs the scripts as they are now."""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    data = squeeze.compress(scripts().encode()) + squeeze.flush()
    path = Path(str(folder("templates"))) / "pages" / PACKED
    path.write_text(f"{digest()}\n{b64encode(data).decode()}\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
