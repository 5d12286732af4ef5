"""The files that each host needs in the repository: the job that runs `git turn`, and a README for players."""

from __future__ import annotations

import re
import secrets
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from shlex import quote

from adjudicator import __version__
from adjudicator.engine.folder import disk
from adjudicator.engine.text.extras import PACKAGE
from adjudicator.engine.text.resources import folder
from adjudicator.git.main import fetch_main, push_main
from adjudicator.git.repository import HERE, WORD, Repository

HOSTS = {
    "github": {
        ".github/workflows/adjudicator.yml": "github.yml",
        ".github/workflows/knock.yml": "github-knock.yml",
    },
    "gitlab": {".gitlab-ci.yml": "gitlab.yml"},
    "forgejo": {".forgejo/workflows/adjudicator.yml": "forgejo.yml"},
    "hook": {},
}
"""The files that lie in `main` for each host, and the templates that they are made of."""
PIN = re.compile(rf'"{re.escape(PACKAGE)}\[git\](==[^"]*)?"')
"""Where a job says which version of the program it installs."""
MOST_OF_A_JOB = 64 * 1024
"""How long the file of a job may be, in bytes."""
README = "README.md"
KNOCK = ".github/workflows/knock.yml"
HOOKS = {"post-receive": "post-receive.sh", "pre-receive": "pre-receive.sh"}
SETTINGS = {
    "receive.maxInputSize": "16m",
    "receive.denyDeletes": "true",
    "receive.denyNonFastForwards": "true",
    "receive.fsckObjects": "true",
    "receive.advertisePushOptions": "true",
    "core.useReplaceRefs": "false",
    "uploadpack.allowFilter": "true",
}
"""Settings of a bare repository: what players push is small, and what was pushed stays."""


def template(name: str) -> str:
    """A file for a host, as it is."""
    return (folder("templates") / "git" / name).read_text(encoding="utf-8")


def files_for(host: str, there: Sequence[str]) -> dict[str, bytes]:
    """The files of a host by name, for this version of the program; a README that is there already stays."""
    files = {name: pinned(template(file)).encode() for name, file in HOSTS[host].items()}
    return files if README in there else {**files, README: template("players.md").encode()}


def pinned(job: str) -> str:
    """The file of a host's job, that installs this version of the program."""
    return PIN.sub(f'"{PACKAGE}[git]=={__version__}"', job)


def pin(repository: Repository, now: datetime) -> list[str]:
    """Lets the jobs in `main` install this version of the program, in one commit; returns the changed files' names.

    What else was changed in them stays. Raises Moved, GitFailed.
    """
    commit = fetch_main(repository)
    names = [name for files in HOSTS.values() for name in files]
    items = [each for each in repository.items(commit, "", *names) if each.plain]
    there = repository.contents(items, MOST_OF_A_JOB)
    changed: dict[str, bytes | str | None] = {
        name: text
        for name, data in there.items()
        if (text := pinned(data.decode(errors="surrogateescape")).encode(errors="surrogateescape")) != data
    }
    if changed:
        push_main(repository, commit, changed, f"The job runs adjudicator {__version__}", now)
    return list(changed)


def beside_a_box(repository: Repository) -> dict[str, bytes]:
    """The file that a player's branch needs so that a push to it starts the job: GitHub looks for it there."""
    known = (
        list(repository.items(HERE, ".github/workflows", "knock.yml")) if repository.commit_of(HERE) else []
    )
    return {KNOCK: template(HOSTS["github"][KNOCK]).encode()} if known else {}


def install_hooks(repository: Repository) -> bool:
    """Puts hooks and settings into a bare repository on this machine; False if it is elsewhere, or has other hooks.

    Both it and the referee's clone get a word by which the one knows the other. Raises GitFailed, OSError.
    """
    bare = Path(repository.url)
    if not (bare / "HEAD").is_file() or any(not _is_ours(bare / "hooks" / name) for name in HOOKS):
        return False
    there = Repository(bare)
    word = there.setting(WORD) or secrets.token_hex(16)
    for name, value in {**SETTINGS, WORD: word}.items():
        there.run("config", name, value)
    repository.run("config", WORD, word)
    (bare / "hooks").mkdir(exist_ok=True)
    for name, text in hooks(repository.path.absolute()).items():
        if not (bare / "hooks" / name).exists():
            disk.write(bare / "hooks" / name, text.encode(), 0o755)
    return True


def complete_hooks(repository: Repository) -> None:
    """Puts those hooks that an earlier release had not into a bare repository that has its others. Raises GitFailed,
    OSError.
    """
    home = Path(repository.url) / "hooks"
    if (home / "post-receive").exists() and not all((home / name).exists() for name in HOOKS):
        install_hooks(repository)


def _is_ours(hook: Path) -> bool:
    """Was a hook written by this program, or is there none?"""
    return not hook.exists() or "adjudicator" in hook.read_text(encoding="utf-8", errors="replace")


def hooks(clone: Path) -> dict[str, str]:
    """The hooks of a bare repository by name, for the referee's clone. They call this program, wherever it lies."""
    program = this_program()
    made = {name: template(file).replace("CLONE", quote(str(clone))) for name, file in HOOKS.items()}
    return {name: text.replace("exec adjudicator", f"exec {program}") for name, text in made.items()}


def this_program() -> str:
    """The words that call this program from a hook or cron, which know of no other place where it might lie."""
    return f"{quote(sys.executable)} -P -m adjudicator"
