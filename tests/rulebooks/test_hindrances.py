"""Hindrances of a name are looked up when the name is asked for, maybe after an order has changed the position."""

from __future__ import annotations

import ast
from pathlib import Path

import adjudicator.rulebooks

RULES = sorted(Path(adjudicator.rulebooks.__file__).parent.rglob("*.py"))


def test_hindrances_look_at_a_position_that_stays() -> None:
    looked, wrong = 0, []
    for path in RULES:
        for each in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(each, ast.FunctionDef) and each.name == "hindrances":
                looked += 1
                named = {node.id for node in ast.walk(each) if isinstance(node, ast.Name)}
                if "t" in named:  # the table, whose position goes on; a rule's `state` doesn't
                    wrong.append(f"{path.name}:{each.lineno}")
    assert looked
    assert not wrong
