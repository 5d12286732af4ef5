"""Robots: mails that no person wrote. They are never answered, or two machines would write to each other for ever.

RFC 3834 says how to recognise a machine's mail; bounces follow RFC 3464 or have an empty sender.
"""

from __future__ import annotations

import re

from adjudicator.mail.letter import STATUS, Letter

_BULK = frozenset(("bulk", "list", "junk", "auto_reply"))
_DAEMON = re.compile(r"(?:mailer-daemon|mail-daemon|postmaster)@", re.IGNORECASE)
_NO_REPLY = re.compile(r"(?:no-?reply|do-?not-?reply)[^@]*@", re.IGNORECASE)
_REPORT = re.compile(r"report-type\s*=\s*\"?delivery-status", re.IGNORECASE)
_FAILED = re.compile(r"^action:\s*failed", re.IGNORECASE | re.MULTILINE)
_STATUS = re.compile(r"^(?:diagnostic-code|status):[ \t]*(.{1,200})", re.IGNORECASE | re.MULTILINE)


def bounce(letter: Letter, *, known: bool = False) -> str:
    """What kind of bounce a mail is. `known`: it is from a player, and so not a bounce for its sender's name alone.

    It is `bounce` if a mail server says that a mail couldn't be delivered, `delayed` if the server still tries; else
    empty. From headers alone these two can't be told apart.
    """
    headers = letter.headers
    if _REPORT.search(headers.get("content-type", "")) or set(STATUS) & set(letter.parts):
        return "bounce" if _FAILED.search(_report(letter)) else "delayed"
    daemon = _DAEMON.match(letter.sender) and (_has_no_return(letter) or not (known or letter.answers))
    return "bounce" if headers.get("x-failed-recipients") or daemon else ""


def robot(letter: Letter, *, known: bool = False) -> str:
    """The kind of machine that wrote the mail: `list`, `robot`; empty for a person.

    If its sender is `known` by a token, a person sent it, even if by a list or from a no-reply address.
    """
    headers = letter.headers
    if bounce(letter, known=known):
        return "robot"
    if not known and (
        headers.get("list-id") or headers.get("list-post") or headers.get("precedence", "").lower() == "list"
    ):
        return "list"
    submitted = headers.get("auto-submitted", "no").partition(";")[0].strip().lower()
    answers = headers.get("x-autoreply") or headers.get("x-autorespond")
    bulk = headers.get("precedence", "").lower() in _BULK - {"list"}
    if submitted != "no" or bulk or _has_no_return(letter) or answers:
        return "robot"
    return "robot" if not known and (_NO_REPLY.match(letter.sender) or not letter.sender) else ""


def _has_no_return(letter: Letter) -> bool:
    return letter.headers.get("return-path", "x").replace(" ", "") == "<>"


def reason_in(letter: Letter) -> str:
    """The reason that a bounce gives, in its own words."""
    found = _STATUS.findall(_report(letter))
    return max(found, key=len, default="").strip() or letter.subject[:200]


def _report(letter: Letter) -> str:
    """The machine-readable part of a bounce."""
    texts = [one.data[:20_000].decode("utf-8", "replace") for one in letter.attached]
    return "\n".join(text for text, one in zip(texts, letter.attached, strict=True) if one.kind in STATUS)
