"""What a player is told of a match in a repository, a sentence at a time, in the language that the player reads."""

from __future__ import annotations

import re
from pathlib import Path

from adjudicator.engine.library.languages import ENGLISH, known_languages

_BEGINNING = 1000
"""Characters of a view in which its language stands."""
_LANGUAGE = re.compile(r"^language: (\w+)$", re.MULTILINE)


def language_of(clone: Path) -> str:
    """The language of the newest view in a player's clone; English as long as there is none. Raises OSError."""
    views = (view for view in clone.glob("[0-9]*/view.yaml") if view.is_file())
    if newest := max(views, default=None):
        with newest.open(encoding="utf-8", errors="replace") as file:
            found = _LANGUAGE.search(file.read(_BEGINNING))
        if found and found[1] in known_languages(""):
            return found[1]
    return ENGLISH


def told(clone: Path, key: str, /, **facts: object) -> str:
    """A sentence for the player of a clone: the macro of that name in `git-said.md.j2`, with these facts."""
    from adjudicator.engine.report.template import shared

    sentence = getattr(shared(language_of(clone)).get_template("git-said.md.j2").module, key)
    return str(sentence(**facts)).strip()
