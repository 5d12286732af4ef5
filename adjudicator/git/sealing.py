"""A match folder and the branch `main`: made from it, with everything opened by the referee's key, and put back, where
changed files are sealed again and everything else stays as it is.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from adjudicator.door.seats import seats_of
from adjudicator.engine.folder import papers
from adjudicator.engine.folder.adjudication import closed_in
from adjudicator.engine.folder.commit import lay_out
from adjudicator.engine.folder.entries import Instant
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import deadline_in_force, hold_in_force, is_open_again, ledger_of
from adjudicator.engine.folder.names import KEYS, SEED, head_of
from adjudicator.engine.folder.papers import Keys
from adjudicator.engine.match.proof import export
from adjudicator.engine.report.page_scripts import packed_scripts
from adjudicator.engine.text.resources import folder
from adjudicator.git.keys import RefereeKey, keys_of, owner_of
from adjudicator.git.layout import (
    AGE,
    MARK,
    OPEN_NOW,
    PAGES,
    WHOLE,
    Marks,
    Place,
    is_open_beside,
    mark_of,
    mark_under_old_key,
    number_of,
    place_of,
    plain_name,
)
from adjudicator.git.memory import Marked
from adjudicator.git.objects import Item
from adjudicator.git.repository import Repository
from adjudicator.git.running import LARGEST_FILE, LARGEST_MATCH, WIDE_STEP, GitFailed
from adjudicator.git.sealed import BadArchive, Label, NotReadable, What, pack, seal, unpack, unseal

PASSING = (".lock", ".run", ".run.tmp", ".opened.yaml")
"""Names in a match folder that belong to this machine alone."""
LONGEST_NAMES = 512
"""Bytes of the label before an archive, with room to spare."""


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


class OpenNow(Struct, frozen=True, omit_defaults=True):
    """The file `open`: the open phase and its deadline, for anybody; `over` once the match is over.

    `again`: the phase was taken back, and is played again at its deadline or by the GM. `held`: why nothing is played.
    `closed`: no sheet is taken for it any more, and it waits for its dice.
    """

    phase: str
    due: Instant | None = None
    closes: Instant | None = None
    over: bool = False
    again: bool = False
    held: str = ""
    closed: bool = False


class SealedMatch(Struct, frozen=True):
    """The changes of a commit to `main`, by name, and the match as it will be there; `strays` are left out."""

    changes: Mapping[str, bytes | None]
    after: InMain
    strays: Sequence[str]


def sealed_match(
    match: Folder, before: InMain, key: RefereeKey, old: RefereeKey | None = None
) -> SealedMatch:
    """The changes after which `main` holds the match as the folder has it now. Raises Faulty, OSError.

    `old`: the key that the referee had until now, if it is to be changed.
    """
    plain, sealed, strays = _sorted_files(match)
    plain[OPEN_NOW] = papers.text_of(_open_now(match))
    plain |= _shared_by_pages(sealed)
    tokens = {each.seat.player: each.token for each in seats_of(match)}
    archives = {
        file: digest_of_archive(tokens.get(each.place.reader, ""), each.files, each.beside(plain))
        for file, each in sealed.items()
    }
    changed = _readers_changed(match, before)
    fresh = [
        file
        for file, each in sealed.items()
        if archives[file] != before.archives.get(file) or changed & {each.place.reader, "referee"}
    ]
    texts = plain | _sealed_archives(match, sealed, fresh, plain, tokens)
    if match.has(f"{match.phases[-1]}/{SEED}"):
        texts |= _exported_files(match)
    like = next(iter(before.files.values()), "")
    stay = {name for name in before.files if name in archives or name.startswith(f"{PAGES}/")} - {*texts}
    kept = {name: number for name, number in before.files.items() if name in stay}
    numbers = {**kept, **{name: number_of(data, like) for name, data in texts.items()}}
    there = {name: number for name, number in before.files.items() if name != MARK}
    mark, put = before.mark, dict(texts)
    if numbers != there:
        mark = mark_of(key.marking, before.match, numbers, before.mark)
        over = mark_under_old_key(old.marking, mark) if old is not None else ""
        put[MARK] = Marks(mark, before.mark, over).text()
        numbers[MARK] = number_of(put[MARK], like)
    changes: dict[str, bytes | None] = {
        name: None for name in before.files if name not in {**numbers, MARK: ""}
    }
    changes |= {name: data for name, data in put.items() if before.files.get(name) != numbers[name]}
    after = InMain(before.match, "", numbers, mark, archives, plain[KEYS])
    return SealedMatch({f"{before.match}/{name}": data for name, data in changes.items()}, after, strays)


class _Archive(Struct, frozen=True):
    """An archive to be sealed: where it lies in `main`, and its files by their names in the match."""

    place: Place
    files: dict[str, bytes]

    def beside(self, plain: Mapping[str, bytes]) -> dict[str, bytes]:
        """Those of the files in the open whose lines are left out of it."""
        return {name: text for name, text in plain.items() if is_open_beside(name, self.place.file)}


def _sorted_files(match: Folder) -> tuple[dict[str, bytes], dict[str, _Archive], list[str]]:
    """The files that lie in `main` as they are, those of each archive, and those that belong to no match."""
    plain: dict[str, bytes] = {}
    sealed: dict[str, _Archive] = {}
    strays = []
    for name in match.below(without=PASSING.__contains__):
        place = place_of(name, match.phases[-1])
        if place is None:
            strays.append(name)
        elif place.sealed:
            sealed.setdefault(place.file, _Archive(place, {})).files[name] = match.read(name)
        else:
            plain[place.file] = match.read(name)
    return plain, sealed, strays


def _open_now(match: Folder) -> OpenNow:
    if match.head(match.last).over:
        return OpenNow(match.phases[-1], over=True)
    entries, phase = ledger_of(match), match.phases[-1]
    known, still, again = (
        deadline_in_force(entries, phase),
        hold_in_force(entries),
        is_open_again(entries, phase),
    )
    due, closes = (known.due, known.closes) if known is not None else (None, None)
    closed = closed_in(match, match.last) is not None and not match.opening(match.last).waits
    held = "" if still is None else still.why
    return OpenNow(phase, due, closes, again=again, held=held, closed=closed)


def _readers_changed(match: Folder, before: InMain) -> set[str]:
    """Players, and `referee`, whose sealing keys have changed."""
    now = keys_of(match)
    then = papers.read_paper(before.keys, KEYS, Keys) if before.keys else Keys(())
    found = {
        name for name in {*now.players, *then.players} if now.players.get(name) != then.players.get(name)
    }
    return found | ({"referee"} if now.referee != then.referee else set())


def _shared_by_pages(sealed: Mapping[str, _Archive]) -> dict[str, bytes]:
    """The file with what stands in all pages of this program, styles and scripts; none if there are no pages."""
    if not any(name.endswith(".html") for each in sealed.values() for name in each.files):
        return {}
    styles = sorted((folder("templates") / "pages").glob("*.css"))
    text = (
        "".join(each.read_text(encoding="utf-8") for each in styles)
        + f"<script>\n{packed_scripts()}</script>\n"
    )
    return {f"{PAGES}/{digest_of(text.encode())[:16]}.txt": text.encode()}


def _sealed_archives(
    match: Folder,
    sealed: Mapping[str, _Archive],
    fresh: Sequence[str],
    plain: Mapping[str, bytes],
    tokens: Mapping[str, str],
) -> dict[str, bytes]:
    """The archives that have changed. All players' archives of a phase are equally long, whoever has something to
    decide. Each has its reader's token, which nobody else could write into it but the referee.
    """
    phases = {sealed[file].place.phase for file in fresh} - {""}
    packed = {
        file: pack(each.files, each.beside(plain))
        for file, each in sealed.items()
        if file in fresh or each.place.phase in phases
    }
    found = {}
    for file in fresh:
        place = sealed[file].place
        recipients = [*keys_of(match).referee]
        owner = owner_of(match, place.reader) if place.reader in match.card.players else None
        recipients += [owner.key] if owner is not None else []
        what: What = "folder" if place.reader else "referee"
        token = tokens.get(place.reader, "")
        label = Label(what, match.card.match, place.phase or place.file, place.reader, token)
        longest = max(len(packed[each]) for each in packed if sealed[each].place.phase == place.phase)
        least = longest + LONGEST_NAMES if place.phase else 0
        found[file] = seal(label, packed[file], recipients, least + -least % WIDE_STEP)
    return found


def _exported_files(match: Folder) -> dict[str, bytes]:
    """The match as `export` writes it, once it is over: for anybody."""
    with tempfile.TemporaryDirectory() as passing:
        top = Path(passing) / WHOLE
        return {f"{WHOLE}/{name}": (top / name).read_bytes() for name in export(match, top)}


def not_in_main(match: str) -> InMain:
    """A match that isn't in `main` yet."""
    return InMain(match, "", {}, "", {}, b"")
