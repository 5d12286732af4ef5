"""Promise 6, what a player knows: it is true and follows from what was told; a guess fills in the rest and looks
real.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from adjudicator.contract.cases import Case, play_once, playable
from adjudicator.contract.secrets import varied, varied_event
from adjudicator.engine.bots import Step
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.inbox import flaws_in
from adjudicator.engine.play.known import (
    Between,
    Known,
    at,
    guess_within,
    known_after,
    known_at_start,
    numbers_in,
)
from adjudicator.engine.play.known_file import read_known, write_known
from adjudicator.engine.play.position import ways_to_hidden
from adjudicator.engine.play.view import events_for, position_for
from adjudicator.engine.table.boxes import OUT, known_of
from adjudicator.engine.table.domain import Chance
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.rulebook import Rulebook

GUESSED = 3
"""Every so many phases the position is guessed."""


def faults_of_known(rulebook: Rulebook[Any], steps: Sequence[Step], chance: Chance) -> Iterator[str]:
    """What is wrong with what the players of a match know, phase after phase from its beginning. Of one of them, a
    match in which all is otherwise that this player may not know must leave the same.
    """
    players = tuple(steps[0].before.players)
    for who in players:
        start = steps[0].before
        found = other = known_at_start(rulebook, start, position_for(rulebook, start, who))
        for number, step in enumerate(steps):
            state, where = step.outcome.state, f"{step.outcome.state.phase}: {who}"
            view = position_for(rulebook, state, who)
            found = known_after(rulebook, found, events_for(rulebook, state, step.outcome.events, who), view)
            yield from (f"{where} knows {said}" for said in untrue(rulebook, found, state))
            text = write_known(rulebook, found, view, who)
            if (again := read_known(rulebook, text.encode(), view, who)) != found:
                yield f"{where} knows something else by the file {text}"
                again = found
            if number % GUESSED == 0 and not state.phase.over:
                yield from (
                    f"{where} {said}" for said in bad_guesses_within(rulebook, found, view, who, chance)
                )
            if who == players[len(steps) % len(players)]:
                other = known_if_hidden_differs(rulebook, other, step, who)
                if other != found:
                    yield f"{where} knows something else if what is hidden differs"
                    other = found
            found = again


def known_if_hidden_differs(rulebook: Rulebook[Any], known: Known, step: Step, who: Player) -> Known:
    """What a player knows after a phase in which all was otherwise that the player may not know."""
    state, events = step.outcome.state, step.outcome.events
    others = [
        varied_event(rulebook, state, event, who) for event in events if not event.to or who in event.to
    ]
    hidden = varied(rulebook, state, state, who)
    told = events_for(rulebook, hidden, others, who)
    return known_after(rulebook, known, told, position_for(rulebook, hidden, who))


def untrue(rulebook: Rulebook[Any], known: Known, state: Any) -> Iterator[str]:
    """What isn't true of what a player knows of a position."""
    for place, held in numbers_in(known.state):
        bounds, real = held.value, at(state, place).value
        least, most = (bounds.least, bounds.most) if isinstance(bounds, Between) else (bounds, bounds)
        if real < least or (most is not None and real > most):
            yield f"{place} as {bounds}, and it is {real}"
    for box in rulebook.boxes(state):
        real_cards = dict(box.places(state))
        for place, cards in box.places(known.state):
            for index, (card, real) in enumerate(zip(cards, real_cards[place], strict=True)):
                if card.known and card.value != real.value:
                    yield f"{card.value} at {place} {index}, and {real.value} is there"
        for each in known.sightings:
            if not box.has(each.places[0]):
                continue
            places = real_cards if each.places == (OUT,) else each.places
            there = Counter(known_of(*(real_cards.get(place, ()) for place in places)))
            wrong = Counter(each.cards) & there if places is real_cards else Counter(each.cards) - there
            if wrong:
                yield f"{[*wrong]} in {each.places}"


def bad_guesses_within(
    rulebook: Rulebook[Any], known: Known, view: Any, who: Player, chance: Chance
) -> Iterator[str]:
    """What is wrong with a guess within what a player knows."""
    try:
        guess = guess_within(rulebook, known, who, chance)
    except LookupError as error:
        yield f"can't guess: {error}"
        return
    if position_for(rulebook, guess, who) != view:
        yield "guesses what isn't in sight"
    yield from (f"guesses what can't be: {flaw}" for flaw in flaws_in(rulebook, guess))
    yield from (f"guesses otherwise than {said}" for said in untrue(rulebook, known, guess))


def bad_guesses(rulebook: Rulebook[Any], state: Any, chance: Chance) -> Iterator[str]:
    """Guesses of a position that can't be made, that hide something, are impossible, or differ from what their reader
    sees.
    """
    for who in state.players:
        view = position_for(rulebook, state, who)
        where = f"{state.phase}: a guess of {who}"
        try:
            guess = rulebook.guess(view, who, chance)
        except LookupError as error:
            yield f"{where} can't be made: {error}"
            continue
        for path in ways_to_hidden(guess):
            yield f"{where} hides {'.'.join(map(str, path))}"
        for flaw in flaws_in(rulebook, guess):
            yield f"{where} can't be: {flaw}"
        if position_for(rulebook, guess, who) != view:
            yield f"{where} isn't what {who} sees"


def bad_guesses_of_cases(
    rulebook: Rulebook[Any], by_name: Mapping[str, Case | str], replaced: Sequence[str]
) -> Iterator[str]:
    """Bad guesses of the positions that cases begin or end with; cases get where random matches seldom do, such as to a
    player who is out.
    """
    for name, case in playable(by_name):
        before, outcome, _ = play_once(rulebook, case, replaced)
        for state in (before,) if outcome.waiting else (before, outcome.state):
            yield from (f"case {name}: {each}" for each in bad_guesses(rulebook, state, SeededChance(name)))
