"""How our templates call functions, macros and filters, and find names: without async support.

A report makes thousands of calls. None is awaited, and almost none needs the template's context; those marked as
needing it are left to the library. Everything that templates may use is known before the first one is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

from jinja2 import Environment
from jinja2.filters import FILTERS
from jinja2.runtime import Context, Macro

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
