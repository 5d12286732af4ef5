"""Tests show what went wrong: none compares a row of values with `True` or `False`, which would hide the values."""

from __future__ import annotations

import ast
from pathlib import Path

TESTS = Path(__file__).parent


def hides(node: ast.AST) -> bool:
    """`assert (code, text in output) == (3, True)` shows no output when it fails; two assertions do."""
    if not (isinstance(node, ast.Assert) and isinstance(node.test, ast.Compare)):
        return False
    sides = [node.test.left, *node.test.comparators]
    return all(isinstance(side, ast.Tuple) for side in sides) and any(
        isinstance(each, ast.Constant) and isinstance(each.value, bool)
        for side in sides
        if isinstance(side, ast.Tuple)
        for each in side.elts
    )


def test_no_assertion_hides_what_it_saw() -> None:
    found = [
        f"{path.relative_to(TESTS)}:{node.lineno}"
        for path in sorted(TESTS.rglob("*.py"))
        if "assert (" in (text := path.read_text(encoding="utf-8"))  # most have none, and take long to parse
        for node in ast.walk(ast.parse(text))
        if hides(node) and isinstance(node, ast.Assert)
    ]
    assert found == []
