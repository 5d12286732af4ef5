"""Taxes paid (TRI-4.4, TRI-5.3, TRI-5.4, TRI-6.1, TRI-8.1), and powers that save some (TRI-10.4, TRI-10.9)."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.table import Table
from adjudicator.rulebooks.triumvirat.events import dealt
from adjudicator.rulebooks.triumvirat.state import State


def can_pay(t: Table[State], cost: int, *, rule: str, saved: int = 0, **facts: Any) -> None:
    """TRI-4.4 and others: the taxes kept and in hand must be enough, with what a power saves. Raises Refused."""
    held = t.state.purse(t.me) + saved
    t.require(cost <= held, rule, "not-enough-taxes", **facts, price=cost, held=held)


def pay(
    t: Table[State], cost: int, *, rule: str, saved: int = 0, power: str = "", by: str = "", **facts: Any
) -> None:
    """TRI-4.4 and others: taxes go to the box. TRI-10.4, TRI-10.9: a `power` of once a turn is used, if it can be."""
    can_pay(t, cost, rule=rule, saved=saved, **facts)
    if power and (who := t.state.ready(t.me, power)):
        t.play(dealt.Used(rule=by, player=t.me, senator=who))
    if cost > saved:
        t.play(dealt.Paid(rule=rule, player=t.me, taxes=cost - saved))
