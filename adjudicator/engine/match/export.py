"""A finished match ready to be handed on: with everything needed to verify it, and nothing private."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from adjudicator.engine.folder import disk
from adjudicator.engine.folder.commit import lay_out
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.gate import Kind, kind_of
from adjudicator.engine.folder.names import CARD, LEDGER, SEED, UNDONE, is_left_out
from adjudicator.engine.folder.staging import staging


def export(match: Folder, out: Path) -> list[str]:
    """Writes the match into a new folder: positions, events, sheets and the public reports, but no mail, address or
    token.

    Returns the names of its files. Raises Faulty for a match whose seed isn't published, because its positions are
    secret, and if the folder exists already; OSError.
    """
    if not match.has(f"{match.phases[-1]}/{SEED}"):
        said = "the match isn't over, so its files are secret; `adjudicator site` writes the public ones"
        raise Faulty([problem(match.path, said)])
    if kind_of(out) is not Kind.NOTHING:
        raise Faulty([problem(out, "this is there already; name a new folder")])
    tops = [*match.phases, *([UNDONE] if match.has(UNDONE) else [])]
    names = [name for name in (CARD, LEDGER) if match.has(name)]
    names += [name for top in tops for name in _below(match, top) if not is_left_out(name)]
    out.parent.mkdir(parents=True, exist_ok=True)
    with staging(out.with_name(f".{out.name}.tmp")) as made:
        lay_out(made, {name: match.read(name) for name in names})
        disk.rename(made, out)
        disk.sync([out.parent])
    return names


def _below(match: Folder, folder: str) -> Iterator[str]:
    """All plain files below a folder, except hidden ones."""
    for name in match.names(folder):
        path = f"{folder}/{name}"
        if name.startswith("."):
            continue
        if match.checked_kind(path) is Kind.FOLDER:
            yield from _below(match, path)
        else:
            yield path
