"""A page for mail, which works without the files around it."""

from __future__ import annotations

import json
import re

_DEAD = re.compile(r'<a\b[^>]*?\bhref="(?!#|https?:|mailto:|data:)[^"]*"[^>]*>(.*?)</a>', re.DOTALL)
_BUTTON = re.compile(r'"gm":"[^"]*"')


def standalone_page(page: str, button: str = "") -> str:
    """A page without links to files beside it, whose button mails to that address."""
    page = _DEAD.sub(r"\1", page)
    if not button:
        return page
    return _BUTTON.sub(lambda _: f'"gm":{json.dumps(button)}', page, count=1)
