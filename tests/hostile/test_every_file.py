"""With any content in a file of a match, every command ends in an orderly way, and tells,
mails and writes nothing that lies outside the match."""

from __future__ import annotations

import os
import shutil
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest

from adjudicator.engine.play.attempts import SeededChance
from tests.cli.calling import adjudicator, everything
from tests.hostile.club import SECRET, commands, going_on, over
from tests.hostile.mutants import mutants
from tests.mail.local_post import LocalPost, in_this_process

BROKEN = ("Traceback", "a fault of the program", "please report")
CLUBS = {"going-on": going_on, "over": over}


@pytest.fixture(scope="module")
def clubs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Path]]:
    with pytest.MonkeyPatch.context() as patch:
        in_this_process(patch)
        yield {name: make(tmp_path_factory.mktemp("club")) for name, make in CLUBS.items()}


def files_of(match: Path) -> list[str]:
    """Of each kind of file the last, and of the papers of phases the first too; `mail.yaml` is the GM's own."""
    first, last = dict[str, str](), dict[str, str]()
    for path in sorted(match.rglob("*")):
        name = path.relative_to(match).as_posix()
        if path.suffix in (".yaml", ".json", ".jsonl", ".md") and "/for/genoa/" not in name:
            kind = "/".join(part for part in name.split("/") if not part[0].isdigit())
            first.setdefault(kind, name)
            last[kind] = name
    return sorted({*first.values(), *last.values()} - {"mail.yaml"})


def try_all(match: Path, name: str, text: bytes, home: Path, some: int | None, chance: SeededChance) -> None:
    """All commands, or about so many, on a copy of a match in which a file reads otherwise."""
    shutil.rmtree(home, ignore_errors=True)
    copy = Path(shutil.copytree(match, home / "lagoon", copy_function=os.link))  # no run writes into a file
    for changed in (name, "mail.yaml"):
        (copy / changed).unlink()
    (copy / name).write_bytes(text)
    (home / "key").write_text(SECRET)
    post = LocalPost(home / "post")
    post.account(copy, observers="[friend@example.org]")
    words = list(commands(copy, home / "out"))
    for command in words:
        if some is not None and chance(len(words)) >= some:
            continue
        try:
            said = adjudicator(*command).output
        except Exception:
            pytest.fail(f"{name}: {command[:2]} broke on\n{text[:3000]!r}\n{traceback.format_exc()}")
        assert not any(word in said for word in BROKEN), (command, said, text[:3000])
        assert SECRET not in said, (command, text[:3000])
    there = {path.relative_to(home).parts[0] for path in home.rglob("*")}
    assert there <= {"lagoon", "key", "post", "out"}, (there, text[:3000])
    assert not any(SECRET.encode() in data for data in everything(home / "lagoon").values()), text[:3000]
    assert not any(SECRET.encode() in data for data in everything(home / "post").values()), text[:3000]


@pytest.mark.parametrize(
    ("count", "some"), [(1, 5), pytest.param(40, None, marks=pytest.mark.soak)], ids=["some", "many"]
)
@pytest.mark.parametrize("club", CLUBS)
def test_no_file_of_a_match_breaks_a_command(
    clubs: dict[str, Path], club: str, count: int, some: int | None, tmp_path: Path
) -> None:
    match = clubs[club]
    for name in files_of(match):
        text = (match / name).read_bytes()
        chance = SeededChance(f"{club} {name}")
        for mutant in mutants(text, name, count, f"{club} {count}"):
            try_all(match, name, mutant, tmp_path / "club", some, chance)
