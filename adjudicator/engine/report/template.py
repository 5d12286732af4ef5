"""Templates: a game's texts, compiled once in a process, with everything that they may use.

How our templates call functions, macros and filters, and find names: without async support.

A report makes thousands of calls. None is awaited, and almost none needs the template's context; those marked as
needing it are left to the library. Everything that templates may use is known before the first one is loaded.

The words for a match's time and for what its GM did by hand.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, MutableMapping
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import jinja2
from jinja2 import Environment, StrictUndefined, UndefinedError
from jinja2.bccache import Bucket, BytecodeCache
from jinja2.filters import FILTERS
from jinja2.runtime import Context, Macro
from markupsafe import Markup

from adjudicator.engine.library import registry
from adjudicator.engine.library.languages import ENGLISH, Noun, noun
from adjudicator.engine.library.texts import (
    OfMatch,
    Texts,
    cached_in_texts,
    game_texts,
    habits,
    number_text,
    say,
    single,
    texts_of,
    words,
)
from adjudicator.engine.report import filters, paths
from adjudicator.engine.report.disk_cache import PrivateCache, private_cache
from adjudicator.engine.report.group_templates import GroupEnvironment, GroupLoader, let_in
from adjudicator.engine.report.loader import LanguageLoader, folders
from adjudicator.engine.sheets.schema import players
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.text.problem import counted
from adjudicator.engine.text.resources import folder
from adjudicator.engine.text.writing import in_a_line

FUNCTIONS = frozenset({FunctionType, MethodType, BuiltinFunctionType})
AT_ONCE: dict[str, Callable[..., Any]] = {
    name: each.__wrapped__ for name, each in FILTERS.items() if hasattr(each, "jinja_async_variant")
}
"""Jinja's filters that may be async, each in its plain form."""


class SyncContext(Context):
    """A template's context as Jinja makes it, with faster calls."""

    def call(self, called: Any, /, *args: Any, **named: Any) -> Any:
        """The result of a function or macro for these arguments."""
        if type(called) is Macro:
            args = (self.eval_ctx, *args)
        elif type(called) not in FUNCTIONS or hasattr(called, "jinja_pass_arg"):
            return super().call(called, *args, **named)
        if named:
            named.pop("_block_vars", None)
            named.pop("_loop_vars", None)
        return called(*args, **named)


class SyncEnvironment(Environment):
    """A game's templates. What they may use is set at once: a later change of `globals` reaches no loaded template."""

    context_class = SyncContext

    def make_globals(self, d: Mapping[str, Any] | None) -> MutableMapping[str, Any]:
        """What a template may use, in one mapping: Jinja goes through it at each rendering and each import."""
        return {**self.globals, **(d or {})}

    def getitem(self, obj: Any, argument: Any) -> Any:
        """What a template, or a filter for it, gets from a value: an item, or an attribute of a value without items."""
        if type(argument) is str and not hasattr(obj, "__getitem__"):
            return self.getattr(obj, argument)
        return super().getitem(obj, argument)


class SyncGroupEnvironment(SyncEnvironment, GroupEnvironment):
    """The same with a group's own macros, which are kept within bounds."""


IN_SCRIPT = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
"""What JSON inside a page has instead of characters that a page, or an old script reader, treats specially."""
COMMENT = re.compile(r"/\*.*?\*/\n?", re.DOTALL)
NUMBERED = re.compile(r"(.+)-([1-9]\d*)$")
"""One of several things of an owner: `venice-1`."""

MOST_KEPT = 256
"""How many texts are kept: more than one match needs at a time."""


def marked_up(name: str | None) -> bool:
    """Is a template of this name a page or a picture, in which all text is escaped automatically?"""
    return name is not None and name.endswith((".html.j2", ".svg.j2"))


SETTINGS: dict[str, Any] = {
    "undefined": StrictUndefined,
    "trim_blocks": True,
    "lstrip_blocks": True,
    "auto_reload": False,
    "autoescape": marked_up,
}


@cached_in_texts
def environment(texts: Texts) -> Environment:
    """A game's templates, its own before the shared ones, with everything that they may use.

    Anything undefined in a template is an error: a text never has a hole.
    """
    game, known = texts.game, words(texts)
    group = texts.templates
    made = (SyncGroupEnvironment if group else SyncEnvironment)(
        loader=GroupLoader(folders(texts), group) if group else LanguageLoader(folders(texts)),
        **SETTINGS,
        bytecode_cache=None if group else template_cache(),
        optimized=False,  # compiled once for a few reports: folding constants costs more than it saves
    )
    made.filters |= AT_ONCE
    if group:
        let_in(made, group)
    made.globals.update(
        name=names(texts).get,
        language=texts.language,
        words=known,
        game=Chapters(registry.rulebook(game).package),
        table=filters.table,
        points=lambda lines: filters.points_table(lines, known),
        some=partial(counted, single=single(texts)),
        became=lambda account: filters.account_text(account, known),
        ducats=partial(number_text, texts=texts),
        colon=habits(texts)["colon"],
        kind=lambda value: type(value).__name__,
        say=lambda reason: say(reason, texts, filters.quoted),
        say_by_name=lambda reason: say(reason, texts, filters.quoted, names(texts).get),
        quoted=filters.quoted,
        in_a_line=in_a_line,
        once=once(texts),
        place=filters.place,
        rings=filters.rings,
        colour=colours(game).get,
        asset=asset,
        script=script,
        embedded=embedded,
        ornament=paths,
        UNKNOWN=filters.UNKNOWN,
    )
    return made


@cache
def shared(language: str = ENGLISH) -> Environment:
    """The templates that belong to no game, for pages about many matches."""
    texts = game_texts("", language)
    made = Environment(loader=LanguageLoader(folders(texts)), **SETTINGS)
    made.globals.update(
        asset=asset,
        script=script,
        some=partial(counted, single=single(texts)),
        language=language,
        words=words(texts),
    )
    return made


@cache
def asset(name: str) -> Any:
    """A file of `templates/pages/`: pages contain everything they need, of a style all but its comments."""
    text = (folder("templates") / "pages" / name).read_text(encoding="utf-8")
    return Markup(COMMENT.sub("", text) if name.endswith(".css") else text)


@cache
def script(name: str) -> Any:
    """A script of `templates/pages/` without comments and indentation, which only people need."""
    lines = (line.strip() for line in asset(name).splitlines())
    return Markup("\n".join(line for line in lines if line and not line.startswith(("//", "/**", "*"))))


def embedded(value: Any) -> Any:
    """A value as JSON inside a page's `<script>`."""
    return in_script(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def in_script(text: str) -> Any:
    """JSON inside a page's `<script>`: no text in it can end the script or begin a comment."""
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
    """A template as a plain text."""
    return as_plain(environment(texts).get_template(name).render(**facts))


def as_plain(text: str) -> str:
    """The text without empty lines at its ends, and never with two in a row."""
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

            raise UndefinedError(f"{self._package} has no {name}.py") from None
        setattr(self, name, module)  # templates ask hundreds of times a page
        return module


class Names(dict[str, Noun]):
    """Names for reading; a key without one is shown as it is, `venice-1` as `Venice 1`, and `rome-ship-1` as `ship 1
    (Rome)`.
    """

    def get(self, key: str, default: str = "") -> Noun:  # type: ignore[override]
        """The name, or the default; `Venice 1` for `venice-1`, `ship 1 (Rome)` for `rome-ship-1`; else the key."""
        return (key in self and self[key]) or noun(
            default or self._numbered(key) or self._owned(key) or str(key)
        )

    def _numbered(self, key: str) -> str:
        found = NUMBERED.match(key or "")
        return f"{self[found[1]]} {found[2]}" if found and found[1] in self else ""

    def _owned(self, key: str) -> str:
        owner, _, kind = (key or "").partition("-")
        return f"{self[kind]} ({self[owner]})" if owner in self and kind in self else ""


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
    found = Names(words(texts)["names"])
    package = registry.rulebook(texts.game).package
    whole = getattr(Chapters(package).board, "BOARD", None) if find_spec(f"{package}.board") else None
    for field in getattr(whole, "__struct_fields__", ()):
        kind = getattr(whole, field)
        for key, item in kind.items() if isinstance(kind, Mapping) else ():
            if isinstance(getattr(item, "name", None), str):
                found.setdefault(key, noun(item.name))
    return found


def clock_text(rulebook: Rulebook[Any], macro: str, *facts: Any) -> str:
    """What a macro of `clock.md.j2` says of some facts, for the reader of the rulebook."""
    return str(getattr(macros(texts_of(rulebook), "clock.md.j2"), macro)(*facts)).strip()


# -- kept --------------------------------------------------------------------------------------------------------------


ENVIRONMENT = "2"
"""Rises when templates are compiled differently: with other filters, or other options."""


def template_cache() -> BytecodeCache | None:
    """The cache of compiled templates; None if there is no private place for it: templates are then compiled
    each time.
    """
    cache = private_cache("templates")
    return Compiled(cache) if cache is not None else None


class Compiled(BytecodeCache):
    """Compiled templates, each with its text and the version of Jinja that compiled it."""

    def __init__(self, cache: PrivateCache) -> None:
        self.cache = cache

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fills the bucket if there is an entry for it."""
        code = self.cache.get(f"{bucket.key}.jinja", made_from(bucket))
        if code is not None:
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keeps a compiled template."""
        self.cache.put(f"{bucket.key}.jinja", made_from(bucket), bucket.bytecode_to_string())


def made_from(bucket: Bucket) -> str:
    """Everything that a compiled template was compiled from and with, but for our own version and Python's."""
    return "\n".join((ENVIRONMENT, jinja2.__version__, bucket.key, bucket.checksum))
