"""A process that runs our commands in children and stops each child at a file operation.

crash_points.py starts it. Each line of its input is a request, each line of its output the answer,
both JSON. A child is a fork of this process, so a run takes milliseconds: the imports and compiled
patterns of the first run are loaded here before the second.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import io
import json
import os
import re
import signal
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from learnings.workspace.clock import Clock
from tests.support.file_tracer import Tracer, real_write

SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER of Linux
TODAY = Clock().today()  # of all children: runs before and after midnight are compared
FAILURE = 70  # the exit code if the tracing itself fails; standard error has the reason


def _in_child(request: dict[str, Any], streams: dict[str, int]) -> int:
    """Run a command in this process, a child; return its exit code."""
    os.setsid()
    signal.alarm(request["seconds"])
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        os.dup2(streams[name], number)
    sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)))
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(io.FileIO(1, "w", closefd=False)))
    sys.stderr = io.TextIOWrapper(io.BufferedWriter(io.FileIO(2, "w", closefd=False)))
    os.environ.clear()
    os.environ.update(request["env"])
    os.chdir(request["cwd"])
    main = _main_of(request["program"])
    setattr(Clock, "today", lambda _: TODAY)  # noqa: B010
    tracer = Tracer(
        os.path.realpath(request["root"]),
        streams["report"],
        request["stop"],
        copies=request["copies"],
    )
    tracer.replace_functions()
    sys.addaudithook(tracer.watch)
    try:
        code = main(request["words"])
    except SystemExit as ended:
        code = ended.code
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    tracer.operation("end", request["root"])
    real_write(streams["report"], f"{json.dumps(_loaded())}\n".encode())
    return int(code or 0)


def _loaded() -> dict[str, list[Any]]:
    """Return the slow and constant parts of a child: modules, regular expressions."""
    patterns = [key[1:] for key in getattr(re, "_cache", ()) if isinstance(key[1], str)]
    return {"modules": [*sys.modules], "patterns": patterns}


@cache
def _main_of(program: str) -> Callable[[list[str]], Any]:
    (script,) = entry_points(group="console_scripts", name=program)
    loaded: Callable[[list[str]], Any] = script.load()
    if loaded.__name__ == "program":  # it only adds the end of the process
        return importlib.import_module("learnings.surfaces.cli.main").main  # type: ignore[no-any-return]
    return loaded


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    with ExitStack() as stack:
        names = ("stdin", "stdout", "stderr", "report")
        files = {name: stack.enter_context(tempfile.TemporaryFile()) for name in names}
        files["stdin"].write(request["stdin"].encode("utf-8", "surrogateescape"))
        files["stdin"].seek(0)
        status = _forked(request, {name: file.fileno() for name, file in files.items()})
        for file in files.values():
            file.seek(0)
        text = {
            name: file.read().decode("utf-8", "surrogateescape") for name, file in files.items()
        }
    rows = [json.loads(line) for line in text["report"].splitlines()]
    if rows and isinstance(rows[-1], dict):
        _load(**rows.pop())
    code = os.waitstatus_to_exitcode(status)
    return {"code": code, "out": text["stdout"], "err": text["stderr"], "operations": rows}


def _forked(request: dict[str, Any], streams: dict[str, int]) -> int:
    """Run a command in a child; return its status as os.waitpid() does."""
    _main_of(request["program"])
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
    _wait_for_group(child)
    return status


def _load(modules: list[str], patterns: list[tuple[str, int]]) -> None:
    for name in modules:
        if name not in sys.modules:
            importlib.import_module(name)
    for text, flags in patterns:
        re.compile(text, flags)


def _wait_for_group(group: int) -> None:
    """Wait for the processes of a killed child, which may still be writing."""
    with suppress(ChildProcessError):
        while True:
            os.waitpid(-group, 0)


def serve() -> None:
    """Answer requests until the input ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    for line in sys.stdin:
        sys.stdout.write(f"{json.dumps(_answer(json.loads(line)))}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()
