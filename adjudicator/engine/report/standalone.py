"""A page for mail, which works without the files around it."""

from __future__ import annotations

import json
import re
from html import escape

_DEAD = re.compile(r'<a\b[^>]*?\bhref="(?!#|https?:|mailto:|data:)[^"]*"[^>]*>(.*?)</a>', re.DOTALL)
_WITHOUT_SCRIPTS = re.compile(r'<noscript data-link="([^"]*)"><p class="notice">')
"""Where a page says what to do without scripts; `data-link` are the words of a link that works without them."""
_BUTTON = re.compile(r'"gm":"[^"]*"')


def standalone_page(page: str, button: str = "", leads: str = "") -> str:
    """A page without links to files beside it, whose button mails to that address.

    Where its scripts don't run, it `leads` to that link, if there is one.
    """
    page = _DEAD.sub(r"\1", page)
    if leads:
        page = _WITHOUT_SCRIPTS.sub(
            lambda found: f'{found[0]}<a href="{escape(leads)}">{found[1]}</a> ', page, count=1
        )
    if not button:
        return page
    return _BUTTON.sub(lambda _: f'"gm":{json.dumps(button)}', page, count=1)
