"""The lines of an answer that say how orders were understood are aligned, for orders and for the whole sheet."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.mail.local_post import LocalPost, reply
from tests.mail.test_what_is_asked import begun, turn

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names of a Maildir hold colons")
STANDING = "standing:\n  phases: {sale: []}\n"


@pytest.mark.parametrize(
    ("sheet", "said"),
    [
        pytest.param("ready: false\norders:\n  - place: 4\n    to: venice-1\n", "a draft; ", id="draft"),
        pytest.param("orders: []\n", "no orders: ", id="none"),
        pytest.param(STANDING, "no `orders` yet, ", id="standing"),
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
