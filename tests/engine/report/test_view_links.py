"""Links: what they hold comes out as it went in, and nothing else is ever unpacked."""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64encode
from contextlib import suppress

import pytest

from adjudicator.engine.library import registry
from adjudicator.engine.play.position import write_position
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report.page_scripts import (
    MOST_UNPACKED,
    BadLink,
    LinkContent,
    link,
    link_content,
    packed_link,
)
from tests.page.positions import some_positions

ADDRESS = "https://club.example/play/"
MOST = 2000
"""Characters: what every mail program passes on whole."""


def coded(data: bytes) -> str:
    return urlsafe_b64encode(zlib.compress(data, 9)).decode().rstrip("=")


def test_a_link_holds_view_deadline_and_address() -> None:
    letter = LinkContent("match: lagoon\n", due="Sunday, 20:00 – or “so”", gm="gm@example.org")
    text = link(ADDRESS + "#old", letter)
    assert text.startswith(ADDRESS + "#v=2.")
    assert link_content(text.partition("#v=")[2]) == letter


def test_a_link_says_who_packed_it_outside_of_what_is_packed() -> None:
    """A version that packs links in another way can't read what lies in this one."""
    text = link(ADDRESS, LinkContent("match: lagoon\n", program="0.3.0.dev0"))
    assert text.partition("#")[2].split("&")[1:] == ["by=0.3.0.dev0"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "link-broken"),
        ("1", "link-broken"),
        ("2.", "link-broken"),
        ("2.%%%", "link-broken"),
        ("2.AAAA", "link-broken"),
        ("x.AAAA", "link-broken"),
        ("1.AAAA", "link-version"),  # as links were packed at first
        ("3.AAAA", "link-version"),
        ("2." + "A" * 20_000, "link-long"),
        ("2." + coded(b"0" * (MOST_UNPACKED + 1)), "link-long"),
        ("2." + coded(b"[1]"), "link-broken"),
        ("2." + coded(b'{"view": 1}'), "link-broken"),
        ("2." + coded(b'{"view": "\xff"}'), "link-broken"),
        ("2." + coded(b'{"view": "", "more": ' + b"[" * 100_000), "link-broken"),
    ],
)
def test_anything_else_is_refused_by_a_sentence_of_its_own(text: str, why: str) -> None:
    with pytest.raises(BadLink, match=why):
        link_content(text)


def test_a_link_that_was_cut_anywhere_is_broken() -> None:
    whole = packed_link(LinkContent("".join(f"port {number}: {number * number}\n" for number in range(200))))
    for end in range(len(whole)):
        with pytest.raises(BadLink):
            link_content(whole[:end])


def test_a_link_in_which_a_sign_was_changed_opens_no_other_position() -> None:
    letter = LinkContent("".join(f"port {number}: {number * number}\n" for number in range(200)))
    whole = packed_link(letter)
    for at in range(2, len(whole)):
        changed = f"{whole[:at]}{'B' if whole[at] == 'A' else 'A'}{whole[at + 1 :]}"
        with suppress(BadLink):
            assert link_content(changed) == letter


@pytest.mark.parametrize("game", registry.OWN)
def test_a_link_to_a_view_is_short_enough_for_a_mail(game: str) -> None:
    rulebook = registry.rulebook(game)
    for state in some_positions(game):
        for player in state.players:
            view = write_position(position_for(rulebook, state, player))
            assert len(link(ADDRESS, LinkContent(view, "Sunday, 20:00", "gm@example.org"))) <= MOST
