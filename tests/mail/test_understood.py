"""The lines of an answer that say how orders were understood are aligned, for orders and for the whole sheet."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.git.clubs import joined
from tests.mail.local_post import LocalPost, reply
from tests.mail.test_what_is_asked import begun, turn

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")
STANDING = "standing:\n  phases: {sale: []}\n"


@pytest.mark.parametrize(
    ("sheet", "said"),
    [
        pytest.param("ready: false\norders:\n  - place: 4\n    to: venice-1\n", "a draft; ", id="draft"),
        pytest.param("orders: []\n", "no orders: ", id="none"),
        pytest.param(STANDING, "the match still waits: ", id="standing"),
    ],
)
def test_the_lines_stand_under_one_another(tmp_path: Path, sheet: str, said: str) -> None:
    post = LocalPost(tmp_path / "post")
    path = begun(tmp_path, post, pages="off")
    turn(path)
    post.deliver(reply(post.mails_to("one@example.org")[0], sheet))
    turn(path)
    body = post.mails_to("one@example.org")[-1].get_body(("plain",))
    assert body is not None
    assert f"\n  {said}" in body.get_content()


FAULTY = """orders:
  - place: 4
    to: venice-9
  - place: 2
    to: venice-2
  - plaice: 1
    to: venezia
salt: [1]
"""
TOLD = r"""
  2:5: nothing: \{place: 4, to: venice-9\}
    line 3, column 9: \S+ venice-9 .*
  4:5: done: \{place: 2, to: venice-2\}
  6:5: nothing.*
    line 6, column 5: SCHEMA .* plaice .*
  still to decide: place \(8 left\)

What is wrong besides:

  line 8, column \d: SCHEMA .*
"""


@pytest.mark.ci
def test_each_reason_stands_below_its_order_by_mail_and_in_a_repository(tmp_path: Path) -> None:
    """Else a player must match them up by line and column."""
    post = LocalPost(tmp_path / "post")
    path = begun(tmp_path, post, pages="off")
    turn(path)
    post.deliver(reply(post.mails_to("one@example.org")[0], FAULTY))
    turn(path)
    body = post.mails_to("one@example.org")[-1].get_body(("plain",))
    assert body is not None
    by_mail = body.get_content()
    club = joined(tmp_path / "git", turns="1")
    club.send("venice", FAULTY.encode())
    club.turn()
    for told in (by_mail, club.told("venice")):
        assert re.search(TOLD, told), told
