"""`simulate`: many matches by bots, in memory."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.cli import workers
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.text.problem import Problem, counted

OWN = "own"
"""The game's own bot, whatever the game calls it; of a game that has none, random orders."""

if TYPE_CHECKING:
    from adjudicator.engine.bots import Batch, Totals
    from adjudicator.engine.table.rulebook import Rulebook


def simulate(  # noqa: PLR0917  - as many options as there are ways to run
    rulebook: Annotated[str, typer.Argument(metavar="GAME", help="The game, as in `adjudicator games`.")],
    number: Annotated[int, typer.Option("-n", "--number", min=1, help="How many matches.")] = 100,
    players: Annotated[int, typer.Option(min=0, help="How many players; 0: as many as can play.")] = 0,
    bot: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[PLAYER=]BOT",
            help="random, or own: the game's own bot; for all, or once for each player named; the others are random.",
        ),
    ] = None,
    seed: Annotated[str, typer.Option(metavar="TEXT", help="The same text plays the same matches.")] = "1",
    jobs: Annotated[int, typer.Option(min=0, help="How many processes; 0: one for each core.")] = 0,
    option: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="An option of the match.")
    ] = None,
    cluster: workers.Cluster = "",
    cluster_tls: workers.ClusterTls = None,
    insecure: workers.Insecure = False,
) -> None:
    """Play many matches by bots in memory, and show a table of results.

    Example: adjudicator simulate mediterranee -n 1000 --players 3 --bot venice=own
    """

    from adjudicator.cli.rules import game_named, options_in, table_of
    from adjudicator.engine.bots import Batch

    workers.refuse_with_cluster(cluster, jobs=jobs != 0)
    far = workers.scheduler_at(cluster, cluster_tls, insecure)

    game = game_named(rulebook)
    table, options = table_of(game, players), options_in(game, option or [])
    own = own_seats(game, table, bot or [])
    begin = time.perf_counter()
    tally = play_matches(Batch(game.key, table, seed, options, own), number, jobs, far)
    seconds = time.perf_counter() - begin
    show(game.title, table, tally, seconds)


def own_seats(game: Rulebook[Any], table: tuple[str, ...], bots: Sequence[str]) -> tuple[str, ...]:
    """The players that the game's own bot plays; the later of two choices counts. Ends with status 2 for others."""
    from adjudicator.gm.bots import RANDOM, bots_of

    known = {OWN, *bots_of(game)}
    chosen = dict.fromkeys(table, RANDOM)
    for each in bots:
        player, named, bot = each.rpartition("=")
        if bot not in known or (named and player not in chosen):
            said = f"{each!r}; possible: {', '.join(sorted(known))}; for one of {', '.join(table)}: {table[0]}={OWN}"
            raise typer.BadParameter(said, param_hint="--bot")
        chosen |= {player: bot} if named else dict.fromkeys(table, bot)
    return tuple(player for player, bot in chosen.items() if bot != RANDOM)


def play_matches(batch: Batch, number: int, jobs: int, cluster: workers.Scheduler | None = None) -> Totals:
    """Plays the matches, with a progress bar on a terminal. The result is the same in any number of processes.

    Raises Faulty.
    """
    from rich.console import Console
    from rich.progress import track

    from adjudicator.engine.bots import Totals

    console = Console(stderr=True)
    parts = workers.chunks(range(number)) if cluster else parts_of(number)
    if cluster:
        found = workers.results_of(cluster, partial(results_of_part, batch), parts)
        done = none_lost(found, cluster.address)
    else:
        done = results(batch, parts, jobs or cores())
    total = Totals()
    quiet = not console.is_terminal
    for tally in track(done, "Playing", total=len(parts), console=console, disable=quiet, transient=True):
        total = total.plus(tally)
    return total


def cores() -> int:
    """How many processes can work at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def parts_of(number: int) -> list[Sequence[int]]:
    """The numbers of so many matches in parts: small enough for the progress bar, large enough for little overhead."""
    size = max(1, min(20, number // 50))
    return [range(first, min(first + size, number)) for first in range(0, number, size)]


def results_of_part(batch: Batch, part: Sequence[int]) -> Totals:
    """The results of a part, in the process that asks or in another."""
    from adjudicator.engine.library import registry

    return batch.play(registry.rulebook(batch.game), part)


def results(batch: Batch, parts: Sequence[Sequence[int]], jobs: int) -> Iterator[Totals]:
    """The parts' results, in order. Raises Faulty if one is lost."""
    if jobs == 1 or len(parts) == 1:
        yield from map(partial(results_of_part, batch), parts)
        return

    yield from none_lost(workers.done_by_workers(partial(results_of_part, batch), parts, jobs), "--jobs")


def none_lost(results: Iterable[Any], where: str) -> Iterator[Totals]:
    """The parts' results. Raises Faulty for a part that was lost with its process."""
    for found in results:
        if isinstance(found, workers.LostPart):
            said = f"matches {found.part[0]} to {found.part[-1]} weren't played: {found.why}"
            raise Faulty([Problem(where, 0, 0, "WORKERS", said)])
        yield found


def show(title: str, table: tuple[str, ...], tally: Totals, seconds: float) -> None:
    """Prints the tables."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    rate = tally.matches / seconds if seconds else 0.0
    matches = counted(tally.matches, "match", "matches")
    console.print(
        f"{title}, {len(table)} players: {matches}, {tally.phases} phases; {rate:.0f} matches a second"
    )

    def grid(*headings: str) -> Any:
        found = Table(box=box.SIMPLE, show_edge=False, pad_edge=False)
        for index, heading in enumerate(headings):
            found.add_column(heading, justify="right" if index else "left")
        return found

    points = grid("player", "wins", "points: mean", "least", "most", *(["ports"] if tally.ports else []))
    for player in table:
        row = tally.players[player]
        share = [f"{100 * row.ports / tally.ports:.0f} %"] if tally.ports else []
        mean = f"{row.points / tally.matches:.1f}"
        points.add_row(
            player, f"{100 * row.wins / tally.matches:.0f} %", mean, str(row.least), str(row.most), *share
        )
    console.print(points)
    if tally.ports:
        free = tally.ports - sum(row.ports for row in tally.players.values())
        console.print(f"Ports that nobody holds at the end: {100 * free / tally.ports:.0f} %.")
    ended = grid("ended by", "for", "matches", "turns: mean", "least", "most")
    for (rule, winners), end in sorted(tally.ends.items()):
        times, mean = f"{100 * end.matches / tally.matches:.1f} %", f"{end.turns / end.matches:.1f}"
        ended.add_row(rule, ", ".join(winners) or "nobody", times, mean, str(end.earliest), str(end.latest))
    console.print()
    console.print(ended)
    console.print(f"\nOrders: {tally.orders}, refused: {sum(tally.refused.values())}.")
    refused = grid("refused by", "orders")
    for rule, count in sorted(tally.refused.items(), key=lambda item: (-item[1], item[0])):
        refused.add_row(rule, str(count))
    if tally.refused:
        console.print(refused)
