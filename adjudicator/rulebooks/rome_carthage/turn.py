"""ROM-1 A turn: a draw from the talon, a special card, moves, then the fights; and the rest of a turn after a
betrayal."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from adjudicator.engine.table import PhaseRun, Player, Private, Reason, Secret, Table, Verb
from adjudicator.engine.table.domain import Flag
from adjudicator.rulebooks.rome_carthage import fights, movement, special
from adjudicator.rulebooks.rome_carthage.board import Card, City, worth
from adjudicator.rulebooks.rome_carthage.ending import finish_turn
from adjudicator.rulebooks.rome_carthage.events import Drawn, MarchOffered, OrdersHeld, RestBegan, TalonLaid
from adjudicator.rulebooks.rome_carthage.movement import movable
from adjudicator.rulebooks.rome_carthage.state import State


def lay(t: Table[State], cards: Sequence[Card], *, spent: bool = False) -> None:
    """ROM-0.3, ROM-6.3: shuffles cards into a talon; with `split_talon` into one pack for each alliance."""
    order = t.shuffle(cards, "talon", rule="ROM-1.1" if spent else "ROM-0.3")
    if not t.state.options.split_talon:
        rule = "ROM-1.1" if spent else "ROM-0.3"
        t.play(TalonLaid(rule=rule, cards=tuple(Secret(card) for card in order), spent=spent))
        return
    chosen = half(order)
    one = [order[index] for index in chosen]
    other = [card for index, card in enumerate(order) if index not in chosen]
    first = t.throw((1, 2), "pack", rule="ROM-6.3")  # the number of the alliance that gets the chosen pack
    packs = (one, other) if first == 1 else (other, one)
    cards = [card for pack in packs for card in pack]
    sizes = (len(packs[0]), len(packs[1]))
    t.play(TalonLaid(rule="ROM-6.3", cards=tuple(Secret(card) for card in cards), packs=sizes, spent=spent))


def half(cards: Sequence[Card]) -> tuple[int, ...]:
    """ROM-6.3: the places of half of the cards, with half of the points as nearly as possible; of two equally near sums
    the lower.

    If several choices give that sum, the one is taken whose last card stands earliest, of these the one whose last but
    one does, and so on.
    """
    reached: dict[tuple[int, int], tuple[int, ...]] = {(0, 0): ()}
    for index, card in enumerate(cards):
        for (count, points), chosen in list(reached.items()):
            reached.setdefault((count + 1, points + worth(card)), (*chosen, index))
    total = sum(worth(card) for card in cards)
    halves = [(abs(total - 2 * points), points) for count, points in reached if count == len(cards) // 2]
    return reached[len(cards) // 2, min(halves)[1]]


def draw(t: Table[State], player: Player) -> None:
    """ROM-1.1: draws one card; if the talon is empty the spent cards are shuffled first;
    if there are none either, none is drawn."""
    if t.state.options.split_talon:
        draw_from_pack(t, player)
        return
    if not t.state.talon and t.state.spent:
        lay(t, t.state.spent, spent=True)
    if t.state.talon:
        t.play(Drawn(rule="ROM-1.1", player=player, card=Secret(t.reveal(t.state.talon[0]))))


def draw_from_pack(t: Table[State], player: Player) -> None:
    """ROM-6.3: draws from the alliance's own pack; an empty pack is filled only when both are empty."""
    if not any(t.reveal(pack) for pack in t.state.talon) and t.state.spent:
        lay(t, t.state.spent, spent=True)
    number = t.state.alliance_of(player)
    pack = t.reveal(t.state.talon[number]) if t.state.talon else []
    if pack:
        t.play(Drawn(rule="ROM-6.3", player=player, card=Secret(pack[0]), pack=number))


def begin(t: Table[State]) -> None:
    """ROM-1.1, ROM-6.2: a player draws a card; a lone player against two draws two.

    **Ruling**: two also when one of the others is out.
    """
    player = t.state.on_turn()
    alone = len(t.state.seats) == 3 and len(t.state.players[player].states) == 2
    for _ in range(2 if alone else 1):
        draw(t, player)


def pass_on(t: Table[State]) -> None:
    """ROM-1.3: a player may pass."""
    t.pick("pass", Flag(), rule="ROM-1.3")


def carry_out_sheets(run: PhaseRun) -> None:
    """ROM-1.4, ROM-4.1: carries out a sheet's orders in sequence;
    after a betrayal into a fight the others wait until it is settled."""
    player = run.state.on_turn()
    carry_out(run, player, run.orders(player))


def carry_out(run: PhaseRun, player: Player, orders: Sequence[Any]) -> None:
    """ROM-4.1: carries out orders until a fight by betrayal is pending; then only cards for that fight, and the rest
    waits.

    **Ruling**: two infantry may be led into two fights, and both are settled before the rest.
    """
    waiting: list[Any] = []
    for order in orders:
        pending = [fight.city for fight in run.state.fights if fight.betrayal]
        unfit = partial(why_not_yet, pending)
        if unfit(order):
            waiting.append(order)
        else:
            run.carry_out(player, order, unfit=unfit)
    if any(fight.betrayal for fight in run.state.fights):
        # ROM-1.4: each order with its place in the sheet.
        held = tuple(Private(run.keep_waiting(order)) for order in waiting)
        run.play(OrdersHeld(rule="ROM-4.1", player=player, held=held))


def why_not_yet(pending: Sequence[City], order: Any) -> Reason | None:
    """ROM-4.1: why an order can't be carried out while fights by betrayal are pending; None if it can."""
    if not pending or order.verb == "betray" or order.fields.get("fight") in pending:
        return None
    return Reason("ROM-4.1", "fight-first", {"cities": pending})


def go_on(run: PhaseRun) -> None:
    """ROM-4.1: the rest of the turn: the orders of a new sheet, or else those that waited."""
    player = run.state.on_turn()
    held = [kept.value for kept in run.state.held]
    sent = player in run.due and run.sent(player)
    orders = run.orders(player) if sent else [run.taken_up(each) for each in held]
    run.play(RestBegan(rule="ROM-4.1"))
    if sent and run.state.march:
        run.play(MarchOffered(rule="ROM-4.1", to=(player,), player=player, cards=Secret(())))
    carry_out(run, player, orders)


def close(t: Table[State]) -> None:
    """ROM-1.4: fights as far as nobody has to be waited for; then the turn is over, unless orders still wait."""
    fights.settle(t)
    rest = t.state.rest and bool(t.state.pieces_of(t.state.on_turn()))
    if not (t.state.result or t.state.fights or rest):
        finish_turn(t)


def rest_to_send(state: State) -> Sequence[Player]:
    """ROM-4.1: the player whose turn it is; nobody if no fight had to wait:
    then the waiting orders are carried out at once."""
    return () if state.held and not state.waited else (state.on_turn(),)


def can(state: State, player: Player) -> bool:
    """ROM-1.3: does the player have a special card, or a piece that can move?"""
    return bool(state.players[player].special or movable(state, player)[0])


REST: dict[str, Any] = {
    "sedition": special.VERBS["sedition"],
    **movement.VERBS,
    "pass": Verb(pass_on, {"pass": Flag()}, uses=(), subject=()),
    **fights.VERBS,
}
VERBS: dict[str, Any] = {"betray": special.VERBS["betray"], **REST}
