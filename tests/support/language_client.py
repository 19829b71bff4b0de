"""An editor for tests: it starts `learnings lsp` as a program and speaks the protocol with it.

It follows the specification without the server's library, so that both cannot make the same
mistake. It keeps every message.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.support.command import Command

SECONDS = 30
Json = Any
CAPABILITIES = {
    "workspace": {"workspaceEdit": {"documentChanges": True}},
    "textDocument": {
        "publishDiagnostics": {"codeDescriptionSupport": True, "versionSupport": True},
        "hover": {"contentFormat": ["markdown"]},
    },
}


def framed(message: Json) -> bytes:
    """Return a message as it is sent."""
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


class Editor:
    """What an editor says about documents, each named by its path in the root or by its URI."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.number = 0
        self.versions: dict[str, int] = {}

    def send(self, message: Json) -> None:
        raise NotImplementedError

    def request(self, method: str, params: Json = None) -> Json:
        """Send a request and return its number."""
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        return self.number

    def notify(self, method: str, params: Json = None) -> None:
        self.send({"method": method, "params": params})

    def uri(self, place: str) -> str:
        return place if ":" in place else (self.root / place).as_uri()

    def initialize(self, **capabilities: Json) -> Json:
        params = {
            "processId": None,
            "rootUri": self.root.as_uri(),
            "capabilities": {**CAPABILITIES, **capabilities},
            "workspaceFolders": None,
        }
        return self.request("initialize", params)

    def open(self, place: str, text: str) -> None:
        self.versions[place] = 0
        names = {"uri": self.uri(place), "languageId": "markdown", "version": 0}
        self.notify("textDocument/didOpen", {"textDocument": {**names, "text": text}})

    def change(self, place: str, *changes: Json) -> None:
        """Send changes of a document: its whole text, or documents of the protocol."""
        self.versions[place] += 1
        document = {"uri": self.uri(place), "version": self.versions[place]}
        listed = [{"text": each} if isinstance(each, str) else each for each in changes]
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": listed})

    def save(self, place: str) -> None:
        self.notify("textDocument/didSave", {"textDocument": {"uri": self.uri(place)}})

    def close(self, place: str) -> None:
        self.notify("textDocument/didClose", {"textDocument": {"uri": self.uri(place)}})

    def hover(self, place: str, line: int) -> Json:
        position = {"line": line, "character": 0}
        params = {"textDocument": {"uri": self.uri(place)}, "position": position}
        return self.request("textDocument/hover", params)

    def actions(self, place: str, line: int, *only: str) -> Json:
        at = {"line": line, "character": 0}
        context = {"diagnostics": [], **({"only": only} if only else {})}
        params: Json = {"textDocument": {"uri": self.uri(place)}, "context": context}
        return self.request(
            "textDocument/codeAction", {**params, "range": {"start": at, "end": at}}
        )

    def execute(self, command: Mapping[str, Json]) -> Json:
        """Make the server run the command of an action."""
        names = {"command": command["command"], "arguments": command["arguments"]}
        return self.request("workspace/executeCommand", names)


class LanguageClient(Editor):
    """An editor that waits for each result."""

    def __init__(self, root: Path, process: subprocess.Popen[bytes]) -> None:
        super().__init__(root)
        self._process = process
        self._received: queue.Queue[Json] = queue.Queue()
        self._later: list[Json] = []
        self.kept: list[Json] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        while header := self._process.stdout.readline():
            name, _, size = header.partition(b": ")
            assert name == b"Content-Length", header
            while self._process.stdout.readline() != b"\r\n":
                pass
            self._received.put(json.loads(self._process.stdout.read(int(size))))
        self._received.put(None)

    def send(self, message: Json) -> None:
        self.send_bytes(framed(message))

    def send_bytes(self, data: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(data)
        self._process.stdin.flush()

    def request(self, method: str, params: Json = None) -> Json:
        """Send a request and return its result."""
        number = super().request(method, params)
        answer = self.receive(lambda message: message.get("id") == number)
        assert "error" not in answer, answer
        return answer["result"]

    def receive(self, wanted: Callable[[Json], object]) -> Json:
        """Return the next wanted message; keep others, except diagnostics, for later calls."""
        for index, message in enumerate(self._later):
            if wanted(message):
                return self._later.pop(index)
        while True:
            try:
                message = self._received.get(timeout=SECONDS)
            except queue.Empty:
                message = None
            assert message is not None, f"the server says no more: {self.kept[-5:]}"
            self.kept.append(message)
            if wanted(message):
                return message
            if message.get("method") != "textDocument/publishDiagnostics":
                self._later.append(message)

    def diagnostics(self, place: str) -> list[Json]:
        """Return the next diagnostics of a document, for the version that was sent last."""
        version = self.versions[place]

        def is_about(message: Json) -> bool:
            params = message.get("params", {})
            is_it = message.get("method") == "textDocument/publishDiagnostics"
            is_here = is_it and params["uri"] == self.uri(place)
            return bool(is_here and params.get("version", version) == version)

        found: list[Json] = self.receive(is_about)["params"]["diagnostics"]
        return found

    def rules(self, place: str) -> list[tuple[str, int, int]]:
        """Return the rule and the start of each of the next diagnostics of a document."""
        found = self.diagnostics(place)
        return [(d["code"], *d["range"]["start"].values()) for d in found]

    def told(self, method: str) -> str:
        """Return the next message for the log or for the user."""
        params = self.receive(lambda message: message.get("method") == f"window/{method}")["params"]
        return str(params["message"])

    def end(self) -> int:
        """Shut the server down and return its exit code."""
        assert self.request("shutdown") is None
        self.notify("exit")
        return self._process.wait(timeout=SECONDS)


@contextmanager
def language_client(
    folder: Path, *words: str, may_complain: bool = False
) -> Iterator[LanguageClient]:
    """Start the server in a folder; it must not write to standard error unless it may complain."""
    with subprocess.Popen(
        [Command("learnings").path, *(words or ["lsp"])],
        cwd=folder,
        env={**os.environ, "PYTHONWARNINGS": "error"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            yield LanguageClient(folder, process)
            assert process.stdin is not None
            process.stdin.close()
            process.wait(timeout=SECONDS)
            assert process.stderr is not None
            said = process.stderr.read().decode()
            assert may_complain or said == "", said
        finally:
            process.kill()
