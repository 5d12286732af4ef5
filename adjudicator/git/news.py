"""What a player is told of a match: what came, what is asked and until when, in the language that the player reads."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.beacon import quicknet
from adjudicator.engine.folder.adjudication import ClosedPhase
from adjudicator.engine.folder.files import digest_of
from adjudicator.engine.folder.names import CLOSED
from adjudicator.engine.folder.papers import Keys, read_paper
from adjudicator.engine.play.position import PositionFile, read_position
from adjudicator.engine.report.template import as_plain, shared
from adjudicator.engine.text.problem import Problem, as_text
from adjudicator.git.main import EVERY, LONGEST_SILENCE, Look
from adjudicator.git.reply import Reply
from adjudicator.git.repository import Repository
from adjudicator.git.sealing import OpenNow
from adjudicator.git.seat import Seat, keep_seat, language_of


class News(Struct, frozen=True, dict=True):
    """What a clone knows of its match: the open phase, its deadline, and where the player's files of it are.

    `fresh` are the phases that came since the player was last told the news, `kept` files that the player had changed
    and that came again, and `looked` is what the referee said when it last looked. `odd` is what isn't as it
    should be.
    """

    seat: Seat
    now: OpenNow
    folder: Path
    fresh: Sequence[str]
    kept: Sequence[str]
    reply: Reply
    keys: Keys
    looked: Look
    odd: Sequence[str]
    whole: bool = False

    @property
    def form_to_fill_in(self) -> Path | None:
        """The form to fill in, if anything is asked of the player now."""
        forms = (self.folder / name for name in ("answer.yaml", "sheet.yaml") if not self.now.closed)
        return next((form for form in forms if form.is_file()), None)

    @cached_property
    def view(self) -> PositionFile | list[Problem] | None:
        """The player's view of the open phase, or what is wrong with it, such as that a later release wrote it."""
        file = self.folder / "view.yaml"
        return read_position(file.read_bytes(), str(file)) if file.is_file() else None

    @property
    def language(self) -> str:
        """The language in which the player is told all that is to be told."""
        return language_of(self.folder.parent)

    @property
    def has_reply(self) -> bool:
        """Is there a reply of the referee that the player hasn't been told?"""
        return bool(self.reply.text) and self.seat.told != _digest(self.reply)


def mark_as_told(repository: Repository, news: News) -> None:
    """Notes that the player was told the news, so that they aren't news any more. Raises OSError."""
    keep_seat(repository, replace(news.seat, fresh=(), kept=(), put_back=False, told=_digest(news.reply)))


def _digest(reply: Reply) -> str:
    return digest_of(reply.text.encode())


def sentences_of_news(news: News, at: datetime, *, everything: bool = False) -> str:
    """What is new and what is due, a sentence on each line; with `everything` also what was told before."""
    seat, folder, look = news.seat, news.folder, news.looked
    whole, page = folder.parent / "whole", folder / "orders.html"
    looked = datetime.fromtimestamp(look.at, UTC) if look.at else None
    template = shared(news.language).get_template("git-news.txt.j2")
    return as_plain(
        template.render(
            match=seat.match,
            player=seat.player,
            put_back=seat.put_back,
            fresh=[folder.parent / phase for phase in sorted(news.fresh)],
            kept=news.kept,
            nothing_new=not (news.fresh or news.kept or news.has_reply),
            reply=news.reply.text.rstrip() if news.has_reply or everything else "",
            now=news.now,
            whole=whole if news.whole else "",
            taken=folder.is_dir() or seat.player in news.keys.players,
            **_awaited(folder),
            unchecked=as_text(news.view).rstrip() if isinstance(news.view, list) else "",
            report=next(
                (each for each in (folder / "report.html", folder / "report.md") if each.is_file()), ""
            ),
            form=news.form_to_fill_in,
            page=page if page.is_file() else "",
            looked=looked,
            last=looked
            and min(max(at, looked), looked + timedelta(seconds=EVERY)),  # it says so once an hour
            silent=looked and at - looked > LONGEST_SILENCE,
            wrong=look.wrong,
            since=datetime.fromtimestamp(look.since or look.at, UTC),
            strays=look.strays,
        )
    )


def _awaited(folder: Path) -> dict[str, Any]:
    """What a closed phase waits for before it is played, by its folder in a player's clone."""
    closing = folder / CLOSED
    dice = quicknet.DiceSource()
    if closing.is_file():
        dice = read_paper(closing.read_bytes(), str(closing), ClosedPhase).dice
    out = quicknet.time_of(dice.drand) if dice.drand else None
    return {"drand": dice.drand, "out": out, "named": dice.named}
