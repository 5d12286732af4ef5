"""The reports of one phase for each reader; what all readers have in common is worked out once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import Any

from msgspec.structs import replace

from adjudicator.engine.folder.entries import Sent, of_kind, standing
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import ledger_of
from adjudicator.engine.folder.names import PUBLIC
from adjudicator.engine.folder.post import Post
from adjudicator.engine.handout.gathering import counts, for_everybody, for_reader, known_at
from adjudicator.engine.handout.times import calendar, due_soon, due_text, sentences_for_report
from adjudicator.engine.play.inbox import Outcome
from adjudicator.engine.play.known import Known, filled_in
from adjudicator.engine.play.view import events_for, position_for
from adjudicator.engine.report.chart import Count, chart
from adjudicator.engine.report.first_lines import FirstLines, first_of
from adjudicator.engine.report.reader_facts import (
    Accounts,
    Extras,
    FinishedMatch,
    ReaderFacts,
    Receipts,
    throws_told,
)
from adjudicator.engine.report.reader_texts import REPORT
from adjudicator.engine.report.template import clock_text
from adjudicator.engine.table.event import Event, Player
from adjudicator.engine.text.problem import with_escapes

LONGEST_NAME = 24
"""The longest name of a person in reports, in characters."""


class Reports:
    """The reports of an open phase, or of the end.

    `number` is the phase's, `held` its outcome so far if it waits for an answer. `first` is the last phase before it
    whose reports went to the players: the reports tell what has happened since.
    """

    def __init__(self, match: Folder, number: int, held: Outcome | None = None) -> None:
        self.match, self.number, self.held = match, number, held
        self.first = match.last_handed_out(number)
        self.state = match.state(number)
        self._known: dict[Player | None, list[tuple[str, list[Event[Any]]]]] = {}
        self._views: dict[tuple[Player | None, int], Any] = {}
        self._since: dict[Player | None, int] = {}
        self._remembered: dict[Player | None, Known] = {}
        self._told: dict[tuple[int, Player | None], list[Event[Any]]] = {}

    def since(self, who: Player | None) -> int:
        """The phase of the reader's last report: if reports are mailed to the reader, of the last one that was."""
        if who not in self._since:
            match, entries = self.match, of_kind(standing(ledger_of(self.match)), Sent)
            mailed = {
                one.phase
                for one in entries
                if one.to == (who or PUBLIC) and REPORT in one.files and not one.why
            }
            found = [
                past for past in range(self.number) if match.phases[past] in mailed and match.handed_out(past)
            ]
            self._since[who] = max(found, default=self.first)
        return self._since[who]

    def facts(self, who: Player | None) -> ReaderFacts:
        """The facts for a reader (None: the public): everything that has happened since the last reports."""
        rulebook, held = self.match.rulebook, self.held
        before = self.view(who, self.since(who))
        asked = held if held is not None and held.waiting == who else None
        after = view = self.view(who) if asked is None else position_for(rulebook, asked.state, who)
        if asked is None and rulebook.bookkeeping(self.state):
            after = filled_in(self.known(who))
        events = [event for _, part in self._seen(who) for event in part]
        known = partial(self.known, who)
        if who is None:
            return ReaderFacts(who, before, events, after, view=view, known=known)
        return ReaderFacts(
            who, before, events, after, people_of(self.match, who), self._accounts(who), view, known
        )

    def _accounts(self, who: Player) -> Accounts:
        """What became of a reader's own orders since the last report, by folder."""
        first, open_ = self.since(who), self.match.phases[self.number]
        return {
            folder: self._post.due_sheets.accounts(number, who, part, waiting=folder == open_)
            for number, (folder, part) in enumerate(self._seen(who), first)
        }

    def view(self, who: Player | None, number: int = -1) -> Any:
        """The position of a phase, by default the open one, as a reader may know it."""
        at = (who, self.number if number < 0 else number)
        if at not in self._views:
            self._views[at] = position_for(self.match.rulebook, self.match.state(at[1]), who)
        return self._views[at]

    def known(self, who: Player | None) -> Known:
        """What a reader knows of the position, by all reports so far."""
        if who not in self._remembered:
            self._remembered[who] = known_at(
                self.match, self.number, who, partial(self.told, who=who), partial(self.view, who)
            )
        return self._remembered[who]

    def told(self, past: int, who: Player | None) -> list[Event[Any]]:
        """The events of an adjudicated phase as a reader may know them."""
        if (past, who) not in self._told:
            match = self.match
            self._told[past, who] = events_for(match.rulebook, match.state(past + 1), match.events(past), who)
        return self._told[past, who]

    def receipts(self, who: Player | None) -> Receipts:
        """What can be checked of a reader's files."""
        thrown = (throw for folder, part in self._seen(who) for throw in throws_told(folder, part))
        return for_reader(self._receipts, who, thrown)

    def extras(self, who: Player | None, receipts: Receipts, *, pages: bool) -> Extras:
        """What else a reader's texts say; what only pages say is left out if there are none."""
        match, number = self.match, self.number
        extras = Extras(
            due_text(match, number, who),
            due_soon=due_soon(match, number, who),
            receipts=receipts,
            asked=self._players_asked,
            done=sentences_for_report(match, self.since(who), number, who),
            calendar=calendar(match, number, who) if who is not None else "",
            bots=self._bots if who is not None else (),
            people=people_of(match, who) if pages else {},
        )
        if who is not None and receipts.told:
            from adjudicator.engine.report.received_orders import replacement_of_orders

            due = who in match.opening(self.first).due
            extras = replace(
                extras,
                instead=replacement_of_orders(self._post.due_sheets, self.first, who),
                silent=receipts.told if due and not receipts.used else "",
            )
        if who is not None and not self.state.phase.over:
            from adjudicator.engine.report.received_orders import with_orders_received

            extras = with_orders_received(
                extras, self._post.due_sheets, number, self.view(who), who, lambda: filled_in(self.known(who))
            )
        if not (pages or self.state.phase.over):
            return extras

        found = counts(match, number, who)
        if self.state.phase.over:
            extras = replace(extras, finished=self._finished(who, counts(match, number, None)))
        if not pages:
            return extras
        secrets = match.secrets() if who is not None else None
        if who is not None and who in self.state.phase.due:
            from adjudicator.engine.report.received_orders import last_lists

            extras = replace(extras, last=last_lists(self._post.due_sheets, number, who))
        drawn = chart(match.rulebook_for(who), found)
        return replace(extras, gm=secrets.gm if secrets else "", chart=drawn)

    def first_lines(self, told: ReaderFacts, extras: Extras) -> FirstLines:
        """The first lines of one reader's report."""
        from adjudicator.engine.report.story import question_text

        held, rulebook = self.held, self.match.rulebook_for(told.who)
        waiting = "" if held is None else held.waiting
        question = (
            question_text(rulebook, held.question) if held is not None and held.waiting == told.who else ""
        )
        return first_of(rulebook, told, extras, waiting=waiting, question=question, undone=self._undone)

    def text(self, told: ReaderFacts, extras: Extras, first: FirstLines | None = None) -> str:
        """The report of one reader: its first lines, all events since the last reports, then the position."""
        from adjudicator.engine.report.story import render_report

        held = self.held
        return render_report(
            self.match.rulebook_for(told.who),
            told.who,
            told.after,
            told.events,
            before=told.before,
            note=self._note(told.who),
            waiting="" if held is None else held.waiting,
            question=None if held is None else held.question,
            extras=extras,
            undone=self._undone,
            first=first,
            accounts=told.accounts,
        )

    def _finished(self, who: Player | None, counts: Sequence[Count]) -> FinishedMatch:
        """What a finished match was like, from its beginning."""
        from adjudicator.engine.report.finished_match import finished_match

        match, rulebook = self.match, self.match.rulebook
        events = (event for past in range(self.number) for event in self.told(past, who))
        start = position_for(rulebook, match.state(0), who)
        return finished_match(match.rulebook_for(who), who, events, start, counts)

    def _seen(self, who: Player | None) -> list[tuple[str, list[Event[Any]]]]:
        """The events since the last reports as a reader may know them, for each phase by its folder."""
        if who not in self._known:
            match, held, rulebook = self.match, self.held, self.match.rulebook
            found = [
                (match.phases[past], self.told(past, who)) for past in range(self.since(who), self.number)
            ]
            if held is not None and held.waiting == who:
                # Only the asked player learns how far the phase has come: an order may still be refused after the
                # answer.
                found.append((match.phases[self.number], events_for(rulebook, held.state, held.events, who)))
            self._known[who] = found
        return self._known[who]

    # -- what all readers have in common ------------------------------------------------------------------------------

    @cached_property
    def _post(self) -> Post:
        return Post(self.match)

    @cached_property
    def _receipts(self) -> Receipts:
        return for_everybody(self.match, self.first, self.number, self._post)

    @cached_property
    def _players_asked(self) -> list[Player]:
        """The due players who were asked for their orders before."""
        if self.state.phase.over:
            return []
        from adjudicator.engine.report.received_orders import players_asked_earlier

        return players_asked_earlier(self._post.due_sheets, self.number)

    @cached_property
    def _bots(self) -> tuple[Player, ...]:
        """The seats that a program plays. The public isn't told."""
        secrets = self.match.secrets()
        return () if secrets is None else tuple(secrets.bots)

    @cached_property
    def _undone(self) -> str:
        """What the GM took back: what followed from this phase (`open`), or from one that the reports tell (`played`
        again); empty if nothing.
        """
        if self.match.opening(self.number).undone:
            return "open"
        again = any(self.match.opening(past).undone for past in range(self.first, self.number))
        return "played" if again else ""

    def _note(self, who: Player | None) -> str:
        """The GM's notes that no report has told yet, and that throws were made by hand."""
        match, found = self.match, []
        since = self.since(who)
        for past in range(since, self.number + 1):
            told = past == since < self.number and match.opening(past).noted == match.note_digest(past)
            if not told and (note := match.note(past)):
                found.append(note)
            closed = match.opening(past).closed
            if past < self.number and closed is not None and closed.dice:
                found.append(clock_text(match.rulebook_for(who), "by_hand", match.phases[past]))
        return "\n\n".join(found)


def people_of(match: Folder, reader: Player | None = None) -> Mapping[Player, str]:
    """Who plays a match, by seat, as far as the GM has said, for a reader; of a seat that a program plays, which."""
    secrets = match.secrets()
    if secrets is None:
        return {}
    from adjudicator.engine.report.story import bot_name

    rulebook = match.rulebook_for(reader)
    bots = {player: bot_name(rulebook, name) for player, name in secrets.bots.items()}
    without_mail = {player: name for player, name in secrets.addresses.items() if "@" not in name}
    every = {**without_mail, **{player: name for player, name in secrets.names.items() if name}, **bots}
    found = {player: with_escapes(every.get(player, ""))[:LONGEST_NAME] for player in match.card.players}
    return {player: name.strip() for player, name in found.items() if name.strip()}
