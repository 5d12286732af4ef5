"""The files that players pushed, each to a branch of their own: the few that can count, read without a check-out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from adjudicator.git.layout import AGE, box_of
from adjudicator.git.objects import Item
from adjudicator.git.repository import Repository
from adjudicator.git.running import LARGEST_SEALED, GitFailed

KEY, ANSWER = "key.age", "-answer.age"
SEALED, RECEIPT = "-sealed.age", ".sha256"
"""A sheet that was locked before, without its lock; and the SHA-256 of a sheet that is locked, beside it."""
LONGEST_RECEIPT = 100
_GOOD = re.compile(r"(?:key|[0-9]{4,}-t[0-9]+-[a-z0-9-]+)\.age(?:\.sha256)?")
"""The name of a file that counts now, or counted in an earlier phase."""
_MEANT = re.compile(r"[0-9]{4,}-t[0-9]+-[ -~]{1,80}|[ -~]{1,80}\.age[ -~]{0,20}")
"""The name of a file that somebody means to count, such as a download that a browser has named anew."""
MOST_MISNAMED = 3
MOST_NAMES = 2**16
"""Of a branch with longer lists of names, in bytes, none is told: it wasn't made by a player's hand."""
_RECEIPT = re.compile(rb"([0-9a-f]{64})\n")


class Pushed(Struct, frozen=True):
    """A file in a player's branch: its name, the number of its content, and its bytes; of one that is locked, `receipt`
    is the SHA-256 of what is locked.

    `because` is why it isn't read: `a-link` (or a folder), `too-large`, `misnamed` if no file with that name is ever
    read, `phase-over` if it was read while an earlier phase was open, or `unfetched` if the whole branch couldn't be
    fetched; `words` are git's own.
    """

    player: str
    name: str
    number: str
    data: bytes = b""
    because: str = ""
    words: str = ""
    receipt: str = ""


def names_for(phase: str) -> list[str]:
    """The files that can count while a phase is open."""
    return [KEY, f"{phase}{AGE}", f"{phase}{ANSWER}", f"{phase}{SEALED}"]


def files_in_boxes(
    main: Repository,
    match: str,
    phases: Sequence[str],
    players: Sequence[str],
    elsewhere: Mapping[str, str],
    work: Path,
) -> list[Pushed]:
    """All files that can count in the last of these phases, of these players, and those that are misnamed or late;
    `elsewhere` are the repositories of those whose branch isn't here.

    They are fetched into a repository of their own, in `work`, which is to be thrown away. Raises GitFailed if the
    match's own repository can't be reached.
    """
    found: list[Pushed] = []
    urls = dict.fromkeys(elsewhere.get(player, "") for player in players)
    for number, url in enumerate(urls):
        theirs = [player for player in players if elsewhere.get(player, "") == url]
        try:
            strangers = Repository.create(work / str(number), url or main.url, stranger=bool(url))
            strangers.before = main.before
            there = strangers.branch_of(*(box_of(match, player) for player in theirs))
        except GitFailed as failed:
            if not url:
                raise
            found += [_failed_fetch(player, failed) for player in theirs]
            continue
        branches = {one: there[box_of(match, one)][0] for one in theirs if box_of(match, one) in there}
        found += _fetch(strangers, branches, phases)
    return found


def _failed_fetch(player: str, failed: GitFailed) -> Pushed:
    return Pushed(player, "", "", because="unfetched", words=str(failed))


def _fetch(strangers: Repository, branches: Mapping[str, str], phases: Sequence[str]) -> list[Pushed]:
    """Fetches players' branches, and returns the files in them.

    All are fetched at once; if that fails, one by one, so that one bad branch stops no other.
    """
    if not branches:
        return []
    try:
        strangers.fetch_few(*(f"{branch}:refs/box/{player}" for player, branch in branches.items()))
        return [each for player in branches for each in _read(strangers, player, phases)]
    except GitFailed as failed:
        if len(branches) > 1:
            return [each for one in branches.items() for each in _fetch(strangers, dict([one]), phases)]
        return [_failed_fetch(player, failed) for player in branches]


def _read(strangers: Repository, player: str, phases: Sequence[str]) -> list[Pushed]:
    commit = strangers.commit_of(f"refs/box/{player}")
    if not commit:
        raise GitFailed("the branch holds no commit")
    names = names_for(phases[-1])
    beside = [f"{each}{RECEIPT}" for each in names]
    items = {item.name: item for item in strangers.items(commit, "", *names, *beside)}
    found = [
        _taken(strangers, player, items[name], items.get(f"{name}{RECEIPT}"))
        for name in names
        if name in items
    ]
    return [*found, *_in_vain(strangers, player, commit, phases)]


def _taken(strangers: Repository, player: str, item: Item, beside: Item | None) -> Pushed:
    """A file that can count, with the receipt beside it, if there is one."""
    if not item.plain or not 0 <= item.size <= LARGEST_SEALED:
        return Pushed(player, item.name, item.number, because="too-large" if item.plain else "a-link")
    small = [beside] if beside and beside.plain and 0 <= beside.size <= LONGEST_RECEIPT else []
    texts = strangers.contents([item, *small], LARGEST_SEALED + LONGEST_RECEIPT)
    receipt = _RECEIPT.fullmatch(texts.get(f"{item.name}{RECEIPT}", b""))
    told = receipt[1].decode() if receipt else ""
    return Pushed(player, item.name, item.number, texts[item.name], receipt=told)


def _in_vain(strangers: Repository, player: str, commit: str, phases: Sequence[str]) -> list[Pushed]:
    """Files of a branch that look as if they were meant to count, but can't: folders under a name that counts, files
    of the phases before, and the first of those whose names never count.
    """
    try:
        there = strangers.at_the_top(commit, MOST_NAMES)
    except GitFailed:
        return []
    files = {name: number for kind, number, name in there if kind == "blob"}
    folders = {name: number for kind, number, name in there if kind == "tree"}
    over = {name for phase in phases[:-1] for name in names_for(phase)} - {KEY}
    wrong = sorted(name for name in files if _MEANT.fullmatch(name) and not _GOOD.fullmatch(name))
    return [
        *(
            Pushed(player, name, folders[name], because="a-link")
            for name in names_for(phases[-1])
            if name in folders
        ),
        *(Pushed(player, name, files[name], because="phase-over") for name in sorted(over & {*files})),
        *(Pushed(player, name, files[name], because="misnamed") for name in wrong[:MOST_MISNAMED]),
    ]
