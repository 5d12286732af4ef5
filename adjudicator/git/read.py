"""What a player gets: everything new in `main` that is sealed to the player, opened, and everything public."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from adjudicator.engine.audit.comparing import compared
from adjudicator.engine.audit.received import KeptSheet, received_folder
from adjudicator.engine.folder import papers
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.folder import card_in
from adjudicator.engine.folder.names import (
    CARD,
    CLOSED,
    FOR,
    KEYS,
    LEDGER,
    PUBLIC,
    RECEIPTS,
    head_of,
    is_written,
)
from adjudicator.engine.folder.papers import Card, Keys
from adjudicator.engine.report.page_scripts import SealFacts, sealing_page
from adjudicator.engine.report.reader_texts import ORDERS as PAGE
from adjudicator.engine.text.problem import as_text
from adjudicator.git.box import ANSWER
from adjudicator.git.layout import AGE, OPEN_NOW, REPLY, WHOLE, box_of, is_open_beside
from adjudicator.git.main import PUT_BACK, SEEN, Rewritten, fetch_main, last_look
from adjudicator.git.news import News
from adjudicator.git.objects import Item
from adjudicator.git.reply import Reply
from adjudicator.git.repository import HERE, Repository
from adjudicator.git.running import LARGEST_FILE, LARGEST_MATCH, MOST_FILES
from adjudicator.git.sealed import BadArchive, NotReadable, unpack, unseal
from adjudicator.git.sealing import OpenNow
from adjudicator.git.seat import CloneFiles, Seat, identity_of, keep_seat, seat_of, told

AS_THEY_ARE = "public"
"""The folder in a player's clone with what everybody gets, by phase."""


def read(repository: Repository, *, accept: bool = False) -> News:
    """Fetches, opens and writes what is new. With `accept`, a rewritten history counts from now on.

    Raises Faulty, GitFailed, OSError.
    """
    seat, odd = seat_of(repository), list[str]()
    seen = repository.commit_of(SEEN)
    try:
        commit = fetch_main(repository, mend=False)
        if seen not in ("", commit) and repository.says(f"{seat.match}: {PUT_BACK}", seen, commit):
            seat = replace(seat, put_back=True)
    except Rewritten as rewritten:
        commit = repository.commit_of(HERE)
        if accept:
            repository.keep(commit, SEEN)
        else:
            odd.append(f"{rewritten}. {told(repository.path, 'accept')}")
    try:
        items = [item for item in repository.items(commit, seat.match) if item.plain]
        if not items or len(items) > MOST_FILES:
            raise Faulty([problem(seat.match, told(repository.path, "match_gone"))])
        return _Reading(repository, seat, items, odd).news()
    except Faulty as faulty:  # a rewritten or odd `main`, told first, may be the cause
        raise Faulty([*(problem("main", said) for said in odd), *faulty.problems]) from None


def reply_to(player: str) -> str:
    """The name of the referee's reply to a player, in the match's folder in `main`."""
    return f"{REPLY}/{player}{AGE}"


def is_refused(seat: Seat, keys: Keys, items: Mapping[str, Item]) -> bool:
    """Has the referee replied since the player joined, without taking the player's key?"""
    there, known = items.get(reply_to(seat.player)), keys.players.get(seat.player)
    answered = there is not None and there.number != seat.fetched.get(reply_to(seat.player))
    return answered and (known is None or known.key != seat.public)


class _Reading:
    """One reading of a match, by its files in `main`."""

    def __init__(self, repository: Repository, seat: Seat, items: Sequence[Item], odd: list[str]) -> None:
        self.repository, self.seat, self.odd = repository, seat, odd
        self.items = {item.name: item for item in items if item.size <= LARGEST_FILE}
        self.identity = identity_of(seat)
        self.fetched, self.fresh = {**seat.fetched}, [*seat.fresh]
        self.files = CloneFiles(repository, {**seat.written}, odd)
        self.match = self.token = ""
        self.referee: tuple[str, ...] = ()
        self.tells_token = False

    def _told(self, key: str, **facts: object) -> str:
        return told(self.repository.path, key, **facts)

    def _for_all(self) -> tuple[Card, Keys, OpenNow]:
        """What anybody may read: the match, the players' keys, and the open phase. Raises Faulty."""
        texts = self._texts([CARD, KEYS, OPEN_NOW])
        for name in (CARD, KEYS, OPEN_NOW):
            if name not in texts:
                raise Faulty([problem(f"{self.seat.match}/{name}", self._told("file_gone"))])
        now = papers.read_paper(texts[OPEN_NOW], OPEN_NOW, OpenNow)
        if head_of(now.phase) is None:
            raise Faulty([problem(OPEN_NOW, self._told("no_phase", phase=f"{now.phase!a}"))])
        if any(time is not None and time.utcoffset() for time in (now.due, now.closes)):
            raise Faulty([problem(OPEN_NOW, self._told("not_utc"))])
        return card_in(texts[CARD], Path(self.seat.match)), papers.read_paper(texts[KEYS], KEYS, Keys), now

    def news(self) -> News:
        """Writes the files that are new into the clone, and returns the news."""
        try:
            card, keys, now = self._for_all()
        except Faulty as faulty:
            raise Faulty([*faulty.problems, problem(self.seat.match, self._told("mended"))]) from None
        if self.seat.commitment and card.seed != self.seat.commitment:
            self.odd.append(self._told("other_seed"))
        known = keys.players.get(self.seat.player)
        if known is not None and self.seat.public not in ("", known.key):
            self.odd.append(self._told("sealed_to_another"))
        elif is_refused(self.seat, keys, self.items):
            self.odd.append(self._told("join_again"))
        if known is None:  # nothing is sealed to the player yet
            self.items = {name: item for name, item in self.items.items() if not self._is_sealed(name)}
        reply = self._reply()
        self.match, self.token = card.match, self.seat.token or reply.token
        self.referee = reply.referee or self.seat.referee or keys.referee
        self.tells_token = bool(reply.referee)
        if {*self.referee} != {*keys.referee}:
            self.odd.append(self._told("other_keys"))
            keys = replace(keys, referee=self.referee)
        self._put_away()
        new = [name for name, item in self.items.items() if self.fetched.get(name) != item.number]
        for name, files in self._opened_archives([name for name in new if self._is_mine(name)], card.match):
            self.files.write(files)
            self.fetched[name] = self.items[name].number
            self.fresh.append(name.split("/")[0])
        for name, data in self._texts([name for name in new if _place(name)]).items():
            self.files.write({_place(name): data})
            self.fetched[name] = self.items[name].number
        self.files.leave_out_of_git()
        confirmed = {of: receipt for receipt, of in self.seat.sent.items() if receipt in reply.text}
        self.seat = replace(self.seat, taken={**self.seat.taken, **confirmed})
        self.odd += self._receipts_that_differ()
        seat = replace(
            self.seat,
            token=self.token,
            referee=self.referee,
            written=self.files.written,
            fetched=self.fetched,
            fresh=[*dict.fromkeys(self.fresh)],
            kept=[*dict.fromkeys((*self.seat.kept, *self.files.kept))],
        )
        if seat != seat_of(self.repository):
            keep_seat(self.repository, seat)
        return News(
            seat,
            now,
            self.repository.path / now.phase,
            seat.fresh,
            seat.kept,
            reply,
            keys,
            last_look(self.repository),
            self.odd,
            f"{WHOLE}/{CARD}" in self.items,
        )

    def _receipts_that_differ(self) -> Iterator[str]:
        """What is wrong with the receipts in this clone: among each other, or with the sheets that were taken."""
        kept = []
        for of, receipt in self.seat.taken.items():
            phase, _, kind = of.partition("/")
            kept.append(KeptSheet(f"your sheet for {phase}", kind, receipt, self.seat.player, phase))
        places = sorted(each.parent for each in self.repository.path.glob(f"[0-9]*/{RECEIPTS}"))
        try:
            # Forms that lie there may have been filled in anew since, and at the end `verify` checks all.
            folders = [
                replace(received_folder(each), kept=(), seed=None, proof=None)
                for each in places
                if head_of(each.name)
            ]
            found = compared(folders, kept).problems if folders else ()
        except Faulty as faulty:
            found = tuple(faulty.problems)
        yield from (as_text([each]).rstrip() for each in found)

    def _put_away(self) -> None:
        """Moves the folders of phases that were taken back, with what the player has written there."""
        for name in sorted(self.fetched):
            if self._is_mine(name) and name not in self.items:
                phase = name.split("/")[0]
                self.files.put_away(phase)
                self.fresh = [each for each in self.fresh if each != phase]
                self.fetched = {
                    each: number for each, number in self.fetched.items() if each.split("/")[0] != phase
                }

    def _is_sealed(self, name: str) -> bool:
        return name == reply_to(self.seat.player) or self._is_mine(name)

    def _is_mine(self, name: str) -> bool:
        phase, slash, file = name.partition("/")
        return bool(slash) and head_of(phase) is not None and file == f"{self.seat.player}{AGE}"

    def _texts(self, names: Sequence[str]) -> dict[str, bytes]:
        found = [self.items[name] for name in names if name in self.items]
        return self.repository.contents(found, LARGEST_MATCH)

    def _reply(self) -> Reply:
        name = reply_to(self.seat.player)
        for _, files in self._opened_archives([name] if name in self.items else [], ""):
            for text in files.values():
                reply = papers.read_paper(text, name, Reply)
                if self.seat.token in ("", reply.token):
                    return reply
                self.odd.append(self._told("not_the_referees", file=name))
        return Reply()

    def _opened_archives(self, names: Sequence[str], match: str) -> Iterator[tuple[str, dict[str, bytes]]]:
        """The files in these archives, by their names in the clone, if they are what they should be."""
        for name, data in self._texts(names).items():
            phase = name.split("/")[0]
            try:
                label, content = unseal(data, [self.identity])
                beside = self._texts([each for each in self.items if is_open_beside(each, name)])
                files = unpack(content, LARGEST_FILE, beside)
            except (NotReadable, BadArchive):
                self.odd.append(self._told("not_opened", file=name))
                continue
            known = (match, self.seat.player, phase, self.token if self.tells_token else label.token)
            if match and (label.match, label.player, label.phase, label.token) != known:
                self.odd.append(self._told("for_something_else", file=name))
                continue
            top = f"{phase}/{FOR}/{self.seat.player}/"
            found = {each.removeprefix(top): text for each, text in files.items()}
            if PAGE in found:
                found[PAGE] = self._sealing(found, phase)
            yield name, {f"{phase}/{each}": text for each, text in found.items()}

    def _sealing(self, files: Mapping[str, bytes], phase: str) -> bytes:
        """The page for orders, which can seal too: it may be opened where there is no git."""
        seat, answer = self.seat, "answer.yaml" in files
        seal = SealFacts(
            self.referee,
            self.match,
            phase,
            seat.player,
            self.token,
            f"{phase}{ANSWER if answer else AGE}",
            box_of(seat.match, seat.player).removeprefix("refs/heads/"),
            answer,
        )
        return sealing_page(files[PAGE].decode(errors="replace"), seal).encode()


def _place(name: str) -> str:
    """Where a file that everybody may read lies in a player's clone; empty for others."""
    parts = name.split("/")
    if len(parts) == 3 and head_of(parts[0]) and parts[1] == PUBLIC:
        return f"{AS_THEY_ARE}/{parts[0]}/{parts[2]}"
    if parts[0] == "closed" and len(parts) == 2:
        phase = parts[1].removesuffix(".yaml")
        return (
            f"{phase}/{CLOSED}" if head_of(phase) else ""
        )  # beside what the player gets: `verify` finds it there
    if parts[0] == WHOLE and len(parts) > 1:
        within = "/".join(parts[1:])
        again = "/".join(parts[3:]) if parts[1] == "undone" else within
        return name if within in (CARD, LEDGER) or is_written(again) or again.endswith("/note.md") else ""
    return ""
