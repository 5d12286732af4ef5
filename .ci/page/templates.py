"""Run by templates.mjs: opens a page of every kind of phase, and tries it out; what is compiled for that is kept."""

import json
import sys
from itertools import islice

sys.path.insert(0, "/program")
sys.dont_write_bytecode = True

from adjudicator.engine.bots import play_match  # noqa: E402
from adjudicator.engine.library import registry  # noqa: E402
from adjudicator.engine.play.position import write_position  # noqa: E402
from adjudicator.engine.play.view import position_for  # noqa: E402
from adjudicator.page.called import call  # noqa: E402

MOST_STEPS = 40

for game in registry.OWN:
    rulebook = registry.rulebook(game)
    players = rulebook.tables[max(rulebook.tables)][0]
    seen = set()
    for step in islice(
        play_match(rulebook, players, dict.fromkeys(players, rulebook.bot), "page"), MOST_STEPS
    ):
        state = step.before
        if state.phase.due and state.phase.name not in seen:
            seen.add(state.phase.name)
            view = write_position(position_for(rulebook, state, state.phase.due[0]))
            call("view", json.dumps({"text": view}))
            call("try", json.dumps({"view": view, "sheets": {}, "bots": True}))
