"""What becomes of a mail whose sender is known: taken as a sheet, held, or a double; written whole or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.folder.entries import Bounced, Entry, Held, Sent, Taken, instant, of_kind, standing
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import add_entries, ledger_of
from adjudicator.engine.folder.moments import deadline_in_force, hold_in_force, opened_at
from adjudicator.engine.folder.names import MAIL
from adjudicator.engine.handout.times import instant_text as as_told
from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.sheets.answers import ANSWERS
from adjudicator.engine.text.source import Source
from adjudicator.gm.situation import situation
from adjudicator.mail.account import Account
from adjudicator.mail.answer import AnswerFacts, answer_to, text_of
from adjudicator.mail.block import source_in
from adjudicator.mail.closings import open_closing
from adjudicator.mail.finding import Found, player_named, with_player
from adjudicator.mail.letter import Letter
from adjudicator.mail.limits import LARGEST
from adjudicator.mail.matches import seats_at, seats_of
from adjudicator.mail.parcel import form_for
from adjudicator.mail.phase_status import status_of_phase
from adjudicator.mail.quota import (
    ALONE,
    ANSWER,
    LONGEST_KEPT,
    MOST_HELD_ALONE,
    MOST_KEPT_ALONE,
    UNSURE,
    mails_without_token,
    may_answer,
)
from adjudicator.mail.reading import check_file
from adjudicator.mail.robots import MACHINES
from adjudicator.mail.sender import WITHOUT_TOKEN, Seated, Sender
from adjudicator.mail.subject import subject_of
from adjudicator.mail.tokens import Seat
from adjudicator.mail.written import Piece

FORM_WITH = ("nothing", "words", "blank", "torn", "address-alone", "expired", "other-phase", "frozen")
"""Reasons to hold a mail whose answer brings the form, if there is anything to fill in now."""
SHORT = 16
"""Hexadecimal digits of a receipt."""


class MailOutcome(Struct, frozen=True):
    """What became of a mail: `taken`, `held`, `bounced`, `double`, `ours` (a copy), `left` (it is for no match),
    `waits` (it is for a match that wasn't named, or may be for one that can't be read), or
    `copied` (about a folder, not a mail: mails were taken there, and the folder `because` is a copy of the match).

    `words` is a message that only the GM can answer.
    """

    what: str
    message: str = ""
    folder: str = ""
    player: str = ""
    because: str = ""
    answered: bool = False
    words: str = ""

    @property
    def is_settled(self) -> bool:
        """Is there nothing left for the GM to look at?"""
        return self.what != "left" and not self.words and self.because not in (*WITHOUT_TOKEN, "beyond")


def is_known(entries: Sequence[Entry], message: str, player: str, *, sure: bool = False) -> bool:
    """Has that player sent a mail with that Message-ID before? Another player's mail may have the same by mistake.

    `sure`: it is the player's now. Then one that was held because it might not be doesn't count.
    """
    return any(
        isinstance(one, Taken | Held | Bounced)
        and (one.message, one.player) == (message, player)
        and not (sure and isinstance(one, Held) and one.because in UNSURE)
        for one in entries
    )


class Settling:
    """One mail, and the match that it is for, which is locked."""

    def __init__(
        self,
        match: Folder,
        account: Account,
        letter: Letter,
        data: bytes,
        came: datetime,
        now: datetime,
        keys: bytes = b"",
    ) -> None:
        self.match, self.account, self.letter, self.data, self.keys = match, account, letter, data, keys
        self.came, self.now = instant(came), instant(now)
        self.entries = ledger_of(match)
        self.top = match.phases[-1]

    def settle(self, sender: Sender, found: Found) -> MailOutcome:
        """Takes or holds the mail, and writes it, the entries and the answer together."""
        assert sender.seat is not None
        # Read again under the lock: the token may have been made again meanwhile.
        seated = next(each for each in seats_of(self.match) if each.seat.player == sender.seat.player)
        player, folder = seated.seat.player, seated.seat.folder
        because = sender.because
        if not because and seated.seat.number != sender.seat.number:
            because = "expired"
        alone = because in UNSURE
        if is_known(self.entries, self.letter.id, player, sure=not alone):
            return MailOutcome("double", self.letter.id, folder, player)
        if alone and self.held_like(because, player) >= MOST_HELD_ALONE:
            return MailOutcome("left", self.letter.id, folder, player, because)
        words = "" if because in MACHINES else found.words
        if self.match.head(self.match.last).over and because not in MACHINES:
            because = "over"  # whatever else is wrong with the mail: nothing in it can count any more
        said = AnswerFacts(self.top, because) if because else self.read(seated.seat, found)
        if words and said.because in ("nothing", "blank"):
            said = replace(said, because="words")
        said = replace(
            said,
            found=Found() if because == "over" else found,
            words=bool(words) and not alone,
            seats=seats_at(self.match, player),
            named=player_named(found),
            elsewhere="" if self.letter.sender in ("", seated.address.lower()) else self.letter.sender,
        )
        answered = self.write(seated, said, because if alone else "")
        what = "held" if said.because else "taken"
        return MailOutcome(what, self.letter.id, folder, player, said.because, answered, words)

    def held_like(self, because: str, player: str) -> int:
        """How many mails were held for the player within a day that machines sent, if one did now; else all others that
        the player may not have sent.
        """
        if because in MACHINES:
            return mails_without_token(self.entries, player, self.now, MACHINES)
        return mails_without_token(self.entries, player, self.now)

    def write(self, seated: Seated, said: AnswerFacts, unsure: str) -> bool:
        """Writes the mail, its entries and the answer. `unsure` is why it may not be the player's; empty if it is.
        Returns whether it was answered.
        """
        player, alone = seated.seat.player, bool(unsure)
        told, entries = self.entries_of(seated.seat, said), list[Entry]()
        small = alone or said.because == "beyond"
        kept = f"{MAIL}/{digest_of(self.data)[:SHORT]}"
        if not alone or self.held_like(unsure, player) < MOST_KEPT_ALONE:
            text = self.data[: LONGEST_KEPT if small else LARGEST]
            self.match.add(f"{self.top}/{kept}.eml", text)
            keys = digest_of(self.keys) if self.keys else ""
            if self.keys:
                self.match.add(f"{self.top}/{kept}.keys", self.keys)
            told = [replace(entry, mail=digest_of(text), keys=keys) for entry in told]
        if answered := self.may_answer(seated, said, alone=alone):
            if said.because in FORM_WITH:
                said = replace(said, form=form_for(self.match, player))
            entries.append(self.answer(seated, said, f"{kept}{ALONE if alone else ANSWER}"))
        add_entries(self.match, *told, *entries)
        self.match.commit()
        return answered

    def read(self, seat: Seat, found: Found) -> AnswerFacts:
        """Checks the sheet and the answers that were found, and adds those that count to the match."""
        if found.why:
            return AnswerFacts(self.top, found.why)
        said = AnswerFacts(self.top)
        for kind, piece in (("sheets", found.sheet), (ANSWERS, found.answers)):
            if piece is not None:
                said = self.take_file(seat.player, kind, piece)
                if said.because:
                    break
        return said

    def take_file(self, player: str, kind: str, piece: Piece) -> AnswerFacts:
        """Checks a sheet or a file of answers, and adds it to the match if it counts."""
        waits = self.match.opening(self.match.last).waits
        piece = with_player(piece, player)
        if kind == "sheets" and waits:
            return AnswerFacts(self.top, "frozen", piece=piece)
        if kind == "sheets" and open_closing(self.match) is not None:
            return AnswerFacts(self.top, "closed", piece=piece)
        if kind == ANSWERS and waits != player:
            return AnswerFacts(self.top, "no-question", piece=piece)
        if kind == "sheets" and (meant := self.why_of_another_phase(piece)):
            came = as_told(self.match, self.came, player) if meant == "by-age" else ""
            return AnswerFacts(self.top, "other-phase", piece=piece, came=came)
        name = f"{kind}/{player}.yaml"
        if because := self.out_of_time(name):
            known = deadline_in_force(self.entries, self.top)
            closes = as_told(self.match, known.closes, player) if known else ""
            came = as_told(self.match, self.came, player)
            return AnswerFacts(self.top, because, piece=piece, came=came, closes=closes)
        counts, checked = check_file(self.match, player, kind, piece.text)
        if not counts:
            return AnswerFacts(self.top, "not-a-sheet", piece=piece, problems=checked.problems)
        self.match.add(f"{self.top}/{name}", piece.text)
        receipt = digest_of(piece.text)[:SHORT]
        what = "sheet" if kind == "sheets" else "answers"
        return AnswerFacts(
            self.top,
            "",
            what,
            receipt,
            piece=piece,
            understood=checked.lines,
            problems=checked.problems,
        )

    def out_of_time(self, name: str) -> str:
        """Why a file doesn't count by the time at which the server got it: `late` or `older`; empty if it counts.

        The newest file from before the phase closed counts, in whatever order the mails are fetched.
        """
        known = deadline_in_force(self.entries, self.top)
        before = [one for one in of_kind(standing(self.entries), Taken, self.top) if one.file == name]
        if known is not None and self.came >= known.closes and hold_in_force(self.entries) is None:
            # While mail keeps the phase open nobody is late, nor is who then sends another sheet.
            waited = any((one.came or one.at) >= known.closes for one in before)
            if not waited and not situation(self.match, self.now).unsent:
                return "late"
        return "older" if any((one.came or one.at) > self.came for one in before) else ""

    def why_of_another_phase(self, piece: Piece) -> Literal["", "by-answer", "by-age"]:
        """Why a sheet that names no phase is for another: by the mail that it answers, or by its age; else empty."""
        source = source_in(piece.text)
        plain = source.plain if isinstance(source, Source) else None
        if not isinstance(plain, dict) or "phase" in plain:
            return ""
        phases = {entry.message: entry.phase for entry in of_kind(self.entries, Sent)}
        answered = next((phases[one] for one in self.letter.answers if one in phases), "")
        opened = opened_at(self.entries, self.top)
        if answered:
            return "by-answer" if answered != self.top else ""
        return "by-age" if opened is not None and self.came < opened else ""

    def entries_of(self, seat: Seat, said: AnswerFacts) -> list[Held | Taken]:
        """The ledger's entries: one for each file that was taken, or one for the mail that is held."""
        if said.because:
            held = Held(
                at=self.now,
                phase=self.top,
                message=self.letter.id,
                because=said.because,
                player=seat.player,
                came=self.came,
            )
            self.match.fresh = {}
            return [held]
        return [
            Taken(
                at=self.now,
                phase=self.top,
                player=seat.player,
                file=name.removeprefix(f"{self.top}/"),
                sheet=digest_of(text),
                message=self.letter.id,
                came=self.came,
            )
            for name, text in self.match.fresh.items()
        ]

    def may_answer(self, seated: Seated, said: AnswerFacts, *, alone: bool) -> bool:
        """May the mail be answered? Only to an address on file, never to a machine, not too often; `over` once."""
        if not seated.address or said.because in MACHINES:
            return False
        player = seated.seat.player
        held = [one.because for one in of_kind(standing(self.entries), Held) if one.player == player]
        if said.because == "over" and "over" in held:
            return False
        return may_answer(self.entries, player, self.now, alone=alone)

    def answer(self, seated: Seated, said: AnswerFacts, name: str) -> Sent:
        """Adds the text of the answer to the match, and returns its entry; it is sent when all is written."""
        subject = subject_of(self.match, seated.seat.player, taken=not said.because)
        phase = status_of_phase(self.match, seated.seat.player, said, self.now)
        text = text_of(texts_of(self.match.rulebook_for(seated.seat.player)), seated, said, phase)
        alone = name.endswith(ALONE)
        message = answer_to(self.account, seated, self.letter.id, subject, text, self.now, alone=alone)
        data = message.as_bytes()
        self.match.add(f"{self.top}/{name}", data)
        return Sent(
            at=self.now,
            phase=self.top,
            to=seated.seat.player,
            files={name: digest_of(data)},
            message=str(message["Message-ID"]),
            stage="begun",
        )
