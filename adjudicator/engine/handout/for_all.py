"""What players get: `for/<player>/` and `for/public/`, made from a position and the events since the last ones.

The digests of pages as they were mailed.

How a match ended, in the one sentence that commands and the site show.
"""

from __future__ import annotations

from contextlib import suppress

from msgspec.structs import replace

from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import prefix_of
from adjudicator.engine.folder.names import CARD, FOR, PROOF, PUBLIC, RECEIPTS, SEED
from adjudicator.engine.folder.papers import digest_of_handout
from adjudicator.engine.handout.reports import Reports
from adjudicator.engine.play.inbox import Outcome
from adjudicator.engine.report.narrator import Narrator
from adjudicator.engine.report.reader_facts import text_of as receipts_text
from adjudicator.engine.report.reader_texts import ORDERS, PAGE, standalone_page, texts_for, without_addresses
from adjudicator.engine.report.story import text_of_end
from adjudicator.engine.table.event import Player


def texts_for_all(
    match: Folder, number: int, held: Outcome | None = None, *, pages: bool | None = None
) -> dict[str, str]:
    """The texts for all players and the public, by their names in the match.

    `number` is the open phase, or the end; `held` is its outcome so far if it waits for an answer. `pages`: whether to
    add pages for a browser; by default the match's option decides.
    """
    found: dict[str, str] = {}
    reports, state = Reports(match, number, held), match.state(number)
    pages = state.options.pages if pages is None else pages
    for who in (*match.card.players, None):
        told, receipts = reports.facts(who), reports.receipts(who)
        extras = reports.extras(who, receipts, pages=pages)
        first = reports.first_lines(told, extras)
        text = reports.text(told, extras, first)
        rulebook = match.rulebook_for(who)
        texts = texts_for(rulebook, state, told, text, extras, first=first, held=held, pages=pages)
        texts[RECEIPTS] = receipts_text(receipts)
        texts |= {
            name: match.read(path).decode(errors="replace")
            for name, path in seed_papers(match, number, who).items()
        }
        found |= {
            f"{match.phases[number]}/{FOR}/{who or PUBLIC}/{name}": text for name, text in texts.items()
        }
    return found


def hand_out(
    match: Folder, number: int, held: Outcome | None = None, *, pages: bool | None = None
) -> list[str]:
    """Adds all that players get of a phase (`texts_for_all`) to what is to be written, and its digests to
    `open.yaml`.
    """
    texts = {name: text.encode() for name, text in texts_for_all(match, number, held, pages=pages).items()}
    # Both are read before the new texts take the place of the old ones.
    known, mailed = match.opening(number), digests_as_mailed(match, number)
    for name, text in texts.items():
        match.add(name, text)
    top = match.phases[number]
    handed = {name.removeprefix(f"{top}/"): digest_of(text) for name, text in texts.items()}
    earlier = {**known.earlier}
    for name, digest in known.handed.items():  # a reader may have kept the earlier text, or got it by mail
        if digest != handed.get(name):
            earlier[name] = tuple(dict.fromkeys((*earlier.get(name, ()), digest, mailed.get(name, digest))))
    acts, acted = prefix_of(match)
    if acts == known.entries:
        acts, acted = 0, ""
    noted = match.note_digest(number)
    opening = replace(known, handed=handed, earlier=earlier, noted=noted, acts=acts, acted=acted)
    match.add_opening(number, replace(opening, told=digest_of_handout(opening)))
    return list(texts)


def seed_papers(match: Folder, number: int, who: Player | None) -> dict[str, str]:
    """The files with which the dice can be checked: by name, with their places in the match.

    At the end, everybody gets the seed and what follows from it; the public has the commitment to it from the start.
    """
    if not match.state(number).phase.over:
        return {} if who is not None else {CARD: CARD}
    found = {name: f"{match.phases[number]}/{name}" for name in (SEED, PROOF)}
    found = {name: path for name, path in found.items() if match.has(path)}
    return found if who is not None else {CARD: CARD, **found}


def digests_as_mailed(match: Folder, number: int) -> dict[str, str]:
    """The SHA-256 of the mailed pages of a phase, by name, if the pages still exist; those for orders without the
    addresses that each mail puts into them.
    """
    top, found = match.phases[number], {}
    kinds = {PAGE: standalone_page, ORDERS: without_addresses}
    for name, digest in match.opening(number).handed.items():
        as_mailed = kinds.get(name.rpartition("/")[2])
        if as_mailed is not None:
            with suppress(Faulty):  # skip a page that is gone, or in whose place a link lies
                page = match.read(f"{top}/{name}")
                if digest_of(page) == digest:
                    found[name] = digest_of(as_mailed(page.decode()).encode())
    return found


def end_line(match: Folder, who: Player | None = None) -> str:
    """The line of Markdown that says to a reader that a match is over and how it was won; empty if it isn't over.

    How it was won, with the rule, is the last reports' line of the event that ended the match. Without such an event (a
    GM ended it by hand) the line says only that the match is over. Raises Faulty.
    """
    if not match.head(match.last).over:
        return ""
    return text_of_end(match.rulebook_for(who), deciding_line(match, who))


def deciding_line(match: Folder, who: Player | None = None) -> str:
    """The line of the event that ended a match, as everybody may know it, in a reader's language; empty if there is
    none.
    """
    told = Reports(match, match.last).facts(None)
    lines = Narrator(match.rulebook_for(who), None, told.before).lines(told.events)
    return next((line for run, line in lines if run[-1].ends), "")
