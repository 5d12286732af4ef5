"""Mails as programs write them with a given sheet: each style is a function of the sheet's text."""

from __future__ import annotations

import base64
import html
import quopri
import textwrap
from collections.abc import Callable, Mapping

TO_GM = "To: GM <gm+lagoon-venice-k7q2m9x4ptzc@example.org>"
HEAD = f"From: Anna <one@example.org>\n{TO_GM}\nSubject: Re: lagoon 4\nIn-Reply-To: <a@example.org>\n"
FORM = "Venice, your sheet is due.\n\nplayer: venice\n# Orders, one below the other.\norders:\nsalt:\n"
"""What was mailed to the player, and is quoted."""
GMAIL = "On Sun, 3 May 2026 at 20:15, GM <gm+lagoon-venice-k7q2m9x4ptzc@example.org>\nwrote:"
GERMAN = "Am Sonntag, dem 03.05.2026 um 20:15 +0200 schrieb GM <gm@example.org>:"
FRENCH = "Le dim. 3 mai 2026 à 20:15, GM <gm@example.org> a écrit :"
ITALIAN = "Il giorno dom 3 mag 2026 alle ore 20:15 GM <gm@example.org> ha scritto:"
OUTLOOK = (
    "From: GM <gm@example.org>\nSent: Sunday, May 3, 2026 8:15 PM\nTo: one@example.org\nSubject: lagoon 4"
)
OUTLOOK_GERMAN = (
    "Von: GM <gm@example.org>\nGesendet: Sonntag, 3. Mai 2026 20:15\nAn: one@example.org\nBetreff: lagoon"
)
PGP = "-----BEGIN PGP {}-----"


def marked(text: str) -> str:
    """A text as it is quoted."""
    return "".join(f"> {line}".rstrip() + "\n" for line in text.splitlines())


def plain(text: str, kind: str = "text/plain; charset=utf-8") -> bytes:
    return f"{HEAD}Content-Type: {kind}\n\n{text}".encode()


def coded(text: str, coding: str, data: Callable[[bytes], bytes]) -> bytes:
    head = f"{HEAD}Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: {coding}\n\n"
    return head.encode() + data(text.encode())


def parts(kind: str, *each: tuple[str, str]) -> bytes:
    """A mail in parts, each its headers and its text."""
    text = "".join(f"--x1\n{head}\n\n{body}\n" for head, body in each)
    return f"{HEAD}Content-Type: multipart/{kind}; boundary=x1\n\n{text}--x1--\n".encode()


def flowed(text: str) -> str:
    """Soft line breaks at 72 columns, as RFC 3676 has them."""
    lines = []
    for line in text.splitlines():
        stuffed = f" {line}" if line.startswith((" ", ">", "From ")) else line
        pieces = textwrap.wrap(
            stuffed.rstrip(), 71, drop_whitespace=False, break_long_words=False, break_on_hyphens=False
        )
        while any(
            len(one) - len(one.rstrip(" ")) > 1 for one in pieces
        ):  # a run of spaces must not be broken
            pieces = [stuffed.rstrip()]
        lines += pieces or [""]
    return "\n".join(lines) + "\n"


def boxes(text: str) -> str:
    """HTML with a `div` for each line, and spaces that stay."""
    return "".join(
        f"<div>{html.escape(line).replace('  ', '&nbsp; ') or '<br>'}</div>\n" for line in text.splitlines()
    )


def from_phone(text: str) -> str:
    """No-break spaces at the margin and typographic bullets, as phones write them."""
    lines = []
    for line in text.splitlines():
        rest = line.lstrip(" ")
        own = f"\u2022 {rest[2:]}" if rest.startswith("- ") and not rest.startswith("- -") else rest
        lines.append("\u00a0" * (len(line) - len(rest)) + own)
    return "\n".join(lines) + "\n"


def signed(text: str) -> str:
    """Clear-signed by PGP (RFC 4880, 7): lines that begin with a dash get another one before them."""
    escaped = "".join(f"- {line}\n" if line.startswith("-") else f"{line}\n" for line in text.splitlines())
    begun, signature = PGP.format("SIGNED MESSAGE"), PGP.format("SIGNATURE")
    end = signature.replace("BEGIN", "END")
    return f"{begun}\nHash: SHA256\n\n{escaped}{signature}\n\niQEzBAEBCAAdFiEEm3\n=abcd\n{end}\n"


def wrapped(text: str) -> str:
    """Lines broken at 76 columns, as old programs do it."""
    return "".join(
        f"{piece}\n"
        for line in text.splitlines()
        for piece in (textwrap.wrap(line, 76, break_long_words=False, break_on_hyphens=False) or [""])
    )


HTML = "text/html; charset=utf-8"
STYLES: Mapping[str, Callable[[str], bytes]] = {
    "plain": plain,
    "between a greeting and a signature": lambda text: plain(f"Hi GM,\n\n{text}\n\nBest\n-- \nAnna\nhttps://a.example\n"),
    "line ends of Windows": lambda text: plain(text).replace(b"\n", b"\r\n"),
    "flowed": lambda text: plain(flowed(text), "text/plain; charset=utf-8; format=flowed"),
    "wrapped": lambda text: plain(wrapped(text)),
    "above a quotation": lambda text: plain(f"{text}\n{GMAIL}\n\n{marked(FORM)}"),
    "below a quotation": lambda text: plain(f"{GERMAN}\n{marked(FORM)}\n{text}"),
    "above a quotation without marks": lambda text: plain(f"{text}\n\n{OUTLOOK}\n\n{FORM}"),
    "above a German quotation without marks": lambda text: plain(f"{text}\n{OUTLOOK_GERMAN}\n\n{FORM}"),
    "above a rule": lambda text: plain(f"{text}\n-----Original Message-----\n{OUTLOOK}\n\n{FORM}"),
    "above a French quotation": lambda text: plain(f"{text}\n{FRENCH}\n\n{FORM}"),
    "above an Italian quotation": lambda text: plain(f"{text}\n\n{ITALIAN}\n\n{marked(FORM)}"),
    "quoted-printable": lambda text: coded(text, "quoted-printable", quopri.encodestring),
    "base64": lambda text: coded(text, "base64", base64.encodebytes),
    "HTML alone": lambda text: plain(f"<div dir=ltr>{boxes(text)}</div><blockquote>{boxes(FORM)}</blockquote>", HTML),
    "HTML as it is": lambda text: plain(f"<pre>{html.escape(text)}</pre>", HTML),
    "plain and HTML": lambda text: parts(
        "alternative", ("Content-Type: text/plain; charset=utf-8", text), (f"Content-Type: {HTML}", boxes(text))
    ),
    "attached": lambda text: parts(
        "mixed",
        ("Content-Type: text/plain", "Hello, see the file.\n"),
        ("Content-Type: application/yaml\nContent-Disposition: attachment; filename=sheet.yaml", text),
    ),
    "indented": lambda text: plain(textwrap.indent(text, "    ")),
    "in a fence": lambda text: plain(f"Here:\n\n```yaml\n{text}```\n"),
    "from a phone": lambda text: plain(f"{from_phone(text)}\nSent from my iPhone\n"),
    "signed by PGP": lambda text: plain(signed(text)),
    "forwarded": lambda text: plain(f"---------- Forwarded message ---------\n{OUTLOOK}\n\n{text}"),
    "forwarded with marks": lambda text: plain(f"Mine:\n\n{GMAIL}\n{marked(text)}"),
    "below a word that is ruled off": lambda text: plain(f"Hello GM\n--\n{text}"),
}  # fmt: skip
