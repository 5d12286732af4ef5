"""A check after `accept` or `buy`: new cards can be named, and given cards are gone."""

from __future__ import annotations

import pytest

from adjudicator.contract.cases import Case, play, position
from adjudicator.engine.play.checking import check_sheet
from adjudicator.engine.play.view import position_for
from adjudicator.engine.sheets.reading import Expected, read_sheet
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.engine.table.event import OrderRefused
from adjudicator.rulebooks.oltremare import RULEBOOK
from tests.rulebooks.replaced import REPLACED

OLIVE = {"by": "dandolo", "to": "contarini", "give": {"cards": [{"card": "olive-01", "good": "olive"}]}}
GIVEN = {
    "deck": ["..."],
    "players": {
        "contarini": {"cargo": ["grain-09"], "hand": ["gem-01", "gem-02", "salt-01"], "ducats": 9},
        "dandolo": {"cargo": ["grain-10"], "hand": ["olive-01", "olive-02", "silk-01"]},
    },
    "offers": {
        "dandolo-1": {**OLIVE, "for": {"goods": {"gem": 1}}},
        "dandolo-2": {
            "by": "dandolo",
            "to": "contarini",
            "give": {"ducats": 1},
            "for": {"goods": {"olive": 1}},
        },
    },
    "offered": {"dandolo": 2},
}
SAIL = "{then: sail}"
ACCEPT = "{accept: dandolo-1}"
DRAWN = f"{{buy: deck}}, {SAIL}, {{play: [drawn-1, gem-01, gem-02]}}"


@pytest.mark.parametrize(
    ("orders", "said"),
    [
        (f"{ACCEPT}, {SAIL}, {{play: [got-1, gem-02, salt-01]}}", []),
        (f"{ACCEPT}, {SAIL}, {{play: [gem-01, gem-02, got-1]}}", ["not-in-hand"]),
        (f"{{accept: dandolo-1, with: [gem-02]}}, {SAIL}, {{play: [gem-01, got-1, salt-01]}}", []),
        (
            f"{{accept: dandolo-1, with: [gem-02]}}, {SAIL}, {{play: [gem-01, gem-02, salt-01]}}",
            ["not-in-hand"],
        ),
        (f"{ACCEPT}, {{offer: dandolo, give: {{cards: [got-1]}}, for: {{goods: {{silk: 1}}}}}}", []),
        (f"{ACCEPT}, {{offer: dandolo, give: {{cards: [gem-01]}}, for: {{ducats: 1}}}}", ["not-in-hand"]),
        (f"{ACCEPT}, {{accept: dandolo-2, with: [got-1]}}", []),
        (f"{ACCEPT}, {SAIL}, {{play: [got-2, gem-02, salt-01]}}", ["not-in-hand"]),
        (f"{ACCEPT}, {{buy: deck}}, {SAIL}, {{play: [got-1, drawn-1, salt-01]}}", []),
        (f"{ACCEPT}, {{buy: deck}}, {SAIL}, {{play: [got-1, drawn-1, gem-01]}}", ["not-in-hand"]),
        ("{buy: deck, times: 3}, {buy: deck, times: 2}", ["bought-enough"]),
        ("{buy: deck}, {offer: contarini, give: {ducats: 1}}", ["yourself"]),
        (f"{{buy: deck, times: 2}}, {SAIL}, {{play: [drawn-2, drawn-1, gem-01]}}", []),
        (f"{DRAWN}, {{load: [gem-02, drawn-1, gem-01]}}", []),
        (f"{DRAWN}, {{buy: deck}}", ["already-played"]),
        (f"{DRAWN}, {{load: [gem-02, drawn-1]}}", ["loads-too-few"]),
        (f"{DRAWN}, {{load: [gem-02, drawn-1, salt-01]}}", ["not-played"]),
        (f"{DRAWN}, {{load: [gem-02, drawn-1, gem-01]}}, {{buy: deck}}", ["turn-is-over"]),
        ("{buy: deck}, {load: [gem-01, gem-02, salt-01]}", ["play-first"]),
        (f"{SAIL}, {{buy: deck}}, {{offer: dandolo, give: {{cards: [drawn-1]}}}}", ["sailing-already"]),
        (f"{{buy: deck, times: 2}}, {SAIL}, {{play: [drawn-3, drawn-1, gem-01]}}", ["not-in-hand"]),
    ],
)
def test_what_came_is_there_and_what_went_is_gone(orders: str, said: list[str]) -> None:
    """The run refuses what the check doubts, and nothing else: the offer is still good when it is accepted."""
    case = offered(orders)
    found = said_of(case)
    assert found == [(key, "error" if key in RULEBOOK.lasting else "may") for key in said]
    outcome, _ = play(RULEBOOK, case, REPLACED[RULEBOOK.key])
    assert [event.reason.key for event in outcome.events if isinstance(event, OrderRefused)] == said


@pytest.mark.parametrize(
    ("orders", "said"),
    [
        (f"{ACCEPT}, {SAIL}, {{play: [olive-02, gem-02, salt-01]}}", []),
        (f"{ACCEPT}, {SAIL}, {{play: [olive-02, olive-03, salt-01]}}", ["more-than-unseen"]),
        (f"{ACCEPT}, {SAIL}, {{play: [got-1, olive-03, salt-01]}}", ["more-than-unseen"]),
        (f"{ACCEPT}, {{buy: deck}}, {SAIL}, {{play: [got-1, olive-03, salt-01]}}", []),
        ("{buy: deck}, {offer: dandolo, give: {cards: [silk-02, silk-03]}}", ["more-than-unseen"]),
    ],
)
def test_no_more_cards_can_be_named_that_nobody_knows_yet_than_the_hand_holds(
    orders: str, said: list[str]
) -> None:
    """OLT-0.6: a check can't tell which card has come, but it can count them."""
    assert said_of(offered(orders)) == [(key, "may") for key in said]


def test_nothing_is_played_below_the_loading_of_a_card_that_nobody_knows_yet() -> None:
    """OLT-4.1: a check can't tell how many cards would have to be played, but that the turn is over."""
    loaded = f"{DRAWN}, {{load: [gem-01, gem-02, drawn-1]}}"
    assert said_of(offered(f"{loaded}, {{play: [drawn-1]}}")) == [("turn-is-over", "may")]


def test_it_is_sure_where_nobody_can_bring_another_card() -> None:
    """In the voyage no offer is open: the match waits for a better sheet."""
    for names in ("gem-03, gem-05, gem-06", "drawn-1, drawn-2, gem-05"):
        sheets = {"contarini": f"orders: [{{buy: deck, times: 2}}, {{play: [{names}]}}]"}
        given = {**GIVEN, "offers": {}}
        case = Case(
            case="too many",
            phase="voyage",
            given=given,
            players=("contarini", "dandolo", "grimani"),
            sheets=sheets,
            expect={},
        )
        assert said_of(case) == [("more-than-there", "error")]


def test_an_offer_is_accepted_once_whatever_others_do() -> None:
    """Only a second acceptance after other orders can come to anything, if these made the offer possible."""
    assert said_of(offered(f"{ACCEPT}, {ACCEPT}, {ACCEPT}")) == [("offer-closed", "error")] * 2
    between = "{accept: dandolo-2, with: [got-1]}"
    assert said_of(offered(f"{ACCEPT}, {between}, {ACCEPT}")) == [("offer-closed", "may")]


def offered(orders: str) -> Case:
    """A position in which two offers are open to a player, who sends these orders."""
    return Case(
        case="an offer is accepted",
        phase="commerce",
        given=GIVEN,
        players=("contarini", "dandolo", "grimani"),
        sheets={"contarini": f"orders: [{orders}]"},
        expect={},
    )


def said_of(case: Case) -> list[tuple[str, str]]:
    """What the player's check says of the case's sheet, but for warnings: the reasons, and how sure it is."""
    state = position(RULEBOOK, case, REPLACED[RULEBOOK.key])
    asked = Expected(RULEBOOK, "case", state.phase, tuple(state.players), "contarini")
    sheet = read_sheet(f"{case.sheets['contarini']}\nplayer: contarini\n".encode(), asked)
    assert isinstance(sheet, Sheet)
    checked = check_sheet(RULEBOOK, position_for(RULEBOOK, state, "contarini"), sheet).said
    return [(each.reason.key, each.severity) for each in checked if each.severity != "warning"]
