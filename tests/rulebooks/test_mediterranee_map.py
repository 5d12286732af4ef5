"""The map of Méditerranée: routes, fights and landings, each as often as it happened."""

from __future__ import annotations

from adjudicator.rulebooks.mediterranee.events import Entered, Landed, Struck
from tests.engine.report.test_map import SVG, drawn
from tests.rulebooks.mediterranee_match import MATCH, steps


def test_ways_fights_and_landings_are_drawn() -> None:
    seen = set()
    for step in steps():
        picture = drawn(MATCH, step)
        ways = [group for group in picture.iter(f"{SVG}g") if group.get("class") == "way"]
        fights = [group for group in picture.iter(f"{SVG}g") if group.get("class") == "fight"]
        gone = {event.galley for event in step.events if isinstance(event, Entered)}
        landed = [event for event in step.events if isinstance(event, Landed)]
        struck = {(event.attacker, event.target) for event in step.events if isinstance(event, Struck)}
        assert (len(ways), len(fights)) == (
            len(gone) + len(landed) + 1,
            len(struck) + 1,
        )  # one each in the signs
        seen |= {kind for kind, some in zip("wlf", (gone, landed, struck), strict=True) if some}
    assert seen == {"w", "l", "f"}
