"""A match as other programs use it: begun or opened, sheets handed in, played on, and what each player gets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from adjudicator.door.submission import Submission
from adjudicator.door.submitting import submit_and_write
from adjudicator.door.values import (
    Played,
    Status,
    Text,
    bytes_of,
    check_player,
    folder_of,
    instant_of,
    mapping_of,
    options_of,
    players_of,
    rulebook_named,
    text_of,
)
from adjudicator.engine.folder.folder import changing, open_match
from adjudicator.engine.folder.names import FOR
from adjudicator.engine.match import begin as beginning
from adjudicator.engine.match.showing import reader
from adjudicator.engine.table.points import total
from adjudicator.gm import bots as bots_of_seats
from adjudicator.gm.playing import entries_of_run, run_by_hand
from adjudicator.gm.situation import situation


class Match:
    """A match in a folder. It holds nothing but the folder's path: each call reads the match as it is then."""

    def __init__(self, folder: str | Path) -> None:
        self.path = folder_of(folder)
        open_match(self.path)

    def __repr__(self) -> str:
        return f"adjudicator.open({str(self.path)!r})"

    @property
    def players(self) -> tuple[str, ...]:
        """The players, by the names of their seats."""
        return tuple(open_match(self.path).card.players)

    def submit(
        self, player: str, data: Text, *, came: datetime | None = None, by: str = "python"
    ) -> Submission:
        """Hands in a sheet, or a file of answers: taken and written, or held, as at every other door.

        Whoever calls this must know that it comes from that player. `came` is when it came, by a clock that can be
        trusted; `by` is the name of the door in the ledger, if the match has one. Raises Faulty for an unknown player.
        """
        now, by = instant_of(came), text_of(by, "the name of a door")
        with changing(self.path) as match:
            check_player(player, match.card.players)
            return submit_and_write(match, player, bytes_of(data, "a sheet"), now, by=by)

    def status(self, at: datetime | None = None) -> Status:
        """The match as it is at that instant, by default now. Raises Faulty for a match that can't be read."""
        match = open_match(self.path)
        head, found = match.head(match.last), situation(match, instant_of(at))
        state, known = match.state(match.last), found.deadline_in_force
        over = head.over
        return Status(
            match=match.card.match,
            game=match.card.rulebook,
            phase=match.phases[-1],
            name=head.name,
            turn=head.turn,
            now=found.now.value,
            due=() if over else tuple(state.phase.due),
            missing=tuple(found.missing),
            drafts=tuple(found.drafts),
            faulty=tuple(found.faulty),
            waiting=found.waiting,
            deadline=None if known is None else known.due,
            closes=None if known is None else known.closes,
            held="" if found.held is None else found.held.why,
            over=over,
            winners=match.rulebook.won(state) if over else (),
            points={player: total(lines).points for player, lines in match.rulebook.points(state).items()}
            if over
            else {},
        )

    def adjudicate(self, *, deadline: bool = False, at: datetime | None = None, why: str = "") -> Played:
        """Plays on as far as the sheets allow. With `deadline` the open phase is closed without the missing sheets, and
        the ledger says `why`. Raises Faulty, also for a `deadline` while the match is on hold.
        """
        ran = run_by_hand(self.path, instant_of(at), deadline=deadline, why=text_of(why, "the reason"))
        return Played(
            tuple(ran.adjudicated), ran.open, tuple(ran.missing), ran.waiting, ran.because or ran.still
        )

    def papers(self, reader_name: str) -> Mapping[str, str]:
        """What a player (or `public`) has got last, by name: `report.md`, `view.yaml`, `sheet.yaml`, and pages if the
        match has them. Raises Faulty for an unknown player.
        """
        match = open_match(self.path)
        reader(match, text_of(reader_name, "a player's name"))
        number = next(number for number in range(match.last, -1, -1) if match.handed_out(number))
        folder = f"{match.phases[number]}/{FOR}/{reader_name}"
        return {name: match.read(f"{folder}/{name}").decode(errors="replace") for name in match.names(folder)}


def open(folder: str | Path) -> Match:  # noqa: A001 - `adjudicator.open`, as of a file
    """The match in a folder. Raises Faulty if there is none, or if it can't be read."""
    return Match(folder)


def begin(
    game: str,
    folder: str | Path,
    players: Sequence[str],
    *,
    options: Mapping[str, Any] | None = None,
    bots: Mapping[str, str] | None = None,
    seed: str = "",
    name: str = "",
    at: datetime | None = None,
) -> Match:
    """Begins a match in a new or empty folder, and plays it up to the first phase that asks somebody.

    `options` are the rulebook's by name. `bots` are the seats that a program plays, each with the bot's name (empty:
    the game's own); they are players too. `seed` makes the dice follow from a text, for a match that is to be the same
    each time: whoever knows it knows all dice. Raises Faulty.
    """
    rulebook, folder, now = rulebook_named(game), folder_of(folder), instant_of(at)
    bots = mapping_of(bots, "bots")
    played = {seat: bots_of_seats.bot_name(rulebook, bot) for seat, bot in bots.items()}
    beginning.begin(
        game,
        folder,
        [*dict.fromkeys([*players_of(players), *played])],
        options=options_of(options),
        seed_text=text_of(seed, "a seed"),
        name=text_of(name, "a match's name"),
        bots=played,
        names={seat: bots_of_seats.name_shown(bot) for seat, bot in played.items()},
        keep=entries_of_run(now),
    )
    if played:
        run_by_hand(folder, now)
    return Match(folder)
