"""The guide to each phase: what it is for, three things to try, and why a bot gives its orders."""

from itertools import islice

import pytest

from adjudicator.engine.bots import play_match
from adjudicator.engine.library import registry
from adjudicator.engine.library.languages import known_languages
from adjudicator.engine.library.texts import in_language, texts_of
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report.orderpage import guides, proposal

STEPS = 60


@pytest.mark.parametrize("game", registry.OWN)
def test_each_phase_has_a_guide_of_its_own_verbs(game: str) -> None:
    verbs = {phase.name: {*phase.verbs} for phase in registry.rulebook(game).phases if phase.verbs}
    for language in known_languages(game):
        told = guides(texts_of(in_language(registry.rulebook(game), language)))
        assert told.keys() == verbs.keys()
        for name, guide in told.items():
            assert guide["for"] and len(guide["try"]) == 3
            assert all(each.startswith("**") for each in guide["try"])
            assert guide["why"].keys() <= verbs[name]


@pytest.mark.parametrize("game", registry.OWN)
def test_what_a_bot_orders_has_its_why(game: str) -> None:
    rulebook = registry.rulebook(game)
    players = rulebook.tables[max(rulebook.tables)][0]
    told, met = guides(texts_of(rulebook)), set()
    assert rulebook.bot is not None
    for step in islice(play_match(rulebook, players, dict.fromkeys(players, rulebook.bot), "guide"), STEPS):
        phase = rulebook.phase(step.before.phase.name)
        for player in step.before.phase.due:
            view = position_for(rulebook, step.before, player)
            for name, orders in proposal(rulebook, phase, view, player).items():
                met |= {(name, next(iter(order))) for order in orders}
    assert {verb for name, verb in met if verb not in told[name]["why"]} <= {"pass"}
    assert len(met) > 3
