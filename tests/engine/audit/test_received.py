"""A player's own `verify`: received folders, kept sheets, and everything that was tampered with."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adjudicator.engine.audit.comparing import ComparisonResult, check_received
from adjudicator.engine.audit.seed_checks import same
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.marks import seal_of
from adjudicator.engine.match.begin import begin
from adjudicator.engine.match.run import run
from adjudicator.engine.report.reader_facts import ToldThrow
from adjudicator.engine.table.dice import seed_from
from tests.cli.calling import adjudicator
from tests.engine.match_folders import FOUR, begun, play, send, send_all

AUCTION = "0002-t1-auction"
ORDERS = (("ace", "king"), ("hidden", "king"), ("ten", "king"))


@pytest.fixture(scope="module")
def lagoon(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match of four to its end, in whose auction all bid the same, so that lots are thrown; Venice salts them."""
    match = begun(tmp_path_factory.mktemp("lagoon") / "lagoon", FOUR, turns="1")
    send_all(match)
    run(match)
    send_all(match, "orders: [{bid: 100}]")
    send(match, "venice", "orders: [{bid: 100}]\nsalt: sea")
    run(match)
    assert play(match, 30).over
    return match


@pytest.fixture(scope="module")
def cards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match with cards that are shuffled face down, in its first phases."""
    match = tmp_path_factory.mktemp("cards") / "rialto"
    players = ("contarini", "dandolo", "grimani")
    begin("oltremare", match, players, options={"pages": "off", "stops": "all"}, seed_text="x", name="rialto")
    play(match, 2)
    return match


def received(match: Path, where: Path, who: str = "venice", sheets: bool = True) -> list[Path]:
    """What a player got of all phases, copied and renamed, the own sheets beside it."""
    where.mkdir(exist_ok=True)
    for phase in Folder(match).phases:
        if (match / phase / "for").is_dir():
            copy = where / f"{who}-{phase[2:4]}"
            shutil.copytree(match / phase / "for" / who, copy)
            sheet = match / phase / "sheets" / f"{who}.yaml"
            if sheets and sheet.exists():
                shutil.copy(sheet, copy / "mine.yaml")
    return sorted(where.iterdir(), reverse=True)


def check(folders: list[Path], *sheets: Path, told: tuple[str, ...] = ()) -> ComparisonResult:
    return check_received(folders, sheets, told)


def faults(folders: list[Path]) -> list[str]:
    return [problem.text for problem in check(folders).problems]


def edited(folder: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    """`receipts.json` with something of it changed, and the report made to say the same digits."""
    path = folder / "receipts.json"
    here = json.loads(path.read_text())
    change(here)
    path.write_text(json.dumps(here))
    report = folder / "report.md"
    report.write_text(report.read_text() + " ".join(re.findall(r"\b[0-9a-f]{16}\b", path.read_text())))


def at(folders: list[Path], number: int) -> Path:
    return next(folder for folder in folders if folder.name.endswith(f"{number:02}"))


def other(digits: str) -> str:
    return ("0" if digits[0] != "0" else "1") + digits[1:]


# -- what is as it was -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", [*FOUR, "public"])
def test_what_was_handed_out_is_all_right_for_everybody(who: str, lagoon: Path, tmp_path: Path) -> None:
    found = check(received(lagoon, tmp_path / "mail", who))
    assert (found.problems, found.unchecked) == ((), ())
    assert found.throws >= 4
    sent = list(lagoon.glob(f"*/sheets/{who}.yaml"))
    assert found.sheets == len(sent) == (0 if who == "public" else 4 if who == "spain" else 5)


def test_it_is_all_right_together_and_as_a_command(lagoon: Path, tmp_path: Path) -> None:
    folders = [*received(lagoon, tmp_path / "a"), *received(lagoon, tmp_path / "b", "public")]
    result = adjudicator("verify", *folders)
    assert result.exit_code == 0, result.output
    assert "used as sent: 5" in result.output


def test_cards_that_are_hidden_are_throws_as_well(cards: Path, tmp_path: Path) -> None:
    folders = received(cards, tmp_path / "mail", "contarini")
    found = check(folders)
    assert found.problems == ()
    assert "hidden" in "".join((folder / "receipts.json").read_text() for folder in folders)
    assert ["isn't published" in said for said in found.unchecked] == [True, False]


def test_without_the_seed_it_says_what_was_not_checked(lagoon: Path, tmp_path: Path) -> None:
    folders = [folder for folder in received(lagoon, tmp_path / "mail") if not folder.name.endswith("08")]
    result = adjudicator("verify", *folders)
    assert result.exit_code == 3
    assert "the seed isn't published yet" in result.output
    assert "Not checked: files weren't compared with those handed out" in result.output


def test_a_folder_between_that_is_missing_is_said(lagoon: Path, tmp_path: Path) -> None:
    folders = received(lagoon, tmp_path / "mail")
    found = check([folder for folder in folders if folder.name != "venice-03"])
    assert found.problems == ()
    assert [said for said in found.unchecked if "0003-t1-market is missing" in said]


def test_a_sheet_may_lie_elsewhere_or_be_told_by_its_receipt(lagoon: Path, tmp_path: Path) -> None:
    folders = received(lagoon, tmp_path / "mail", sheets=False)
    found = check(folders)
    assert found.problems == () and found.sheets == 0
    assert sum("isn't here (sheets/venice.yaml" in said for said in found.unchecked) == 5
    sheet = lagoon / AUCTION / "sheets/venice.yaml"  # names no phase: it is known by its receipt
    assert check(folders, sheet).sheets == 1
    receipt = digest_of(sheet.read_bytes())[:16]
    assert check(folders, told=(f"{AUCTION}={receipt}",)).sheets == 1
    wrong = check(folders, told=(f"{AUCTION}={other(receipt)}",))
    assert "no report here says that this was used" in wrong.problems[0].text
    with pytest.raises(Faulty):
        check(folders, told=("gossip",))


def test_a_form_that_was_filled_in_where_it_lay_is_a_sheet(tmp_path: Path) -> None:
    match = begun(tmp_path / "lagoon")
    form = match / "0001-t1-setup/for/venice/sheet.yaml"
    filled = form.read_text().replace("\norders:\n", "\norders: []\n")
    assert filled != form.read_text()
    (match / "0001-t1-setup/sheets/venice.yaml").write_text(filled)
    send(match, "genoa")
    run(match)
    folders = received(match, tmp_path / "mail", sheets=False)
    assert check(folders).sheets == 0
    (at(folders, 1) / "sheet.yaml").write_text(filled)
    assert check(folders).sheets == 1
    (at(folders, 1) / "sheet.yaml").write_text(filled + "# x\n")
    assert "and not this" in faults(folders)[0]


def test_answers_have_receipts_too(tmp_path: Path) -> None:
    match = begun(tmp_path / "lagoon", pacing="live")
    send_all(match)
    run(match)
    for player in ("venice", "genoa"):
        send(match, player, "orders: [{bid: 100}]")
    run(match)
    who = Folder(match).opening(Folder(match).last).waits
    asked = (match / Folder(match).phases[-1] / f"for/{who}/answer.yaml").read_text()
    verb = re.findall(r"^- (\S+):|^# - (\S+):", asked, re.MULTILINE)[0]
    top = match / Folder(match).phases[-1]
    send(match, who, f"answers: [{{{verb[0] or verb[1]}: 1}}]", "answers")
    run(match, deadline=True)
    used = json.loads((match / Folder(match).phases[-1] / f"for/{who}/receipts.json").read_text())["used"]
    assert used[f"answers/{who}.yaml"] == digest_of((top / f"answers/{who}.yaml").read_bytes())[:16]
    folders = received(match, tmp_path / "mail", who)
    for path in top.glob(f"answers/{who}.yaml"):
        shutil.copy(path, at(folders, int(top.name[:4])) / "answered.yaml")
    assert check(folders).problems == ()
    assert check(folders).sheets == 3


# -- what was tampered with --------------------------------------------------------------------------------------------

TAMPERED: dict[str, tuple[Callable[[list[Path]], object], str]] = {
    "a mark, in the report alone": (
        lambda got: changed(at(got, 3) / "report.md", r"(0003-t1-market `)[0-9a-f]{16}", r"\g<1>" + "0" * 16),
        "receipts.json has",
    ),
    "a mark, in the view alone": (
        lambda got: changed(at(got, 3) / "view.yaml", r"(?m)^chain: \S+", "chain: '" + "0" * 16 + "'"),
        "the mark of 0003-t1-market differs from",
    ),
    "the view of another phase": (
        lambda got: shutil.copy(at(got, 2) / "view.yaml", at(got, 3) / "view.yaml"),
        "another phase or match",
    ),
    "a mark, everywhere in one folder": (
        lambda got: edited(at(got, 3), lambda here: here["marks"].update({AUCTION: "0" * 16})),
        "played anew",
    ),
    "a report that follows on another": (
        lambda got: edited(
            at(got, 4),
            lambda here: (
                here["marks"].pop("0003-t1-market"),
                here["marks"].update(json.loads((at(got, 3) / "receipts.json").read_text())["marks"]),
                here["marks"].pop("0003-t1-market"),
            ),
        ),
        "there is a later report of 0003-t1-market",
    ),
    "a first report that isn't the first": (
        lambda got: edited(at(got, 4), lambda here: here["marks"].pop("0003-t1-market")),
        "this names no earlier report",
    ),
    "another seed's commitment": (
        lambda got: edited(at(got, 3), lambda here: here.update(seed="0" * 64)),
        "another seed",
    ),
    "a folder of another match": (
        lambda got: edited(at(got, 3), lambda here: here.update(match="pond")),
        "of the match pond",
    ),
    "a receipt told wrong": (
        lambda got: edited(at(got, 3), lambda here: here["used"].update({"sheets/venice.yaml": "0" * 16})),
        "and not this",
    ),
    "a sheet said not to have come": (
        lambda got: edited(at(got, 3), lambda here: here.update(used={})),
        "none was used",
    ),
    "nothing told of what was sent": (
        lambda got: edited(at(got, 3), lambda here: here.update(told="", used={}, seals={})),
        "doesn't tell which sheets",
    ),
    "another sheet than was kept": (
        lambda got: (at(got, 2) / "mine.yaml").write_text("player: venice\norders: [{bid: 900}]\n"),
        "and not this",
    ),
    "the own seal": (
        lambda got: edited(at(got, 3), lambda here: here["seals"].update(venice="0" * 16)),
        "the seal for venice",
    ),
    "another's seal": (
        lambda got: edited(at(got, 3), lambda here: here["seals"].update(genoa="0" * 16)),
        "the sealed sheet of genoa",
    ),
    "a throw told wrong": (
        lambda got: edited(at(got, 3), lambda here: here["thrown"][0].update(face=7)),
        "tells other throws",
    ),
    "a throw not told": (
        lambda got: edited(at(got, 3), lambda here: here["thrown"].pop()),
        "tells other throws",
    ),
    "a throw made up": (
        lambda got: edited(at(got, 4), lambda here: here["thrown"].append(lot("0003-t1-market"))),
        "tells other throws",
    ),
    "another seed published": (
        lambda got: changed(at(got, 8) / "seed.yaml", r"seed: '?[0-9a-f]{64}'?", "seed: '" + "0" * 64 + "'"),
        "doesn't have the SHA-256",
    ),
    "another file of a phase published": (
        lambda got: changed(
            at(got, 8) / "proof.jsonl", r'"events.jsonl":"[0-9a-f]{4}', '"events.jsonl":"0000'
        ),
        "isn't that of the files",
    ),
    "another sheet published": (
        lambda got: changed(
            at(got, 8) / "proof.jsonl", r'"sheets/genoa.yaml":"[0-9a-f]{4}', '"sheets/genoa.yaml":"0000'
        ),
        "the sealed sheet of genoa",
    ),
    "another throw published": (
        lambda got: changed(at(got, 8) / "proof.jsonl", r'"face":\d', '"face":7'),
        "doesn't follow from the seed",
    ),
    "another die published": (
        lambda got: changed(at(got, 8) / "proof.jsonl", r'"among":\[1,2,3,4,5,6\]', '"among":[6,6,6,6,6,6]'),
        "doesn't follow from the seed",
    ),
    "another salt published": (
        lambda got: changed(at(got, 8) / "proof.jsonl", '"venice":"sea"', '"venice":"sand"'),
        "the salt of venice",
    ),
    "a phase not published": (
        lambda got: changed(at(got, 8) / "proof.jsonl", r"\A.*\n", ""),
        "aren't all phases",
    ),
}


def changed(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    path.write_text(re.sub(old, new, text, count=1))
    assert path.read_text() != text


def lot(phase: str) -> dict[str, Any]:
    return {"phase": phase, "what": ["seat", "venice"], "face": 6}


@pytest.mark.ci
@pytest.mark.parametrize("what", TAMPERED)
def test_whatever_is_tampered_with_is_said(what: str, lagoon: Path, tmp_path: Path) -> None:
    folders = received(lagoon, tmp_path / "mail")
    tamper, said = TAMPERED[what]
    tamper(folders)
    found = faults(folders)
    assert any(said in text for text in found), found
    assert adjudicator("verify", *folders).exit_code == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda here: here["seals"].update(genoa="0" * 16), "seals of 0002-t1-auction differ"),
        (lambda here: here["thrown"][0].update(face=7), "the throws in 0002-t1-auction differ"),
    ],
)
def test_what_is_told_to_one_and_not_to_another_is_seen_without_the_seed(
    change: Callable[[dict[str, Any]], Any], said: str, lagoon: Path, tmp_path: Path
) -> None:
    folders = [*received(lagoon, tmp_path / "a"), *received(lagoon, tmp_path / "b", "public")]
    folders = [folder for folder in folders if not folder.name.endswith("08")]
    edited(at([folder for folder in folders if "public" in folder.name], 3), change)
    assert any(said in text for text in faults(folders))


def test_a_hidden_card_fits_any_and_a_shown_one_itself(cards: Path, tmp_path: Path) -> None:
    folders = [*received(cards, tmp_path / "a", "contarini"), *received(cards, tmp_path / "b", "dandolo")]
    assert faults(folders) == []
    edited(folders[-1], lambda here: here["thrown"][0]["order"].append("hidden"))
    assert any("the throws in" in text for text in faults(folders))
    shown, hidden, odd = (ToldThrow("0001-t1-x", ("deck",), order=order) for order in ORDERS)
    assert same(shown, hidden) and same(hidden, odd)
    assert not same(shown, odd)


NO_PHASE = '{"match":"a","seed":"","reader":"b","phase":"c"}'


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"match": 1}', "\xff", NO_PHASE])
def test_a_folder_that_cannot_be_read_is_said(text: str, lagoon: Path, tmp_path: Path) -> None:
    folders = received(lagoon, tmp_path / "mail")
    (folders[0] / "receipts.json").write_bytes(text.encode("latin-1"))
    result = adjudicator("verify", *folders)
    assert result.exit_code == 1
    assert "receipts.json" in result.output
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    "odd",
    [
        {"phase": "0009-t9-nowhere"},
        {"told": "nothing"},
        {"told": "", "used": {"": ""}},
        {"reader": "public"},
        {"reader": "nobody"},
        {"marks": {"": "", "x": "y"}},
        {"marks": {}},
        {"seals": {"": ""}},
        {"thrown": [{"phase": "", "what": []}]},
        {"thrown": [{"phase": AUCTION, "what": ["seat"], "face": 1, "order": ["a"]}] * 30},
        {"match": "\u001b[31m", "seed": ""},
    ],
)
def test_whatever_a_folder_says_is_no_fault_of_the_program(
    odd: dict[str, Any], lagoon: Path, tmp_path: Path
) -> None:
    folders = received(lagoon, tmp_path / "mail")
    for folder in (at(folders, 3), at(folders, 8)):
        here = json.loads((folder / "receipts.json").read_text()) | odd
        (folder / "receipts.json").write_text(json.dumps(here))
        result = adjudicator("verify", *folders)
        assert result.exit_code == 1
        assert result.exception is None or isinstance(result.exception, SystemExit)
        assert "\u001b" not in result.output


@pytest.mark.parametrize(
    "line",
    [
        "{}",
        "[]",
        "\u00ff",
        '{"phase":"0000-t1-start","files":{},"salts":{},"by_hand":-1,"lots":[]}',
        '{"phase":"x","files":{},"salts":{},"by_hand":99,"lots":[{"what":[],"among":[]}]}',
        '{"phase":"0000-t1-start","files":{},"salts":{},"by_hand":0,"lots":[{"what":["a"],"among":[null],"order":[]}]}',
        '{"phase":"0000-t1-start","files":{},"salts":{},"by_hand":0,"lots":[{"what":["a"],"among":[[1]],"face":1}]}',
        '{"phase":"0000-t1-start","files":{},"salts":{},"by_hand":0,"lots":[{"what":["a"],"among":[1]}]}',
    ],
)
def test_whatever_is_published_is_no_fault_of_the_program(line: str, lagoon: Path, tmp_path: Path) -> None:
    folders = received(lagoon, tmp_path / "mail")
    proof = at(folders, 8) / "proof.jsonl"
    _, rest = proof.read_text().split("\n", 1)
    proof.write_text(f"{line}\n{rest}", encoding="latin-1")
    result = adjudicator("verify", *folders)
    assert result.exit_code == 1
    assert result.exception is None or isinstance(result.exception, SystemExit)


def test_a_folder_that_is_none_is_said(lagoon: Path, tmp_path: Path) -> None:
    assert adjudicator("verify", lagoon, lagoon).exit_code == 1
    assert "received" in adjudicator("verify", lagoon, lagoon).output


# -- nothing leaks -----------------------------------------------------------------------------------------------------


def test_before_the_end_nothing_told_is_made_of_what_others_sent_but_under_the_seed(lagoon: Path) -> None:
    """No digest of another's sheet stands anywhere; its seal needs the seed, and doesn't tell who sent none."""
    end = Folder(lagoon).phases[-1]
    tried = 0
    for sheet in lagoon.glob("*/sheets/*.yaml"):
        receipt = digest_of(sheet.read_bytes())[:16]
        after = [path for path in lagoon.glob("*/for/*/*") if end not in path.parts]
        where = {path.parent.name for path in after if receipt in path.read_text()}
        assert where <= {sheet.stem}
        tried += bool(where)
    assert tried > 10


def test_who_sent_none_has_a_seal_like_all_others(tmp_path: Path) -> None:
    match = begun(tmp_path / "lagoon")
    send(match, "venice")
    run(match, deadline=True)
    told = json.loads((match / AUCTION / "for/public/receipts.json").read_text())
    assert list(told["seals"]) == ["venice", "genoa"]
    assert told["used"] == {}
    assert told["seals"]["genoa"] == seal_of(seed_from("test"), "0001-t1-setup", "genoa", "", "")
    assert told["seals"]["genoa"] in (match / AUCTION / "for/public/report.md").read_text()
    assert (
        "**Nothing came from you** for Set-up, turn 1"
        in (match / AUCTION / "for/genoa/report.md").read_text()
    )
