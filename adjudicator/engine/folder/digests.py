"""What a match holds below a folder, and its SHA-256."""

from __future__ import annotations

from collections.abc import Iterator

from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.gate import Kind
from adjudicator.engine.folder.names import NOTE


def digests_in(match: Folder, name: str) -> dict[str, str]:
    """The SHA-256 of everything below a folder of a match, by name, or of a file, under the empty name; without the
    GM's notes.
    """
    if match.kind(name) is Kind.FILE:
        return {"": digest_of(match.read(name))}
    files = [each for each in below(match, name) if not each.rpartition("/")[2].startswith((".", NOTE))]
    return {
        each.removeprefix(f"{name}/"): digest_of(match.read(each))
        for each in files
        if match.kind(each) is Kind.FILE
    }


def below(match: Folder, folder: str) -> Iterator[str]:
    """Everything below a folder of a match that isn't a folder itself; a link to a folder isn't one."""
    for name in match.names(folder):
        if match.kind(f"{folder}/{name}") is Kind.FOLDER:
            yield from below(match, f"{folder}/{name}")
        else:
            yield f"{folder}/{name}"
