"""An editor without a screen: talks to yaml-language-server over its standard input and output, as editors do."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, Self

SETTINGS = {"yaml": {"validate": True, "completion": True, "hover": True, "schemaStore": {"enable": False}}}
"""The server's own defaults, but for the store of schemas on the network."""
MARK = "┃"
"""Where the cursor stands in a text."""


class Editor:
    """A running language server; `with Editor(program) as editor:`."""

    def __init__(self, program: Path) -> None:
        command = ["node", str(program), "--stdio"]
        self.server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.asked = 0
        self.opened: dict[str, int] = {}
        self.marked: dict[tuple[str, int], list[dict[str, Any]]] = {}

    def __enter__(self) -> Self:
        abilities = {
            "textDocument": {
                "completion": {
                    "completionItem": {"snippetSupport": True, "documentationFormat": ["markdown"]},
                },
                "publishDiagnostics": {"versionSupport": True},
            },
            "workspace": {"configuration": True},
        }
        self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": abilities})
        self.tell("initialized", {})
        self.tell("workspace/didChangeConfiguration", {"settings": SETTINGS})
        return self

    def __exit__(self, *_: object) -> None:
        self.ask("shutdown", None)
        self.tell("exit", None)
        self.server.wait(10)

    def show(self, file: Path, text: str) -> str:
        """Opens a file with a text that need not be saved, or changes it; returns its address."""
        address = file.resolve().as_uri()
        version = self.opened[address] = self.opened.get(address, 0) + 1
        if version == 1:
            self.tell(
                "textDocument/didOpen",
                {
                    "textDocument": {
                        "uri": address,
                        "languageId": "yaml",
                        "version": version,
                        "text": text,
                    }
                },
            )
        else:
            self.tell(
                "textDocument/didChange",
                {"textDocument": {"uri": address, "version": version}, "contentChanges": [{"text": text}]},
            )
        return address

    def problems(self, file: Path) -> list[str]:
        """What the editor underlines in what it was shown: `3:5 message`, lines and columns from 1."""
        address = file.resolve().as_uri()
        version = self.opened[address]
        while (address, version) not in self.marked:
            self._take()
        return [
            f"{each['range']['start']['line'] + 1}:{each['range']['start']['character'] + 1} {each['message']}"
            for each in self.marked[address, version]
        ]

    def offered(self, file: Path, text: str) -> dict[str, dict[str, Any]]:
        """What the editor offers where `MARK` stands in the text, by label."""
        before, after = text.split(MARK)
        address = self.show(file, before + after)
        lines = before.split("\n")
        found = self.ask(
            "textDocument/completion",
            {
                "textDocument": {"uri": address},
                "position": {"line": len(lines) - 1, "character": len(lines[-1])},
            },
        )
        items = found["items"] if isinstance(found, dict) else found or []
        return {item["label"]: item for item in items}

    def hover(self, file: Path, text: str) -> str:
        """What the editor says of the word where `MARK` stands."""
        before, after = text.split(MARK)
        address = self.show(file, before + after)
        lines = before.split("\n")
        place = {"line": len(lines) - 1, "character": len(lines[-1])}
        found = self.ask("textDocument/hover", {"textDocument": {"uri": address}, "position": place})
        return found["contents"]["value"] if found else ""

    def ask(self, method: str, params: Any) -> Any:
        """A request and its result. Raises RuntimeError if the server answers with an error."""
        self.asked += 1
        number = self.asked
        self._send({"id": number, "method": method, "params": params})
        while True:
            message = self._take()
            if message.get("id") == number and "method" not in message:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]

    def tell(self, method: str, params: Any) -> None:
        """A notification."""
        self._send({"method": method, "params": params})

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.server.stdin is not None
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.server.stdin.flush()

    def _take(self) -> dict[str, Any]:
        """The next message; requests of the server are answered here, and marks are kept."""
        assert self.server.stdout is not None
        length = 0
        while (line := self.server.stdout.readline()) not in (b"\r\n", b""):
            name, _, value = line.decode().partition(":")
            if name.lower() == "content-length":
                length = int(value)
        if not length:
            raise RuntimeError("the language server has gone")
        message: dict[str, Any] = json.loads(self.server.stdout.read(length))
        if "method" in message and "id" in message:
            self._answer(message)
        elif message.get("method") == "textDocument/publishDiagnostics":
            told = message["params"]
            version = told.get("version", self.opened.get(told["uri"], 0))
            self.marked[told["uri"], version] = told["diagnostics"]
        return message

    def _answer(self, request: dict[str, Any]) -> None:
        result: Any = None
        if request["method"] == "workspace/configuration":
            result = [SETTINGS.get(item.get("section", "")) for item in request["params"]["items"]]
        self._send({"id": request["id"], "result": result})
