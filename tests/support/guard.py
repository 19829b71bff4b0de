"""Keep the tests away from the checkout around them and from the network.

Fixtures have committed into the repository around them: git passes GIT_INDEX_FILE and GIT_DIR to
its hooks, and a test run from a hook inherits them.
"""

from __future__ import annotations

import ipaddress
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


class Guard:
    """An audit hook of this process; a refusal fails the test even if the exception is caught."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._open = False
        sys.addaudithook(self._watch)

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Allow reading the checkout while the context lasts; the network stays blocked."""
        before, self._open = self._open, True
        try:
            yield
        finally:
            self._open = before

    def _watch(self, event: str, arguments: tuple[object, ...]) -> None:
        if event == "subprocess.Popen" and not self._open:
            command, directory, variables = arguments[1:4]
            if touches(self.root, command, directory, variables):
                pytest.fail(f"runs git in the checkout itself: {command!r}")
        elif event == "socket.connect" and not is_local(arguments[1]):
            pytest.fail(f"opens a connection to {arguments[1]!r}")


def touches(root: Path, command: object, directory: object, variables: object) -> bool:
    """Return True if a command, as in the audit event, is git in the repository at root."""
    if not isinstance(command, (list, tuple)) or not command:
        return False
    words = [os.fsdecode(word) for word in command]
    if Path(words[0]).stem != "git" or words[1:] == ["version"]:  # GitPython asks when imported
        return False
    environment = variables if isinstance(variables, dict) else os.environ
    place = Path(
        os.fsdecode(directory) if isinstance(directory, (str, bytes, os.PathLike)) else "."
    )
    return any(belongs(root, path) for path in _places(words, place.absolute(), environment))


def belongs(root: Path, path: Path) -> bool:
    """Return True if git, started at path, would find the repository at root."""
    resolved = path.resolve()
    around = (resolved, *resolved.parents)
    if root not in around:
        return False
    return next((folder for folder in around if (folder / ".git").exists()), None) == root


def is_local(address: object) -> bool:
    """Return True if a socket address is local to this machine."""
    if not isinstance(address, tuple):
        return True  # a Unix domain socket
    host = str(address[0])
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host in {"", "localhost"}


def state_of(root: Path) -> dict[str, str]:
    """Return the state that tests could change in the repository at root; empty without one."""
    questions = {
        "HEAD": ["rev-parse", "--symbolic-full-name", "HEAD"],
        "refs": ["for-each-ref"],
        "index": ["ls-files", "--stage"],
        "configuration": ["config", "--local", "--list"],
        "worktrees": ["worktree", "list"],
    }
    if not (root / ".git").exists():
        return {}
    return {name: _ask(root, query) for name, query in questions.items()}


def _ask(root: Path, query: Sequence[str]) -> str:
    run = subprocess.run(
        ["git", "-c", f"safe.directory={root}", *query],
        cwd=root,
        env=os.environ | {"GIT_OPTIONAL_LOCKS": "0"},
        capture_output=True,
        check=False,
    )
    return run.stdout.decode(errors="replace")


def _places(words: Sequence[str], start: Path, variables: Mapping[str, str]) -> Iterator[Path]:
    here = start
    for option, value in pairwise(words):
        if option == "-C":
            here /= value
    yield here
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        if path := variables.get(name):
            yield here / path


guarded = Guard(ROOT)
