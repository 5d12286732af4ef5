"""Press: messages between players, which the referee carries without addresses.

A message goes out under the sender's seat, or under none, each of its lines with a mark, so that nothing in it can be
read as an order or a command when somebody quotes it. An answer to it goes back to its sender. Who wrote to whom
follows from the mails that are kept, which only the GM has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from email.message import EmailMessage

from msgspec import Struct

from adjudicator.door.seats import Seated, seats_of
from adjudicator.engine.folder.entries import Asked, Entry, Sent, of_kind
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.ledger import ledger_of
from adjudicator.engine.folder.marks import receipt_of
from adjudicator.engine.folder.names import MAIL, PUBLIC
from adjudicator.engine.library.texts import texts_of, words
from adjudicator.engine.report.template import clock_text, rendered
from adjudicator.engine.text.problem import nearest, visible
from adjudicator.gm.by_mail import PRESS
from adjudicator.gm.playing import schedule_in_force
from adjudicator.gm.schedule import ANONYMOUS, NO_PRESS
from adjudicator.mail.account import Account
from adjudicator.mail.answer import message_without_text
from adjudicator.mail.commands import Command, Reply, words_for
from adjudicator.mail.finding import found_in
from adjudicator.mail.letter import letter_in
from adjudicator.mail.notices import write_text
from adjudicator.mail.parcel import is_of_kind, keep_mail
from adjudicator.mail.quoting import Message
from adjudicator.mail.sender import message_id, stands_for

VERB = "message"
GM, ALL = "gm", "all"
LONGEST_MESSAGE = 10_000
"""Characters of a message that is carried."""
MOST_IN_A_MAIL, MOST_A_DAY = 5, 20
"""Messages of a player that are carried."""
DAY = timedelta(days=1)
SENT = ("sent", "back")
"""How a message went that was carried to other players."""


class Written(Struct, frozen=True):
    """A message that was carried: in which phase, whose it is, and to whom; empty for an answer."""

    phase: str
    player: str
    to: tuple[str, ...]
    text: str


class Press:
    """The messages of one mail of a player, whose Message-ID is `incoming`, in a locked match.

    `mails` are the entries of what goes out, `for_gm` what the GM is to read.
    """

    def __init__(self, match: Folder, account: Account, seated: Seated, incoming: str, now: datetime) -> None:
        self.match, self.account, self.seated, self.incoming, self.now = match, account, seated, incoming, now
        self.entries, self.player = ledger_of(match), seated.seat.player
        self.seats = {each.seat.player: each for each in seats_of(match)}
        schedule = schedule_in_force(match)
        self.kind = press_now(match)
        self.sometimes = schedule is not None and any(each != NO_PRESS for each in schedule.press.values())
        self.left = MOST_A_DAY - _carried_since(self.entries, self.player, now - DAY)
        self.mails: list[Sent] = []
        self.for_gm: list[str] = []

    def carry(self, messages: Sequence[Message]) -> Iterator[Reply]:
        """Carries messages, and yields what the answer says of each."""
        for number, each in enumerate(messages):
            if number >= MOST_IN_A_MAIL:
                yield self._reply(each, "too-many", most=MOST_IN_A_MAIL)
            else:
                yield self._carry(each, number)

    def send_back(self, text: str, answers: Sequence[str]) -> Reply | None:
        """Carries a player's answer to a message to who has written that; None if the mail answers none."""
        sender = sender_of_message(self.entries, self.seated, answers)
        return self._send(Message("", text), [sender], 0, "back") if sender else None

    def _carry(self, message: Message, number: int) -> Reply:
        players, unknown = readers_named(self.match, self.player, message.to)
        if unknown:
            known = [*_names(self.match, self.player), *words_for("readers")]
            return self._reply(message, "unknown", unknown=unknown, mean=nearest(unknown, known) or "")
        if GM in players and message.text:
            self.for_gm.append(message.text)
        if players == [GM]:
            return self._reply(message, GM if message.text else "empty")
        return self._send(message, [player for player in players if player != GM], number, "sent")

    def _send(self, message: Message, players: list[str], number: int, how: str) -> Reply:
        if self.kind == NO_PRESS:
            return self._reply(message, NO_PRESS)
        if not message.text:
            return self._reply(message, "empty")
        if _holds_token(message, self.seated):
            return self._reply(message, "token")
        if len(message.text) > LONGEST_MESSAGE:
            return self._reply(message, "too-long", most=LONGEST_MESSAGE, long=len(message.text))
        if self.left < 1:
            return self._reply(message, "too-often", most=MOST_A_DAY)
        self.left -= 1
        nowhere = [player for player in players if not self.seats[player].address]
        there = [player for player in players if player not in nowhere]
        self.mails += [self._mail(self.seats[player], message, number) for player in there]
        named = [] if how == "back" else there
        return self._reply(message, how if there else "nowhere", players=named, nowhere=[*nowhere])

    def _reply(self, message: Message, how: str, **facts: object) -> Reply:
        return Reply(
            Command(VERB, message.to),
            how,
            {"anonymous": self.kind == ANONYMOUS, "sometimes": self.sometimes, **facts},
        )

    def _mail(self, to: Seated, message: Message, number: int) -> Sent:
        match, player = self.match, to.seat.player
        sender = "" if self.kind == ANONYMOUS else self.player
        subject = clock_text(match.rulebook_for(player), "message_from", match.card.match, sender)
        what = _identity(self.incoming, number)
        mail = message_without_text(self.account, to, what, subject, self.now)
        lines = [visible(line) for line in message.text.split("\n")]
        write_text(mail, match, player, "mail-press.txt.j2", sender=sender, lines=lines)
        return keep_mail(match, player, mail, PRESS, self.now)


def readers_named(match: Folder, player: str, to: str) -> tuple[list[str], str]:
    """Whom a line of a player names, each once: other players, and `gm`; and the first name that is nobody's."""
    found, names = list[str](), _names(match, player)
    between = rf",|\s(?:{'|'.join(words_for('joins'))})\s"
    for name in (part.strip().casefold() for part in re.split(between, to, flags=re.IGNORECASE)):
        reader = words_for("readers").get(name, "")
        if not reader and name not in names:
            return [], name or to
        found += names.values() if reader == ALL else [reader or names[name]]
    return [*dict.fromkeys(found)], ""


def _names(match: Folder, player: str) -> dict[str, str]:
    """Each other player by the names that people may write."""
    shown = words(texts_of(match.rulebook_for(player))).get("names", {})
    others = [each for each in match.card.players if each != player]
    return {name.casefold(): each for each in others for name in (shown.get(each, each), each)}


ALL_MESSAGES = "all messages"
"""What stands for the mail with all messages in its Message-ID."""


def all_messages(match: Folder, account: Account, seated: Seated, at: datetime) -> EmailMessage | None:
    """The mail with all that the players have written to each other, when the match is over and its schedule says that
    it is shown then; None if there is nothing. Raises Faulty.
    """
    schedule = schedule_in_force(match)
    if schedule is None or not schedule.shown or not match.head(match.last).over:
        return None
    player = None if seated.seat.player == PUBLIC else seated.seat.player
    every = [*press_of(match)]
    if not every:
        return None
    rulebook = match.rulebook_for(player)
    subject = clock_text(rulebook, "all_messages", match.card.match)
    mail = message_without_text(account, seated, ALL_MESSAGES, subject, at)
    write_text(mail, match, seated.seat.player, "mail-messages.txt.j2")
    texts = rendered(texts_of(rulebook), "messages.txt.j2", every=every)
    mail.add_attachment(texts.encode(), maintype="text", subtype="plain", filename="messages.txt")
    return mail


def press_now(match: Folder) -> str:
    """What becomes of messages in the open phase: `none`, `named` or `anonymous`. Raises Faulty."""
    schedule = schedule_in_force(match)
    return NO_PRESS if schedule is None else schedule.press_in(match.head(match.last).name)


def sender_of_message(entries: Sequence[Entry], seated: Seated, answers: Sequence[str]) -> str:
    """The player whose message a mail answers; empty if it answers none that this seat got."""
    host_of = {one.rpartition("@")[2].rstrip(">") for one in answers}
    for each in reversed(of_kind(entries, Asked)):
        for number in range(each.commands.count(VERB) and MOST_IN_A_MAIL):
            what = _identity(each.message, number)
            if any(message_id(seated.seed, seated.seat, what, host) in answers for host in host_of):
                return each.player
    return ""


def _identity(incoming: str, number: int) -> str:
    """What stands for a message: the mail in which it came, and its number there."""
    return f"press {incoming} {number}"


def _holds_token(message: Message, seated: Seated) -> bool:
    """Does a message hold its sender's token, as our mails do? Who reads that can order for the sender."""
    return seated.token.lower() in message.text.lower()


def _carried_since(entries: Sequence[Entry], player: str, since: datetime) -> int:
    return sum(
        one.commands.count(VERB) for one in of_kind(entries, Asked) if one.player == player and one.at > since
    )


def press_of(match: Folder) -> Iterator[Written]:
    """All messages that were carried in a match, in order, from the mails that are kept; those of mails that aren't
    here any more are left out.
    """
    entries, seats = ledger_of(match), seats_of(match)
    sent = [one.message for one in of_kind(entries, Sent) if is_of_kind(PRESS, one)]
    for one in of_kind(entries, Asked):
        name = f"{one.phase}/{MAIL}/{receipt_of(one.mail)}.eml" if one.mail else ""
        if VERB not in one.commands or not match.has(name):
            continue
        found = found_in(letter_in(match.read(name)))
        for number, each in enumerate(found.messages or (Message("", found.words),)):
            what = _identity(one.message, number)
            to = tuple(to.seat.player for to in seats if stands_for(to.seed, to.seat, what, sent))
            if to:
                yield Written(one.phase, one.player, to if found.messages else (), each.text)
