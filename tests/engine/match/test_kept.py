"""Caches end with the work on a match: a process that runs a thousand matches stays small."""

from __future__ import annotations

import gc
from functools import _lru_cache_wrapper
from pathlib import Path

import pytest

from adjudicator.engine.folder.folder import Folder, changing
from adjudicator.engine.library import registry, texts
from adjudicator.engine.library.texts import OfMatch, Recent, forget_texts, texts_of
from adjudicator.engine.match.run import run
from adjudicator.engine.match.showing import write_again
from tests.engine.match_folders import begun, send_all


def played(path: Path, word: str) -> None:
    """A match in which a note and a sheet have words of their own."""
    begun(path)
    send_all(path)
    (path / "0001-t1-setup/note.md").write_text(f"{word} to all.\n")
    run(path)
    write_again(path, pages=True)


def sizes() -> dict[str, int]:
    """How much is in each cache without a limit, and of the texts."""
    found = {"texts": len(texts_of(registry.rulebook("mediterranee")).made)}
    for each in gc.get_objects():
        if isinstance(each, _lru_cache_wrapper) and each.cache_info().maxsize is None:
            found[f"{each.__module__}.{each.__qualname__}"] = each.cache_info().currsize
    return found


def test_another_match_is_kept_nowhere(tmp_path: Path) -> None:
    played(tmp_path / "first", "Welcome")
    before = sizes()
    played(tmp_path / "second", "Farewell")
    assert sizes() == before
    assert [each for each in texts._OF_MATCHES if each] == []


def test_what_is_kept_of_a_match_ends_with_it_also_where_it_breaks_off(lagoon: Path) -> None:
    told: OfMatch[int, str] = OfMatch(3)
    with pytest.raises(RuntimeError), changing(lagoon):
        told.keep(1, "a line")
        raise RuntimeError
    assert told == {}


def test_no_more_is_kept_than_was_meant() -> None:
    some: Recent[int, str] = Recent(3)
    for number in range(7):
        some.keep(number, "a line")
        assert some[number] == "a line" and len(some) <= 3


def test_texts_are_kept_until_they_are_forgotten(lagoon: Path) -> None:
    rulebook = Folder(lagoon).rulebook
    first = texts_of(rulebook)
    assert texts_of(rulebook) is first
    forget_texts()
    assert texts_of(rulebook) is not first
