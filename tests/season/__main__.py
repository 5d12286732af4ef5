"""Plays a season and says what happened: `python -m tests.season --matches 30 --people 50 --days 90`."""

from __future__ import annotations

import argparse
import re
import tempfile
from collections import Counter
from pathlib import Path

from adjudicator.engine.folder.folder import open_match
from tests.season.checks import faults, mails
from tests.season.club import BEGUN, Season
from tests.season.post import open_post

MEMORY = Path("/dev/shm")
"""Where a folder is in memory, if the machine has it: matches are synced to the disk often."""


def main() -> int:
    """Status 1 if something is wrong."""
    words = argparse.ArgumentParser(description=__doc__)
    for name, usual in (("matches", 5), ("people", 9), ("days", 14)):
        words.add_argument(f"--{name}", type=int, default=usual)
    words.add_argument("--seed", default="season")
    words.add_argument("--keep", type=Path, help="a new folder for the matches and the mails")
    given = words.parse_args()
    with (
        tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as home,
        open_post(BEGUN) as post,
    ):
        where = given.keep or Path(home)
        where.mkdir(exist_ok=True)
        season = Season(where / "club", post, matches=given.matches, people=given.people, seed=given.seed)
        season.play(given.days)
        if given.keep:
            keep(season, where / "mails")
        tell(season)
        wrong = [*faults(season)]
    for each in wrong:
        print("WRONG", each)
    return 1 if wrong else 0


def keep(season: Season, folder: Path) -> None:
    """Writes every mail that people got, and the lines that the GM got, as files."""
    folder.mkdir()
    for number, (who, got) in enumerate(sorted(mails(season), key=lambda each: each[1].at)):
        (folder / f"{number:05}-{who.partition('@')[0]}.eml").write_bytes(got.mail.as_bytes())
    (folder / "gm.txt").write_text("".join(f"{at:%m-%d %H} {line}\n" for at, line in season.told))


def tell(season: Season) -> None:
    """What was played, sent, told, and left to do by hand."""
    matches = [open_match(path) for path in season.matches]
    every = [*mails(season)]
    over = sum(match.head(match.last).over for match in matches)
    print(f"{len(matches)} matches, {over} over, {sum(len(match.phases) for match in matches)} phases")
    print(f"{len(every)} mails to people, {sum(got.size for _, got in every) / 2**20:.0f} MiB")
    written = Counter(
        kind for person in [*season.people, *season.waiting] for kind in person.written.values()
    )
    print("written:", ", ".join(f"{kind} {count}" for kind, count in written.most_common()))
    lines = Counter(kind_of(line) for _, line in season.told)
    print(f"{len(season.told)} lines to the GM:")
    for kind, count in lines.most_common():
        print(f"  {count:5}  {kind}")
    print(f"by hand: {dict(season.done)}; seats that changed hands: {season.replaced()}")


def kind_of(line: str) -> str:
    """A line without what differs from match to match."""
    line = re.sub(r"^  \| .*", "  | what a player writes", line)
    line = re.sub(r"<[^>]*>", "<id>", re.sub(r"\b(new-|b-)?p\d+(@\S+)?", "somebody", line))
    seats = "venice genoa spain turkey contarini dandolo grimani blue red orange caesar crassus pompey rome carthage"
    return re.sub(
        rf"\b({seats.replace(' ', '|')})\b",
        "SEAT",
        re.sub(r"\bm\d+\b", "M", re.sub(r"(?<!\bm)\d+", "9", line)),
    )


if __name__ == "__main__":
    raise SystemExit(main())
