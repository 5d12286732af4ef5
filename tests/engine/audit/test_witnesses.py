"""Players as witnesses: a match that was rewritten after they saw it contradicts the sheets that they kept."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import adjudicator as adjudicator_as_library
from adjudicator.engine.audit.comparing import check_received
from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.match.begin import begin
from adjudicator.engine.match.run import run
from adjudicator.gm.acts import undo
from adjudicator.gm.closing import Dice
from adjudicator.gm.playing import close_by_hand, run_by_hand
from tests.cli.calling import adjudicator
from tests.engine.match_folders import FOUR, PHASE_BY_PHASE, begun, begun_anew, report_of
from tests.gm.weeks import utc

NOW = utc("2026-11-23 12:00")
SETUP, AUCTION, MARKET = "0001-t1-setup", "0002-t1-auction", "0003-t1-market"
SILENT = "turkey"
"""Who writes sheets by hand, without a mark."""
Sheets = dict[str, str]


def filled_in(match: Path, player: str, order: str = "") -> str:
    """The player's form with an order, or with none; of the silent player only what must be there."""
    form = (match / Folder(match).phases[-1] / f"for/{player}/sheet.yaml").read_text(encoding="utf-8")
    if player == SILENT:
        return f"player: {player}\norders: [{order}]\n"
    return form.replace("\norders:\n", f"\norders: [{order}]\n", 1)


def send_forms(match: Path, change: Callable[[str], str] = str, **orders: str) -> Sheets:
    """Everybody's form is sent, filled in with the players' orders; returns the sheets, which their players keep."""
    found = {
        player: filled_in(match, player, orders.get(player, "")) for player in Folder(match).card.players
    }
    put(match, found, change)
    return found


def put(match: Path, sheets: Sheets, change: Callable[[str], str] = str) -> None:
    """Sheets that were sent are put into the open phase."""
    for player, text in sheets.items():
        path = match / Folder(match).phases[-1] / f"sheets/{player}.yaml"
        path.write_text(change(text), encoding="utf-8")


def kept(where: Path, *sheets: Sheets) -> list[str]:
    """What players keep of the sheets that they sent, as options of `verify`."""
    where.mkdir()
    found: list[str] = []
    for number, each in enumerate(sheets):
        for player, text in each.items():
            file = where / f"{player}-{number}.yaml"
            file.write_text(text, encoding="utf-8")
            found += ["--sheet", str(file)]
    return found


@pytest.fixture
def lagoon(tmp_path: Path) -> tuple[Path, Sheets, Sheets]:
    """A match of four in its third phase, and the sheets of the first two as their players keep them."""
    match = begun(tmp_path / "lagoon", FOUR)
    first = send_forms(match)
    run(match)
    second = send_forms(match, venice="{bid: 100}")
    assert run(match).open == MARKET
    return match, first, second


def elsewhere(first: Sheets) -> Sheets:
    """The sheets of the set-up, with another order of Genoa's."""
    return first | {"genoa": first["genoa"].replace("[]", "[{place: 3, to: genoa-1}]", 1)}


@pytest.fixture
def rewritten(tmp_path: Path) -> tuple[Path, Path, Sheets]:
    """That match, the same with another set-up of Genoa's, which is in its second phase, and what was sent for that."""
    match = begun(tmp_path / "lagoon", FOUR)
    secret = Path(shutil.copytree(match, tmp_path / "secret" / "lagoon"))
    first = send_forms(match)
    run(match)
    second = send_forms(match, venice="{bid: 100}")
    run(match)
    put(secret, elsewhere(first))
    run(secret)
    return match, secret, second


def without_marks(text: str) -> str:
    return re.sub(r"(?m)^seen: .*\n", "", text)


def test_a_form_names_the_mark_of_its_report_and_everybody_learns_who_has_seen_it(
    lagoon: tuple[Path, Sheets, Sheets],
) -> None:
    match, _, second = lagoon
    told = json.loads((match / MARKET / "for/public/receipts.json").read_text())
    mark = told["marks"][AUCTION]
    assert f"\nseen: {mark}\n" in second["venice"].replace('"', "").replace("'", "")
    assert told["seen"] == {player: {"phase": AUCTION, "mark": mark} for player in FOUR if player != SILENT}
    said = f"the mark of {AUCTION} by Venice, Genoa and Spain. It stands for everything before its phase"
    assert all(said in report_of(match, MARKET, who) for who in ("public", *FOUR))


def test_the_mark_of_a_report_that_was_taken_back_is_known_as_ours(
    lagoon: tuple[Path, Sheets, Sheets], tmp_path: Path
) -> None:
    """A form that came before `undo` fits the phase that is played again, but has the mark of the one taken back."""
    match, _, second = lagoon
    old = json.loads((match / MARKET / "for/public/receipts.json").read_text())["marks"][MARKET]
    third = send_forms(match)
    undo(match, NOW, why="a wrong bid")
    put(match, second | {"venice": second["venice"].replace("100", "90")})
    run(match)
    put(match, third)
    after = run(match).open
    told = json.loads((match / after / "for/public/receipts.json").read_text())
    assert told["marks"][MARKET] != old
    assert told["seen"]["venice"] == {"mark": old, "undone": MARKET}
    said = report_of(match, after, "public")
    assert f"Venice names the mark of {MARKET} as it was before it was taken back, `{old}`" in said
    assert "names another mark" not in said
    checked = adjudicator("verify", match, *kept(tmp_path / "kept", third))
    assert checked.exit_code == 0, checked.output
    assert not verify(match).witnesses.contradicted


def test_verify_says_phase_by_phase_in_front_of_whom_it_is_fixed(
    lagoon: tuple[Path, Sheets, Sheets], tmp_path: Path
) -> None:
    match, first, second = lagoon
    told = adjudicator("verify", match, *kept(tmp_path / "kept", first, second))
    assert told.exit_code == 0, told.output
    assert f"0000-t1-start to {SETUP}: fixed in front of 3 of 4 players: venice, genoa, spain." in told.output
    assert f"{AUCTION}: fixed in front of 0 of 4 players." in told.output
    assert "used as kept: 8 files" in told.output


def test_a_phase_that_was_played_again_in_secret_contradicts_the_sheets_after_it(
    rewritten: tuple[Path, Path, Sheets], tmp_path: Path
) -> None:
    match, secret, second = rewritten
    assert verify(match).good
    put(secret, second)
    run(secret)
    found = verify(secret)
    assert found.good
    assert found.witnesses.contradicted
    assert found.witnesses.latest == {"venice": 1, "genoa": 1, "spain": 1}
    alone = adjudicator("verify", secret)
    assert alone.exit_code == 3
    for player in ("venice", "genoa", "spain"):
        assert f"{AUCTION}/sheets/{player}.yaml: warning: MATCH it names a mark" in alone.output
    held = adjudicator("verify", secret, *kept(tmp_path / "kept", {"venice": second["venice"]}))
    assert held.exit_code == 1 and "it names the mark" in held.output and "rewritten since" in held.output
    # Told to all, too, by the very reports that are to be believed.
    assert "names another mark" in report_of(secret, MARKET, "public")


def test_whoever_forges_the_sheets_too_is_contradicted_by_those_that_players_kept(
    rewritten: tuple[Path, Path, Sheets], tmp_path: Path
) -> None:
    """The GM plays a phase anew, and writes the new marks into the sheets that came after it."""
    match, secret, second = rewritten
    send_forms(secret, venice="{bid: 100}")
    run(secret)
    alone = adjudicator("verify", secret)
    assert alone.exit_code == 0 and "fixed in front of 3 of 4 players" in alone.output
    told = adjudicator("verify", secret, *kept(tmp_path / "kept", {"spain": second["spain"]}))
    assert told.exit_code == 1 and "rewritten since" in told.output and "and not this" in told.output
    mine = tmp_path / "mine.yaml"
    mine.write_text(second["spain"], encoding="utf-8")
    folders = [match / SETUP / "for/spain", match / AUCTION / "for/spain", secret / MARKET / "for/spain"]
    wrong = [each.text for each in check_received(folders, [mine], ()).problems]
    assert any("differs from the one in" in each for each in wrong)
    assert any("has seen another mark" in each for each in wrong)


def test_a_sheet_for_a_phase_that_was_taken_back_is_to_be_left_out(tmp_path: Path) -> None:
    match = begun(tmp_path / "lagoon", FOUR)
    first = send_forms(match)
    run(match)
    second = send_forms(match)
    undo(match, NOW, why="a slip")
    put(match, {"genoa": elsewhere(first)["genoa"]})
    run_by_hand(match, NOW)
    told = adjudicator("verify", match, *kept(tmp_path / "kept", {"spain": second["spain"]}))
    assert told.exit_code == 1
    assert "the mark of a report that was taken back, so leave this sheet out" in told.output
    assert adjudicator("verify", match).exit_code == 0


def test_sheets_from_which_marks_were_removed_arent_those_that_players_kept(tmp_path: Path) -> None:
    match = begun(tmp_path / "lagoon", FOUR)
    sheets = send_forms(match, without_marks)
    run(match)
    assert not verify(match).witnesses.latest
    told = adjudicator("verify", match, *kept(tmp_path / "kept", {"spain": sheets["spain"]}))
    assert told.exit_code == 1 and "and not this" in told.output


def test_a_player_finds_it_in_the_folders_received(
    lagoon: tuple[Path, Sheets, Sheets], tmp_path: Path
) -> None:
    match, _, second = lagoon
    mine, folder = tmp_path / "mine.yaml", match / AUCTION / "for/venice"
    mine.write_text(second["venice"], encoding="utf-8")
    assert not check_received([folder, match / MARKET / "for/venice"], [mine], ()).problems
    receipts = json.loads((folder / "receipts.json").read_text())
    receipts["marks"][AUCTION] = "0123456789abcdef"
    (folder / "receipts.json").write_text(json.dumps(receipts))
    told = [each.text for each in check_received([folder], [mine], ()).problems]
    assert any("but the reports here have 0123456789abcdef" in each for each in told)


def test_reports_that_tell_of_another_mark_than_the_sheet_are_wrong(
    lagoon: tuple[Path, Sheets, Sheets],
) -> None:
    """A changed program left out that a sheet names another mark."""
    match, _, second = lagoon
    put(match, {"genoa": second["genoa"]})
    path = match / AUCTION / "sheets/genoa.yaml"
    path.write_text(re.sub("(?m)^seen: .*", "seen: 0123456789abcdef", second["genoa"]))
    told = [(each.severity, each.text) for each in verify(match).problems]
    assert ("error", "it names a mark that no report of this match has, and no report said so") in told


def drawn(path: Path, text: str) -> Path:
    """A match whose first deal hangs on a lottery, up to its first reports."""
    begun_anew(match := path, FOUR, dice="named")
    close_by_hand(match, NOW, Dice(named="6 of 49"))
    assert run_by_hand(match, NOW, dice=Dice(text=text)).open == SETUP
    return match


def test_a_draw_that_was_spelled_anew_contradicts_the_sheets_after_it(tmp_path: Path) -> None:
    match, secret = (
        drawn(tmp_path / name / "lagoon", text) for name, text in (("a", "1 2 3"), ("b", "1 2 4"))
    )
    first = send_forms(match)
    run_by_hand(match, NOW, deadline=True, why="all agree")
    told = adjudicator("verify", secret, *kept(tmp_path / "kept", {"genoa": first["genoa"]}))
    assert told.exit_code == 1 and "it names the mark" in told.output
    told = adjudicator("verify", match, *kept(tmp_path / "kept-too", {"genoa": first["genoa"]}))
    assert "it names the mark" not in told.output


def test_the_mark_of_the_seed_goes_out_before_the_first_hands(tmp_path: Path) -> None:
    """A closing of the first deal names it, and the first reports have it: another seed would contradict it."""
    found = []
    for seed in ("one", "two"):
        match = tmp_path / seed / "lagoon"
        begin("mediterranee", match, FOUR, options={**PHASE_BY_PHASE, "dice": "named"}, seed_text=seed)
        close_by_hand(match, NOW, Dice(named="6 of 49"))
        assert not [*match.glob("*/for")]
        found.append((match, (match / "0000-t1-start/closed.yaml").read_text()))
        run_by_hand(match, NOW, dice=Dice(text="1 2 3"))
    (match, own), (_, other) = found
    folder = match / SETUP / "for/venice"
    assert json.loads((folder / "receipts.json").read_text())["marks"]["0000-t1-start"] in own
    (folder / "closed.yaml").write_text(own)
    assert not check_received([folder], [], ()).problems
    (folder / "closed.yaml").write_text(other)
    (told,) = check_received([folder], [], ()).problems
    assert "the mark of 0000-t1-start differs" in told.text


def test_a_mark_is_told_in_the_readers_language(tmp_path: Path) -> None:
    match = tmp_path / "lagoon"
    begin("mediterranee", match, FOUR, options=PHASE_BY_PHASE, seed_text="x", languages={"genoa": "fr"})
    send_forms(match)
    run(match)
    assert f"la marque de {SETUP} par Venise, Gênes et l’Espagne" in report_of(match, AUCTION, "genoa")
    other = re.compile("(?m)^seen: .*")
    send_forms(
        match, lambda text: other.sub("seen: 0123456789abcdef", text) if "player: spain" in text else text
    )
    run(match)
    said = "**Une autre marque, `0123456789abcdef`, se trouve dans la feuille de l’Espagne**"
    assert said in report_of(match, MARKET, "genoa")
    assert "**Spain names another mark, `0123456789abcdef`**" in report_of(match, MARKET, "public")


def test_bots_are_no_witnesses_and_a_page_says_what_its_reader_has_seen(tmp_path: Path) -> None:
    match = tmp_path / "lagoon"
    options = PHASE_BY_PHASE | {"pages": "on"}
    begin("mediterranee", match, FOUR, options=options, seed_text="x", bots={"genoa": "", "turkey": ""})
    sheets = send_forms(match)
    mark = json.loads((match / SETUP / "for/venice/receipts.json").read_text())["marks"][SETUP]
    assert f'"seen":"{mark}"' in (match / SETUP / "for/venice/orders.html").read_text(encoding="utf-8")
    assert mark in sheets["venice"]
    run(match)
    found = verify(match).witnesses
    assert found.players == ("venice", "spain") and found.of(0) == ("venice", "spain")


def test_the_door_says_in_the_readers_language_that_a_mark_is_another_one(tmp_path: Path) -> None:
    match = tmp_path / "lagoon"
    begin("mediterranee", match, FOUR, options=PHASE_BY_PHASE, seed_text="x", language="fr")
    sheet = re.sub("(?m)^seen: .*", "seen: 0123456789abcdef", filled_in(match, "venice"))
    sent = adjudicator_as_library.open(match).submit("venice", sheet, came=NOW)
    (problem,) = sent.problems
    assert sent.taken and problem.severity == "warning" and problem.code == "SHEET"
    assert problem.text.startswith("ce n’est pas la marque de votre dernier rapport, ")
    assert (
        not adjudicator_as_library.open(match).submit("venice", filled_in(match, "venice"), came=NOW).problems
    )


def test_who_is_not_due_is_told_that_only_a_foreign_mark_is_told_to_others(tmp_path: Path) -> None:
    match = tmp_path / "lagoon"
    begin("oltremare", match, ("contarini", "dandolo", "grimani"), seed_text="abc")
    first = json.loads((match / "0001-t1-commerce/for/public/receipts.json").read_text())["marks"]
    run(match, deadline=True)
    idle = next(each for each in Folder(match).card.players if each not in Folder(match).opening(2).due)
    sheet = f"player: {idle}\nseen: {first['0001-t1-commerce']}\norders: []\n"
    (problem,) = adjudicator_as_library.open(match).submit(idle, sheet, came=NOW).problems
    assert "if no report of this match has the mark that it names, the next reports tell" in problem.text
    run(match, deadline=True)
    assert "seen" not in json.loads((match / "0003-t1-commerce/for/public/receipts.json").read_text())
