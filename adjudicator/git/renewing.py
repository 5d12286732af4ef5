"""New keys for the referee, when one was lost or somebody else may have it: everything is sealed again to them.

What was pushed before stays in the history, readable with the old key; what is pushed from now on isn't.
"""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

from msgspec.structs import replace

from adjudicator.engine.folder import papers
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import changing
from adjudicator.engine.folder.folder import open_match as match_in
from adjudicator.engine.folder.names import KEYS
from adjudicator.git.keys import COMMENT, RefereeKey, keys_of, new_referee_key, referee_key_in, text_of
from adjudicator.git.main import fetch_main, push_main, work_folder
from adjudicator.git.match_in_main import open_match
from adjudicator.git.remembered import last_marked, matches_marked
from adjudicator.git.repository import Repository
from adjudicator.git.sealing import sealed_match
from adjudicator.git.seat import REFEREE_KEY, SPARE, SPARE_KEY, home_of, write_own

FRESH = "new-"
"""The beginning of the files' names until everything is sealed to the new keys."""


def renew(repository: Repository, key: RefereeKey, now: datetime) -> list[str]:
    """Makes new keys, the job's and a spare, and seals all matches to them, in one commit. Returns the matches.

    `key` is one that counted until now. A renewal that was cut short is finished. Raises Faulty, GitFailed, OSError.
    """
    home = home_of(repository)
    commit = fetch_main(repository)
    matches = matches_marked(repository, commit, key)
    if (home / f"{FRESH}{REFEREE_KEY}").is_file() and not _is_done(repository, commit, matches, home):
        (home / f"{FRESH}{REFEREE_KEY}").unlink()
    if not (home / f"{FRESH}{REFEREE_KEY}").is_file():
        fresh, public = new_referee_key()
        spare, spare_public = new_referee_key(fresh.marking)
        write_own(home / f"{FRESH}{SPARE}", f"{public}\n{spare_public}\n".encode())
        write_own(home / f"{FRESH}{SPARE_KEY}", text_of(spare, spare_public, "The spare key").encode())
        write_own(home / f"{FRESH}{REFEREE_KEY}", text_of(fresh, public, "The referee's key").encode())
        _push_sealed_anew(repository, commit, matches, key, fresh, (public, spare_public), now)
    for name in (SPARE, SPARE_KEY, REFEREE_KEY):
        os.replace(home / f"{FRESH}{name}", home / name)  # noqa: PTH105
    return matches


def _is_done(repository: Repository, commit: str, matches: list[str], home: Path) -> bool:
    """Has a renewal that was cut short already pushed its commit?"""
    name = home / f"{FRESH}{REFEREE_KEY}"
    key = referee_key_in(name.read_text(encoding="utf-8"), str(name))
    try:
        return all(last_marked(repository, commit, match, key).in_main for match in matches)
    except Faulty:
        return False


def _push_sealed_anew(
    repository: Repository,
    commit: str,
    matches: list[str],
    key: RefereeKey,
    fresh: RefereeKey,
    public: tuple[str, str],
    now: datetime,
) -> None:
    changes: dict[str, bytes | str | None] = {}
    with work_folder(repository) as work:
        for match in matches:
            path = work / match
            before = open_match(repository, last_marked(repository, commit, match, key), key, path)
            with changing(path) as folder:
                folder.add(KEYS, papers.text_of(replace(keys_of(folder), referee=public), COMMENT))
                folder.commit()
            changes |= sealed_match(match_in(path), before, fresh, key).changes
    push_main(repository, commit, changes, "The referee has new keys", now)
