"""MED-4.4 to 4.6: what the winner of a fight between galleys does with the beaten galley and the goods of both."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.engine.table import Player, Reason, Table
from adjudicator.engine.table.event import Remarked
from adjudicator.rulebooks.mediterranee.board import GOODS, HOLD, Good
from adjudicator.rulebooks.mediterranee.entries import Crew, Keep, Leave, Wishes
from adjudicator.rulebooks.mediterranee.events import Captured, Sank, Stowed
from adjudicator.rulebooks.mediterranee.state import GalleyId, State, in_board_order


def take_prize(t: Table[State], winner: Player, own: GalleyId, prize: GalleyId, wanted: Wishes) -> None:
    """MED-4.4: the winner sinks the beaten galley, or mans it from the winning galley alone."""
    sailors = t.state.galleys[own].sailors
    crew = sailors_to(wanted.crew, sailors) if wanted.victory == "capture" else 0
    wish = sailors_wished(wanted.crew, sailors)
    if wanted.victory == "capture" and crew != max(wish, 0):
        facts = {"wanted": wish, "crew": crew, "galley": prize, "sailors": sailors}
        reason = Reason("MED-4.4", "crew-nearest" if crew else "crew-none-to-spare", facts)
        place = t.by if winner == t.me else ""
        t.play(Remarked(rule="MED-4.4", to=(winner,), player=winner, reason=reason, place=place))
    beaten = t.state.galleys[prize].owner
    if crew:
        t.play(Captured(rule="MED-4.4", player=winner, galley=prize, winner=own, crew=crew))
    afloat = [name for name, left in ((own, sailors - crew), (prize, crew)) if left]
    hold, lost = divided_goods(t.state, own, prize, afloat, wanted.keep)
    before = {name: t.state.galleys[name].cargo for name in (own, prize)}
    if hold != before or lost:
        t.play(Stowed(rule="MED-4.5", player=winner, cargo=hold, lost=lost))
    for name, owner in ((own, winner), (prize, beaten)):
        if name not in afloat:
            t.play(Sank(rule="MED-4.4", galley=name, owner=owner))


def sailors_to(crew: Crew, sailors: int) -> int:
    """MED-4.4: the number of sailors who go to the prize; 0: none can be spared, and it is sunk.

    The nearest legal number takes the place of an impossible wish: at least one goes and at least one stays, unless all
    are to go.
    """
    if crew == "all":
        return sailors
    if sailors == 1:
        return 0
    return min(max(sailors_wished(crew, sailors), 1), sailors - 1)


def sailors_wished(crew: Crew, sailors: int) -> int:
    """MED-4.4: the number of sailors that the wish names for the prize, legal or not."""
    if crew == "all":
        return sailors
    return sailors - crew.leave if isinstance(crew, Leave) else int(crew)


def divided_goods(
    state: State, own: GalleyId, prize: GalleyId, afloat: list[GalleyId], keep: Keep
) -> tuple[dict[GalleyId, tuple[Good, ...]], tuple[Good, ...]]:
    """MED-4.5: the winner divides the goods of both galleys within MED-0.6; no sailor is given up to make room.

    Goods named in `keep` come first, then those aboard a galley that stays afloat, then the rest, in the board's
    order. Returns the cargoes of both, and the lost goods.
    """
    left = {name: list(state.galleys[name].cargo) for name in (own, prize)}
    room = {name: HOLD - state.galleys[name].sailors if name in afloat else 0 for name in (own, prize)}
    hold: dict[GalleyId, list[Good]] = {own: [], prize: []}

    def put(good: Good, source: GalleyId, target: GalleyId) -> bool:
        if good not in left[source] or len(hold[target]) >= room[target]:
            return False
        left[source].remove(good)
        hold[target].append(good)
        return True

    for target, good in wishes_in_turn(keep, own, prize):
        while any(put(good, *way) for way in ways_to(target, own, prize)):
            if is_split(keep, good):
                break
    for goods in ((own, own), (prize, prize), (own, prize), (prize, own)):
        source, target = goods
        for good in GOODS:
            while put(good, source, target):
                pass
    return {name: in_board_order(goods) for name, goods in hold.items()}, in_board_order(
        (*left[own], *left[prize])
    )


def is_split(keep: Keep, good: Good) -> bool:
    """Is the good named for both galleys? Then each mention is for one piece, else for all."""
    return isinstance(keep, Mapping) and sum(good in goods for goods in keep.values()) > 1


def ways_to(target: GalleyId, own: GalleyId, prize: GalleyId) -> list[tuple[GalleyId, GalleyId]]:
    """Where a wanted good may lie and where it goes: to the target; if not, it stays or goes to the other galley."""
    if target:
        return [(target, target), (prize if target == own else own, target)]
    return [(own, own), (own, prize), (prize, prize), (prize, own)]


def wishes_in_turn(keep: Keep, own: GalleyId, prize: GalleyId) -> list[tuple[GalleyId, Good]]:
    """The wishes of `keep` in order: the galley (empty: any) and the good."""
    if isinstance(keep, Mapping):
        return [(name, good) for name in (own, prize) for good in keep.get(name, ())]
    return [("", good) for good in keep]
