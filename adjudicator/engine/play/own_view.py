"""Orders carried out on what their player knows: as the referee does, up to what nobody can know yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from adjudicator.engine.play.inbox import Inbox
from adjudicator.engine.play.referee import Referee
from adjudicator.engine.sheets.sheet import Order, Sheet
from adjudicator.engine.table.dice import Die, ScriptedDice
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import Rulebook, Unfit
from adjudicator.engine.table.secret import Unknown
from adjudicator.engine.table.table import Question, Verb


class OwnView(Referee):
    """The table of a player's own view. At an ask, a throw or another's secret the order counts as good; what follows
    is `unsure`.
    """

    def __init__(self, rulebook: Rulebook[Any], view: Any, sheet: Sheet) -> None:
        super().__init__(rulebook, view, Inbox({sheet.player: sheet}), ScriptedDice(()))
        self.sheet, self.unsure = sheet, False

    def carry_out(
        self,
        player: Player,
        order: Order,
        verbs: Mapping[str, Verb[Any]] | None = None,
        *,
        unfit: Unfit | None = None,
    ) -> bool:
        """Carries an order out like the referee, but stops at what can't be known; False if nothing was done."""
        try:
            return super().carry_out(player, order, verbs, unfit=unfit)
        except Unknown:
            self.unsure = True
            self.carried = order.path
            return True

    def ask(self, who: Player, question: Question[Any, Any]) -> Any:
        """Nobody knows the answer yet: goes on only if it is plain which answer the order's player wants."""
        self.unsure = self.heard = True
        hoped = question.hoped(self.state)
        if hoped is None:
            raise Unknown
        return hoped

    def throw(self, die: Die, *what: str, rule: str, player: Player = "") -> NoReturn:
        """Stops: nobody knows the throw yet."""
        raise Unknown

    def shuffle(self, items: Sequence[str], *what: str, rule: str) -> NoReturn:
        """Stops: nobody knows the shuffle yet."""
        raise Unknown

    def unforeseen(self, player: Player) -> None:
        """Makes all that follows uncertain if the player is another one: nobody knows what that player does."""
        self.unsure = self.unsure or player != self.sheet.player

    def to_come(self, who: Player) -> Sequence[Mapping[str, Any]] | None:
        """Stops if another player is meant: nobody knows others' orders."""
        if who != self.sheet.player:
            raise Unknown
        return super().to_come(who)

    def position_for_if(self, order: Order) -> Any:
        """The position for the order's `if:`: in the open phase as the referee sees it, in a later one as it opens."""
        return (
            super().position_for_if(order)
            if self.state.phase.number == self.opened.phase.number
            else self.state
        )
