"""Sends a sheet: sealed to the referee, and pushed to the player's own branch."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from msgspec.structs import replace

from adjudicator.engine.beacon import quicknet, timelock
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.evidence import statement
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import card_in
from adjudicator.engine.folder.marks import receipt_of
from adjudicator.engine.folder.names import CARD
from adjudicator.engine.folder.post import SHEETS
from adjudicator.engine.sheets.answers import ANSWERS
from adjudicator.git.box import ANSWER, RECEIPT, SEALED
from adjudicator.git.join import push_box, texts_in
from adjudicator.git.layout import AGE
from adjudicator.git.read import News
from adjudicator.git.repository import HERE, Repository
from adjudicator.git.sealed import Label, What, seal
from adjudicator.git.seat import keep_seat, write_own
from adjudicator.git.signing import signature_by

KEPT = "sealed.age"
"""A locked sheet without its lock, in its sender's clone."""


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
    if news.now.closes is None:
        said = "sheets of this match are locked until their phase closes, and this phase has no deadline now"
        raise Faulty([problem(news.now.phase, said)])
    write_own(news.folder / KEPT, sealed)
    name = f"{news.now.phase}{AGE}"
    try:
        data = timelock.lock(sealed, quicknet.round_after(news.now.closes))
    except quicknet.Missing as missing:
        raise Faulty([problem(news.now.phase, f"a sheet is locked by {missing}")]) from None
    return {name: data, f"{name}{RECEIPT}": f"{timelock.receipt_of(sealed)}\n".encode()}


def send_without_lock(repository: Repository, news: News, sealed: bytes, now: datetime) -> None:
    """Pushes what was locked, as it lies in the clone, if its lock can't be opened any more. Raises GitFailed."""
    push_box(repository, news.seat, {f"{news.now.phase}{SEALED}": sealed}, f"sheet for {news.now.phase}", now)
