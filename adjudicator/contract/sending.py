"""Matches in memory by players who do all that players can: send ahead, set conditions, err, stay away, answer.

Each sheet is a text that is read like a mail's. Of each order that is carried out it is noted what had happened before
that its player couldn't know when the sheet was written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from adjudicator.contract import conditions, searching
from adjudicator.contract.legality import candidates
from adjudicator.engine.ahead.orders_ahead import OrdersAhead
from adjudicator.engine.bots.bot import AtRandom
from adjudicator.engine.bots.planning import planned
from adjudicator.engine.bots.simulation import at_random
from adjudicator.engine.folder.adjudication import thrown_in
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.folder.post import Post
from adjudicator.engine.match.resolving import Played, PlayedSoFar
from adjudicator.engine.play.chance import SeededChance
from adjudicator.engine.play.inbox import Awaited, Inbox, Outcome
from adjudicator.engine.play.referee import Referee
from adjudicator.engine.play.view import position_for
from adjudicator.engine.sheets.answers import Answer
from adjudicator.engine.sheets.offering import names_on_board
from adjudicator.engine.sheets.reading import Expected, read_sheet
from adjudicator.engine.sheets.sheet import Order, Sheet
from adjudicator.engine.table.dice import Dice, Die, Scripted, Sealed, seed_from
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.reason import Reason, Refused
from adjudicator.engine.table.rulebook import Phase, Rulebook, Unfit, all_fit
from adjudicator.engine.table.secret import Secret, Unknown
from adjudicator.engine.text.writing import write

MOST_PHASES, FEW_PHASES = 400, 24
"""How many phases of a match are played, and where time is short."""
MOST_ANSWERS = 40
"""How often a phase is run again with one more answer."""


class Fared(Struct, frozen=True):
    """How an order fared that was heard.

    `refused` is why it was refused, the first reason, of a part of it too. What its player couldn't know: others had
    acted before (`others`), an earlier order of the sheet had asked or thrown (`earlier`), or the order itself did so
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
        """Did nothing happen before that its player couldn't know?"""
        return not (self.others or self.earlier or self.itself)


class Witness(Referee):
    """The referee, who notes of each order how it fared and what its player couldn't know."""

    def __init__(self, rulebook: Rulebook[Any], state: Any, inbox: Inbox, dice: Dice) -> None:
        super().__init__(rulebook, state, inbox, dice)
        self.fared: dict[str, Fared] = {}
        self.unknown = Counter[Player]()
        self.acted: set[Player] = set()
        self.begun: dict[str, tuple[bool, int]] = {}
        self.turns: dict[Player, Any] = {}

    def orders(self, player: Player) -> Sequence[Order]:
        """Keeps the position to which others have come when the player's own turn begins."""
        if self.acted and player not in self.acted:
            self.turns.setdefault(player, self.state)
        return super().orders(player)

    def carry_out(self, player: Player, order: Order, verbs: Any = None, *, unfit: Unfit = all_fit) -> bool:
        """Notes what had happened before, and that it was carried out."""
        place = order.place()
        self.begun[place] = (bool(self.acted - {player}), self.unknown[player])
        self.acted.add(player)
        done = super().carry_out(player, order, verbs, unfit=unfit)
        if id(order) not in self.refused:
            self._note(order, None)
        return done

    def _refuse(self, order: Order, refused: Refused, *, part: bool = False) -> None:
        self._note(order, refused.reason)
        super()._refuse(order, refused, part=part)

    def _note(self, order: Order, why: Reason | None) -> None:
        place = order.place()
        others, before = self.begun[place]
        self.fared.setdefault(
            place,
            Fared(place, self.me, order, why, others, before > 0, self.unknown[self.me] > before),
        )

    def finish(self, player: Player, *, absent: bool = False) -> None:
        """Also who does nothing has acted."""
        super().finish(player, absent=absent)
        self.acted.add(player)

    def ask(self, who: Player, question: Any) -> Any:
        """What is answered nobody knows before."""
        self.unknown[self.me] += 1
        return super().ask(who, question)

    def throw(self, die: Die, *what: str, rule: str, player: Player = "") -> int:
        """Nor what falls."""
        self.unknown[self.me] += 1
        return super().throw(die, *what, rule=rule, player=player)

    def shuffle(self, items: Sequence[str], *what: str, rule: str) -> tuple[str, ...]:
        """Nor what is drawn."""
        self.unknown[self.me] += 1
        return super().shuffle(items, *what, rule=rule)

    def reveal(self, secret: Secret[Any]) -> Any:
        """Nor what is hidden."""
        self.unknown[self.me] += 1
        return super().reveal(secret)

    def to_come(self, who: Player) -> Any:
        """Nor what others have ordered."""
        self.unknown[self.me] += 1
        return super().to_come(who)


class Sent(Struct, frozen=True):
    """One phase: the position before, the sheets that came for it (`own`), those carried out, how their orders fared.

    `turns` are positions to which others had come when a player's turn began.
    """

    before: Any
    own: Mapping[Player, Sheet]
    sheets: Mapping[Player, Sheet]
    outcome: Outcome
    fared: Mapping[str, Fared]
    turns: Mapping[Player, Any]


def sent(
    rulebook: Rulebook[Any],
    players: tuple[Player, ...],
    seed: str,
    pacing: str = "batch",
    most: int = MOST_PHASES,
) -> Iterator[Sent]:
    """A match, phase after phase, up to so many."""
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
        witness = carried_out(rulebook, state, carried, seed, chance)
        outcome = outcome_of(witness)
        yield Sent(state, sheets, carried, outcome, witness.fared, witness.turns)
        played.append(Played(state, outcome))
        state = outcome.state


def sent_in(folder: Path) -> Iterator[Sent]:
    """The phases of a match in a folder that are over, each played once more from its mail."""
    match = open_match(folder)
    post = Post(match)
    for number in range(match.last):
        mail, state, closed = post.collect(number), match.state(number), match.opening(number).closed
        deadline = closed is not None and closed.deadline
        waits = state.options.pacing == "live" and not deadline
        inbox = Inbox(mail.sheets, mail.answers, mail.notes, waits, deadline, mail.in_vain)
        witness = Witness(match.rulebook, state, inbox, Scripted(thrown_in(match.events(number))))
        witness.adjudicate()
        own = {
            player: sheet for player, sheet in mail.sheets.items() if sheet.source.name.startswith("sheets/")
        }
        yield Sent(state, own, mail.sheets, outcome_of(witness), witness.fared, witness.turns)


def outcome_of(witness: Witness) -> Outcome:
    """What came of a phase."""
    return Outcome(witness.state, tuple(witness.events))


def carried_out(
    rulebook: Rulebook[Any], state: Any, sheets: Mapping[Player, Sheet], seed: str, chance: Chance
) -> Witness:
    """The phase, with answers of those who are asked and answer."""
    answers: dict[Player, tuple[Answer, ...]] = {}
    waits = state.options.pacing == "live"
    for turn in range(MOST_ANSWERS):
        inbox = Inbox(sheets, answers, waits=waits and turn < MOST_ANSWERS - 1)
        witness = Witness(rulebook, state, inbox, Sealed(seed_from(seed), seed, state.phase.number))
        try:
            witness.adjudicate()
        except Awaited as awaited:
            who = awaited.player
            answer = answered(rulebook, witness.state, who, awaited.question, chance)
            waits = answer is not None
            if answer is not None:
                answers[who] = (*answers.get(who, ()), answer)
            continue
        return witness
    raise AssertionError(state.phase)


def answered(
    rulebook: Rulebook[Any], state: Any, who: Player, question: Any, chance: Chance
) -> Answer | None:
    """An answer at random; None of who stays away."""
    if not chance(8):
        return None
    table = AtRandom(position_for(rulebook, state, who), who, chance)
    try:
        question.answer(table, state)
    except (Refused, Unknown):
        return None
    fields = {**question.names(), **table.chosen}
    return Answer(question.verb, fields, f"answers/{who}.yaml:1:1")


# -- sheets ------------------------------------------------------------------------------------------------------------


def sheets_in(rulebook: Rulebook[Any], state: Any, chance: Chance) -> Iterator[tuple[Player, Sheet]]:
    """The sheets that come for a phase, each read from its text."""
    for player in state.players if rulebook.phase(state.phase.name).verbs else ():
        due = player in state.phase.due
        if not chance(10 if due else 2) or (not due and chance(4)):
            continue
        plain = plain_sheet(rulebook, state, player, chance)
        if not due:
            plain.pop("orders", None)
        text = write({"player": player, **plain})
        asked = Expected(rulebook, state.match, state.phase, tuple(state.players), player)
        found = read_sheet(text.encode(), asked)
        if isinstance(found, Sheet):
            yield player, found


def plain_sheet(rulebook: Rulebook[Any], state: Any, me: Player, chance: Chance) -> dict[str, Any]:
    """A sheet of one who plays at random, or as the rulebook's own program, and then changes it in a few places."""
    view = position_for(rulebook, state, me)
    bot = rulebook.bot if rulebook.bot is not None and not chance(3) else at_random(rulebook)
    plain = dict(planned(rulebook, bot, view, me, chance, turn=not chance(3)))
    if not chance(3):
        return plain
    plain["orders"] = changed(
        rulebook, rulebook.phase(state.phase.name), view, me, plain.get("orders") or [], chance
    )
    later = plain.get("later", {})
    for name in later:
        phase = rulebook.phase(name)
        later[name] = {"orders": changed(rulebook, phase, view, me, later[name]["orders"], chance)}
    return plain


def changed(
    rulebook: Rulebook[Any], phase: Phase[Any], view: Any, me: Player, orders: Sequence[Any], chance: Chance
) -> list[Any]:
    """The orders, some of them twice, changed, with an `if`, or with an `else`."""
    found: list[Any] = []
    for order in orders:
        match chance(10):
            case 0:
                found += [order, order]
            case 1:
                verb = next(iter(order))
                tries = (searching.found(verb, phase.verbs[verb].rule, view, me, chance) for _ in range(3))
                found += [order, *(each for each in tries if each is not None)]
            case 2:
                found.append({**order, "else": [other(phase, view, me, chance)]})
            case 3:
                found.append({**other(phase, view, me, chance), "else": [order]})
            case 4:
                found += [other(phase, view, me, chance), order]
            case 5 | 6 if rulebook.condition is not None:
                condition = conditions.at_random(rulebook.condition, view, chance)
                otherwise = {"else": [other(phase, view, me, chance)]} if chance(2) else {}
                found.append({**order, "if": condition, **otherwise})
            case _:
                found.append(order)
    return found


def other(phase: Phase[Any], view: Any, me: Player, chance: Chance) -> dict[str, Any]:
    """An order of the phase, legal or not, which may name what is others'."""
    names = list(phase.verbs)
    name = names[chance(len(names))]
    tried = list(candidates(name, phase.verbs[name], view, me, chance))
    order = dict(tried[chance(len(tried))])
    order = {name: order.get(name), **order}
    board = names_on_board(view)
    for field, value in order.items():
        if isinstance(value, str) and not chance(4):
            fitting = [each for each in board if phase.verbs[name].fields[field].takes(each)]
            order[field] = fitting[chance(len(fitting))] if fitting else value
    return order
