"""A turn (OLT-0.5): how it begins, whose sheet is due in which phase, and how it ends (OLT-5.1, OLT-6.1).

The turn of a player who sends no sheet, by the chapter "How it is played by file" of the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from msgspec.structs import replace

from adjudicator.engine.table import Next, PhaseRun, Player, Table, face_down
from adjudicator.engine.table.position import WaitingOrder
from adjudicator.engine.table.remembered import remembered
from adjudicator.engine.table.secret import view
from adjudicator.rulebooks.oltremare import bot, commerce, events, exchange, hand, scoring, voyage
from adjudicator.rulebooks.oltremare.board import BOARD, INFLUENCE, VENICE, CardId, good_of, in_order
from adjudicator.rulebooks.oltremare.commerce import pay_and_take
from adjudicator.rulebooks.oltremare.exchange import ACCEPT, leaves_enough
from adjudicator.rulebooks.oltremare.state import State


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
    return tuple([player for player in state.others() if not mine.isdisjoint(state.to_answer(player))])


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
    seat = t.state.on_turn
    if seat.active == "local-influence" and seat.cargo:
        scoring.pay(t, "OLT-8.5", player, max(0, seat.power() - INFLUENCE), "local-influence", seat.power())
    exchange.make_standing_offers(t)


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
        within = not (run.state.rules < 3 or run.state.excess())
        if run.sent(player) and (within or not discards):
            keep_limit(run, player)
        for order in orders:
            run.carry_out(player, order)
            if order in discards[-1:]:
                keep_limit(run, player)
        if not run.sent(player) and run.state.options.absent == "bot":
            play_by_program(run, player)
        run.finish(player, present=not run.state.rules < 3, again=is_asked_again(run.state, orders))


def is_asked_again(state: State, orders: Sequence[Any]) -> bool:
    """OLT-3.1, OLT-4.1: have these orders been meant to play or load the cards, and haven't done it?"""
    if state.rules < 4 or state.between:
        return False
    return any(order.verb == ("load" if state.in_play else "play") for order in orders)


def keep_limit(run: PhaseRun, player: Player) -> None:
    """OLT-1.1: the rule discards what the sheet hasn't; after that the hand may grow."""
    if cards := excess_cards(run.state):
        run.play(events.RulePlays(rule="OLT-1.1", player=player, what="discard"))
        run.carry_out(player, order_for(run, player, {"discard": cards}))
    elif run.state.phase.name == "commerce" and not run.state.limited:
        run.play(events.LimitKept(rule="OLT-1.1"))


def settle(t: Table[State]) -> None:
    """OLT-3.1, OLT-4.1: in the voyage the player must play: the rule for absent players does what the sheet leaves out.

    The cards are loaded in the order in which they were played, unless newly drawn cards may change the player's mind
    and there is something to decide.
    """
    if t.state.phase.name == "voyage" and not (t.state.in_play or t.state.between):
        play_on(t, "play")
    if not t.state.drawn or voyage.is_settled(t.state):
        voyage.load_by_default(t)


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
        commerce.find_venice(t, "deck")  # Ruling: if the Venice card lies there alone, the last round begins
    t.play(events.TurnEnded(rule="OLT-4.1", player=player, following=t.state.others()[0]))
    if t.state.last_round and player == seats[-1]:
        scoring.score_at_end(t)


def waits(state: State) -> bool:
    """OLT-2.1: are offers open when the commerce closes, and may the table wait for answers once more?"""
    talking = state.phase.name == "commerce" and not (state.between or state.in_play)
    return talking and state.talked < state.options.talks and bool(answering(state))


SAIL = voyage.VERBS | voyage.LOADING_VERBS
COMMERCE = hand.VERBS | commerce.BUY | exchange.MAKE | ACCEPT | commerce.THEN | SAIL
VOYAGE = commerce.BUY | ACCEPT | SAIL


def play_on(t: Table[State], what: Literal["all", "play"] = "all") -> None:
    """OLT-1 to OLT-4: plays the turn: discards, no deals, purchases as needed,
    cards that lengthen the top lot, the first route."""
    if t.state.between:
        return
    t.play(events.RulePlays(rule="OLT-3.1", player=t.state.turn_of, what=what))
    if cards := excess_cards(t.state):
        gone = face_down(cards)
        t.play(events.Discarded(rule="OLT-1.1", player=t.state.turn_of, cards=gone))
    if not t.state.in_play:
        buy(t)
        play(t)
    voyage.load_by_default(t)


def excess_cards(state: State) -> list[CardId]:
    """OLT-1.1: the cards above the hand limit: of the commonest goods, which are worth the least, first;
    of a good the lowest numbers first."""
    cards = in_order(state.hand_of(state.turn_of))
    return sorted(cards, key=lambda card: -BOARD.goods[good_of(card)].count)[: state.excess()]


def buy(t: Table[State]) -> None:
    """OLT-2.4: buys the cards that are missing for what must be played, from the deck;
    if that is empty, from the player's pirate pile."""
    while len(t.state.on_turn.hand) < t.state.must_play():
        pay_and_take(t, "deck" if t.state.cards_in_stock() else "pirates")


def play(t: Table[State]) -> None:
    """OLT-3.1: plays the cards that lengthen the top lot, then others by lot."""
    hand, card = in_order(t.reveal(card) for card in t.state.on_turn.hand), t.state.on_turn.top()
    longer = [each for each in hand if card is not None and good_of(each) == good_of(card)]
    rest = [each for each in hand if each not in longer]
    count = t.state.must_play()
    drawn = t.shuffle(rest, "cards to play", rule="OLT-3.1") if count > len(longer) and rest else ()
    voyage.carry_out(t, (*longer, *drawn)[:count])


# -- a program in place of the rule ----------------------------------------------------------------------------------


def play_by_program(run: PhaseRun, player: Player) -> None:
    """`absent: bot`: the game's own bot plays, makes no deals, and uses only what the absent player may know."""
    run.play(events.RulePlays(rule="OLT-3.1", player=player, what="program"))
    done = True
    while done and not run.state.between:
        seen = view(run.state, lambda where: hand.may_see(run.state, player, where))
        order = bot.alone_now(seen, player)
        done = run.carry_out(player, order_for(run, player, order))


def order_for(run: PhaseRun, player: Player, order: Mapping[str, Any]) -> Any:
    """An order that isn't in the player's sheet."""
    return run.taken_up(WaitingOrder(order, f"sheets/{player}.yaml:1:1"))
