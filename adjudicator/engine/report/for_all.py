"""What players get: `for/<player>/` and `for/public/`, made from a position and the events since the last ones."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from adjudicator.engine.folder.folder import Folder, digest_of
from adjudicator.engine.folder.names import CARD, FOR, OPEN, PROOF, RECEIPTS, SEED
from adjudicator.engine.folder.papers import text_of
from adjudicator.engine.folder.post import Post
from adjudicator.engine.play.inbox import Outcome
from adjudicator.engine.play.view import events_for, position_for
from adjudicator.engine.report.alone import digests_as_mailed
from adjudicator.engine.report.for_one import texts_for
from adjudicator.engine.report.receipts import Receipts, receipts_of
from adjudicator.engine.report.receipts import text_of as receipts_text
from adjudicator.engine.report.timed import calendar, due_text, told_of
from adjudicator.engine.report.told import Extras, Told
from adjudicator.engine.table.event import Event, Player

PUBLIC = "public"
BY_HAND = "The throws of the phase {folder} were made by hand."


def handout(
    match: Folder, number: int, held: Outcome | None = None, *, pages: bool | None = None
) -> dict[str, str]:
    """The texts for all players and the public, by their names in the match.

    `number` is the phase that is open, or the end; `held` what has come of it if it waits for an answer. `pages`:
    with pages for a browser; left out: as the match's option says.
    """
    found: dict[str, str] = {}
    state = match.state(number)
    pages = state.options.pages if pages is None else pages
    for who in (*match.card.players, None):
        told = told_to(match, number, who, held)
        receipts = receipts_of(match, number, who or PUBLIC, who, last_told(match, number), held)
        extras = extras_of(match, number, who, pages, receipts)
        text = report_of(match, number, told, extras, held)
        texts = texts_for(match.rulebook, state, told, text, extras, held=held, pages=pages)
        texts[RECEIPTS] = receipts_text(receipts)
        texts |= {name: match.read(path).decode() for name, path in seed_papers(match, number, who).items()}
        found |= {
            f"{match.phases[number]}/{FOR}/{who or PUBLIC}/{name}": text for name, text in texts.items()
        }
    return found


def hand_out(
    match: Folder, number: int, held: Outcome | None = None, *, pages: bool | None = None
) -> list[str]:
    """Adds all that players get of a phase to what is to be written, and to its `open.yaml` what it was."""
    texts = {name: text.encode() for name, text in handout(match, number, held, pages=pages).items()}
    known, mailed = match.opening(number), digests_as_mailed(match, number)  # before these are replaced
    for name, text in texts.items():
        match.add(name, text)
    top = match.phases[number]
    handed = {name.removeprefix(f"{top}/"): digest_of(text) for name, text in texts.items()}
    earlier = {**known.earlier}
    for name, digest in known.handed.items():  # its reader may have kept that one, or what was mailed of it
        if digest != handed.get(name):
            earlier[name] = tuple(dict.fromkeys((*earlier.get(name, ()), digest, mailed.get(name, digest))))
    match.add(f"{top}/{OPEN}", text_of(replace(known, handed=handed, earlier=earlier)))
    return list(texts)


def seed_papers(match: Folder, number: int, who: Player | None) -> dict[str, str]:
    """What the dice can be checked by, by name and where it stands in the match: at the end, for everybody, the seed
    and what follows from it; for the public the commitment to it from the start."""
    published = {name: f"{match.phases[number]}/{name}" for name in (SEED, PROOF)}
    found = {name: path for name, path in published.items() if match.has(path)}
    return found if who is not None else {CARD: CARD, **found}


def told_to(match: Folder, number: int, who: Player | None, held: Outcome | None = None) -> Told:
    """What the report of a phase tells a reader: all that has happened since the reports before it."""
    rulebook, first = match.rulebook, last_told(match, number)
    events: list[Event[Any]] = []
    for past in range(first, number):
        events += events_for(rulebook, match.state(past + 1), match.events(past), who)
    state = match.state(number)
    if held is not None and held.waiting == who:
        # Only who is asked is told how far the phase has come: an order may still be refused after the answer.
        state = held.state
        events += events_for(rulebook, state, held.events, who)
    return Told(
        who, position_for(rulebook, match.state(first), who), events, position_for(rulebook, state, who)
    )


def extras_of(
    match: Folder, number: int, who: Player | None, pages: bool, receipts: Receipts | None = None
) -> Extras:
    """What a reader's texts of a phase say besides; what pages alone say only where there are to be pages."""
    if receipts is None:
        receipts = receipts_of(match, number, who or PUBLIC, who, last_told(match, number))
    extras = Extras(
        due_text(match, number, who),
        receipts=receipts,
        done=told_of(match, last_told(match, number), number, who),
        calendar=calendar(match, number) if who is not None else "",
    )
    if who is not None and receipts.told:
        from adjudicator.engine.report.ahead import carried_out_instead

        told = carried_out_instead(Post(match).provisions, last_told(match, number), who)
        extras = replace(extras, instead=told)
    if not match.state(number).phase.over:
        from adjudicator.engine.report.ahead import with_sent

        view = position_for(match.rulebook, match.state(number), who)
        extras = with_sent(extras, Post(match).provisions, number, view, who)
    if not pages:
        return extras
    from adjudicator.engine.report.chart import chart, counts

    secrets = match.secrets() if who is not None else None
    drawn = chart(match.rulebook, counts(match, number, who))
    return replace(extras, gm=secrets.gm if secrets else "", chart=drawn)


def report_of(match: Folder, number: int, told: Told, extras: Extras, held: Outcome | None = None) -> str:
    """The report of one reader: all events since the last reports, then the position."""
    from adjudicator.engine.report.story import render_report

    first = last_told(match, number)
    return render_report(
        match.rulebook,
        told.who,
        told.after,
        told.events,
        before=told.before,
        note=notes(match, first, number),
        waiting="" if held is None else held.waiting,
        question=None if held is None else held.question,
        extras=extras,
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
