"""Which orders we already have for an open phase, whom the match awaits there, and whom it asks again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any

from msgspec import Struct

from adjudicator.engine.ahead.orders_ahead import MatchHistory, OrdersAhead, SentAhead, SheetOf, lost_pieces
from adjudicator.engine.play.account import OrderAccount, accounts
from adjudicator.engine.play.stops import asked_before, is_stop, standing_orders, stands_in, was_in_vain
from adjudicator.engine.sheets.sheet import Order, Sheet
from adjudicator.engine.table.event import Event, Player, Stood, position_after


class SheetStatus(StrEnum):
    """Why a due player needs no sheet at the open phase, or why the match waits for one anyway.

    Templates compare with these values.
    """

    AHEAD = "ahead"
    """Orders were sent ahead."""
    STANDING = "standing"
    """Standing orders take the sheet's place."""
    IDLE = "idle"
    """Standing orders would do, but nobody has sent anything for a whole turn."""
    PASSING = "passing"
    """The player was asked before and sent nothing."""
    DRAFT = "draft"
    """A draft was sent ahead."""
    LOST = "lost"
    """Orders were sent ahead, and a piece they need has been lost since."""
    NOTHING = "nothing"
    """We have no orders."""


WAITED_FOR = (SheetStatus.IDLE, SheetStatus.DRAFT, SheetStatus.LOST, SheetStatus.NOTHING)


class DueSheet(Struct, frozen=True):
    """What we have from a due player who sent no sheet for the phase itself.

    `lost` are the lost pieces that orders ahead need.
    """

    status: SheetStatus
    ahead: SentAhead | None = None
    lost: Sequence[str] = ()

    @property
    def waits(self) -> bool:
        """Does the match wait for the player?"""
        return self.status in WAITED_FOR


class DueSheets:
    """What we have of each player, phase by phase: the one place that decides whom the match awaits."""

    def __init__(self, match: MatchHistory, sheet_of: SheetOf) -> None:
        self.match, self.ahead = match, OrdersAhead(match, sheet_of)

    def of(self, number: int, player: Player) -> DueSheet:
        """The status of a player due in the phase, before the player's sheet for it arrives."""
        found = self._by_own_sheets(number, player)
        idle = found.status is SheetStatus.STANDING and self._is_idle(number, player)
        return DueSheet(SheetStatus.IDLE) if idle else found

    def _by_own_sheets(self, number: int, player: Player) -> DueSheet:
        """The status by the player's own sheets alone, whatever others have sent."""
        match, state = self.match, self.match.state(number)
        ahead = self.ahead.orders(number, player, state.phase.name)
        if ahead is not None:
            before, sheet = ahead
            gone = self._lost_since(number, before, sheet)
            # A draft that a deadline carried out is still a draft: the next stop waits for its player.
            draft = not sheet.ready and is_stop(match.rulebook, state.options, state.phase.name)
            return DueSheet(
                SheetStatus.DRAFT if draft else SheetStatus.LOST if gone else SheetStatus.AHEAD, ahead, gone
            )
        if self._stands_in(number, player):
            return DueSheet(SheetStatus.STANDING)
        return DueSheet(SheetStatus.PASSING if self.asked_before(number, player) else SheetStatus.NOTHING)

    def in_vain(self, number: int, player: Player) -> bool:
        """Does the player have standing orders for the phase that had no effect when it was last open?"""
        match, state = self.match, self.match.state(number)
        if number == 0 or standing_orders(state, player, state.phase.name) is None:
            return False
        return was_in_vain(state.phase, player, match.state(number - 1).phase, match.events(number - 1))

    def orders_tried(self, number: int, player: Player, events: Iterable[Event[Any]]) -> Sequence[Order]:
        """The orders that were carried out for a due player in a phase with these events: those of the player's own
        sheet, else those sent ahead, else standing ones.
        """
        state, own = self.match.state(number), self.ahead.sheet_of(number, player)
        if player not in state.phase.due:
            return ()
        if isinstance(own, Sheet) and own.orders is not None:
            return own.orders
        ahead = self.ahead.orders(number, player, state.phase.name)
        if ahead is not None:
            return ahead[1].orders or ()
        if self.in_vain(number, player):
            return ()
        laid_down = [each for each in events if isinstance(each, Stood) and each.player == player]
        return standing_orders(position_after(laid_down, state), player, state.phase.name) or ()

    def accounts(
        self, number: int, player: Player, events: Sequence[Event[Any]], *, waiting: bool = False
    ) -> tuple[OrderAccount, ...]:
        """What became of a player's orders in a phase, by its events as the player may know them. `waiting`: the phase
        waits for an answer.
        """
        phase = self.match.rulebook.phase(self.match.head(number).name)
        return accounts(self.orders_tried(number, player, events), phase, events, waiting=waiting)

    def asked_before(self, number: int, player: Player) -> bool:
        """Was the player asked for orders for the phase earlier in the turn? Everybody may know this."""
        match = self.match
        heads = [match.state(before).phase for before in reversed(self.ahead.phases_of_turn(number))]
        return asked_before(match.rulebook, match.state(number).options, heads, player)

    def _lost_since(self, number: int, before: int, sent: Sheet) -> list[str]:
        """The lost pieces that orders sent ahead need, if the match has `reopen`.

        Only pieces lost since the player was last asked for anything count: the forms have told of earlier losses.
        """
        match, state = self.match, self.match.state(number)
        if not state.options.reopen:
            return []
        asked = [
            each
            for each in range(before + 1, number)
            if sent.player in match.state(each).phase.due and match.handed_out(each)
        ]
        since = range(asked[-1] if asked else before, number)
        return lost_pieces(match.rulebook, map(match.state, since), state, sent, tried=True)

    def _stands_in(self, number: int, player: Player) -> bool:
        match, state = self.match, self.match.state(number)
        if standing_orders(state, player, state.phase.name) is None:
            return False
        head, events = match.state(number - 1).phase, match.events(number - 1)
        sent = [name for name, (_, sheet) in self.ahead.all_of(number, player).items() if sheet.ready]
        return stands_in(match.rulebook, state, player, head, events, sent)

    def _is_idle(self, number: int, player: Player) -> bool:
        """Has nobody sent anything, and no deadline passed, since the player had the same stop in an earlier turn?

        Otherwise a match in which everybody has standing orders would play itself to its end before anybody reads of
        it. This can't happen while somebody else is awaited.
        """
        match, now = self.match, self.match.head(number)
        state = match.state(number)
        if not is_stop(match.rulebook, state.options, now.name):
            return False
        heads = ((each, match.head(each)) for each in range(number - 1, 0, -1))
        earlier = (each for each, head in heads if head.name == now.name and head.turn < now.turn)
        before = next((each for each in earlier if player in match.state(each).phase.due), None)
        if before is None or any(map(self._was_sent_for, range(before, number))):
            return False
        if any(map(match.by_deadline, range(before + 1, number))):
            return False
        return not any(self._by_own_sheets(number, each).waits for each in state.phase.due)

    def _was_sent_for(self, number: int) -> bool:
        """Did a sheet go into the phase, whether sent for it or ahead?"""
        state = self.match.state(number)
        own = any(isinstance(self.ahead.sheet_of(number, each), Sheet) for each in state.players)
        return own or any(self.ahead.orders(number, each, state.phase.name) for each in state.phase.due)
