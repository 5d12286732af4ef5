"""An exported match, when it is over, verifies and holds nothing private."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.engine.audit.verify import verify
from tests.cli.calling import adjudicator, everything
from tests.engine.match_folders import begun, tree
from tests.hostile.club import going_on, over
from tests.mail.local_post import in_this_process


def test_it_verifies_and_holds_no_mail_and_no_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_this_process(monkeypatch)
    match = over(tmp_path)
    before = tree(match)
    done = adjudicator("export", match, tmp_path / "out")
    assert done.exit_code == 0, done.output
    found = verify(tmp_path / "out")
    assert found.good and found.seed
    assert tree(match) == before
    files = everything(tmp_path / "out")
    assert not any("/mail/" in name or "/for/venice" in name or name == "referee.yaml" for name in files)
    for private in (b"venice@example.org", b"gm@example.org", b"gm+"):
        assert [name for name, text in files.items() if private in text] == []


def test_files_that_the_gm_has_put_there_stay_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_this_process(monkeypatch)
    match = over(tmp_path)
    (match / "0001-t1-setup" / "note.md").write_text("A calm day.\n")
    for name in ("addresses.txt", "copies/mail.eml", "sheets/genoa.yaml.old"):
        (match / "0001-t1-setup" / name).parent.mkdir(exist_ok=True)
        (match / "0001-t1-setup" / name).write_text("venice@example.org")
    done = adjudicator("export", match, tmp_path / "out")
    assert done.exit_code == 0, done.output
    files = everything(tmp_path / "out")
    assert "0001-t1-setup/note.md" in files
    assert [name for name, text in files.items() if b"venice@example.org" in text] == []


def test_one_with_phases_taken_back_does_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_this_process(monkeypatch)
    match = going_on(tmp_path)
    for hour in range(40):
        adjudicator("run", match, "--deadline", "--at", f"2026-12-0{1 + hour // 20}T{hour % 20:02}:00:00Z")
    assert "over" in adjudicator("status", match).output.lower()
    done = adjudicator("export", match, tmp_path / "out")
    assert done.exit_code == 0, done.output
    assert (tmp_path / "out/undone/0001").is_dir()
    whole = b"".join(everything(tmp_path / "out").values())
    assert not any(
        name + b"@example.org" in whole for name in (b"venice", b"genoa", b"new", b"friend", b"gm")
    )


def test_one_that_goes_on_is_secret_and_nothing_is_overwritten(tmp_path: Path) -> None:
    match = begun(tmp_path / "lagoon")
    done = adjudicator("export", match, tmp_path / "out")
    assert done.exit_code == 1 and not (tmp_path / "out").exists()
    assert "files are secret" in " ".join(done.output.split())
