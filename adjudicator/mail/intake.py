"""What becomes of one mail: taken as a sheet, held, a bounce, one that came before; written whole or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.folder.entries import (
    Bounced,
    Entry,
    Held,
    Sent,
    Taken,
    instant,
    of_kind,
    standing,
)
from adjudicator.engine.folder.folder import Folder, changing, digest_of
from adjudicator.engine.folder.ledger import add_entries, ledger_of
from adjudicator.engine.folder.names import MAIL
from adjudicator.engine.sheets.answers import ANSWERS
from adjudicator.engine.text.source import Source, read
from adjudicator.mail.about import about
from adjudicator.mail.account import Account
from adjudicator.mail.answer import Said, answer_to, text_of
from adjudicator.mail.finding import Found, Piece, found_in, with_player
from adjudicator.mail.letter import LARGEST, Letter, letter_in
from adjudicator.mail.matches import seats_of
from adjudicator.mail.parcel import form_for
from adjudicator.mail.reading import looked_at, title_of
from adjudicator.mail.robots import reason_in, robot
from adjudicator.mail.sender import Seated, Sender, bounced, is_ours, observer, sender_of
from adjudicator.mail.tokens import Seat

MOST_ANSWERS = 10
"""Answers to a player within a day; more mails are taken or held all the same."""
DAY = timedelta(days=1)
FORM_WITH = ("nothing", "blank", "address-alone", "expired", "other-phase", "frozen")
"""Why a mail is held to which the answer brings the form, where anything may be filled in now."""
ANSWER = "-answer.eml"
"""How the names of answers end, in a phase's `mail/`."""
SHORT = 16
"""Hexadecimal digits of a receipt."""


class Came(Struct, frozen=True):
    """What became of a mail: `taken`, `held`, `bounced`, `double`, `ours` (a copy), `left` (it is for no match)."""

    what: str
    message: str = ""
    folder: str = ""
    player: str = ""
    because: str = ""
    answered: bool = False


def take(data: bytes, came: datetime, now: datetime, account: Account, seats: Sequence[Seated]) -> Came:
    """Takes one mail in, for the match whose player sent it. Raises Faulty: then nothing of it was written."""
    letter = letter_in(data[:LARGEST])
    if any(is_ours(each, letter.id) or is_ours(observer(each), letter.id) for each in seats):
        return Came("ours", letter.id)
    kind = robot(letter)
    if kind in ("bounce", "delayed"):
        return _bounce(data, letter, kind, now, seats)
    found = found_in(letter)
    sender = sender_of(letter, seats, _named(found))
    if (seat := sender.seat) is None:
        return Came("left", letter.id, because=sender.because)
    if kind:
        sender = replace(sender, because=kind)
    with changing(Path(seat.folder)) as match:
        return _Intake(match, account, letter, data, instant(came), instant(now)).settle(sender, found)


def _bounce(data: bytes, letter: Letter, kind: str, now: datetime, seats: Sequence[Seated]) -> Came:
    found = bounced(data, seats)
    if found is None or kind == "delayed":
        return Came("left", letter.id, because=kind)
    seat, of = found
    with changing(Path(seat.folder)) as match:
        if is_known(ledger_of(match), letter.id, seat.player):
            return Came("double", letter.id, seat.folder, seat.player)
        said = reason_in(letter)
        entry = Bounced(at=instant(now), player=seat.player, message=letter.id, because=said, of=of)
        add_entries(match, entry)
        match.commit()
    return Came("bounced", letter.id, seat.folder, seat.player, said)


def is_known(entries: Sequence[Entry], message: str, player: str) -> bool:
    """Did a mail of that Message-ID come before from that player? Another's may bear the same by mistake."""
    return any(
        isinstance(one, Taken | Held | Bounced) and (one.message, one.player) == (message, player)
        for one in entries
    )


def _named(found: Found) -> str:
    """Whom the sheet says that it is from."""
    piece = found.sheet or found.answers
    source = read(piece.text, "sheet") if piece else None
    plain = source.plain if isinstance(source, Source) else None
    named = plain.get("player") if isinstance(plain, dict) else None
    return named if isinstance(named, str) else ""


class _Intake:
    """One mail and the match that it is for, which is locked."""

    def __init__(
        self, match: Folder, account: Account, letter: Letter, data: bytes, came: datetime, now: datetime
    ) -> None:
        self.match, self.account, self.letter, self.data = match, account, letter, data
        self.came, self.now = came, now
        self.entries = ledger_of(match)
        self.top = match.phases[-1]

    def settle(self, sender: Sender, found: Found) -> Came:
        """Takes or holds the mail; writes it, the entries and the answer in one."""
        assert sender.seat is not None
        # Read again under the lock: the token may have been made anew meanwhile.
        seated = next(each for each in seats_of(self.match) if each.seat.player == sender.seat.player)
        because = sender.because
        if not because and seated.seat.number != sender.seat.number:
            because = "expired"
        player = seated.seat.player
        if is_known(self.entries, self.letter.id, player):
            return Came("double", self.letter.id, seated.seat.folder, player)
        if self.match.head(self.match.last).over and because not in ("robot", "list"):
            because = (
                "over"  # whatever else is wrong with it: there is nothing any more for which it could count
            )
        kept = f"{MAIL}/{digest_of(self.data)[:SHORT]}"
        said = Said(self.top, because) if because else self.read(seated.seat, found)
        asked = self.match.opening(self.match.last).waits == player
        found = Found() if because == "over" else found
        said = replace(said, found=found, earlier=self.earlier(player), asked=asked)
        entries: list[Entry] = list(self.told(seated.seat, said))
        self.match.add(f"{self.top}/{kept}.eml", self.data[:LARGEST])
        if answered := self.may_answer(seated, said):
            if said.because in FORM_WITH:
                said = replace(said, form=form_for(self.match, player))
            entries.append(self.answer(seated, said, f"{kept}{ANSWER}"))
        add_entries(self.match, *entries)
        self.match.commit()
        what = "held" if said.because else "taken"
        return Came(what, self.letter.id, seated.seat.folder, player, said.because, answered)

    def read(self, seat: Seat, found: Found) -> Said:
        """Looks at what came, and adds to the match what counts."""
        if found.why:
            return Said(self.top, found.why)
        said = Said(self.top)
        for kind, piece in (("sheets", found.sheet), (ANSWERS, found.answers)):
            if piece is not None:
                said = self.one(seat.player, kind, piece)
                if said.because:
                    break
        return said

    def one(self, player: str, kind: str, piece: Piece) -> Said:
        """A sheet or a file of answers."""
        waits = self.match.opening(self.match.last).waits
        piece = with_player(piece, player)
        if kind == "sheets" and waits:
            return Said(self.top, "frozen", piece=piece)
        if kind == ANSWERS and waits != player:
            return Said(self.top, "no-question", piece=piece)
        if kind == "sheets" and self.of_another_phase(piece):
            return Said(self.top, "other-phase", piece=piece)
        counts, understood, problems = looked_at(self.match, player, kind, piece.text)
        if not counts:
            return Said(self.top, "not-a-sheet", piece=piece, problems=problems)
        self.match.add(f"{self.top}/{kind}/{player}.yaml", piece.text)
        receipt = digest_of(piece.text)[:SHORT]
        name = "sheet" if kind == "sheets" else "answers"
        return Said(self.top, "", name, receipt, piece=piece, understood=understood, problems=problems)

    def of_another_phase(self, piece: Piece) -> bool:
        """Does a sheet that names no phase answer the mail of one that isn't open any more?"""
        source = read(piece.text, "sheet")
        plain = source.plain if isinstance(source, Source) else None
        if not isinstance(plain, dict) or "phase" in plain:
            return False
        phases = {entry.message: entry.phase for entry in of_kind(self.entries, Sent)}
        answered = next((phases[one] for one in self.letter.answers if one in phases), self.top)
        return answered != self.top

    def told(self, seat: Seat, said: Said) -> list[Entry]:
        """The entries of what became of it: one for each file that counts now, else one for the mail that is held."""
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

    def may_answer(self, seated: Seated, said: Said) -> bool:
        """To an address on file, never to a machine, and not too often; that a match is over, once."""
        if not seated.address or said.because in ("robot", "list"):
            return False
        since = self.now - DAY
        player = seated.seat.player
        held = [one.because for one in of_kind(standing(self.entries), Held) if one.player == player]
        if said.because == "over" and "over" in held:
            return False
        answers = {
            one.message
            for one in of_kind(self.entries, Sent)
            if one.to == player and one.at > since and any(name.endswith(ANSWER) for name in one.files)
        }
        return len(answers) < MOST_ANSWERS

    def answer(self, seated: Seated, said: Said, name: str) -> Sent:
        """Adds the answer to the match, to be sent when all is written."""
        title = title_of(self.match, seated.seat.player)
        phase = about(self.match, seated.seat.player, said)
        text = text_of(self.match.rulebook.key, seated, said, phase)
        message = answer_to(self.account, seated, self.letter.id, title, text, self.now)
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

    def earlier(self, player: str) -> str:
        """The receipt of the sheet that lies there already."""
        name = f"{self.top}/sheets/{player}.yaml"
        return digest_of(self.match.read(name))[:SHORT] if self.match.has(name) else ""
