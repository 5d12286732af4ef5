"""Templates by name, each with the macros that it lacks in a language, from the English one."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from jinja2 import BaseLoader, Environment, TemplateNotFound

from adjudicator.engine.library.languages import own_and_shared
from adjudicator.engine.library.texts import Texts
from adjudicator.engine.text.resources import folder

COMMENT = re.compile(r"\{#.*?#\}", re.DOTALL)
PARTS = re.compile(
    r"^\{%-? macro (?P<macro>\w+)\(.*?\{%-? endmacro -?%\}|^\{% set (?P<set>\w+(?:, \w+)*) = .*?%\}"
    r"|^\{% from (?P<file>\"[^\"]+\") import (?P<names>[\w, ]+?) %\}|^\{% import \"[^\"]+\" as (?P<all>\w+).*?%\}",
    re.DOTALL | re.MULTILINE,
)
"""What a template of macros alone is made of."""


def folders(texts: Texts) -> list[list[Path]]:
    """Where a game's templates are looked for: its own before the shared ones, in each language before English."""
    return [*own_and_shared(texts.game, texts.language, texts.templates), [folder("templates") / "maps"]]


def without_comments(text: str) -> str:
    """A template without its comments."""
    return COMMENT.sub("", text)


def with_lacking_parts(text: str, english: str) -> str:
    """A template of macros, and what it lacks of the English one: macros, values, and the names that they import.

    A template that says something by itself stays as it is.
    """
    if PARTS.sub("", without_comments(text)).strip():
        return text
    known = {name for part in PARTS.finditer(without_comments(text)) for name in names_given(part)}
    lacking = [_without_known(part, known) for part in PARTS.finditer(without_comments(english))]
    return "\n".join([text, *filter(None, lacking)])


def names_given(part: re.Match[str]) -> list[str]:
    """The names that a part of a template gives to the rest of it."""
    given = part["macro"] or part["set"] or part["names"] or part["all"]
    return given.split(", ")


def _without_known(part: re.Match[str], known: set[str]) -> str:
    wanted = [name for name in names_given(part) if name not in known]
    if part["names"] and wanted:
        return f"{{% from {part['file']} import {', '.join(wanted)} %}}"
    return part[0] if wanted else ""


class LanguageLoader(BaseLoader):
    """Loads each template from the first owner that has it. An owner has the folder of a language, and that of English
    for what the first one lacks.
    """

    def __init__(self, owners: Sequence[Sequence[Path]]) -> None:
        self.owners = owners

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str | None, Callable[[], bool] | None]:
        """The text of a template, its file, and whether that is still so. Raises TemplateNotFound."""
        for folders in self.owners:
            if found := self.text_in(environment, folders, template):
                return *found, lambda: True
        raise TemplateNotFound(template, f"'{template}' not found")

    def text_in(
        self, environment: Environment, folders: Sequence[Path], template: str
    ) -> tuple[str, str] | None:
        """The text of a template in the folders of an owner, and its first file; None if this owner hasn't it."""
        found = [path for each in folders if (path := each / template).is_file()]
        if not found:
            return None
        text, *others = [path.read_text(encoding="utf-8") for path in found]
        for other in others:
            text = with_lacking_parts(text, other)
        return text, str(found[0])

    def list_templates(self) -> list[str]:
        """The names of all templates."""
        folders = (each for owner in self.owners for each in owner)
        return sorted({path.name for folder in folders for path in folder.glob("*.j2")})
