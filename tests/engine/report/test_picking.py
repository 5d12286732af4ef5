"""What a click on a map can choose: every piece, every place, and the place under every piece."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from adjudicator.engine.play.view import position_for
from adjudicator.engine.report.map import picture
from adjudicator.rulebooks.mediterranee.board import BOARD as SEAS
from adjudicator.rulebooks.rome_carthage.board import BOARD as CITIES
from tests.engine.written_match import Match
from tests.rulebooks.mediterranee_match import MATCH as LAGOON
from tests.rulebooks.rome_carthage_match import MATCH as LEGIONS

PLACES = {"mediterranee": SEAS.zones, "rome-carthage": CITIES.cities}


@pytest.mark.parametrize("match", [LAGOON, LEGIONS], ids=["mediterranee", "rome-carthage"])
def test_pieces_and_places_bear_their_names(match: Match) -> None:
    places = set(PLACES[match.rulebook.key])
    for step in match.steps():
        state = position_for(match.rulebook, step.after, None)
        at = {name: unit.at for name, unit in getattr(state, "pieces", {}).items()}
        at |= {name: galley.zone for name, galley in getattr(state, "galleys", {}).items()}
        signs = [each.attrib for each in ElementTree.fromstring(picture(match.rulebook, state).svg).iter()]
        assert {sign["data-name"]: sign["data-at"] for sign in signs if "data-at" in sign} == at
        assert {sign["data-name"] for sign in signs if "data-name" in sign} >= places
