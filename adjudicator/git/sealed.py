"""Sealed files: age around a text that begins with a label, which says what it is and for what; and archives, which are
many files as one text to be sealed.

The label stands inside, so a file that was copied, or kept from another phase, is known as such, and tells nothing.
The text is filled up to a step of 4 kB, so that its size says little. The first line is JSON, which a page can write.

Of an archive, lines that stand in the open in `main` are left out, the rest is packed as one. Two thirds of a page are
styles and scripts, the same in all pages; and most of a player's map is everybody's. With them left out, an archive is
a sixth as large.

Signatures of players' sheets by SSH keys: made by `ssh-keygen`, checked by the referee, kept as evidence.
"""

from __future__ import annotations

import base64
import io
import json
import lzma
import re
import subprocess
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.marks import NAMESPACE, is_public_key
from adjudicator.engine.text.resources import how_to_install, reading_a_strangers
from adjudicator.engine.text.typed import decode
from adjudicator.git.running import LARGEST_MATCH, MOST_FILES, STEP

Identity = Any
"""A secret key, as the library has it."""
What = Literal["sheet", "answer", "key", "folder", "referee"]

LONGEST_LABEL = 4000
"""Bytes of the first line."""
LONGEST_HEAD, MOST_OWNERS = 2**14, 20
"""Bytes of what stands before the sealed text, and for how many keys it is sealed. The library tries each key for a
long time: a file for 2,500 took it a minute.
"""
_BEGIN = b"-----BEGIN AGE ENCRYPTED FILE-----"
_AGE = re.compile(r"age1[0-9a-z]{58}")
_SSH = re.compile(r"(ssh-ed25519|ssh-rsa) ([A-Za-z0-9+/=]{1,4000})")
_ANY_SSH = re.compile(r"(ssh|sk-ssh|ecdsa|sk-ecdsa)-[a-z0-9@.-]+ ")
_ARCHIVE = b"adjudicator archive 1\n"
_LINE = re.compile(rb"[^\n>]*[\n>]|[^\n>]+")
"""What is looked up as one: a line, or in a page what comes up to the end of a tag."""
_SHORTEST = 12
"""Bytes of a line that is left out; a shorter one is shorter than saying where it stands."""
_MOST_MEMORY = 2**27


class Label(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a sealed file is: a `sheet`, an `answer` or a `key` from a player; a `folder` or the referee's own.

    `phase` is the name of its folder; `token` shows that the player has written it, and `signature` proves it, if the
    player signs (`signing.signature_by`).
    """

    what: What
    match: str
    phase: str = ""
    player: str = ""
    token: str = ""
    signature: str = ""


class _Head(Label, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    adjudicator: Literal[1]
    bytes: int


class NotReadable(Exception):
    """A sealed file that can't be opened: the text is a key, `not-sealed-to-me` or `no-label`."""


def with_label(label: Label, content: bytes, least: int = 0) -> bytes:
    """The text that is sealed: the label, the content as it is, and zeros up to the next step, and up to `least`."""
    head = {"adjudicator": 1, **msgspec.structs.asdict(label), "bytes": len(content)}
    text = json.dumps({key: value for key, value in head.items() if value != ""}, separators=(",", ":"))
    whole = text.encode() + b"\n" + content
    most = max(len(whole), least)
    return whole + bytes(most - len(whole) + -most % STEP)


def read_labelled(text: bytes) -> tuple[Label, bytes]:
    """The label and the content of a text that was sealed. Raises NotReadable."""
    end = text.find(b"\n", 0, LONGEST_LABEL)
    try:
        head = decode(_DECODER, text[: max(end, 0)])
    except ValueError:
        raise NotReadable("no-label") from None
    if not 0 <= head.bytes <= len(text) - end - 1:
        raise NotReadable("no-label")
    label = Label(head.what, head.match, head.phase, head.player, head.token, head.signature)
    return label, text[end + 1 : end + 1 + head.bytes]


_DECODER: msgspec.json.Decoder[_Head] = msgspec.json.Decoder(_Head)


def seal(label: Label, content: bytes, recipients: Sequence[str], least: int = 0) -> bytes:
    """A file that only the owners of these keys can read; its text has at least so many bytes. Raises Faulty for a key
    that can't be sealed to.
    """
    known = [recipient(each) for each in recipients]
    found: bytes = _age().encrypt(with_label(label, content, least), known)
    return found


def unseal(data: bytes, identities: Sequence[Identity]) -> tuple[Label, bytes]:
    """The label and the content of a sealed file. Raises NotReadable, whatever is in the file."""
    age, data = _age(), without_armor(data)
    head = data[:LONGEST_HEAD].partition(b"\n--- ")
    if not head[1] or head[0].count(b"\n-> ") > MOST_OWNERS:
        raise NotReadable("not-sealed-to-me")
    try:
        with reading_a_strangers():
            text = age.decrypt(data, list(identities))
    except ValueError:
        raise NotReadable("not-sealed-to-me") from None
    return read_labelled(text)


def without_armor(data: bytes) -> bytes:
    """A sealed file without its armour of letters, if it has one, as a page or a mail gives it. Raises NotReadable."""
    lines = data.strip().split(b"\n")
    if lines[0].strip() != _BEGIN:
        return data
    try:
        return base64.b64decode(b"".join(line.strip() for line in lines[1:-1]), validate=True)
    except ValueError:
        raise NotReadable("not-sealed-to-me") from None


def recipient(key: str) -> Any:
    """The public key in a text, to seal to. Raises Faulty."""
    age = _age()
    kind = age.x25519 if _AGE.fullmatch(key) else age.ssh if _SSH.fullmatch(key) else None
    if kind is not None:
        with suppress(ValueError), reading_a_strangers():
            found = kind.Recipient.from_str(key)
            age.encrypt(b"", [found])  # some that can be read can't be sealed to
            return found
    raise Faulty([problem("key", why_not(key))])


def public_key(text: str) -> str:
    """The public key in a line, without the comment that stands behind it in a file. Raises Faulty."""
    words = text.split()
    key = " ".join(words[:2]) if words and _ANY_SSH.match(f"{words[0]} ") else "".join(words[:1])
    recipient(key)
    return key


def why_not(key: str) -> str:
    """What is wrong with a public key, and what is possible instead."""
    if _ANY_SSH.match(key) and not key.startswith(("ssh-ed25519 ", "ssh-rsa ")):
        return "nothing can be sealed to an SSH key of this kind: take ssh-ed25519 or ssh-rsa, or make an age key"
    return f"{key[:80]!a} isn't a public key: it begins with age1, ssh-ed25519 or ssh-rsa"


def identity(text: bytes, name: str) -> Identity:
    """The secret key in a file: age's, or an SSH key without a passphrase. Raises Faulty."""
    age = _age()
    found = re.search(rb"^(AGE-SECRET-KEY-1[0-9A-Z]+)\s*$", text, re.MULTILINE)
    try:
        with reading_a_strangers():
            if found:
                return age.x25519.Identity.from_str(found[1].decode())
            return age.ssh.Identity.from_buffer(text)
    except ValueError as error:
        raise Faulty([problem(name, _bad_key(str(error)))]) from None


def _bad_key(said: str) -> str:
    if "decrypted" in said:
        return (
            "this SSH key has a passphrase, and can't be used here: leave --key out, and an age key is made"
        )
    if "unsupported" in said:
        return "SSH keys of this kind can't open anything: take ssh-ed25519 or ssh-rsa, or leave --key out"
    return "this isn't a secret key: neither age's (AGE-SECRET-KEY-1...) nor an SSH key"


def new_identity() -> tuple[str, str]:
    """A new key: the secret one, and the public one."""
    made = _age().x25519.Identity.generate()
    return str(made), str(made.to_public())


def _age() -> Any:
    """The library, which is an extra. Raises Faulty if it is missing."""
    try:
        import pyrage  # type: ignore[import-untyped]
    except ImportError:
        said = f"to play in a git repository, install the extra `git`: {how_to_install('git')}"
        raise Faulty([problem("pyrage", said)]) from None
    return pyrage


LARGEST = 2**14
SECONDS = 120
"""How long a person may take to type a passphrase, or to touch a key."""
_PUBLIC = re.compile(r"(ssh-ed25519|ssh-rsa) [A-Za-z0-9+/=]{1,4000}")


def public_in(text: str, name: str) -> str:
    """The public key in a line, without the comment behind it. Raises Faulty."""
    found = " ".join(text.split()[:2])
    if not _PUBLIC.fullmatch(found) or not is_public_key(found):
        said = "signatures are checked by an ssh-ed25519 or ssh-rsa key; `ssh-keygen -t ed25519` makes one"
        raise Faulty([problem(name, said)])
    return found


def public_of(key: Path) -> str:
    """The public key that belongs to the file of an SSH key, or is in it. Raises Faulty."""
    file = key if key.suffix == ".pub" else key.with_name(f"{key.name}.pub")
    try:
        with file.open("rb") as opened:
            text = opened.read(LARGEST)
    except OSError as error:
        raise Faulty(
            [problem(file, f"the public half of this SSH key isn't here ({error.strerror})")]
        ) from None
    return public_in(text.decode("utf-8", "replace"), str(file))


def signature_by(key: Path, text: bytes) -> str:
    """A signature of that text, as `ssh-keygen` makes it; it may ask for a passphrase, or an agent. Raises Faulty."""
    words = ["ssh-keygen", "-Y", "sign", "-n", NAMESPACE, "-f", str(key)]
    try:
        done = subprocess.run(words, input=text, capture_output=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Faulty([problem(key, f"ssh-keygen couldn't sign with this key ({error})")]) from None
    if done.returncode:
        said = " ".join(done.stderr.decode("utf-8", "replace").split())[:300]
        raise Faulty([problem(key, f"ssh-keygen couldn't sign with this key ({said!a})")])
    return done.stdout.decode("ascii", "replace")


class _Archive(msgspec.Struct, frozen=True, array_like=True):
    """The names of the files in the open whose lines are left out; each file, as bytes and numbers of such lines."""

    shared: list[str]
    files: dict[str, list[bytes | int]]


_UNPACKER = msgspec.msgpack.Decoder(_Archive)


class BadArchive(Exception):
    """The bytes are no archive as `pack` makes it, or hold more than we read."""


def pack(files: Mapping[str, bytes], shared: Mapping[str, bytes] = {}) -> bytes:
    """The archive of files by name; `shared` are files that whoever unpacks it has."""
    numbers = {line: number for number, line in enumerate(_lines(tuple(shared.values())))}
    found: dict[str, list[bytes | int]] = {}
    for name in sorted(files):
        parts: list[bytes | int] = []
        for line in _LINE.findall(files[name]):
            number = numbers.get(line)
            if number is not None:
                parts.append(number)
            elif parts and isinstance(parts[-1], bytes):
                parts[-1] += line
            else:
                parts.append(line)
        found[name] = parts
    return _ARCHIVE + lzma.compress(msgspec.msgpack.encode(_Archive([*shared], found)))


def unpack(data: bytes, most: int = LARGEST_MATCH, shared: Mapping[str, bytes] = {}) -> dict[str, bytes]:
    """The files of an archive, unpacked no further than `most` bytes in all. Raises BadArchive.

    `shared` are the files in the open; an archive of an earlier release is a zip file, and needs none.
    """
    if not data.startswith(_ARCHIVE):
        return _unzipped(data, most)
    try:
        unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MOST_MEMORY)
        text = unpacker.decompress(data[len(_ARCHIVE) :], most + 1)
        if not unpacker.eof:
            raise BadArchive("it is cut off, or unpacks to more than is read")
        archive = _UNPACKER.decode(text)
        lines = _lines(tuple(shared[name] for name in archive.shared))
        if len(archive.files) > MOST_FILES:
            raise BadArchive(f"more than {MOST_FILES} files")
        found: dict[str, bytes] = {}
        for name, parts in archive.files.items():
            texts = [lines[part] if isinstance(part, int) else part for part in parts]
            most -= sum(map(len, texts))
            if most < 0:
                raise BadArchive("it unpacks to more than is read")
            found[name] = b"".join(texts)
    except (lzma.LZMAError, EOFError, ValueError, LookupError) as error:
        raise BadArchive(str(error)) from None
    return found


@lru_cache(maxsize=8)
def _lines(shared: tuple[bytes, ...]) -> list[bytes]:
    """The lines of texts that are worth leaving out, each once."""
    lines = (line for text in shared for line in _LINE.findall(text))
    return [*dict.fromkeys(line for line in lines if len(line) >= _SHORTEST)]


def _unzipped(data: bytes, most: int) -> dict[str, bytes]:
    """The files of an archive of an earlier release."""
    found: dict[str, bytes] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as pack:
            if len(pack.infolist()) > MOST_FILES:
                raise BadArchive(f"more than {MOST_FILES} files")
            for info in pack.infolist():
                with pack.open(info) as file:
                    text = file.read(most + 1)  # the sizes that the archive gives may be false
                most -= len(text)
                if most < 0:
                    raise BadArchive("it unpacks to more than is read")
                found[info.filename] = text
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        ValueError,
        NotImplementedError,
        RuntimeError,
        OSError,
    ) as error:
        raise BadArchive(str(error)) from None
    return found
