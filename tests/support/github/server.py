"""The stand-in for GitHub: a server on loopback with the state of a repository, and with faults."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, Self
from urllib.parse import parse_qsl, unquote, urlsplit

from tests.support.github.contract import Contract
from tests.support.github.forge import NAME, OWNER, Answer, Forge, gone, not_found, refused

TOKEN = "ghs_of-the-tests-and-nothing-else"
BASE = f"/repos/{OWNER}/{NAME}"


class Fault(NamedTuple):
    """What goes wrong, for the requests whose `METHOD /path` matches, `times` times.

    `handled`: the request is carried out all the same. `answer` None: the connection is dropped.
    `wait` seconds pass before anything, `drip` between the bytes of an answer that never ends.
    `breaks_off`: the connection ends in the middle of the answer.
    """

    matching: str
    answer: Answer | None = None
    handled: bool = False
    times: int = 1
    wait: float = 0.0
    drip: float = 0.0
    breaks_off: bool = False


class Seen(NamedTuple):
    """A request that arrived: headers by lower-case name, and the status that it got (0: none)."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: Any
    status: int


@dataclass
class GitHub:
    """The stand-in while it runs: its state, what it has seen, and what was wrong with that."""

    forge: Forge = field(default_factory=Forge)
    contract: Contract | None = None
    token: str = TOKEN
    seen: list[Seen] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    before: Callable[[str, str], object] = lambda _method, _path: None
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def url(self) -> str:
        """The address that a client is given as that of the API."""
        return self.forge.address

    @property
    def writes(self) -> list[str]:
        """The requests that were meant to change something, as `METHOD path`."""
        return [f"{seen.method} {seen.path}" for seen in self.seen if seen.method != "GET"]

    def forget(self) -> None:
        """Forget the requests that arrived until now."""
        self.seen.clear()

    def fault_for(self, line: str) -> Fault | None:
        """Take the first fault that is meant for a request."""
        with self.lock:
            for index, fault in enumerate(self.faults):
                if re.search(fault.matching, line):
                    left = fault._replace(times=fault.times - 1)
                    self.faults[index : index + 1] = [left] if left.times else []
                    return fault
        return None


@contextmanager
def serving(contract: Contract | None = None) -> Iterator[GitHub]:
    """Run a stand-in for as long as the context lasts."""
    github = GitHub(contract=contract)
    server = _Server(("127.0.0.1", 0), _handler(github))
    github.forge.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield github
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False  # a client may keep its connection for as long as it likes

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401
        """A client that has gone is nobody's fault."""


def _handler(github: GitHub) -> type[BaseHTTPRequestHandler]:
    return type("Handler", (_Handler,), {"github": github})


class _Handler(BaseHTTPRequestHandler):
    github: GitHub
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # an answer in one piece: two of them wait 40 ms for each other

    def do_GET(self) -> None:
        self._serve()

    do_POST = do_PATCH = do_PUT = do_DELETE = do_GET  # noqa: N815

    def log_message(self, *_: Any) -> None:  # noqa: ANN401
        """Tests read `seen` instead."""

    def _serve(self: Self) -> None:
        split = urlsplit(self.path)
        data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = json.loads(data) if data else None
        query = dict(parse_qsl(split.query))
        fault = self.github.fault_for(f"{self.command} {split.path}")
        answer = self._under(fault, split.path, query, body)
        seen = Seen(
            self.command,
            split.path,
            query,
            {name.lower(): value for name, value in self.headers.items()},
            body,
            answer.status if answer else 0,
        )
        self.github.seen.append(seen)
        if answer is None:
            self.close_connection = True
            return
        if fault and fault.drip:
            self._drip(fault.drip)
        self._send(answer, breaks_off=bool(fault and fault.breaks_off))

    def _under(
        self,
        fault: Fault | None,
        path: str,
        query: Mapping[str, str],
        body: Any,  # noqa: ANN401
    ) -> Answer | None:
        if fault is None:
            return self._judged(path, query, body)
        time.sleep(fault.wait)
        is_answered = fault.wait or fault.drip or fault.breaks_off
        done = self._judged(path, query, body) if fault.handled or is_answered else None
        return fault.answer or (done if is_answered else None)

    def _judged(self, path: str, query: Mapping[str, str], body: Any) -> Answer:  # noqa: ANN401
        self.github.before(self.command, path)
        contract, problems = self.github.contract, self.github.problems
        if not self.headers.get("User-Agent"):
            problems.append(f"{self.command} {path} has no User-Agent, which GitHub refuses")
        operation = contract.operation(self.command, path) if contract else None
        if contract and operation is None:
            problems.append(f"{self.command} {path} is nothing that is described")
        if contract and operation:
            problems += contract.wrong_request(operation, query, body)
        with self.github.lock:
            answer = self._answer(path, query, body)
        if contract and operation and path != BASE:  # of a repository only one field is served
            problems += contract.wrong_answer(operation, answer.status, answer.body)
        return answer

    def _answer(  # noqa: C901, PLR0911  (a line for each operation)
        self,
        path: str,
        query: Mapping[str, str],
        body: Any,  # noqa: ANN401
    ) -> Answer:
        forge = self.github.forge
        if self.headers.get("Authorization") != f"Bearer {self.github.token}":
            return refused(401, "Bad credentials")
        if not path.startswith(BASE):
            return not_found()
        match self.command, path.removeprefix(BASE).strip("/").split("/"):
            case "GET", [""]:
                return forge.repository()
            case "POST" | "PATCH", ["issues", *_] if not forge.has_issues:
                return gone()
            case "GET", ["issues"]:
                return forge.list_issues(query)
            case "POST", ["issues"]:
                return forge.create_issue(body)
            case method, ["issues", number, *rest] if int(number) in forge.issues:
                return self._about(method, int(number), rest, query, body)
            case "POST", ["labels"]:
                return forge.create_label(body)
            case "GET", ["git", "ref", name]:
                return forge.branch(unquote(name))
            case "GET", ["labels", name]:
                return forge.find_label(unquote(name))
        return not_found()

    def _about(
        self,
        method: str,
        number: int,
        rest: list[str],
        query: Mapping[str, str],
        body: Any,  # noqa: ANN401
    ) -> Answer:
        forge, issue = self.github.forge, self.github.forge.issues[number]
        match method, rest:
            case "GET", []:
                return Answer(200, forge.as_issue(issue))
            case "PATCH", []:
                return forge.change_issue(issue, body)
            case "GET", ["comments"]:
                return forge.list_comments(issue, query)
            case "POST", ["comments"]:
                return forge.create_comment(issue, body)
        return not_found()

    def _drip(self, seconds: float) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "1000000")
        self.end_headers()
        while True:  # until the other end has gone
            self.wfile.write(b" ")
            self.wfile.flush()
            time.sleep(seconds)

    def _send(self, answer: Answer, *, breaks_off: bool = False) -> None:
        raw = answer.body if isinstance(answer.body, bytes) else None
        data = b"" if answer.body is None else raw or json.dumps(answer.body).encode()
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data[: len(data) // 2] if breaks_off else data)
        self.close_connection = self.close_connection or breaks_off
