"""A turn (OLT-0.5): how it begins, whose sheet is due in which phase, and how it ends (OLT-5.1, OLT-6.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from adjudicator.engine.table import Next, PhaseRun, Player, Table
from adjudicator.engine.table.remembered import remembered
from adjudicator.rulebooks.oltremare import (
    absent,
    commerce,
    deck,
    events,
    hand,
    loading,
    offers,
    scoring,
    voyage,
)
from adjudicator.rulebooks.oltremare.board import INFLUENCE, VENICE
from adjudicator.rulebooks.oltremare.exchange import ACCEPT, leaves_enough
from adjudicator.rulebooks.oltremare.state import State, active, excess, others, power, to_answer


def after(state: State) -> Next | None:
    """The phases of a turn: commerce, perhaps answers (and both once more), the voyage, perhaps the loading."""
    head = state.phase
    if state.winners:
        return None
    if state.between:
        return Next("commerce", head.turn + (head.name != "start" and state.turn_of == state.seats[0]))
    if state.in_play:
        return Next("cargo", head.turn)
    if head.name == "commerce" and answering(state) and state.talked:
        return Next("answer", head.turn)
    if head.name == "answer" and max(state.talked, 1) < state.options.talks:
        return Next("commerce", head.turn)
    return Next("voyage", head.turn)


def mover(state: State) -> Sequence[Player]:
    """The player whose turn it is."""
    return (state.turn_of,)


@remembered
def answering(state: State) -> Sequence[Player]:
    """The players with an open offer of the active player that they can accept, in turn order.

    **Ruling**: a player who didn't answer isn't asked again about the same offer.
    """
    mine = {name for name in offers_unanswered(state) if leaves_enough(state, state.offers[name])}
    if not mine:
        return ()
    return tuple([player for player in others(state) if not mine.isdisjoint(to_answer(state, player))])


def after_acceptances(state: State, me: Player) -> Iterator[State]:
    """OLT-2.1: the position if others have already accepted the offers made to several: these are closed."""
    yield replace(state, offers={})


def offers_unanswered(state: State) -> tuple[str, ...]:
    """The offers of the active player whose answers the table hasn't waited for yet."""
    offers = state.offers.items()
    return tuple([name for name, offer in offers if offer.by == state.turn_of and not offer.silent])


# -- the opening of a turn -------------------------------------------------------------------------------------------


def begin(t: Table[State]) -> None:
    """OLT-8.5, OLT-2.1: a turn begins with the ducats of local influence; then standing offers are made."""
    if not t.state.between:
        return  # the second sheet of the same turn
    player = t.state.turn_of
    t.play(events.TurnBegan(rule="OLT-0.5", player=player))
    seat = active(t.state)
    if seat.active == "local-influence" and seat.cargo:
        scoring.pay(t, "OLT-8.5", player, max(0, power(seat) - INFLUENCE), "local-influence", power(seat))
    offers.make_standing_offers(t)


# -- the sheets ------------------------------------------------------------------------------------------------------


def carry_out_sheets(run: PhaseRun) -> None:
    """OLT-1.1: applies the hand limit first, by the sheet's `discard` or by the rule for absent players; then carries
    out the rest. With `absent: bot` a program plays on for a player without a sheet.

    A player whose orders all came to nothing isn't absent: the talk is over, and the voyage's sheet is due next. A
    `play` or a `load` that was refused is asked for again (**Ruling**).
    """
    for player in run.due:
        orders = run.orders(player)
        discards = [order for order in orders if order.verb == "discard"]
        within = not (run.state.rules < 3 or excess(run.state))
        if run.sent(player) and (within or not discards):
            keep_limit(run, player)
        for order in orders:
            run.carry_out(player, order)
            if order in discards[-1:]:
                keep_limit(run, player)
        if not run.sent(player) and run.state.options.absent == "bot":
            absent.play_by_program(run, player)
        run.finish(player, present=not run.state.rules < 3, again=is_asked_again(run.state, orders))


def is_asked_again(state: State, orders: Sequence[Any]) -> bool:
    """OLT-3.1, OLT-4.1: have these orders been meant to play or load the cards, and haven't done it?"""
    if state.rules < 4 or state.between:
        return False
    return any(order.verb == ("load" if state.in_play else "play") for order in orders)


def keep_limit(run: PhaseRun, player: Player) -> None:
    """OLT-1.1: the rule discards what the sheet hasn't; after that the hand may grow."""
    if cards := absent.excess_cards(run.state):
        run.play(events.RulePlays(rule="OLT-1.1", player=player, what="discard"))
        run.carry_out(player, absent.order_for(run, player, {"discard": cards}))
    elif run.state.phase.name == "commerce" and not run.state.limited:
        run.play(events.LimitKept(rule="OLT-1.1"))


def settle(t: Table[State]) -> None:
    """OLT-3.1, OLT-4.1: in the voyage the player must play: the rule for absent players does what the sheet leaves out.

    The cards are loaded in the order in which they were played, unless newly drawn cards may change the player's mind
    and there is something to decide.
    """
    if t.state.phase.name == "voyage" and not (t.state.in_play or t.state.between):
        absent.play_on(t, "play")
    if not t.state.drawn or loading.is_settled(t.state):
        loading.load_by_default(t)


# -- the end of a turn -----------------------------------------------------------------------------------------------


def close(t: Table[State]) -> None:
    """OLT-2.1, OLT-4.1: the table waits for answers; or, if the cargo is loaded,
    the turn ends and the next begins, if there is one."""
    if waits(t.state):
        t.play(events.Waited(rule="OLT-2.1", players=tuple(answering(t.state))))
    if t.state.phase.name == "answer" and (names := offers_unanswered(t.state)):
        t.play(events.Unanswered(rule="OLT-2.1", names=names))
    if any([seat.fresh for seat in t.state.players.values()]):
        t.play(events.SheetsDone(rule="OLT-2.1"))
    if not t.state.between:
        return
    player, seats = t.state.turn_of, t.state.seats
    if t.state.deck and t.reveal(t.state.deck[0]) == VENICE:
        deck.find_venice(t, "deck")  # Ruling: if the Venice card lies there alone, the last round begins
    t.play(events.TurnEnded(rule="OLT-4.1", player=player, following=others(t.state)[0]))
    if t.state.last_round and player == seats[-1]:
        scoring.score_at_end(t)


def waits(state: State) -> bool:
    """OLT-2.1: are offers open when the commerce closes, and may the table wait for answers once more?"""
    talking = state.phase.name == "commerce" and not (state.between or state.in_play)
    return talking and state.talked < state.options.talks and bool(answering(state))


SAIL = voyage.VERBS | loading.VERBS
COMMERCE = hand.VERBS | commerce.BUY | offers.MAKE | ACCEPT | commerce.THEN | SAIL
VOYAGE = commerce.BUY | ACCEPT | SAIL
