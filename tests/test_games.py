"""The matches in `games/`: whole, untouched since they were played, and replayed by the version that played them."""

from __future__ import annotations

import hmac
import json
from hashlib import sha256
from pathlib import Path

import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import chain_of, open_match
from adjudicator.engine.folder.names import EVENTS, OPEN, STATE
from adjudicator.engine.folder.papers import digest_of_opening
from adjudicator.engine.library import registry
from adjudicator.engine.match.showing import map_of, report_of
from adjudicator.engine.match.site import INDEX, write_site
from adjudicator.engine.table.event import Shuffled, Thrown
from adjudicator.engine.text.problem import as_text
from adjudicator.rulebooks.serenissima.board import DIE as SKULLS
from tests.cli.calling import adjudicator
from tests.games import PATHS, of_this_version

MATCHES = [pytest.param(path, id=f"{path.parent.name}-{path.name}") for path in PATHS]
CHANGED = """This match comes out otherwise than when it was played: the rules have changed, or how a match is written.
Give `version` of the rulebook, in its __init__.py, the next number, so that nobody's match is called tampered with;
between releases, __version__ in adjudicator/__init__.py is the next one with .dev0. For a release: make games.
docs/develop.md says more."""


def test_every_rulebook_has_one_match_to_read() -> None:
    assert [path.parent.name for path in PATHS] == sorted(registry.OWN)


@pytest.mark.parametrize("path", MATCHES)
def test_a_match_is_untouched_since_it_was_played(path: Path) -> None:
    match = open_match(path)
    for number, phase in enumerate(match.phases[:-1]):
        closed = match.opening(number).closed
        assert closed is not None and {STATE, EVENTS} <= set(closed.files)
        now = {name: digest_of((path / phase / name).read_bytes()) for name in closed.files}
        if OPEN in closed.files:
            now[OPEN] = digest_of_opening(match.opening(number))
        assert now == closed.files
        chain = chain_of(dict(closed.files))
        after = (path / match.phases[number + 1] / STATE).read_text(encoding="utf-8")
        assert f"\nchain: {chain}\n" in after


@pytest.mark.parametrize("path", MATCHES)
def test_replayed_it_comes_out_as_it_is_written(path: Path) -> None:
    of_this_version(path)
    found = verify(path)
    wrong = [each for each in found.problems if each.severity == "error"]
    assert not wrong, f"{CHANGED}\n{as_text(wrong[:5])}"
    assert found.replayed == found.phases


@pytest.mark.parametrize("path", [PATHS[0], pytest.param(PATHS[1], marks=pytest.mark.soak)])
def test_what_was_left_out_can_be_made_anew(path: Path, tmp_path: Path) -> None:
    match = of_this_version(path)
    told = [number for number, folder in enumerate(match.phases) if match.has(f"{folder}/for")]
    for who in match.card.players:
        assert "## What happened" in report_of(match, who, str(told[-2]))
    assert map_of(match, match.last, None).svg
    assert INDEX in list(write_site(match, tmp_path / "site"))


@pytest.mark.parametrize("path", MATCHES)
def test_every_throw_can_be_done_again_by_hand_as_docs_dice_says(path: Path) -> None:
    match = of_this_version(path)
    seed = bytes.fromhex(str(match.secrets().seed))  # type: ignore[union-attr]
    assert sha256(seed).hexdigest() == match.card.seed
    done = 0
    for number in range(match.last):
        due = match.state(number).phase.due
        counters: dict[tuple[str, ...], int] = {}

        def drawn(
            what: tuple[str, ...],
            number: int = number,
            salts: int = len(due),
            counters: dict[tuple[str, ...], int] = counters,
        ) -> int:
            count = counters.setdefault(what, 0)
            counters[what] += 1
            words = [match.card.match, number, [""] * salts, list(what), count]
            text = json.dumps(words, separators=(",", ":"))
            return int.from_bytes(hmac.digest(seed, text.encode(), "sha256")[:8], "big")

        for event in match.events(number):
            if isinstance(event, Thrown):
                faces = len(match.card.players) if event.what == ("first",) else 6
                die = SKULLS if match.card.rulebook == "serenissima" else range(1, faces + 1)
                assert event.face == die[drawn(event.what) % faces]
                done += 1
            elif isinstance(event, Shuffled) and event.what == ("first",):
                left = list(match.card.players)
                assert [left.pop(drawn(event.what) % len(left)) for _ in event.order] == [
                    each.value for each in event.order
                ]
                done += 1
    assert done


def test_the_command_verifies_each_with_clean_sentences() -> None:
    of_this_version(PATHS[0])
    done = adjudicator("verify", PATHS[0])
    assert done.exit_code == 0
    assert [line.split(":")[0] for line in done.stdout.splitlines()] == [
        f"Replayed {open_match(PATHS[0]).last} phases",
        "Not in this folder, and not needed for that",
    ]
    several = adjudicator("verify", *PATHS)
    assert several.exit_code == 1
    assert several.output.startswith(
        f"{PATHS[0]}: MATCH this is a match, not what a player received; verify each"
    )
