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
from adjudicator.git.mark import number_of
from adjudicator.git.program import FOLDER, program_files
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
FROM_A_REGISTRY = re.compile(rf'"{re.escape(PACKAGE)}\[git\]')
"""What a job of an earlier release installs: whatever a package registry has under this name."""
LABEL, CODEBERG = "runs-on: docker", "runs-on: codeberg-tiny"
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


def files_for(host: str, there: Sequence[str], url: str = "") -> dict[str, bytes]:
    """The files of a host by name, with the program that its job runs; a README that is there already stays."""
    files = {name: _job(file, url) for name, file in HOSTS[host].items()}
    if files:
        files |= program_files()
    return files if README in there else {**files, README: template("players.md").encode()}


def _job(file: str, url: str) -> bytes:
    text = template(file)
    return (text.replace(LABEL, CODEBERG) if "codeberg.org" in url else text).encode()


def pin(repository: Repository, now: datetime) -> list[str]:
    """Puts this version of the program into `main` for the jobs there to install, in one commit; returns the names of
    the files that were changed.

    A job of an earlier release, which installs from a package registry, is replaced. Raises Moved, GitFailed.
    """
    commit = fetch_main(repository)
    jobs = {name: file for files in HOSTS.values() for name, file in files.items()}
    items = {item.name: item for item in repository.items(commit, "", *jobs) if item.plain}
    texts = repository.contents([*items.values()], MOST_OF_A_JOB)
    if not texts:
        return []
    older = [name for name, text in texts.items() if FROM_A_REGISTRY.search(text.decode(errors="replace"))]
    wanted = {**{name: _job(jobs[name], repository.url) for name in older}, **program_files()}
    there = {f"{FOLDER}/{item.name}": item.number for item in repository.items(commit, FOLDER)}
    changed: dict[str, bytes | str | None] = {name: None for name in there if name not in wanted}
    there |= {name: item.number for name, item in items.items()}
    changed |= {name: data for name, data in wanted.items() if there.get(name) != number_of(data, commit)}
    if changed:
        push_main(repository, commit, changed, f"The job runs adjudicator {__version__}", now)
    return [name for name in changed if changed[name] is not None]


def beside_a_box(repository: Repository) -> dict[str, bytes]:
    """The file that a player's branch needs so that a push to it starts the job: GitHub looks for it there."""
    known = (
        list(repository.items(HERE, ".github/workflows", "knock.yml")) if repository.commit_of(HERE) else []
    )
    return {KNOCK: _job(HOSTS["github"][KNOCK], "")} if known else {}


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
