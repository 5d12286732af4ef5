"""`resolve`: plays a phase, and those after it that need nobody, from files to files, outside any match folder.

The results of `resolve` in a folder outside any match: written whole, and replacing only earlier results.

Beside them is a list of their SHA-256. What isn't in it, or was changed since, isn't ours to replace: it may be a form
that somebody has filled in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.ahead.due_sheets import DueSheets
from adjudicator.engine.folder import disk, papers
from adjudicator.engine.folder.adjudication import ProgressCheck, with_remarks
from adjudicator.engine.folder.commit import below, lay_out
from adjudicator.engine.folder.disk import is_ours, staging
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.gate import Gate, Kind
from adjudicator.engine.folder.names import EVENTS, FOR, PUBLIC, STATE
from adjudicator.engine.folder.post import SHEETS, Mail, notes_on, remark_on_draft, remarks_on
from adjudicator.engine.library.texts import problems_at, texts_of
from adjudicator.engine.play.inbox import Inbox, Outcome
from adjudicator.engine.play.known import Known, filled_in, known_after, known_from_view
from adjudicator.engine.play.known_file import read_known
from adjudicator.engine.play.position import write_position
from adjudicator.engine.play.referee import advance
from adjudicator.engine.play.view import events_for, position_for
from adjudicator.engine.report.reader_facts import Accounts, Extras, ReaderFacts
from adjudicator.engine.report.reader_texts import texts_for
from adjudicator.engine.sheets.offering import names_on_board
from adjudicator.engine.sheets.reading import Expected, folder_name, not_sent, read_answers, read_sheet
from adjudicator.engine.sheets.sheet import ANSWERS, Answer, Sheet
from adjudicator.engine.table.dice import Dice, ScriptedDice, SeededDice, seed_from
from adjudicator.engine.table.event import Event, Head, NotSent, OrderRefused, Player, Remarked
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.text.problem import Problem, Severity

LIST = ".resolved"
"""A line for each written file, as `sha256sum` writes it."""


def write_results(out: Path, files: Mapping[str, bytes]) -> None:
    """Writes the results, state last. Raises Faulty for files there that aren't ours, OSError."""
    known = earlier_results(out)
    new = [f"{digest_of(text)}  {name}\n" for name, text in files.items()]
    out.parent.mkdir(parents=True, exist_ok=True)
    with staging(stage_of(out)) as made:
        lay_out(
            made, {**files, LIST: "".join(new).encode(), "both": "".join([*sorted(known), *new]).encode()}
        )
        if not out.exists():
            disk.unlink(made / "both")
            disk.rename(made, out)
            disk.sync([out.parent])
            return
        disk.rename(made / "both", out / LIST)  # if we are killed, the list still knows what is half replaced
        disk.sync([out])
        if (out / FOR).is_dir():
            disk.rename(out / FOR, made / "before")
        for name in (FOR, EVENTS, STATE, LIST):
            disk.rename(made / name, out / name)
        disk.sync([out])


def earlier_results(out: Path) -> set[str]:
    """The lines of the list of earlier results; none if there are none. Raises Faulty for files that aren't ours."""
    stage = stage_of(out)
    if Gate(stage.parent).has(stage.name) and not is_ours(stage):
        raise Faulty(
            [problem(stage, "this is in the way, and this program didn't make it: rename or remove it")]
        )
    if not out.exists():
        return set()
    gate = Gate(out)
    text = gate.read(LIST).decode(errors="replace") if gate.has(LIST) else ""
    listed = set(text.splitlines(keepends=True))
    for name in _there(gate):
        if gate.kind(name) is Kind.FOLDER:
            continue
        if f"{digest_of(gate.read(name))}  {name}\n" not in listed:
            said = "this was changed since `resolve` wrote it, so it isn't replaced; remove it, or name another folder"
            raise Faulty([problem(out / name, said)])
    return listed


def stage_of(out: Path) -> Path:
    """Where the results are made. An existing folder may be on another disk, to which nothing can be renamed."""
    return out / ".resolve.tmp" if out.is_dir() else out.with_name(f".{out.name}.tmp")


def _there(gate: Gate) -> Iterable[str]:
    yield from (name for name in (STATE, EVENTS) if gate.has(name))
    if gate.has(FOR):
        yield FOR
        yield from (name for name, _ in below(gate, FOR))


GUESS = "guess-"
"""What may stand before a player's name in the name of a file."""


class GivenFiles(Struct, frozen=True):
    """What was given for the phase: readable sheets, all players' sheets for its beginning, answers.

    `strays` are files that belong to no known player; `twice` is a player who has two. `files` are the names that were
    given, by the names that the files have in a match. `known` are texts of `known.yaml` that go with the position, by
    reader.
    """

    mail: Mail
    strays: tuple[NotSent, ...] = ()
    twice: Player = ""
    files: Mapping[str, str] = {}
    known: Mapping[str, bytes] = {}

    def place(self, place: str) -> str:
        """A place by the name of the file that was given: all phases were played from the same files."""
        name, *at = place.rsplit(":", 2)
        return ":".join((self.files.get("/".join(name.split("/")[-2:]), name), *at))


class Played(Struct, frozen=True):
    """One played phase: the position before it, and its outcome."""

    before: Any
    outcome: Outcome


def read_given(
    rulebook: Rulebook[Any], state: Any, sheets: Mapping[str, bytes], answers: Mapping[str, bytes]
) -> GivenFiles:
    """Reads sheets and answers. The file's name without ending says whose it is if the sheet doesn't: `venice.yaml`,
    `guess-venice.yaml`.

    A plain list of answers under no player's name is offered to whoever is asked.
    """
    players, due = tuple(state.players), tuple(state.phase.due)
    names = partial(names_on_board, state)
    asked = Expected(rulebook, state.match, state.phase, players, names=names)
    found: dict[Player, Sheet | NotSent] = {}
    answered: dict[Player, Any] = {}
    strays: list[NotSent] = []
    offered: list[Answer] = []
    twice, named = "", dict[str, str]()
    for kind, files, into, read in (
        (SHEETS, sheets, found, read_sheet),
        (ANSWERS, answers, answered, read_answers),
    ):
        for name, text in files.items():
            one: Any = read(text, asked)
            stem = Path(name).name.removeprefix(GUESS).partition(".")[0]
            if not (player := player_of(one)) and stem in players:
                one, player = read(text, replace(asked, player=stem)), stem
            if not player and isinstance(one, NotSent):
                one = read(text, replace(asked, file=name))
            named.setdefault(f"{kind}/{player or '-'}.yaml", name)
            if not player and not isinstance(one, NotSent):
                offered += one[0]
                strays += [
                    not_sent("", flaw.reason, one[2].place(flaw.path, key=flaw.key)) for flaw in one[1]
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
        answers={
            player: (*(one[0] if isinstance(one := answered.get(player), tuple) else ()), *offered)
            for player in players
        },
        missing=tuple(player for player in due if player not in kept or kept[player].orders is None),
        notes=(
            *(event for player in players for event in notes_on(player, found.get(player), due)),
            *(
                remark_on_draft(sheet)
                for sheet in kept.values()
                if sheet.player in due and sheet.orders is not None and not sheet.ready
            ),
        ),
        remarks=tuple(event for player in players for event in remarks_on(player, answered.get(player))),
    )
    return GivenFiles(mail, tuple(strays), twice, named)


def player_of(one: Sheet | NotSent | tuple[Any, ...]) -> Player:
    """The player whose sheet or file of answers it is; empty if it doesn't say."""
    if isinstance(one, Sheet | NotSent):
        return one.player
    source = one[2]
    return str(source.plain["player"]) if isinstance(source.plain, dict) else ""


class PlayedSoFar:
    """The phases played so far and the one after them, as the history of a match; none of them is handed out."""

    def __init__(self, rulebook: Rulebook[Any], played: Sequence[Played]) -> None:
        self.rulebook, self.played = rulebook, played

    @property
    def phases(self) -> Sequence[str]:
        """The names that the phases' folders would have in a match."""
        return [folder_name(self.head(number)) for number in range(len(self.played) + 1)]

    def head(self, number: int) -> Head:
        """The head of a phase: its number, name and turn."""
        head: Head = self.state(number).phase
        return head

    def state(self, number: int) -> Any:
        """The position in which the phase opened."""
        return self.played[number].before if number < len(self.played) else self.played[-1].outcome.state

    def events(self, number: int) -> Sequence[Event[Any]]:
        """The events of the phase."""
        return self.played[number].outcome.events

    def handed_out(self, number: int) -> bool:
        """Were reports handed out at the phase? Never: reports are made only at the end."""
        return False

    def by_deadline(self, number: int) -> bool:
        """Was the phase played without those who had sent nothing? Only the first: those after it need nobody."""
        return number == 0


def due_sheets(rulebook: Rulebook[Any], played: Sequence[Played], mail: Mail) -> DueSheets:
    """What we have for later phases, from the sheets of the first."""
    return DueSheets(
        PlayedSoFar(rulebook, played), lambda number, player: None if number else mail.sheets.get(player)
    )


def play(
    rulebook: Rulebook[Any], state: Any, mail: Mail, throws: Sequence[Any], seed: str | Dice | None
) -> tuple[list[Played], list[Any]]:
    """Plays the phase and those after it that need nobody; also returns the unused throws. Throws after those given
    follow from the seed, or are those of other dice.

    Raises `OutOfDice`. The last phase's outcome may wait for an answer.
    """
    dice, progress = ScriptedDice(throws), ProgressCheck()
    played: list[Played] = []
    sheets, notes = mail.sheets, mail.notes
    while True:
        head, number = state.phase, len(played)
        progress.reach(state)
        if not isinstance(seed, str):
            dice.then = seed
        else:
            salts = [sheets[player].salt if player in sheets else "" for player in head.due]
            dice.then = SeededDice(seed_from(seed), state.match, head.number, salts)
        inbox = Inbox(sheets, mail.answers, notes, state.options.pacing == "live")
        outcome = advance(rulebook, state, inbox, dice)
        played.append(Played(state, outcome))
        if outcome.waiting:
            return played, list(dice.left)
        found = due_sheets(rulebook, played, mail)
        said = found.ahead.not_needed(number, tuple(state.players), sheets)
        known = replace(mail, remarks=() if number else mail.remarks, not_needed=said)
        outcome = replace(outcome, events=with_remarks(rulebook, head, outcome, known))
        played[-1] = Played(state, outcome)
        state, notes = outcome.state, ()
        provided = {player: found.of(number + 1, player) for player in state.phase.due}
        if state.phase.over or any(one.waits for one in provided.values()):
            return played, list(dice.left)
        sheets = {player: one.ahead[1] for player, one in provided.items() if one.ahead is not None}


def problems_of_unread(rulebook: Rulebook[Any], found: GivenFiles) -> list[Problem]:
    """Why files that were given count as not sent."""
    told = [*found.strays, *(each for each in found.mail.notes if isinstance(each, NotSent))]
    return problems_at(((found.place(each.place), each.reason, "error") for each in told), texts_of(rulebook))


def problems_in(rulebook: Rulebook[Any], found: GivenFiles, played: Sequence[Played]) -> list[Problem]:
    """What is wrong with the sheets: those not sent, orders refused, remarks."""
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
    return problems_at(
        ((found.place(place), reason, severity) for place, reason, severity in told), texts_of(rulebook)
    )


def written_files(
    rulebook: Rulebook[Any], found: GivenFiles, played: Sequence[Played]
) -> Iterator[tuple[str, str]]:
    """Everything to be written, by name: the files for each player and the public, the events, then the position."""
    state = replace(played[-1].outcome.state, chain="")
    for who in (*state.players, None):
        for name, text in _files_for_one(rulebook, found, played, state, who).items():
            yield f"for/{who or 'public'}/{name}", text
    events = [event for phase in played for event in phase.outcome.events]
    yield "events.jsonl", papers.record_text(papers.lines_of(events)).decode()
    yield "state.yaml", write_position(state)


def _files_for_one(
    rulebook: Rulebook[Any], found: GivenFiles, played: Sequence[Played], state: Any, who: Player | None
) -> dict[str, str]:
    from adjudicator.engine.report.received_orders import players_asked_earlier, with_orders_received
    from adjudicator.engine.report.story import render_report

    provided = due_sheets(rulebook, played, found.mail)
    told = facts_of(rulebook, who, position_for(rulebook, played[0].before, who), played, provided)
    known = known_of(rulebook, told.before, who, played, found.known.get(who or PUBLIC, b""))
    after = filled_in(known) if rulebook.bookkeeping(state) else told.after
    told = replace(told, after=after, view=told.after, known=lambda: known)
    extras = Extras()
    if not state.phase.over:
        extras = Extras(asked=players_asked_earlier(provided, len(played)))
        if who is not None:
            extras = with_orders_received(
                extras, provided, len(played), told.seen, who, lambda: filled_in(known)
            )
    report = render_report(
        rulebook, who, told.after, told.events, before=told.before, extras=extras, accounts=told.accounts
    )
    return texts_for(rulebook, state, told, report, extras, pages=state.options.pages)


def known_of(
    rulebook: Rulebook[Any], before: Any, who: Player | None, played: Sequence[Played], text: bytes
) -> Known:
    """What a reader knows after the phases played, by the view `before` them and the `text` of its `known.yaml`."""
    found = (read_known(rulebook, text, before, who) if text else None) or known_from_view(rulebook, before)
    for each in played:
        after = each.outcome.state
        told = events_for(rulebook, after, each.outcome.events, who)
        found = known_after(rulebook, found, told, position_for(rulebook, after, who))
    return found


def facts_of(
    rulebook: Rulebook[Any], who: Player | None, before: Any, played: Sequence[Played], found: DueSheets
) -> ReaderFacts:
    """What a reader is told of the phases played, as facts for a report. `before` is the position that the reader knew
    before them, `found` the sheets for them.
    """
    seen = [events_for(rulebook, each.outcome.state, each.outcome.events, who) for each in played]
    after = position_for(rulebook, played[-1].outcome.state, who)
    accounts: Accounts = {}
    if who is not None:
        accounts = {
            folder: found.accounts(number, who, part, waiting=bool(played[number].outcome.waiting))
            for number, (folder, part) in enumerate(zip(folders_of(played), seen, strict=True))
        }
    return ReaderFacts(who, before, [event for part in seen for event in part], after, accounts=accounts)


def folders_of(played: Sequence[Played]) -> list[str]:
    """The folders of the played phases: `0003-t1-market`."""
    return [folder_name(phase.before.phase) for phase in played]
