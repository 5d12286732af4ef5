"""Makes a player's clone with a key of the player's own, and tells the key to the referee, sealed.

Sends a sheet: sealed to the referee, and pushed to the player's own branch.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from msgspec.structs import replace

from adjudicator.door.seats import LENGTH
from adjudicator.engine.beacon import quicknet, timelock
from adjudicator.engine.folder import papers
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import card_in
from adjudicator.engine.folder.marks import receipt_of, statement
from adjudicator.engine.folder.names import CARD, KEYS
from adjudicator.engine.folder.papers import Card, Keys
from adjudicator.engine.folder.post import SHEETS
from adjudicator.engine.sheets.sheet import ANSWERS
from adjudicator.engine.text.problem import nearest
from adjudicator.engine.text.resources import Missing
from adjudicator.git.box import ANSWER, KEY as KEY_FILE, RECEIPT, SEALED
from adjudicator.git.hosts import beside_a_box
from adjudicator.git.layout import AGE, box_of
from adjudicator.git.main import SEEN, fetch_main, work_folder
from adjudicator.git.memory import matches_in
from adjudicator.git.news import News
from adjudicator.git.read import is_refused, reply_to
from adjudicator.git.repository import HERE, Repository
from adjudicator.git.running import NO_WORKFLOW, GitFailed, address
from adjudicator.git.sealed import (
    Label,
    What,
    identity,
    new_identity,
    public_key,
    public_of,
    seal,
    signature_by,
)
from adjudicator.git.seat import KEY, Seat, home_of, keep_seat, secret_in, told, write_own

KEPT = "sealed.age"
"""A locked sheet without its lock, in its sender's clone."""


def send(repository: Repository, news: News, text: bytes, now: datetime, *, answers: bool) -> str:
    """Seals and pushes a file for the open phase, as it is; returns its receipt. Raises Faulty, GitFailed."""
    seat = news.seat
    if news.now.over:
        raise Faulty([problem(seat.match, told(repository.path, "match_over"))])
    if not seat.token:
        raise Faulty([problem(seat.player, told(repository.path, "not_taken"))])
    card = card_of(repository, repository.commit_of(HERE), seat.match)
    what: What = "answer" if answers else "sheet"
    label = Label(what, card.match, news.now.phase, seat.player, seat.token)
    if seat.signing:
        kind = ANSWERS if answers else SHEETS
        signed = statement(card.match, news.now.phase, seat.player, kind, digest_of(text))
        label = replace(label, signature=signature_by(Path(seat.signing), signed))
    sealed = seal(label, text, news.keys.referee)
    files = {f"{news.now.phase}{ANSWER if answers else AGE}": sealed}
    if card.options.get("early_opening") == "locked" and not answers:
        files = _locked_files(news, sealed)
    receipt = receipt_of(digest_of(text))
    before = {each: of for each, of in seat.sent.items() if each != receipt}
    of = f"{news.now.phase}/{ANSWERS if answers else SHEETS}"
    keep_seat(repository, replace(seat, sent={**before, receipt: of}))  # even if the push is cut short
    push_box(repository, seat, files, f"{what} for {news.now.phase}", now)
    return receipt


def _locked_files(news: News, sealed: bytes) -> dict[str, bytes]:
    """The files to push for a sealed sheet: the sheet, locked until its phase closes, and its receipt.

    The sheet without its lock stays in the clone. Raises Faulty.
    """
    clone = news.folder.parent
    if news.now.closes is None:
        raise Faulty([problem(news.now.phase, told(clone, "no_deadline"))])
    write_own(news.folder / KEPT, sealed)
    name = f"{news.now.phase}{AGE}"
    try:
        data = timelock.lock(sealed, quicknet.round_after(news.now.closes))
    except Missing as missing:
        raise Faulty([problem(news.now.phase, told(clone, "no_lock", why=missing))]) from None
    return {name: data, f"{name}{RECEIPT}": f"{timelock.receipt_of(sealed)}\n".encode()}


def send_without_lock(repository: Repository, news: News, sealed: bytes, now: datetime) -> None:
    """Pushes what was locked, as it lies in the clone, if its lock can't be opened any more. Raises GitFailed."""
    push_box(repository, news.seat, {f"{news.now.phase}{SEALED}": sealed}, f"sheet for {news.now.phase}", now)


def join(  # noqa: PLR0913 - all that is settled before a player plays
    url: str,
    player: str,
    path: Path,
    now: datetime,
    *,
    match: str = "",
    token: str = "",
    key: Path | None = None,
    box: str = "",
    signing: Path | None = None,
) -> tuple[Seat, bool]:
    """Makes a player's clone in a new folder. Returns the seat, and whether the key was told to the referee now. With
    `signing`, an SSH key, everything that the player sends is signed, and counts only so.

    Without a token the key must stand in `keys.yaml` already. Raises Faulty, GitFailed, OSError.
    """
    if token and len(token) != LENGTH:
        raise Faulty(
            [problem("--token", told(path, "no_token", token=f"{token!a}", length=LENGTH))], misused=True
        )
    again = (path / ".git").is_dir()
    if path.exists() and not again and (not path.is_dir() or any(path.iterdir())):
        raise Faulty([problem(path, told(path, "folder_taken"))])
    made = not path.exists()
    try:
        repository = Repository(path) if again else Repository.create(path, url)
        if repository.url != address(url):
            raise Faulty([problem(path, told(path, "other_clone", url=repository.url))])
        seat = Seat(match, player, "", token, box=address(box) if box else "")
        if signing is not None:
            public_of(signing)  # before anything is pushed
            seat = replace(seat, signing=str(signing.expanduser().absolute()))
        return _make_clone(repository, seat, now, key)
    except (Faulty, GitFailed):
        if made:  # so that the same command can be given again
            shutil.rmtree(path, ignore_errors=True)
        raise


def _make_clone(repository: Repository, asked: Seat, now: datetime, key: Path | None) -> tuple[Seat, bool]:
    commit, player, token = fetch_main(repository, mend=False), asked.player, asked.token
    match = match_meant(matches_in(repository, commit), asked.match, player)
    card, texts = card_of(repository, commit, match), texts_in(repository, commit, match, KEYS)
    if player not in card.players:
        mean, there = nearest(player, card.players), card.players
        said = told(repository.path, "no_player", player=f"{player!a}", mean=mean, players=there)
        raise Faulty([problem(match, said)])
    keys = papers.read_paper(texts[KEYS], KEYS, Keys)
    where, public = _key(repository, key)
    known = keys.players.get(player)
    if not token and (known is None or known.key != public):
        said = told(repository.path, "key_unknown" if known is None else "key_other")
        raise Faulty([problem(player, said)])
    before = {item.name: item.number for item in repository.items(commit, match, reply_to(player))}
    seat = replace(asked, match=match, key=str(where), public=public, commitment=card.seed, fetched=before)
    seat = replace(seat, referee=keys.referee)
    keep_seat(repository, seat)
    if not token or (known is not None and known.key == public):
        return seat, False
    label = Label("key", card.match, "", player, token)
    lines = [public, *([public_of(Path(asked.signing))] if asked.signing else [])]
    data = seal(label, "\n".join(lines).encode(), keys.referee)
    push_box(repository, seat, {KEY_FILE: data}, f"{player}'s key", now)
    commit = fetch_main(repository, mend=False)  # where a hook calls the referee, the answer is there already
    items = {item.name: item for item in repository.items(commit, match, KEYS, reply_to(player))}
    texts = texts_in(repository, commit, match, KEYS)
    if is_refused(seat, papers.read_paper(texts[KEYS], KEYS, Keys), items):
        raise Faulty([problem("--token", told(repository.path, "key_refused"))])
    return seat, True


def match_meant(there: list[str], match: str, player: str) -> str:
    """The match that the player means. Raises Faulty."""
    if not there:
        raise Faulty([problem("main", "there is no match in this repository yet")])
    if match and match not in there:
        mean = nearest(match, there)
        guess = f", did you mean {mean}?" if mean else ""
        raise Faulty(
            [problem("--match", f"there is no match {match!a}{guess}; there are {', '.join(there)}")]
        )
    if not match and len(there) > 1:
        said = f"there are several matches: name one with --match: {', '.join(there)}"
        raise Faulty([problem(player or "main", said)])
    return match or there[0]


def card_of(repository: Repository, commit: str, match: str) -> Card:
    """The card of a match in a commit of `main`. Raises Faulty, GitFailed."""
    return card_in(texts_in(repository, commit, match, CARD)[CARD], Path(match))


def texts_in(repository: Repository, commit: str, match: str, *names: str) -> dict[str, bytes]:
    """Some files of a match in `main`. Raises Faulty if one is missing, GitFailed."""
    items = {item.name: item for item in repository.items(commit, match, *names) if item.plain}
    if missing := [name for name in names if name not in items]:
        raise Faulty([problem(f"{match}/{missing[0]}", told(repository.path, "not_as_written"))])
    return repository.contents([items[name] for name in names], 2**20)


def _key(repository: Repository, key: Path | None) -> tuple[Path, str]:
    """Where the secret key is, and the public one; a new age key if none was named. Raises Faulty, OSError."""
    if key is None:
        file = home_of(repository) / KEY
        if not file.is_file():
            secret, public = new_identity()
            write_own(file, f"# public key: {public}\n{secret}\n".encode())
            return file.absolute(), public
        return file.absolute(), str(identity(file.read_bytes(), str(file)).to_public())
    key = key.expanduser().absolute()
    secret_text = secret_in(key)
    known = identity(secret_text, str(key))
    if hasattr(known, "to_public"):
        return key, str(known.to_public())
    beside = key.with_name(f"{key.name}.pub")
    if not beside.is_file():
        raise Faulty([problem(beside, told(repository.path, "no_public_half"))])
    return key, public_key(beside.read_text(encoding="utf-8", errors="replace"))


def push_box(
    repository: Repository, seat: Seat, files: Mapping[str, bytes], message: str, now: datetime
) -> None:
    """Puts files into the player's own branch, which holds nothing else except the key. Raises GitFailed.

    The commit follows the last `main` that the clone has seen too: so the host keeps that, whoever rewrites `main`, and
    the referee finds it there. Anything that somebody else has pushed there stays in its history, and isn't fetched.

    Where the host takes no workflow from this player, such as with a token without that scope, it is left out: then the
    clock starts the job.
    """
    url, box_branch = address(seat.box or repository.url), box_of(seat.match, seat.player)
    with work_folder(repository) as work:
        box = Repository.create(work / "box", url)
        box.before = repository.before
        branch, parent = box.branch_of(box_branch).get(box_branch, ("", ""))
        kept: dict[str, bytes | str | None] = {"": None}
        if branch:
            box.fetch_few(f"{branch}:{HERE}")
            kept |= {item.name: item.number for item in box.items(HERE, "", KEY_FILE) if item.plain}
        seen = repository.commit_of(SEEN)
        box.use_objects_of(repository)
        who = seat.player.capitalize()
        for beside in (beside_a_box(repository) if not seat.box else {}, {}):
            changes, into = {**kept, **beside, **files}, branch or box_branch
            try:
                box.push_after(parent, into, changes, message, int(now.timestamp()), who, also=[seen])
                break
            except GitFailed as failed:
                if not beside or NO_WORKFLOW not in str(failed):
                    raise
