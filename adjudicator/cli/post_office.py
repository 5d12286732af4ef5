"""The post office of `demo --mail`, on this machine: Dovecot keeps the mailboxes, an SMTP server takes mail for
them, and bots write mails as people do.

Dovecot runs as an ordinary user. The tests run with the settings of 2.3 on Debian 12. The settings of 2.4, which Debian
13 has, follow its documentation and are untried: if Dovecot refuses them, NotStarted gives its own words.

The SMTP server is aiosmtpd, from the extra `demo`. It asks for the password, as real ones do.
"""

from __future__ import annotations

import asyncio
import email
import email.policy
import html
import imaplib
import logging
import os
import secrets
import shutil
import signal
import smtplib
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from email.message import EmailMessage
from email.utils import localtime, make_msgid
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from adjudicator.engine.text.resources import how_to_install
from adjudicator.mail.account import Account, account_in

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
ACCOUNT = """from: {address}
imap: {{host: {host}, port: {imap}, security: none}}
smtp: {{host: {host}, port: {smtp}, security: none}}
password-command: cat {word}
"""
QUOTED_LINES = 40
"""Lines of a mail that people leave under their answer; they cut off the rest."""
TYPOGRAPHIC = str.maketrans({"'": "’"})


def missing_parts() -> list[str]:
    """What isn't installed of a post office, with how to install it."""
    parts, found = [part for part in PARTS if not _has(part)], []
    if parts:
        what = "Dovecot" if PROGRAM is None else f"Dovecot's {' and '.join(parts).upper()}"
        found = [f"{what} (Debian and Ubuntu: apt install {' '.join(f'dovecot-{part}d' for part in parts)})"]
    elif not settings_for(there := version()):
        found = [f"Dovecot {' or '.join(SETTINGS)} (this is {there}, whose settings may be others)"]
    return found + ([f"aiosmtpd ({how_to_install('demo')})"] if find_spec("aiosmtpd") is None else [])


@contextmanager
def open_office(users: Sequence[str]) -> Iterator[PostOffice]:
    """A post office with these addresses, stopped at the end. Raises NotStarted if Dovecot doesn't start."""
    from aiosmtpd.controller import Controller
    from aiosmtpd.smtp import AuthResult

    logging.getLogger("mail.log").setLevel(logging.ERROR)  # without the library's warnings about its own use
    password = secrets.token_hex(16)
    server = Dovecot(users, password)
    try:
        office = PostOffice(server, users, password)

        def check_login(*given: Any) -> AuthResult:
            return AuthResult(success=given[-1].password == password.encode(), handled=False)

        controller = Controller(
            office, hostname=HOST, port=free_port(), auth_require_tls=False, authenticator=check_login
        )
        controller.start()
        office.smtp = controller.port
        try:
            yield office
        finally:
            controller.stop()
    finally:
        server.close()


class PostOffice:
    """Mailboxes for some addresses; `smtp` is the port that takes mail for them, ignoring what follows a plus."""

    def __init__(self, server: Dovecot, users: Sequence[str], password: str) -> None:
        self.dovecot, self.users, self.password = server, users, password
        self.smtp = 0

    def account(self, address: str) -> Account:
        """A user's account, read from a `mail.yaml` such as every GM writes."""
        home = self.dovecot.home
        word, file = home / "word", home / "mail.yaml"
        facts = {"address": address, "host": HOST, "imap": self.dovecot.imap, "smtp": self.smtp}
        for path, text in ((word, f"{self.password}\n"), (file, ACCOUNT.format(**facts, word=word))):
            path.write_text(text, encoding="utf-8")
            path.chmod(0o600)
        return account_in(file)

    def send(self, message: EmailMessage) -> None:
        """Sends a mail as a mail program does."""
        sender = str(message["From"])
        with smtplib.SMTP(HOST, self.smtp) as way:
            way.login(sender, self.password)
            way.send_message(message)

    def mails(self, address: str) -> list[bytes]:
        """All mails in a user's inbox, in the order in which they came."""
        with imaplib.IMAP4(HOST, self.dovecot.imap) as box:
            box.login(address, self.password)
            box.select("INBOX", readonly=True)
            numbers = box.search(None, "ALL")[1][0].split()
            found: list[Any] = [box.fetch(number.decode(), "(BODY.PEEK[])")[1][0] for number in numbers]
            return [each[1] for each in found]

    def write_files(self, address: str, folder: Path) -> list[Path]:
        """Writes a user's mails as files, `01.eml` and so on; returns their paths."""
        folder.mkdir(parents=True)
        paths = []
        for number, data in enumerate(self.mails(address), start=1):
            paths.append(folder / f"{number:02}.eml")
            paths[-1].write_bytes(data)
        return paths

    async def handle_MAIL(
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        if not session.authenticated:
            return "530 log in first"
        envelope.mail_from, envelope.mail_options = address, [*envelope.mail_options, *options]
        return "250 OK"

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        local, _, host = address.rpartition("@")
        if f"{local.partition('+')[0]}@{host}" not in self.users:
            return "550 there is no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        try:
            await asyncio.to_thread(self.dovecot.deliver, envelope.content, envelope.rcpt_tos)
        except OSError as error:  # smtplib's errors are among these
            return f"451 not now: {error.strerror or type(error).__name__}"
        return "250 taken"


def read(data: bytes) -> EmailMessage:
    """A mail's bytes as a message."""
    return email.message_from_bytes(data, policy=email.policy.default)


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


def answer_to(mail: EmailMessage, sender: str, number: str = "") -> EmailMessage:
    """An answer with its headers, as mail programs make them. `number` is its Message-ID; left out: a new one."""
    message = EmailMessage()
    message["From"], message["To"] = sender, str(mail["Reply-To"] or mail["From"])
    message["Subject"] = f"Re: {mail['Subject']}"
    message["Date"] = localtime()
    message["Message-ID"] = number or make_msgid(domain=sender.rpartition("@")[2])
    message["In-Reply-To"] = message["References"] = str(mail["Message-ID"])
    return message


def attach_sheet(message: EmailMessage, sheet: str, mail: EmailMessage) -> None:
    """Writes a word, and attaches the sheet as a file."""
    message.set_content("Hello,\n\nmy sheet is attached.\n\nBest wishes\n")
    message.add_attachment(sheet.encode(), maintype="application", subtype="yaml", filename="sheet.yaml")


def write_above(message: EmailMessage, sheet: str, mail: EmailMessage) -> None:
    """Writes the sheet between a greeting and a signature, above the mail that is answered."""
    text = f"Hi all,\n\nhere we go:\n\n{sheet}\nSee you\n\n-- \nSent with a mail program\n"
    message.set_content(f"{text}\n{_quoted(mail)}")


def write_from_phone(message: EmailMessage, sheet: str, mail: EmailMessage) -> None:
    """Writes the sheet as a phone does: with typographic apostrophes, no-break spaces and the phone's signature."""
    text = "\n".join(line.replace("  ", "\u00a0 ") for line in sheet.translate(TYPOGRAPHIC).split("\n"))
    message.set_content(f"{text}\nSent from my iPhone\n\n{_quoted(mail)}")


def write_as_html(message: EmailMessage, sheet: str, mail: EmailMessage) -> None:
    """Writes the sheet as HTML alone, with a `div` for each line, as webmail does it."""
    lines = (html.escape(line).replace("  ", "&nbsp; ") or "<br>" for line in sheet.splitlines())
    boxes = "".join(f"<div>{line}</div>" for line in lines)
    message.set_content(f'<div dir="ltr"><div>Dear GM,</div><div><br></div>{boxes}</div>', subtype="html")


WAYS: Mapping[str, Callable[[EmailMessage, str, EmailMessage], None]] = {
    "with the sheet attached": attach_sheet,
    "above what is answered": write_above,
    "from a phone": write_from_phone,
    "in webmail, as HTML": write_as_html,
}
"""The ways to send a sheet, by their names in the demo's lines."""


def _quoted(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    lines = str(body.get_content()).splitlines()[:QUOTED_LINES] if body is not None else []
    return "".join(f"{'> ' + line if line else '>'}\n" for line in [f"{mail['From']} wrote:", "", *lines])
