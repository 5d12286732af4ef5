"""Two readers of one phase, each in another language: each gets one language throughout, no matter who is told first.

The second language is made here: our templates with other words in some places.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from jinja2 import Environment

from adjudicator.door.seats import Seat, Seated
from adjudicator.door.submission import PhaseStatus
from adjudicator.door.submitting import submit
from adjudicator.engine.folder.entries import HeldUp, Replaced
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.handout.for_all import texts_for_all
from adjudicator.engine.library import languages, registry, texts
from adjudicator.engine.library.texts import in_language, texts_of
from adjudicator.engine.match import site
from adjudicator.engine.match.showing import map_of, write_again
from adjudicator.engine.report import template
from adjudicator.engine.text import resources
from adjudicator.mail.account import Account
from adjudicator.mail.answer import AnswerFacts, text_of
from adjudicator.mail.notices import farewell, notice, welcome
from adjudicator.mail.parcel import parcel, public_parcel
from tests.engine.match_folders import begun, play

OTHER = "xx"
"""The second language: before each of its words stands a sign, and its article is another."""
SIGN, ARTICLE = "Þ", "þe"
PLAIN = ("view.yaml", "known.yaml", "receipts.json", "due.ics", "answers.json", "match.yaml")
"""Files without a sentence of ours; the schema of an answer may have none."""
MANY = 30
"""Letters of a text that stands nowhere but where it is told."""
AT = datetime(2026, 11, 23, 12, tzinfo=UTC)
ACCOUNT = Account("gm@example.org")
ODD = b"orders: [{build: fortress, port: venezia}, {fly: 3}]\n"
Told = dict[tuple[str, str], str]


def signed(value: Any) -> Any:
    return {key: signed(each) for key, each in value.items()} if isinstance(value, dict) else f"{SIGN}{value}"


def otherwise(text: str) -> str:
    """A template with another article, in what it says."""
    parts = [
        re.sub(r"\bthe\b", ARTICLE, part) if kind == "data" else part
        for _, kind, part in Environment(keep_trailing_newline=True).lex(text)
    ]
    return "".join(parts)


@pytest.fixture(scope="module")
def templates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of our templates in which each folder has the second language too."""
    ours, copy = resources.folder("templates"), tmp_path_factory.mktemp("languages")
    for path in sorted(ours.rglob("*")):
        place = copy / path.relative_to(ours)
        if path.is_dir():
            place.mkdir()
            continue
        place.write_bytes(path.read_bytes())
        if path.parent.name == "en":
            other = place.parent.parent / OTHER / place.name
            other.parent.mkdir(exist_ok=True)
            text = path.read_text(encoding="utf-8")
            if path.suffix == ".yaml":
                text = yaml.safe_dump(signed(yaml.safe_load(text)), allow_unicode=True, sort_keys=False)
            else:
                text = otherwise(text)
            other.write_text(text, encoding="utf-8")
    return copy


@pytest.fixture(autouse=True)
def _two(templates: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    ours = resources.folder
    for module in (registry, template, languages):
        monkeypatch.setattr(module, "folder", lambda kind: templates if kind == "templates" else ours(kind))
    forget()
    yield
    forget()


def forget() -> None:
    texts.forget_texts()
    texts.forget_match()


class Readers:
    """A match that is told to its players and the public, each in a language."""

    def __init__(self, match: Path, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.match, self.place, self.monkeypatch, self.times = match, place, monkeypatch, 0

    def told(self, languages: Mapping[str, str]) -> Told:
        """All that they are told, each text under its reader's name."""
        self.monkeypatch.setattr(
            Folder, "rulebook_for", lambda self, who: in_language(self.rulebook, languages[who or "public"])
        )
        self.times += 1
        path = Path(shutil.copytree(self.match, self.place / str(self.times) / "lagoon"))
        write_again(path, pages=True)
        match, found = Folder(path), Told()
        for number in (match.last - 1, match.last):
            for name, text in texts_for_all(match, number, pages=True).items():
                phase, _, who, file = name.split("/")
                found[who, f"{phase}/{file}"] = text
            for who in match.card.players:
                found[who, f"{number}.svg"] = map_of(match, number, who).svg
        for who in match.card.players:
            found |= {(who, what): text for what, text in mailed(match, who)}
        observer = Seated(Seat(match.card.match, "public"), b"seed")
        found["public", "parcel.eml"] = text_in(public_parcel(match, ACCOUNT, observer, "x", AT))
        found |= {("public", f"site/{name}"): text for name, text in site.files(match)}
        return found


def mailed(match: Folder, who: str) -> Iterator[tuple[str, str]]:
    """Mails to a player, and the check of a sheet with faults."""
    seated = Seated(Seat(match.card.match, who), b"seed", f"{who}@example.org")
    sent_out = parcel(match, ACCOUNT, seated, "x", AT)
    yield "parcel.eml", text_in(sent_out)
    yield "parcel.html", sent_out.get_body(("html",)).get_content()
    yield "notice.eml", text_in(notice(match, ACCOUNT, seated, "x", AT, [HeldUp(at="", why="snow")]))
    replaced = Replaced(at="", player=who, why="snow")
    yield "welcome.eml", text_in(welcome(match, ACCOUNT, seated, 1, replaced, AT))
    yield "farewell.eml", text_in(farewell(match, ACCOUNT, seated, 1, "old@example.org", replaced, AT))
    sent = submit(match, who, ODD, AT)
    match.fresh = {}
    yield "check", "\n".join(text for line in sent.lines for text in (line.text, *line.wrong))
    said = AnswerFacts(match.phases[-1], sent.because, sent=[sent])
    yield "answer.txt", text_of(texts_of(match.rulebook_for(who)), seated, said, PhaseStatus())


def text_in(message: Any) -> str:
    return f"{message['Subject']}\n{message.get_body(('plain',)).get_content()}"


@pytest.fixture(scope="module")
def lagoon(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match in its first movement: there was an auction, and orders are due."""
    match = begun(tmp_path_factory.mktemp("languages") / "lagoon")
    play(match, 3)
    return match


@pytest.fixture
def readers(lagoon: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Readers:
    return Readers(lagoon, tmp_path, monkeypatch)


@pytest.fixture
def alone(readers: Readers) -> dict[str, Told]:
    """What is told where everybody reads one language, by language; nothing else was kept then."""
    found = {}
    for language in ("en", OTHER):
        forget()
        found[language] = readers.told(dict.fromkeys(("venice", "genoa", "public"), language))
    forget()
    return found


def test_each_reader_is_told_in_the_own_language_whoever_comes_first(
    readers: Readers, alone: dict[str, Told]
) -> None:
    """Nothing is forgotten in between: what is kept for one language is never told in another."""
    for venice, genoa, public in (("en", OTHER, "en"), (OTHER, "en", OTHER), (OTHER, "en", "en")):
        languages = {"venice": venice, "genoa": genoa, "public": public}
        for (who, file), text in readers.told(languages).items():
            assert text == alone[languages[who]][who, file], (languages, who, file)


def test_whatever_is_told_is_told_in_the_readers_language(alone: dict[str, Told]) -> None:
    """No text of ours is left in the first language, and every template speaks the second."""
    ours = resources.folder("templates")
    files = [ours / "en/words.yaml", ours / "mediterranee/en/words.yaml"]
    known = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in files]
    whole = [text for one in known for part in one.values() for text in part.values()]
    texts = [text for text in whole if len(text) > MANY and "{" not in text]
    assert len(texts) > MANY
    english = re.compile(rf"(?<!{SIGN})\b(?:{'|'.join(map(re.escape, texts))})")
    for (who, file), text in alone[OTHER].items():
        if file.rpartition("/")[2] in PLAIN or not text:
            continue
        assert text != alone["en"][who, file], (who, file)
        assert SIGN in text or ARTICLE in text, (who, file)
        assert not english.search(text), (who, file, english.search(text))
        assert "<html" not in text or f'<html lang="{OTHER}">' in text, (who, file)
    for file in ("report.md", "sheet.yaml", "orders.html", "report.html"):
        found = [text for (_, name), text in alone[OTHER].items() if name.endswith(file)]
        assert found and all(ARTICLE in text and SIGN in text for text in found), file
