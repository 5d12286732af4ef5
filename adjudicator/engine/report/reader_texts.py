"""What one reader gets of a phase: view, report, what there is to fill in, and all of it as pages for a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from adjudicator.engine.play.inbox import Outcome
from adjudicator.engine.play.known_file import KNOWN, write_known
from adjudicator.engine.play.position import write_position
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report.reader_facts import Extras, ReaderFacts
from adjudicator.engine.sheets.offering import players_own_last
from adjudicator.engine.sheets.reading import folder_name
from adjudicator.engine.table.event import Player, with_positions_before
from adjudicator.engine.table.rulebook import Rulebook

if TYPE_CHECKING:
    from adjudicator.engine.report.first_lines import FirstLines
    from adjudicator.engine.report.map import Picture

REPORT, PAGE, ORDERS = "report.md", "report.html", "orders.html"
CALENDAR = "due.ics"


def texts_for(
    rulebook: Rulebook[Any],
    state: Any,
    told: ReaderFacts,
    report: str,
    extras: Extras,
    *,
    first: FirstLines | None = None,
    held: Outcome | None = None,
    pages: bool,
) -> dict[str, str]:
    """What one reader gets of a position, by name: view, what the reader knows besides, report, and what the player who
    is due or asked fills in.

    `first` are the first lines of the report, `held` is the phase's outcome so far if it waits for an answer; `pages`:
    add each as a page for a browser. The public gets what it could know only where bookkeeping is no part of the game.
    """
    who = told.who
    seen = told.seen if held is None else position_for(rulebook, state, who)
    receipts = extras.receipts
    mark = receipts.marks.get(folder_name(state.phase), "") if receipts is not None else ""
    texts = {"view.yaml": write_position(replace(seen, chain=mark)), REPORT: report}
    if told.known is not None and not state.phase.over and (who is not None or rulebook.bookkeeping(state)):
        texts[KNOWN] = write_known(rulebook, told.known(), position_for(rulebook, state, who), who)
    picture = map_for(rulebook, told) if pages else None
    if who and held is None and who in state.phase.due:
        texts |= sheet_texts(rulebook, seen, who, extras, picture, told.after)
    elif who and held is not None and held.waiting == who:
        texts |= answer_texts(rulebook, told.after, who, held.question, extras, picture)
    if extras.calendar and {"sheet.yaml", "answer.yaml"} & {*texts}:
        texts[CALENDAR] = extras.calendar
    if picture is not None:
        from adjudicator.engine.report.page import report_page

        orders = ORDERS if ORDERS in texts else ""
        texts[PAGE] = report_page(rulebook, told, extras, report, picture, first=first, orders=orders)
    return texts


def map_for(rulebook: Rulebook[Any], told: ReaderFacts) -> Picture:
    """The map that a reader's facts show."""
    from adjudicator.engine.report.map import picture

    return picture(rulebook, told.after, tuple(with_positions_before(told.events, told.before)), told.people)


def sheet_texts(
    rulebook: Rulebook[Any],
    view: Any,
    who: Player,
    extras: Extras,
    picture: Picture | None,
    shown: Any = None,
) -> dict[str, str]:
    """What a due player fills in: the form, its schema, and, if there is a picture of the position, the page for
    orders. `shown` is the view with more that the form shows.
    """
    from adjudicator.engine.play.choices import choices_now
    from adjudicator.engine.play.stops import asked_at
    from adjudicator.engine.play.survey import possible_values
    from adjudicator.engine.report.form import form_schema, sheet_form
    from adjudicator.engine.report.orderpage import PageFacts, orders_page

    phase, *later = asked_at(rulebook, view.options, view.phase.name)
    form = sheet_form(rulebook, view if shown is None else shown, who, extras=extras)
    if picture is None:
        schema = form_schema(rulebook, view, possible_values(rulebook, phase, view, who))
        return {"sheet.yaml": form, "schema.json": schema}
    choices = choices_now(phase, view, who, later)
    schema = form_schema(rulebook, view, choices.possible)
    page = orders_page(PageFacts(rulebook, view, who, schema, picture, extras), choices)
    return {"sheet.yaml": form, "schema.json": schema, ORDERS: page}


def answer_texts(
    rulebook: Rulebook[Any], view: Any, who: Player, question: Any, extras: Extras, picture: Picture | None
) -> dict[str, str]:
    """What an asked player fills in: the file for the answer, its schema, and with a picture its page."""
    from adjudicator.engine.report.form import answer_form
    from adjudicator.engine.report.orderpage import PageFacts, answer_page
    from adjudicator.engine.sheets.published import json_of
    from adjudicator.engine.sheets.schema import answer_schema

    schema = json_of(answer_schema(rulebook, players_own_last(view)))
    form = answer_form(rulebook, view, who, question, due_text=extras.due_text)
    texts = {"answer.yaml": form, "answers.json": schema}
    if picture is not None:
        texts[ORDERS] = answer_page(PageFacts(rulebook, view, who, schema, picture, extras), question)
    return texts
