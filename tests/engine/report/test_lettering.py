"""Where names go: inland from their port, on nothing else, and inside the picture."""

from __future__ import annotations

import pytest

from adjudicator.engine.report.canvas import STEEPEST, Canvas, Window, direction_inland, rectangles_of, serif

PORTS = {
    "marseille": (5.4, 43.35),
    "tripoli": (13.2, 32.75),
    "barcelona": (2.15, 41.4),
    "antiochia": (36.3, 36.2),
}


def chart() -> Canvas:
    return Canvas([], Window(west=-2.3, east=38.3, north=47.5))


def test_land_is_where_it_is_on_earth() -> None:
    found = chart()
    for place, is_land in (
        ((4.0, 45.0), True),
        ((15.0, 31.0), True),
        ((18.0, 36.0), False),
        ((24.9, 35.2), True),
    ):
        assert found.is_land(*found.at(place)) == is_land, place
    assert found.wet([(0, 0, found.w, found.h)]) == pytest.approx(0.4, abs=0.1)


@pytest.mark.parametrize("port", PORTS)
def test_a_name_lies_on_the_land_of_its_port(port: str) -> None:
    found = chart()
    name = found.inland(found.at(PORTS[port]), 80, 18)
    assert found.wet(rectangles_of(name, 80, 18)) < 0.35
    assert abs(name.tilt) <= STEEPEST
    assert all(found.is_inside(*box) for box in rectangles_of(name, 80, 18))


def test_inland_is_away_from_the_sea_and_nowhere_on_it() -> None:
    found = chart()
    north, south = (direction_inland(found, found.at(PORTS[port])) for port in ("marseille", "tripoli"))
    assert north is not None
    assert south is not None
    assert north < 0 < south  # angles grow from east to south
    assert direction_inland(found, found.at((18.0, 35.5))) is None


def test_no_two_names_share_room() -> None:
    found, taken = chart(), 0
    for _ in range(6):
        found.inland(found.at(PORTS["marseille"]), 80, 18)
        now = sum(row.bit_count() for row in found.rows)
        assert now >= taken + 80 * 18 / 9 * 0.9
        taken = now


def test_letters_have_widths() -> None:
    assert serif("Milano", 10) > serif("Lilli", 10)
    assert serif("ROMA", 20) == 2 * serif("ROMA", 10)
    assert serif("ROMA", 10, 0.1) == serif("ROMA", 10) + 4
