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
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

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


class LanguageClient:
    """An editor with open documents; `lines` units are those of the requested encoding."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._received: queue.Queue[Json] = queue.Queue()
        self._number = 0
        self._later: list[Json] = []
        self.kept: list[Json] = []
        self.texts: dict[str, str] = {}
        self._versions: dict[str, int] = {}
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
        """Send one message."""
        self.send_bytes(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def send_bytes(self, body: bytes) -> None:
        """Send one raw message."""
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._process.stdin.flush()

    def notify(self, method: str, params: Json) -> None:
        """Send a notification."""
        self.send({"method": method, "params": params})

    def request(self, method: str, params: Json = None) -> Json:
        """Send a request and return its result."""
        self._number += 1
        self.send({"id": self._number, "method": method, "params": params})
        answer = self.receive(lambda message: message.get("id") == self._number)
        assert "error" not in answer, answer
        return answer["result"]

    def receive(self, wanted: Any) -> Json:  # noqa: ANN401  (a function of a message)
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

    def initialize(
        self, *folders: Path, encodings: Sequence[str] = (), **capabilities: Json
    ) -> Json:
        """Begin a session and return the capabilities of the server."""
        general = {"general": {"positionEncodings": [*encodings]}} if encodings else {}
        params = {
            "processId": os.getpid(),
            "rootUri": folders[0].as_uri() if folders else None,
            "capabilities": {**CAPABILITIES, **general, **capabilities},
            "workspaceFolders": [{"uri": f.as_uri(), "name": f.name} for f in folders],
        }
        result = self.request("initialize", params)
        self.notify("initialized", {})
        return result["capabilities"]

    def open(self, place: Path | str, text: str | None = None) -> str:
        """Open a file, or a document at a URI; return the URI."""
        uri = place if isinstance(place, str) else place.as_uri()
        if text is None:
            # As editors do: keep line ends, drop a byte order mark.
            text = cast("Path", place).read_bytes().decode("utf-8-sig")
        self.texts[uri], self._versions[uri] = text, 1
        document = {"uri": uri, "languageId": "markdown", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})
        return uri

    def change(self, uri: str, text: str) -> None:
        """Replace the text of a document."""
        self._versions[uri] += 1
        self.texts[uri] = text
        document = {"uri": uri, "version": self._versions[uri]}
        changes = [{"text": text}]
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})

    def save(self, uri: str) -> None:
        """Notify the server that a document was saved."""
        self.notify("textDocument/didSave", {"textDocument": {"uri": uri}})

    def close(self, uri: str) -> None:
        """Close a document."""
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def diagnostics(self, uri: str) -> list[Json]:
        """Return the next diagnostics of a document, for the version that was sent last."""

        def is_about(message: Json) -> bool:
            if message.get("method") != "textDocument/publishDiagnostics":
                return False
            params = message["params"]
            version = params.get("version", self._versions.get(uri))
            return bool(params["uri"] == uri and version == self._versions.get(uri))

        return cast("list[Json]", self.receive(is_about)["params"]["diagnostics"])

    def rules(self, uri: str) -> list[tuple[str, int, int]]:
        """Return the rule and the start of each of the next diagnostics of a document."""
        found = self.diagnostics(uri)
        return [(d["code"], *d["range"]["start"].values()) for d in found]

    def logged(self) -> str:
        """Return the next message of the log."""
        message = self.receive(lambda message: message.get("method") == "window/logMessage")
        return cast("str", message["params"]["message"])

    def shown(self) -> str:
        """Return the next message that is shown to the user."""
        message = self.receive(lambda message: message.get("method") == "window/showMessage")
        return cast("str", message["params"]["message"])

    def hover(self, uri: str, line: int, character: int = 0) -> str:
        """Return the hover text at a position, or ""."""
        position = {"line": line, "character": character}
        params = {"textDocument": {"uri": uri}, "position": position}
        result = self.request("textDocument/hover", params)
        return result["contents"]["value"] if result else ""

    def actions(
        self, uri: str, first: int, last: int | None = None, only: Sequence[str] = ()
    ) -> dict[str, Json]:
        """Return the actions on some lines by their titles."""
        last = first if last is None else last
        place = {
            "start": {"line": first, "character": 0},
            "end": {"line": last, "character": 0},
        }
        context: dict[str, Json] = {"diagnostics": [], **({"only": [*only]} if only else {})}
        params = {"textDocument": {"uri": uri}, "range": place, "context": context}
        actions = self.request("textDocument/codeAction", params)
        return {action["title"]: action for action in actions}

    def apply(self, uri: str, action: Mapping[str, Json]) -> str:
        """Apply the edit of an action to a document whose characters are all of one unit."""
        edit = action["edit"]
        if "changes" in edit:
            edits = edit["changes"][uri]
        else:
            (change,) = edit["documentChanges"]
            assert change["textDocument"] == {"uri": uri, "version": self._versions[uri]}
            edits = change["edits"]
        text = self.texts[uri]
        starts = [0, *(index + 1 for index, sign in enumerate(text) if sign == "\n")]
        (only,) = edits
        start, end = (
            starts[only["range"][name]["line"]] + only["range"][name]["character"]
            for name in ("start", "end")
        )
        self.change(uri, text[:start] + only["newText"] + text[end:])
        return self.texts[uri]

    def execute(self, command: Mapping[str, Json]) -> None:
        """Make the server run the command of an action."""
        names = {"command": command["command"], "arguments": command["arguments"]}
        self.request("workspace/executeCommand", names)

    def end(self) -> int:
        """Shut the server down and return its exit code."""
        assert self.request("shutdown") is None
        self.notify("exit", None)
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
            yield LanguageClient(process)
            assert process.stdin is not None
            process.stdin.close()
            process.wait(timeout=SECONDS)
            assert process.stderr is not None
            said = process.stderr.read().decode()
            assert may_complain or said == "", said
        finally:
            process.kill()
