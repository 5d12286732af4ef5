"""How our templates call functions, macros and filters: without a look at each for what they might be besides.

A report makes thousands of calls, of which none is awaited, and none of what is called wants the template's context.
What is marked as wanting it is left to the library.
"""

from __future__ import annotations

from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

from jinja2.filters import FILTERS
from jinja2.runtime import Context, Macro

FUNCTIONS = (FunctionType, MethodType, BuiltinFunctionType)
AT_ONCE: dict[str, Callable[..., Any]] = {
    name: each.__wrapped__ for name, each in FILTERS.items() if hasattr(each, "jinja_async_variant")
}
"""Jinja's filters that might be awaited, each as it is where nothing is."""


class Calling(Context):
    """The context of a template, as Jinja makes it, but for how it calls."""

    def call(self, called: Any, /, *args: Any, **named: Any) -> Any:
        """What a function or macro gives for these arguments."""
        if isinstance(called, Macro):
            args = (self.eval_ctx, *args)
        elif not isinstance(called, FUNCTIONS) or hasattr(called, "jinja_pass_arg"):
            return super().call(called, *args, **named)
        named.pop("_block_vars", None)
        named.pop("_loop_vars", None)
        return called(*args, **named)
