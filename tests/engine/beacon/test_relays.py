"""Relays of drand are strangers: the first right signature counts, and nothing that a relay does can hold us up."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from adjudicator.engine.beacon import quicknet
from adjudicator.engine.beacon.relays import LONGEST, Unreachable, signature_of
from tests.drand import ROUNDS, Relay, relays

LONG, SHORT = 20.0, 0.3
"""Seconds: more than any right answer takes on the loopback; few for relays that never answer."""


@pytest.fixture
def three() -> Iterator[list[Relay]]:
    with relays(3) as found:
        yield found


def asked(found: list[Relay], seconds: float = LONG) -> str:
    return signature_of(1000, [relay.address for relay in found], seconds)


def test_a_round_is_asked_for_by_its_chain_and_number(three: list[Relay]) -> None:
    assert asked(three[:1]) == ROUNDS[1000]
    assert three[0].asked == [f"/{quicknet.CHAIN}/public/1000"]


LIES = {
    "another round": lambda number: json.dumps({"round": number + 1, "signature": ROUNDS[number + 1]}),
    "another round's signature": lambda number: json.dumps(
        {"round": number, "signature": ROUNDS[number + 1]}
    ),
    "the newest round": lambda _: json.dumps({"round": 32398885, "signature": ROUNDS[32398885]}),
    "no json": lambda _: "<html>",
    "nothing": lambda _: "",
    "a list": lambda _: "[]",
    "other types": lambda _: '{"round": "1000", "signature": 5}',
    "deep": lambda _: "[" * 2000,
    "no hexadecimal": lambda number: json.dumps({"round": number, "signature": "zz"}),
    "far too much": lambda number: json.dumps({"round": number, "signature": ROUNDS[number]}) + " " * LONGEST,
}


@pytest.mark.parametrize("lie", LIES)
def test_a_relay_that_lies_is_passed_over(lie: str, three: list[Relay]) -> None:
    three[0].answer = three[1].answer = LIES[lie]
    assert asked(three) == ROUNDS[1000]
    with pytest.raises(Unreachable, match=three[0].address):
        asked(three[:2])


def test_a_relay_that_never_answers_is_not_waited_for(three: list[Relay]) -> None:
    three[0].answer = three[1].answer = lambda _: None
    assert asked(three) == ROUNDS[1000]
    with pytest.raises(Unreachable, match=r"no answer|timed out"):
        asked(three[:2], SHORT)


def test_a_relay_leads_nowhere_else(three: list[Relay]) -> None:
    three[0].status, three[0].headers = 302, {"Location": f"{three[1].address}/elsewhere/1000"}
    with pytest.raises(Unreachable, match="302"):
        asked(three[:1])
    assert three[1].asked == []


def test_a_round_that_is_not_out_is_said(three: list[Relay]) -> None:
    three[0].status = 425
    with pytest.raises(Unreachable, match="425"):
        asked(three[:1])


@pytest.mark.parametrize(
    "address", ["file:///etc/hostname", "ftp://127.0.0.1", "127.0.0.1", "http://", "http://[", ""]
)
def test_what_is_no_address_of_a_relay_is_said(address: str) -> None:
    with pytest.raises(Unreachable):
        signature_of(1000, [address], LONG)
