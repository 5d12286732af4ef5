"""The league: ratings worked out by hand, final places, and which matches count in which order."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from datetime import UTC, datetime
from math import log
from pathlib import Path
from types import MappingProxyType, SimpleNamespace

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from adjudicator.engine.folder.entries import Agreed, Closed
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.folder.ledger import line_of
from adjudicator.engine.folder.papers import text_of
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.engine.table.points import Line
from adjudicator.gm.league import (
    BEGINS,
    Finish,
    agreed_places,
    games_of,
    league,
    names_shown,
    numbered_places,
    places_at_end,
    table,
)
from adjudicator.gm.ratings import (
    SUREST,
    Rating,
    expected_score,
    rating_after,
    ratings,
    ratings_after_matches,
    weight,
)
from tests.cli.calling import adjudicator, plain


def rounded(*matches: tuple[tuple[str, ...], ...]) -> dict[str, str]:
    return {one: str(rating) for one, rating in sorted(ratings(matches).items())}


def test_a_rating_moves_as_in_the_paper_that_describes_it() -> None:
    """Glickman's example: one game won, then two lost, against others who are more or less sure."""
    others = (Rating(1400, 30), 1), (Rating(1550, 100), 0), (Rating(1700, 300), 0)
    found = rating_after(Rating(1500, 200), others)
    assert (round(found.rating), round(found.give, 1)) == (1464, 151.4)
    assert [round(weight(other.give), 4) for other, _ in others] == [0.9955, 0.9531, 0.7242]
    assert [round(expected_score(Rating(1500, 200), other), 3) for other, _ in others] == [
        0.639,
        0.432,
        0.303,
    ]


def test_two_who_are_new_win_and_lose_the_same():
    assert rounded((("anna",), ("ben",))) == {"anna": "1662 ± 290", "ben": "1338 ± 290"}


def test_a_draw_of_equals_only_makes_them_surer():
    assert rounded((("anna", "ben"),)) == {"anna": "1500 ± 290", "ben": "1500 ± 290"}


def test_a_match_of_four_counts_as_one_game():
    found = rounded((("a",), ("b",), ("c",), ("d",)))
    assert found == {"a": "1662 ± 290", "b": "1554 ± 290", "c": "1446 ± 290", "d": "1338 ± 290"}


def test_who_shares_a_place_has_drawn():
    assert rounded((("a",), ("b", "c"))) == {"a": "1662 ± 290", "b": "1419 ± 290", "c": "1419 ± 290"}


def test_all_ratings_of_a_match_are_those_before_it():
    one, two = (("a",), ("b",)), (("c",), ("a",), ("b",))
    now = ratings([one])
    games = ((now["b"], 1.0), (Rating(), 0.0))
    assert ratings([one, two])["a"] == rating_after(now["a"], games, 1 / 2)


def test_ratings_grow_surer_and_never_quite_sure():
    """By then a victory over an equal moves them by 16, as an Elo rating with a step of 32."""
    finishes = [(("a",), ("b",)), (("b",), ("a",))] * 40
    gives = [after["a"].give for after in ratings_after_matches(finishes)]
    assert gives == sorted(gives, reverse=True) and gives[0] > 250 and gives[-1] == SUREST
    sure = Rating(1500, SUREST)
    assert 15 < rating_after(sure, [(sure, 1)]).rating - 1500 < 17


def test_strengths_lie_within_what_is_said_in_two_of_three_cases_or_more():
    """Players of known strengths, whose matches of four are decided by chance."""
    chance, strength = SeededChance("league"), {}
    for number in range(60):
        strength[f"player {number:02}"] = 1500 + sum(chance(401) - 200 for _ in range(3))
    finishes = []
    for _ in range(180):
        found = sorted(strength, key=lambda _: chance(10**6))[:4]
        # With this noise a difference of 400 is ten victories to one.
        luck = {
            one: strength[one] - 400 / log(10) * log(-log((chance(10**6) + 1) / 10**6 / 1.001))
            for one in found
        }
        finishes.append(tuple((one,) for one in sorted(found, key=lambda one: -luck[one])))
    now = ratings(finishes)
    inside = sum(abs(now[one].rating - strength[one]) <= now[one].give for one in now)
    assert 0.65 < inside / len(now) < 0.95


people = st.permutations("abcd").flatmap(
    lambda order: st.sets(st.integers(1, 3)).map(
        lambda cuts: tuple(
            tuple(order[first:last])
            for first, last in zip([0, *sorted(cuts)], [*sorted(cuts), 4], strict=True)
        )
    )
)


@given(st.lists(people, max_size=8))
def test_the_order_of_persons_is_no_matter(matches):
    found = ratings(matches)
    turned = [tuple(tuple(reversed(place)) for place in match) for match in matches]
    assert ratings(turned) == found


def test_places_in_the_table_are_shared():
    finishes = [Finish("x", "x", "game", (("a", "b"), ("c",)))]
    rows = [(row.place, row.person, str(row.rating), row.matches, row.won) for row in table(finishes)]
    assert rows == [
        (1, "a", "1581 ± 290", 1, 0.5),
        (1, "b", "1581 ± 290", 1, 0.5),
        (3, "c", "1338 ± 290", 1, 0),
    ]
    assert numbered_places((("a", "b"), ("c",), ("d",))) == [(1, ("a", "b")), (3, ("c",)), (4, ("d",))]


def ended(won: tuple[str, ...], **points: int):
    lines = {player: (Line("R", "x", None, number),) for player, number in points.items()}
    rulebook = SimpleNamespace(won=lambda state: won, points=lambda state: lines)
    return SimpleNamespace(
        rulebook=rulebook, last=0, state=lambda number: None, card=SimpleNamespace(players=tuple(points))
    )


def test_who_has_won_comes_first_whatever_the_points():
    assert places_at_end(ended(("b",), a=9, b=1, c=9, d=3)) == (("b",), ("a", "c"), ("d",))
    assert places_at_end(ended(("a", "b"), a=9, b=9)) == (("a", "b"),)


def test_if_nobody_has_won_all_share():
    assert places_at_end(ended((), a=9, b=1)) == (("a", "b"),)


def test_persons_are_called_by_name_or_by_what_stands_before_the_at():
    persons = {"anna@x.org", "ben@x.org", "ben@y.org", "dora"}
    assert names_shown(persons, {"ben@y.org": "Benedict"}) == {
        "anna@x.org": "anna", "ben@x.org": "ben", "ben@y.org": "Benedict", "dora": "dora",
    }  # fmt: skip
    assert names_shown({"ben@x.org", "ben@y.org"}, {}) == {"ben@x.org": "ben@x.org", "ben@y.org": "ben@y.org"}
    assert names_shown({"ben@x.org", "b@y.org"}, {"b@y.org": "ben"})["ben@x.org"] == "ben@x.org"


# -- folders -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played(tmp_path_factory) -> Path:
    """Three matches of two that are over, and one that isn't."""
    top = tmp_path_factory.mktemp("club")
    for name in ("one", "two", "three"):
        words = ("demo", "mediterranee", top / name, "--seed", name, "--players", 2)
        assert adjudicator(*words, "--option", "turns=1", "--option", "pages=off").exit_code == 0
        shutil.rmtree(top / name / "site")
    seats = ("--player", "venice=Anna@example.org", "--player", "genoa=ben@example.org")
    assert adjudicator("new", "mediterranee", top / "open", *seats).exit_code == 0
    return top


@pytest.fixture
def club(played: Path, tmp_path: Path) -> Path:
    club = Path(shutil.copytree(played, tmp_path / "club"))
    seat(club / "one", venice="anna@example.org", genoa="ben@example.org")
    seat(club / "two", venice="ben@example.org", genoa="Dora")
    seat(club / "three", venice="Anna@Example.org", genoa="Dora")
    return club


def seat(match: Path, names: Mapping[str, str] = MappingProxyType({}), **persons: str) -> None:
    secrets = open_match(match).secrets()
    assert secrets is not None
    (match / "referee.yaml").write_bytes(text_of(replace(secrets, addresses=persons, names=dict(names))))


def ends(match: Path, day: int) -> None:
    phase = open_match(match).phases[-2]
    entry = Closed(at=datetime(2026, 11, day, tzinfo=UTC), phase=phase, by="gm")
    (match / "ledger.jsonl").write_bytes(line_of(entry))


def every(club: Path) -> list[Path]:
    return [club / name for name in ("one", "two", "three", "open")]


def names_of(found) -> list[str]:
    return [Path(each.folder).name for each in found.finishes]


@pytest.mark.ci
def test_matches_count_by_their_ends_then_by_name(club):
    assert names_of(league(every(club))) == ["one", "three", "two"]
    ends(club / "two", 3)
    ends(club / "one", 5)
    assert names_of(league(every(club))) == ["two", "one", "three"]
    assert league(reversed(every(club))).rows == league(every(club)).rows


def test_one_person_however_the_address_is_written(club):
    found = league(every(club))
    assert sorted(row.person for row in found.rows) == ["Dora", "anna", "ben"]
    assert [row.matches for row in found.rows] == [2, 2, 2]
    assert [(Path(each.folder).name, each.why, each.faulty) for each in found.left_out] == [
        ("open", "it isn't over", False)
    ]


def test_persons_are_called_as_their_matches_name_them(club):
    """With or without an address beside the name; --names goes before it."""
    seat(club / "one", {"venice": "Anna", "genoa": "Ben"}, venice="anna@example.org", genoa="b@example.org")
    seat(club / "two", {"venice": "Ben", "genoa": "Dora"}, venice="b@example.org")
    seat(club / "three", {"venice": "Anna", "genoa": "Dora"}, genoa="dora@example.org")
    assert {row.person: row.matches for row in league(every(club)).rows} == {"Anna": 2, "Ben": 2, "Dora": 2}
    called = {row.person for row in league(every(club), {"b@example.org": "Benedict"}).rows}
    assert called == {"Anna", "Benedict", "Dora"}


def test_an_address_for_nobody_is_no_person_in_a_match(club):
    secrets = open_match(club / "one").secrets()
    assert secrets is not None
    addresses = {**secrets.addresses, "genova": "ben@example.org"}
    text = text_of(replace(secrets, addresses=addresses, bots={"genoa": "random"}))
    (club / "one" / "referee.yaml").write_bytes(text)
    assert [(Path(each.folder).name, each.why) for each in league([club / "one"]).left_out] == [
        ("one", "it was played alone")
    ]


def test_two_persons_of_one_name_stay_two(club):
    seat(club / "one", {"venice": "Anna"}, venice="anna@example.org", genoa="ben@example.org")
    seat(club / "two", {"venice": "Anna"}, venice="ann@example.org", genoa="ben@example.org")
    assert {"anna", "ann", "ben"} <= {row.person for row in league(every(club)).rows}


def test_what_cant_count_is_named_and_stops_nothing(club, tmp_path):
    shutil.copytree(club / "one", club / "copy")
    seat(club / "two", venice="ben@example.org")
    seat(club / "three", venice="anna@example.org", genoa="anna@example.org")
    (club / "open" / "match.yaml").write_text("match: [\n")
    told = adjudicator("league", *every(club), club / "copy", club / "nothing")
    assert told.exit_code == 1
    assert f"left out: {club / 'copy'}: the same match as {club / 'one'}" in told.output
    assert f"left out: {club / 'two'}: there is no address for genoa" in told.output
    assert f"left out: {club / 'three'}: anna played more than one seat" in told.output
    assert f"left out: {club / 'open'}: {club / 'open' / 'match.yaml'}:" in told.output
    assert "there is no such folder" in told.output
    assert "2 players, 1 finished match." in told.output


def test_the_commands_ways_of_saying_it(club, tmp_path):
    names, page = tmp_path / "names.yaml", tmp_path / "league.html"
    names.write_text("ANNA@example.org: Anna <b>\nben@example.org: Ben\n")
    words = ("league", *every(club), "--names", names)
    said = adjudicator(*words, "--page", page, "--title", "The <club>")
    assert said.exit_code == 0, said.output
    assert said.output.splitlines()[-1] == f"Open {page.as_uri()}"
    text = page.read_text()
    assert text.startswith(BEGINS)
    assert "Anna &lt;b&gt;" in text
    assert "The &lt;club&gt;" in text
    assert "@example" not in text
    for _ in "page", "page again":
        assert adjudicator(*words, "--page", page, "--language", "fr").exit_code == 0
    assert "<h1><bdi>Ligue</bdi></h1>" in page.read_text()
    account = every(club)[0].parent / "mail.yaml"
    account.write_text("from: gm@example.org\nmaildir: post\nsendmail: send\nlanguage: de\n")
    account.chmod(0o600)
    assert adjudicator(*words, "--page", page).exit_code == 0
    assert '<html lang="de">' in page.read_text()
    (tmp_path / "mine.html").write_text("mine")
    assert adjudicator(*words, "--page", tmp_path / "mine.html").exit_code == 1
    assert (tmp_path / "mine.html").read_text() == "mine"
    (tmp_path / "out.yaml").write_bytes(adjudicator(*words, "--yaml").stdout_bytes)
    found = plain(str(tmp_path / "out.yaml"))
    assert [set(each) for each in found["players"]] == [
        {"place", "player", "rating", "give", "matches", "won"}
    ] * 3
    assert {"folder", "match", "game", "finish"} <= set(found["matches"][0])
    assert [Path(each["folder"]).name for each in found["left-out"]] == ["open"]


def test_no_page_shows_an_address(club, tmp_path):
    seat(club / "two", venice="anna@elsewhere.org", genoa="Dora")
    told = adjudicator("league", *every(club), "--page", tmp_path / "league.html")
    assert told.exit_code == 2
    assert not (tmp_path / "league.html").exists()


def test_a_faulty_file_of_names_is_refused(club, tmp_path):
    names = tmp_path / "names.yaml"
    for text in ("- anna\n", "anna@example.org: [Anna]\n", "anna@example.org: ''\n", "a: ["):
        names.write_text(text)
        told = adjudicator("league", *every(club), "--names", names)
        assert told.exit_code == 1
        assert "names.yaml:" in told.output
    assert adjudicator("league", club / "one", "--names", tmp_path / "none.yaml").exit_code == 1


def test_nothing_counts_yet(club, tmp_path):
    told = adjudicator("league", club / "open", "--page", tmp_path / "league.html")
    assert told.exit_code == 0, told.output
    assert "No match counts yet." in told.output
    assert "No match counts yet." in (tmp_path / "league.html").read_text()


def test_everybody_has_a_seat_points_and_a_history(club):
    found = league(every(club))
    for each in found.finishes:
        assert {*each.parts} == {one for place in each.places for one in place}
        best = max(part.points for part in each.parts.values())
        assert best in {each.parts[one].points for one in each.places[0]}
        assert {part.seat for part in each.parts.values()} == {"Venice", "Genoa"}
    assert [since.match for since in found.history["anna"]] == ["demo", "demo"]
    assert {row.person: row.rating for row in found.rows} == {
        one: played[-1].rating for one, played in found.history.items()
    }


def test_each_game_has_a_table_if_several_were_played():
    def finish(game: str, *places: tuple[str, ...]) -> Finish:
        return Finish(game, game, game, places)

    one, other = finish("chess", ("a",), ("b",)), finish("go", ("b",), ("c",))
    assert games_of([one]) == []
    assert games_of([other, one]) == ["chess", "go"]


def test_bots_do_not_count(club):
    match = club / "one"
    secrets = open_match(match).secrets()
    (match / "referee.yaml").write_bytes(text_of(replace(secrets, bots={"genoa": "trader"})))
    (left,) = [each for each in league([match]).left_out]
    assert left.why == "it was played alone"


def test_the_page_links_to_the_sites_that_are_there(club, tmp_path):
    page, site = tmp_path / "league.html", tmp_path / "sites" / "one"
    site.mkdir(parents=True)
    (site / "index.html").write_text("a site")
    said = adjudicator("league", *every(club), "--page", page, "--sites", "sites")
    assert said.exit_code == 0, said.output
    assert '<a href="sites/one/index.html">' in page.read_text()
    assert "sites/two" not in page.read_text()
    assert "Who played what" in page.read_text()


def test_a_match_that_its_players_end_counts_as_they_agreed(club):
    match = ended((), a=9, b=1, c=9)
    at = datetime(2026, 5, 3, tzinfo=UTC)
    assert agreed_places(match, Agreed(at=at, on="end")) == (("a", "c"), ("b",))
    assert agreed_places(match, Agreed(at=at, on="draw")) == (("a", "b", "c"),)
    with (club / "open/ledger.jsonl").open("ab") as ledger:
        ledger.write(line_of(Agreed(at=at, on="draw", why="voted")))
    (found,) = league([club / "open"]).finishes
    assert found.places == (("anna", "ben"),)
    assert found.ended == at
