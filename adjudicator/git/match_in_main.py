"""A match folder made from `main`: everything opened with the referee's key, and put in its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from adjudicator.engine.folder.commit import lay_out
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.names import CARD, KEYS, head_of
from adjudicator.git.archive import BadArchive, unpack
from adjudicator.git.keys import RefereeKey
from adjudicator.git.layout import AGE, MARK, NAME, WHOLE, place_of, plain_name
from adjudicator.git.limits import LARGEST_FILE, LARGEST_MATCH, MOST_FILES
from adjudicator.git.mark import Marks, mark_of, mark_under_old_key, marks_in
from adjudicator.git.repository import Item, Repository
from adjudicator.git.running import GitFailed
from adjudicator.git.sealed import NotReadable, unseal

MOST_BACK = 1000
"""How many commits the referee goes back, to the last one of its own."""


class InMain(Struct, frozen=True):
    """A match as it lies in a commit: the numbers of its files, its mark, and a digest of what is in each archive."""

    match: str
    commit: str
    files: Mapping[str, str]
    mark: str
    archives: Mapping[str, str]
    keys: bytes


def matches_in(repository: Repository, commit: str) -> list[str]:
    """The folders of matches in a commit. Raises GitFailed."""
    found = {item.name.split("/")[0] for item in repository.items(commit) if item.name.endswith(f"/{CARD}")}
    tops = [name for name in found if NAME.fullmatch(name)]
    return sorted(name for name in tops if list(repository.items(commit, name, CARD)))


def open_match(repository: Repository, commit: str, match: str, key: RefereeKey, into: Path) -> InMain:
    """Lays a match out in a new folder, as it lies in a commit with the referee's mark. Raises Faulty, GitFailed."""
    good, files = last_marked(repository, commit, match, key)
    if good != commit:
        raise Faulty(
            [
                problem(
                    match,
                    f"somebody else has written here since {good[:12]}: `adjudicator git turn` mends it",
                )
            ]
        )
    texts = _texts(repository, files)
    found, archives = _files_of(texts, match, key)
    lay_out(into, {**found, f"{_open_phase(found)}/sheets/": b""})
    numbers = {item.name: item.number for item in files}
    return InMain(match, commit, numbers, marks_in(texts[MARK]).mark, archives, texts[KEYS])


def last_marked(repository: Repository, commit: str, match: str, key: RefereeKey) -> tuple[str, list[Item]]:
    """The last commit in which the match's folder bears the referee's mark, and its files. Raises Faulty, GitFailed."""
    good = commit
    for _ in range(MOST_BACK):
        files = list(repository.items(good, match))
        marks = _marks(repository, files) if len(files) <= MOST_FILES else Marks()
        if marks.mark and marks.handed_over == mark_under_old_key(key.marking, marks.mark):
            raise Faulty([problem(match, "the referee's key was changed since, and this is the old one")])
        numbers = {item.name: item.number for item in files}
        ours = marks.mark and marks.mark == mark_of(key.marking, match, numbers, marks.before)
        if ours and not _is_superseded(repository, good, match, marks.mark, key):
            return good, files
        good = repository.parent_of(good)
        if not good:
            break
    said = "this match bears no mark of the key that was given: it is another key, or not the referee who wrote it"
    raise Faulty([problem(match, said)])


def _is_superseded(repository: Repository, commit: str, match: str, mark: str, key: RefereeKey) -> bool:
    """Did another mark of the referee's follow on this one before that commit? Then somebody has put an old state of
    the match back, to have a phase played again whose outcome is known.
    """
    earlier = [item for item in repository.versions(commit, f"{match}/{MARK}") if 0 < item.size < 1000]
    texts = repository.contents(earlier, LARGEST_MATCH)
    for name, text in texts.items():
        marks = marks_in(text)
        if marks.before != mark:
            continue
        numbers = {item.name: item.number for item in repository.items(name, match)}
        if marks.mark == mark_of(key.marking, match, numbers, mark):
            return True
    return False


def put_back(files: Sequence[Item], match: str) -> dict[str, bytes | str | None]:
    """The changes that restore a match's folder in `main`, no matter what somebody else has written there."""
    return {match: None, **{f"{match}/{item.name}": item.number for item in files}}


def _marks(repository: Repository, files: Sequence[Item]) -> Marks:
    """What the file `mark` says; nothing if there is more than plain files here, which the referee never writes."""
    here = [item for item in files if item.name == MARK and 0 < item.size < 1000]
    if not here or not all(item.plain for item in files):
        return Marks()
    return marks_in(repository.contents(here, 1000)[MARK])


def _texts(repository: Repository, files: Sequence[Item]) -> dict[str, bytes]:
    if large := [item.name for item in files if item.size > LARGEST_FILE]:
        raise GitFailed(f"{large[0]!a} is larger than any file of a match")
    return repository.contents(
        [item for item in files if not item.name.startswith(f"{WHOLE}/")], LARGEST_MATCH
    )


def _files_of(
    texts: Mapping[str, bytes], match: str, key: RefereeKey
) -> tuple[dict[str, bytes], dict[str, str]]:
    """The files of the match by name, and a digest of what is in each archive. Raises Faulty."""
    found = {name: texts[file] for file in texts if (name := plain_name(file))}
    archives: dict[str, str] = {}
    for file, data in texts.items():
        if not file.endswith(AGE):
            continue
        try:
            _, content = unseal(data, [key.identity])
            files = unpack(content)
        except (NotReadable, BadArchive) as error:
            raise Faulty(
                [problem(f"{match}/{file}", f"this can't be opened with the referee's key ({error})")]
            ) from None
        archives[file] = digest_of_files(files)
        found |= files
    phase = _open_phase(found)
    strangers = [
        name for name in found if (place := place_of(name, phase)) is None or place.file not in texts
    ]
    if strangers:
        raise Faulty([problem(f"{match}/{strangers[0]}", "this doesn't belong to a match")])
    return found, archives


def _open_phase(names: Mapping[str, bytes]) -> str:
    phases = [head.number for name in names if (head := head_of(name.split("/")[0]))]
    last = max(phases, default=0)
    return next(
        (top for name in names if (head := head_of(top := name.split("/")[0])) and head.number == last), ""
    )


def digest_of_files(files: Mapping[str, bytes]) -> str:
    """A digest of files with their names: the same for the same files."""
    return digest_of("".join(f"{digest_of(files[name])} {name!a}\n" for name in sorted(files)).encode())
