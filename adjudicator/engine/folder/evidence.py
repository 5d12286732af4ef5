"""A player's signature of a sheet, made with an SSH key: what is signed, and whether a signature is right."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from adjudicator.engine.text.extras import how_to_install, reading_a_strangers

NAMESPACE = "adjudicator"
"""What such signatures are for, so that none made for something else counts."""


class Missing(Exception):
    """The library isn't installed; the text says how to install it."""

    def __init__(self) -> None:
        super().__init__(f"sshsig ({how_to_install('git')})")


class Signed(Struct, frozen=True, forbid_unknown_fields=True):
    """A kept signature: by which public key, and the signature itself, as `ssh-keygen -Y sign` writes it."""

    key: str
    signature: str


def statement(match: str, phase: str, player: str, kind: str, digest: str) -> bytes:
    """What a player signs: that these `sheets` or `answers`, by their SHA-256, are the player's, and for what."""
    return "\n".join(("adjudicator", match, phase, player, kind, digest, "")).encode()


def is_signed(signed: Signed, text: bytes) -> bool:
    """Is the signature one of that text by its key? Raises Missing."""
    library = _sshsig()
    try:
        with reading_a_strangers():
            keys = [library.PublicKey.from_openssh_str(signed.key)]
            library.verify(text, signed.signature, keys, NAMESPACE)
    except ValueError:
        return False
    return True


def is_public_key(key: str) -> bool:
    """Can signatures be checked by this SSH key? Raises Missing."""
    library = _sshsig()
    try:
        with reading_a_strangers():
            library.PublicKey.from_openssh_str(key)
    except ValueError:
        return False
    return True


def _sshsig() -> Any:
    try:
        import sshsig
    except ImportError:
        raise Missing from None
    return sshsig
