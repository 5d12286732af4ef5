"""What lies on a host: the template repository is what `git init` writes, and the hook does the whole job."""

from __future__ import annotations

import os
import tempfile
from hashlib import sha256
from pathlib import Path

import pytest
import yaml

from adjudicator import __version__
from adjudicator.door.seats import token
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.play.position import position_kept
from adjudicator.engine.text import typed
from adjudicator.engine.text.resources import DISTRIBUTION
from adjudicator.git.hosts import (
    HOOKS,
    HOSTS,
    README,
    files_for,
    hooks,
    program_files,
    template,
    this_program,
)
from adjudicator.git.main import fetch_main, push_main
from adjudicator.git.repository import HERE
from tests.cli.calling import adjudicator
from tests.git.clubs import NOON, Club, git, joined

TOP = Path(__file__).parent.parent.parent
AT = ("--at", "2026-11-22T12:30Z")


@pytest.fixture
def club(tmp_path: Path) -> Club:
    return joined(tmp_path)


def test_the_template_repository_is_what_is_written_for_each_host_but_for_the_version() -> None:
    files = {name: template(file) for host in HOSTS.values() for name, file in host.items()}
    files |= {
        "README.md": template("players.md"),
        **{f"hooks/{name}": template(file) for name, file in HOOKS.items()},
    }
    there = TOP / "examples/git"
    found = {
        path.relative_to(there).as_posix(): path.read_text() for path in there.rglob("*") if path.is_file()
    }
    assert found == files


@pytest.mark.parametrize("host", [host for host in HOSTS if host != "hook"])
def test_no_job_installs_what_a_registry_has_under_a_name(host: str) -> None:
    """Whoever owns that name would have the keys of every club. The program lies in the repository itself."""
    files = files_for(host, [])
    for name in HOSTS[host]:
        assert DISTRIBUTION not in files[name].decode()
    assert f"pip install '{DISTRIBUTION}" not in files[README].decode()
    assert [name for name in files if name.endswith(".whl")] == [
        f".adjudicator/adjudicator_games-{__version__}-py3-none-any.whl"
    ]


def test_the_wheel_is_the_same_for_the_same_program() -> None:
    once, again = (
        {name: sha256(data).hexdigest() for name, data in files.items()}
        for files in (program_files(), program_files.__wrapped__())
    )
    assert once == again


def test_a_job_of_an_earlier_release_is_replaced_and_anothers_lines_stay(club: Club) -> None:
    before = fetch_main(club.referee)
    older = b'turn:\n  script:\n    - python -m pip install --quiet "adjudicator-games[git]==0.1.0"\n'
    own = template("forgejo.yml") + "# a line of the founder's\n"
    wheel = ".adjudicator/adjudicator_games-0.1.0-py3-none-any.whl"
    files = {".gitlab-ci.yml": older, ".forgejo/workflows/adjudicator.yml": own.encode(), wheel: b"older"}
    push_main(club.referee, before, files, "older jobs", NOON)
    done = adjudicator("git", "pin", club.referee.path, "--at", "2026-11-22T12:30Z")
    assert done.exit_code == 0, done.output
    assert f"runs adjudicator {__version__} now" in done.stdout
    items = club.referee.items(HERE, "", ".gitlab-ci.yml", ".forgejo/workflows/adjudicator.yml", wheel)
    assert club.referee.contents(items, 10**6) == {
        ".gitlab-ci.yml": template("gitlab.yml").encode(),
        ".forgejo/workflows/adjudicator.yml": own.encode(),
    }
    again = adjudicator("git", "pin", club.referee.path, "--at", "2026-11-22T12:30Z")
    assert "Nothing to change" in again.stdout


def test_a_player_whose_program_is_too_old_is_told_so(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    clone = club.clones["venice"].path
    assert "can't be checked" not in adjudicator("git", "read", clone).stdout
    monkeypatch.setattr(typed, "is_later", lambda version: True)
    position_kept.cache_clear()  # another program has read nothing yet
    told = adjudicator("git", "read", clone).stdout
    assert f"this was written by release {typed.FORMAT} or later" in told
    assert "So your sheet can't be checked here. `adjudicator git send --anyway` sends it as it is." in told
    sheet = next(clone.glob("0*/sheet.yaml"))
    done = adjudicator("git", "send", sheet, "--at", "2026-11-22T12:30Z")
    assert done.exit_code == 1 and f"release {typed.FORMAT}" in done.stderr and "Not sent" in done.stderr


def test_no_job_of_a_host_has_words_of_a_player_in_its_script() -> None:
    """What an expression puts into a line of a script is run; so expressions stand in settings alone."""
    for file in (file for host in HOSTS.values() for file in host.values()):
        jobs = yaml.safe_load(template(file))
        steps = [step for job in jobs.get("jobs", {}).values() for step in job["steps"]]
        scripts = [step["run"] for step in steps if "run" in step] or jobs["turn"]["script"]
        assert not [line for line in scripts if "${{" in line or "github.event" in line]


def test_each_job_calls_the_same_command() -> None:
    files = [file for host in HOSTS.values() for file in host.values() if "knock" not in file]
    for file in (*files, "post-receive.sh"):
        assert "adjudicator git turn" in template(file)


@pytest.mark.skipif(os.name == "nt", reason="a hook of a bare repository is a shell's script")
def test_with_the_hook_a_push_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All by commands: from an empty bare repository to the second phase, and nothing but pushes in between."""
    home = tmp_path / "a folder's name; $(touch hit)"
    home.mkdir()
    match, bare = home / "lagoon", home / "club.git"
    players = ("--player", "venice", "--player", "genoa", "--option", "pages=off", "--option", "stops=all")
    assert adjudicator("new", "mediterranee", match, *players).exit_code == 0
    done = adjudicator("git", "init", match, bare, "--host", "hook")
    assert done.exit_code == 0, done.output
    assert "The hooks are in place" in done.output
    assert f"*/10 * * * * {this_program()} git turn " in done.output
    monkeypatch.setenv("PYTHONPATH", str(TOP))  # hooks call the program that is installed
    for player in ("venice", "genoa"):
        words = ("git", "join", bare, player, home / player, "--token", token(match, player))
        call(*words)
        told = call("git", "read", home / player)
        assert "Taken: your key" in told
        sheet = home / player / "0001-t1-setup/sheet.yaml"
        sheet.write_text("orders: []\n")
        assert "Receipt: " in call("git", "send", sheet)
    assert "0002-t1-auction is open" in call("git", "read", home / "venice")
    assert not list(tmp_path.rglob("hit"))
    assert git(bare, "config", "receive.denyNonFastForwards").strip() == "true"


def call(*words: object) -> str:
    done = adjudicator(*words)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_a_hook_that_is_there_already_is_left_alone(tmp_path: Path) -> None:
    match, bare = tmp_path / "lagoon", tmp_path / "club.git"
    bare.mkdir()
    git(bare, "init", "--quiet", "--bare", ".")
    (bare / "hooks").mkdir(exist_ok=True)
    (bare / "hooks/post-receive").write_text("#!/bin/sh\n")
    assert adjudicator("new", "mediterranee", match, "--player", "venice", "--player", "genoa").exit_code == 0
    assert "needs a hook" in adjudicator("git", "init", match, bare).output
    assert (bare / "hooks/post-receive").read_text() == "#!/bin/sh\n"


def test_names_of_folders_stand_in_the_hook_as_one_word() -> None:
    """Whatever is in them: the path is the referee's own, and still no shell may read it otherwise."""
    text = hooks(Path("/srv/the club's; rm -rf x"))["post-receive"]
    last = text.strip().splitlines()[-1]
    assert last.endswith("""git turn '/srv/the club'"'"'s; rm -rf x'""")


def test_several_matches_lie_in_one_repository(tmp_path: Path) -> None:
    """Each has its own players' branches; the second is put there with the referee's clone of the first."""
    bare = tmp_path / "club.git"
    for name in ("lagoon", "alps"):
        made = adjudicator("new", "mediterranee", tmp_path / name, "--player", "venice", "--player", "genoa")
        assert made.exit_code == 0
    begin = ("git", "init", tmp_path / "lagoon", bare, "--host", "gitlab")
    assert (
        adjudicator(*begin).exit_code == 1
    )  # nothing is there yet; afterwards the same command can be given again
    bare.mkdir()
    git(bare, "init", "--quiet", "--bare", "--initial-branch=main", ".")
    assert adjudicator(*begin).exit_code == 0
    refused = adjudicator("git", "init", tmp_path / "alps", bare, "--host", "gitlab")
    assert refused.exit_code == 1
    assert "referee's clone" in refused.output
    clone = tmp_path / "lagoon-referee"
    second = adjudicator("git", "init", tmp_path / "alps", bare, "--clone", clone)
    assert second.exit_code == 0
    assert f"--token {token(tmp_path / 'alps', 'venice')} --match alps" in second.output
    found = git(bare, "ls-tree", "--name-only", "main").split()
    assert found == [".adjudicator", ".gitlab-ci.yml", "README.md", "alps", "lagoon"]
    words = (
        "git",
        "join",
        bare,
        "venice",
        tmp_path / "venice",
        "--token",
        token(tmp_path / "alps", "venice"),
    )
    assert "name one with --match" in adjudicator(*words).output
    assert adjudicator(*words, "--match", "alps").exit_code == 0
    done = adjudicator("git", "turn", clone, *AT)
    assert done.output.splitlines()[0] == "alps: venice: key: taken"
    assert open_match(tmp_path / "alps").card.match == "alps"
    assert "alps, venice: 0001-t1-setup is open" in adjudicator("git", "read", tmp_path / "venice").output


def test_a_hosts_job_needs_the_address_and_one_secret_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a host: no clone, the key in a variable; nothing is left behind, and nothing secret is said."""
    club = joined(tmp_path, turns="1")
    for player in ("venice", "genoa"):
        club.send(player)
    word = club.begun.key.read_text().splitlines()[-1]
    assert len(word.split()) == 1
    left = tmp_path / "left"
    left.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(left))
    url = f"file://{club.bare}"
    refused = adjudicator("git", "turn", url, *AT)
    assert refused.exit_code == 1
    assert "put it into the variable ADJUDICATOR_KEY" in refused.output
    monkeypatch.setenv("ADJUDICATOR_KEY", "AGE-SECRET-KEY-1junk")
    assert "this isn't a referee's key" in adjudicator("git", "turn", url, *AT).output
    monkeypatch.setenv("ADJUDICATOR_KEY", word)
    done = adjudicator("git", "turn", url, *AT)
    assert done.exit_code == 0
    assert "played 0001-t1-setup" in done.output
    assert word not in done.output + refused.output
    assert not list(left.iterdir())
    assert club.read("venice").now.phase == "0002-t1-auction"


def test_a_repository_that_is_not_there_is_said_before_any_key_is_asked_for(tmp_path: Path) -> None:
    done = adjudicator("git", "turn", f"file://{tmp_path}/nowhere.git", *AT)
    assert done.exit_code == 1
    assert "does not appear to be a git repository" in done.output
