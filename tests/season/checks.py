"""What must hold of a season: each check yields what is wrong."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from adjudicator.door.seats import MACHINES, WITHOUT_TOKEN, seats_of
from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.entries import Asked, Bounced, Held, Replaced, Sent, Taken, of_kind, standing
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.folder import open_match
from adjudicator.engine.folder.ledger import ledger_of
from tests.mail.servers import GM
from tests.season.club import Season
from tests.season.post import Got, owner_of

OF_PEOPLE = re.compile(r"[\w.-]+@players\.example")
OF_SHEETS = re.compile(r"zq(p\d+)x\d+q\d+")
TOKEN = re.compile(r"(?<![a-z0-9])[a-z2-7]{12}(?![a-z0-9])")


BY_RULE = {*MACHINES, *WITHOUT_TOKEN, "over", "again"}
"""Reasons to hold a mail that may go without an answer."""


def faults(season: Season) -> Iterator[str]:
    """All that is wrong with a season."""
    yield from season.wrong
    yield from twice(season)
    yield from lost(season)
    yield from unanswered(season)
    yield from told_too_much(season)
    for path in season.matches:
        done = verify(path)
        yield from (f"{path.name}: {each.text}" for each in done.problems)


def mails(season: Season) -> Iterator[tuple[str, Got]]:
    """All mails that people got, each with whose it is."""
    for who, box in season.post.boxes.items():
        for got in box:
            yield who, got


def twice(season: Season) -> Iterator[str]:
    """No mail comes twice, nor in two mails of one turn the same."""
    for (who, number), times in Counter((who, got.id) for who, got in mails(season)).items():
        if times > 1:
            yield f"{who} got {number} {times} times"
    same = Counter(
        (who, got.at, got.subject, got.text, str(got.mail["In-Reply-To"])) for who, got in mails(season)
    )
    yield from (
        f"{key[0]} got {key[2]!r} {times} times at {key[1]}" for key, times in same.items() if times > 1
    )


def lost(season: Season) -> Iterator[str]:
    """What was sent has come, and what has come was entered; the sheet that was taken last is used."""
    came = {got.id for _, got in mails(season)} | {number for _, number in season.post.sent_back}
    for path in season.matches:
        match = open_match(path)
        entries = ledger_of(match)
        sent = of_kind(entries, Sent)
        done = {entry.message for entry in sent if entry.stage == "done" and not entry.why}
        yield from (f"{path.name}: {one} is entered and never came" for one in sorted(done - came))
        came -= {entry.message for entry in sent}
        last = {(entry.phase, entry.file): entry.sheet for entry in of_kind(standing(entries), Taken)}
        for (phase, file), sheet in last.items():
            if match.has(f"{phase}/{file}") and digest_of(match.read(f"{phase}/{file}")) != sheet:
                yield f"{path.name}: {phase}/{file} isn't the sheet that was taken last"
    yield from (f"{one} came and stands in no ledger" for one in came)


def unanswered(season: Season) -> Iterator[str]:
    """Each mail of a person is settled and answered once, unless a machine wrote it or the ledger says why not."""
    answers = Counter(str(got.mail["In-Reply-To"]) for _, got in mails(season) if "Re:" in got.subject)
    settled: dict[str, list[Taken | Held | Asked | Bounced]] = {}
    for path in season.matches:
        for entry in ledger_of(open_match(path)):
            if isinstance(entry, Taken | Held | Asked | Bounced):
                settled.setdefault(entry.message, []).append(entry)
    told = " ".join(line for _, line in season.told)
    reached = [
        each
        for each in (*season.people, *season.waiting)
        if each.address not in season.post.dead | season.post.silent
    ]
    for person in reached:
        for number, kind in person.written.items():
            entries = settled.get(number, [])
            because = {each.because for each in entries if isinstance(each, Held)}
            if kind == "late take":  # whoever comes too late is told so in a mail of its own, or plays
                continue
            if not entries and number not in told:
                yield f"{number} ({kind}) stands in no ledger"
            elif answers[number] > 1:
                yield f"{number} ({kind}, {because}) was answered {answers[number]} times"
            elif (
                entries
                and not answers[number]
                and not because & BY_RULE
                and not makes_room(season, entries[0])
            ):
                yield f"{number} ({kind}, {because or type(entries[0]).__name__}) wasn't answered"


def makes_room(season: Season, entry: Taken | Held | Asked | Bounced) -> bool:
    """Did the seat change hands with that mail? Then its sender, and who plays now, are told so by other mails."""
    return any(
        each.player == entry.player and each.at == entry.at
        for path in season.matches
        for each in of_kind(ledger_of(open_match(path)), Replaced)
    )


def has_proof(got: Got) -> bool:
    """Does it bring the proof of a match that is over, in which every sheet is public?"""
    return any(part.get_filename() == "proof.jsonl" for part in got.mail.iter_attachments())


def told_too_much(season: Season) -> Iterator[str]:
    """No mail has what its reader may not know: addresses and tokens of others, words of others' sheets."""
    tokens: dict[str, set[str]] = {}
    for path in season.matches:
        for seated in seats_of(open_match(path)):
            tokens.setdefault(seated.token, set()).add(owner_of(seated.address))
    for who, got in mails(season):
        text = whole(got)
        if others := {each for each in OF_PEOPLE.findall(text) if owner_of(each) != who}:
            yield f"{who} reads {others} in {got.subject!r}"
        if others := {each for each in TOKEN.findall(text) if each in tokens and who not in tokens[each]}:
            yield f"{who} reads tokens of {[tokens[each] for each in others]} in {got.subject!r}"
        name = who.partition("@")[0]
        if not has_proof(got) and (others := {each for each in OF_SHEETS.findall(text) if each != name}):
            yield f"{who} reads the sheet of {others} in {got.subject!r}"


def whole(got: Got) -> str:
    """All that can be read in a mail: its headers, its bodies, and its files."""
    heads = "\n".join(f"{name}: {value}" for name, value in got.mail.items() if name != "To")
    parts = (part.get_payload(decode=True) or b"" for part in got.mail.walk() if not part.is_multipart())
    return "\n".join([heads.replace(GM, ""), *(each.decode("utf-8", "replace") for each in parts)])
