"""axe-core: can everybody read and use a page, as far as a machine can tell?"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

RUN = """async ([whole, how]) => {
    const away = whole ? [] : [...document.querySelectorAll("svg, details:not([open]) > :not(summary)")];
    const held = away.map((each) => [each, [...each.childNodes]]);
    for (const each of away) each.replaceChildren();
    try {
        const where = whole ? document : {exclude: [["svg"]]};
        return (await axe.run(where, {resultTypes: ["violations"], preload: false, ...how})).violations;
    } finally {
        for (const [each, inner] of held) each.append(...inner);
    }
}"""
"""On the whole page, or on all but its map, which is the largest part of it and the same on all. Half of the time goes
into what nothing is asked of, so what is drawn, or folded up and not to be seen, isn't there meanwhile. (Nothing is to
be fetched beforehand: a page has its styles in itself.)"""
COLOURS = ("color-contrast", "link-in-text-block")
"""The rules about colours: they take most of the time of all."""
RULES = {
    "390 dark": {"runOnly": {"type": "rule", "values": COLOURS}},
    "1400 light": {"rules": {rule: {"enabled": False} for rule in COLOURS}},
}
"""Which rules are looked at in a light, where not all: in the dark those about colours, as nothing else is another
then; and colours on the phone alone, as they are the same on a desk."""
DESK_DARK = "1400 dark"
"""Nothing is left for this."""


@cache
def axe_core() -> str:
    """The library, out of a Python package that brings it. (Of which only this file is used.)"""
    package = find_spec("axe_playwright_python")
    assert package is not None and package.origin is not None
    return (Path(package.origin).parent / "axe.min.js").read_text(encoding="utf-8")


def violations(page: Page, light: str = "") -> list[str]:
    """What axe finds with the rules that it runs by itself, a line for each element."""
    if light == DESK_DARK:
        return []
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe_core())
    found = page.evaluate(RUN, [bool(light), RULES.get(light, {})])
    return [line for rule in found for line in told(rule)]


def told(rule: dict[str, Any]) -> list[str]:
    """Lines for a rule that elements break: its name, the element, what is wrong."""
    return [
        f"{rule['id']}: {' '.join(map(str, node['target']))}: {node['html'][:200]}\n"
        f"    {(node.get('failureSummary') or rule['help']).replace(chr(10), ' ')}"
        for node in rule["nodes"]
    ]


def assert_accessible(page: Page, light: str = "") -> None:
    """axe finds nothing: in a light of `in_all_lights` on the whole page, else on all but its map."""
    found = violations(page, light)
    assert not found, "\n".join(found)
