"""Games without a match: their rules, a sheet checked, a phase adjudicated, matches by bots, and a match replayed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from adjudicator.door.submission import Submission, look_at, with_player
from adjudicator.door.values import (
    Adjudicated,
    Game,
    Result,
    Text,
    Verified,
    bytes_of,
    check_player,
    count_of,
    folder_of,
    list_of,
    mapping_of,
    no_orders_to_give,
    options_of,
    players_of,
    position_in,
    rulebook_named,
    text_of,
)
from adjudicator.engine.audit.verify import verify as replay
from adjudicator.engine.bots import play_match
from adjudicator.engine.folder.adjudication import missing_throw, text_of_unused_throws
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.folder.names import FOR, PUBLIC
from adjudicator.engine.library import registry
from adjudicator.engine.library.rules import RuleText, rules_of
from adjudicator.engine.match import begin as beginning, resolving
from adjudicator.engine.play.known import filled_in
from adjudicator.engine.play.known_file import read_known
from adjudicator.engine.play.position import write_position
from adjudicator.engine.play.view import position_for
from adjudicator.engine.table.dice import OutOfDice
from adjudicator.engine.table.points import total
from adjudicator.engine.text.problem import nearest
from adjudicator.gm import bots as bots_of_seats


def check(data: Text, view: Text, known: Text = "") -> Submission:
    """Checks a sheet, or answers, by what their player knows: the text of that player's `view.yaml`. Raises Faulty for
    a view that can't be read, and for one in whose phase nobody gives orders.

    `known` is the text of the `known.yaml` beside the view, from which a check reasons too.

    What became of it is said as `Match.submit` says it, as far as a view can tell: it doesn't say whether the phase is
    still open.
    """
    opened = position_in(view, "view.yaml")
    text, known = bytes_of(data, "a sheet"), bytes_of(known, "what is known")
    if (nothing := no_orders_to_give(opened)) is not None:
        raise Faulty([nothing])
    rulebook, state, seen = opened.rulebook, opened.state, None
    readers = [player for player, one in state.players.items() if one.standing.known]
    if not readers:
        said = "this is what the public knows; a sheet is checked by its player's own view"
        raise Faulty([problem("view.yaml", said)])
    if len(readers) == 1:
        text = with_player(text, readers[0])
        more = read_known(rulebook, known, state, readers[0]) if known else None
        seen = None if more is None else filled_in(more)
    return look_at(rulebook, state, text, seen=seen)


def adjudicate(
    position: Text,
    sheets: Mapping[str, Text],
    *,
    answers: Mapping[str, Text] | None = None,
    throws: Sequence[Any] | None = None,
    seed: str | None = None,
    known: Mapping[str, Text] | None = None,
) -> Adjudicated:
    """Plays the phase of a position (the text of a `state.yaml`), and those after it that need nobody.

    `sheets` and `answers` are texts by player; `known` is by reader what `papers` had as `known.yaml` with that
    position. Throws come from `throws`, in order, and then from `seed`. Raises Faulty
    for a position that can't be read, and for throws that are too few or too many.
    """
    opened = position_in(position, "state.yaml", whole=True)
    rulebook, players = opened.rulebook, opened.state.players
    sheets, answers = mapping_of(sheets, "sheets"), mapping_of(answers, "answers")
    remembered = mapping_of(known, "files of what is known")
    for player in {**sheets, **answers}:
        check_player(player, players)
    for reader in remembered:
        check_player(reader, (*players, PUBLIC))
    found = resolving.read_given(
        rulebook,
        opened.state,
        {f"{player}.yaml": bytes_of(text, "a sheet") for player, text in sheets.items()},
        {f"{player}.yaml": bytes_of(text, "a file of answers") for player, text in answers.items()},
    )
    found = replace(found, known={who: bytes_of(text, "what is known") for who, text in remembered.items()})
    try:
        played, left = resolving.play(
            rulebook,
            opened.state,
            found.mail,
            list_of(throws, "throws are a list, such as [4, 6]"),
            None if seed is None else text_of(seed, "a seed"),
        )
    except OutOfDice as out:
        raise Faulty([problem("throws", missing_throw(out))], misused=True) from None
    problems = tuple(resolving.problems_in(rulebook, found, played))
    phases = tuple(resolving.folders_of(played))
    if waiting := played[-1].outcome.waiting:
        return Adjudicated(phases[:-1], problems=problems, waiting=waiting)
    if left:
        raise Faulty([problem("throws", text_of_unused_throws(left))], misused=True)
    papers: dict[str, dict[str, str]] = {}
    events = after = ""
    for name, text in resolving.written_files(rulebook, found, played):
        if name.startswith(f"{FOR}/"):
            _, who, paper = name.split("/", 2)
            papers.setdefault(who, {})[paper] = text
        elif name == "events.jsonl":
            events = text
        else:
            after = text
    return Adjudicated(phases, after, events, papers, problems)


def view_of(position: Text, player: str) -> str:
    """A position as a player (or `public`) may know it, as `view.yaml`. Raises Faulty."""
    opened = position_in(position, "state.yaml", whole=True)
    if player != PUBLIC:
        check_player(player, opened.state.players)
    who = None if player == PUBLIC else player
    return write_position(position_for(opened.rulebook, opened.state, who))


def simulate(
    game: str,
    matches: int,
    *,
    players: Sequence[str] = (),
    options: Mapping[str, Any] | None = None,
    bots: Mapping[str, str] | None = None,
    seed: str = "seed",
) -> Iterator[Result]:
    """Matches that bots play in memory, one by one: the game's own bots, or those named in `bots` by seat (`random`
    plays legal orders by lot). By default the largest table plays. The same seed gives the same matches. Raises Faulty.
    """
    rulebook, bots, among = rulebook_named(game), mapping_of(bots, "bots"), players_of(players)
    table = beginning.in_table_order(rulebook, among) if among else rulebook.tables[max(rulebook.tables)][0]
    for seat in bots:
        check_player(seat, table)
    known = bots_of_seats.bots_of(rulebook)
    chosen = {seat: known[bots_of_seats.bot_name(rulebook, bots.get(seat, ""))] for seat in table}
    wanted = beginning.start(rulebook, text_of(seed, "a seed"), table, options_of(options)).options

    def result(number: int) -> Result:
        steps = list(play_match(rulebook, table, chosen, f"{seed} {number}", wanted))
        end = steps[-1].outcome.state
        points = {player: total(lines).points for player, lines in rulebook.points(end).items()}
        return Result(points, rulebook.won(end), end.phase.turn, len(steps))

    return map(result, range(count_of(matches, "the number of matches")))


def verify(folder: str | Path) -> Verified:
    """Replays a match from its files, with all that this program can check. Raises Faulty for a folder without one."""
    path = folder_of(folder)
    found, bots = replay(path), bots_of_seats.check_sheets_of_bots(open_match(path))
    unchecked = [
        *(["the throws against the seed, which isn't here"] if not found.seed else []),
        *(f"{each.name}, played by version {each.rules} of the rules" for each in found.not_replayed),
        *([f"the signatures of drand, for want of {found.unsigned}"] if found.unsigned else []),
        *(["sheets that name other marks than its reports"] if found.witnesses.contradicted else []),
        *bots.unchecked,
    ]
    return Verified(found.phases, found.replayed, (*found.problems, *bots.problems), tuple(unchecked))


def games() -> tuple[Game, ...]:
    """The games that are installed here, those of other packages too; not those that can't be loaded."""
    found = registry.all_rulebooks().values()
    return tuple(
        Game(each.key, each.title, each.prefix, each.tables)
        for each in found
        if not isinstance(each, registry.NoSuchGame)
    )


def rules(number: str) -> tuple[RuleText, ...]:
    """The rules of that number: one (`MED-3.3`), a chapter (`MED-3`), or all of a game (`MED`, or its key). Raises
    Faulty for a number that no game has.
    """
    letters = text_of(number, "the number of a rule").partition("-")[0].upper()
    every = [each for each in registry.all_rulebooks().values() if not isinstance(each, registry.NoSuchGame)]
    for rulebook in every:
        if rulebook.prefix == letters or rulebook.key == number:
            known = rules_of(rulebook)
            if number in (rulebook.key, rulebook.prefix):
                return tuple(known.values())
            wanted = number.upper()
            found = [rule for key, rule in known.items() if key == wanted or key.startswith(f"{wanted}.")]
            if found:
                return tuple(found)
            mean = nearest(wanted, [*known])
            said = f"{rulebook.title} has no rule {number}" + (f", did you mean {mean}?" if mean else "")
            raise Faulty([problem("rules", said)])
    known_letters = ", ".join(each.prefix for each in every)
    raise Faulty([problem("rules", f"no game's rules begin with {letters}; there are {known_letters}")])
