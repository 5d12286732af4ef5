"""What the repository itself remembers of `main`, for a job that keeps no clone, or whose clone isn't the last.

The referee's looks and players' branches repeat the last `main` that was seen: it is a parent of what is pushed.
Anybody may add to these branches, so their commits alone are fetched, and what they repeat is believed by its mark.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.git.keys import RefereeKey
from adjudicator.git.main import LOOKED, work_folder
from adjudicator.git.marked import GOOD, MOST_FOLDERS, MOST_TRIED, REPEATED, Marked, marked_at, matches_in
from adjudicator.git.repository import Repository
from adjudicator.git.running import LARGEST_MARK, GitFailed

FORGOTTEN = (
    "this job can't know whether main is the last that the referee wrote, since the branch `looked` is gone or doesn't "
    "say. Nothing is played until the referee's clone has told it: `adjudicator git turn CLONE`"
)
MOST_FETCHES = 32
"""So many fetches are made to find what branches repeat: of what is too much, each half is fetched."""
_DEEP, _DEEP_IN_BOXES = MOST_TRIED, 10
"""So far back looks and players' branches are looked at."""


def learn_from_boxes(repository: Repository, boxes: Path, good: Marked, key: RefereeKey) -> bool:
    """Fetches the commits of `main` that players' branches repeat, of those that bear the mark and aren't known here.

    `boxes` has the repositories into which the branches were fetched, and `good` is the match as it is known. Returns
    whether there were any. Raises Faulty if a phase was closed otherwise in one of them.
    """
    learned = False
    for home in sorted(boxes.iterdir()) if boxes.is_dir() else ():
        there = Repository(home)
        there.stranger = there.url != repository.url
        for player, box in there.refs("refs/box").items():
            with suppress(GitFailed):
                for seen in there.parents_of(box)[-1:]:
                    if _learn(repository, there, seen, [good.match], key):
                        learned = True
                    elif not repository.follows(good.commit, seen):
                        _check_closings(good, marked_at(repository, seen, good.match, key), player)
    return learned


def learn_all(repository: Repository, key: RefereeKey) -> bool:
    """The same for the referee's looks and all branches of players, if this clone remembers no match.

    Returns whether it is known how far the matches were: the clone remembers one, or a look says it. Raises GitFailed.
    """
    if repository.refs(GOOD):
        return True
    with work_folder(repository) as work:
        there = Repository.create(work / "branches", repository.url)
        marks = Repository.create(work / "marks", repository.url)  # git gets no files of a commit that it has
        looks = [name for name, _ in there.branch_of(LOOKED).values()]
        seen = _repeated_by(there, looks, _DEEP)
        _learn_each(repository, marks, seen, key)
        sure = any(repository.commit_of(each) for each in seen)
        with suppress(GitFailed):  # there may be more than can be listed
            boxes = [each for each in there.far_refs("box/*", "box.*") if each.startswith("refs/heads/box")]
            _learn_each(repository, marks, _repeated_by(there, boxes, _DEEP_IN_BOXES), key)
    return sure


def _repeated_by(there: Repository, branches: Sequence[str], deep: int) -> list[str]:
    """The commits that branches repeat, the newest first; none, if there is too much in them."""
    names = [f"refs/from/{number}" for number in range(len(branches))]
    if not names:
        return []
    try:
        pairs = zip(branches, names, strict=True)
        there.fetch_few(*(f"{branch}:{name}" for branch, name in pairs), files=0, deep=deep)
        return there.repeated_by(names)[:MOST_TRIED]
    except GitFailed:
        return []


def _learn_each(repository: Repository, there: Repository, seen: Sequence[str], key: RefereeKey) -> None:
    """Fetches those commits that bear a mark, and aren't known."""
    _fetch_marks(there, [each for each in seen if not repository.commit_of(each)])
    for each in seen:
        with suppress(GitFailed):  # one bad commit hides no other
            _learn(repository, there, each, matches_in(there, each)[:MOST_FOLDERS], key)


def _fetch_marks(there: Repository, commits: Sequence[str]) -> None:
    """Fetches the lists of files in commits, and of the files only the smallest: half of them at once, if all are too
    much.
    """
    parts = [commits] if commits else []
    for _ in range(MOST_FETCHES):
        if not parts:
            return
        some = parts.pop(0)
        try:
            there.fetch_few(*(f"{each}:refs/seen/{each}" for each in some), files=LARGEST_MARK)
        except GitFailed:
            half = len(some) // 2
            parts += [some[:half], some[half:]] if half else []


def _learn(
    repository: Repository, there: Repository, seen: str, matches: Sequence[str], key: RefereeKey
) -> bool:
    """Fetches a commit that somebody repeats, if it isn't known and bears the mark of one of the matches; did it?"""
    if repository.commit_of(seen):
        return False
    if not there.commit_of(seen):
        there.fetch_few(f"{seen}:refs/seen/{seen}", files=LARGEST_MARK)
    learned = False
    for match in matches:
        with suppress(Faulty):
            if marked_at(there, seen, match, key) is not None:
                repository.fetch(f"{seen}:{REPEATED}/{match}/{seen}", of=there)
                learned = True
    return learned


def _check_closings(good: Marked, other: Marked | None, player: str) -> None:
    """Raises Faulty if a phase was closed in two ways: somebody has forced `main` back, and it was played twice."""
    known = {item.name: item.number for item in good.files if item.name.startswith("closed/")}
    files = other.files if other else ()
    if other and (twice := [each.name for each in files if known.get(each.name, each.number) != each.number]):
        said = (
            f"it was closed twice: {player}'s branch follows {other.commit[:12]}, where it was closed otherwise than "
            "in main. Nothing is played until the referee's clone has told which counts: `adjudicator git turn CLONE`"
        )
        raise Faulty([problem(f"{good.match}/{twice[0]}", said)])
