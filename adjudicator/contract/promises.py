"""All promises of the contract as one class of tests, for any rulebook, ours or another's.

If a rulebook isn't complete, the tests name each missing part and try nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from adjudicator.contract import (
    case_outcomes,
    cases as case_files,
    composition,
    event_texts,
    hostile,
    known,
    languages,
    legality,
    matches,
    offered,
    offers,
    options,
    predictions,
    scope as scopes,
    secrets,
    senders,
    sending,
    true_reasons,
    who_sees,
)
from adjudicator.contract.scope import ALL, BUT_ONE, HALF, OWN, RANDOM, SOME, Scope, Steps, Table, none_of
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.play.inbox import EVERY
from adjudicator.engine.table.dice import SeededDice, seed_from
from adjudicator.engine.table.rulebook import Rulebook


def suite(  # noqa: PLR0913 - all that the tests must be told of a rulebook
    rulebook: Rulebook[Any],
    *,
    cases: Path,
    replaced: Sequence[str] = (),
    to_remember: Sequence[str] = (),
    golden: Sequence[Path] = (),
    hindrances: true_reasons.Hindrances | None = None,
    random: int = 7,
    rarely: Sequence[pytest.MarkDecorator] = (),
    more: Sequence[pytest.MarkDecorator] = (),
    with_options: Sequence[pytest.MarkDecorator] = (),
) -> type[Any]:
    """The tests of a rulebook, a class whose name should begin with `Test`.

    `cases` is the folder of its case files. `replaced` names the mappings of pieces that come and go, which a case's
    `given` replaces whole. `to_remember` are the kinds of secrets (`players.*.hand.*`) that players see when they are
    played, and must remember once they are hidden again. `golden` are folders of matches that must verify and be
    handed out as they lie there. `hindrances` says what the reasons of refusals name (`true_reasons`). `random` is how
    many random matches are played at each table. `rarely` are marks for what may be tried less often where time is
    short. Without these marks, a promise is tried at one table, the next promise at the next one (or at the same, if
    both look at the same match). The marks go on everything that tries the same again in another way: other stops,
    options at more tables, more of a match, and the hash seeds, which need processes of their own. `more` are marks for
    part of that: some phases where a few are tried, all cases where one in a few is. `with_options` are marks for all
    that is tried with an option that isn't the usual one.
    """
    by_name = case_files.cases_by_name(cases)
    fewest, few = rulebook.tables[min(rulebook.tables)][0] if rulebook.tables else (), scopes.CASES_SKIPPED
    usual = matches.lists_of_stops(rulebook)[:2][-1]
    numbers = {options.option_text(chosen): chosen for chosen in options.numeric_options(rulebook)}
    least = {name: (chosen, few) for chosen in reversed(numbers.values()) for name in chosen}
    scope = Scope(rulebook, rarely, more)
    unusual = [
        pytest.param(each, id=options.option_text(each), marks=with_options)
        for each in options.unusual_options(rulebook)
    ]
    match = scope.match

    def some(each: int) -> dict[str, case_files.Case | str]:
        return dict(islice(by_name.items(), None, None, each))

    @cache
    def lacking() -> tuple[str, ...]:
        return tuple(composition.missing_parts(rulebook))

    class Contract:
        """One test for each promise."""

        @pytest.fixture(autouse=True)
        def complete(self, request: pytest.FixtureRequest) -> None:
            """Skips every test of a rulebook that isn't complete."""
            if lacking() and request.function.__name__ != "test_it_is_whole":
                pytest.skip("the rulebook isn't whole")

        def test_it_is_whole(self) -> None:
            none_of(lacking())

        def test_every_rule_is_enforced_and_has_cases(self) -> None:
            none_of(composition.faults_of_rules(rulebook, cases))

        def test_every_ruling_of_an_earlier_version_is_asked_for_told_and_tried(self) -> None:
            none_of(composition.faults_of_versions(rulebook, cases))

        def test_matches_are_played_to_the_end_by_every_version_that_is_still_there(self) -> None:
            for version in rulebook.versions[:-1]:
                name = f"contract by version {version}"
                steps = matches.steps(rulebook, fewest, name, sensible=1, rules=version)
                none_of(matches.faults_of_match(rulebook, steps, name))

        def test_every_option_of_its_own_is_in_the_rules_and_in_a_case(self) -> None:
            none_of(composition.faults_of_options(rulebook, cases))

        # Named explicitly: pytest replaces long names that it makes itself by a number, and `-k` misses those.
        @pytest.mark.parametrize("name", by_name, ids=list(by_name))
        def test_case(self, name: str) -> None:
            case = by_name[name]
            none_of([case] if isinstance(case, str) else case_outcomes.failures(rulebook, case, replaced))

        def test_what_happens_is_told(self) -> None:
            samples = event_texts.collect_samples(rulebook, cases, replaced)
            none_of(event_texts.faults_of_event_texts(rulebook, samples))

        def test_each_of_its_languages_says_all_that_english_says(self) -> None:
            for language in languages.translations(rulebook.key):
                none_of(languages.faults_of_language(rulebook.key, language))

        @scope.phases_of(HALF)
        def test_each_of_its_languages_tells_the_same_facts(self, steps: Steps) -> None:
            for language in languages.translations(rulebook.key):
                none_of(languages.faults_of_facts(rulebook, language, steps))

        def test_each_secret_has_a_case_that_hides_it(self) -> None:
            none_of(who_sees.secrets_never_hidden(rulebook, cases, replaced))

        @scope.phases_of(HALF)
        def test_a_match_shows_secrets_only_to_those_to_whom_cases_show_them(self, steps: Steps) -> None:
            shown = who_sees.shown_by_cases(rulebook, cases, replaced)
            none_of(who_sees.secrets_not_in_cases(rulebook, shown, tuple(steps)))

        @scope.tables_of(HALF)
        def test_what_happens_tells_no_secret_and_no_hidden_number_or_text(self, players: Table) -> None:
            for step in match(players, HALF):
                none_of(secrets.deducible_secrets(rulebook, step, to_remember))
                none_of(secrets.hidden_values_told(rulebook, step, HALF))

        @scope.tables_of(OWN)
        def test_the_checks_of_its_players_accept_what_the_own_bot_sends(self, players: Table) -> None:
            none_of(predictions.refused_by_checks(rulebook, match(players, OWN), players))

        @scope.phases_of(HALF)
        def test_a_guess_is_what_its_reader_could_take_for_the_position(self, steps: Steps) -> None:
            chance = SeededChance("guess")
            for step in steps:
                none_of(known.bad_guesses(rulebook, step.outcome.state, chance))

        @scope.tables_of(HALF)
        def test_what_a_player_knows_is_true_and_follows_from_what_the_player_was_told(
            self, players: Table
        ) -> None:
            none_of(known.faults_of_known(rulebook, tuple(match(players, HALF)), SeededChance("known")))

        @scope.cases(few)
        def test_a_guess_is_so_wherever_a_case_begins_or_ends(self, each: int) -> None:
            none_of(known.bad_guesses_of_cases(rulebook, some(each), replaced))

        @scope.of_each_kind
        def test_matches_of_each_kind_end_and_every_position_can_be(self, players: Table, kind: str) -> None:
            none_of(matches.faults_of_match(rulebook, match(players, kind), kind))

        @scope.seeds(random)
        def test_random_matches_end_and_every_position_can_be(self, players: Table, seed: int) -> None:
            name, sensible = f"contract {seed}", seed % (len(players) + 1)
            steps = matches.steps(rulebook, players, name, sensible=sensible)
            none_of(matches.faults_of_match(rulebook, steps, name))

        @pytest.mark.parametrize("everywhere", [False, pytest.param(True, marks=rarely)])
        @pytest.mark.parametrize("chosen", unusual)
        def test_with_every_option_a_match_keeps_what_is_promised(
            self, chosen: Any, everywhere: bool
        ) -> None:
            none_of(options.faults_with_option(rulebook, chosen, to_remember, everywhere=everywhere))

        @pytest.mark.parametrize("chosen", numbers.values(), ids=numbers)
        def test_with_a_number_at_its_ends_and_between_a_match_ends_and_every_position_can_be(
            self, chosen: Any
        ) -> None:
            none_of(options.faults_with_number(rulebook, chosen))

        @scope.first(("chosen", "each"), least, {name: (chosen, 1) for name, chosen in numbers.items()})
        def test_with_a_number_at_its_ends_and_between_cases_end_in_positions_that_can_be(
            self, chosen: Any, each: int
        ) -> None:
            none_of(case_outcomes.faults_of_full_positions(rulebook, some(each), replaced, chosen))

        @scope.first(("times", "each"), {"few": (1, few)}, {"often": (12, 1)}, {"once": (1, 1)})
        @pytest.mark.parametrize("chosen", [pytest.param({}, id=options.option_text({})), *unusual])
        def test_wherever_a_case_begins_positions_can_be_and_who_is_due_tells_no_secret(
            self, chosen: Any, times: int, each: int
        ) -> None:
            none_of(case_outcomes.faults_of_cases(rulebook, some(each), chosen, replaced, times))

        @scope.cases(few)
        def test_however_full_pieces_are_a_case_ends_in_a_position_that_can_be(self, each: int) -> None:
            none_of(case_outcomes.faults_of_full_positions(rulebook, some(each), replaced))

        @scope.phases_of(BUT_ONE)
        def test_listed_if_and_only_if_accepted_whatever_is_hidden(self, steps: Steps) -> None:
            chance = SeededChance("legality")
            for state, player in steps.due():
                none_of(legality.disagreements(rulebook, state, player, chance))

        @scope.phases_of(RANDOM)
        def test_an_else_does_what_it_would_do_in_the_place_of_its_order(self, steps: Steps) -> None:
            chance = SeededChance("else")
            for step in steps:
                none_of(legality.wrong_else_orders(rulebook, step, chance))

        @scope.phases_of(BUT_ONE)
        def test_what_can_be_done_once_says_what_it_uses_up(self, steps: Steps) -> None:
            if not legality.has_verb_without_uses(rulebook):
                pytest.skip("each verb says what it uses up")
            none_of(legality.undeclared_uses(rulebook, steps.positions(), SeededChance("used twice")))

        @scope.phases_of(HALF)
        def test_what_can_be_done_once_is_refused_a_second_time_by_the_rule_that_is_said(
            self, steps: Steps
        ) -> None:
            none_of(legality.false_reasons(rulebook, steps.positions(), SeededChance("once")))
            none_of(legality.repeated_untold(rulebook, steps.positions(), SeededChance("again")))

        @scope.tables_of(OWN)
        def test_no_schema_marks_an_accepted_order(self, players: Table) -> None:
            for step in match(players, OWN)[::5]:
                phase = rulebook.phase(step.before.phase.name)
                for player in step.before.phase.due:
                    orders = [order.fields for order in step.sheets[player].orders or ()]
                    none_of(legality.schema_rejections(rulebook, phase, step.before, player, orders))

        @scope.phases_of(OWN)
        def test_an_order_left_out_is_told_as_left_and_can_be_chosen_again(self, steps: Steps) -> None:
            for step in steps:
                none_of(true_reasons.orders_not_left(rulebook, step))

        @scope.cases(20, 4)
        def test_an_order_left_out_of_a_case_is_told_as_left_and_can_be_chosen_again(self, each: int) -> None:
            none_of(true_reasons.orders_of_cases_not_left(rulebook, some(each), replaced))

        @scope.phases_of(HALF, slow=True)
        def test_what_a_search_by_chance_finds_legal_is_nowhere_shown_as_impossible(
            self, steps: Steps
        ) -> None:
            chance = SeededChance("offered")
            for state, player in steps.due():
                none_of(offered.hidden_choices(rulebook, state, player, chance))

        @scope.phases_of(HALF, slow=True)
        def test_what_is_offered_as_a_whole_order_is_not_refused_at_once(self, steps: Steps) -> None:
            for state, player in steps.due():
                none_of(offers.refused_offers(rulebook, state, player, scopes.OFFERS_SKIPPED))

        @scope.phases_of(HALF, slow=True)
        def test_what_a_page_offers_for_a_list_of_preferences_can_make_a_difference(
            self, steps: Steps
        ) -> None:
            chance = SeededChance("in vain")
            for state, player in steps.due():
                none_of(offered.offered_in_vain(rulebook, state, player, chance))

        @scope.phases_of(HALF)
        def test_what_does_nothing_until_more_is_chosen_says_so(self, steps: Steps) -> None:
            none_of(offered.misjudged(rulebook, steps.positions(), SeededChance("idle")))

        @scope.phases_of(HALF)
        def test_what_an_order_costs_is_told_before_it_is_chosen(self, steps: Steps) -> None:
            chance = SeededChance("prices")
            for state, player in steps.due():
                none_of(offered.prices_not_told(rulebook, state, player, chance))

        @scope.phases_of(OWN)
        def test_positions_and_views_read_back_as_they_were_written(self, steps: Steps) -> None:
            for step in steps:
                none_of(matches.differences_in_files(rulebook, step))

        @scope.seldom
        def test_hash_seeds_give_the_same_match(self) -> None:
            none_of(matches.differences_by_hash_seed(rulebook))

        @scope.phases_of(RANDOM)
        def test_a_phase_that_waited_begins_as_before(self, steps: Steps) -> None:
            none_of(matches.differences_after_wait(rulebook, steps, RANDOM))

        @scope.first("every_page", {"one reader's": False}, {"all": True})
        @scope.tables_of(HALF)
        def test_nothing_a_player_gets_tells_what_is_hidden(self, players: Table, every_page: bool) -> None:
            """With pages for the opening of each phase; where time is short, with those of one reader."""
            opened: list[str] = []
            readers = (*players, None)
            for at, step in enumerate(match(players, HALF)):
                first = step.outcome.state.phase.name not in opened
                if first or at % scopes.PAPERS_TRIED == 0:
                    for number, who in enumerate(readers):
                        pages = first and (every_page or number == len(opened) % len(readers))
                        none_of(secrets.leaks(rulebook, step, who, pages=pages))
                if first:
                    opened.append(step.outcome.state.phase.name)

        @scope.phases_of(HALF)
        def test_facts_can_be_asked_and_tell_nothing_that_is_hidden(self, steps: Steps) -> None:
            chance = SeededChance("facts")
            for step in steps:
                for player in steps.players:
                    none_of(senders.leaky_conditions(rulebook, step.before, player, chance))

        @scope.phases_of(OWN)
        def test_a_check_that_meets_a_secret_finds_nothing(self, steps: Steps) -> None:
            for step in steps:
                none_of(secrets.flawed_views(rulebook, step))

        @scope.phases_of(RANDOM)
        def test_the_order_of_sheets_changes_nothing(self, steps: Steps) -> None:
            for step in steps:
                dice = SeededDice(seed_from(RANDOM), RANDOM, step.before.phase.number)
                none_of(matches.effects_of_sheet_order(rulebook, step, dice))

        @scope.senders(random)
        def test_what_a_check_says_of_a_sheet_is_borne_out(
            self, players: Table, seed: int, pacing: str, most: int
        ) -> None:
            steps = sending.played_match(rulebook, players, f"sent {seed}", pacing, most)
            none_of(predictions.wrong_predictions(rulebook, steps, SeededChance("foretold")))

        @scope.cases(few)
        def test_what_is_said_of_the_sheets_of_cases_is_what_the_referee_made(self, each: int) -> None:
            none_of(predictions.faults_of_case_accounts(rulebook, some(each), replaced))

        @scope.first("each", {"some": 60}, {"all": 1})
        def test_a_slip_in_one_field_is_judged_alike_by_check_account_and_referee(self, each: int) -> None:
            none_of(predictions.misjudged_slips(rulebook, by_name, replaced, each))

        def test_a_reason_in_a_case_names_what_was_in_the_way(self) -> None:
            if hindrances is None:
                pytest.skip("nobody says what the reasons name")
            none_of(true_reasons.false_reasons_of_cases(rulebook, by_name, replaced, hindrances))

        @scope.senders(random)
        def test_a_reason_in_a_match_names_what_was_in_the_way(
            self, players: Table, seed: int, pacing: str, most: int
        ) -> None:
            if hindrances is None:
                pytest.skip("nobody says what the reasons name")
            steps = sending.played_match(rulebook, players, f"refused {seed}", pacing, most)
            none_of(true_reasons.false_reasons_of_match(rulebook, steps, hindrances))

        @scope.lists_of_stops(usual)
        def test_a_match_in_a_folder_waits_at_its_stops_alone_and_verifies(
            self, tmp_path: Path, stops: str, runs: int
        ) -> None:
            none_of(matches.play_in(rulebook, tmp_path / "match", "contract", stops, runs))

        @scope.lists_of_stops(EVERY)
        def test_players_who_send_ahead_err_and_stay_away_stop_no_match(
            self, tmp_path: Path, stops: str, runs: int
        ) -> None:
            none_of(matches.play_carelessly(rulebook, tmp_path / "match", "careless", stops, runs))

        @pytest.mark.parametrize("folder", golden, ids=lambda folder: folder.name)
        def test_golden_match(self, folder: Path) -> None:
            none_of(matches.stale_files(folder))

        @scope.tables_of(BUT_ONE)
        def test_whatever_a_sheet_holds_is_answered(self, players: Table) -> None:
            steps, times = match(players, BUT_ONE), scopes.SHEETS_TRIED
            none_of(hostile.faults_in_match(rulebook, steps, "hostile", times=times))

        @scope.phases_of(HALF)
        def test_whatever_a_sheet_names_that_may_be_hidden_is_answered(self, steps: Steps) -> None:
            none_of(hostile.faults_of_hidden_names(rulebook, steps, "unseen"))

        @scope.phases_of(RANDOM)
        def test_what_is_said_of_a_sheet_names_no_fact_that_is_not_given(self, steps: Steps) -> None:
            none_of(event_texts.faults_of_reasons(rulebook, steps, "said"))

        @scope.first("phases", {"some": SOME}, {"all": ALL})
        def test_whatever_a_position_holds_is_answered(self, phases: range) -> None:
            steps = matches.some_of_each(match(fewest, RANDOM), phases)
            none_of(case_files.careless_checks(rulebook, steps, "careless"))

    Contract.__qualname__ = Contract.__name__ = f"Contract of {rulebook.title}"
    return Contract
