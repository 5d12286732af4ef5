"""Promise 13: the account of a sheet says of each order what the referee made of it, from what its owner sees; and what
came to nothing keeps no `else` from being tried.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from adjudicator.contract.cases import Case, CaseDice, inbox_of_case, position
from adjudicator.contract.sending import PlayedPhase, outcome_of
from adjudicator.contract.witness import Witness
from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.library.words import words
from adjudicator.engine.play.account import OrderAccount, Word, accounts, every_account, with_else
from adjudicator.engine.play.inbox import AnswerAwaited, Outcome
from adjudicator.engine.play.view import events_for, position_for
from adjudicator.engine.report.filters import place
from adjudicator.engine.report.story import render_report
from adjudicator.engine.sheets.reading import folder_name
from adjudicator.engine.table.event import OrderRefused, Player
from adjudicator.engine.table.rulebook import Rulebook

Accounts = Mapping[Player, Sequence[OrderAccount]]


def accounts_of(rulebook: Rulebook[Any], step: PlayedPhase) -> Accounts:
    """The account of each due player's sheet of a phase, from what the player sees of it."""
    verbs, outcome = rulebook.phase(step.before.phase.name).verbs, step.outcome
    found = {}
    for player in step.before.phase.due:
        if player in step.sheets:
            seen = events_for(rulebook, outcome.state, outcome.events, player)
            orders = step.sheets[player].orders or ()
            found[player] = accounts(orders, verbs, seen, waiting=bool(outcome.waiting))
    return found


def wrong_accounts(step: PlayedPhase, of: Accounts) -> Iterator[str]:
    """Accounts of the sheets of a phase that don't say what the referee did, once of each order and each reason."""
    aside = {place for event in step.outcome.events for place in event.leaves_open()}
    for player, found in of.items():
        where, every = f"{folder_name(step.before.phase)} {player}", [*every_account(found)]
        # What a part did is undone if its order is refused afterwards.
        parts = {part.place for each in every for part in every_account(each.parts)}
        for each in every:
            if each.place not in aside | parts:
                yield from (f"{where} {each.place}: {fault}" for fault in false_words(each, step.tried))
        orders = [order.place() for one in step.sheets[player].orders or () for order in with_else(one)]
        refused = [
            (event.where, str(event.reason))
            for event in step.outcome.events
            if isinstance(event, OrderRefused) and event.player == player and event.by
        ]
        told = [(one.place, str(one.reason)) for each in every for one in each.findings]
        counted = Counter(each.place for each in every)
        yield from (f"{where} {at}: has {counted[at]} words" for at in orders if counted[at] != 1)
        for why in refused:
            if told.count(why) != refused.count(why):
                yield f"{where} {why}: refused {refused.count(why)} times, told {told.count(why)} times"


def differing_reports(rulebook: Rulebook[Any], step: PlayedPhase, of: Accounts) -> Iterator[str]:
    """Players whose report doesn't tell the account of their sheet, order by order, or tells another's. Where all was
    simply done, no report is made.
    """
    texts, outcome = words(texts_of(rulebook))["account"], step.outcome
    for player, found in of.items():
        every = [*every_account(found)]
        if all(each.word is Word.DONE for each in every):
            continue
        report = render_report(
            rulebook,
            player,
            position_for(rulebook, outcome.state, player),
            events_for(rulebook, outcome.state, outcome.events, player),
            before=position_for(rulebook, step.before, player),
            accounts={folder_name(step.before.phase): found},
        )
        said = [line.lstrip(" -").removeprefix("else ") for line in report.splitlines()]
        told = iter(said)
        for each in every:
            line = f"{place(each.place)} *{texts[each.word]}*"
            if not any(one.startswith(line) for one in told):
                yield f"{folder_name(step.before.phase)} {player}: the report doesn't say {line}"
                break


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
