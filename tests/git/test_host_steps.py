"""The steps of the hosts' jobs, each run as the host would: in a clean environment, with the host's variables."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement

from adjudicator.git.hosts import FOLDER, HOSTS, KNOCK, REQUIREMENTS, files_for
from adjudicator.git.main import fetch_main, push_main
from adjudicator.git.repository import Repository
from tests.cli.calling import adjudicator
from tests.git.clubs import NOON, git

SSH = """#!/bin/sh
# The host's door: it knows one key, has a key of its own, and serves the folder of its repositories.
while [ $# -gt 1 ]; do
  case "$1" in
    -i) [ "$(ssh-keygen -y -f "$2")" = "PUBLIC" ] || { echo "Permission denied (publickey)." >&2; exit 255; } ;;
    UserKnownHostsFile=*) grep -q "^HOST ssh-ed25519 " "${1#*=}" || { echo "Host key unknown" >&2; exit 255; } ;;
    git@*) [ "$1" = git@HOST ] || exit 255 ;;
  esac
  shift
done
cd ROOT && exec sh -c "$(echo "$1" | sed "s|'/|'|")"
"""
"""What stands in the place of `ssh` on the host."""
REPOSITORY = "rita/club"
PLAYERS = ("venice", "genoa")


class Host:
    """A host with the repository of a club, as `git init` has made it."""

    def __init__(self, home: Path, kind: str, address: str) -> None:
        self.home, self.kind, self.address = home, kind, address
        self.bare = home / "root" / f"{REPOSITORY}.git"
        self.bare.mkdir(parents=True)
        git(self.bare, "init", "--quiet", "--bare", "--initial-branch=main", ".")
        match = home / "lagoon"
        options = ("--option", "pages=off", "--option", "stops=all", "--at", "2026-11-22T12:00Z")
        who = [word for player in PLAYERS for word in ("--player", player)]
        assert adjudicator("new", "mediterranee", match, *who, *options).exit_code == 0
        begun = adjudicator("git", "init", match, self.bare, "--host", kind, "--at", "2026-11-22T12:00Z")
        assert begun.exit_code == 0, begun.output
        self.told = begun.output
        self.referee = Repository(home / "lagoon-referee")
        self.secrets = {
            "ADJUDICATOR_KEY": self._own("referee-key.txt").splitlines()[-1],
            "ADJUDICATOR_DEPLOY_KEY": self._own("deploy-key"),
        }

    def _own(self, name: str) -> str:
        return (self.referee.path / ".git/adjudicator" / name).read_text()

    def install_only_the_program(self) -> None:
        """Takes the libraries from the list, since they are here, and tests have no network."""
        commit = fetch_main(self.referee)
        (item,) = self.referee.items(commit, "", REQUIREMENTS)
        text = self.referee.contents([item], 10**6)[REQUIREMENTS].decode()
        own = text[text.index(f"./{FOLDER}/") :]
        push_main(self.referee, commit, {REQUIREMENTS: own.encode()}, "no libraries", NOON)

    @cached_property
    def path(self) -> str:
        """The folders with programs of a machine on which this program isn't installed, but its libraries are."""
        place = self.home / "machine"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True)
        (packages,) = place.glob("lib/python*/site-packages")
        (packages / "libraries.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
        public = re.search("a deploy key that may write: (ssh-ed25519 \\S+)", self.told)
        assert public is not None
        words = {"PUBLIC": public[1], "HOST": self.address, "ROOT": self.home / "root"}
        text = re.sub("|".join(words), lambda found: str(words[found[0]]), SSH)
        for name, script in (("ssh", text), ("gh", f'#!/bin/sh\necho "$@" >> {self.home}/knocked\n')):
            (place / "bin" / name).write_text(script)
            (place / "bin" / name).chmod(0o755)
        return f"{place / 'bin'}:/usr/bin:/bin"

    def workspace(self) -> Path:
        """The folder in which a job begins; with `main`, where the host or a step of its own checks it out."""
        found = self.home / "workspace"
        if self.kind != "forgejo":
            git(self.home, "clone", "--quiet", "--depth=1", f"file://{self.bare}", str(found))
        found.mkdir(exist_ok=True)
        return found

    def run(self, script: str, at: Path, given: Mapping[str, str]) -> str:
        """Runs the script of a step; what it says."""
        (self.home / "tmp").mkdir(exist_ok=True)
        (self.home / "file").write_text(self.secrets["ADJUDICATOR_DEPLOY_KEY"])
        variables = {
            "HOME": str(self.home / "tmp"),
            "PATH": self.path,
            "RUNNER_TEMP": str(self.home / "tmp"),
            "GITHUB_REPOSITORY": REPOSITORY,
            "GITHUB_SERVER_URL": f"https://{self.address}",
            "CI_PROJECT_PATH": REPOSITORY,
            "CI_SERVER_SHELL_SSH_HOST": self.address,
            "CI_SERVER_SHELL_SSH_PORT": "22",
            **{f"PIP_{word}": "1" for word in ("NO_INDEX", "NO_DEPS", "IGNORE_INSTALLED", "NO_COMPILE")},
        }
        done = subprocess.run(
            ["sh", "-e", "-c", script],
            cwd=at,
            env={**variables, **given},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    def steps(self, job: Any) -> Iterator[tuple[str, dict[str, str]]]:
        """The scripts of a job, each with its own variables."""
        if self.kind == "gitlab":
            variables = {key: str(value) for key, value in job["variables"].items()}
            files = {"ADJUDICATOR_DEPLOY_KEY": str(self.home / "file")}  # a variable of the type File
            yield "\n".join(job["script"]), {**variables, **self.secrets, **files}
        else:
            for step in job["steps"]:
                given = {
                    key: re.sub(r"\$\{\{ secrets\.(\w+) \}\}", lambda found: self.secrets[found[1]], value)
                    for key, value in step.get("env", {}).items()
                }
                if "run" in step:
                    yield step["run"], given

    def job(self) -> str:
        """Runs the referee's job as it lies in `main`; what it says."""
        self.install_only_the_program()
        name = next(name for name in HOSTS[self.kind] if name != KNOCK)
        found = yaml.safe_load(git(self.bare, "show", f"main:{name}"))
        at, job = self.workspace(), found["turn"] if self.kind == "gitlab" else found["jobs"]["turn"]
        return "".join(self.run(script, at, given) for script, given in self.steps(job))

    def send(self, player: str, *more: object) -> None:
        """The player joins and sends a sheet."""
        line = next(line for line in self.told.splitlines() if line.startswith(f"Tell {player} alone"))
        words = line.partition("adjudicator ")[2].split()
        clone = self.home / player
        assert adjudicator(*words, clone, *more, "--at", "2026-11-22T12:00Z").exit_code == 0


@pytest.mark.parametrize(
    ("kind", "address"), [("github", "github.com"), ("gitlab", "gitlab.com"), ("forgejo", "codeberg.org")]
)
def test_the_job_plays_with_what_lies_in_the_repository_and_two_secrets(
    kind: str, address: str, tmp_path: Path
) -> None:
    host = Host(tmp_path, kind, address)
    for player in PLAYERS:
        host.send(player)
    said = host.job()
    assert "lagoon: venice: key: taken" in said
    assert "lagoon: looked at what" in git(host.bare, "log", "-1", "--format=%s", "main")
    for word in host.secrets["ADJUDICATOR_KEY"].split(":"):
        assert word not in said
    assert (tmp_path / "machine/bin/adjudicator").is_file()  # it was installed there, from the wheel
    if kind == "github":
        assert git(host.bare, "show", f"box/lagoon/venice:{KNOCK}")


def test_the_libraries_are_those_that_the_program_asks_for() -> None:
    """Each that `pyproject.toml` names stands in the list with a version that it takes, and by its SHA-256 alone."""
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    listed = dict(
        re.findall(r"^([a-z0-9-]+)==(\S+)", files_for("github", [])[REQUIREMENTS].decode(), re.MULTILINE)
    )
    asked = [Requirement(each) for each in (*project["dependencies"], *extras["git"], *extras["drand"])]
    for each in asked:
        if each.name != project["name"]:
            assert each.specifier.contains(listed[each.name.lower()]), each
    text = files_for("github", [])[REQUIREMENTS].decode()
    assert len(re.findall(r"^\S+==", text, re.MULTILINE)) == len(listed)
    for entry in re.split(r"^(?=[a-z.])", text, flags=re.MULTILINE)[1:]:
        assert "--hash=sha256:" in entry, entry


REFUSING = """#!/bin/sh
while read -r old new ref; do
  git ls-tree -r --name-only $new | grep -q .github/ || continue
  echo "refusing to allow a Personal Access Token to create or update workflow without workflow scope" >&2
  exit 1
done
"""


def test_a_player_whose_token_may_push_no_workflow_plays_without_knocking(tmp_path: Path) -> None:
    host = Host(tmp_path, "github", "github.com")
    (host.bare / "hooks").mkdir(exist_ok=True)
    (host.bare / "hooks/pre-receive").write_text(REFUSING)
    (host.bare / "hooks/pre-receive").chmod(0o755)
    host.send("venice")
    assert git(host.bare, "ls-tree", "--name-only", "box/lagoon/venice").split() == ["key.age"]


def test_a_fork_knocks_nowhere(tmp_path: Path) -> None:
    """A workflow there can't start the job of another repository, and would fail after each push."""
    host = Host(tmp_path, "github", "github.com")
    fork = tmp_path / "fork.git"
    fork.mkdir()
    git(fork, "init", "--quiet", "--bare", ".")
    host.send("venice", "--box", fork)
    assert git(fork, "ls-tree", "--name-only", "box/lagoon/venice").split() == ["key.age"]


def test_knocking_starts_the_job_on_main(tmp_path: Path) -> None:
    host = Host(tmp_path, "github", "github.com")
    (step,) = yaml.safe_load(git(host.bare, "show", f"main:{KNOCK}"))["jobs"]["knock"]["steps"]
    host.run(step["run"], tmp_path, {"GH_TOKEN": "x"})
    assert (
        tmp_path / "knocked"
    ).read_text() == f"workflow run adjudicator.yml --repo {REPOSITORY} --ref main\n"


def test_the_job_runs_the_same_program_as_the_founder(tmp_path: Path) -> None:
    """And `git pin` changes nothing while it does."""
    host = Host(tmp_path, "gitlab", "gitlab.com")
    host.install_only_the_program()
    pinned = adjudicator("git", "pin", host.referee.path, "--at", "2026-11-22T12:00Z")
    assert REQUIREMENTS in pinned.output  # which the test has changed
    again = adjudicator("git", "pin", host.referee.path, "--at", "2026-11-22T12:00Z")
    assert "Nothing to change" in again.output
    assert os.environ.get("ADJUDICATOR_KEY") is None
