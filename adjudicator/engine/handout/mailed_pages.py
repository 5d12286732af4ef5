"""The digests of reports' pages as they were mailed."""

from __future__ import annotations

from contextlib import suppress

from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.report.reader_texts import PAGE


def digests_as_mailed(match: Folder, number: int) -> dict[str, str]:
    """The SHA-256 of the mailed pages of a phase's reports, by name, if the pages still exist."""
    from adjudicator.engine.report.standalone import standalone_page

    top, found = match.phases[number], {}
    for name, digest in match.opening(number).handed.items():
        if name.endswith(f"/{PAGE}"):
            with suppress(Faulty):  # skip a page that is gone, or in whose place a link lies
                page = match.read(f"{top}/{name}")
                if digest_of(page) == digest:
                    found[name] = digest_of(standalone_page(page.decode()).encode())
    return found
