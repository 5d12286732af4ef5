"""What a page asks of an open view: the answers are those of `check`, and nothing that is written there breaks it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from adjudicator.engine.library import registry
from adjudicator.engine.match.sheet_checks import look_at_sheet
from adjudicator.engine.play.choices import choices_now
from adjudicator.engine.play.left import Left, State, left_in
from adjudicator.engine.play.listing import legal
from adjudicator.engine.play.position import write_position
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report.page_scripts import LinkContent, packed_link
from adjudicator.page import called, foreseen
from adjudicator.page.called import call
from adjudicator.page.opened import NotOpened, OpenView, opened
from tests.cli.calling import BAD, adjudicator
from tests.page.positions import some_steps


def sheets(game: str) -> Iterator[tuple[OpenView, bytes]]:
    """Sheets of bots, whole and with the last order twice, each with its player's view."""
    rulebook = registry.rulebook(game)
    for step in some_steps(game)[::5]:
        for player, sheet in step.sheets.items():
            view = opened(write_position(position_for(rulebook, step.before, player)).encode())
            orders = [order.plain for order in sheet.orders or ()]
            for given in (orders, [*orders, *orders[-1:]]):
                yield view, json.dumps({"player": player, "orders": given}).encode()


def first_with_sheets(game: str) -> tuple[str, str, str]:
    """The first phase for which sheets came, a player who sent one, and that player's view."""
    step = next(each for each in some_steps(game) if each.sheets)
    player = next(iter(step.sheets))
    view = write_position(position_for(registry.rulebook(game), step.before, player))
    return step.before.phase.name, player, view


@pytest.mark.parametrize("game", registry.OWN)
def test_the_page_hears_what_check_says(game: str) -> None:
    for view, text in sheets(game):
        problems = look_at_sheet(text, view.expected, view.view, "view.yaml").problems
        found = view.look(text)
        told = [(each["line"], each["column"], each["rule"], each["words"]) for each in found.problems]
        assert told == [(each.line, each.column, each.code, each.text) for each in problems]
        refused = {each["at"] for each in found.orders if each["state"] == "refused"}
        errors = {each.line for each in problems if each.severity == "error" and each.code != "SHEET"}
        assert bool(refused) == bool(errors)


def test_each_order_has_its_path_its_state_and_its_reason() -> None:
    step = next(each for each in some_steps("mediterranee") if each.before.phase.name == "movement")
    player = step.before.phase.due[0]
    view = opened(
        write_position(position_for(registry.rulebook("mediterranee"), step.before, player)).encode()
    )
    moved = next(order.plain for order in step.sheets[player].orders or () if "move" in order.plain)
    found = view.look(json.dumps({"player": player, "orders": [moved, moved]}).encode())
    first, second = ([each for each in found.orders if each["at"] == ("orders", number)] for number in (0, 1))
    assert first[0]["problems"] == []
    assert any("→" in line for line in first[0]["brings"])
    assert second[0]["brings"] == ()
    assert second[0]["state"] == "refused"
    assert second[0]["problems"][0]["rule"] == "MED-3.1"


@pytest.mark.parametrize("game", registry.OWN)
def test_what_an_order_brings_about_stands_under_that_order(game: str) -> None:
    """A report tells what several orders do in one line; a page tells it under each of them."""
    for view, text in sheets(game):
        orders = json.loads(text)["orders"]
        for told in view.look(text).orders:
            if told["state"] != "fine" or len(told["at"]) > 2 or told["at"][0] != "orders":
                continue
            alone = view.look(json.dumps({"player": view.me, "orders": [orders[told["at"][1]]]}).encode())
            if alone.orders[0]["state"] == "fine" and alone.orders[0]["brings"]:
                assert told["brings"], (view.view.phase, orders, told["at"])


def of_subject(view: OpenView, orders: list[Any], subject: str | int) -> Any:
    """What the page is told of a thing after these orders."""
    found = view.look(json.dumps({"player": view.me, "orders": orders}).encode())
    return next(each for each in found.left if each["subject"] == subject)


def chosen(view: OpenView, orders: list[Any], thing: Mapping[str, Any]) -> list[str]:
    """The verbs that can be chosen for a thing beside these orders."""
    asked = Left(thing["phase"], thing["subject"], thing["verbs"], State.OPEN)
    return [*view.choices(json.dumps({"player": view.me, "orders": orders}).encode(), asked).verbs]


def test_the_order_of_a_galley_that_acts_last_leaves_the_others_open() -> None:
    """SER-1.1: galleys act in the order of their numbers, wherever their orders stand in the sheet."""
    rulebook = registry.rulebook("serenissima")
    every = ((step, player) for step in some_steps("serenissima") for player in step.before.phase.due)
    step, player = next(
        (step, player)
        for step, player in every
        if step.before.phase.name == "round" and len(step.before.galleys_of(player)) > 1
    )
    view = opened(write_position(position_for(rulebook, step.before, player)).encode())
    first, *_, last = sorted(int(name) for name in step.before.galleys_of(player))
    orders = [{"sail": last}]
    assert of_subject(view, orders, last)["state"] == "decided"
    assert of_subject(view, orders, last)["by"] == ("orders", 0)
    thing = of_subject(view, orders, first)
    assert thing["state"] == "open"
    assert chosen(view, orders, thing) == ["sail", "invest"]


def test_a_good_order_in_the_wrong_place_is_told_its_place() -> None:
    """A galley moves once: the order that comes first is carried out."""
    rulebook = registry.rulebook("mediterranee")
    step = next(each for each in some_steps("mediterranee") if each.before.phase.name == "movement")
    player = step.before.phase.due[0]
    view = opened(write_position(position_for(rulebook, step.before, player)).encode())
    move = next(order.plain for order in step.sheets[player].orders or () if "move" in order.plain)
    found = view.look(json.dumps({"player": player, "orders": [move, move]}).encode())
    assert "place" not in found.orders[0]
    assert found.orders[1]["place"] == 0  # above the other one, which is refused then


def test_what_is_left_is_told_in_words_with_numbers() -> None:
    found = [
        total for game in registry.OWN for view, text in sheets(game) for total in view.look(text).totals
    ]
    assert found
    for total in found:
        assert isinstance(total["words"], str)
        assert isinstance(total["left"], int)
        assert isinstance(total["of"], int)


def test_an_order_that_loses_a_galley_is_told_so_where_it_stands() -> None:
    """Who lands the last sailors by a tap sees what `check` warns of, also of an order for a phase to come."""
    rulebook = registry.rulebook("mediterranee")
    step = next(each for each in some_steps("mediterranee") if each.before.phase.name == "movement")
    player = step.before.phase.due[0]
    view = position_for(rulebook, step.before, player)
    page, sunk = opened(write_position(view).encode()), 0
    for move in legal("move", rulebook.phase("movement").verbs["move"], view, player):
        land = {"land": view.galleys[move["move"]].sailors, "from": move["move"]}
        sheet = {"player": player, "orders": [move], "later": {"landing": {"orders": [land]}}}
        found = page.look(json.dumps(sheet).encode())
        warned = [each["rule"] for each in found.problems if each["severity"] == "warning"]
        (order,) = (each for each in found.orders if each["at"][0] == "later")
        assert set(warned) <= {each["rule"] for each in order["warns"]}
        sunk += "MED-5.3" in warned
    assert sunk


@pytest.mark.parametrize("game", registry.OWN)
def test_before_any_order_the_choices_are_those_of_the_attached_page(game: str) -> None:
    """What a phase does once orders are done isn't done yet while they are made. Only what the rules do in the player's
    place before all other orders (OLT-1.1) makes more possible. Where each thing has its own turn (SER-1.1), nothing is
    possible about none.
    """
    rulebook = registry.rulebook(game)
    for step in some_steps(game)[::5]:
        for player in step.before.phase.due:
            seen = position_for(rulebook, step.before, player)
            phase = rulebook.phase(seen.phase.name)
            attached = choices_now(phase, seen, player)
            found = opened(write_position(seen).encode()).choices(
                json.dumps({"player": player, "orders": []}).encode(),
                Left(phase.name, None, dict.fromkeys(phase.verbs, ()), State.OPEN),
            )
            if found.verbs.keys() == attached.verbs.keys():
                assert (found.verbs, found.nodes) == (attached.verbs, attached.nodes)
            elif [*attached.verbs] != ["discard"]:
                things = [each for each in left_in(rulebook, seen, player) if each.subject is not None]
                assert attached.verbs.keys() - found.verbs.keys() <= {
                    verb for each in things for verb in each.verbs
                }
                assert game == "serenissima"


@pytest.mark.parametrize("name", BAD)
def test_a_file_that_is_no_sheet_gets_one_problem_with_its_place(name: str) -> None:
    view, _ = next(sheets("mediterranee"))
    found = view.look(BAD[name])
    assert found.orders == ()
    assert [each["severity"] for each in found.problems] == ["error"]
    assert not view.choices(BAD[name], Left("market", None, {"buy": ()}, State.OPEN)).nodes


@pytest.mark.parametrize("text", ["", "match: [", "- 1", "match: lagoon\n", "rulebook: chess\n", "\x00"])
def test_what_is_no_view_is_not_opened(text: str) -> None:
    with pytest.raises(NotOpened) as bad:
        opened(text.encode())
    assert bad.value.problems
    assert json.loads(call("view", json.dumps({"text": text})))["problems"]


def test_a_view_that_another_version_wrote_is_called_so() -> None:
    found = json.loads(
        call("link", json.dumps({"code": packed_link(LinkContent("rulebook: chess\n", program="9.9"))}))
    )
    assert found == {"why": "link-version"}


def test_nobodys_view_is_not_opened() -> None:
    rulebook = registry.rulebook("mediterranee")
    state = some_steps("mediterranee")[3].before
    for text in (write_position(position_for(rulebook, state, None)), write_position(state)):
        with pytest.raises(NotOpened, match="no player's view"):
            opened(text.encode())


@pytest.mark.parametrize("game", registry.OWN)
def test_a_link_opens_the_page_of_its_player(game: str) -> None:
    _, player, view = first_with_sheets(game)
    found = json.loads(
        call("link", json.dumps({"code": packed_link(LinkContent(view, "Sunday", "gm@example.org"))}))
    )
    assert found["player"] == player
    assert "Sunday" in found["page"]
    assert "gm@example.org" in found["page"]
    looked = msgspec.json.decode(
        call("look", json.dumps({"view": view, "text": json.dumps({"player": player, "orders": []})}))
    )
    assert looked["problems"] == []


@pytest.mark.parametrize("game", registry.OWN)
def test_the_page_tries_out_what_might_happen(game: str) -> None:
    view, text = next(sheets(game))
    given = {"view": write_position(view.view), "sheets": {view.me: text.decode()}, "bots": True}
    found = json.loads(call("try", json.dumps(given)))
    assert "Only a guess" in found["report"]
    wrong = json.loads(call("try", json.dumps({**given, "throws": ["nonsense"]})))
    assert {*wrong} in ({"why"}, {*found})


def test_what_is_wrong_with_the_sheets_of_bots_is_not_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The reader didn't write them: neither the page nor `try` tells their faults; the own sheet's are told."""
    view, _ = next(sheets("mediterranee"))
    other = next(player for player in view.view.phase.due if player != view.me)
    wrong = {
        player: json.dumps({"player": player, "orders": [{"bild": "galley"}]}) for player in (view.me, other)
    }
    monkeypatch.setattr(called, "bot_sheets", lambda *_: {f"{other}.yaml": wrong[other].encode()})
    monkeypatch.setattr(foreseen, "bot_sheets", called.bot_sheets)

    def faulty(ordering: Mapping[str, str], *, bots: bool) -> set[str]:
        given = {"view": write_position(view.view), "sheets": ordering, "bots": bots}
        return {each["file"] for each in json.loads(call("try", json.dumps(given)))["problems"]}

    mine, theirs = f"{view.me}.yaml", f"{other}.yaml"
    assert faulty(wrong, bots=False) == {mine, theirs}  # the reader has written both
    assert faulty({view.me: wrong[view.me]}, bots=True) == {mine}
    (tmp_path / "view.yaml").write_text(write_position(view.view))
    (tmp_path / f"{view.me}.yaml").write_text(wrong[view.me])
    told = adjudicator("try", tmp_path / "view.yaml", tmp_path / f"{view.me}.yaml", "--bots").output
    assert mine in told
    assert theirs not in told


@pytest.mark.parametrize("game", registry.OWN)
def test_a_bot_goes_on_from_the_orders_that_stand(game: str) -> None:
    """What it advises beside them is refused nowhere, and it repeats none where each thing is ordered once."""
    phase, player, view = first_with_sheets(game)

    def asked(name: str, orders: list[Any]) -> Any:
        text = json.dumps({"player": player, "orders": orders})
        return json.loads(call(name, json.dumps({"view": view, "text": text})))

    stand: list[Any] = []
    for _ in range(4):
        left = [each for each in asked("look", stand)["left"] if each["state"] != "open"]
        decided = {verb for each in left for verb in each["verbs"]} if stand else set()
        found = asked("advise", stand).get(phase, [])
        advised = [each for each in found if each not in stand and decided.isdisjoint(each)]
        stand += advised[:1]
        assert [
            each["problems"] for each in asked("look", stand)["orders"] if each["state"] == "refused"
        ] == []
    assert stand
