"""`keys.yaml`: the keys to which things are sealed; and the referee's own key, in a file or a host's secret."""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path

from msgspec import Struct

from adjudicator.door.seats import seats_of
from adjudicator.engine.folder import papers
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.gate import NotPlain, read_plain
from adjudicator.engine.folder.names import KEYS
from adjudicator.engine.folder.papers import Keys, Owner
from adjudicator.engine.text.resources import how_to_install
from adjudicator.git.sealed import Identity, identity, new_identity, recipient

VARIABLE = "ADJUDICATOR_KEY"
"""The environment variable with the referee's key, for a host's job."""
LARGEST_KEY = 2**16
COMMENT = "To whom sheets and reports are sealed: public keys. The referee writes this file."
_REFEREE_KEY = re.compile(r"(?<!\S)(AGE-SECRET-KEY-1[0-9A-Z]{58}):([0-9a-f]{64})(?!\S)")
"""One word, as hosts want a secret: age's key, and the one for marks."""


def keys_of(match: Folder) -> Keys:
    """The keys of a match. Raises Faulty."""
    said = f"there is no {KEYS}: this match isn't played in a repository"
    found = papers.read_paper(match.read(KEYS, said), str(match.path / KEYS), Keys)
    for key in (*found.referee, *(each.key for each in found.players.values())):
        try:
            recipient(key)
        except Faulty as wrong:
            raise Faulty([problem(match.path / KEYS, each.text) for each in wrong.problems]) from None
    return found


def owner_of(match: Folder, player: str) -> Owner | None:
    """The key of a player, if it counts now. Raises Faulty."""
    found = keys_of(match).players.get(player)
    numbers = {each.seat.player: each.seat.number for each in seats_of(match)}
    return found if found is not None and found.number == numbers[player] else None


class RefereeKey(Struct, frozen=True):
    """The referee's secrets: the key that opens everything, and the key for marks, the same in all clones."""

    secret: str
    marking: bytes

    @property
    def identity(self) -> Identity:
        """The key that opens. Raises Faulty."""
        return identity(self.secret.encode(), VARIABLE)


def new_referee_key(marking: bytes = b"") -> tuple[RefereeKey, str]:
    """A new key of the referee's, and its public part. `marking`: the key for marks that another such key already
    has."""
    secret, public = new_identity()
    return RefereeKey(secret, marking or secrets.token_bytes(32)), public


def new_deploy_key() -> tuple[bytes, str]:
    """A new SSH key with which a host's job may push: the secret one as a file has it, and the public one. Raises
    Faulty if the library is missing.
    """
    try:
        from cryptography.hazmat.primitives import serialization as forms
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    except ImportError:
        raise Faulty([problem("cryptography", f"install the extra `git`: {how_to_install('git')}")]) from None
    made = Ed25519PrivateKey.generate()
    secret = made.private_bytes(forms.Encoding.PEM, forms.PrivateFormat.OpenSSH, forms.NoEncryption())
    public = made.public_key().public_bytes(forms.Encoding.OpenSSH, forms.PublicFormat.OpenSSH)
    return secret, f"{public.decode()} adjudicator"


def text_of(key: RefereeKey, public: str, what: str) -> str:
    """A referee's key as it is kept."""
    return f"# {what}. Public key: {public}\n{key.secret}:{key.marking.hex()}\n"


def referee_key_in(text: str, name: str) -> RefereeKey:
    """The referee's key in a text. Raises Faulty."""
    found = _REFEREE_KEY.search(text)
    if found is None:
        said = "this isn't a referee's key: that is one long word, AGE-SECRET-KEY-1...:..., as `git init` wrote it"
        raise Faulty([problem(name, said)])
    identity(found[1].encode(), name)
    return RefereeKey(found[1], bytes.fromhex(found[2]))


def referee_key(file: Path | None, kept: Path) -> RefereeKey:
    """The referee's key: in the file that was named, else in the variable, else where `git init` has put it.

    Raises Faulty.
    """
    if file is None and (text := os.environ.get(VARIABLE, "")):
        return referee_key_in(text, VARIABLE)
    found = file or kept
    try:
        return referee_key_in(read_plain(found, LARGEST_KEY).decode("utf-8", "replace"), str(found))
    except FileNotFoundError:
        said = (
            f"the referee's key isn't here: name its file with --key, or put it into the variable {VARIABLE}"
        )
        raise Faulty([problem(found, said)]) from None
    except NotPlain as odd:
        raise Faulty([problem(found, str(odd))]) from None
