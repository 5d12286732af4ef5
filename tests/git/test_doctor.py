"""`adjudicator git doctor` names what is open, and nothing else."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adjudicator.git import doctor
from adjudicator.git.hosts import install_hooks, pin
from adjudicator.git.main import fetch_main, push_main
from adjudicator.git.seat import DEPLOY_KEY, REFEREE_KEY, SPARE_KEY, home_of
from tests.cli.calling import adjudicator
from tests.git.clubs import NOON, Club, git, joined
from tests.git.pushing import push

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a hook of a bare repository is a shell's script")
AT = ("--at", "2026-11-22T12:30Z")
LATER = ("--at", "2026-11-25T12:30Z")


@pytest.fixture(scope="module")
def cared_for(tmp_path_factory: pytest.TempPathFactory) -> Club:
    """A club with hooks, in which a founder has done all that there is to do."""
    club = joined(tmp_path_factory.mktemp("club"))
    commit = fetch_main(club.referee)
    gone: dict[str, bytes | str | None] = {".gitlab-ci.yml": None, ".adjudicator": None}
    push_main(club.referee, commit, gone, "no host's job", NOON)
    assert install_hooks(club.referee)
    club.bare.chmod(0o755)
    for name in (SPARE_KEY, DEPLOY_KEY):
        (home_of(club.referee) / name).unlink()
    club.referee.__dict__.pop("word", None)
    assert adjudicator("git", "turn", club.referee.path, *AT).exit_code == 0
    return club


@pytest.fixture
def healthy(cared_for: Club, tmp_path: Path) -> Club:
    """The same at another place, which its hooks name."""
    club = cared_for.copied(tmp_path)
    for hook in (club.bare / "hooks").iterdir():
        hook.unlink()
    assert install_hooks(club.referee)
    club.bare.chmod(0o755)
    return club


def told(club: Club, *more: str) -> tuple[int, list[str]]:
    """The status, and what is open."""
    done = adjudicator("git", "doctor", club.referee.path, *(more or AT))
    return done.exit_code, [line for line in done.output.splitlines() if line.startswith("Open: ")]


def test_nothing_is_open_in_a_healthy_club_and_what_cannot_be_seen_is_named(healthy: Club) -> None:
    assert told(healthy) == (0, [])
    assert (
        "Look yourself: who pushes to whose branch"
        in adjudicator("git", "doctor", healthy.referee.path).output
    )
    git(healthy.bare, "config", "adjudicator.lagoon/venice.account", "anna")
    assert "Look yourself" not in adjudicator("git", "doctor", healthy.referee.path, *AT).output


def _job_from_a_registry(club: Club) -> None:
    job = b'turn:\n  script:\n    - pip install "adjudicator-games[git]==0.1.0"\n'
    push_main(club.referee, fetch_main(club.referee), {".gitlab-ci.yml": job}, "an older job", NOON)


def _other_program(club: Club) -> None:
    _job_from_a_registry(club)
    pin(club.referee, club.key, NOON)
    files = {".adjudicator/requirements.txt": b"adjudicator-games\n"}
    push_main(club.referee, fetch_main(club.referee), files, "another program", NOON)


def _large(club: Club) -> None:
    push_main(club.referee, fetch_main(club.referee), {"charts/sea.bin": bytes(5 * 2**20)}, "a chart", NOON)


def _left_out(club: Club) -> None:
    push(club, "refs/heads/main", {"large": bytes(5 * 2**20)}, onto=club.git("rev-parse", "main").strip())


def _stray(club: Club) -> None:
    git(club.bare, "update-ref", "refs/heads/box/lagoon/nobody", "refs/heads/main")


WRONG: dict[str, tuple[Callable[[Club], object], str]] = {
    "key": (lambda club: (home_of(club.referee) / REFEREE_KEY).chmod(0o644), "can read"),
    "spare": (lambda club: (home_of(club.referee) / SPARE_KEY).touch(0o600), "the spare key lies beside"),
    "hook": (lambda club: (club.bare / "hooks/pre-receive").unlink(), "pre-receive is missing"),
    "mode": (lambda club: (club.bare / "hooks/post-receive").chmod(0o644), "post-receive can't be run"),
    "setting": (lambda club: git(club.bare, "config", "receive.denyDeletes", "false"), "receive.denyDeletes"),
    "word": (lambda club: git(club.bare, "config", "adjudicator.word", "x"), "refuses the referee"),
    "folder": (lambda club: club.bare.chmod(0o777), "past its hooks"),
    "large": (_large, "much lies in main beside the matches, most in 'charts/sea.bin'"),
    "left out": (_left_out, "much lies in main beside the matches, most in 'large'"),
    "stray": (_stray, "branches that are nobody's, which anybody may push: box/lagoon/nobody"),
    "registry": (_job_from_a_registry, ".gitlab-ci.yml installs what a package registry has"),
    "program": (_other_program, "isn't the program that runs here"),
}


@pytest.mark.parametrize("what", WRONG)
def test_each_thing_that_is_open_is_named_alone(what: str, healthy: Club) -> None:
    spoil, said = WRONG[what]
    spoil(healthy)
    status, lines = told(healthy)
    assert status == 1
    assert any(said in line for line in lines), lines
    assert len(lines) == (2 if what == "registry" else 1)  # there is no program in main then either


def test_a_referee_that_no_longer_looks_is_named(healthy: Club) -> None:
    assert told(healthy, *LATER)[1] == ["Open: the referee's job looked last on 2026-11-22"]


HOSTS: dict[str, tuple[str, str, dict[str, Any], list[str]]] = {
    "github, as it should be": (
        "github",
        "git@github.com:rita/club.git",
        {
            "https://api.github.com/repos/rita/club/branches/main": {"protected": True},
            "https://api.github.com/repos/rita/club/environments/referee": {
                "deployment_branch_policy": {"protected_branches": False, "custom_branch_policies": True}
            },
            "https://api.github.com/repos/rita/club/environments/referee/deployment-branch-policies": {
                "branch_policies": [{"name": "main"}]
            },
        },
        [],
    ),
    "github, open": (
        "github",
        "https://github.com/rita/club",
        {
            "https://api.github.com/repos/rita/club/branches/main": {"protected": False},
            "https://api.github.com/repos/rita/club/environments/referee": {"deployment_branch_policy": None},
        },
        ["main isn't protected", "the environment `referee` must be for the branch main alone"],
    ),
    "gitlab, open": (
        "gitlab",
        "ssh://git@git.example.org:2222/a/b/club.git",
        {
            "https://git.example.org/api/v4/projects/a%2Fb%2Fclub/repository/branches/main": {
                "protected": True,
                "developers_can_push": True,
            }
        },
        ["developers, who the players are, may push to main"],
    ),
    "forgejo, off": (
        "forgejo",
        "https://codeberg.org/rita/club.git",
        {
            "https://codeberg.org/api/v1/repos/rita/club/branches/main": {"protected": True},
            "https://codeberg.org/api/v1/repos/rita/club": {"has_actions": False},
        },
        ["Actions are off"],
    ),
    "odd answers": (
        "forgejo",
        "https://codeberg.org/rita/club.git",
        {"https://codeberg.org/api/v1/repos/rita/club/branches/main": ["odd"]},
        [],
    ),
    "nothing shown": ("github", "https://github.com/rita/club", {}, []),
    "no host": ("github", "/srv/club.git", {}, []),
}


@pytest.mark.parametrize("what", HOSTS)
def test_what_a_host_shows_of_its_settings_is_read(what: str) -> None:
    kind, url, answers, said = HOSTS[what]
    found = [each.text for each in doctor._host(url, kind, answers.get) if not each.unseen]
    assert len(found) == len(said)
    assert all(text.startswith(words) for text, words in zip(found, said, strict=True)), found


def test_a_host_that_cannot_be_reached_is_looked_at_by_hand() -> None:
    def away(url: str) -> None:
        raise OSError("unreachable")

    (found,) = doctor._host("https://github.com/rita/club", "github", away)
    assert found.unseen and "unreachable" in found.text


def test_a_hook_of_an_earlier_release_is_kept_and_named(healthy: Club) -> None:
    hook = healthy.bare / "hooks/post-receive"
    hook.write_text("#!/bin/sh\nexec adjudicator git turn x\n")
    assert adjudicator("git", "turn", healthy.referee.path, *AT).exit_code == 0
    assert hook.read_text() == "#!/bin/sh\nexec adjudicator git turn x\n"
    done = adjudicator("git", "doctor", healthy.referee.path, *AT)
    assert f"{hook} isn't as this release writes it: examples/git/hooks/post-receive" in done.output
