"""Templates: a game's texts, compiled once in a process, with everything that they may use."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from adjudicator.engine.library import registry
from adjudicator.engine.library.caches import OfMatch
from adjudicator.engine.library.texts import Texts, cached_in_texts
from adjudicator.engine.library.words import say, words
from adjudicator.engine.report import ornament
from adjudicator.engine.report.filters import (
    UNKNOWN,
    account_text,
    ducats,
    place,
    points_table,
    quoted,
    rings,
    table,
)
from adjudicator.engine.sheets.schema import players
from adjudicator.engine.text.counting import counted
from adjudicator.engine.text.resources import folder
from adjudicator.engine.text.writing import in_a_line

if TYPE_CHECKING:
    from jinja2 import Environment

IN_SCRIPT = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
"""What JSON inside a page has instead of characters that a page, or an old script reader, treats specially."""
NUMBERED = re.compile(r"(.+)-([1-9]\d*)$")
"""One of several things of an owner: `venice-1`."""

MOST_KEPT = 256
"""How many texts are kept: more than one match needs at a time."""


@cached_in_texts
def environment(texts: Texts) -> Environment:
    """A game's templates, its own before the shared ones, with everything that they may use.

    Anything undefined in a template is an error: a text never has a hole.
    """
    from jinja2 import FileSystemLoader, StrictUndefined

    from adjudicator.engine.report.compiled_templates import template_cache
    from adjudicator.engine.report.jinja_context import AT_ONCE, SyncEnvironment

    game, known = texts.game, words(texts)
    made = SyncEnvironment(
        loader=FileSystemLoader(folders(texts)),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        autoescape=marked_up,
        bytecode_cache=template_cache(),
        optimized=False,  # compiled once for a few reports: folding constants costs more than it saves
    )
    made.filters |= AT_ONCE
    made.globals.update(
        name=names(texts).get,
        words=known,
        game=Chapters(registry.rulebook(game).package),
        table=table,
        points=lambda lines: points_table(lines, known),
        some=counted,
        became=lambda account: account_text(account, known),
        ducats=ducats,
        kind=lambda value: type(value).__name__,
        say=lambda reason: say(reason, texts, quoted),
        say_by_name=lambda reason: say(reason, texts, quoted, names(texts).get),
        quoted=quoted,
        in_a_line=in_a_line,
        once=once(texts),
        place=place,
        rings=rings,
        colour=colours(game).get,
        asset=asset,
        script=script,
        embedded=embedded,
        ornament=ornament,
        UNKNOWN=UNKNOWN,
    )
    return made


def folders(texts: Texts) -> list[Path]:
    """Where a game's templates are looked for: its own before the shared ones."""
    own, ours = registry.home(texts.game, "templates"), folder("templates")
    return [own / texts.language, ours / texts.language, ours / "maps"]


@cache
def shared(language: str = "en") -> Environment:
    """The templates that belong to no game, for pages about many matches."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(folder("templates") / language),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        autoescape=marked_up,
    )
    made.globals.update(asset=asset, script=script, some=counted)
    return made


def marked_up(name: str | None) -> bool:
    """Is a template of this name a page or a picture, in which all text is escaped automatically?"""
    return name is not None and name.endswith((".html.j2", ".svg.j2"))


@cache
def asset(name: str) -> Any:
    """A file of `templates/pages/`, a style or a script, as it is: pages contain everything they need."""
    from markupsafe import Markup

    return Markup((folder("templates") / "pages" / name).read_text(encoding="utf-8"))


@cache
def script(name: str) -> Any:
    """A script of `templates/pages/` without comments and indentation, which only people need."""
    from markupsafe import Markup

    lines = (line.strip() for line in asset(name).splitlines())
    return Markup("\n".join(line for line in lines if line and not line.startswith(("//", "/**", "*"))))


def embedded(value: Any) -> Any:
    """A value as JSON inside a page's `<script>`."""
    return in_script(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def in_script(text: str) -> Any:
    """JSON inside a page's `<script>`: no text in it can end the script or begin a comment."""
    from markupsafe import Markup

    for sign, written in IN_SCRIPT.items():  # (ten times as fast as `translate`, on a hundred kilobytes)
        text = text.replace(sign, written)
    return Markup(text)


class Once:
    """Calls a macro once for the same values: if nothing in a part of a position is secret, all its readers share the
    part itself, and its text. `{{ once(ports_told, state.order, state.ports) }}`

    The macro must depend only on its arguments, and be the only one of its name for which this is used.
    """

    def __init__(self) -> None:
        self._told: OfMatch[tuple[Any, ...], tuple[tuple[Any, ...], Any]] = OfMatch(MOST_KEPT)

    def __call__(self, macro: Any, *given: Any) -> Any:
        """What the macro says, without empty lines around it.

        Values are compared by identity, so they are kept as long as their texts.
        """
        key = (macro.name, *map(id, given))
        if key not in self._told:
            self._told.keep(key, (given, macro(*given).strip("\n")))
        return self._told[key][1]


@cached_in_texts
def once(texts: Texts) -> Once:
    """The cache of what macros have told of a game's positions in one language."""
    return Once()


@cached_in_texts
def macros(texts: Texts, name: str) -> Any:
    """The macros of a template, as attributes."""
    return environment(texts).get_template(name).module


def rendered(texts: Texts, name: str, **facts: Any) -> str:
    """A template as a plain text: without empty lines at its ends, and never with two in a row."""
    text = environment(texts).get_template(name).render(**facts)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


class Chapters:
    """The modules of a rulebook by name, so that a text can ask the rule itself: `game.purchase.highest(...)`."""

    def __init__(self, package: str) -> None:
        self._package = package

    def __getattr__(self, name: str) -> ModuleType:
        """The module of that name. Raises UndefinedError, with the template's line, if there is none."""
        whole = f"{self._package}.{name}"
        try:
            module = import_module(whole)
        except ModuleNotFoundError as error:
            if error.name != whole:
                raise  # the module is there, and what it imports isn't
            from jinja2 import UndefinedError

            raise UndefinedError(f"{self._package} has no {name}.py") from None
        setattr(self, name, module)  # templates ask hundreds of times a page
        return module


class Names(dict[str, str]):
    """Names for reading; a key without one is shown as it is, and `venice-1` as `Venice 1`."""

    def get(self, key: str, default: str = "") -> str:  # type: ignore[override]
        """The name, else the default, else `Venice 1` for `venice-1`, else the key."""
        return (key in self and self[key]) or default or self._numbered(key) or key

    def _numbered(self, key: str) -> str:
        found = NUMBERED.match(key or "")
        return f"{self[found[1]]} {found[2]}" if found and found[1] in self else ""


@cache
def colours(game: str) -> Mapping[str, int]:
    """The number of each possible player's colour (`pages/colours.css`): the same wherever the player is drawn."""
    rulebook = registry.rulebook(game)
    return {player: number for number, player in enumerate(players(rulebook))} | dict(rulebook.colours)


@cached_in_texts
def names(texts: Texts) -> Names:
    """The names of players and pieces from the texts, and those of places from the rulebook's board, if it has one.

    A place is anything with a `name` in a mapping of `board.BOARD`. Of two with one key the first counts, so a zone
    named after a port has the port's name.
    """
    found = Names(words(texts).get("names", {}))
    package = registry.rulebook(texts.game).package
    whole = getattr(Chapters(package).board, "BOARD", None) if find_spec(f"{package}.board") else None
    for field in getattr(whole, "__struct_fields__", ()):
        kind = getattr(whole, field)
        for key, item in kind.items() if isinstance(kind, Mapping) else ():
            if isinstance(getattr(item, "name", None), str):
                found.setdefault(key, item.name)
    return found
