"""axe-core: whether everybody can read and use a page, as far as a machine can tell."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

RUN = """(only) => axe.run({resultTypes: ["violations"], preload: false, ...only})
    .then((found) => found.violations)"""
"""(Nothing is to be fetched for it beforehand: a page has its styles in itself.)"""
DESK_DARK = "1400 dark"
COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
"""Of what is looked at in the light too, all about colours: the two take most of the time of all."""


@cache
def axe_core() -> str:
    """The library, out of a Python package that brings it. (Of which only this file is used.)"""
    package = find_spec("axe_playwright_python")
    assert package is not None and package.origin is not None
    return (Path(package.origin).parent / "axe.min.js").read_text(encoding="utf-8")


def violations(page: Page, *, colours: bool = False) -> list[str]:
    """What axe finds with all rules that it runs by itself, or with those about colours, a line for each element."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe_core())
    return [line for rule in page.evaluate(RUN, COLOURS if colours else {}) for line in told(rule)]


def told(rule: dict[str, Any]) -> list[str]:
    """Lines for a rule that elements break: its name, the element, what is wrong."""
    return [
        f"{rule['id']}: {' '.join(map(str, node['target']))}: {node['html'][:200]}\n"
        f"    {(node.get('failureSummary') or rule['help']).replace(chr(10), ' ')}"
        for node in rule["nodes"]
    ]


def assert_accessible(page: Page, light: str = "") -> None:
    """axe finds nothing. Of `in_all_lights`, in the dark, only colours are looked at: nothing else is another then; and
    on the phone alone: they are the same on a desk."""
    found = [] if light == DESK_DARK else violations(page, colours=light.endswith("dark"))
    assert not found, "\n".join(found)
