"""ROM-3 Fights: cards are chosen in secret and shown at the same time; spies; ties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from adjudicator.engine.table import PhaseRun, Player, Reason, Secret, Table, Use, Verb, once
from adjudicator.engine.table.domain import Many, OneOf
from adjudicator.rulebooks.rome_carthage import events
from adjudicator.rulebooks.rome_carthage.board import CARDS, WORTH, Card, City, worth
from adjudicator.rulebooks.rome_carthage.choosing import choice_of, fits, tie_card, total, zeros
from adjudicator.rulebooks.rome_carthage.ending import send_out
from adjudicator.rulebooks.rome_carthage.standing import CARD, CITY, HAND, SPY, TIES
from adjudicator.rulebooks.rome_carthage.state import Choice, Fight, State

NOT_IN_HAND = dict.fromkeys(CARDS, Reason("ROM-3.1", "not-in-hand"))
"""ROM-3.1: why other cards can't be played."""
TOTAL_OF_A_SPY = 2
"""ROM-3.7: the printed total with which a spy may be declared."""


def fight(t: Table[State]) -> None:
    """ROM-3.1, ROM-1.4: a player chooses cards for a fight, in secret;
    in the player's own turn the order also says which fight comes first."""
    mine = [each for each in t.state.fights if t.me in t.state.fighters(each) and each.stage == "fight"]
    pending = {each.city: each for each in mine}
    chosen = [city for city, each in pending.items() if t.me in each.chosen]
    free = [city for city in pending if city not in chosen]
    why = Reason("ROM-3.1", "chosen-already")
    city = t.pick("fight", OneOf(free, but=dict.fromkeys(chosen, why)), rule="ROM-3.1")
    now = t.state.limit(t.me, pending[city])
    # For a later fight as many cards may come along as its limit can be by then (ROM-1.4, ROM-3.6).
    least, most = (now, now) if city == t.state.fights[0].city else (1, 2)
    cards = t.pick("cards", cards_from_hand(t.state, t.me, least, most), rule="ROM-3.1", default=None)
    spy = t.pick("spy", SPY, rule="ROM-3.7", default="keep")
    ties = t.pick("ties", Many(OneOf(t.state.hand_of(t.me)), most=20), rule="ROM-3.4", default=None) or ()
    on_turn = t.me == t.state.on_turn() and t.state.phase.name in ("turn", "moves")
    t.require(cards is not None or on_turn, "ROM-3.1", "missing", field="cards")
    warn_of_cards(t, city, cards, spy, ties)
    if on_turn and city not in t.state.named:
        t.play(events.FightsOrdered(rule="ROM-1.4", cities=(*t.state.named, city)))
    if cards is not None:
        t.play(events.Chose(rule="ROM-3.1", player=t.me, city=city, choice=Secret(Choice(cards, spy, ties))))


def warn_of_cards(
    t: Table[State], city: City, cards: Sequence[Card] | None, spy: str, ties: Sequence[Card]
) -> None:
    """ROM-3.1, ROM-3.2: warns of fields that have no effect without cards,
    and of cards that will be spent before they are needed."""
    if cards is None:
        for field, given in (("spy", spy != "keep"), ("ties", bool(ties))):
            if given:
                t.warn("ROM-3.1", "without-cards", field, field=field)
        return
    used = {
        card: each.city
        for each in t.state.fights
        if each.city != city and t.me in each.chosen
        for card in (*each.chosen[t.me].value.cards, *each.chosen[t.me].value.ties)
    }
    for index, card in enumerate(cards):
        if card in used and worth(card):
            t.warn("ROM-3.2", "used-in-two-fights", "cards", index, value=card, city=used[card])
    for index, card in enumerate(ties):
        if worth(card) and card in cards:
            t.warn("ROM-3.4", "used-in-this-fight", "ties", index, value=card)
        elif worth(card) and card in used:
            t.warn("ROM-3.2", "used-in-two-fights", "ties", index, value=card, city=used[card])


def spy(t: Table[State]) -> None:
    """ROM-3.7: a spy, having seen the enemy's cards, plays as many new ones as the limit allows."""
    pending = {each.city: each for each in t.state.fights if each.stage == "spy" and each.spy == t.me}
    city = t.pick("spy", OneOf(pending), rule="ROM-3.7")
    now = t.state.limit(t.me, pending[city])
    cards = t.pick("cards", cards_from_hand(t.state, t.me, now, now), rule="ROM-3.7")
    warn_of_second_choice(t, "ROM-3.7", pending[city])
    t.play(events.Chose(rule="ROM-3.7", player=t.me, city=city, choice=Secret(Choice(cards))))


def tie(t: Table[State]) -> None:
    """ROM-3.4: a player plays one more card in a tie."""
    ties = [each for each in t.state.fights if each.stage == "tie" and t.me in t.state.fighters(each)]
    pending = {each.city: each for each in ties}
    city = t.pick("tie", OneOf(pending), rule="ROM-3.4")
    card = t.pick("card", OneOf(t.state.hand_of(t.me), but=NOT_IN_HAND), rule="ROM-3.4")
    warn_of_second_choice(t, "ROM-3.4", pending[city])
    t.play(events.Chose(rule="ROM-3.4", player=t.me, city=city, choice=Secret(Choice((card,)))))


def warn_of_second_choice(t: Table[State], rule: str, pending: Fight) -> None:
    """ROM-3.4, ROM-3.7: of several choices for a fight the last one counts; this one takes the place of another."""
    if t.me in pending.chosen:
        t.warn(rule, "last-choice-counts", city=pending.city)


def cards_from_hand(state: State, player: Player, least: int, most: int) -> Many[Card]:
    """ROM-3.1: the given number of cards of the player's hand."""
    cards = OneOf(state.hand_of(player), but=NOT_IN_HAND)
    held = state.capital_held(player)
    over = Reason("ROM-3.6", "one-card", {"piece": held[1], "city": held[0]}) if held else None
    firm = state.phase.name in ("fight", "spy")  # nothing in the sheet changes the limit then
    return Many(cards, least=least, most=most, distinct=True, over=over, firm=firm)


def each_chooses(run: PhaseRun) -> None:
    """ROM-3.1: each player chooses by his or her sheet; a player without orders leaves the choice to the rules."""
    for player in run.due:
        orders = run.orders(player)
        for order in orders:
            run.carry_out(player, order)
        run.finish(player, absent=not orders)


# -- no sheet ---------------------------------------------------------------------------------------------------------


def zeros_by_default(t: Table[State]) -> None:
    """ROM-3.1: without a sheet and without a defence that fits, a player plays zeros; in a tie one zero."""
    each = t.state.fights[0]
    if choice_of(t.state, each, t.me) is not None:
        return
    cards = zeros(t.state, t.me, t.state.limit(t.me, each))
    t.play(events.Chose(rule="ROM-3.1", player=t.me, city=each.city, choice=Secret(Choice(cards))))


def highest_by_default(t: Table[State]) -> None:
    """ROM-3.7: without a sheet and without a standing answer a spy plays the highest cards."""
    each = t.state.fights[0]
    if choice_of(t.state, each, t.me) is not None:
        return
    ranked = sorted(t.state.hand_of(t.me), key=worth, reverse=True)
    cards = tuple(ranked[: t.state.limit(t.me, each)])
    t.play(events.Chose(rule="ROM-3.7", player=t.me, city=each.city, choice=Secret(Choice(cards))))


# -- settling ---------------------------------------------------------------------------------------------------------


def players_to_choose(state: State) -> Sequence[Player]:
    """ROM-3.1: the players who still have to choose for the first fight, with neither cards nor a standing instruction
    that fits."""
    if not state.fights:
        return ()
    first = state.fights[0]
    players = (first.spy,) if first.stage == "spy" else state.fighters(first)
    return [player for player in players if choice_of(state, first, player) is None]


def settle(t: Table[State]) -> None:
    """ROM-1.4: fights the pending fights one after another, until one has to wait for somebody."""
    while t.state.fights and not t.state.result:
        drop_void_choices(t)
        players = tuple(players_to_choose(t.state))
        if players:
            city = t.state.fights[0].city
            t.play(events.FightWaits(rule="ROM-3.1", mover=t.state.on_turn(), city=city, players=players))
            return
        first = t.state.fights[0]
        if first.stage == "fight":
            show_cards(t, first)
        elif first.stage == "spy":
            show_spy(t, first)
        else:
            show_tie(t, first)


def drop_void_choices(t: Table[State]) -> None:
    """ROM-3.1: cards that came along and can't be played any more are void; their player chooses again."""
    first = t.state.fights[0]
    for player, held in first.chosen.items():
        if not fits(t.state, first, player, t.reveal(held)):
            t.play(events.ChoiceVoid(rule="ROM-3.1", to=(player,), player=player, city=first.city))


def show_cards(t: Table[State], first: Fight) -> None:
    """ROM-3.1, ROM-3.7: both show their cards; a player with a total of 2 may declare a spy;
    otherwise the higher total wins."""
    choices = {player: choice_of(t.state, first, player) or Choice(()) for player in t.state.fighters(first)}
    cards = {player: choice.cards for player, choice in choices.items()}
    totals = {player: total(t.state, first, player, shown) for player, shown in cards.items()}
    ties = {player: Secret(choice.ties) for player, choice in choices.items()}
    t.play(events.Shown(rule="ROM-3.1", city=first.city, cards=cards, totals=totals, ties=ties))
    spies = [player for player, choice in choices.items() if declares_spy(player, choice, totals)]
    if len(spies) == 2:
        t.play(events.FightAnew(rule="ROM-3.7", city=first.city))
    elif spies:
        t.play(events.SpyDeclared(rule="ROM-3.7", player=spies[0], city=first.city))
    else:
        decide(t, first, cards, totals)


def declares_spy(player: Player, choice: Choice, totals: Mapping[Player, int]) -> bool:
    """ROM-3.7: does the player declare a spy? `behind`: only if the 2 wouldn't win."""
    if sum([WORTH[card] for card in choice.cards]) != TOTAL_OF_A_SPY:
        return False
    others = max(sum_ for other, sum_ in totals.items() if other != player)
    return choice.spy == "declare" or (choice.spy == "behind" and totals[player] <= others)


def show_spy(t: Table[State], first: Fight) -> None:
    """ROM-3.7: only the spy's new cards count for the spy."""
    choice = choice_of(t.state, first, first.spy) or Choice(())
    cards = {**first.shown, first.spy: choice.cards}
    totals = {player: total(t.state, first, player, shown) for player, shown in cards.items()}
    t.play(events.Shown(rule="ROM-3.7", city=first.city, cards={first.spy: choice.cards}, totals=totals))
    decide(t, first, cards, totals)


def show_tie(t: Table[State], first: Fight) -> None:
    """ROM-3.4: only the new cards are compared."""
    players = t.state.fighters(first)
    cards = {player: (choice_of(t.state, first, player) or Choice(())).cards for player in players}
    waiting = [player for player in players if player not in first.chosen]
    left = {player: Secret(tie_card(t.state, first, player)[1]) for player in waiting}
    totals = {player: total(t.state, first, player, shown) for player, shown in cards.items()}
    t.play(events.Shown(rule="ROM-3.4", city=first.city, cards=cards, totals=totals, ties=left))
    decide(t, first, cards, totals)


def decide(
    t: Table[State], first: Fight, cards: Mapping[Player, tuple[Card, ...]], totals: Mapping[Player, int]
) -> None:
    """ROM-3.1, ROM-3.4, ROM-3.5: the higher total wins; a tie goes on; only zeros on both sides end the fight.

    **Ruling**: an attacker that wins stays in the city.
    """
    attacker, defender = t.state.fighters(first)
    if not any([WORTH[card] for shown in cards.values() for card in shown]):
        t.play(events.FightEnded(rule="ROM-3.5", city=first.city))
        t.play(events.WentBack(rule="ROM-3.5", piece=first.attacker, city=first.came_from))
    elif totals[attacker] == totals[defender]:
        t.play(events.Tied(rule="ROM-3.4", city=first.city, total=totals[attacker]))
    else:
        winner = attacker if totals[attacker] > totals[defender] else defender
        loser, piece = (defender, first.defender) if winner == attacker else (attacker, first.attacker)
        t.play(events.FightEnded(rule="ROM-3.1", city=first.city, winner=winner))
        t.play(events.Eliminated(rule="ROM-3.1", piece=piece, player=loser, city=first.city))
        send_out(t)


def use_of_choice(field: str) -> Use:
    """ROM-3.7, ROM-3.4: cards are chosen for each fight; of several choices the last one counts."""
    return replace(once(f"{field} {{{field}}}", "ROM-3.1", "chosen-already", decide=True), ends=True)


VERBS = {
    "fight": Verb(
        fight,
        {"fight": CITY, "cards": HAND, "spy": SPY, "ties": TIES},
        uses=(once("fight {fight}", "ROM-3.1", "chosen-already", decide=True),),
        subject=("fight",),
        ranks="ties",
    )
}
AGAIN, MORE = use_of_choice("spy"), use_of_choice("tie")
SPY_VERBS = {"spy": Verb(spy, {"spy": CITY, "cards": HAND}, ("cards",), uses=(AGAIN,), subject=("spy",))}
TIE_VERBS = {"tie": Verb(tie, {"tie": CITY, "card": CARD}, ("card",), uses=(MORE,), subject=("tie",))}
