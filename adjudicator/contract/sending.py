"""Matches of such players (`senders`), in memory and in folders, under a referee who notes how each order fared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from adjudicator.contract.senders import random_answer, sheets_in
from adjudicator.engine.ahead.orders_ahead import OrdersAhead
from adjudicator.engine.folder.adjudication import thrown_in
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.folder.post import Post
from adjudicator.engine.match.resolving import Played, PlayedSoFar
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.inbox import AnswerAwaited, Inbox, Outcome
from adjudicator.engine.play.referee import Referee
from adjudicator.engine.sheets.sheet import Answer, Order, Sheet
from adjudicator.engine.table.dice import Dice, Die, ScriptedDice, SeededDice, seed_from
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.reason import Reason, Refused
from adjudicator.engine.table.rulebook import Rulebook, Unfit
from adjudicator.engine.table.secret import Secret


class OrderResult(Struct, frozen=True):
    """How an order fared.

    `refused` is the first reason for refusing it, or a part of it. What its player couldn't know: others had acted
    before (`others`), an earlier order of the sheet had asked or thrown (`earlier`), or the order itself did
    (`itself`).
    """

    place: str
    player: Player
    order: Order
    refused: Reason | None
    others: bool
    earlier: bool
    itself: bool

    @property
    def knowable(self) -> bool:
        """Could the order's player know all that mattered to the order?"""
        return not (self.others or self.earlier or self.itself)


class PlayedPhase(Struct, frozen=True):
    """One phase: the position before, its own sheets (`own`), the sheets carried out, and how their orders fared.

    `turns` are the positions that others had led to when a player's turn began, `tried` the places of the orders that
    were tried, and whether they or their `else` did anything, `unheard` those of orders whose turn never came.
    """

    before: Any
    own: Mapping[Player, Sheet]
    sheets: Mapping[Player, Sheet]
    outcome: Outcome
    fared: Mapping[str, OrderResult]
    turns: Mapping[Player, Any]
    tried: Mapping[str, bool]
    unheard: Sequence[str] = ()


class Witness(Referee):
    """The referee, who notes how each order fared and what its player couldn't know. `tried` are the places of the
    orders that were tried, and whether they or their `else` did anything."""

    def __init__(self, rulebook: Rulebook[Any], state: Any, inbox: Inbox, dice: Dice) -> None:
        super().__init__(rulebook, state, inbox, dice)
        self.fared: dict[str, OrderResult] = {}
        self.tried: dict[str, bool] = {}
        self.unknown = Counter[Player]()
        self.acted: set[Player] = set()
        self.begun: dict[str, tuple[bool, int]] = {}
        self.turns: dict[Player, Any] = {}

    def orders(self, player: Player) -> Sequence[Order]:
        """The player's orders. Keeps the position that others have led to when the player's own turn begins."""
        if self.acted and player not in self.acted:
            self.turns.setdefault(player, self.state)
        return super().orders(player)

    def carry_out(
        self, player: Player, order: Order, verbs: Any = None, *, unfit: Unfit | None = None
    ) -> bool:
        """Notes what had happened before, and that the order was carried out."""
        place = order.place()
        self.begun[place] = (bool(self.acted - {player}), self.unknown[player])
        self.acted.add(player)
        done = super().carry_out(player, order, verbs, unfit=unfit)
        if id(order) not in self.refused:
            self._note(order, None)
        self.tried[place] = done
        return done

    def _refuse(self, order: Order, refused: Refused, *, part: bool = False) -> None:
        self._note(order, refused.reason)
        super()._refuse(order, refused, part=part)

    def _note(self, order: Order, why: Reason | None) -> None:
        place = order.place()
        others, before = self.begun[place]
        self.fared.setdefault(
            place, OrderResult(place, self.me, order, why, others, before > 0, self.unknown[self.me] > before)
        )

    def finish(
        self, player: Player, *, absent: bool = False, present: bool = False, again: bool = False
    ) -> None:
        """Notes that a player has acted, even by doing nothing."""
        super().finish(player, absent=absent, present=present, again=again)
        self.acted.add(player)

    def ask(self, who: Player, question: Any) -> Any:
        """Counts the answer as unknown: nobody knows it beforehand."""
        self.unknown[self.me] += 1
        return super().ask(who, question)

    def throw(self, die: Die, *what: str, rule: str, player: Player = "") -> int:
        """Counts the throw as unknown: nobody knows it beforehand."""
        self.unknown[self.me] += 1
        return super().throw(die, *what, rule=rule, player=player)

    def shuffle(self, items: Sequence[str], *what: str, rule: str) -> tuple[str, ...]:
        """Counts the draw as unknown: nobody knows it beforehand."""
        self.unknown[self.me] += 1
        return super().shuffle(items, *what, rule=rule)

    def reveal(self, secret: Secret[Any]) -> Any:
        """Counts the secret as unknown."""
        self.unknown[self.me] += 1
        return super().reveal(secret)

    def to_come(self, who: Player) -> Any:
        """Counts others' orders as unknown."""
        self.unknown[self.me] += 1
        return super().to_come(who)

    def played(
        self, before: Any, own: Mapping[Player, Sheet], sheets: Mapping[Player, Sheet], *waiting: Any
    ) -> PlayedPhase:
        """The phase as it was played; `waiting`: the player whom it waits for, and the question."""
        outcome = Outcome(self.state, tuple(self.events), *waiting)
        unheard = [order.place() for order in self.unheard]
        return PlayedPhase(before, own, sheets, outcome, self.fared, self.turns, self.tried, unheard)


MOST_PHASES, FEW_PHASES = 400, 24
"""How many phases of a match are played, fully and where time is short."""
MOST_ANSWERS = 40
"""How often a phase is run again with one more answer."""


def played_match(
    rulebook: Rulebook[Any],
    players: tuple[Player, ...],
    seed: str,
    pacing: str = "batch",
    most: int = MOST_PHASES,
) -> Iterator[PlayedPhase]:
    """A match, phase after phase, up to `most` phases."""
    state = rulebook.start(seed, msgspec.convert({"pacing": pacing}, rulebook.Options), players)
    chance = SeededChance(seed)
    played: list[Played] = []
    own: list[Mapping[Player, Sheet]] = []
    for _ in range(most):
        if state.phase.over:
            return
        number = len(played)
        sheets = dict(sheets_in(rulebook, state, chance))
        own.append(sheets)
        carried = dict(sheets)
        if played:
            ahead = OrdersAhead(PlayedSoFar(rulebook, played), lambda at, who: own[at].get(who))
            for player in state.phase.due:
                found = ahead.orders(number, player, state.phase.name)
                mine = sheets.get(player)
                if found is not None and (mine is None or mine.orders is None):
                    carried[player] = found[1]
        step = carry_out_phase(rulebook, state, carried, seed, chance).played(state, sheets, carried)
        yield step
        played.append(Played(state, step.outcome))
        state = step.outcome.state


def played_in_folder(folder: Path) -> Iterator[PlayedPhase]:
    """The closed phases of a match in a folder, each played once more from its mail."""
    match = open_match(folder)
    post = Post(match)
    for number in range(match.last):
        mail, state, closed = post.collect(number), match.state(number), match.opening(number).closed
        deadline = closed is not None and closed.deadline
        inbox = mail.inbox(state.options, deadline=deadline)
        witness = Witness(match.rulebook, state, inbox, ScriptedDice(thrown_in(match.events(number))))
        witness.adjudicate()
        own = {
            player: sheet for player, sheet in mail.sheets.items() if sheet.source.name.startswith("sheets/")
        }
        yield witness.played(state, own, mail.sheets)


def carry_out_phase(
    rulebook: Rulebook[Any], state: Any, sheets: Mapping[Player, Sheet], seed: str, chance: Chance
) -> Witness:
    """Plays the phase, with answers from those who are asked and do answer."""
    answers: dict[Player, tuple[Answer, ...]] = {}
    waits = state.options.pacing == "live"
    for turn in range(MOST_ANSWERS):
        inbox = Inbox(sheets, answers, waits=waits and turn < MOST_ANSWERS - 1)
        witness = Witness(rulebook, state, inbox, SeededDice(seed_from(seed), seed, state.phase.number))
        try:
            witness.adjudicate()
        except AnswerAwaited as awaited:
            who = awaited.player
            answer = random_answer(rulebook, witness.state, who, awaited.question, chance)
            waits = answer is not None
            if answer is not None:
                answers[who] = (*answers.get(who, ()), answer)
            continue
        return witness
    raise AssertionError(state.phase)
