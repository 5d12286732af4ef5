"""What becomes of a mail whose sender is known: taken as a sheet, held, or a double; written whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from adjudicator import __version__
from adjudicator.door.seats import (
    ALONE,
    ANSWER,
    DAY,
    LONGEST_KEPT,
    MACHINES,
    MOST_HELD_ALONE,
    MOST_KEPT_ALONE,
    UNSURE,
    WITHOUT_TOKEN,
    Seated,
    is_known,
    mails_without_token,
    may_answer,
    seats_at,
    seats_of,
)
from adjudicator.door.submitting import status_of_phase, submit
from adjudicator.engine.folder.entries import (
    Asked,
    Entry,
    Held,
    Replaced,
    Sent,
    Taken,
    instant,
    of_kind,
    standing,
)
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import add_entries, ledger_of
from adjudicator.engine.folder.marks import receipt_of
from adjudicator.engine.folder.names import MAIL, STATE
from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.match.showing import hand_out_again
from adjudicator.gm.regents import open_seats
from adjudicator.mail.account import Account
from adjudicator.mail.answer import AnswerFacts, answer_to, text_of
from adjudicator.mail.commands import Command, Reply
from adjudicator.mail.finding import Found, found_in, player_named, with_name_added
from adjudicator.mail.letter import Letter, letter_in
from adjudicator.mail.limits import LARGEST
from adjudicator.mail.obeying import Obeying, code_of_new_address
from adjudicator.mail.parcel import form_for, subject_of
from adjudicator.mail.press import Press, sender_of_message
from adjudicator.mail.sender import Sender
from adjudicator.mail.standby import TAKE, accepted, take_seat

FORM_WITH = ("nothing", "words", "blank", "torn", "address-alone", "expired", "earlier-phase", "frozen")
"""Reasons to hold a mail whose answer brings the form, if there is anything to fill in now."""


BY_A_CODE = ("reference-alone", "expired")
"""Reasons to hold a mail that a code in it may outweigh: it answers a mail of ours from another address than a
player's.
"""


class MailOutcome(Struct, frozen=True):
    """What became of a mail: `taken`, `held`, `asked` (it had commands alone), `bounced`, `double`, `ours` (a copy),
    `week` (the GM's own, by `mail week`), `left` (it is for no match), `waits` (it is for a match that wasn't named, or
    may be for one that can't be read), or `copied` (about a folder, not a mail: mails were taken there, and the folder
    `because` is a copy of the match).

    `words` is a message that only the GM can answer. `asked` are the verbs of its commands, `news` what the GM should
    know of what they have changed.
    """

    what: str
    message: str = ""
    folder: str = ""
    player: str = ""
    because: str = ""
    answered: bool = False
    words: str = ""
    asked: tuple[str, ...] = ()
    news: tuple[str, ...] = ()

    @property
    def is_settled(self) -> bool:
        """Is there nothing left for the GM to look at?"""
        return (
            self.what not in ("left", "week")
            and not self.words
            and self.because not in (*WITHOUT_TOKEN, "beyond")
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
        seats: Sequence[Seated] = (),
    ) -> None:
        self.match, self.account, self.letter, self.data, self.keys = match, account, letter, data, keys
        self.came, self.now = instant(came), instant(now)
        self.entries = ledger_of(match)
        self.top, self.seats = match.phases[-1], seats
        self.obeying: Obeying | None = None
        self.press: Press | None = None

    def settle(self, sender: Sender, found: Found) -> MailOutcome:
        """Takes or holds the mail, and writes it, the entries and the answer together."""
        assert sender.seat is not None
        # Read again under the lock: the token may have been made again meanwhile.
        seated = next(each for each in seats_of(self.match) if each.seat.player == sender.seat.player)
        player, folder = seated.seat.player, seated.seat.folder
        because = sender.because
        if not because and seated.seat.number != sender.seat.number:
            because = "expired"
        if because == "reference-alone" and (confirmed := self.confirmed(seated, found)):
            because, found = "", Found(why="nothing", commands=confirmed)
        taken = accepted(seated, found.commands, self.letter.sender) if because in BY_A_CODE else None
        taken = taken and player in open_seats(
            self.match
        )  # None: the mail takes no seat; False: it comes too late
        alone = because in UNSURE and not taken
        if is_known(self.entries, self.letter.id, player, sure=not alone):
            return MailOutcome("double", self.letter.id, folder, player)
        if alone and self.held_like(because, player) >= MOST_HELD_ALONE:
            return MailOutcome("left", self.letter.id, folder, player, because)
        if taken is not None:
            return self.take_seat(seated, because, good=taken)
        words = "" if because in MACHINES else found.words
        if self.match.head(self.match.last).over and because not in MACHINES:
            because = "over"  # whatever else is wrong with the mail: nothing in it can count any more
        said = AnswerFacts(self.top, because) if because else self.read(player, found)
        alone_said = said.because in ("nothing", "blank")
        if alone_said and self.is_repeated(seated, found, words):
            said, words = replace(said, because="again"), ""
        elif not because and (
            found.commands or found.messages or (alone_said and self.is_for_a_player(seated, words))
        ):
            self.obeying = Obeying(self.match, self.account, seated, self.now, self.seats)
            self.press = Press(self.match, self.account, seated, self.letter.id, self.now)
            said = replace(said, because="" if alone_said else said.because)
            words = "" if alone_said and not (found.commands or found.messages) else words
        elif words and alone_said:
            said = replace(said, because="words")
        elif because == "over":
            words = "\n\n".join((*([words] if words else ()), *(each.text for each in found.messages)))
        said = replace(
            said,
            found=Found() if because == "over" else found,
            words=bool(words) and not alone,
            seats=seats_at(self.match, player),
            named=player_named(found),
            elsewhere="" if self.letter.sender in ("", seated.address.lower()) else self.letter.sender,
        )
        answered = self.write(seated, said, because if alone else "")
        what = "held" if said.because else "taken" if said.sent else "asked"
        done = self.obeying
        asked, news = (done.verbs, tuple(done.news)) if done is not None else ((), ())
        if self.press is not None and self.press.for_gm:
            words = "\n\n".join((*([words] if words else ()), *self.press.for_gm))
        if crash := next((one.crash for one in said.sent if one.crash), found.crash):
            news = (*news, self.news_of_crash(crash))
        return MailOutcome(what, self.letter.id, folder, player, said.because, answered, words, asked, news)

    def take_seat(self, seated: Seated, because: str, *, good: bool) -> MailOutcome:
        """Gives the seat to who has accepted it, or answers that it isn't open any more.

        A mail that comes too late isn't the player's: it is held, and counts as one that anybody could have written.
        """
        player, digest = seated.seat.player, digest_of(self.data)
        self.match.add(f"{self.top}/{MAIL}/{receipt_of(digest)}.eml", self.data)
        done = take_seat(self.match, self.account, seated, self.letter.sender, self.now, good=good)
        replaced = [each for each in done if isinstance(each, Replaced)]
        held = Held(
            at=self.now,
            phase=self.top,
            message=self.letter.id,
            because=because,
            player=player,
            came=self.came,
            mail=digest,
        )
        asked = Asked(
            at=self.now,
            phase=self.top,
            message=self.letter.id,
            player=player,
            commands=(TAKE,),
            came=self.came,
            mail=digest,
        )
        add_entries(self.match, asked if replaced else held, *replaced)
        if replaced:
            hand_out_again(self.match)
        self.match.commit()
        news = tuple(f"{self.letter.sender} plays {each.player} from now on" for each in replaced)
        return MailOutcome("asked", self.letter.id, seated.seat.folder, player, asked=(TAKE,), news=news)

    def is_repeated(self, seated: Seated, found: Found, words: str) -> bool:
        """Did the player's last mail within a day (the last two, if this one answers another player's message) bring
        just what this one does, and neither sheet nor command? Then machines may be answering each other.
        """
        if found.commands or found.messages:
            return False
        player, before = seated.seat.player, 2 if self.is_for_a_player(seated, words) else 1
        mails = [
            one
            for one in self.entries
            if isinstance(one, Taken | Held | Asked) and one.player == player and one.at > self.now - DAY
            if not (isinstance(one, Held) and one.because in UNSURE)
        ][-before:]
        return len(mails) == before and all(self.found_before(one) == found for one in mails)

    def found_before(self, entry: Taken | Held | Asked) -> Found | None:
        """What was in an earlier mail; None if it isn't kept."""
        name = f"{entry.phase}/{MAIL}/{receipt_of(entry.mail)}.eml"
        return found_in(letter_in(self.match.read(name))) if self.match.has(name) else None

    def is_for_a_player(self, seated: Seated, words: str) -> bool:
        """Is the mail an answer to another player's message?"""
        return bool(words and sender_of_message(self.entries, seated, self.letter.answers))

    def confirmed(self, seated: Seated, found: Found) -> tuple[Command, ...]:
        """The command that confirms the new address from which the mail came; none if there is none with its code."""
        new = self.letter.sender
        code = code_of_new_address(self.match, seated, new)
        return tuple(
            each
            for each in found.commands
            if each.verb == "address" and each.rest.lower().split() == [new, code]
        )

    def news_of_crash(self, crash: str) -> str:
        """What the GM is told of a mail that the program fails on, with what to send its authors."""
        mail, phase = f"{MAIL}/{receipt_of(digest_of(self.data))}.eml", self.match.path / self.top
        send = f"send its authors {phase / mail} and, if your players may let them see it, {phase / STATE}"
        return f"the program fails on it: {crash}; {send}. The next version reads it again"

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
        told: list[Held | Taken | Asked] = [*self.entries_of(player, said)]
        entries = list[Entry]()
        small = alone or said.because == "beyond"
        kept = f"{MAIL}/{receipt_of(digest_of(self.data))}"
        if not alone or self.held_like(unsure, player) < MOST_KEPT_ALONE:
            text = self.data[: LONGEST_KEPT if small else LARGEST]
            self.match.add(f"{self.top}/{kept}.eml", text)
            keys = digest_of(self.keys) if self.keys else ""
            if self.keys:
                self.match.add(f"{self.top}/{kept}.keys", self.keys)
        else:
            text, keys = b"", ""
        if (done := self.obeying) is not None:
            done.obey(said.found.commands, [*self.carried(said.found)])
            told.append(done.entry(self.letter.id, self.came))
            seated, said = done.seated, replace(said, replies=done.replies)
        if text:
            told = [replace(entry, mail=digest_of(text), keys=keys) for entry in told]
        if answered := self.may_answer(seated, said, alone=alone):
            if said.because in FORM_WITH or (done is not None and done.wants_form):
                said = replace(said, form=form_for(self.match, player))
            entries.append(self.answer(seated, said, f"{kept}{ALONE if alone else ANSWER}"))
        add_entries(self.match, *told, *entries)
        self.match.commit()
        return answered

    def carried(self, found: Found) -> Iterator[Reply]:
        """What became of the messages in a mail; one that has nothing else may answer a player's message."""
        assert self.press is not None
        if found.commands or found.messages:
            yield from self.press.carry(found.messages)
        elif (back := self.press.send_back(found.words, self.letter.answers)) is not None:
            yield back

    def read(self, player: str, found: Found) -> AnswerFacts:
        """What becomes of the sheet and the answers that were found; what is taken is added to the match."""
        said = AnswerFacts(self.top, found.why)
        phases = {entry.message: entry.phase for entry in of_kind(self.entries, Sent)}
        phase = next((phases[one] for one in self.letter.answers if one in phases), "")
        for piece in (found.sheet, found.answers):
            if piece is not None and not said.because:
                one = submit(self.match, player, piece.text, self.now, came=self.came, phase=phase)
                read = with_name_added(piece, one.data)
                said = AnswerFacts(self.top, one.because, sent=(*said.sent, one), piece=read)
        return said

    def entries_of(self, player: str, said: AnswerFacts) -> list[Held | Taken]:
        """The ledger's entries: one for each file that was taken, or one for the mail that is held; none
        for commands.
        """
        if not said.because:
            return [one.entry(self.now, self.letter.id, came=self.came) for one in said.sent]
        self.match.fresh = {}
        return [
            Held(
                at=self.now,
                phase=self.top,
                message=self.letter.id,
                because=said.because,
                player=player,
                came=self.came,
                version=__version__ if said.because == "crashed" else "",
            )
        ]

    def may_answer(self, seated: Seated, said: AnswerFacts, *, alone: bool) -> bool:
        """May the mail be answered? Only to an address on file, never to a machine, not too often; `over` once; nor if
        it brings `again` what the mail before did, unless it was for another player.
        """
        if not seated.address or said.because in MACHINES:
            return False
        if said.because == "again" and not self.is_for_a_player(seated, said.found.words):
            return False
        player = seated.seat.player
        held = [one.because for one in of_kind(standing(self.entries), Held) if one.player == player]
        if said.because == "over" and "over" in held:
            return False
        return may_answer(self.entries, player, self.now, alone=alone)

    def answer(self, seated: Seated, said: AnswerFacts, name: str) -> Sent:
        """Adds the text of the answer to the match, and returns its entry; it is sent when all is written."""
        subject = subject_of(self.match, seated.seat.player, taken=not said.because)
        player = seated.seat.player
        about = (
            said.sent[-1].about
            if said.sent
            else status_of_phase(self.match, player, said.because, (), self.now)
        )
        text = text_of(texts_of(self.match.rulebook_for(player)), seated, said, about)
        files = self.obeying.files if self.obeying is not None else {}
        # A mail without a token may come again with one, and what crashed is tried again: each has its own answer.
        again = any(one.version for one in of_kind(self.entries, Held) if one.message == self.letter.id)
        which = "alone " if name.endswith(ALONE) else f"{__version__} " if again else ""
        message = answer_to(
            self.account, seated, self.letter.id, subject, text, self.now, which=which, files=files
        )
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
