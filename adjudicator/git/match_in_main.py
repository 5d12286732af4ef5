"""A match folder made from `main`: everything opened with the referee's key, and put in its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from adjudicator.engine.folder.commit import lay_out
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.names import KEYS, head_of
from adjudicator.git.keys import RefereeKey
from adjudicator.git.layout import AGE, PAGES, WHOLE, is_open_beside, place_of, plain_name
from adjudicator.git.marked import Marked
from adjudicator.git.objects import Item
from adjudicator.git.repository import Repository
from adjudicator.git.running import LARGEST_FILE, LARGEST_MATCH, GitFailed
from adjudicator.git.sealed import BadArchive, NotReadable, unpack, unseal


class InMain(Struct, frozen=True):
    """A match as it lies in a commit: the numbers of its files, its mark, and a digest of what is in each archive."""

    match: str
    commit: str
    files: Mapping[str, str]
    mark: str
    archives: Mapping[str, str]
    keys: bytes


def open_match(repository: Repository, good: Marked, key: RefereeKey, into: Path) -> InMain:
    """Lays a match out in a new folder, as the referee left it in `main`. Raises Faulty, GitFailed."""
    match = good.match
    good.check()
    texts = _texts(repository, good.files)
    found, archives = _files_of(texts, match, key)
    lay_out(into, {**found, f"{_open_phase(found)}/sheets/": b""})
    numbers = {item.name: item.number for item in good.files}
    return InMain(match, good.commit, numbers, good.marks.mark, archives, texts[KEYS])


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
            label, content = unseal(data, [key.identity])
            beside = {name: text for name, text in texts.items() if is_open_beside(name, file)}
            files = unpack(content, shared=beside)
        except (NotReadable, BadArchive) as error:
            raise Faulty(
                [problem(f"{match}/{file}", f"this can't be opened with the referee's key ({error})")]
            ) from None
        archives[file] = digest_of_archive(label.token, files, beside)
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


def digest_of_archive(token: str, files: Mapping[str, bytes], beside: Mapping[str, bytes]) -> str:
    """A digest of what is in an archive, of its reader's token, and of the files beside it whose lines are left out: as
    long as it is the same, the archive can be opened as it is. (What stands in all pages stays for ever.)
    """
    every = {**files, **{name: beside[name] for name in beside if not name.startswith(f"{PAGES}/")}}
    lines = [f"{digest_of(every[name])} {name!a}\n" for name in sorted(every)]
    return digest_of("".join([*lines, token]).encode())
