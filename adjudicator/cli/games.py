"""`games`: lists every installed rulebook."""

from __future__ import annotations

from adjudicator.cli.output import echo


def games() -> None:
    """List the rulebooks: name, title, numbers of players, version, and the players for each number.

    Example: adjudicator games
    """
    from adjudicator.engine.library.registry import NoSuchGame, all_rulebooks, seats

    rows: list[tuple[str, ...]] = []
    tables: list[list[str]] = []
    broken: list[str] = []
    for name, found in all_rulebooks().items():
        if isinstance(found, NoSuchGame):
            broken.append(f"{name}: can't be loaded: {found.why}")
            continue
        players = ", ".join(str(number) for number in sorted(found.tables))
        rows.append((name, found.title, f"{players} players", f"version {found.version}"))
        tables.append([f"  {number} players: {named}" for number, named in seats(found)])
    widths = [max(len(row[column]) for row in rows) for column in range(4)] if rows else []
    for row, lines in zip(rows, tables, strict=True):
        echo("  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip())
        for line in lines:
            echo(line)
    for line in broken:
        echo(line)
