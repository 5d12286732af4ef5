"""Sends a sheet: sealed to the referee, and pushed to the player's own branch."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import card_in
from adjudicator.engine.folder.marks import receipt_of
from adjudicator.engine.folder.names import CARD
from adjudicator.git.box import ANSWER
from adjudicator.git.join import push_box, texts_in
from adjudicator.git.layout import AGE
from adjudicator.git.read import News
from adjudicator.git.repository import HERE, Repository
from adjudicator.git.sealed import Label, What, seal
from adjudicator.mail.finding import Piece, with_player


def named(text: bytes, player: str) -> bytes:
    """The sheet with its player's name, which it needs."""
    return with_player(Piece(text, "attached"), player).text


def send(repository: Repository, news: News, text: bytes, now: datetime, *, answers: bool) -> str:
    """Seals and pushes a file for the open phase, as it is; returns its receipt. Raises Faulty, GitFailed."""
    seat = news.seat
    if news.now.over:
        raise Faulty([problem(seat.match, "the match is over: nothing is asked any more")])
    if not seat.token:
        said = "the referee hasn't taken your key yet, and so hasn't told your token: `adjudicator git read` says when"
        raise Faulty([problem(seat.player, said)])
    card = card_in(texts_in(repository, repository.commit_of(HERE), seat.match, CARD)[CARD], Path(seat.match))
    what: What = "answer" if answers else "sheet"
    label = Label(what, card.match, news.now.phase, seat.player, seat.token)
    name = f"{news.now.phase}{ANSWER if answers else AGE}"
    push_box(
        repository, seat, {name: seal(label, text, news.keys.referee)}, f"{what} for {news.now.phase}", now
    )
    return receipt_of(digest_of(text))
