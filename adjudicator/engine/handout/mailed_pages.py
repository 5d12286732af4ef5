"""The digests of pages as they were mailed."""

from __future__ import annotations

from contextlib import suppress

from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.report.reader_texts import ORDERS, PAGE


def digests_as_mailed(match: Folder, number: int) -> dict[str, str]:
    """The SHA-256 of the mailed pages of a phase, by name, if the pages still exist; those for orders without the
    addresses that each mail puts into them.
    """
    from adjudicator.engine.report.standalone import standalone_page, without_addresses

    top, found = match.phases[number], {}
    kinds = {PAGE: standalone_page, ORDERS: without_addresses}
    for name, digest in match.opening(number).handed.items():
        as_mailed = kinds.get(name.rpartition("/")[2])
        if as_mailed is not None:
            with suppress(Faulty):  # skip a page that is gone, or in whose place a link lies
                page = match.read(f"{top}/{name}")
                if digest_of(page) == digest:
                    found[name] = digest_of(as_mailed(page.decode()).encode())
    return found
