"""The account for a match's mail: `mail.yaml`, for the GM alone, and the password, which a command prints."""

from __future__ import annotations

import os
import re
import shlex
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from adjudicator.engine.folder.errors import Faulty
from adjudicator.engine.folder.gate import NotPlain, read_plain
from adjudicator.engine.folder.names import ACCOUNT as NAME, CARD
from adjudicator.engine.folder.papers import yaml_in
from adjudicator.engine.text.problem import Problem, counted
from adjudicator.engine.text.source import MOST_BYTES, Path as Steps, Source
from adjudicator.engine.text.typed import problem_of_type
from adjudicator.gm.people import is_address, no_such_language, person_of

LOCAL = ("127.0.0.1", "localhost", "::1")
"""Hosts to which a connection may be unencrypted."""
LONGEST_TIMEOUT = 3600
PAGES = r"(https://[^\s/#?]+|http://(127\.0\.0\.1|localhost)(:\d+)?)/([^\s#?]*/)?$"
"""Addresses of pages: a folder on a host, or on this machine."""
PORTS = {"tls": (993, 465), "starttls": (143, 587), "none": (143, 25)}


class Server(Struct, frozen=True, forbid_unknown_fields=True):
    """A server: `security` is `tls`, `starttls`, or, only on this machine, `none`. Port 0 means the usual one.

    `ca` is a file with the certificate that must have signed the server's own, if that isn't one of the usual ones.
    """

    host: str
    port: int = 0
    security: Literal["tls", "starttls", "none", ""] = ""
    ca: str = ""


class Calendars(Struct, frozen=True, forbid_unknown_fields=True):
    """Calendars to subscribe to: the folder in which they are written, and the address under which that is found."""

    folder: str
    page: str


class Written(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """What `mail.yaml` may hold: how mail comes and goes, over servers, or by a Maildir and a command that sends.

    `address` is the GM's (`from` in the file). `plus`: the server delivers `gm+anything@` to it. `copies`: a copy of
    each mail goes to the account, so that the program can see after a crash whether the mail went. `evidence`: the keys
    of mails' own signatures are looked up and kept. `timeout` is in seconds. `page` is the address of the page of links
    (`adjudicator page`), to which mails then lead. `place` is the folder that the file is for (`for` in the file); a
    file in a match's folder needs it if it names a command. `language` is that of the matches that are begun beside it,
    and `templates` the folder with the group's own words for them.
    """

    address: str = msgspec.field(name="from")
    imap: Server | None = None
    smtp: Server | None = None
    user: str = ""
    password_command: str = ""
    auth: Literal["password", "oauth2"] = "password"
    folder: str = "INBOX"
    maildir: str = ""
    sendmail: str = ""
    notify: str = ""
    observers: tuple[str, ...] = ()
    standby: tuple[str, ...] = ()
    calendars: Calendars | None = None
    page: str = ""
    plus: bool = True
    evidence: bool = False
    copies: bool = True
    timeout: int = 30
    place: str = msgspec.field(name="for", default="")
    language: str = ""
    templates: str = ""


class Account(Written, frozen=True):
    """An account that can be used; `file` is the file that it was read from."""

    file: str = ""

    @property
    def host(self) -> str:
        """The part of the address after the @."""
        return self.address.rpartition("@")[2]


def account_of(match: Path) -> Account:
    """The account of a match: its own `mail.yaml`, else the one in the folder that holds the match. Raises Faulty."""
    if not match.is_dir():
        said = "this is a file, not a match folder" if match.exists() else "there is no such folder"
        raise Faulty([Problem(str(match), 0, 0, "MATCH", said)])
    for file in (match / NAME, match.absolute().parent / NAME):
        if os.path.lexists(file):
            return account_in(file)
    said = f"there is no {NAME} here, which names the mail account; docs/mail.md says how to write it"
    raise Faulty([Problem(str(match / NAME), 0, 0, "MAIL", said)])


def account_in(file: Path) -> Account:
    """The account in a file. Raises Faulty with all that is wrong, also if others can read the file."""
    try:
        text = read_plain(file)
        found_there = file.stat()
    except (NotPlain, OSError) as error:
        raise Faulty([Problem(str(file), 0, 0, "MAIL", f"can't be read ({error})")]) from None
    if os.name == "posix" and found_there.st_uid != os.geteuid():
        raise Faulty(
            [Problem(str(file), 0, 0, "MAIL", "it belongs to another user of this machine, and isn't used")]
        )
    if os.name == "posix" and found_there.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        said = f"other users of this machine can read or change it: chmod 600 {file}"
        raise Faulty([Problem(str(file), 0, 0, "MAIL", said)])
    source = yaml_in(text, str(file), MOST_BYTES)
    try:
        found = msgspec.convert(source.plain, Written, strict=True)
    except msgspec.ValidationError as error:
        raise Faulty([_misread(source, error)]) from None
    every = (*_wrong(found), *_wrong_folder(found, file), *_wrong_language(found, file))
    if wrong := [_problem(source, path, said) for path, said in every]:
        raise Faulty(wrong)
    return Account(**msgspec.structs.asdict(found), file=str(file.absolute()))


def _problem(source: Source, path: Steps, said: str) -> Problem:
    """A problem with the value at a path; with the empty path, about a value that is missing."""
    mark = source.mark(path)
    return Problem(source.name, mark.line or 1, mark.column or 1, "MAIL", said)


def _misread(source: Source, error: msgspec.ValidationError) -> Problem:
    if isinstance(source.plain, dict) and "password" in source.plain:
        mark = source.mark(("password",), key=True)
        said = "write no password here, but `password-command:`, a command that prints it"
        return Problem(source.name, mark.line, mark.column, "MAIL", said)
    return problem_of_type(source, Written, error, "MAIL")


def _wrong_people(found: Written) -> Iterator[tuple[Steps, str]]:
    for index, one in enumerate(found.observers):
        if not is_address(one):
            yield ("observers", index), f"{one!a} isn't a mail address"
    for index, one in enumerate(found.standby):
        if not is_address(person_of(one).address):
            yield ("standby", index), f"{one!a} names no mail address; write 'Anna <anna@example.org>'"


def _wrong(found: Written) -> Iterator[tuple[Steps, str]]:
    """What is wrong with an account whose values have the right types, and where."""
    if not is_address(found.address):
        yield ("from",), f"{found.address!a} isn't a mail address"
    calendars = found.calendars.page if found.calendars is not None else ""
    for path, page in ((("page",), found.page), (("calendars", "page"), calendars)):
        if page and not re.match(PAGES, page):
            yield path, f"{page!a} is no address of a page: it begins with https:// and ends with /"
    yield from _wrong_people(found)
    if bool(found.imap) == bool(found.maildir):
        said = "mail comes either by `imap: {host: ...}` or in a `maildir: FOLDER`; give one of them"
        yield (("maildir",) if found.maildir else ()), said
    if bool(found.smtp) == bool(found.sendmail):
        said = "mail goes either by `smtp: {host: ...}` or through `sendmail: COMMAND`; give one of them"
        yield (("sendmail",) if found.sendmail else ()), said
    for name, server in (("imap", found.imap), ("smtp", found.smtp)):
        if server is not None:
            yield from (((name, key), f"{name}: {said}") for key, said in _wrong_server(server))
    if not 1 <= found.timeout <= LONGEST_TIMEOUT:
        yield ("timeout",), f"timeout: at least 1 second, at most {LONGEST_TIMEOUT}"
    for key in ("user", "password_command", "folder", "maildir", "sendmail", "notify"):
        if not getattr(found, key).isprintable():
            name = key.replace("_", "-")
            yield (name,), f"{name}: it has invisible characters"
    for key in ("sendmail", "notify"):
        if getattr(found, key) and not words_of(getattr(found, key)):
            yield (key,), f"{key}: {getattr(found, key)!a} isn't a command; is a quotation mark missing?"


def _wrong_folder(found: Written, file: Path) -> Iterator[tuple[Steps, str]]:
    """A match may come from anybody, with a `mail.yaml` that names commands. They run only if the GM allows it in the
    file, by the folder where the match is now. The text itself is compared: a stranger can write a path that leads to
    whatever folder the program works in (`/proc/self/cwd`)."""
    home = os.path.realpath(file.parent)
    if found.place:
        if found.place != home:
            yield ("for",), f"for: this is for {found.place!a}, and lies in {home}; write `for: {home}`"
    elif os.path.lexists(file.with_name(CARD)):
        for key in ("password_command", "sendmail", "notify", "calendars"):
            if getattr(found, key):
                name, does = key.replace("_", "-"), "writes files" if key == "calendars" else "runs a command"
                said = f"{name}: a match's own {NAME} {does} only if it names its folder"
                yield (name,), f"{said}: write `for: {home}`, or put the file beside the matches"


def _group_of(found: Written, file: Path) -> str:
    return (
        str((file.absolute().parent / Path(found.templates).expanduser()).resolve())
        if found.templates
        else ""
    )


def _wrong_language(found: Written, file: Path) -> Iterator[tuple[Steps, str]]:
    if found.language and (said := no_such_language("", found.language, _group_of(found, file))):
        yield ("language",), said


def _wrong_server(server: Server) -> Iterator[tuple[str, str]]:
    if server.security == "none" and server.host not in LOCAL:
        yield "security", f"without TLS the password could be read on its way to {server.host}"
    if not 0 <= server.port < 65536:
        yield "port", f"there is no port {server.port}"
    if not _is_host(server.host):
        yield "host", f"{server.host!a} isn't the name of a server"
    if not server.ca.isprintable():
        yield "ca", f"{server.ca!a} can't be the name of a file"


def _is_host(name: str) -> bool:
    """Can a server have this name? For any other name Python raises an error that isn't an OSError."""
    try:
        return bool(name.encode("idna")) and name.isprintable()
    except UnicodeError:
        return False


def words_of(command: str) -> list[str]:
    """The words of a command, as a shell splits them; none if it can't be split, or if the first word is empty."""
    try:
        words = shlex.split(command)
    except ValueError:
        return []
    return words if words and words[0] else []


def port_and_security(server: Server, *, outgoing: bool) -> tuple[int, str]:
    """The port of a server, and how the connection is secured: `tls`, `starttls` or `none`."""
    place = int(outgoing)
    known = {ports[place]: name for name, ports in PORTS.items() if name != "none"}
    security = server.security or known.get(
        server.port, "starttls" if outgoing and not server.port else "tls"
    )
    return server.port or PORTS[security][place], security


def server_in_words(server: Server, *, outgoing: bool) -> str:
    """A server as messages name it: host, port, and how the connection is secured."""
    port, security = port_and_security(server, outgoing=outgoing)
    how = {"tls": "TLS", "starttls": "STARTTLS", "none": "unencrypted"}[security]
    return f"{server.host}, port {port} ({how})"


def password_of(account: Account) -> str:
    """The password, or with `auth: oauth2` the token: the first line that the command prints. Raises Faulty."""
    if not account.password_command:
        return ""
    try:
        ran = subprocess.run(
            account.password_command,
            shell=True,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=account.timeout,
            check=False,
        )
    except (subprocess.TimeoutExpired, OSError) as error:
        said = (
            f"it didn't end within {counted(account.timeout, 'second')}"
            if not isinstance(error, OSError)
            else str(error)
        )
        raise Faulty([Problem(account.file, 0, 0, "MAIL", f"password-command: {said}")]) from None
    word = ran.stdout.decode(errors="replace").split("\n")[0].rstrip("\r")
    if ran.returncode or not word:
        said = f"password-command: it ended with status {ran.returncode} and printed no password"
        raise Faulty([Problem(account.file, 0, 0, "MAIL", said)])
    return word
