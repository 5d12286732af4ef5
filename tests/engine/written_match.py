"""Matches from hand-written sheets, from which tests make reports and forms of every rulebook."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from adjudicator.engine.play.account import OrderAccount, accounts
from adjudicator.engine.play.inbox import Inbox, Outcome
from adjudicator.engine.play.referee import advance
from adjudicator.engine.play.view import events_for, position_for
from adjudicator.engine.report.form import sheet_form
from adjudicator.engine.report.story import render_report
from adjudicator.engine.sheets.reading import expected_in, folder_name, read_sheet
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.engine.table.dice import Dice, ScriptedDice
from adjudicator.engine.table.event import Event
from adjudicator.engine.table.rulebook import Rulebook

Texts = Mapping[str, str]
"""The sheets of a phase by player, without their first line."""


class Step(Struct, frozen=True):
    """A phase that was adjudicated: the position before it, its events, the position after, and its sheets."""

    before: Any
    events: tuple[Event[Any], ...]
    after: Any
    sheets: Mapping[str, Sheet] = {}


REPORTS: dict[tuple[int, str | None], str] = {}
"""The reports of phases of matches that are kept, by the phase: many tests look at the same."""


class Match(Struct, frozen=True):
    """A match that tests read: its rulebook, its players, and its phases, played when they are asked for."""

    rulebook: Rulebook[Any]
    players: tuple[str, ...]
    steps: Callable[[], tuple[Step, ...]]

    def report(self, first: int, last: int, who: str | None, **more: Any) -> str:
        """The report of the phases from `first` up to `last`."""
        told = self.steps()[first : last + 1]
        after = told[-1].after
        return render_report(
            self.rulebook,
            who,
            position_for(self.rulebook, after, who),
            events_for(self.rulebook, after, [event for step in told for event in step.events], who),
            before=position_for(self.rulebook, told[0].before, who),
            accounts={folder_name(step.before.phase): self.accounts(step, who) for step in told},
            **more,
        )

    def accounts(self, step: Step, who: str | None) -> tuple[OrderAccount, ...]:
        """What became of a player's orders in a phase."""
        if who is None or who not in step.sheets:
            return ()
        phase = self.rulebook.phase(step.before.phase.name)
        seen = events_for(self.rulebook, step.after, step.events, who)
        return accounts(step.sheets[who].orders or (), phase, seen, waiting=False)

    def form(self, state: Any, who: str, **more: Any) -> str:
        """The form of a player in a position."""
        return sheet_form(self.rulebook, position_for(self.rulebook, state, who), who, **more)

    def report_of(self, step: Step, who: str | None) -> str:
        """The report of one phase, made once."""
        key = (id(step), who)
        if key not in REPORTS:
            at = self.steps().index(step)
            REPORTS[key] = self.report(at, at, who)
        return REPORTS[key]

    def whole(self, who: str | None) -> str:
        """The report of all phases."""
        return self.report(0, len(self.steps()) - 1, who)

    @property
    def readers(self) -> tuple[str | None, ...]:
        """The public and the players."""
        return (None, *self.players)


def section(text: str, title: str) -> str:
    """The text under a heading of the second level."""
    return text.partition(f"## {title}\n")[2].partition("\n## ")[0]


def sheets_for(rulebook: Rulebook[Any], state: Any, texts: Texts) -> dict[str, Sheet]:
    """The sheets as they are read from their files."""
    found: dict[str, Sheet] = {}
    for player, text in texts.items():
        asked = expected_in(rulebook, state, player)
        sheet = read_sheet(f"player: {player}\n{text}".encode(), asked)
        assert isinstance(sheet, Sheet), sheet
        found[player] = sheet
    return found


def play(
    rulebook: Rulebook[Any], state: Any, texts: Texts, dice: Dice | None = None, *, waits: bool = False
) -> Outcome:
    """One phase from the texts of its sheets."""
    inbox = Inbox(sheets_for(rulebook, state, texts), waits=waits)
    return advance(rulebook, state, inbox, dice or ScriptedDice(()), strict=True)


def played(
    rulebook: Rulebook[Any], state: Any, sheets: Sequence[Texts], dice: Sequence[Any]
) -> tuple[Step, ...]:
    """Phase after phase from the texts of their sheets."""
    left, found = ScriptedDice(dice), []
    for texts in sheets:
        sheets = sheets_for(rulebook, state, texts)
        outcome = advance(rulebook, state, Inbox(sheets), left, strict=True)
        found.append(Step(state, outcome.events, outcome.state, sheets))
        state = outcome.state
    return tuple(found)
