"""How few mails a turn of Oltre Mare takes: an absent player costs one deadline,
a merchant's whole turn is one sheet."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.cli.demo import play_phases
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.post import Post
from adjudicator.engine.match.begin import begin
from adjudicator.engine.match.run import rounds_of, run
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.table.event import Head, NotSent
from adjudicator.rulebooks.oltremare import RULEBOOK
from adjudicator.rulebooks.oltremare.events import Exchanged, Loaded, TurnBegan, TurnEnded

PLAYERS = ("contarini", "dandolo", "grimani")
OFFERS = "[{give: {goods: {%s: 1}}, for: {ducats: 1}}]"


def begun(path: Path, **options: str) -> Path:
    """A match of three whose first turn is open."""
    begin("oltremare", path, PLAYERS, options={"pages": "off", **options}, seed_text="calm")
    return path


def head(path: Path) -> Head:
    """The phase that is open."""
    match = Folder(path)
    found: Head = match.state(match.last).phase
    return found


def send(path: Path, player: str, text: str) -> None:
    """Puts a sheet into the open phase."""
    match = Folder(path)
    folder = path / match.phases[-1] / "sheets"
    folder.mkdir(exist_ok=True)
    (folder / f"{player}.yaml").write_text(f"player: {player}\n{text}\n", encoding="utf-8")


@pytest.mark.usefixtures("nobody_reads")
@pytest.mark.parametrize(
    ("absent", "talks"),
    [("rule", "0"), ("bot", "1"), ("rule", "2")]
    + [pytest.param(*pair, marks=pytest.mark.soak) for pair in (("bot", "0"), ("rule", "1"), ("bot", "2"))],
)
def test_an_absent_player_costs_one_deadline_a_turn(tmp_path: Path, absent: str, talks: str) -> None:
    """Whatever others offer meanwhile: a round of players who send nothing is as many deadlines as players."""
    path = begun(tmp_path / "m", absent=absent, talks=talks)
    seats = Folder(path).state(1).seats
    for good, player in zip(("salt", "olive", "pottery"), PLAYERS, strict=True):
        if player != seats[0]:
            send(path, player, f"standing: {{offers: {OFFERS % good}}}")
    for turn in (1, 2):
        for player in seats:
            assert (head(path).name, head(path).turn, head(path).due) == ("commerce", turn, (player,))
            assert run(path).missing == (player,)
            run(path, deadline=True)
    match = Folder(path)
    done = [type(event) for number in range(match.last) for event in match.events(number)]
    assert done.count(TurnBegan) == done.count(TurnEnded) + 1 == done.count(Loaded) + 1 == 7
    assert NotSent not in done
    assert rounds_of(match).so_far == 7


def test_who_falls_silent_after_an_offer_costs_one_deadline_more_and_nobody_waits_for_the_loading(
    tmp_path: Path,
) -> None:
    """Of three mails of a turn with a talk none comes but the first: the others' deadline, the own, and that is all."""
    path = begun(tmp_path / "m")
    player = head(path).due[0]
    send(path, player, "orders: [{offer: all, give: {ducats: 1}, for: {ducats: 2}}]")
    run(path)
    assert head(path).name == "answer"
    run(path, deadline=True)
    assert (head(path).name, head(path).due) == ("voyage", (player,))
    run(path, deadline=True)
    assert head(path).name == "commerce"
    assert head(path).due != (player,)


def test_who_is_silent_costs_no_second_deadline_for_the_same_offer(tmp_path: Path) -> None:
    """With two talks: the second is for other offers, and for those to whom they are made."""
    path = begun(tmp_path / "m", talks="2")
    player, other, third = Folder(path).state(1).seats
    send(
        path,
        player,
        f"orders: [{{offer: {other}, give: {{ducats: 1}}}}, {{offer: {third}, give: {{ducats: 1}}}}]",
    )
    run(path)
    send(path, third, f"orders: [{{refuse: {player}-2}}]")
    run(path, deadline=True)
    assert (head(path).name, head(path).due) == ("commerce", (player,))
    send(path, player, f"orders: [{{offer: {third}, give: {{ducats: 2}}}}]")
    run(path)
    assert (head(path).name, head(path).due) == ("answer", (third,))


@pytest.mark.parametrize("count", [2, pytest.param(3, marks=pytest.mark.soak)])
def test_merchants_take_one_or_two_mails_a_turn(tmp_path: Path, count: int) -> None:
    """With the default stops: one without a talk, two with one; deals are made all the same."""
    begin("oltremare", tmp_path / "m", RULEBOOK.tables[count][0], options={"pages": "off"}, seed_text="calm")
    for _ in play_phases(tmp_path / "m", RULEBOOK, SeededChance("calm")):
        pass
    match = Folder(tmp_path / "m")
    done = [event for number in range(match.last) for event in match.events(number)]
    turns = sum(isinstance(event, TurnBegan) for event in done)
    talks = sum(match.head(number).name == "answer" for number in range(match.last))
    assert 0 < talks < turns
    assert rounds_of(match).so_far <= turns + talks
    assert any(isinstance(event, Exchanged) for event in done)


@pytest.mark.parametrize("talks", ["0", "1"])
def test_what_was_for_the_own_voyage_is_in_no_more_when_the_own_turn_is_over(
    tmp_path: Path, talks: str
) -> None:
    """Orders for `answer` wait for the others' turns of the round; those for the own loading have had their time."""
    path = begun(tmp_path / "m", talks=talks)
    seats = Folder(path).state(1).seats
    ahead = "cargo: {orders: [{load: [gem-01]}]}, voyage: {orders: []}, answer: {orders: [{refuse: %s-1}]}"
    send(path, seats[0], f"orders: [{{then: sail}}]\nlater: {{{ahead % seats[1]}}}")
    run(path)
    while head(path).name != "commerce" or head(path).turn == 1:
        folder, match = Folder(path).phases[-1], Folder(path)
        sent = Post(match).ahead.all_of(match.last, seats[0])
        report = (path / folder / f"for/{seats[0]}/report.md").read_text()
        mine = head(path).due == (seats[0],)
        assert ("cargo" in sent) == mine == ("- Loading, with your sheet" in report), folder
        assert "answer" in sent and "- Answers, with your sheet" in report
        if not mine and seats[2] in head(path).due:
            break
        run(path, deadline=True)


def test_what_is_sent_before_the_own_turn_waits_for_it(tmp_path: Path) -> None:
    path = begun(tmp_path / "m")
    seats = Folder(path).state(1).seats
    send(
        path,
        seats[1],
        "later: {commerce: {orders: [{then: sail}]}, voyage: {orders: []}, cargo: {orders: []}}",
    )
    found = []
    run(path, deadline=True)
    match = Folder(path)
    for number in range(1, match.last + 1):
        if match.head(number).name in ("commerce", "voyage", "cargo"):
            found.append(
                (seats[1] in match.state(number).phase.due, {*Post(match).ahead.all_of(number, seats[1])})
            )
    assert any(due for due, _ in found)
    assert all("cargo" in sent for due, sent in found if due)
    assert all("cargo" not in sent for due, sent in found[-1:] if not due)
