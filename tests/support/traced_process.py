"""A process that runs our commands in children and stops each child at a file operation.

traced_runs.py starts it. Each line of its input is a request, each line of its output the answer,
both JSON. A child is a fork of this process with the modules of earlier runs: it takes
milliseconds.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import io
import json
import os
import signal
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import cache
from importlib.metadata import entry_points
from typing import Any

import learnings
from learnings.app.setup import origin
from learnings.workspace.clock import Clock
from tests.support.file_tracer import Tracer, real_write

SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER of Linux
TODAY = Clock().today()  # of all children: runs before and after midnight are compared
HOME = "https://github.com/ada.invalid/learnings"  # of the project, for the jobs of `init`
FAILURE = 70  # the exit code if the tracing itself fails; standard error has the reason
SECONDS = 60  # for one run, which then ends with -14, by SIGALRM


@cache
def _main_of(program: str) -> Callable[[list[str]], Any]:
    (script,) = entry_points(group="console_scripts", name=program)
    loaded: Callable[[list[str]], Any] = script.load()
    if loaded.__name__ == "program":  # it only adds the end of the process
        return importlib.import_module("learnings.surfaces.cli.main").main  # type: ignore[no-any-return]
    return loaded


def _in_child(request: dict[str, Any], streams: list[int]) -> int:
    """Run a command in this process, a child; return its exit code."""
    os.setsid()
    signal.alarm(SECONDS)
    for number, stream in enumerate(streams[:2], 1):
        os.dup2(stream, number)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)))
    sys.stdout, sys.stderr = (
        io.TextIOWrapper(io.BufferedWriter(io.FileIO(number, "w", closefd=False)))
        for number in (1, 2)
    )
    os.environ.clear()
    os.environ.update(request["env"])
    os.chdir(request["cwd"])
    main = _main_of(request["program"])
    setattr(Clock, "today", lambda _: TODAY)  # noqa: B010
    learnings.HOME, origin.recorded = HOME, dict
    tracer = Tracer(os.path.realpath(request["root"]), streams[2], **request["stop"])
    tracer.install()
    try:
        code = main(request["words"])
    except SystemExit as ended:
        code = ended.code
    sys.stdout.flush()
    sys.stderr.flush()
    tracer.operation("end", request["root"])
    real_write(streams[2], f"{json.dumps({'modules': [*sys.modules]})}\n".encode())
    return int(code or 0)


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    with ExitStack() as stack:
        files = [stack.enter_context(tempfile.TemporaryFile()) for _ in range(3)]
        code = os.waitstatus_to_exitcode(_forked(request, [file.fileno() for file in files]))
        for file in files:
            file.seek(0)
        out, err, rows = (file.read().decode("utf-8", "surrogateescape") for file in files)
    operations = [json.loads(line) for line in rows.splitlines()]
    if operations and isinstance(operations[-1], dict):
        for name in operations.pop()["modules"]:  # the next child finds them loaded
            importlib.import_module(name)
    return {"code": code, "out": out, "err": err, "operations": operations}


def _forked(request: dict[str, Any], streams: list[int]) -> int:
    """Run a command in a child; return its status as os.waitpid() does."""
    gc.freeze()  # otherwise the child scans, and so copies, all memory of this process
    child = os.fork()
    if child == 0:
        code = FAILURE
        try:
            code = _in_child(request, streams)
        except BaseException:  # noqa: BLE001  (whatever it is, the child ends here)
            sys.excepthook(*sys.exc_info())
            sys.stderr.flush()
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    with suppress(ChildProcessError):  # processes of a killed child may still be writing
        while True:
            os.waitpid(-child, 0)
    return status


def serve() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    for line in sys.stdin:
        sys.stdout.write(f"{json.dumps(_answer(json.loads(line)))}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()
