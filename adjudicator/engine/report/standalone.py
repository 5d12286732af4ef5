"""A page as it is mailed: read without the files around it."""

from __future__ import annotations

import json
import re
from contextlib import suppress

from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import Folder, digest_of
from adjudicator.engine.report.for_one import PAGE

_DEAD = re.compile(r'<a\b[^>]*?\bhref="(?!#|https?:|mailto:|data:)[^"]*"[^>]*>(.*?)</a>', re.DOTALL)
_BUTTON = re.compile(r'"gm":"[^"]*"')


def alone(page: str, button: str = "") -> str:
    """A page of which no link leads to files beside it, and whose button mails to that address."""
    page = _DEAD.sub(r"\1", page)
    if not button:
        return page
    return _BUTTON.sub(lambda _: f'"gm":{json.dumps(button)}', page, count=1)


def digests_as_mailed(match: Folder, number: int) -> dict[str, str]:
    """The SHA-256 of the pages of a phase's reports as they were mailed, by name, as far as they are there still."""
    top, found = match.phases[number], {}
    for name, digest in match.opening(number).handed.items():
        if name.endswith(f"/{PAGE}"):
            with suppress(Faulty):  # it is gone, or a link lies in its place: nothing can be said of it
                page = match.read(f"{top}/{name}")
                if digest_of(page) == digest:
                    found[name] = digest_of(alone(page.decode()).encode())
    return found
