"""Signatures of players' sheets by SSH keys: made by `ssh-keygen`, checked by the referee, kept as evidence."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.evidence import NAMESPACE, is_public_key

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
