"""What is open in a club's repository: by the referee's clone, by what lies in `main`, by a bare repository on this
machine, and by what the host shows of its settings.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import msgspec
from msgspec import Struct

from adjudicator.engine.folder.errors import Faulty
from adjudicator.git.hosts import (
    FOLDER,
    FROM_A_REGISTRY,
    HOSTS,
    MOST_OF_A_JOB,
    SETTINGS,
    hooks,
    program_files,
    template,
)
from adjudicator.git.join import card_of
from adjudicator.git.layout import box_of, number_of
from adjudicator.git.main import LONGEST_SILENCE, LOOKED, fetch_main, last_look
from adjudicator.git.memory import matches_in
from adjudicator.git.repository import HERE, WORD, Repository
from adjudicator.git.running import LARGEST_MAIN, TOKEN, WITH_THE_REST, GitFailed
from adjudicator.git.seat import DEPLOY_KEY, REFEREE_KEY, SPARE_KEY, home_of

LARGEST_ANSWER, PATIENCE = 2**20, 10.0
"""Bytes of a host's answer, and seconds until it is given up."""
_SSH = re.compile(r"(?:ssh://)?(?:[^@/]+@)?([^:/]+)(?::\d+)?[:/](.+)")

Ask = Callable[[str], Any]
"""Asks a host's API for what lies at an address; None if it shows nothing there. Raises OSError."""


class Finding(Struct, frozen=True):
    """Something that is open, or with `unseen` what can't be seen from here, so that somebody must look."""

    text: str
    unseen: bool = False


def examine(repository: Repository, now: datetime) -> list[Finding]:
    """All that is open. Raises Faulty, GitFailed."""
    commit = fetch_main(repository, mend=False)
    items = repository.items(commit, "", *(name for files in HOSTS.values() for name in files))
    texts = repository.contents([item for item in items if item.plain], MOST_OF_A_JOB)
    kinds = [kind for kind, files in HOSTS.items() if {*files} & {*texts}]
    return [
        *_keys(home_of(repository), kinds),
        *_branches(repository, commit),
        *_looks(repository, now),
        *_beside(repository, commit),
        *_jobs(repository, commit, texts),
        *(_bare(repository) if not kinds else ()),
        *(each for kind in kinds for each in _host(repository.url, kind, _asked)),
    ]


def _keys(home: Path, kinds: list[str]) -> Iterator[Finding]:
    secret = [home / name for name in (REFEREE_KEY, SPARE_KEY, DEPLOY_KEY) if (home / name).is_file()]
    for file in secret:
        if os.name != "nt" and file.stat().st_mode & 0o077:
            yield Finding(f"others on this machine can read {file}: chmod 600")
    if home / SPARE_KEY in secret:
        yield Finding(f"the spare key lies beside the other, {home / SPARE_KEY}: move it to another place")
    if kinds and home / DEPLOY_KEY in secret:
        yield Finding(f"{home / DEPLOY_KEY} isn't needed here once it is the host's secret: remove it")


def _branches(repository: Repository, commit: str) -> Iterator[Finding]:
    seats = []
    for match in matches_in(repository, commit):
        with suppress(Faulty):
            seats += [box_of(match, player) for player in card_of(repository, commit, match).players]
    if strays := repository.strays([LOOKED, *seats]):
        names = ", ".join(each.removeprefix("refs/heads/") for each in strays)
        yield Finding(f"branches that are nobody's, which anybody may push: {names}")


def _beside(repository: Repository, commit: str) -> Iterator[Finding]:
    """What is large in `main` and belongs to no match: each clone fetches it."""
    ours = (FOLDER, *matches_in(repository, commit))
    try:
        items = repository.items(commit)
    except GitFailed as failed:  # such as a tree that holds itself a million times
        yield Finding(f"what lies in main beside the matches can't be listed ({failed})")
        return
    sizes = {item.name: item.size for item in items if item.name.split("/")[0] not in ours and item.plain}
    if min(sizes.values(), default=0) >= 0 and sum(sizes.values()) <= WITH_THE_REST:
        return
    most = max(sizes, key=lambda each: sizes[each] if sizes[each] >= 0 else LARGEST_MAIN)
    said = f"much lies in main beside the matches, most in {most!a}: clones leave it out where the host can"
    yield Finding(f"{said}. Remove it; `adjudicator git rescue --to` the commit before takes it out for good")


def _looks(repository: Repository, now: datetime) -> Iterator[Finding]:
    look = last_look(repository)
    if not look.at:
        yield Finding("the referee's job has never looked")
    elif now.timestamp() - look.at > LONGEST_SILENCE.total_seconds():
        yield Finding(
            f"the referee's job looked last on {datetime.fromtimestamp(look.at, now.tzinfo):%Y-%m-%d}"
        )
    for failed in look.wrong:
        yield Finding(f"the referee's job couldn't do all of its work: {failed}")


def _jobs(repository: Repository, commit: str, texts: dict[str, bytes]) -> Iterator[Finding]:
    files = {name: file for every in HOSTS.values() for name, file in every.items()}
    for name, text in texts.items():
        if FROM_A_REGISTRY.search(text.decode(errors="replace")):
            yield Finding(f"{name} installs what a package registry has under a name: adjudicator git pin")
        elif _plain(text.decode(errors="replace")) != _plain(template(files[name])):
            said = f"{name} isn't as this release writes it; who changed it: git log -p {HERE} -- {name}"
            yield Finding(said, unseen=True)
    there = {f"{FOLDER}/{item.name}": item.number for item in repository.items(commit, FOLDER)}
    if texts and there != {name: number_of(data, commit) for name, data in program_files().items()}:
        yield Finding(f"what lies in {FOLDER}/ isn't the program that runs here: adjudicator git pin")


def _plain(job: str) -> str:
    """A job without the label of the runners, which each club may choose."""
    return re.sub(r"runs-on: .*", "", job)


def _bare(repository: Repository) -> Iterator[Finding]:
    """Of a repository without a host's job: its hooks and settings, if it is on this machine."""
    bare = Path(repository.url.removeprefix("file://"))
    if not (bare / "HEAD").is_file():
        yield Finding(f"whether {repository.url} has the hooks of docs/git.md", unseen=True)
        return
    there = Repository(bare)
    for name, text in hooks(repository.path.absolute()).items():
        file = bare / "hooks" / name
        if not file.is_file():
            yield Finding(f"{file} is missing: docs/git.md has it")
        elif not os.access(file, os.X_OK):
            yield Finding(f"{file} can't be run: chmod +x")
        elif file.read_text(encoding="utf-8", errors="replace") != text:
            said = (
                f"{file} isn't as this release writes it: examples/git/hooks/{name}, with the clone for CLONE"
            )
            yield Finding(said, unseen=True)
    wrong = [name for name, value in SETTINGS.items() if there.setting(name) != value]
    if wrong:
        yield Finding(f"settings of {bare} that are missing or other than in docs/git.md: {', '.join(wrong)}")
    if there.setting(WORD) != repository.setting(WORD):
        yield Finding(f"{bare} has another {WORD} than this clone, so it refuses the referee")
    if os.name != "nt" and bare.stat().st_mode & 0o022:
        yield Finding(f"others on this machine can write into {bare}, past its hooks: chmod go-w")
    if ".account=" not in there.run("config", "--local", "--list").decode(errors="replace"):
        yield Finding(
            "who pushes to whose branch: no account is named, so any player may push to any", unseen=True
        )


def _host(url: str, kind: str, ask: Ask) -> Iterator[Finding]:
    """What a host shows of its settings to whoever asks, or to who has the token in the environment."""
    place = _place(url)
    if place is None:
        return
    site, path = place
    api = "api.github.com" if site == "github.com" else f"{site}/api/v3"
    base = {  # always of the repository's own host: a token goes there
        "github": f"https://{api}/repos/{path}",
        "gitlab": f"https://{site}/api/v4/projects/{quote(path, safe='')}",
        "forgejo": f"https://{site}/api/v1/repos/{path}",
    }[kind]
    try:
        yield from _main_of(base, kind, ask)
        yield from _environment(base, ask) if kind == "github" else ()
        whole = ask(base) if kind == "forgejo" else None
    except (OSError, ValueError, AttributeError, TypeError) as error:  # whatever a host answers
        yield Finding(f"what {site} shows of its settings ({error})", unseen=True)
        return
    if whole is not None and whole.get("has_actions") is False:
        yield Finding("Actions are off: Settings, Units, Overview")


def _main_of(base: str, kind: str, ask: Ask) -> Iterator[Finding]:
    main = ask(f"{base}/repository/branches/main" if kind == "gitlab" else f"{base}/branches/main")
    if main is None:
        yield Finding(
            f"whether main is protected: the host shows it to no stranger; ${TOKEN} may help", unseen=True
        )
    elif not main.get("protected"):
        yield Finding("main isn't protected: whoever may push can rewrite it, and the job in it")
    elif main.get("developers_can_push"):
        yield Finding("developers, who the players are, may push to main")
    else:
        yield Finding("whether the deploy key alone may push to main: see its rule", unseen=True)


def _environment(base: str, ask: Ask) -> Iterator[Finding]:
    found = ask(f"{base}/environments/referee")
    if found is None:
        yield Finding("there is no environment `referee`, or the host shows it to no stranger", unseen=True)
        return
    policy = found.get("deployment_branch_policy") or {}
    allowed = ask(f"{base}/environments/referee/deployment-branch-policies") if policy else None
    names = [each.get("name") for each in (allowed or {}).get("branch_policies", ())]
    if not policy or (policy.get("custom_branch_policies") and names != ["main"]):
        yield Finding(
            "the environment `referee` must be for the branch main alone: else a player can read its secrets"
        )


def _place(url: str) -> tuple[str, str] | None:
    """The host and the path of a repository, by its address; None if it is on no host."""
    parts = urlsplit(url)
    found = (parts.hostname, parts.path) if parts.scheme in ("http", "https") else None
    if found is None and (there := _SSH.fullmatch(url)) and not Path(url).exists():
        found = (there[1], there[2])
    if found is None or not found[0]:
        return None
    return found[0], found[1].strip("/").removesuffix(".git")


def _asked(url: str) -> Any:
    """What a host answers; it may send the token to no other address."""
    from urllib.error import HTTPError
    from urllib.request import Request

    from adjudicator.engine.beacon.relays import answer_to

    token = os.environ.get(TOKEN, "")
    more = {"Authorization": f"Bearer {token}"} if token else {}
    asked = Request(url, headers={"User-Agent": "adjudicator", "Accept": "application/json", **more})
    try:
        return msgspec.json.decode(answer_to(asked, PATIENCE, LARGEST_ANSWER))
    except HTTPError as error:
        error.close()
        if error.code in (401, 403, 404):
            return None
        raise
