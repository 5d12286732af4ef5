"""The GM's address is in the players' pages, and in nothing that others read."""

from __future__ import annotations

from pathlib import Path

from tests.cli.calling import adjudicator

GM = "somebody@example.org"


def test_the_gms_address_is_in_the_players_pages_alone(tmp_path: Path) -> None:
    match = tmp_path / "lagoon"
    players = ["--player", "venice", "--player", "genoa"]
    done = adjudicator("new", "mediterranee", match, *players, "--gm", GM, "--seed", "address")
    assert done.exit_code == 0, done.output
    told = {
        path.relative_to(match).as_posix()
        for path in match.rglob("*")
        if path.is_file() and GM in path.read_text(encoding="utf-8")
    }
    folder = "0001-t1-setup/for"
    assert told == {"referee.yaml", f"{folder}/venice/orders.html", f"{folder}/genoa/orders.html"}


def test_what_is_no_address_is_refused(tmp_path: Path) -> None:
    for wrong in ("nowhere", "a@b\nc", "one@"):
        done = adjudicator("new", "mediterranee", tmp_path / "pond", "--player", "venice", "--gm", wrong)
        assert done.exit_code != 0
        assert "isn't a mail address" in done.output
        assert not (tmp_path / "pond").exists()
