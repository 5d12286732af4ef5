"""`games`: every rulebook that this installation has."""

from __future__ import annotations

from adjudicator.cli.output import echo


def games() -> None:
    """List the rulebooks: name, title, numbers of players, version.

    Example: adjudicator games
    """
    from adjudicator.engine.sheets.registry import NoSuchGame, every

    rows: list[tuple[str, ...]] = []
    broken: list[str] = []
    for name, found in every().items():
        if isinstance(found, NoSuchGame):
            broken.append(f"{name}: can't be loaded: {found.why}")
            continue
        players = ", ".join(str(number) for number in sorted(found.tables))
        rows.append((name, found.title, f"{players} players", f"version {found.version}"))
    widths = [max(len(row[column]) for row in rows) for column in range(4)] if rows else []
    for row in rows:
        echo("  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip())
    for line in broken:
        echo(line)
