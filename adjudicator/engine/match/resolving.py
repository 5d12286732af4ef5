"""`resolve`: a phase, and those after it that need nobody, from files to files, outside any match folder."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.folder import record
from adjudicator.engine.folder.adjudication import GoingOn, with_remarks
from adjudicator.engine.folder.later import not_needed, sheet_ahead
from adjudicator.engine.folder.post import Mail, notes_on, remarks_on, taken_as_it_was
from adjudicator.engine.play.inbox import Inbox, Outcome
from adjudicator.engine.play.position import write_position
from adjudicator.engine.play.referee import advance
from adjudicator.engine.play.stops import asked_before, stands_in
from adjudicator.engine.play.view import events_for, position_for
from adjudicator.engine.report.for_one import texts_for
from adjudicator.engine.report.told import Extras, Told
from adjudicator.engine.sheets.answers import Answer, read_answers
from adjudicator.engine.sheets.offering import names_on_board
from adjudicator.engine.sheets.reading import Expected, folder_name, not_sent, read_sheet
from adjudicator.engine.sheets.schema import following
from adjudicator.engine.sheets.sheet import Sheet, place_in
from adjudicator.engine.sheets.words import problems_at
from adjudicator.engine.table.dice import Scripted, Sealed, seed_from
from adjudicator.engine.table.event import Event, NotSent, OrderRefused, Player, Remarked
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.text.problem import Problem, Severity


class Given(Struct, frozen=True):
    """What was given for the phase: sheets that can be read, those of all players for its beginning, answers.

    `strays` are files of which it isn't known whose they are; `twice` is a player of whom there are two.
    """

    mail: Mail
    strays: tuple[NotSent, ...] = ()
    twice: Player = ""


class Played(Struct, frozen=True):
    """One phase that was played: the position before it, and what came of it."""

    before: Any
    outcome: Outcome


def given(
    rulebook: Rulebook[Any], state: Any, sheets: Mapping[str, bytes], answers: Mapping[str, bytes]
) -> Given:
    """Reads sheets and answers, by the names of their files without ending: where a sheet itself doesn't say whose.

    A plain list of answers under no player's name is offered to whoever is asked.
    """
    players, due = tuple(state.players), tuple(state.phase.due)
    names = partial(names_on_board, state)
    asked = Expected(rulebook, state.match, state.phase, players, names=names)
    found: dict[Player, Sheet | NotSent] = {}
    answered: dict[Player, Any] = {}
    strays: list[NotSent] = []
    offered: list[Answer] = []
    twice = ""
    for files, into, read in ((sheets, found, read_sheet), (answers, answered, read_answers)):
        for name, text in files.items():
            one: Any = read(text, asked)
            stem = name.rpartition("/")[2].partition(".")[0]
            if not (player := whose(one)) and stem in players:
                one, player = read(text, replace(asked, player=stem)), stem
            if not player and not isinstance(one, NotSent):
                offered += one[0]
                strays += [
                    not_sent("", flaw.reason, place_in(one[2], flaw.path, key=flaw.key)) for flaw in one[1]
                ]
            elif not player:
                strays.append(one)
            elif player in into:
                twice = player
            else:
                into[player] = one
    kept = {player: sheet for player in players if isinstance(sheet := found.get(player), Sheet)}
    mail = Mail(
        sheets=kept,
        answers={player: (*answers_in(answered.get(player)), *offered) for player in players},
        missing=tuple(player for player in due if player not in kept or kept[player].orders is None),
        notes=(
            *(event for player in players for event in notes_on(player, found.get(player), due)),
            *(
                taken_as_it_was(sheet)
                for sheet in kept.values()
                if sheet.player in due and sheet.orders is not None and not sheet.ready
            ),
        ),
        remarks=tuple(event for player in players for event in remarks_on(player, answered.get(player))),
    )
    return Given(mail, tuple(strays), twice)


def answers_in(one: NotSent | tuple[Any, ...] | None) -> tuple[Answer, ...]:
    """The answers that can be used."""
    return () if one is None or isinstance(one, NotSent) else one[0]


def whose(one: Sheet | NotSent | tuple[Any, ...]) -> Player:
    """Whose sheet or file of answers it is; empty if it doesn't say."""
    if isinstance(one, Sheet | NotSent):
        return one.player
    source = one[2]
    return str(source.plain["player"]) if isinstance(source.plain, dict) else ""


def play(
    rulebook: Rulebook[Any], state: Any, mail: Mail, throws: Sequence[Any], seed: str | None
) -> tuple[list[Played], list[Any]]:
    """Plays the phase and those after it that need nobody; also returns the throws that weren't needed.

    Raises `OutOfDice`. The last phase's outcome may wait for an answer.
    """
    dice, going_on = Scripted(throws), GoingOn()
    played: list[Played] = []
    sheets, notes, folder = mail.sheets, mail.notes, ""
    done = set[tuple[str, Player]]()
    while True:
        head = state.phase
        going_on.from_(state)
        done |= {(head.name, player) for player in head.due}
        if seed is not None:
            salts = [sheets[player].salt if player in sheets else "" for player in head.due]
            dice.then = Sealed(seed_from(seed), state.match, head.number, salts)
        inbox = Inbox(sheets, mail.answers, notes, state.options.pacing == "live")
        outcome = advance(rulebook, state, inbox, dice)
        if not outcome.waiting:
            said = not_needed(rulebook, [(folder, sheet) for sheet in mail.sheets.values()], done)
            known = replace(mail, remarks=() if played else mail.remarks, not_needed=said)
            outcome = replace(outcome, events=with_remarks(rulebook, head, outcome, known))
        played.append(Played(state, outcome))
        state, notes = outcome.state, ()
        folder = folder_name(played[0].before.phase)
        later = needed_nobody(rulebook, state, played, mail, done)
        if outcome.waiting or later is None:
            return played, list(dice.left)
        sheets = later


def later_of(mail: Mail, player: Player) -> Collection[str]:
    """The phases for which a player's sheet sends ahead."""
    return mail.sheets[player].later if player in mail.sheets else ()


def needed_nobody(
    rulebook: Rulebook[Any],
    state: Any,
    played: Sequence[Played],
    mail: Mail,
    done: Collection[tuple[str, Player]],
) -> dict[Player, Sheet] | None:
    """The sheets of a phase that can be played as it opens, as nobody due need send anything; else None.

    They have orders for it under `later`, or standing ones, or were asked before, as the match's stops are. `done`
    are phases with players who have had their say in them: what they sent ahead for those is gone.
    """
    head, first = state.phase, played[0].before.phase
    if head.over:
        return None
    heads = [*(phase.before.phase for phase in played), head]
    found: dict[Player, Sheet] = {}
    for player in head.due:
        sheet = mail.sheets.get(player) if (head.name, player) not in done else None
        ahead = sheet_ahead(sheet, head.name, folder_name(first)) if sheet is not None else None
        if ahead is not None and head.turn == first.turn:
            found[player] = ahead
        elif not (
            stands_in(rulebook, state, player, heads[-2], played[-1].outcome.events, later_of(mail, player))
            or asked_before(rulebook, state.options, heads, player)
        ):
            return None
    return found


def problems_in(rulebook: Rulebook[Any], found: Given, played: Sequence[Played]) -> list[Problem]:
    """What is to be said of the sheets: those not sent, orders refused, remarks."""
    told: list[tuple[str, Reason, Severity]] = [(each.place, each.reason, "error") for each in found.strays]
    if played[0].outcome.waiting:
        told += [(each.place, each.reason, "error") for each in found.mail.remarks]
    for phase in played:
        for event in phase.outcome.events:
            if isinstance(event, OrderRefused):
                told.append((event.where, event.reason, "error"))
            elif isinstance(event, NotSent | Remarked) and event.place:
                severity: Severity = "error" if isinstance(event, NotSent) else "warning"
                told.append((event.place, event.reason, severity))
    return problems_at(told, rulebook.key)


def written_files(
    rulebook: Rulebook[Any], found: Given, played: Sequence[Played]
) -> Iterator[tuple[str, str]]:
    """All that is written, by name: what each player and the public get, the events, and last the position."""
    state = replace(played[-1].outcome.state, chain="")
    for who in (*state.players, None):
        for name, text in _for_one(rulebook, found, played, state, who).items():
            yield f"for/{who or 'public'}/{name}", text
    events = [event for phase in played for event in phase.outcome.events]
    yield "events.jsonl", record.joined(record.lines_of(events)).decode()
    yield "state.yaml", write_position(state)


def _for_one(
    rulebook: Rulebook[Any], found: Given, played: Sequence[Played], state: Any, who: Player | None
) -> dict[str, str]:
    from adjudicator.engine.report.ahead import in_already
    from adjudicator.engine.report.story import render_report

    events: list[Event[Any]] = []
    for phase in played:
        events += events_for(rulebook, phase.outcome.state, phase.outcome.events, who)
    before = position_for(rulebook, played[0].before, who)
    told = Told(who, before, events, position_for(rulebook, state, who))
    first, head = played[0].before.phase, state.phase
    extras = Extras()
    sheet = found.mail.sheets.get(who) if who and not head.over else None
    if sheet is not None and who is not None and head.turn == first.turn:
        names = [
            rulebook.phase(head.name).name,
            *(each.name for each in following(rulebook, rulebook.phase(head.name))),
        ]
        folder = folder_name(first)
        ahead = {name: (folder, sent) for name in names if (sent := sheet_ahead(sheet, name, folder))}
        own = folder if head.name in ahead and who in head.due else ""
        extras = Extras(ahead=own, sent=in_already(rulebook, told.after, who, ahead))
    report = render_report(rulebook, who, told.after, events, before=before, extras=extras)
    return texts_for(rulebook, state, told, report, extras, pages=state.options.pages)


def names_of(played: Sequence[Played]) -> list[str]:
    """The phases that were played: `0003-t1-market`."""
    return [folder_name(phase.before.phase) for phase in played]
