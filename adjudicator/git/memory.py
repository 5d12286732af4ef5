"""What is remembered of `main`: by the referee's clone, the last marked commit of each match; by the repository
itself, what was seen of `main`, for a job that keeps no clone, or whose clone isn't the last.

Anybody who may write `main` may also force it back, remove a match, or join it with another history. So players and
the referee's looks repeat the last `main` that they saw: it is a parent of what they push, so the host keeps it.
Anybody may add to these branches, so their commits alone are fetched, and what they repeat is believed by its mark.
From the one that is known, the marks' own chain leads to the last; the order of commits says nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import islice
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.names import CARD
from adjudicator.git.keys import RefereeKey
from adjudicator.git.layout import MARK, NAME, Marks, mark_of, mark_under_old_key, marks_in
from adjudicator.git.main import LOOKED, SEEN, work_folder
from adjudicator.git.objects import Item
from adjudicator.git.repository import HERE, MAIN, Changes, Repository
from adjudicator.git.running import LARGEST_MARK, LARGEST_MATCH, MOST_FILES, GitFailed

FORGOTTEN = (
    "this job can't know whether main is the last that the referee wrote, since the branch `looked` is gone or doesn't "
    "say. Nothing is played until the referee's clone has told it: `adjudicator git turn CLONE`"
)
MOST_FETCHES = 32
"""So many fetches are made to find what branches repeat: of what is too much, each half is fetched."""
GOOD = "refs/adjudicator/good"
"""By match: the last marked commit that this clone knows."""
REPEATED = "refs/adjudicator/repeated"
"""By match and player: a marked commit that a player's branch has repeated, and that `main` didn't have."""
RESCUED = "main is put back, and what came after is gone from it"
MOST_TRIED = 1000
"""So many states of a match are looked at, to find the one that follows."""
_DEEP, _DEEP_IN_BOXES = MOST_TRIED, 10
"""So far back looks and players' branches are looked at."""
MOST_FOLDERS = 100
"""So many folders of `main` that might be matches are looked at."""
LARGEST_TOP = 2**20
"""Bytes of the list of what lies in no folder of `main`; of a longer one nothing is looked at."""


class Marked(Struct, frozen=True):
    """A state of a match that bears the referee's mark: a commit that has it, the files of the folder, and the marks.

    `in_main`: it is how the match lies in `main`, which has all its history too.
    """

    match: str
    commit: str
    files: Sequence[Item]
    marks: Marks
    in_main: bool = False

    def check(self) -> None:
        """Raises Faulty if this isn't how the match lies in `main`."""
        if not self.in_main:
            said = f"somebody else has written here since {self.commit[:12]}: `adjudicator git turn` mends it"
            raise Faulty([problem(self.match, said)])


def last_marked(repository: Repository, commit: str, match: str, key: RefereeKey) -> Marked:
    """The last state of a match that bears the mark, in that commit of `main` or any other that is known here.

    It is remembered from now on. Raises Faulty if there is none, GitFailed.
    """
    known = repository.refs(GOOD).get(match, "")
    good = marked_at(repository, known, match, key) if known else None
    here = good if known == commit else marked_at(repository, commit, match, key)
    tips = {commit, *repository.refs(f"{REPEATED}/{match}").values()} - {known}
    later = _marks_of(repository, sorted(tips), known if good else "", match)
    good = good or here or next(_marked_among(repository, later, match, key), None)
    if good is None:
        said = "this match bears no mark of the key that was given: it is another key, or not the referee who wrote it"
        raise Faulty([problem(match, said)])
    following: Marked | None = good
    while following is not None:
        good = following
        after = [each for each in later if each[1].before == good.marks.mark]
        following = next(_marked_among(repository, after, match, key), None)
    if here is not None and here.marks.mark == good.marks.mark and repository.follows(commit, good.commit):
        good = replace(here, in_main=True)
    if good.commit != known:
        remember(repository, match, good.commit)
    return good


def remember(repository: Repository, match: str, commit: str) -> None:
    """Remembers the last marked commit of a match. Raises GitFailed."""
    repository.keep(commit, f"{GOOD}/{match}")


def lost_by(repository: Repository, good: Marked) -> list[str]:
    """The commits one of which `main` must follow so that none of its history is lost, or little."""
    seen = repository.commit_of(SEEN)
    return [seen, good.commit] if seen and repository.follows(seen, good.commit) else [good.commit]


def put_back(repository: Repository, good: Marked) -> Changes:
    """The changes that restore a match's folder in `main`, no matter what somebody else has written there. Raises
    GitFailed.
    """
    repository.fetch_rest(good.files)
    return {good.match: None, **{f"{good.match}/{item.name}": item.number for item in good.files}}


def rescue(repository: Repository, key: RefereeKey, now: datetime, to: str = "") -> Sequence[str]:
    """Puts `main` back to a commit (the last that this clone has seen), with all matches as the referee last wrote
    them, and returns the matches.

    This is for a `main` that can't be fetched, or holds what nobody wants to keep: what came after is gone from it. It
    is the only thing that rewrites `main`, so the host must allow that. Raises Faulty, GitFailed.
    """
    there = repository.branches(MAIN).get(MAIN, "")
    base = repository.commit_of(to or SEEN)
    if not base:
        raise Faulty([problem(to or "main", "this clone has no such commit")])
    matches, changes = matches_marked(repository, base, key), dict[str, bytes | str | None]()
    for match in matches:
        good = last_marked(repository, base, match, key)
        changes |= {} if good.in_main and good.commit == base else put_back(repository, good)
    commit = repository.commit(base, changes, RESCUED, int(now.timestamp())) if changes else base
    repository.push(commit, MAIN, there, rewriting=True)
    repository.keep(commit, HERE, SEEN, *(f"{GOOD}/{match}" for match in matches))
    return matches


def marked_at(repository: Repository, commit: str, match: str, key: RefereeKey) -> Marked | None:
    """The match as it lies in a commit, if it bears the mark. Raises Faulty if the mark is that of a later key."""
    try:
        files = repository.items(commit, match)
        here = [item for item in files if item.name == MARK and 0 < item.size < LARGEST_MARK]
        if not here or len(files) > MOST_FILES or not all(item.plain for item in files):
            return None  # the referee writes plain files alone
        marks = marks_in(repository.contents(here, LARGEST_MARK)[MARK])
    except GitFailed:
        return None
    if marks.mark and marks.handed_over == mark_under_old_key(key.marking, marks.mark):
        raise Faulty([problem(match, "the referee's key was changed since, and this is the old one")])
    numbers = {item.name: item.number for item in files}
    ours = marks.mark and marks.mark == mark_of(key.marking, match, numbers, marks.before)
    return Marked(match, commit, files, marks) if ours else None


def _marks_of(repository: Repository, tips: Sequence[str], since: str, match: str) -> list[tuple[str, Marks]]:
    """What the file `mark` said in each commit that changed it, the newest first, with the commits' numbers."""
    if not tips:
        return []
    there = [
        (at, replace(item, name=item.number))
        for at, item in repository.versions(tips, since, f"{match}/{MARK}")
        if 0 < item.size < LARGEST_MARK
    ][: 10 * MOST_TRIED]
    texts = repository.contents([*{item.number: item for _, item in there}.values()], LARGEST_MATCH)
    return [(at, marks_in(texts[item.number])) for at, item in there]


def _marked_among(
    repository: Repository, later: Iterable[tuple[str, Marks]], match: str, key: RefereeKey
) -> Iterator[Marked]:
    """Those of the states that bear the mark."""
    for commit, _ in islice(later, MOST_TRIED):
        if (found := marked_at(repository, commit, match, key)) is not None:
            yield found


def matches_marked(repository: Repository, commit: str, key: RefereeKey) -> list[str]:
    """The matches of a repository: those that are remembered, and the folders of `main` that bear the mark.

    Who remembers none looks for those that have borne it too. Raises Faulty if there is none, GitFailed.
    """
    found, wrong = {*repository.refs(GOOD)}, list[Faulty]()
    repeated = {name.split("/")[0] for name in repository.refs(REPEATED)} - found
    tops = repository.tops(commit, LARGEST_TOP) if found else repository.tops_ever(commit)
    files = [f"{name}/{MARK}" for name in tops if NAME.fullmatch(name) and name not in found]
    versions = repository.versions([commit], "", *files) if files else []
    marked = [item.name.removesuffix(f"/{MARK}") for _, item in reversed(versions) if item.name in files]
    for match in [*dict.fromkeys((*sorted(repeated), *marked))][:MOST_FOLDERS]:
        try:
            found.add(last_marked(repository, commit, match, key).match)
        except Faulty as faulty:
            wrong.append(faulty)
        except GitFailed:
            continue  # no match of ours is such
    if not found:
        none = Faulty([problem("main", "there is no match in it that bears the referee's mark")])
        raise next(iter(wrong), none)
    return sorted(found)


def matches_in(repository: Repository, commit: str) -> list[str]:
    """The folders of a commit that look like matches, to whom can't tell by the mark. Raises GitFailed."""
    tops = [name for name in repository.tops(commit, LARGEST_TOP) if NAME.fullmatch(name)]
    asked = [f"{name}/{file}" for name in tops for file in (CARD, MARK)]
    there = {item.name for item in repository.items(commit, "", *asked) if item.plain} if asked else set()
    return sorted(name for name in tops if {f"{name}/{CARD}", f"{name}/{MARK}"} <= there)


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
