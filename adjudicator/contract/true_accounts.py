"""Promise 13: the account of a sheet says of each order what the referee made of it, from what its owner sees; and what
came to nothing keeps no `else` from being tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from adjudicator.contract.cases import Case, CaseDice, inbox_of_case, position
from adjudicator.contract.sending import PlayedPhase, outcome_of
from adjudicator.contract.witness import Witness
from adjudicator.engine.play.account import OrderAccount, Word, accounts, every_account
from adjudicator.engine.play.inbox import AnswerAwaited, Outcome
from adjudicator.engine.play.view import events_for
from adjudicator.engine.sheets.reading import folder_name
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import Rulebook


def wrong_accounts(rulebook: Rulebook[Any], step: PlayedPhase) -> Iterator[str]:
    """Accounts of the sheets of a phase that don't say what the referee did."""
    aside = {place for event in step.outcome.events for place in event.leaves_open()}
    for player in step.before.phase.due:
        if player not in step.sheets:
            continue
        where = f"{folder_name(step.before.phase)} {player}"
        found = accounts_of(rulebook, step, player)
        # What a part did is undone if its order is refused afterwards.
        parts = {part.place for each in every_account(found) for part in every_account(each.parts)}
        for each in every_account(found):
            if each.place not in aside | parts:
                yield from (f"{where} {each.place}: {fault}" for fault in false_words(each, step.tried))


def false_words(account: OrderAccount, tried: Mapping[str, bool]) -> Iterator[str]:
    """What is wrong with the account of an order that wasn't left open: it differs from what the referee made of the
    order, or the order came to nothing, and its `else` wasn't tried.
    """
    came = tried.get(account.place)
    if came is not None and came is (account.outcome is Word.NOTHING):
        yield f"the account says {account.outcome}, and the referee {'did something' if came else 'did nothing'}"
    if came is None or account.word is not Word.NOTHING:
        return
    for other in account.otherwise:
        if other.place not in tried:
            yield f"came to nothing, and its else at {other.place} wasn't tried"
        if other.outcome is not Word.NOTHING:
            return


def accounts_of(rulebook: Rulebook[Any], step: PlayedPhase, player: Player) -> tuple[OrderAccount, ...]:
    """The account of a player's sheet of a phase, from what the player sees of it."""
    verbs, outcome = rulebook.phase(step.before.phase.name).verbs, step.outcome
    seen = events_for(rulebook, outcome.state, outcome.events, player)
    return accounts(step.sheets[player].orders or (), verbs, seen, waiting=bool(outcome.waiting))


def phase_of_case(rulebook: Rulebook[Any], case: Case, replaced: Sequence[str]) -> PlayedPhase:
    """The phase of a case, with what the referee made of each order."""
    state = position(rulebook, case, replaced)
    inbox = inbox_of_case(rulebook, case, state)
    witness = Witness(rulebook, state, inbox, CaseDice(case.dice))
    try:
        witness.adjudicate()
        outcome = outcome_of(witness)
    except AnswerAwaited as awaited:
        outcome = Outcome(witness.state, tuple(witness.events), awaited.player, awaited.question)
    return PlayedPhase(
        state, inbox.sheets, inbox.sheets, outcome, witness.fared, witness.turns, witness.tried
    )
