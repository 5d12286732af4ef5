"""Orders sent ahead, under `later:` of an earlier sheet: as a sheet, all there are, and those that weren't needed.

Lost pieces that orders sent ahead need.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.stops import is_stop
from adjudicator.engine.play.view import position_for
from adjudicator.engine.sheets.schema import phases_ahead
from adjudicator.engine.sheets.sheet import KEYWORDS, Order, Sheet
from adjudicator.engine.table.event import Event, Head, NotSent, Player, Remarked
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.table.rulebook import Pace, Phase, Rulebook
from adjudicator.engine.text.source import Path, Source


def lost_pieces(
    rulebook: Rulebook[Any], since: Iterable[Any], now: Any, sheet: Sheet, *, tried: bool = False
) -> list[str]:
    """The player's pieces that the sheet's orders need and that have been lost.

    `since` are the positions from the one in which the sheet was sent, because it may name what its own orders have
    built since. With `tried`, the orders are for the open phase, and an `else` that would be refused in it doesn't
    help.
    """
    had = dict.fromkeys(name for state in since for name in rulebook.pieces(state, sheet.player))
    has = set(rulebook.pieces(now, sheet.player))
    gone = [name for name in had if name not in has]
    in_vain = refused_now(rulebook, now, sheet) if tried and gone else set()

    def helps(path: Path) -> bool:
        return sheet.source.place(path) not in in_vain

    wanted = {
        name for order in sheet.orders or () for name in missing_pieces(order.plain, gone, helps, order.path)
    }
    return [name for name in gone if name in wanted]


def refused_now(rulebook: Rulebook[Any], now: Any, sheet: Sheet) -> set[str]:
    """The places of orders, including those of `else`, that would be refused now as far as their player can know.

    An order whose `if` isn't true now isn't among them: it may come true.
    """
    alone = replace(sheet, later={}, phases=None, standing={})
    found = check_sheet(rulebook, position_for(rulebook, now, sheet.player), alone).understood
    return {each.place for each in found if each.tried and not each.good and not each.doubtful}


def missing_pieces(
    plain: Any, gone: Collection[str], helps: Callable[[Path], bool] = lambda path: True, path: Path = ()
) -> set[str]:
    """The lost pieces that an order names, unless its `if` asks about them or its `else` does without them."""
    if isinstance(plain, str):
        return {plain} & set(gone)
    if isinstance(plain, list):
        return {
            name
            for index, each in enumerate(plain)
            for name in missing_pieces(each, gone, helps, (*path, index))
        }
    if not isinstance(plain, dict) or any(
        does_without(other, gone, helps, there) for other, there in else_of(plain, path)
    ):
        return set()
    return pieces_named(plain, gone, helps, path)


def pieces_named(
    order: Mapping[str, Any], gone: Collection[str], helps: Callable[[Path], bool], path: Path
) -> set[str]:
    """The lost pieces that the order itself names, except those that its `if` asks about."""
    fields = {key: value for key, value in order.items() if key not in KEYWORDS}
    found = {
        name
        for key, value in fields.items()
        for name in missing_pieces(key, gone) | missing_pieces(value, gone, helps, (*path, key))
    }
    return found - missing_pieces(words_of(order.get("if")), gone)


def does_without(order: Any, gone: Collection[str], helps: Callable[[Path], bool], path: Path) -> bool:
    """Does the order name no lost piece and help, or else one of its `else`?"""
    if not isinstance(order, dict):
        return False
    if helps(path) and not pieces_named(order, gone, helps, path):
        return True
    return any(does_without(other, gone, helps, there) for other, there in else_of(order, path))


def else_of(order: Mapping[str, Any], path: Path) -> list[tuple[Any, Path]]:
    """The orders directly in an order's `else`, each with its path."""
    found = order.get("else")
    others = found if isinstance(found, list) else []
    return [(other, (*path, "else", index)) for index, other in enumerate(others)]


def words_of(plain: Any) -> list[str]:
    """All words of an `if`, including keys of mappings."""
    if isinstance(plain, dict):
        return words_of([item for each in plain.items() for item in each])
    if isinstance(plain, list):
        return [word for each in plain for word in words_of(each)]
    return [plain] if isinstance(plain, str) else []


class Unneeded(Struct, frozen=True):
    """Orders sent ahead for a phase in which their player may have no say: the remark on them, the orders as a sheet,
    and the positions since they came, which show what has been lost.
    """

    remark: Remarked
    sheet: Sheet
    since: Sequence[Any]


NotNeeded = Mapping[str, Mapping[Player, Unneeded]]
"""For each phase name, the orders sent ahead of players who may have no say in it."""
SentAhead = tuple[int, Sheet]
"""The number of the phase with whose sheet the orders came, and the orders as a sheet."""
SheetOf = Callable[[int, Player], Sheet | NotSent | None]
"""A player's own sheet in the phase of that number; None if there is none."""


class MatchHistory(Protocol):
    """The phases of a match up to the open one, by number: from a folder, or from what `resolve` has played."""

    @property
    def rulebook(self) -> Rulebook[Any]:
        """The rulebook of the match's game."""

    @property
    def phases(self) -> Sequence[str]:
        """The folders of the phases, such as `0003-t1-market`."""

    def head(self, number: int) -> Head:
        """The head of a phase: its number, name and turn."""

    def state(self, number: int) -> Any:
        """The position in which the phase opened."""

    def events(self, number: int) -> Sequence[Event[Any]]:
        """The events of the phase."""

    def handed_out(self, number: int) -> bool:
        """Did the players get reports of the phase?"""

    def by_deadline(self, number: int) -> bool:
        """Was the phase closed without those who had sent nothing?"""


class OrdersAhead:
    """The orders that players of a match have sent ahead."""

    def __init__(self, match: MatchHistory, sheet_of: SheetOf) -> None:
        self.match, self.sheet_of = match, sheet_of
        self.names = [phase.name for phase in match.rulebook.phases]

    def orders(self, number: int, player: Player, name: str) -> SentAhead | None:
        """The orders for the phase `name` that we have when the phase `number` opens: the newest in an earlier sheet.

        Such orders count once: in the first phase of that name in the turn for which the player is due, or the player's
        next one if players have turns of their own. After that phase they are gone, whether they were carried out,
        refused, or replaced by a sheet. Those of a draft are gone once its player has sent a real sheet.
        """
        redone = False
        for before in self._back(number, player, self.match.rulebook.phase(name)):
            sheet = self.sheet_of(before, player)
            if isinstance(sheet, Sheet):
                found = sheet_ahead(sheet, name, self.match.phases[before])
                counts = sheet.ready or not (redone or self._is_left_a_draft(before, number, player, name))
                if found is not None and counts:
                    return before, found
                redone = redone or (sheet.ready and sheet.orders is not None)
            if self.match.head(before).name == name and player in self.match.state(before).phase.due:
                return None
        return None

    def _is_left_a_draft(self, before: int, number: int, player: Player, name: str) -> bool:
        """Does an earlier draft have orders for the open phase, at which nobody waits for a better sheet?

        A draft doesn't count as sent: a stop waits until its player finishes it, and a phase between stops passes
        without it, unless a deadline has carried out the draft as it was.
        """
        match, state = self.match, self.match.state(number)
        if state.phase.name != name or is_stop(match.rulebook, state.options, name):
            return False
        closed = (each for each in range(before, number) if player in match.state(each).phase.due)
        return not any(map(match.by_deadline, closed))

    def all_of(self, number: int, player: Player) -> dict[str, SentAhead]:
        """All orders a player has sent ahead for the phase that opens and for those that may follow it, by phase."""
        head = self.match.head(number)
        if head.name not in self.names:
            return {}
        phase = self.match.rulebook.phase(head.name)
        names = dict.fromkeys([phase.name, *(each.name for each in phases_ahead(self.match.rulebook, phase))])
        found = {name: self.orders(number, player, name) for name in names}
        return {name: sent for name, sent in found.items() if sent is not None}

    def not_needed(
        self, number: int, players: tuple[Player, ...], sheets: Mapping[Player, Sheet]
    ) -> NotNeeded:
        """The remarks on orders sent ahead for this phase and the next ones, for players who aren't due there."""
        turn, head = self.phases_of_turn(number), self.match.head(number)
        done = {
            (self.match.head(before).name, player)
            for before in turn
            for player in self.match.state(before).phase.due
        }
        # Players with a sheet for this very phase are told in another way.
        done |= {(head.name, player) for player in sheets if sheets[player].orders is not None}
        sent = [
            (
                "" if before == number else self.match.phases[before],
                sheet,
                [self.match.state(each) for each in range(before, number + 1)],
            )
            for player in players
            for before in turn
            if isinstance(sheet := self.sheet_of(before, player), Sheet)
        ]
        return not_needed(self.match.rulebook, sent, done)

    def phases_of_turn(self, number: int) -> list[int]:
        """The numbers of the phases in the turn of phase `number` that can have had sheets, from that phase back."""
        turn = self.match.head(number).turn
        heads = ((before, self.match.head(before)) for before in range(number, -1, -1))
        of_turn = takewhile(lambda each: each[1].turn == turn, heads)
        return [before for before, head in of_turn if head.name in self.names]

    def _own_turn_is_over(self, number: int, player: Player, phase: Phase[Any]) -> bool:
        """Is this a phase of an own turn that the player already had in this round, and is it another's turn now?"""
        phases = self.match.rulebook.phases
        opens = [each.name for each in phases[: phases.index(phase)] if each.own_turn]
        if phase.own_turn or phase.pace is not Pace.ONE_BY_ONE or not opens:
            return False
        begun = [each for each in self.phases_of_turn(number) if self.match.head(each).name in opens]
        mine = [player in self.match.state(each).phase.due for each in begun]
        return any(mine) and not mine[0]

    def _back(self, number: int, player: Player, phase: Phase[Any]) -> Iterator[int]:
        """The phases whose sheets may hold orders for that phase, the newest first."""
        if self._own_turn_is_over(number, player, phase):
            return
        turn = self.match.head(number).turn
        for before in range(number - 1, -1, -1):
            head = self.match.head(before)
            if head.turn != turn and not phase.own_turn:
                return
            if head.name in self.names:
                yield before


def sheet_ahead(sheet: Sheet, phase: str, folder: str) -> Sheet | None:
    """The orders for a phase in an earlier sheet, as a sheet of their own; None if there are none.

    Its places name the folder of the earlier sheet: `0003-t1-market/sheets/venice.yaml:7:5`.
    """
    if phase not in sheet.later:
        return None
    source = in_folder(sheet.source, folder)
    orders = tuple(order_in_source(order, source) for order in sheet.later[phase])
    return replace(sheet, source=source, orders=orders, standing={}, phases=None, later={}, flaws=())


def in_folder(source: Source, folder: str) -> Source:
    """The source under the name that another phase gives it; an empty folder is that of the phase itself."""
    return replace(source, name=f"{folder}/{source.name}") if folder else source


def order_in_source(order: Order, source: Source) -> Order:
    """The order and those of its `else`, with their places in that source."""
    otherwise = tuple(order_in_source(other, source) for other in order.otherwise)
    return replace(order, source=source, otherwise=otherwise)


def not_needed(
    rulebook: Rulebook[Any],
    sent: Iterable[tuple[str, Sheet, Sequence[Any]]],
    done: Iterable[tuple[str, Player]],
) -> NotNeeded:
    """The remarks on orders sent ahead in one turn, phase by phase.

    `sent` are the turn's sheets, the newest first, each with the folder of its phase (empty for the phase itself) and
    the positions since. `done` are phases with players who have had their say in them: these get no remark. Orders for
    a player's next own turn wait for it.
    """
    found: dict[str, dict[Player, Unneeded]] = {}
    seen = set(done)
    for folder, sheet, since in sent:
        for phase, orders in sheet.later.items():
            if (phase, sheet.player) in seen or rulebook.phase(phase).own_turn:
                continue
            seen.add((phase, sheet.player))
            ahead = sheet_ahead(sheet, phase, folder)
            if orders and ahead is not None:
                remark = _remark(sheet, phase, folder)
                found.setdefault(phase, {})[sheet.player] = Unneeded(remark, ahead, since)
    return found


def _remark(sheet: Sheet, phase: str, folder: str) -> Remarked:
    reason = Reason("SHEET", "later-not-needed", {"phase": phase})
    place = in_folder(sheet.source, folder).place(("later", phase), key=True)
    return Remarked(rule=reason.rule, to=(sheet.player,), player=sheet.player, reason=reason, place=place)


def remarks_after(rulebook: Rulebook[Any], head: Head, now: Any, said: NotNeeded) -> tuple[Remarked, ...]:
    """The remarks due when a phase has closed and the position `now` opens: on that phase and on skipped ones."""
    names = phases_over(rulebook, head, now.phase)
    return tuple(with_losses(rulebook, one, now) for name in names for one in said.get(name, {}).values())


def with_losses(rulebook: Rulebook[Any], one: Unneeded, now: Any) -> Remarked:
    """The remark; if the orders named pieces that no longer exist, it names them."""
    gone = lost_pieces(rulebook, one.since, now, one.sheet)
    if not gone:
        return one.remark
    reason = replace(one.remark.reason, key="later-lost", facts={**one.remark.reason.facts, "lost": gone})
    return replace(one.remark, reason=reason)


def phases_over(rulebook: Rulebook[Any], head: Head, opened: Head) -> list[str]:
    """The phases of a turn that are over when the next one opens; none while one phase goes on, seat after seat."""
    names = [phase.name for phase in rulebook.phases]
    if head.name not in names:
        return []
    goes_on = opened.turn == head.turn and opened.name in names
    return names[names.index(head.name) : names.index(opened.name) if goes_on else len(names)]
