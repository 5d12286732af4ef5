"""How our templates call functions, macros and filters, and find names: without what the library is ready for besides.

A report makes thousands of calls, of which none is awaited, and none of what is called wants the template's context.
What is marked as wanting it is left to the library. What all templates may use is known before the first is loaded.
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
"""Jinja's filters that might be awaited, each as it is where nothing is."""


class SyncContext(Context):
    """The context of a template, as Jinja makes it, but for how it calls."""

    def call(self, called: Any, /, *args: Any, **named: Any) -> Any:
        """What a function or macro gives for these arguments."""
        if type(called) is Macro:
            args = (self.eval_ctx, *args)
        elif type(called) not in FUNCTIONS or hasattr(called, "jinja_pass_arg"):
            return super().call(called, *args, **named)
        if named:
            named.pop("_block_vars", None)
            named.pop("_loop_vars", None)
        return called(*args, **named)


class SyncEnvironment(Environment):
    """The templates of a game. What they may use is said at once: a change of `globals` reaches no loaded template."""

    context_class = SyncContext

    def make_globals(self, d: Mapping[str, Any] | None) -> MutableMapping[str, Any]:
        """What a template may use, in one mapping: it is gone through at each rendering, and each import."""
        return {**self.globals, **(d or {})}

    def getitem(self, obj: Any, argument: Any) -> Any:
        """What a template, or a filter for it, asks of a value: of one that holds nothing by keys, an attribute."""
        if type(argument) is str and not hasattr(obj, "__getitem__"):
            return self.getattr(obj, argument)
        return super().getitem(obj, argument)
