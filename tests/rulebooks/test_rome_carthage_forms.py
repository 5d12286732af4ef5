"""Rome et Carthage's forms, and the needed parts of its standing instructions."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema.validators import Draft7Validator
from msgspec.structs import replace

from adjudicator.contract.legality import is_accepted
from adjudicator.engine.play.attempts import possible_values
from adjudicator.engine.play.choices import choices_now, needed_in
from adjudicator.engine.play.view import position_for
from adjudicator.engine.sheets.form_schema import sheet_schema
from adjudicator.engine.table.table import Instruction
from adjudicator.rulebooks.rome_carthage.movement import destinations, movable, once_left
from tests.rulebooks.rome_carthage_match import MATCH, RULEBOOK, at, steps


def test_a_form_shows_what_is_needed() -> None:
    placement = MATCH.form(steps()[2].before, "constantinople")
    assert "#   ports: constantinopolis (capital), thessalonica, " in placement
    assert "#   Rome: rome-elephant in aquileia, " in placement
    turn = MATCH.form(steps()[at("turn")].before, "rome")
    assert "# YOUR HAND: hearts-king, hearts-10, spades-9, hearts-8, " in turn
    assert (
        "#   rome-ship-1 in aleria: caralis, genua\n#     by a forced march: carthago, panormus (fight "
        in turn
    )
    assert "#   rome-infantry-3 in syracusae: can't move, on an island" in turn
    assert "#   carthage-infantry-1 in cirta: caesarea, theveste, carthago\n" in turn
    assert "march: [hearts-4]" in turn
    fight = MATCH.form(steps()[at("fight")].before, "rome")
    assert "salona: your rome-elephant from aquileia against constantinople-cavalry" in fight
    assert "you play 2 cards, the higher doubled" in fight
    assert "Constantinople, with 9 cards in hand, plays 2 cards, the lower doubled" in fight
    spy = MATCH.form(steps()[at("spy")].before, "rome")
    assert "has shown diamonds-8, diamonds-4, 16 in all" in spy
    occupied = MATCH.form(steps()[at("turn", 3)].before, "carthage")
    assert "Your capital is occupied: you play one card in a fight instead of two (ROM-3.6)." in occupied
    assert "- sedition: carthago" in occupied


def test_a_form_shows_cities_that_another_own_piece_leaves_first() -> None:
    before = steps()[at("turn")].before
    pieces = {
        "rome-infantry-1": replace(before.pieces["rome-infantry-1"], at="roma"),
        "rome-infantry-2": replace(before.pieces["rome-infantry-2"], at="genua"),
        "rome-elephant": replace(before.pieces["rome-elephant"], at="ancona"),
        "carthage-infantry-1": before.pieces["carthage-infantry-1"],
        "constantinople-infantry-1": replace(before.pieces["constantinople-infantry-1"], at="massilia"),
        "constantinople-infantry-2": replace(before.pieces["constantinople-infantry-2"], at="tolosa"),
    }
    form = MATCH.form(replace(before, pieces=pieces), "rome")
    assert "#   rome-infantry-1 in roma: neapolis, genua once rome-infantry-2 has left it\n" in form
    assert "has left it\n#     by a forced march: " in form
    assert ", ancona once rome-elephant has left it\n" in form
    assert ", tolosa once constantinople-infantry-2 has left it\n" in form, "two infantry may be betrayed"


def test_what_a_form_says_of_cities_left_first_is_legal_once_they_are_left() -> None:
    tried = 0
    for step in steps():
        state = step.before
        if state.phase.name != "turn":
            continue
        for piece in movable(state, state.mover)[0]:
            for city, leaving in once_left(state, piece).items():
                free = next(goal for goal in destinations(state, leaving) if not state.pieces_at(goal))
                left = state.with_piece_moved(leaving, free)
                order = {"move": piece, "via": [*destinations(left, piece)[city]]}
                verb = RULEBOOK.phase("turn").verbs["move"]
                assert not is_accepted(verb, state, state.mover, order)
                assert is_accepted(verb, left, state.mover, order), (piece, city, leaving)
                tried += 1
    assert tried


def test_a_page_offers_pieces_that_move_by_a_march_or_after_another_alone() -> None:
    before = steps()[at("turn")].before
    names = ("rome-elephant", "rome-infantry-1", "rome-infantry-2")
    blocked = {**dict(zip(names, ("roma", "neapolis", "ancona"), strict=True)), "rome-cavalry": "genua"}
    pieces = {name: replace(before.pieces[name], at=city) for name, city in blocked.items()}
    pieces |= {name: each for name, each in before.pieces.items() if not name.startswith("rome")}
    view = position_for(RULEBOOK, replace(before, pieces=pieces), "rome")
    found = choices_now(RULEBOOK.phase("turn"), view, "rome")
    node = found.nodes[found.verbs["move"]]
    assert "rome-elephant" in node["values"]
    ways = found.nodes[node["then"][node["values"].index("rome-elephant")]]["ways"]
    assert ["neapolis"] in ways, "once rome-infantry-1 has left it"
    assert ["ancona", "bononia"] in ways, "by a forced march"
    assert ["ancona", "roma"] not in ways, "no piece ends where it began"


def test_a_form_shows_the_partners_hand_where_partners_are_open() -> None:
    placed = steps()[at("turn")].before
    state = replace(placed, options=replace(placed.options, partners="open"))
    assert "YOUR PARTNER'S: clubs-king, clubs-10, " in MATCH.form(state, "rome")
    assert "YOUR PARTNER'S" not in MATCH.form(placed, "rome")


@pytest.mark.parametrize(("phase", "verb"), [("fight", "fight"), ("spy", "spy")])
def test_a_forms_schema_wants_two_cards_where_two_are_played(phase: str, verb: str) -> None:
    state = steps()[at(phase)].before
    who = state.phase.due[0]
    view = position_for(RULEBOOK, state, who)
    found = RULEBOOK.phase(phase)
    schema = Draft7Validator(sheet_schema(RULEBOOK, found, possible_values(found, view, who)))
    one, two = ([card.value for card in view.players[who].hand[:count]] for count in (1, 2))
    city = state.fights[0].city

    def sheet(cards: list[str], **more: Any) -> dict[str, Any]:
        return {"player": who, "orders": [{verb: city, "cards": cards}], **more}

    assert schema.is_valid(sheet(two))
    assert not schema.is_valid(sheet(one))
    standing = {"phases": {phase: [{verb: city, "cards": one}]}}
    assert schema.is_valid(sheet(two, standing=standing)), "another fight may have another limit"


def test_what_an_entry_of_standing_instructions_needs() -> None:
    view = position_for(RULEBOOK, steps()[1].before, "rome")
    found = {
        key: needed_in(kind, view, "rome")
        for key, kind in RULEBOOK.standing.items()
        if isinstance(kind, Instruction)
    }
    assert found == {"defence": ["cards"]}
