"""ROM-0.1 to 0.4, ROM-6: the start: states, alliances, hands, talon and special cards,
for two, three and four players."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from adjudicator.engine.table import Head, Player, Reason, Refused, Secret
from adjudicator.rulebooks.rome_carthage.board import EVEN, ODD, PIPS, STATES, Card, StateName, cards_of_suit
from adjudicator.rulebooks.rome_carthage.state import RULES, Options, Seat, State

ALLIANCES: Mapping[str, tuple[tuple[StateName, StateName], tuple[StateName, StateName]]] = {
    "north-south": (("rome", "constantinople"), ("alexandria", "carthage")),
    "east-west": (("constantinople", "alexandria"), ("rome", "carthage")),
    "crossed": (("rome", "alexandria"), ("constantinople", "carthage")),
}


def start(match: str, options: Options, players: tuple[Player, ...]) -> State:
    """ROM-0.1, ROM-0.3, ROM-0.4, ROM-6: states, hands and special cards; the talon is shuffled later, when the box is
    opened.

    Raises Refused if two players would share an alliance, so that nobody plays their enemies (ROM-6.1).
    """
    owners = owners_of_states(options, players)
    seated = tuple(player for player in STATES if player in players)
    alone = [player for player in seated if len(players) == 3 and list(owners.values()).count(player) == 2]
    if alone:
        one, other = (player for player in seated if player not in alone)
        seated = (one, alone[0], other)
    alliances = tuple(
        tuple(player for player in seated if player in {owners[state] for state in states})
        for states in ALLIANCES[options.alliance]
    )
    check_options(options, seated, alliances)
    states = {player: tuple(state for state in STATES if owners[state] == player) for player in seated}
    hands = {player: first_hand(states[player]) for player in seated}
    talon = [card for player in seated for card in first_talon(states[player])]
    special = special_cards(options, alliances)
    return State(
        match=match,
        rulebook="rome-carthage",
        rules=RULES,
        phase=Head(0, "start", 1),
        options=options,
        players={
            player: Seat(states[player], tuple(Secret(card) for card in hands[player]), special[player])
            for player in seated
        },
        seats=seated,
        alliances=alliances,
        pieces={},
        talon=tuple(Secret(card) for card in talon),
    )


def possible_first_players(
    seated: tuple[Player, ...], alliances: tuple[tuple[Player, ...], ...]
) -> tuple[Player, ...]:
    """ROM-0.5, ROM-6.2: the players who may play first:
    all, but with three players not the lone player, who plays second."""
    if len(seated) != 3:
        return seated
    return next(alliance for alliance in alliances if len(alliance) == 2)


def check_options(
    options: Options, seated: tuple[Player, ...], alliances: tuple[tuple[Player, ...], ...]
) -> None:
    """ROM-0.4, ROM-0.5: checks that the options name players of this match. Raises Refused."""
    for player in options.betrayal:
        if player not in seated:
            raise Refused(Reason("ROM-0.4", "no-betrayer", {"value": player, "possible": list(seated)}))
    if options.first and options.first not in possible_first_players(seated, alliances):
        known = list(possible_first_players(seated, alliances))
        raise Refused(Reason("ROM-0.5", "not-first", {"value": options.first, "possible": known}))
    for alliance in alliances:
        named = [player for player in options.betrayal if player in alliance]
        if options.betrayal and len(alliance) == 2 and len(named) != 1:
            raise Refused(
                Reason("ROM-0.4", "one-betrayal-each", {"alliance": list(alliance), "named": named})
            )


def owners_of_states(options: Options, players: tuple[Player, ...]) -> dict[StateName, Player]:
    """ROM-0.1, ROM-6.1, ROM-6.2: who plays each state: the player of that name, or else its partner."""
    partner = {one: other for pair in ALLIANCES[options.alliance] for one, other in (pair, pair[::-1])}
    for state in STATES:
        if state not in players and partner[state] not in players:
            pair = [state, partner[state]]
            raise Refused(Reason("ROM-6.1", "no-enemy", {"states": pair, "alliance": options.alliance}))
    return {state: state if state in players else partner[state] for state in STATES}


@cache
def first_hand(states: tuple[StateName, ...]) -> tuple[Card, ...]:
    """ROM-0.3, ROM-6.1: the even cards and the court cards of the player's suit; with two states 14 cards."""
    if len(states) == 1:
        return cards_of_suit(states[0], (*EVEN, "jack", "queen", "king"))
    courts = [card for state in states for card in cards_of_suit(state, ("jack", "king"))]
    return (*cards_of_suit(states[0], PIPS), *courts)


def first_talon(states: tuple[StateName, ...]) -> tuple[Card, ...]:
    """ROM-0.3, ROM-6.1, ROM-6.2: the odd cards of the player's suit; with two states all ten of the second suit."""
    return cards_of_suit(states[0], ODD) if len(states) == 1 else cards_of_suit(states[1], PIPS)


def special_cards(
    options: Options, alliances: tuple[tuple[Player, ...], ...]
) -> dict[Player, tuple[str, ...]]:
    """ROM-0.4, ROM-6.1: each alliance has one betrayal and one sedition; a lone player holds both."""
    found: dict[Player, tuple[str, ...]] = {}
    for alliance in alliances:
        if len(alliance) == 1:
            found[alliance[0]] = ("betrayal", "sedition")
            continue
        chosen = [player for player in alliance if player in options.betrayal] or [alliance[0]]
        for player in alliance:
            found[player] = ("betrayal",) if player == chosen[0] else ("sedition",)
    return found
