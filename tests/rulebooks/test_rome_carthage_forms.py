"""What the forms of Rome et Carthage show, and what its standing instructions need."""

from __future__ import annotations

from msgspec.structs import replace

from adjudicator.engine.play.choices import needed_in
from adjudicator.engine.play.view import position_for
from adjudicator.engine.table.table import Instruction
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


def test_a_form_shows_the_partners_hand_where_partners_are_open() -> None:
    placed = steps()[at("turn")].before
    state = replace(placed, options=replace(placed.options, partners="open"))
    assert "YOUR PARTNER'S: clubs-king, clubs-10, " in MATCH.form(state, "rome")
    assert "YOUR PARTNER'S" not in MATCH.form(placed, "rome")


def test_what_an_entry_of_standing_instructions_needs() -> None:
    view = position_for(RULEBOOK, steps()[1].before, "rome")
    found = {
        key: needed_in(kind, view, "rome")
        for key, kind in RULEBOOK.standing.items()
        if isinstance(kind, Instruction)
    }
    assert found == {"defence": ["cards"]}
