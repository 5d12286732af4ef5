"""A page for mail, which works without the files around it."""

from __future__ import annotations

import json
import re
from html import escape

_DEAD = re.compile(r'<a\b[^>]*?\bhref="(?!#|https?:|mailto:|data:)[^"]*"[^>]*>(.*?)</a>', re.DOTALL)
_WITHOUT_SCRIPTS = re.compile(r'<noscript data-link="([^"]*)"><p class="notice">')
"""Where a page says what to do without scripts; `data-link` are the words of a link that works without them."""
_LINKED = re.compile(rf'({_WITHOUT_SCRIPTS.pattern})<a href="https?://[^"<>]*">[^<]*</a> ')
"""The same with that link, as it is mailed."""
_ORDER = re.compile(r'(<p class="go">)<a href="orders\.html">')
"""The button of a report that opens the page for orders beside it."""
_LED = re.compile(rb'(<p class="go">)<a href="https?://[^"<>#]*#v=[\w.-]+(?:&amp;by=[\w.+-]+)?">([^<]*)</a>')
"""The same where it leads to the program in a page."""
_BUTTON = re.compile(r'"gm":"[^"]*"')


def standalone_page(page: str, button: str = "", leads: str = "") -> str:
    """A page without links to files beside it. Its button sends a mail to the address `button`.

    With `leads` the button of a report opens that link instead, and so does a page whose scripts don't run.
    """
    if leads:
        page = _ORDER.sub(lambda found: f'{found[1]}<a href="{escape(leads)}">', page, count=1)
    page = _DEAD.sub(r"\1", page)
    if leads:
        page = _WITHOUT_SCRIPTS.sub(
            lambda found: f'{found[0]}<a href="{escape(leads)}">{found[1]}</a> ', page, count=1
        )
    if not button:
        return page
    return _BUTTON.sub(lambda _: f'"gm":{json.dumps(button)}', page, count=1)


def without_addresses(page: str) -> str:
    """A page for orders as all its copies have it, handed out or mailed: without links, and without where it sends."""
    return _BUTTON.sub('"gm":""', standalone_page(_LINKED.sub(r"\1", page, count=1)), count=1)


def without_link(page: bytes) -> bytes:
    """A report's page as it would have been mailed without a link to the program in a page."""
    return _LED.sub(rb"\1\2", page, count=1)
