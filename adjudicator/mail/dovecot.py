"""A real mail server of one's own on the loopback, for demos and tests: Dovecot, run as an ordinary user.

The tests run with the settings of 2.3 on Debian 12. The settings of 2.4, which Debian 13 has, follow its documentation
and are untried: if Dovecot refuses them, NotStarted gives its own words.
"""

from __future__ import annotations

import os
import shutil
import signal
import smtplib
import socket
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

HOST = "127.0.0.1"
PROGRAM = shutil.which("dovecot", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
"""Dovecot; None where it isn't installed."""
PARTS = ("imap", "lmtp")
"""The parts that are needed; in Debian each is a package of its own."""
COMMON = """
base_dir = {home}/run
state_dir = {home}/state
log_path = {home}/log
protocols = imap lmtp
listen = 127.0.0.1
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
first_valid_uid = 1
ssl = no
recipient_delimiter = +
service anvil {{
  chroot =
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
"""
OLD = """
disable_plaintext_auth = no
passdb {{
  driver = passwd-file
  args = {home}/users
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={home}/home/%u
}}
mail_location = maildir:~/Maildir
service lmtp {{
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {lmtp}
  }}
}}
"""
NEW = """
auth_allow_cleartext = yes
passdb passwd-file {{
  passwd_file_path = {home}/users
}}
userdb static {{
  fields {{
    uid = {uid}
    gid = {gid}
    home = {home}/home/%{{user}}
  }}
}}
mail_driver = maildir
mail_path = ~/Maildir
namespace inbox {{
  inbox = yes
  separator = /
}}
service lmtp {{
  inet_listener lmtp {{
    listen = 127.0.0.1
    port = {lmtp}
  }}
}}
"""
FIRST = """
dovecot_config_version = 2.4.0
dovecot_storage_version = 2.4.0
"""
"""The first lines of a file for 2.4. A later 2.4 then reads it by the rules of 2.4.0."""
SETTINGS = {"2.3": COMMON + OLD, "2.4": FIRST + COMMON + NEW}
"""The settings by version: 2.4 renamed most of them."""


def missing_parts() -> str:
    """The parts of Dovecot that aren't installed, with their Debian packages; empty if all are there."""
    parts = [part for part in PARTS if not _has(part)]
    if not parts:
        found = version()
        known = " or ".join(SETTINGS)
        return (
            "" if settings_for(found) else f"Dovecot {known} (this is {found}, whose settings may be others)"
        )
    what = "Dovecot" if PROGRAM is None else f"Dovecot's {' and '.join(parts).upper()}"
    return f"{what} (Debian and Ubuntu: apt install {' '.join(f'dovecot-{part}d' for part in parts)})"


def settings_for(found: str) -> str:
    """The settings for a version such as `2.4.1-4`, as a format string; empty if none are known."""
    return next((text for name, text in SETTINGS.items() if found.startswith(f"{name}.")), "")


def version() -> str:
    """Which Dovecot is installed: `2.3.19.1`."""
    ran = subprocess.run([str(PROGRAM), "--version"], capture_output=True, text=True, check=False)
    return ran.stdout.split(" ")[0].strip() or "an unknown one"


def _has(part: str) -> bool:
    if PROGRAM is None:
        return False
    folders = ("/usr/lib/dovecot", "/usr/libexec/dovecot", "/usr/local/libexec/dovecot")
    return any((Path(folder) / part).exists() for folder in folders)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as found:
        found.bind((HOST, 0))
        return int(found.getsockname()[1])


class NotStarted(Exception):
    """Dovecot ended as soon as it was started; the text is its own."""


class Dovecot:
    """A server with mailboxes for these addresses, all with one password. Started by root, it runs as `nobody`.

    Raises NotStarted with its log if it ends at once. Closing it deletes its files.
    """

    def __init__(self, users: Sequence[str], password: str) -> None:
        import pwd  # not on Windows, where there is no Dovecot either

        self.home = Path(tempfile.mkdtemp(prefix="dovecot-"))
        self.imap, self.lmtp = free_port(), free_port()
        name = "nobody" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
        user = pwd.getpwnam(name)
        group = subprocess.run(["id", "-gn", name], capture_output=True, text=True, check=True).stdout.strip()
        facts = {"home": self.home, "user": name, "group": group, "uid": user.pw_uid, "gid": user.pw_gid}
        for folder in ("run", "state", "home"):
            (self.home / folder).mkdir()
        lines = "".join(f"{each}:{{PLAIN}}{password}\n" for each in users)
        (self.home / "users").write_text(lines, encoding="utf-8")
        text = settings_for(version()).format(**facts, imap=self.imap, lmtp=self.lmtp)
        (self.home / "conf").write_text(text, encoding="utf-8")
        as_user: dict[str, Any] = {}
        if os.geteuid() == 0:
            for path in (self.home, *self.home.rglob("*")):
                os.chown(path, user.pw_uid, user.pw_gid)
            as_user = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        with (self.home / "errors").open("wb") as errors:
            command = [str(PROGRAM), "-F", "-c", str(self.home / "conf")]
            self.process = subprocess.Popen(
                command, stdout=subprocess.DEVNULL, stderr=errors, start_new_session=True, **as_user
            )
        try:
            self._wait()
        except BaseException:
            self.close()
            raise

    def _wait(self) -> None:
        """Waits until the server listens; a server that can't do so ends by itself."""
        while self.process.poll() is None:
            with socket.socket() as door:
                if door.connect_ex((HOST, self.imap)) == 0:
                    return
            os.sched_yield()
        said = [self.home / name for name in ("errors", "log") if (self.home / name).exists()]
        raise NotStarted(
            "".join(path.read_text(encoding="utf-8") for path in said).strip() or "it said nothing"
        )

    def deliver(self, data: bytes, to: Iterable[str]) -> None:
        """Delivers a mail to some of its mailboxes. Raises OSError, also for an unknown mailbox."""
        for each in to:  # one by one: LMTP answers for each address, but smtplib reads only the first answer
            with smtplib.LMTP(HOST, self.lmtp) as way:
                way.sendmail("someone@example.net", [each], data)

    def close(self) -> None:
        """Kills the server and its helpers (an orderly stop takes a second), and deletes its files."""
        with suppress(ProcessLookupError):  # the server has ended by itself
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        shutil.rmtree(self.home, ignore_errors=True)
