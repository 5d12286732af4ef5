"""Standing defences, so that a fight needs no mail: the best for capitals, varied ones for the other pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudicator.engine.table.secret import plain_of
from adjudicator.rulebooks.rome_carthage.board import worth
from adjudicator.rulebooks.rome_carthage.bot import odds

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudicator.rulebooks.rome_carthage.bot.outlook import Outlook

TIES = ["highest", "highest", "lowest", "zero", "zero"]
BAIT = 4
"""A capital is defended by a spy in one of so many instructions, if the hand allows it: often enough to be feared."""
WAYS = (
    (2, (["zero", "zero"], ["lowest", "zero"])),
    (4, (["lowest", "zero"], ["highest", "zero"], ["zero", "zero"])),
    (6, (["second", "lowest"], ["lowest", "zero"], ["highest", "zero"], ["second", "zero"])),
    (52, (["highest", "second"], ["second", "lowest"], ["highest", "zero"], ["second", "zero"])),
)
"""Ways to defend a piece outside the capitals, for hands with up to so many cards above zero;
chance picks one of the row."""


def standing(outlook: Outlook, chance: Callable[[int], int]) -> dict[str, Any]:
    """The standing instructions to send, if any have changed."""
    entries = defences(outlook, chance)
    held = plain_of(outlook.view.players[outlook.me].standing.value).get("defence", [])
    return {"defence": entries} if entries != held else {}


def defences(outlook: Outlook, chance: Callable[[int], int]) -> list[dict[str, Any]]:
    """ROM-3.1: an entry for each capital, one for each of the other pieces, and one for all the rest."""
    dear = [*outlook.home, *(city for city in outlook.theirs)]
    found: list[dict[str, Any]] = [{"at": city, **defence_of_capital(outlook, chance)} for city in dear]
    count = sum(1 for card in outlook.hand if worth(card))
    ways = next(ways for most, ways in WAYS if count <= most)
    for name in outlook.mine:
        found.append({"with": name, "cards": ways[chance(len(ways))], "ties": TIES, "spy": "behind"})
    return [*found, {"cards": ["highest", "lowest"], "ties": TIES, "spy": "behind"}]


def defence_of_capital(outlook: Outlook, chance: Callable[[int], int]) -> dict[str, Any]:
    """The best cards for a capital; now and then a two that declares a spy (ROM-3.7)."""
    bait = odds.bait_in(outlook.hand, outlook.limits[outlook.me])
    if bait and chance(BAIT) == 0:
        return {"cards": list(bait), "ties": TIES, "spy": "declare"}
    return {"cards": ["highest", "second"], "ties": TIES}
