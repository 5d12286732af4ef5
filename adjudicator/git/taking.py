"""The files that players pushed: taken as a key, a sheet or answers, or refused; written whole or not at all.

First comes who has sealed a file, by the token inside, and only then its content. A file that was taken stays, whatever
happens to the branch: nobody can take another's sheet back by deleting or rewriting it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from msgspec.structs import replace

from adjudicator.door.seats import (
    MOST_HELD_ALONE,
    UNREAD,
    Seated,
    has_sent_enough,
    is_known,
    mails_without_token,
    seats_of,
    token_of,
)
from adjudicator.door.submission import Kind
from adjudicator.door.submitting import submit
from adjudicator.engine.folder import papers
from adjudicator.engine.folder.entries import Entry, Held, instant
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder, changing
from adjudicator.engine.folder.ledger import add_entries, ledger_of, now_in
from adjudicator.engine.folder.marks import Signed, is_signed, receipt_of, statement
from adjudicator.engine.folder.names import KEYS, MAIL
from adjudicator.engine.folder.papers import Owner
from adjudicator.engine.text.problem import Problem
from adjudicator.engine.text.resources import Missing
from adjudicator.git.box import KEY, Pushed
from adjudicator.git.failing import collecting
from adjudicator.git.keys import COMMENT, RefereeKey, keys_of
from adjudicator.git.layout import number_of
from adjudicator.git.reply import LOCKED, FileResult, Reply, mark_of, reply_of, write_reply
from adjudicator.git.sealed import Label, NotReadable, What, public_in, public_key, unseal, without_armor

_KINDS: Mapping[What, Kind] = {"sheet": "sheets", "answer": "answers"}


def take(
    path: Path, pushed: Iterable[Pushed], key: RefereeKey, now: datetime, wrong: list[Problem]
) -> list[FileResult]:
    """Takes what is new into the match, and writes each player's reply. What fails for one player goes to `wrong`."""
    by_player: dict[str, list[Pushed]] = {}
    for each in pushed:
        by_player.setdefault(each.player, []).append(each)
    found: list[FileResult] = []
    for player, files in by_player.items():
        with collecting(f"{path.name}: {player}", wrong), changing(path) as match:
            found += _PlayersFiles(match, player, key, now).take_all(files)
    return found


class _PlayersFiles:
    """Takes the files of one player into the match, which is locked."""

    def __init__(self, match: Folder, player: str, key: RefereeKey, now: datetime) -> None:
        self.match, self.player, self.key = match, player, key
        self.now = now_in(match, instant(now))
        self.top = match.phases[-1]
        self.seat: Seated = next(each for each in seats_of(match) if each.seat.player == player)
        self.entries: list[Entry] = []

    def take_all(self, files: Iterable[Pushed]) -> list[FileResult]:
        """Takes those files that are new; returns what became of each."""
        before = reply_of(self.match, self.player)
        fresh = [each for each in files if is_new(each, before)]
        came = [
            found
            for each in sorted(fresh, key=lambda each: each.name != KEY)
            if (found := self.take_file(each))
        ]
        if not came and (before.token, before.referee) == (self.seat.token, keys_of(self.match).referee):
            return []
        add_entries(self.match, *self.entries)
        self.match.commit()
        seen = {each.name: mark_of(each) for each in fresh if each.name}
        write_reply(self.match, self.seat, before, came, seen, self.now)
        return came

    def take_file(self, pushed: Pushed) -> FileResult | None:
        """Takes one file, or refuses it; returns what became of it, or None if the player was told of it before, or if
        too many came today.
        """
        known = [*ledger_of(self.match), *self.entries]
        came = FileResult(self.player, pushed.name, pushed.number, because=pushed.because, words=pushed.words)
        if pushed.because in ("unfetched", LOCKED):
            return came
        message = f"git:{_number_inside(pushed)}"
        if pushed.because not in UNREAD and is_known(known, message, self.player):
            pushed = replace(pushed, because="known")
        if pushed.because in UNREAD:
            message = f"{message} {pushed.name}"
            if is_known(known, message, self.player):
                return None
        label, content, because = self.open_file(pushed)
        if because and mails_without_token(known, self.player, self.now) >= MOST_HELD_ALONE:
            return None  # junk alone is counted: nobody can use up what the player may send
        if not because and has_sent_enough(known, self.player, self.now):
            return replace(came, because="too-many")
        came = replace(came, because=because) if because else self.result_for(came, label, content)
        sent = came.sent
        if sent is not None and sent.taken:
            self.entries.append(
                sent.entry(self.now, message, mail=self.keep_signature(label, digest_of(sent.data)))
            )
        elif came.because:
            self.entries.append(
                Held(at=self.now, phase=self.top, message=message, because=came.because, player=self.player)
            )
        return came

    def keep_signature(self, label: Label, digest: str) -> str:
        """Keeps the signature of a file that was taken; returns the SHA-256 of what is kept, empty without one."""
        owner = keys_of(self.match).players.get(self.player)
        if owner is None or not owner.signing:
            return ""
        text = papers.text_of(Signed(owner.signing, label.signature), "A player's signature of a sheet.")
        self.match.add(f"{self.top}/{MAIL}/{receipt_of(digest)}.sig", text)
        return digest_of(text)

    def is_signed(self, label: Label, content: bytes) -> bool:
        """Is a file signed by its player, if the player signs? Raises Faulty."""
        owner = keys_of(self.match).players.get(self.player)
        if owner is None or not owner.signing:
            return True
        digest = digest_of(content)
        text = statement(self.match.card.match, label.phase, self.player, _KINDS[label.what], digest)
        try:
            return is_signed(Signed(owner.signing, label.signature), text)
        except Missing as missing:
            raise Faulty([problem(self.match.path / KEYS, f"signatures need {missing}")]) from None

    def open_file(self, pushed: Pushed) -> tuple[Label, bytes, str]:
        """The label and the content of a file, and why it can't be taken as this player's; that is empty if it can."""
        nobody = Label("sheet", "")
        if pushed.because:
            return nobody, b"", pushed.because
        try:
            label, content = unseal(pushed.data, [self.key.identity])
        except NotReadable as error:
            return nobody, b"", "unsealed" if str(error) == "not-sealed-to-me" else str(error)
        if (label.match, label.player) != (self.match.card.match, self.player):
            return label, content, "anothers"
        if label.token != self.seat.token:
            seat = self.seat.seat
            older = (token_of(self.seat.seed, replace(seat, number=number)) for number in range(seat.number))
            return label, content, "expired" if label.token in older else "without-token"
        return label, content, ""

    def result_for(self, came: FileResult, label: Label, content: bytes) -> FileResult:
        """What a file of that player is, and whether it counts; a key that counts is taken."""
        if label.what == "key":
            return self.take_key(replace(came, kind="key"), content)
        if label.what not in _KINDS:
            return replace(came, because="no-label")
        if not self.is_signed(label, content):
            return replace(came, because="unsigned")
        sent = submit(self.match, self.player, content, self.now, kind=_KINDS[label.what], phase=label.phase)
        kind = "answers" if label.what == "answer" else "sheet"
        return replace(came, kind=kind, because=sent.because, sent=sent)

    def take_key(self, came: FileResult, content: bytes) -> FileResult:
        """Takes a player's public key, which counts until the token is made again: nobody can put another in
        its place.
        """
        keys = keys_of(self.match)
        before = keys.players.get(self.player)
        number = self.seat.seat.number
        try:
            first, _, second = content[:16384].decode("utf-8", "replace").partition("\n")
            key = public_key(first)
            signing = public_in(second, KEYS) if second.strip() else ""
        except Faulty as wrong:
            return replace(came, because="no-key", problems=tuple(wrong.problems))
        except Missing as missing:
            raise Faulty([problem(self.match.path / KEYS, f"signatures need {missing}")]) from None
        if before is not None and before.number == number and (before.key, before.signing) != (key, signing):
            return replace(came, because="second-key")
        owner = replace(before or Owner(key), key=key, number=number, signing=signing)
        keys = replace(keys, players={**keys.players, self.player: owner})
        self.match.add(KEYS, papers.text_of(keys, COMMENT))
        return came


def _number_inside(pushed: Pushed) -> str:
    """The number of a sealed file by which it is known again: anybody could give it another armour, or line ends."""
    if not pushed.data:
        return pushed.number
    with suppress(NotReadable):
        return number_of(without_armor(pushed.data), pushed.number)
    return pushed.number


def is_new(pushed: Pushed, before: Reply) -> bool:
    """Is the file newer than the last reply?"""
    if pushed.because == "unfetched":
        return digest_of(pushed.words.encode()) != before.unfetched
    if pushed.because == "phase-over":
        return before.seen.get(pushed.name, "").partition(" ")[0] != pushed.number
    return before.seen.get(pushed.name) != mark_of(pushed)
