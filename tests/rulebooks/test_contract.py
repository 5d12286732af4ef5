"""The contract, for our rulebooks, in the suite that other people's rulebooks use too;
and the events that reveal secrets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import pytest
from msgspec import Meta
from msgspec.structs import replace

from adjudicator.contract import (
    case_outcomes,
    cases,
    hostile,
    legality,
    matches,
    offered,
    options,
    predictions,
    secrets,
    sending,
    who_sees,
)
from adjudicator.contract.true_reasons import false_reasons_of_cases
from adjudicator.engine.bots import Step
from adjudicator.engine.library import registry
from adjudicator.engine.play.account import Finding, OrderAccount, Word
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.checking import CheckResult
from adjudicator.engine.play.choices import Choices
from adjudicator.engine.play.inbox import Outcome
from adjudicator.engine.play.position import write_position
from adjudicator.engine.play.referee import advance
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report import story
from adjudicator.engine.sheets.sheet import Sheet
from adjudicator.engine.table.event import Event
from adjudicator.engine.table.reason import Flaw, Reason, flaw
from adjudicator.engine.table.secret import HIDDEN, Secret
from adjudicator.engine.table.table import Table
from adjudicator.engine.table.uses import Use, no_limits, once
from adjudicator.rulebooks.mediterranee import auction, deals
from adjudicator.rulebooks.mediterranee.board import HOLD
from adjudicator.rulebooks.mediterranee.state import Galley
from adjudicator.rulebooks.oltremare import hand
from tests.rulebooks.replaced import HINDRANCES, REPLACED

CASES = Path(__file__).parent.parent / "cases"
WAYS_TO_BE_WRONG = (
    "carried out, and the check says",
    "nothing as its player could know",
    "nothing through what its player can't know",
    ", and the check says nothing",
)


def one_now(values: Iterable[str]) -> list[Any]:
    """Values of which `make test` tries the first."""
    return [pytest.param(each, marks=[pytest.mark.ci] * bool(at)) for at, each in enumerate(values)]


def test_a_leak_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "position_for", lambda rulebook, state, who: state)
    book = registry.rulebook("mediterranee")
    players = book.tables[2][0]
    step = next(islice(matches.steps(book, players, "secrets", sensible=len(players)), 3, None))
    assert list(secrets.leaks(book, step, None)) != []


@pytest.mark.parametrize("game", one_now(registry.OWN))
def test_a_game_that_showed_everybody_all_would_be_found(game: str) -> None:
    """Cases miss what they call hidden, and a random match shows more than the cases do."""
    book, where = registry.rulebook(game), (CASES / game, REPLACED[game])
    careless = replace(book, may_see=lambda state, who, where: True)
    assert any(each.wanted == HIDDEN != each.look.value for each in who_sees.claims(careless, *where))
    steps = islice(matches.steps(book, book.tables[max(book.tables)][0], "careless"), 8)
    assert list(who_sees.secrets_not_in_cases(careless, who_sees.shown_by_cases(book, *where), steps)) != []


@pytest.mark.ci
def test_a_check_that_counted_no_hidden_cards_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two cards that aren't in the hand, where it has one that its player doesn't know yet."""
    book = registry.rulebook("oltremare")

    def uncounted(t: Table[Any], field: str, names: Sequence[str]) -> dict[str, Secret[str]]:
        there = hand.cards_by_name(t.state, t.me)
        return {name: there.get(name, Secret.hidden()) for name in names}

    monkeypatch.setattr(hand, "looked_up", uncounted)
    steps = matches.steps(book, book.tables[2][0], "half", sensible=1)
    found = "\n".join(hostile.faults_of_hidden_names(book, steps, "unseen"))
    assert "ValueError" in found and "play:" in found


def test_events_that_tell_what_the_next_view_hides_are_found() -> None:
    """Cards that were played openly lie hidden in the cargo, and nobody says here that players must remember them."""
    book = registry.rulebook("oltremare")
    steps = islice(matches.steps(book, book.tables[3][0], "told", sensible=3), 20)
    found = "\n".join(line for step in steps for line in secrets.deducible_secrets(book, step))
    assert "the secret players.*.cargo.*, which the next view hides" in found


@pytest.mark.parametrize("event", one_now(["Bought", "Dealt", "Shifted"]))
def test_a_rule_that_forgets_a_limit_is_found(monkeypatch: pytest.MonkeyPatch, event: str) -> None:
    book = registry.rulebook("mediterranee")
    monkeypatch.setattr(Galley, "room", lambda galley: HOLD)
    every = cases.cases_by_name(CASES / book.key)
    market = {name: case for name, case in every.items() if name.startswith("MED-2")}
    found = list(case_outcomes.faults_of_full_positions(book, market, REPLACED[book.key]))
    assert [each for each in found if f"overloaded (MED-0.6), since {event}(" in each] != []


@pytest.mark.parametrize(
    ("use", "said"),
    [
        (once("move {move}", "MED-1.1", "bid-already"), "is refused by MED-3.1; its `uses` name ['MED-1.1']"),
        (once("move", "MED-3.1", "moved-already"), "is called good; its `uses` name ['MED-3.1']"),
    ],
)
def test_a_use_that_gives_a_false_reason_is_found(use: Use, said: str) -> None:
    """A reason of another rule, and one that would refuse a second galley's move."""
    book = registry.rulebook("mediterranee")
    movement = book.phase("movement")
    false = replace(movement, verbs={"move": replace(movement.verbs["move"], uses=(use,))}, limits=no_limits)
    wrong = replace(book, phases=tuple(false if each is movement else each for each in book.phases))
    every = (step.before for step in matches.steps(book, book.tables[2][0], "half", sensible=1))
    states = list(islice((state for state in every if state.phase.name == "movement"), 4))
    assert list(legality.false_reasons(book, states, SeededChance("once"))) == []
    found = "\n".join(legality.false_reasons(wrong, states, SeededChance("once")))
    assert said in found


def test_a_reason_that_names_what_was_not_in_the_way_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if every deal that comes to nothing blamed the buyer's purse; and as if nobody said what a reason names."""
    book, replaced, named = (
        registry.rulebook("mediterranee"),
        REPLACED["mediterranee"],
        HINDRANCES["mediterranee"],
    )
    every = cases.cases_by_name(CASES / book.key)
    deals_ = {name: case for name, case in every.items() if name.startswith("MED-2.13")}
    unnamed = {key: change for key, change in named.items() if key != "none-aboard"}
    assert "what does none-aboard of" in "".join(false_reasons_of_cases(book, deals_, replaced, unnamed))
    monkeypatch.setattr(deals, "why_not", lambda *args, **named: Reason("MED-2.13", "purse", {"most": 0}))
    found = "".join(false_reasons_of_cases(book, deals_, replaced, named))
    assert "is refused by Reason(rule='MED-2.13', key='purse', facts={'most': 0}) also after" in found


def test_a_limit_that_is_an_option_and_that_a_rule_forgets_is_found() -> None:
    """As if `turns` were how many goods a galley may carry: with the usual number that is always true."""

    def carries_too_much(state: Any) -> Flaw | None:
        most = state.options.turns
        names = (name for name, galley in state.galleys.items() if len(galley.cargo) > most)
        return next((flaw(("galleys", name), "MED-0.6", "overloaded") for name in names), None)

    book = registry.rulebook("mediterranee")
    limited, replaced = replace(book, checks=(*book.checks, carries_too_much)), REPLACED[book.key]
    few, usual = {"turns": 3}, {"turns": HOLD}
    every = cases.cases_by_name(CASES / book.key)
    prizes = {name: case for name, case in every.items() if name.startswith("MED-4")}
    found = case_outcomes.faults_of_full_positions(limited, prizes, replaced, few)
    assert "overloaded (MED-0.6), since " in "\n".join(found)
    assert list(case_outcomes.faults_of_full_positions(limited, prizes, replaced, usual)) == []


def test_of_a_number_the_ends_and_the_middle_are_tried() -> None:
    tried = options.numeric_options(registry.rulebook("mediterranee"))
    assert tried == [{"turns": 1}, {"turns": 50}, {"turns": 99}]
    optional = Annotated[int, Meta(ge=1, le=4)] | None
    assert options.numbers_of(optional) == [1, 2, 4]


class Boasted(Event[Any], frozen=True):
    """A player says in public what is secret: how much is in the treasury, or a card in the hand."""

    player: str
    secret: Any


def boasted_in(
    game: str, boast: Callable[[Any, str], Any], monkeypatch: pytest.MonkeyPatch, skipped: int = 0
) -> str:
    """What is found in a match where all boast before a phase, if everything else is told as it should be."""
    book = registry.rulebook(game)
    table = book.tables[min(book.tables)][0]
    step = next(islice(matches.steps(book, table, "told", sensible=len(table)), skipped, None))
    assert list(secrets.hidden_values_told(book, step, "told")) == []

    def boasts(state: Any) -> tuple[Boasted, ...]:
        return tuple(Boasted(name, boast(state, name), rule="MED-0.8") for name in state.players)

    def boasting(rulebook: Any, state: Any, *more: Any) -> Outcome:
        outcome = advance(rulebook, state, *more)
        return replace(outcome, events=(*outcome.events, *boasts(state)))

    monkeypatch.setattr(secrets, "advance", boasting)
    told = replace(step.outcome, events=(*step.outcome.events, *boasts(step.before)))
    return "".join(secrets.hidden_values_told(book, replace(step, outcome=told), "told"))


def test_an_event_that_tells_a_hidden_number_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    found = boasted_in("mediterranee", lambda state, name: state.players[name].treasury.value, monkeypatch)
    assert "Boasted.secret tells the public a number that is hidden" in found


@pytest.mark.parametrize("game", ["rome-carthage", "oltremare"])
@pytest.mark.parametrize("among", [str, lambda card: ("my card", card), lambda card: {card: 1}])
def test_an_event_that_tells_a_hidden_card_is_found(
    monkeypatch: pytest.MonkeyPatch, game: str, among: Callable[[str], Any]
) -> None:
    def boast(state: Any, name: str) -> Any:
        return among(state.players[name].hand[-1].value)

    found = boasted_in(game, boast, monkeypatch, 2)
    assert "Boasted.secret tells the public a text that is hidden" in found


def test_who_is_due_by_a_secret_is_found() -> None:
    book = registry.rulebook("mediterranee")
    rich = replace(book.phase("auction"), can=lambda state, player: state.players[player].treasury.value > 0)
    telling = replace(book, phases=tuple(rich if each.name == "auction" else each for each in book.phases))
    step = next(
        step
        for step in matches.steps(book, book.tables[2][0], "due", sensible=2)
        if step.before.phase.name == "auction"
    )
    assert list(secrets.secrets_told_by_due(book, step.before)) == []
    assert len(list(secrets.secrets_told_by_due(telling, step.before))) == 2


def test_an_order_that_is_said_to_use_nothing_is_given_twice() -> None:
    book = registry.rulebook("mediterranee")
    wrong = replace(book.phase("movement").verbs["move"], uses=())
    phases = [
        replace(each, verbs={"move": wrong}) if each.name == "movement" else each for each in book.phases
    ]
    said = replace(book, phases=tuple(phases))
    step = next(
        step
        for step in matches.steps(said, book.tables[2][0], "twice", sensible=2)
        if step.before.phase.name == "movement"
    )
    found = "".join(legality.undeclared_uses(said, [step.before], SeededChance("twice")))
    assert "`uses` of move is ()" in found


def test_a_verb_that_could_not_be_tried_twice_is_found() -> None:
    """No random order of it was found, so nothing was tried: that would be an empty promise."""
    book = registry.rulebook("mediterranee")
    never = replace(book.phase("setup").verbs["place"], uses=(), rule=refuses)
    phases = [replace(each, verbs={"place": never}) if each.name == "setup" else each for each in book.phases]
    steps = matches.steps(book, book.tables[2][0], "untried", sensible=2)
    step = next(step for step in steps if step.before.phase.name == "setup")
    found = [
        *legality.undeclared_uses(replace(book, phases=tuple(phases)), [step.before], SeededChance("untried"))
    ]
    assert found == ["setup: no order of place was found, whose `uses` is ()"]
    assert not legality.has_verb_without_uses(book)


def refuses(t: Table[Any]) -> None:
    """A rule that admits no order."""
    t.require(False, "MED-0.3", "neutral")


@pytest.mark.ci
def test_a_limit_that_not_every_rule_keeps_is_found() -> None:
    """No galley may have more than two goods aboard, and no rule knows of it: cases of several chapters get there."""
    book = registry.rulebook("mediterranee")

    def few_goods(state: Any) -> Flaw | None:
        full = [name for name, galley in state.galleys.items() if len(galley.cargo) > 2]
        return flaw(("galleys", full[0]), "MED-0.6", "overloaded", galley=full[0], most=2) if full else None

    limited = replace(book, checks=(*book.checks, few_goods))
    by_name = cases.cases_by_name(CASES / "mediterranee")
    found = "\n".join(case_outcomes.faults_of_cases(limited, by_name, {}, REPLACED["mediterranee"], 1))
    assert "the case MED-2.7" in found
    assert "the case MED-4.5" in found


def test_a_bot_whose_orders_its_own_check_refuses_is_found() -> None:
    """Every galley is moved twice."""
    book = registry.rulebook("mediterranee")
    players = book.tables[2][0]
    steps = tuple(islice(matches.steps(book, players, "twice", sensible=len(players)), 30))
    assert list(predictions.refused_by_checks(book, steps, players)) == []
    twice = [
        replace(step, sheets={who: replace(sheet, orders=(*sheet.orders, *sheet.orders))})
        for step in steps
        for who, sheet in step.sheets.items()
        if step.before.phase.name == "movement" and sheet.orders
    ]
    found = [
        line for step in twice for line in predictions.refused_by_checks(book, [step], tuple(step.sheets))
    ]
    assert "moved-already" in "\n".join(found)


def test_a_text_that_says_a_secret_is_found() -> None:
    for secret in (Secret(3), Secret.hidden()):
        with pytest.raises(TypeError, match="no text says a secret"):
            f"{secret}"


def test_a_check_that_says_too_little_or_too_much_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each way to be wrong of one that knows nothing: all is good, or nothing is, for a reason or without one."""
    book, told = registry.rulebook("oltremare"), set[str]()
    steps = list(sending.played_match(book, book.tables[3][0], "wrong", most=40))
    why = Reason("OLT-2.1", "no-such-offer")
    for word, faults in (
        (Word.DONE, ()),
        (Word.NOTHING, ()),
        (Word.NOTHING, (Finding("1:1", why, "error"),)),
    ):

        def careless(
            rulebook: Any, view: Any, sheet: Sheet, word: Any = word, faults: Any = faults
        ) -> CheckResult:
            orders = sheet.orders or ()
            return CheckResult(
                (), (), (), tuple(OrderAccount(each.place(), word, findings=faults) for each in orders)
            )

        monkeypatch.setattr(predictions, "check_sheet", careless)
        for line in predictions.wrong_predictions(book, iter(steps), SeededChance("wrong")):
            told |= {way for way in WAYS_TO_BE_WRONG if way in line}
    assert told == {*WAYS_TO_BE_WRONG}


def test_an_account_that_calls_all_done_or_forgets_an_else_would_be_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    book = registry.rulebook("serenissima")
    steps = list(sending.played_match(book, book.tables[2][0], "wrong", most=20))

    def faults() -> list[str]:
        found = [(step, predictions.accounts_of(book, step)) for step in steps]
        return [fault for each in found for fault in predictions.wrong_accounts(*each)]

    assert faults() == []
    refused = OrderAccount("1", Word.NOTHING, otherwise=(OrderAccount("2", Word.DONE),))
    (fault,) = predictions.false_words(refused, {"1": True})
    assert fault == "came to nothing, and its else at 2 wasn't tried"

    def all_done(orders: Any, verbs: Any, events: Any, *, waiting: bool) -> Any:
        return tuple(OrderAccount(order.place(), Word.DONE) for order in orders)

    monkeypatch.setattr(predictions, "accounts", all_done)
    found = faults()
    steps = [replace(step, unheard=[*step.fared]) for step in steps]
    found += faults()
    for said in (
        "says done, and the referee did nothing",
        "has 0 words",
        "refused 1 times, told 0 times",
        "done, and its turn never came",
    ):
        assert any(said in fault for fault in found), said


def test_a_report_that_leaves_out_an_order_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    book = registry.rulebook("serenissima")
    steps = list(sending.played_match(book, book.tables[2][0], "wrong", most=20))
    found = [(step, predictions.accounts_of(book, step)) for step in steps]
    assert [fault for each in found for fault in predictions.differing_reports(book, *each)] == []
    monkeypatch.setattr(story, "lines_of", lambda orders: ())
    assert [fault for each in found for fault in predictions.differing_reports(book, *each)] != []


def test_a_check_that_takes_what_never_was_for_possible_would_be_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    book = registry.rulebook("mediterranee")
    steps = matches.steps(book, book.tables[2][0], "never", sensible=2)
    state = next(step.before for step in steps if step.before.phase.name == "movement")
    assert list(predictions.wrong_about_unknown_names(book, state, SeededChance("never"))) == []
    monkeypatch.setattr(predictions, "check_sheet", lambda rulebook, view, sheet: CheckResult((), ()))
    assert list(predictions.wrong_about_unknown_names(book, state, SeededChance("never"))) != []


def test_a_rule_that_stumbles_over_a_slip_and_a_check_that_overlooks_it_would_be_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    book, folder = registry.rulebook("mediterranee"), CASES / "mediterranee"
    some = {
        name: case for name, case in cases.cases_by_name(folder).items() if name.startswith("MED-2.13-2 ")
    }
    assert [*predictions.misjudged_slips(book, some, REPLACED[book.key], 1)] == []

    def unready(state: Any, mine: Any, orders: Sequence[Any] | None) -> bool:
        return any(order.get("buy") in {mine.good} for order in orders or ())

    with monkeypatch.context() as patch:
        patch.setattr(deals, "may_be_met", unready)
        assert "unhashable type" in "\n".join(predictions.misjudged_slips(book, some, REPLACED[book.key], 1))
    monkeypatch.setattr(predictions, "check_sheet", all_good)
    found = "\n".join(predictions.misjudged_slips(book, some, REPLACED[book.key], 1))
    assert "and the check says done" in found


def all_good(rulebook: Any, view: Any, sheet: Sheet) -> CheckResult:
    """What a check says that finds nothing wrong with any order."""
    accounts = (OrderAccount(each.place(), Word.DONE) for each in sheet.orders or ())
    return CheckResult((), (), (), tuple(accounts))


def test_a_form_or_page_that_denies_what_is_legal_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    book = registry.rulebook("mediterranee")
    step = next(islice(matches.steps(book, book.tables[2][0], "denied", sensible=2), 3, None))
    monkeypatch.setattr(offered, "choices_now", lambda phase, view, me: Choices({}, {}, [], []))
    monkeypatch.setattr(offered, "example", lambda name, verb, view, me: None)
    player = step.before.phase.due[0]
    found = "\n".join(offered.hidden_choices(book, step.before, player, SeededChance("denied")))
    assert "the form has no example" in found and "the form says" in found and "the page says" in found


@pytest.mark.ci
def test_a_wish_that_a_game_never_heeds_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all that is offered it alone: the others, tried in the same guesses, do make a difference."""
    book = registry.rulebook("mediterranee")
    steps = matches.steps(book, book.tables[3][0], "in vain", sensible=3)
    auction_begins = next(step.before for step in steps if step.before.phase.name == "auction")
    choice = auction.choice

    def deaf(t: Table[Any], player: str, made: Any, chosen: dict[int, str]) -> int:
        heard = made.seats and [wish for wish in made.seats if wish != 2]
        return choice(t, player, replace(made, seats=heard), chosen)

    def found() -> list[str]:
        player, chance = auction_begins.phase.due[0], SeededChance("in vain")
        return [*offered.offered_in_vain(book, auction_begins, player, chance)]

    assert found() == []
    monkeypatch.setattr(auction, "choice", deaf)
    monkeypatch.setattr(offered, "TRIES", 5 * offered.FEW)
    (said,) = found()
    assert "bid offers 2 in seats, and it makes no difference" in said


@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("mediterranee", ["BidShown", "Scored"]),
        ("rome-carthage", ["MarchPaid", "Shown", "WentOut"]),
        ("serenissima", ["CardDrawn", "Scored"]),
        ("oltremare", ["Played", "Scored", "Sold", "VeniceFound"]),
        (
            "triumvirat",
            [
                *("BidShown", "CardTurned", "NumberNamed", "OrderNamed", "Paid"),
                *("PutAway", "Shown", "Taken"),
            ],
        ),
    ],
)
def test_events_that_make_a_secret_public_are_listed(game: str, names: list[str]) -> None:
    assert sorted(event.__name__ for event in registry.rulebook(game).reveals) == names


def test_cards_laid_ready_for_a_march_are_nobody_elses_business_while_a_fight_waits() -> None:
    book = registry.rulebook("rome-carthage")
    case = cases.Case(
        case="a march not taken, and a fight that waits",
        phase="turn",
        players=("rome", "constantinople", "alexandria", "carthage"),
        options={"first": "rome"},
        given={
            "pieces": {
                "rome-elephant": {"state": "rome", "kind": "elephant", "at": "aquileia"},
                "constantinople-elephant": {"state": "constantinople", "kind": "elephant", "at": "salona"},
                "alexandria-elephant": {"state": "alexandria", "kind": "elephant", "at": "petra"},
                "carthage-elephant": {"state": "carthage", "kind": "elephant", "at": "cirta"},
            }
        },
        sheets={"rome": "orders:\n  - march: [hearts-4]\n  - move: rome-elephant\n    via: [salona]\n"},
        expect={},
    )
    outcome, _ = cases.play(book, case, ("pieces",))
    state = outcome.state
    assert state.phase.name == "fight" and state.march and state.mover == "rome"
    for who in (None, "constantinople", "alexandria", "carthage"):
        text = write_position(position_for(book, state, who))
        assert "hearts-4" not in text and "march:\n" not in text
        assert list(secrets.leaks(book, Step(state, {}, outcome), who)) == []
