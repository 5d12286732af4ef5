"""Reports: a story from a reader's own position and events, and nothing that the reader may not know."""

from __future__ import annotations

import re
from time import perf_counter
from typing import Any

import msgspec
import pytest

from adjudicator.engine.dice import Scripted
from adjudicator.engine.event import (
    Due,
    Event,
    Head,
    NotSent,
    Opened,
    OrderRefused,
    Remarked,
    Shuffled,
    Stood,
    Thrown,
)
from adjudicator.engine.reason import Reason
from adjudicator.engine.report import render_report
from adjudicator.engine.rulebook import Line
from adjudicator.engine.secret import Private, Secret
from adjudicator.engine.template import macros, table
from adjudicator.engine.view import events_for, position_for
from adjudicator.rulebooks.mediterranee import events as happened
from adjudicator.rulebooks.mediterranee.questions import Pass
from adjudicator.rulebooks.mediterranee.state import Bid, Deal
from tests.engine.lagoon import PLAYERS, RULEBOOK, opening, play, steps

READERS = (None, *PLAYERS)
RULE = re.compile(r"\((?:MED-[0-9.]+(?:, )?)+\)")


def report(first: int, last: int, who: str | None, **more: Any) -> str:
    """The report of the phases from `first` up to `last`."""
    told = steps()[first : last + 1]
    after = told[-1].after
    return render_report(
        RULEBOOK,
        who,
        position_for(RULEBOOK, after, who),
        events_for(RULEBOOK, after, [event for step in told for event in step.events], who),
        before=position_for(RULEBOOK, told[0].before, who),
        **more,
    )


def section(text: str, title: str) -> str:
    """The text under a heading of the second level."""
    return text.partition(f"## {title}\n")[2].partition("\n## ")[0]


# -- the story -----------------------------------------------------------------------------------------------


def test_each_line_of_the_story_has_its_rule() -> None:
    for who in READERS:
        story = section(report(0, len(steps()) - 1, who), "What happened")
        lines = [line for line in story.splitlines() if line and not line.startswith(("#", "|", "  -"))]
        told = [
            line
            for line in lines
            if not re.fullmatch(r"\*\*\w+\*\*", line) and not line.startswith("Nothing in")
        ]
        assert len(told) > 30
        assert [line for line in told if not RULE.search(line)] == []


def test_a_galley_goes_its_whole_way_in_one_line() -> None:
    story = report(4, 4, None)
    assert "- venice-1: Venezia → Ragusa → Corfu → Sicilia (MED-3.1, MED-3.2)" in story
    assert "Corfu, where Venice refuses to let it pass (MED-3.1, MED-3.2, MED-3.3)" in story


def test_every_die_is_told_with_what_it_was_for() -> None:
    fight = report(5, 5, None)
    assert "turkey-1 throws 2 + 5 sailors = 7, a third is 2: venice-2 loses 2, 2 left" in fight
    assert "venice-2 throws 1 + 4 sailors = 5, a third is 1: turkey-1 loses 1, 4 left" in fight
    assert "Dice for the seats left: Genoa 6, Spain 2 (MED-1.4)" in report(2, 2, None)
    assert "Dice for equal bids: Venice 5, Genoa 1 (MED-1.3)" in report(8, 8, None)


def test_equal_events_are_merged() -> None:
    assert "buys 3 wine at Venezia for 300: 2 on venice-1, 1 on venice-2 (MED-2.2)" in report(3, 3, None)


def test_phases_come_in_order_with_their_chapters() -> None:
    headings = [
        line for line in report(0, 7, None).splitlines() if line.startswith("### ") and "turn" in line
    ]
    assert headings == [
        "### Set-up, turn 1 (MED-0)",
        "### Auction, turn 1 (MED-1)",
        "### Market, turn 1 (MED-2)",
        "### Movement, turn 1 (MED-3)",
        "### Combat, turn 1 (MED-4)",
        "### Landing, turn 1 (MED-5)",
        "### Sales and income, turn 1 (MED-6)",
    ]


def test_the_end_tells_the_points_and_the_winners() -> None:
    text = report(13, 13, None)
    assert "Genoa, Turkey share the victory with 17 points" in text
    assert "| **total**          |     16 |    17 |    15 |     17 |" in text
    assert "The match is over." in text


def test_it_says_what_comes_next_and_what_the_gm_says() -> None:
    text = report(
        2, 2, "genoa", due_text="Sunday 20:00", note="Happy new year!\nNo mail on Monday.", undone=True
    )
    assert "> Happy new year!\n> No mail on Monday." in text
    assert "taken the last phase back" in text
    assert "Sheets are due from Venice, Genoa, Spain, Turkey." in text
    assert "Fill in `sheet.yaml` (phase 0003-t1-market)" in text
    assert "Until: Sunday 20:00." in text


def test_a_report_is_narrow_enough_for_a_phone() -> None:
    for who in READERS:
        for line in report(0, len(steps()) - 1, who).splitlines():
            assert not line.startswith("|") or len(line) <= 60, line


def test_without_the_position_before_it_still_tells_the_story() -> None:
    step = steps()[4]
    text = render_report(
        RULEBOOK,
        None,
        position_for(RULEBOOK, step.after, None),
        events_for(RULEBOOK, step.after, step.events, None),
    )
    assert "### Movement, turn 1 (MED-3)" in text
    assert "- venice-1: Ragusa → Corfu → Sicilia (" in text


# -- what is a player's own ----------------------------------------------------------------------------------


def test_refusals_say_place_rule_order_reason_and_what_is_possible() -> None:
    own = section(report(3, 3, "venice"), "Your sheet")
    assert "- 4:8 **buy: wien**: wien isn't known (did you mean wine?); known: gems, gold," in own
    assert "- 8:13 **buy: wine**: quantity: 3, but venice-1 has room for 2 (MED-0.6)" in own
    assert "- 15:4 **fly: venice-1**: no order of this phase begins with fly; possible: buy, sell," in own


@pytest.mark.parametrize("who", READERS)
def test_only_the_owner_reads_of_refusals_and_sheets(who: str | None) -> None:
    for index, step in enumerate(steps()):
        text = report(index, index, who)
        own = [event for event in step.events if isinstance(event, OrderRefused) and event.player == who]
        said = [
            line
            for line in section(text, "Your sheet").splitlines()
            if re.match(r"- [0-9]+:[0-9]+ \*\*", line)
        ]
        assert len(said) == len(own)
        assert ("## Your sheet" in text) <= (who is not None)
        assert not re.search(r"sheets/|\.yaml:", text)


@pytest.mark.parametrize("who", READERS)
def test_nothing_hidden_leaks_into_the_text(who: str | None) -> None:
    for index, step in enumerate(steps()):
        text = report(index, index, who)
        assert not re.search(r"hidden|None|Secret|\{\{|undefined|\?\b", text.replace("Do you", "")), text
        for player, seat in step.after.players.items():
            sum = f"{seat.treasury.value:,}"
            row = next(line for line in text.splitlines() if line.startswith(f"| {player.capitalize()}"))
            assert (sum in row) == (player == who)


def test_a_bid_is_not_told_before_it_is_shown() -> None:
    state = steps()[2].before
    made = happened.BidMade(rule="MED-1.1", player="turkey", bid=Secret(Bid(500, (4,))))
    for who in READERS:
        text = render_report(
            RULEBOOK, who, position_for(RULEBOOK, state, who), events_for(RULEBOOK, state, [made], who)
        )
        assert ("500" in section(text, "What happened")) == (who == "turkey")


@pytest.mark.parametrize("who", READERS)
def test_a_report_is_a_function_of_what_its_reader_may_know(who: str | None) -> None:
    for index, step in enumerate(steps()):
        changed = msgspec.structs.replace(
            step.after,
            players={
                player: seat if player == who else msgspec.structs.replace(seat, treasury=Secret(98700))
                for player, seat in step.after.players.items()
            },
        )
        seen, other = position_for(RULEBOOK, step.after, who), position_for(RULEBOOK, changed, who)
        told = events_for(RULEBOOK, step.after, step.events, who)
        assert render_report(RULEBOOK, who, seen, told) == render_report(RULEBOOK, who, other, told), index


def test_a_deal_is_told_to_its_two_players_alone() -> None:
    for who in READERS:
        assert ("open deal" in report(9, 9, who)) == (who in ("venice", "genoa"))
    assert "Venice offers you 1 wine, at 800 each" in report(9, 9, "genoa")


def test_a_phase_that_waits_says_for_whom_and_to_the_asked_player_alone_for_what() -> None:
    question = Pass("turkey-2", "turkey", "ionio", 2)
    state = steps()[10].before
    for who in READERS:
        text = render_report(
            RULEBOOK, who, position_for(RULEBOOK, state, who), [], waiting="venice", question=question
        )
        assert "The phase waits for an answer of Venice." in text
        assert ("wants to go on from Alto mare Ionio" in text) == (who == "venice")
        assert ("answer.yaml" in text) == (who == "venice")


def test_a_sheet_that_counts_as_not_sent_is_told_to_its_player_alone() -> None:
    step = steps()[3]
    reason = Reason("YAML", "yaml", {"text": "a tab stands here"})
    event = NotSent(rule="YAML", to=("spain",), player="spain", reason=reason, place="sheets/spain.yaml:3:1")
    for who in READERS:
        told = events_for(RULEBOOK, step.after, [event, *step.events], who)
        text = render_report(RULEBOOK, who, position_for(RULEBOOK, step.after, who), told)
        assert ("3:1 a tab stands here (YAML)" in text) == (who == "spain")


def test_what_a_sheet_says_is_not_read_as_markdown() -> None:
    reason = Reason("SCHEMA", "unknown-name", {"value": "<b>*\nwine", "possible": ["wine"]})
    event = OrderRefused(rule="SCHEMA", player="spain", verb="buy: *", reason=reason, place="3:1")
    text = render_report(RULEBOOK, "spain", position_for(RULEBOOK, steps()[3].after, "spain"), [event])
    assert "- 3:1 **buy: \\***: \\<b>\\*\\nwine isn't known" in text


# -- every event ---------------------------------------------------------------------------------------------

REASON = Reason("MED-0.6", "room", {"field": "quantity", "value": 3, "galley": "venice-1", "most": 2})
DEAL = Deal(
    "venice",
    "genoa",
    True,
    "wine",
    1,
    "venice-1",
    300,
    Secret(200),
    {"iron": 1},
    Secret("sheets/venice.yaml:3:1"),
)
EVERY: tuple[Event[Any], ...] = (
    Opened(rule="MED-1", phase=Head(2, "auction", 1)),
    Due(rule="MED-1", players=("venice",)),
    Thrown(rule="MED-1.3", what=("seat", "venice"), face=3, player="venice"),
    Shuffled(rule="MED-1.3", what=("lot",), order=(Secret("venice"), Secret("genoa"))),
    OrderRefused(rule="MED-0.6", player="venice", verb="buy: wine", reason=REASON, place="3:5"),
    Remarked(rule="MED-0.6", player="venice", reason=REASON, place="sheets/venice.yaml:3:5"),
    NotSent(rule="YAML", player="venice", reason=Reason("SHEET", "empty"), place="sheets/venice.yaml:1:1"),
    Stood(rule="MED-2.3", player="venice", key="prices", entries=Secret([{"ask": 300}])),
    happened.Placed(rule="MED-0.3", player="venice", sailors=3, place="venice-1"),
    happened.TurnBegan(rule="MED-1.1"),
    happened.BidMade(rule="MED-1.1", player="venice", bid=Secret(Bid(300, None))),
    happened.BidShown(rule="MED-1.5", player="venice", sum=300),
    happened.SeatChosen(rule="MED-1.2", player="venice", seat=1, bid=300),
    happened.OrderSet(rule="MED-1.2", order=PLAYERS),
    happened.Bought(
        rule="MED-2.3",
        player="venice",
        good="wine",
        quantity=1,
        port="napoli",
        galley="venice-1",
        price=300,
        seller="genoa",
    ),
    happened.DealOffered(rule="MED-2.13", to=("venice", "genoa"), deal=Private(DEAL)),
    happened.DealClosed(rule="MED-2.13", to=("venice", "genoa"), deal=Private(DEAL)),
    happened.Dealt(
        rule="MED-2.13",
        seller="venice",
        buyer="genoa",
        good="wine",
        quantity=2,
        loads="genoa-1",
        unloads="venice-1",
        price=0,
        back={"iron": 1},
    ),
    happened.Built(rule="MED-2.7", player="venice", port="venezia", galley="venice-3"),
    happened.Fortified(rule="MED-2.8", player="venice", port="venezia"),
    happened.Enlisted(rule="MED-2.9", player="venice", sailors=1, port="venezia", place="venezia"),
    happened.Shifted(
        rule="MED-2.10", player="venice", sailors=1, goods={"wine": 2}, source="venice-1", target="venice-2"
    ),
    happened.Jettisoned(rule="MED-2.11", player="venice", goods={"wine": 1}, galley="venice-1"),
    happened.Dismissed(rule="MED-2.12", player="venice", sailors=1, galley="venice-1", port="venezia"),
    happened.Sank(rule="MED-0.6", galley="venice-1", owner="venice", cargo=("wine", "wood")),
    happened.Entered(rule="MED-3.1", player="venice", galley="venice-1", zone="ragusa"),
    happened.LeaveGiven(
        rule="MED-3.3", asked="genoa", player="venice", galley="venice-1", zone="ragusa", given=True
    ),
    happened.Struck(
        rule="MED-4.3",
        player="venice",
        attacker="venice-1",
        target="tunis",
        owner="spain",
        thrown=(6, 1),
        sailors=(5, 2),
        fortress=True,
        losses=(1, 2),
    ),
    happened.Captured(rule="MED-4.4", player="venice", galley="genoa-2", winner="venice-1", crew=2),
    happened.Stowed(
        rule="MED-4.5", player="venice", cargo={"venice-1": ("gold",), "genoa-2": ()}, lost=("wood",)
    ),
    happened.Landed(
        rule="MED-5.1", player="venice", sailors=1, galley="venice-1", port="tunis", before="spain"
    ),
    happened.Sold(
        rule="MED-6.3",
        player="venice",
        good="gold",
        galley="venice-1",
        port="napoli",
        slot=2,
        sum=200,
        bonus=500,
    ),
    happened.Income(rule="MED-6.4", player="venice", sum=300),
    happened.Scored(
        rule="MED-7.1", player="venice", lines=(Line("MED-7.1", "own-capital", 1, 10),), total=10
    ),
    happened.Won(rule="MED-7.2", players=("venice",), total=10),
)
SILENT = {"Opened", "Due", "TurnBegan", "DealClosed", "OrderRefused", "Remarked", "NotSent", "Stood"}
"""What needs no words in the story, or is told elsewhere."""


def test_every_event_has_a_macro_of_its_own() -> None:
    assert {type(event) for event in EVERY} == set(RULEBOOK.events)
    own, shared = macros("mediterranee", "events.md.j2"), macros("mediterranee", "engine.md.j2")
    assert [
        kind.__name__
        for kind in RULEBOOK.events
        if not (hasattr(own, kind.__name__) or hasattr(shared, kind.__name__))
    ] == []


@pytest.mark.parametrize("event", EVERY, ids=lambda event: type(event).__name__)
@pytest.mark.parametrize("who", [None, "venice", "spain"])
def test_every_event_renders(event: Event[Any], who: str | None) -> None:
    state = steps()[3].after
    told = events_for(RULEBOOK, state, [event], who)
    text = render_report(RULEBOOK, who, position_for(RULEBOOK, state, who), told)
    assert "hidden" not in text and "None" not in text and "  →" not in text
    silent = type(event).__name__ in SILENT or (
        type(event).__name__ in ("BidMade", "DealOffered") and who != "venice"
    )
    assert bool(RULE.search(section(text, "What happened"))) == (not silent)


# -- live pacing, other tables -------------------------------------------------------------------------------


def test_seats_of_one_phase_in_live_pacing_are_one_chapter() -> None:
    state = opening("slow", pacing="live")
    events: list[Event[Any]] = []
    before = state
    for dice in ((), (), (1, 2, 3, 4)):
        outcome = play(state, {}, Scripted(dice))
        events += outcome.events
        state = outcome.state
    outcome = play(state, {state.phase.due[0]: "orders: []"})
    events += outcome.events
    state = outcome.state
    text = render_report(
        RULEBOOK,
        None,
        position_for(RULEBOOK, state, None),
        events_for(RULEBOOK, state, events, None),
        before=position_for(RULEBOOK, before, None),
    )
    assert text.count("### Set-up") == 1
    assert "Sheets are due from " in text
    assert len(state.phase.due) == 1


@pytest.mark.parametrize("players", [("venice", "genoa"), ("spain", "turkey"), ("venice", "genoa", "spain")])
def test_other_tables(players: tuple[str, ...]) -> None:
    state = opening("small", players)
    outcome = play(state, {})
    for who in (None, *players):
        text = render_report(
            RULEBOOK,
            who,
            position_for(RULEBOOK, outcome.state, who),
            events_for(RULEBOOK, outcome.state, outcome.events, who),
        )
        assert text.startswith("# small: Méditerranée\n")


def test_open_treasuries_are_shown() -> None:
    state = opening("open", treasury="open")
    text = render_report(RULEBOOK, None, position_for(RULEBOOK, state, None), [])
    assert text.count("2,000") == 4


# -- form ----------------------------------------------------------------------------------------------------


def test_a_table_is_aligned() -> None:
    assert table(["Port", ">men"], [["Venezia", 3], ["Pisa", 12]]) == (
        "| Port    | men |\n|---------|----:|\n| Venezia |   3 |\n| Pisa    |  12 |"
    )


def test_a_report_takes_few_milliseconds() -> None:
    report(9, 9, "venice")
    start = perf_counter()
    for who in READERS:
        report(9, 9, who)
    assert (perf_counter() - start) / len(READERS) < 0.02
