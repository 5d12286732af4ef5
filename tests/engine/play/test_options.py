"""Options that are true or false accept every word for it, and are written as true or false."""

from pathlib import Path

import pytest

from adjudicator.engine.audit.verify import verify
from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.names import CARD, STATE
from adjudicator.engine.match.begin import begin
from adjudicator.engine.play.inbox import FLAGS

pytestmark = pytest.mark.usefixtures("nobody_reads")

TWO = ("venice", "genoa")


@pytest.mark.parametrize("option", ["pages", "skip"])
@pytest.mark.parametrize("word", [*FLAGS, "Off", "TRUE"])
def test_a_flag_takes_every_word_for_it(tmp_path: Path, option: str, word: str) -> None:
    path = tmp_path / "lagoon"
    begin("mediterranee", path, TWO, options={"pages": "off", option: word}, seed_text="test")
    wanted = FLAGS[word.lower()]
    assert Folder(path).card.options[option] is wanted
    assert getattr(Folder(path).state(0).options, option) is wanted


def test_what_is_no_flag_is_refused_with_the_words_that_are(tmp_path: Path) -> None:
    with pytest.raises(Faulty) as faulty:
        begin("mediterranee", tmp_path / "lagoon", TWO, options={"pages": "maybe"})
    assert (
        faulty.value.problems[0].text == "pages: maybe won't do; needed: one of on, yes, true, off, no, false"
    )


def test_a_match_whose_options_say_on_and_off_is_read_and_verified(tmp_path: Path) -> None:
    path = tmp_path / "lagoon"
    begin("mediterranee", path, TWO, options={"pages": "off"}, seed_text="test")
    for file in (path / CARD, *path.glob(f"*/{STATE}")):
        text = file.read_text()
        assert "pages: false" in text
        file.write_text(text.replace("pages: false", "pages: off"))
    assert Folder(path).state(0).options.pages is False
    assert not [problem for problem in verify(path).problems if "options" in problem.text]
