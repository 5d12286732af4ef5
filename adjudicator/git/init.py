"""Begins to play a match in a repository: the keys, the referee's clone, and the files for the host."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.door.seats import seats_of
from adjudicator.engine.folder import papers
from adjudicator.engine.folder.commit import locked
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.folder import Folder, open_match
from adjudicator.engine.folder.papers import Keys, Owner
from adjudicator.git.hosts import files_for, install_hooks
from adjudicator.git.keys import COMMENT, RefereeKey, new_deploy_key, referee_key
from adjudicator.git.layout import NAME
from adjudicator.git.main import note_look, push_main
from adjudicator.git.memory import LARGEST_TOP, matches_in, remember
from adjudicator.git.repository import HERE, MAIN, Repository
from adjudicator.git.running import GitFailed, address
from adjudicator.git.sealed import public_key
from adjudicator.git.sealing import not_in_main, sealed_match
from adjudicator.git.seat import DEPLOY_KEY, REFEREE_KEY, SPARE, SPARE_KEY, home_of, write_new_keys, write_own
from adjudicator.gm.acts import checked_player
from adjudicator.gm.closing import dice_option


class NewRepository(Struct, frozen=True):
    """What was made: the referee's clone, where its keys are, the host's name; the tokens of players without a key.

    `hooked`: the hooks were put into the bare repository. `several`: there was another match before. `deploy_key` is
    the public half of the SSH key with which the host's job is to push, if a host runs it; `dice` is the option.
    """

    clone: Path
    key: Path
    spare: Path
    host: str
    tokens: Mapping[str, str]
    hooked: bool = False
    several: bool = False
    deploy_key: str = ""
    dice: str = ""


def put_into_repository(
    path: Path,
    url: str,
    clone: Path,
    host: str,
    given: Sequence[str],
    now: datetime,
    forks: Sequence[str] = (),
) -> NewRepository:
    """Puts a match into a repository, with keys of players (`venice=age1...`) and `forks` (`venice=URL`).

    Raises Faulty, GitFailed, OSError.

    Nothing is pushed if anything is wrong. A clone that is there already has the keys of the matches before.
    """
    match = open_match(path)
    name = path.absolute().name
    if not NAME.fullmatch(name):
        said = "the folder's name becomes that of branches: small letters, digits and hyphens, at most 40"
        raise Faulty([problem(path, said)])
    owners = _owners(match, given)
    made = not clone.exists()
    repository = _clone(url, clone, host)
    try:
        parent = _main(repository)
    except GitFailed:
        if made:  # so that the command can be given again, with another address
            shutil.rmtree(clone, ignore_errors=True)
        raise
    there = [each for _, _, each in repository.at_the_top(parent, LARGEST_TOP)] if parent else []
    if name in there:
        raise Faulty([problem(path, f"there is a match {name} in {repository.url} already")])
    several = bool(parent and matches_in(repository, parent))
    if several and not (home_of(repository) / REFEREE_KEY).is_file():
        said = "there are matches in it already: name the referee's clone, which their `git init` made, with --clone"
        raise Faulty([problem(url, said)])
    key, public, spare = _keys(home_of(repository))
    keys = Keys((public, spare), owners, _forks(match, forks))
    with locked(path):
        match = Folder(path)
        match.add("keys.yaml", papers.text_of(keys, COMMENT))
        match.commit()
    sealed = sealed_match(open_match(path), not_in_main(name), key)
    hosts = {} if several else files_for(host, there, url)
    changes = {**hosts, **sealed.changes}
    remember(repository, name, push_main(repository, parent, changes, f"{name}: begins", now))
    hooked = host == "hook" and not several and install_hooks(repository)
    note_look(repository, now)  # so that a job without a clone knows if it is taken away
    tokens = {
        each.seat.player: each.token for each in seats_of(open_match(path)) if each.seat.player not in owners
    }
    home = home_of(repository)
    deploy = "" if several or host == "hook" else _deploy_key(home)
    return NewRepository(
        repository.path,
        home / REFEREE_KEY,
        home / SPARE_KEY,
        host,
        tokens,
        hooked,
        several,
        deploy,
        dice_option(open_match(path)),
    )


def _owners(match: Folder, given: Sequence[str]) -> dict[str, Owner]:
    """The players' keys. Raises Faulty."""
    found: dict[str, Owner] = {}
    numbers = {each.seat.player: each.seat.number for each in seats_of(match)}
    for text in given:
        player, equals, key = text.partition("=")
        if not equals:
            raise Faulty([problem("--key", f"{text}: write a player, = and a public key")], misused=True)
        checked_player(match, player)
        try:
            found[player] = Owner(public_key(key), numbers[player])
        except Faulty as wrong:
            raise Faulty([replace(each, file="--key") for each in wrong.problems], misused=True) from None
    return found


def _forks(match: Folder, given: Sequence[str]) -> dict[str, str]:
    """Where the branches of players with a repository of their own lie. Raises Faulty, GitFailed."""
    found: dict[str, str] = {}
    for text in given:
        player, equals, url = text.partition("=")
        if not equals:
            raise Faulty([problem("--box", f"{text}: write a player, = and a repository")], misused=True)
        found[checked_player(match, player)] = address(url)
    return found


def _clone(url: str, clone: Path, host: str) -> Repository:
    """The referee's clone, made if it isn't there yet. Raises Faulty, GitFailed."""
    if host == "hook" and "://" not in url and ":" not in url and not Path(url).exists():
        Path(url).mkdir(parents=True)
        Repository(Path(url)).run("init", "--quiet", "--bare", "--initial-branch=main", ".")
    if (clone / ".git").is_dir():
        repository = Repository(clone)
        if repository.url != address(url):
            said = f"this is a clone of {repository.url}: name another folder with --clone"
            raise Faulty([problem(clone, said)])
        return repository
    if clone.exists() and (not clone.is_dir() or any(clone.iterdir())):
        raise Faulty([problem(clone, "this is there already; name a new folder with --clone")])
    return Repository.create(clone, url)


def _main(repository: Repository) -> str:
    """The last commit of `main`; empty in a new repository. Raises GitFailed."""
    if MAIN not in repository.branches(MAIN):
        return ""
    repository.fetch(f"{MAIN}:{HERE}")
    return repository.commit_of(HERE)


def _deploy_key(home: Path) -> str:
    """The public half of a new key with which the host's job may push. Raises Faulty, OSError."""
    secret, public = new_deploy_key()
    write_own(home / DEPLOY_KEY, secret)
    return public


def _keys(home: Path) -> tuple[RefereeKey, str, str]:
    """The referee's key, and both public keys; made if they aren't there yet. Raises Faulty, OSError."""
    if not (home / REFEREE_KEY).is_file():
        write_new_keys(home)
    words = (home / SPARE).read_text(encoding="utf-8").split()
    if len(words) != 2:
        raise GitFailed(f"{home / SPARE}: two public keys should stand here, the job's and the spare")
    return referee_key(home / REFEREE_KEY, home / REFEREE_KEY), words[0], words[1]
