"""A server on loopback that simulates a platform: its requests, and faults in its answers."""

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
from urllib.parse import parse_qsl, urlsplit


class Answer(NamedTuple):
    """A status with its document and headers."""

    status: int
    body: Any = None
    headers: Mapping[str, str] = {}


class Request(NamedTuple):
    """A received request: headers by lower-case name; status of its response, 0 for none."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: Any
    status: int = 0


class Fault(NamedTuple):
    """A fault for the requests whose `METHOD /path` matches, `times` times.

    `handled`: the request is still carried out. `answer` None: the connection is dropped.
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


@dataclass
class StandIn:
    """A running server: the requests it has seen, and the errors in them."""

    seen: list[Request] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    before: Callable[[str, str], object] = lambda _method, _path: None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, request: Request) -> Answer:
        """Carry out a request; the caller holds the lock."""
        raise NotImplementedError

    def judged(self, request: Request) -> Answer:
        """Carry out a request, and record its errors."""
        with self.lock:
            return self.answer(request)

    @property
    def writes(self) -> list[str]:
        """Return the requests that should change something, as `METHOD path`."""
        return [f"{seen.method} {seen.path}" for seen in self.seen if seen.method != "GET"]

    def forget(self) -> None:
        """Forget all requests so far."""
        self.seen.clear()

    def fault_for(self, line: str) -> Fault | None:
        """Take the first fault for a request."""
        with self.lock:
            for index, fault in enumerate(self.faults):
                if re.search(fault.matching, line):
                    left = fault._replace(times=fault.times - 1)
                    self.faults[index : index + 1] = [left] if left.times else []
                    return fault
        return None


@contextmanager
def running(stand_in: StandIn) -> Iterator[str]:
    """Run a stand-in while the context lasts, and yield its address."""
    server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"stand_in": stand_in}))
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False  # a client may keep its connection open

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401
        """Ignore a client that has disconnected."""


class _Handler(BaseHTTPRequestHandler):
    stand_in: StandIn
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # a response in one piece: two pieces wait 40 ms for each other

    def do_GET(self) -> None:
        self._serve()

    do_POST = do_PATCH = do_PUT = do_DELETE = do_GET  # noqa: N815

    def log_message(self, *_: Any) -> None:  # noqa: ANN401
        """Tests read `seen` instead."""

    def _serve(self: Self) -> None:
        split = urlsplit(self.path)
        data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        request = Request(
            self.command,
            split.path,
            dict(parse_qsl(split.query)),
            {name.lower(): value for name, value in self.headers.items()},
            json.loads(data) if data else None,
        )
        fault = self.stand_in.fault_for(f"{self.command} {split.path}")
        answer = self._under(fault, request)
        self.stand_in.seen.append(request._replace(status=answer.status if answer else 0))
        if answer is None:
            self.close_connection = True
            return
        if fault and fault.drip:
            self._drip(fault.drip)
        self._send(answer, breaks_off=bool(fault and fault.breaks_off))

    def _under(self, fault: Fault | None, request: Request) -> Answer | None:
        if fault is None:
            return self._judged(request)
        time.sleep(fault.wait)
        is_answered = fault.wait or fault.drip or fault.breaks_off
        done = self._judged(request) if fault.handled or is_answered else None
        return fault.answer or (done if is_answered else None)

    def _judged(self, request: Request) -> Answer:
        self.stand_in.before(request.method, request.path)
        return self.stand_in.judged(request)

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
