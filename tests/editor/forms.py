"""The files that players get: a form and its schema side by side, from positions of a real match."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.bots import random_orders
from adjudicator.engine.play.attempts import SeededChance, possible_values
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report.form import form_schema, sheet_form
from adjudicator.engine.sheets.reading import Expected, read_sheet
from adjudicator.engine.sheets.sheet import Sheet
from tests.rulebooks.mediterranee_match import PLAYERS, RULEBOOK, steps


class Handed(Struct, frozen=True):
    """A form as a player got it: where it lies, its text, and the position as that player may know it."""

    file: Path
    text: str
    view: Any
    me: str

    def with_orders(self, orders: str, more: str = "") -> str:
        """The form with orders written under `orders:`, and more at its end."""
        above, below = self.text.split("\norders:\n")
        return f"{above}\norders:\n{orders}\n{below}{more}"

    def accepted(self, text: str) -> bool:
        """Would `check` find nothing wrong with it, and every order good?"""
        asked = Expected(RULEBOOK, self.view.match, self.view.phase, PLAYERS, self.me)
        sheet = read_sheet(text.encode(), asked)
        if not isinstance(sheet, Sheet):
            return False
        checked = check_sheet(RULEBOOK, self.view, sheet)
        wrong = [problem for problem in checked.problems if problem.severity == "error"]
        return not wrong and all(order.good for order in checked.understood)

    def at_random(self, number: int) -> str:
        """The form with a few random orders that are good one after another."""
        phase = RULEBOOK.phase(self.view.phase.name)
        orders = random_orders(
            RULEBOOK, phase, self.view, self.me, SeededChance(f"editor {self.file} {number}")
        )
        return self.with_orders("\n".join(f"  - {json.dumps(order)}" for order in orders))


def hand_out(top: Path, state: Any, me: str, name: str = "") -> Handed:
    """Writes a form and its schema as they lie in `for/<player>/`."""
    view = position_for(RULEBOOK, state, me)
    phase = RULEBOOK.phase(state.phase.name)
    text = sheet_form(RULEBOOK, view, me)
    place = top / (name or f"{state.phase.number:04d}-t{state.phase.turn}-{phase.name}") / "for" / me
    place.mkdir(parents=True)
    (place / "sheet.yaml").write_text(text, encoding="utf-8")
    now = possible_values(phase, view, me)
    (place / "schema.json").write_text(form_schema(RULEBOOK, view, now), encoding="utf-8")
    return Handed(place / "sheet.yaml", text, view, me)


def all_forms(top: Path) -> Iterator[Handed]:
    """Every form of two turns: four players, all phases."""
    for step in steps()[1:]:
        for me in step.before.phase.due:
            yield hand_out(top, step.before, me)


def shipyard(top: Path) -> Handed:
    """The market in which Venice can build a galley and enlist its crew: wood and iron lie in Venezia."""
    state = next(step.before for step in steps() if step.before.phase.name == "market")
    stocked = replace(state.ports["venezia"], warehouse=("wood", "iron"))
    return hand_out(top, replace(state, ports={**state.ports, "venezia": stocked}), "venice", "shipyard")


BUILT = """\
  - build: galley
    at: venezia
    crew: {venezia: 1}
  - buy: wine
    at: venezia
    to: venice-3
    quantity: 2
  - enlist: 2
    at: venezia
    to: venice-3
  - transfer: {sailors: 1, wine: 1}
    from: venice-3
    to: venice-1
    back: {sailors: 1}
    if: {venice-3: {in: venezia, least: 2}}
    else:
      - jettison: {wine: 1}
        from: venice-3"""
"""A galley that isn't on the board yet is built, loaded and manned."""
LATER = """
later:
  movement:
    orders:
      - move: venice-3
        via: [ragusa, corfu]
  landing:
    orders:
      - land: 1
        at: corfu
        from: venice-3
standing:
  passage:
    - {for: genoa, galley: genoa-7, in: ionio, most: 2, grant: true}
  prices: [{good: wine, at: creta, ask: 300, floor: 200}]
  deals: [{with: spain, sell: wine, from: venice-3, ask: 400, for: {gold: 1}}]
  defence: [{galley: venice-9, crew: {leave: 1}, keep: {venice-9: [gems]}}]
"""
"""What may be said before that galley is there, and of galleys that are not on the board."""
