"""Promises 12 and 13: what a check says of a sheet comes true, and its account says what the referee made of it.

An order that was carried out can't have been called an error. The word that a check says of an order without `may` is
the one that it has in the account of the sheet (promise 13, looked at on the way): what others who act before can bring
about or prevent is neither an error nor plainly good. An order that names something that never existed is an error all
the same.

Orders of cases with a slip in one field are judged alike by all who judge them too, and nobody stumbles over one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from msgspec.structs import replace

from adjudicator.contract.cases import Case, CaseDice, inbox_of_case, play_once, playable, position
from adjudicator.contract.legality import is_accepted
from adjudicator.contract.senders import find_order
from adjudicator.contract.sending import PlayedPhase, Witness, carry_out_phase
from adjudicator.engine.bots import Step
from adjudicator.engine.library.texts import texts_of, words
from adjudicator.engine.play.account import OrderAccount, Word, accounts, every_account, with_else
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.inbox import AnswerAwaited
from adjudicator.engine.play.view import events_for, position_for
from adjudicator.engine.report.filters import place
from adjudicator.engine.report.story import render_report
from adjudicator.engine.sheets.reading import expected_in, folder_name, read_sheet
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.event import OrderRefused, Player
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.text.writing import write

NEVER = "97"
"""A number that no piece has."""
TRIED = 3
"""How many orders of each verb are sought that others' acts make possible or prevent."""


def sure_word(said: OrderAccount) -> Word | None:
    """The word that a check said of an order without any doubt; None if it wasn't sure, or the order waits."""
    doubts = any(each.severity == "may" for each in said.findings)
    return None if said.may is not None or said.word is Word.WAITS or doubts else said.word


def wrong_predictions(rulebook: Rulebook[Any], steps: Iterator[PlayedPhase], chance: Chance) -> Iterator[str]:
    """Wrong predictions: what a check said of a sheet of the match, or of one that might have been sent, and that
    didn't come true."""
    ahead: dict[str, OrderAccount] = {}
    for step in steps:
        folder, found = folder_name(step.before.phase), accounts_of(rulebook, step)
        for player, sheet in step.own.items():
            heard = predictions_for(rulebook, step.before, sheet)
            ahead |= {f"{folder}/{place}": each for place, each in heard.items()}
            if step.sheets.get(player) is sheet and player in found:
                yield from unfulfilled_predictions(folder, heard, step, found[player])
        yield from wrong_accounts(step, found)
        for each in found.values():
            yield from unfulfilled_predictions(folder, ahead, step, each)
        yield from wrong_about_others(rulebook, step, chance)
        yield from wrong_about_unknown_names(rulebook, step.before, chance)


def predictions_for(rulebook: Rulebook[Any], state: Any, sheet: Sheet) -> Mapping[str, OrderAccount]:
    """What a check says of each order of a sheet, by its place; not of standing orders, which come again and again."""
    said = check_sheet(rulebook, position_for(rulebook, state, sheet.player), sheet).accounts
    once = {order.place() for orders in (sheet.orders or (), *sheet.later.values()) for order in orders}
    return {each.place: each for each in every_account(one for one in said if one.place in once)}


def unfulfilled_predictions(
    folder: str, heard: Mapping[str, OrderAccount], step: PlayedPhase, found: Sequence[OrderAccount]
) -> Iterator[str]:
    """Orders of a player that fared differently from what was said of them; `found` is what became of them."""
    for each in every_account(found):
        said, fared = heard.get(each.place), step.fared.get(each.place)
        if said is None:
            continue
        where = f"{folder} {each.place} {dict(each.order)}"
        errors = [found for found in said.findings if found.severity == "error"]
        never = step.outcome.state.phase.over and each.place not in step.tried
        if errors and (never or each.word is Word.WAITS):
            continue  # the match was over before its turn came; or it waits with the others, to be refused then
        if each.word is Word.DONE and errors:
            yield f"{where}: carried out, and the check says {errors[0].reason}"
        elif sure_word(said) not in (None, each.word) and not step.outcome.waiting:
            knowable = fared is not None and fared.knowable
            how = "as its player could know" if knowable else "through what its player can't know"
            yield f"{where}: {each.word} {how} ({fared and fared.refused}), and the check says {said.word}"


def faults_of_case_accounts(
    rulebook: Rulebook[Any], by_name: Mapping[str, Case | str], replaced: Sequence[str]
) -> Iterator[str]:
    """Wrong accounts in the cases of the rules, which have deals, fights and waiting orders of every kind; reports that
    tell others; and words that a check said of their orders without doubt, and that weren't borne out.
    """
    for name, case in playable(by_name):
        step = phase_of_case(rulebook, case, replaced)
        found = accounts_of(rulebook, step)
        faults = [*wrong_accounts(step, found), *differing_reports(rulebook, step, found)]
        for player, each in found.items():
            heard = predictions_for(rulebook, step.before, step.sheets[player])
            faults += unfulfilled_predictions(player, heard, step, each)
        yield from (f"case {name}: {fault}" for fault in faults)


# -- others who act before ---------------------------------------------------------------------------------------------


def wrong_about_others(rulebook: Rulebook[Any], step: PlayedPhase, chance: Chance) -> Iterator[str]:
    """Random orders that others make possible or prevent, although the check says otherwise."""
    phase = rulebook.phase(step.before.phase.name)
    for player, then in step.turns.items():
        if player not in step.before.phase.due:
            continue
        before = position_for(rulebook, step.before, player)
        at_turn = position_for(rulebook, then, player)
        for name, verb in phase.verbs.items():
            for turn in range(2 * TRIED):
                here, there = (before, at_turn) if turn % 2 else (at_turn, before)
                order = find_order(name, verb.rule, here, player, chance)
                if order is not None and not is_accepted(verb, there, player, order):
                    yield from wrong_predictions_of_order(rulebook, step, player, order, chance)


def wrong_predictions_of_order(
    rulebook: Rulebook[Any], step: PlayedPhase, me: Player, order: dict[str, Any], chance: Chance
) -> Iterator[str]:
    """What a check wrongly says of a sheet with this order alone."""
    sheet = sheet_with(rulebook, step.before, me, order)
    if sheet is None:
        return
    witness = carry_out_phase(rulebook, step.before, {**step.sheets, me: sheet}, "foretold", chance)
    then = replace(witness.played(step.before, step.own, {me: sheet}), turns=step.turns, tried=step.tried)
    heard, found = predictions_for(rulebook, step.before, sheet), accounts_of(rulebook, then)
    yield from unfulfilled_predictions(folder_name(step.before.phase), heard, then, found[me])


def sheet_with(rulebook: Rulebook[Any], state: Any, me: Player, order: dict[str, Any]) -> Sheet | None:
    """A sheet with one order; None if it can't be read."""
    asked = expected_in(rulebook, state, me)
    sheet = read_sheet(write({"player": me, "orders": [order]}).encode(), asked)
    return sheet if isinstance(sheet, Sheet) else None


# -- what never was ----------------------------------------------------------------------------------------------------


def wrong_about_unknown_names(rulebook: Rulebook[Any], state: Any, chance: Chance) -> Iterator[str]:
    """Orders that name something that never existed and can't come to be, and that the check doesn't call an error."""
    verbs = rulebook.phase(state.phase.name).verbs
    for player in state.phase.due:
        view = position_for(rulebook, state, player)
        for name, verb in verbs.items():
            order = find_order(name, verb.rule, view, player, chance) or {}
            for field, value in order.items():
                other = re.sub(r"\d+$", NEVER, value) if isinstance(value, str) else value
                if other == value or not rulebook.never(view, other):
                    continue
                sheet = sheet_with(rulebook, state, player, {**order, field: other})
                said = check_sheet(rulebook, view, sheet).said if sheet else ()
                if sheet and all(each.severity != "error" for each in said):
                    yield f"{folder_name(state.phase)} {player} {order}: of {other}, which never was, no error is said"


Accounts = Mapping[Player, Sequence[OrderAccount]]


def accounts_of(rulebook: Rulebook[Any], step: PlayedPhase) -> Accounts:
    """The account of each due player's sheet of a phase, from what the player sees of it."""
    phase, outcome = rulebook.phase(step.before.phase.name), step.outcome
    found = {}
    for player in step.before.phase.due:
        if player in step.sheets:
            seen = events_for(rulebook, outcome.state, outcome.events, player)
            orders = step.sheets[player].orders or ()
            found[player] = accounts(orders, phase, seen, waiting=bool(outcome.waiting))
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
        unheard = [each for each in every if each.place in step.unheard and each.outcome is not Word.NOTHING]
        yield from (f"{where} {each.place}: {each.word}, and its turn never came" for each in unheard)
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
    waiting: tuple[Any, ...] = ()
    try:
        witness.adjudicate()
    except AnswerAwaited as awaited:
        waiting = (awaited.player, awaited.question)
    return witness.played(state, inbox.sheets, inbox.sheets, *waiting)


WRONG = 0.05
"""The part of a bot's orders that may be wrong: it needn't foresee all that its own orders use up."""


def refused_by_checks(
    rulebook: Rulebook[Any], steps: Iterable[Step], players: Collection[Player]
) -> Iterator[str]:
    """Orders that the bots of these players sent and their players' checks call wrong, if there are more than a few."""
    sent, wrong = 0, list[str]()
    for step in steps:
        for player, sheet in step.sheets.items():
            if player not in players:
                continue
            checked = check_sheet(rulebook, position_for(rulebook, step.before, player), sheet)
            sent += len(checked.understood)
            refused = " and ".join(str(each.order) for each in checked.understood if not each.good)
            wrong += [
                f"{step.before.phase} {player}: the own bot sends {refused}, which is refused: {each.reason}"
                for each in checked.said
                if each.severity != "warning"
            ]
    if len(wrong) > WRONG * sent:
        yield from wrong


# -- slips -------------------------------------------------------------------------------------------------------------


def misjudged_slips(
    rulebook: Rulebook[Any], by_name: Mapping[str, Case | str], replaced: Sequence[str], each: int
) -> Iterator[str]:
    """What `check`, the account of the sheet and the referee say differently of the sheets of cases with a slip; every
    so-manieth slip is looked at.
    """
    number = count()
    for name, case in playable(by_name):
        state, _, _ = play_once(rulebook, case, replaced)
        inbox = inbox_of_case(rulebook, case, state)
        for player, sheet in inbox.sheets.items():
            for orders in slips_in_orders([order.plain for order in sheet.orders or ()]):
                if player not in state.phase.due or next(number) % each:
                    continue
                plain = {**_plain(sheet), "player": player, "orders": orders}
                asked = expected_in(rulebook, state, player)
                slipped = read_sheet(write(plain).encode(), asked)
                if isinstance(slipped, Sheet):
                    sheets = {**inbox.sheets, player: slipped}
                    faults = _misjudged(rulebook, state, sheets, slipped)
                    yield from (f"case {name}: {fault}" for fault in faults)


def _plain(sheet: Sheet) -> dict[str, Any]:
    return sheet.source.plain if isinstance(sheet.source.plain, dict) else {}


def _misjudged(
    rulebook: Rulebook[Any], state: Any, sheets: Mapping[str, Sheet], slipped: Sheet
) -> Iterator[str]:
    """What is said differently of a sheet, or goes wrong, in a phase."""
    try:
        witness = carry_out_phase(rulebook, state, sheets, "slip", SeededChance("slip"))
        step = witness.played(state, sheets, sheets)
        found = {slipped.player: accounts_of(rulebook, step)[slipped.player]}
        faults = [
            *wrong_accounts(step, found),
            *unfulfilled_predictions(
                slipped.player, predictions_for(rulebook, state, slipped), step, found[slipped.player]
            ),
        ]
    except Exception as error:  # whatever it is, it is a fault, and the sheet is needed to see why
        faults = [repr(error)]
    yield from (f"{fault}\n{write(_plain(slipped))}" for fault in faults)


def slips_in_orders(orders: Sequence[Any]) -> Iterator[list[Any]]:
    """The orders of a sheet, one of them twice, or with a slip in one field."""
    for index, order in enumerate(orders):
        yield [*orders[: index + 1], *orders[index:]]
        if isinstance(order, dict):
            for slip in slips(order):
                yield [*orders[:index], slip, *orders[index + 1 :]]


def slips(order: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The order with one field left out, and with its value changed or doubled."""
    verb = next(iter(order))
    for field, value in order.items():
        if field != verb:
            yield {name: one for name, one in order.items() if name != field}
        yield from ({**order, field: other} for other in slips_of_value(value))


def slips_of_value(value: Any) -> Iterator[Any]:
    """Values that somebody may write instead: mistyped, one more, twice, one thing where there are several."""
    match value:
        case bool():
            yield not value
        case int():
            yield from (value + 1, -value, f"{value}x")
        case str():
            yield from (f"{value}x", [value], [value, value])
        case [first, *rest]:
            yield from (first, rest, [*value, first], [slip for slip in slips_of_value(first)][:1] + rest)
        case dict() if value:
            name = next(iter(value))
            others = {key: one for key, one in value.items() if key != name}
            yield from (name, others, *({**others, name: slip} for slip in slips_of_value(value[name])))
        case _:
            yield {"slip": value}
