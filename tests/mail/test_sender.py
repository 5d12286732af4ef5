"""Who may send: tokens, answered mails, robots, bounces."""

from __future__ import annotations

import pytest

from adjudicator.door.seats import Seat, Seated, token_of
from adjudicator.mail.letter import letter_in
from adjudicator.mail.sender import (
    Sender,
    bounce,
    is_to,
    mail_bounced,
    message_id,
    reason_in,
    reply_address,
    robot,
    sender_of,
)

SEED, OTHER = b"s" * 32, b"o" * 32
VENICE, GENOA = Seat("lagoon", "venice"), Seat("lagoon", "genoa")
SEATS = (
    Seated(VENICE, SEED, "one@example.org"),
    Seated(GENOA, SEED, "two@example.org"),
    Seated(Seat("alps", "venice"), OTHER, "one@example.org"),
)
ADDRESS = reply_address("gm@example.org", VENICE, token_of(SEED, VENICE))
OURS = message_id(SEED, VENICE, "0001", "example.org")


def letter(text: str = "", **headers: str):
    head = "".join(f"{name.replace('_', '-')}: {value}\n" for name, value in headers.items())
    return letter_in(f"{head}\n{text}\n".encode())


def test_tokens_are_nobody_elses_and_others_after_a_change():
    seats = [
        Seat(match, player, n)
        for match in ("lagoon", "alps")
        for player in ("venice", "genoa")
        for n in range(3)
    ]
    assert len({token_of(seed, seat) for seed in (SEED, OTHER) for seat in seats}) == 24
    assert not is_to(SEED, Seat("lagoon", "venice", 1), OURS)
    assert not is_to(SEED, GENOA, OURS)
    assert not is_to(OTHER, VENICE, OURS)
    assert is_to(SEED, VENICE, OURS)


@pytest.mark.parametrize("local", ["gm", "a" * 40, "b" * 50])
@pytest.mark.parametrize("match", ["lagoon", "A long name, ünd odd: 'signs'" * 3])
def test_the_address_of_a_player_is_one_that_servers_take(local, match):
    seat = Seat(match, "venice")
    found = reply_address(f"{local}@example.org", seat, token_of(SEED, seat))
    assert len(found.rpartition("@")[0]) <= 64
    sent = letter(To=f"GM <{found.upper()}>", From="x@example.net")
    assert sender_of(sent, [Seated(seat, SEED)]).seat == seat


@pytest.mark.parametrize(
    ("headers", "by"),
    [
        ({"To": ADDRESS}, "address"),
        ({"Cc": f'"GM, the" <gm@example.org>, <{ADDRESS}>'}, "address"),
        ({"Delivered-To": ADDRESS}, "address"),
        ({"Subject": f"AW: [lagoon] ({token_of(SEED, VENICE)})"}, "subject"),
        ({"Subject": f"=?utf-8?q?R=C3=A9p=3A_=28{token_of(SEED, VENICE).upper()}=29?="}, "subject"),
        ({"In-Reply-To": OURS, "From": "One@example.org"}, "reply"),
        ({"References": f"<a@b> {OURS}\n <c@d>", "From": "one@example.org"}, "reply"),
    ],
)
def test_a_player_is_known_from_whatever_address(headers, by):
    assert sender_of(letter(**{"From": "any@example.net", **headers}), SEATS) == Sender(VENICE, by)


def test_what_isnt_known_is_held_and_says_whose_it_may_be():
    assert sender_of(letter(From="two@example.org"), SEATS) == Sender(GENOA, because="address-alone")
    several = Sender(Seat("alps", "venice"), because="address-of-several")
    assert sender_of(letter(From="one@example.org"), SEATS) == several
    alone = Sender(Seat("alps", "venice"), because="address-alone")
    assert sender_of(letter(From="one@example.org", Subject="Alps"), SEATS) == alone
    both = (*SEATS, Seated(Seat("alps", "genoa"), OTHER, "one@example.org"))
    named = Sender(Seat("alps", "genoa"), because="address-alone")
    assert sender_of(letter(From="one@example.org"), both, "genoa") == named
    assert sender_of(letter(From="x@example.org"), SEATS) == Sender(None, because="unknown")
    assert (
        sender_of(letter(From="x@example.org", To="gm+aaaaaaaaaaaa@example.org"), SEATS).because == "unknown"
    )
    new = (Seated(Seat("lagoon", "venice", 2), SEED, "one@example.org"),)
    for headers in ({"To": ADDRESS}, {"In-Reply-To": OURS}):
        assert sender_of(letter(From="x@example.net", **headers), new) == Sender(
            new[0].seat, because="expired"
        )


def test_two_seats_in_one_mail_are_told_apart_by_the_sheet_alone():
    both = letter(From="x@example.net", To=ADDRESS, Subject=token_of(SEED, GENOA))
    assert sender_of(both, SEATS) == Sender(GENOA, because="several-players")
    assert sender_of(both, SEATS, "genoa") == Sender(GENOA, "subject")
    assert sender_of(both, SEATS, "spain") == Sender(GENOA, because="several-players")


BOUNCE = f"""Return-Path: <>
From: MAILER-DAEMON@example.net (Mail Delivery System)
Auto-Submitted: auto-replied
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

I'm sorry.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net

Final-Recipient: rfc822; one@example.org
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 no such user here

--b
Content-Type: text/rfc822-headers

Message-ID: {OURS}
--b--
"""


@pytest.mark.parametrize(
    ("headers", "kind"),
    [
        ({}, ""),
        ({"Auto-Submitted": "no"}, ""),
        ({"Return-Path": "<one@example.org>"}, ""),
        ({"X-Auto-Response-Suppress": "All"}, ""),
        ({"Auto-Submitted": "auto-replied (vacation)"}, "robot"),
        ({"Precedence": "bulk"}, "robot"),
        ({"Precedence": "list"}, "list"),
        ({"List-Id": "<players.example.org>"}, "list"),
        ({"Return-Path": "<>"}, "robot"),
        ({"X-Failed-Recipients": "one@example.org"}, "robot"),
    ],
)
def test_robots_are_known(headers, kind):
    assert robot(letter(From="one@example.org", **headers)) == kind


def test_a_bounce_names_whose_mail_it_was_and_what_was_the_matter():
    found = letter_in(BOUNCE.encode())
    assert bounce(found) == "bounce"
    assert "no such user here" in reason_in(found)
    assert mail_bounced(BOUNCE.encode(), SEATS) == (VENICE, OURS)
    assert bounce(letter_in(BOUNCE.replace("Action: failed", "Action: delayed").encode())) == "delayed"
    forged = BOUNCE.replace(OURS, OURS[:5] + ("a" if OURS[5] != "a" else "b") + OURS[6:])
    assert mail_bounced(forged.encode(), SEATS) is None
