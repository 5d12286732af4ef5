"""`rules`: shows the rules of a game, all or one by its number."""

from __future__ import annotations

from typing import Annotated

import typer

from adjudicator.cli.output import echo


def rules(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The rulebook, as in `adjudicator games`.")],
    number: Annotated[
        str, typer.Argument(metavar="[RULE]", help="A rule's number: MED-3.3, or 3.3. Left out: all rules.")
    ] = "",
) -> None:
    """Show the rules of a game, all or one.

    Example: adjudicator rules mediterranee MED-3.3
    """
    from adjudicator.cli.find import game_named, rule_numbered
    from adjudicator.engine.library.rules import rules_md

    rulebook = game_named(game)
    if not number:
        echo(rules_md(rulebook.package).rstrip("\n"))
        return
    rule = rule_numbered(rulebook, number)
    echo(f"{rule.chapter}\n\n{rule.number} {rule.text}")
