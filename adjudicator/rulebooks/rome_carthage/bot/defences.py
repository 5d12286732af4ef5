"""Standing defences, so that a fight needs no mail: the best for capitals, for the other pieces now this, now that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudicator.engine.secret import plain_of
from adjudicator.rulebooks.rome_carthage.board import worth
from adjudicator.rulebooks.rome_carthage.bot import odds

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudicator.rulebooks.rome_carthage.bot.outlook import Outlook

TIES = ["highest", "highest", "lowest", "zero", "zero"]
RICH = (["highest", "second"], ["highest", "lowest"], ["second", "lowest"], ["highest", "zero"])
POOR = (["highest", "second"], ["highest", "zero"], ["lowest", "zero"], ["zero", "zero"])


def standing(outlook: Outlook, chance: Callable[[int], int]) -> dict[str, Any]:
    """The standing instructions that are to be replaced, if any are."""
    entries = defences(outlook, chance)
    held = plain_of(outlook.view.players[outlook.me].standing.value).get("defence", [])
    return {"defence": entries} if entries != held else {}


def defences(outlook: Outlook, chance: Callable[[int], int]) -> list[dict[str, Any]]:
    """ROM-3.1: an entry for each capital, one for each of the other pieces, and one for all the rest."""
    dear = [*outlook.home, *(city for city in outlook.theirs)]
    found: list[dict[str, Any]] = [{"at": city, **for_capital(outlook, chance)} for city in dear]
    count = sum(1 for card in outlook.hand if worth(card))
    ways = RICH if count > 4 else POOR
    for name, unit in outlook.mine.items():
        cards = ways[chance(len(ways))]
        if unit.kind == "elephant":
            cards = ["highest", "zero"] if chance(2) else ["second", "zero"]
        found.append({"with": name, "cards": cards, "ties": TIES, "spy": "behind"})
    return [*found, {"cards": ["highest", "lowest"], "ties": TIES, "spy": "behind"}]


def for_capital(outlook: Outlook, chance: Callable[[int], int]) -> dict[str, Any]:
    """The best cards; now and then a two that looks at the enemy's cards first (ROM-3.7)."""
    bait = odds.bait_in(outlook.hand, outlook.limit)
    if bait and chance(4) == 0:
        return {"cards": list(bait), "ties": TIES, "spy": "declare"}
    return {"cards": ["highest", "second"], "ties": TIES}
