"""Mails that cost a reader much work: each kind is a function of a size in bytes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

PLAIN = b"Content-Type: text/plain; charset=utf-8\n\n"
HTML = b"Content-Type: text/html; charset=utf-8\n\n"
TO = b"From: somebody@example.net\nTo: gm@example.org\nSubject: orders\n"
PADDED = 200
"""Bytes that a mail may have beside what is filled in."""


def filled(before: bytes, piece: bytes, after: bytes = b"") -> Callable[[int], bytes]:
    """A mail that is one piece again and again, up to a size; `%d` in it is its number."""

    def of_size(size: int) -> bytes:
        room = size - len(TO + before + after) - PADDED
        if b"%d" not in piece:
            return TO + before + piece * (room // len(piece)) + after
        return TO + before + b"".join(piece % n for n in range(room // (len(piece) + 4))) + after

    return of_size


def in_body(piece: bytes, before: bytes = b"orders:\n", after: bytes = b"\n") -> Callable[[int], bytes]:
    """A plain body of one piece again and again, below a key of a sheet."""
    return filled(PLAIN + before, piece, after)


def in_page(piece: bytes, before: bytes = b"<p>orders:</p>", after: bytes = b"") -> Callable[[int], bytes]:
    """The same in HTML."""
    return filled(HTML + before, piece, after)


def nested(size: int) -> bytes:
    """Parts in parts, as deep as the size allows."""
    part = b"Content-Type: multipart/mixed; boundary=%d\n\n--%d\n"
    return TO + b"".join(part % (n, n) for n in range((size - PADDED) // (len(part) + 4)))


def forwarded(size: int) -> bytes:
    """Mails in mails."""
    part = b"Content-Type: message/rfc822\n\n"
    return TO + part * ((size - PADDED) // len(part))


MIXED = b"Content-Type: multipart/mixed; boundary=x\n\n"
CODED = b"Content-Transfer-Encoding: "
MAILS: Mapping[str, Callable[[int], bytes]] = {
    "nothing but lines": in_body(b"\n"),
    "lines of one sign": in_body(b"a\n"),
    "one line": in_body(b"a"),
    "quotation marks": in_body(b'"""', b"orders:\n> "),
    "quotation marks that are quoted": in_body(b'> """\n'),
    "quotation marks behind backslashes": in_body(b'\\"', b'orders: "'),
    "apostrophes and quotation marks": in_body(b"\"'", b"orders: ["),
    "backslashes": in_body(b"\\\\", b'orders: "'),
    "comments": in_body(b" #"),
    "brackets": in_body(b"["),
    "a bracket that isn't closed": in_body(b"a\n", b"orders: [\n"),
    "long lines, broken": in_body(b"- " + b"a" * 70 + b"\nb\n"),
    "orders": in_body(b"  - buy: wine\n    at: corfu\n"),
    "keys that are nearly known": in_body(b"ordres:\n", b"orders:\n  - a: b\n"),
    "keys that aren't": in_body(b"k%d: 1\n"),
    "marks of quotations": in_body(b">"),
    "marks with spaces": in_body(b"> "),
    "rules": in_body(b"-----a"),
    "rules of one sign": in_body(b"_"),
    "heads written out": in_body(b"From: a\nTo: b\n"),
    "introductions": in_body(b"On 3 May 2026 at 20:15, a@b\n\n"),
    "colons and spaces": in_body(b":" + b" " * 20 + b"x\n"),
    "spaces": in_body(b" "),
    "tabs": in_body(b"\t"),
    "bullets": in_body(b"\xe2\x80\xa2 "),
    "typographic marks": in_body(b"\xe2\x80\x9c\xe2\x80\x99"),
    "signatures": in_body(b"-- \n> -- \n"),
    "softly broken lines": filled(b"Content-Type: text/plain; format=flowed; delsp=yes\n\norders:\n", b"a \n"),
    "softly broken, quoted by turns": filled(b"Content-Type: text/plain; format=flowed\n\n", b"> a \na \n"),
    "elements": in_page(b"<div>"),
    "elements in one line": in_page(b"<i>x</i>"),
    "elements that are closed and never were open": in_page(b"</b>", b"<i>" * 99),
    "elements that aren't closed": in_page(b"<a "),
    "attributes": in_page(b" a=1", b"<a", b">"),
    "attributes in quotes": in_page(b" a='x' ", b"<a", b">"),
    "attributes, broken": in_page(b"='", b"<a x", b">"),
    "slashes": in_page(b"/ ", b"<a ", b">"),
    "comments of HTML": in_page(b"<!--"),
    "comments of HTML, half": in_page(b"<!-- --"),
    "declarations": in_page(b"<!a"),
    "declarations in brackets": in_page(b"<![a["),
    "instructions": in_page(b"<?"),
    "entities": in_page(b"&amp"),
    "ampersands": in_page(b"&"),
    "numbers of signs": in_page(b"&#9"),
    "open angles": in_page(b"<"),
    "closed angles": in_page(b">"),
    "scripts": in_page(b"<script>"),
    "half of a script's end": in_page(b"</scrip", b"<script>"),
    "lists": in_page(b"<ul><li>x"),
    "spaces in HTML": in_page(b" \n"),
    "marks of quotations in HTML": in_page(b"<blockquote>x"),
    "lines in HTML": in_page(b"<br>"),
    "lines as they are in HTML": in_page(b"a\n", b"<pre>"),
    "headers": filled(b"", b"X-%d: a\n", b"\n\norders: []\n"),
    "headers of one name": filled(b"", b"To: gm+a@example.org\n", b"\n\norders: []\n"),
    "empty headers": filled(b"", b"a:\n", b"\n\n"),
    "a header that goes on": filled(b"X: a\n", b" a\n", b"\n\n"),
    "addresses": filled(b"Cc: a@b", b", gm+x-abcdefghijkl@example.org", b"\n\norders: []\n"),
    "half addresses": filled(b"Cc: ", b"a@,", b"\n\n"),
    "ids": filled(b"References:", b" <abcdefghijklmnop.abcdefghijklmnop@example.org>", b"\n\norders: []\n"),
    "ids on lines of their own": filled(
        b"References: <a@b>\n", b" <abcdefghijklmnop.abcdefghijklmno%%d@example.org>\n".replace(b"%%d", b"2"), b"\n\n"
    ),
    "coded words": filled(b"Subject: ", b"=?utf-8?q?a?= ", b"\n\n"),
    "coded words, half": filled(b"Subject: ", b"=?a?q?b ", b"\n\n"),
    "parameters": filled(b"Content-Type: text/plain; a=\"", b'\\";', b"\n\norders: []\n"),
    "parameters, many": filled(b"Content-Type: multipart/mixed", b"; a=b", b"; boundary=x\n\n--x\n\norders: []\n"),
    "parameters on lines of their own": filled(b"Content-Type: text/plain; a=\"\n", b' \\";\n', b"\n\norders: []\n"),
    "parameters in parts": filled(
        MIXED, b"--x\nContent-Disposition: attachment; filename=\"" + b'\\";' * 500 + b"\n\na\n"
    ),
    "names in pieces": filled(b"Content-Disposition: attachment", b"; filename*%d*=a", b"\n\norders: []\n"),
    "parts": filled(MIXED, b"--x\n\na\n"),
    "empty parts": filled(MIXED, b"--x\n"),
    "files": filled(MIXED, b"--x\nContent-Disposition: attachment; filename=%d.yaml\n\norders: []\n"),
    "parts in parts": nested,
    "mails in mails": forwarded,
    "a digest": filled(b"Content-Type: multipart/digest; boundary=x\n\n", b"--x\n\n\n"),
    "a status": filled(b"Content-Type: message/delivery-status\n\n", b"a: b\n\n"),
    "a report": filled(
        b"Content-Type: multipart/report; report-type=delivery-status; boundary=x\n\n--x\n"
        b"Content-Type: message/delivery-status\n\n",
        b"Action: failed\n\n",
    ),
    "ids in a report": filled(
        b"Content-Type: multipart/report; report-type=delivery-status; boundary=x\n\n",
        b"<abcdefghijklmnop.abcdefghijklmnop@example%d.org>\n",
    ),
    "uuencode": filled(CODED + b"x-uuencode\n\nbegin 644 x\n", b"M" + b"a" * 60 + b"\n"),
    "uuencode of one sign": filled(CODED + b"uue\n\nbegin 644 x\n", b"!a\n"),
    "base64": filled(CODED + b"base64\n\n", b"Cgo=" * 19 + b"\n"),
    "base64 in one line": filled(CODED + b"base64\n\n", b"Cgo="),
    "quoted-printable": filled(CODED + b"quoted-printable\n\n", b"=0A"),
    "line ends of old": in_body(b"\r"),
    "other line ends": in_body(b"\xe2\x80\xa8"),
    "zeros": in_body(b"\0"),
    "UTF-16": filled(b"Content-Type: text/plain; charset=utf-16\n\n", b"\n\0"),
}  # fmt: skip
