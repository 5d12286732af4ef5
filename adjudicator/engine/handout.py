"""What players get: `for/<player>/` and `for/public/`, made from a position and the events since the last ones."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.event import Event, Player
from adjudicator.engine.folder import CARD, END, SEED, Folder
from adjudicator.engine.inbox import Post
from adjudicator.engine.position import write_position
from adjudicator.engine.referee import Outcome
from adjudicator.engine.rulebook import Rulebook
from adjudicator.engine.view import events_for, position_for

FOR = "for"
PUBLIC = "public"
BY_HAND = "The throws of the phase {folder} were made by hand."


def handout(match: Folder, number: int, held: Outcome | None = None) -> dict[str, str]:
    """The texts for all players and the public, by their names in the match.

    `number` is the phase that is open, or the end; `held` what has come of it if it waits for an answer.
    """
    found: dict[str, str] = {}
    for who in (*match.card.players, None):
        top = f"{match.phases[number]}/{FOR}/{who or PUBLIC}/"
        ahead, until = ahead_of(match, number, who), match.opening(number).until
        text = report(match, number, who, held, ahead)
        state = match.state(number)
        texts = texts_for(match.rulebook, who, state, text, held=held, due_text=until, ahead=ahead)
        if who is None:
            texts |= {name: match.read(path).decode() for name, path in sworn(match, number).items()}
        found |= {top + name: text for name, text in texts.items()}
    return found


def sworn(match: Folder, number: int) -> dict[str, str]:
    """What the dice can be checked by, for everybody: the commitment to the seed, and at the end the seed itself."""
    published = f"{match.phases[number]}/{SEED}"
    return {CARD: CARD, **({SEED: published} if match.has(published) else {})}


def texts_for(
    rulebook: Rulebook[Any],
    who: Player | None,
    state: Any,
    report: str,
    *,
    held: Outcome | None = None,
    due_text: str = "",
    ahead: str = "",
) -> dict[str, str]:
    """What one reader gets of a position, by name: view, report, and what the player who is due or asked fills in.

    `held` is what has come of the phase if it waits for an answer; `ahead` the folder with the sheet in which the
    player's orders for this phase have come in already.
    """
    from adjudicator.engine.form import answer_form, form_schema, sheet_form
    from adjudicator.engine.listing import possible
    from adjudicator.engine.published import text_of
    from adjudicator.engine.schema import answer_schema

    view = position_for(rulebook, state, who)
    texts = {"view.yaml": write_position(view), "report.md": report}
    if who is None or state.phase.name == END:
        return texts
    if held is None and who in state.phase.due:
        texts["sheet.yaml"] = sheet_form(rulebook, view, who, due_text=due_text, ahead=ahead)
        now = possible(rulebook, rulebook.phase(state.phase.name), view, who)
        texts["schema.json"] = form_schema(rulebook, view, now)
    if held is not None and held.waiting == who:
        seen = position_for(rulebook, held.state, who)
        texts["answer.yaml"] = answer_form(rulebook, seen, who, held.question, due_text=due_text)
        texts["answers.json"] = text_of(answer_schema(rulebook))
    return texts


def ahead_of(match: Folder, number: int, who: Player | None) -> str:
    """The folder with the sheet in which a due player's orders for a phase have come in already; empty if none."""
    found = Post(match).ahead(number, who) if who in match.state(number).phase.due and who else None
    return found[0] if found else ""


def report(
    match: Folder, number: int, who: Player | None, held: Outcome | None = None, ahead: str = ""
) -> str:
    """The report of one reader: all events since the last reports, then the position."""
    from adjudicator.engine.report import render_report

    rulebook, first = match.rulebook, last_told(match, number)
    events: list[Event[Any]] = []
    for past in range(first, number):
        events += events_for(rulebook, match.state(past + 1), match.events(past), who)
    state = match.state(number)
    if held is not None and held.waiting == who:
        # Only who is asked is told how far the phase has come: an order may still be refused after the answer.
        state = held.state
        events += events_for(rulebook, state, held.events, who)
    return render_report(
        rulebook,
        who,
        position_for(rulebook, state, who),
        events,
        before=position_for(rulebook, match.state(first), who),
        due_text=match.opening(number).until,
        note=notes(match, first, number),
        waiting="" if held is None else held.waiting,
        question=None if held is None else held.question,
        ahead=ahead,
        undone=any(match.opening(past).undone for past in range(first, number + 1)),
    )


def last_told(match: Folder, number: int) -> int:
    """The last phase before that one whose reports went to the players; the start if there is none."""
    for past in range(number - 1, -1, -1):
        if match.has(f"{match.phases[past]}/{FOR}"):
            return past
    return 0


def notes(match: Folder, first: int, number: int) -> str:
    """The GM's words that no report has told yet, and that throws were made by hand."""
    found = []
    for past in range(first, number + 1):
        note, told = match.note(past), f"{match.phases[past]}/{FOR}/{PUBLIC}/report.md"
        if note and not (
            past < number and match.has(told) and note in match.read(told).decode(errors="replace")
        ):
            found.append(note)
        closed = match.opening(past).closed
        if past < number and closed is not None and closed.dice:
            found.append(BY_HAND.format(folder=match.phases[past]))
    return "\n\n".join(found)
