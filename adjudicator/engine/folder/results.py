"""The results of `resolve` in a folder outside any match: written whole, and replacing only earlier results.

Beside them is a list of their SHA-256. What isn't in it, or was changed since, isn't ours to replace: it may be a form
that somebody has filled in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from adjudicator.engine.folder import disk
from adjudicator.engine.folder.commit import lay_out
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.gate import Gate, Kind
from adjudicator.engine.folder.names import EVENTS, FOR, STATE
from adjudicator.engine.folder.staging import is_ours, staging
from adjudicator.engine.folder.unfinished_run import below

LIST = ".resolved"
"""A line for each written file, as `sha256sum` writes it."""


def write_results(out: Path, files: Mapping[str, bytes]) -> None:
    """Writes the results, state last. Raises Faulty for files there that aren't ours, OSError."""
    known = earlier_results(out)
    new = [f"{digest_of(text)}  {name}\n" for name, text in files.items()]
    out.parent.mkdir(parents=True, exist_ok=True)
    with staging(stage_of(out)) as made:
        lay_out(
            made, {**files, LIST: "".join(new).encode(), "both": "".join([*sorted(known), *new]).encode()}
        )
        if not out.exists():
            disk.unlink(made / "both")
            disk.rename(made, out)
            disk.sync([out.parent])
            return
        disk.rename(made / "both", out / LIST)  # if we are killed, the list still knows what is half replaced
        disk.sync([out])
        if (out / FOR).is_dir():
            disk.rename(out / FOR, made / "before")
        for name in (FOR, EVENTS, STATE, LIST):
            disk.rename(made / name, out / name)
        disk.sync([out])


def earlier_results(out: Path) -> set[str]:
    """The lines of the list of earlier results; none if there are none. Raises Faulty for files that aren't ours."""
    stage = stage_of(out)
    if Gate(stage.parent).has(stage.name) and not is_ours(stage):
        raise Faulty(
            [problem(stage, "this is in the way, and this program didn't make it: rename or remove it")]
        )
    if not out.exists():
        return set()
    gate = Gate(out)
    text = gate.read(LIST).decode(errors="replace") if gate.has(LIST) else ""
    listed = set(text.splitlines(keepends=True))
    for name in _there(gate):
        if gate.kind(name) is Kind.FOLDER:
            continue
        if f"{digest_of(gate.read(name))}  {name}\n" not in listed:
            said = "this was changed since `resolve` wrote it, so it isn't replaced; remove it, or name another folder"
            raise Faulty([problem(out / name, said)])
    return listed


def stage_of(out: Path) -> Path:
    """Where the results are made. An existing folder may be on another disk, to which nothing can be renamed."""
    return out / ".resolve.tmp" if out.is_dir() else out.with_name(f".{out.name}.tmp")


def _there(gate: Gate) -> Iterable[str]:
    yield from (name for name in (STATE, EVENTS) if gate.has(name))
    if gate.has(FOR):
        yield FOR
        yield from (name for name, _ in below(gate, FOR))
