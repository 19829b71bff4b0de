"""Objects of a repository, read through one git process that lives as long as it is asked."""

from __future__ import annotations

import os
import re
from collections import OrderedDict
from collections.abc import Iterable
from subprocess import Popen
from typing import NamedTuple

from learnings.history.git import commands, process
from learnings.history.git.process import GitFailed
from learnings.history.git.repository import Repository, explained

# Where nothing is, git answers with the name, and that may look like all of this but the end.
_HEADER = re.compile(rb"([0-9a-f]{40,64}) ([a-z]+) ([0-9]+)\n")
_KEPT = 64
_MOST_UNANSWERED = 1 << 14
"""Bytes of questions that wait for an answer: far fewer than a pipe takes before it blocks."""


class Stored(NamedTuple):
    """An object: its id, its kind (`blob`, `commit`, …) and its content."""

    id: str
    kind: str
    content: bytes


class Objects:
    """Asks for objects by name: an id, or `<commit>:<path>` with no newline in the path."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._running: Popen[bytes] | None = None
        self._asked: OrderedDict[str, int] = OrderedDict()
        self._answers: dict[str, Stored | None] = {}
        self._kept: OrderedDict[str, Stored] = OrderedDict()
        self._expected: set[str] = set()

    def close(self) -> None:
        """End the process; nothing can be asked after that."""
        if self._running is not None:
            process.stop(self._running)

    def expect(self, names: Iterable[str]) -> None:
        """Ask for what will be needed soon, without waiting for the answers; once for each name.

        What is asked here is kept in memory until somebody gets it.
        """
        for name in names:
            if name not in self._expected and "\n" not in name:
                self._ask(name)

    def get(self, name: str) -> Stored | None:
        """Return an object, None where there is none; raises UntrustedHistory."""
        kept = self._kept.get(name)
        if kept is not None:
            return kept
        if name not in self._asked and name not in self._answers:
            self._ask(name)
        while name in self._asked:
            self._take_answer()
        found = self._answers.pop(name)
        if found is not None:
            self._kept[found.id] = found
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return found

    def _ask(self, name: str) -> None:
        self._expected.add(name)
        query = os.fsencode(name) + b"\n"
        while self._asked and sum(self._asked.values()) + len(query) > _MOST_UNANSWERED:
            self._take_answer()
        running = self._process()
        assert running.stdin is not None
        try:
            running.stdin.write(query)
            running.stdin.flush()
        except OSError as error:
            raise self._failure(running) from error
        self._asked[name] = len(query)

    def _take_answer(self) -> None:
        """Read the answer to the oldest question."""
        running = self._process()
        assert running.stdout is not None
        line = running.stdout.readline()
        if not line:
            raise self._failure(running)
        name, _ = self._asked.popitem(last=False)
        header = _HEADER.fullmatch(line)
        if header is None:
            self._answers[name] = None
            return
        content = running.stdout.read(int(header[3]) + 1)[:-1]
        self._answers[name] = Stored(header[1].decode("ascii"), header[2].decode("ascii"), content)

    def _process(self) -> Popen[bytes]:
        if self._running is None:
            top = self._repository.top
            self._running = process.start(commands.CONTENTS, top, interactive=True)
        return self._running

    def _failure(self, running: Popen[bytes]) -> Exception:
        _, err = running.communicate()
        return explained(GitFailed(err.decode("utf-8", "replace").strip()), self._repository.top)
