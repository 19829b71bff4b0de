"""The common base of the parts of the harness: numbered cases, and a work folder."""

from __future__ import annotations

import shutil
import signal
import traceback
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import ClassVar, Self

from tests.support.command import Completed

HANGS = 60  # seconds, after which a command is stopped whatever it does


class Part(ABC):
    """One kind of attack.

    The seed and the number of a case (from 0) determine it, so it can be repeated. Its files are in
    `folder` until the next case. `counts` has the tried cases.
    """

    name: ClassVar[str]

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder / self.name / "case"
        self.templates = folder / self.name
        self.templates.mkdir(parents=True)
        self.counts: Counter[str] = Counter()
        self._seed = seed

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:  # noqa: B027  (some have started nothing)
        """End the processes that the part has started."""

    @abstractmethod
    def case(self, number: int) -> list[str]:
        """Try a case; return the problems, each in one or more lines."""

    def tried(self, number: int) -> list[str]:
        """Try a case; an exception is also a problem."""
        try:
            return self.case(number)
        except (Exception, TookTooLong):  # noqa: BLE001  (whatever it is, it is reported)
            return [traceback.format_exc()]

    def random(self, *names: object) -> Random:
        """Return the random generator of a case, or of the given names."""
        return Random(":".join(map(str, (self._seed, self.name, *names))))

    def renew(self, template: Path) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(template, self.folder, symlinks=True)


def unsound(completed: Completed, *, codes: tuple[int, ...] = (0, 1, 2)) -> list[str]:
    """Return what no run may show: a bug, a traceback, an error that is not one sentence."""
    problems = []
    if completed.code not in codes:
        problems.append(f"exit code {completed.code}: {completed.err[-3000:]}")
    elif "Traceback (most recent call last)" in completed.err + completed.out:
        problems.append(f"a traceback: {completed.err[-3000:]}")
    elif completed.code == 2 and not is_sentence(completed.err):
        problems.append(f"exit code 2 without one sentence: {completed.err!r}")
    return problems


def is_sentence(text: str) -> bool:
    """Return True if standard error ends in a problem in one line; notes may precede it."""
    lines = text.splitlines()
    return bool(lines) and text.endswith("\n") and all(x.startswith("learnings: ") for x in lines)


class TookTooLong(BaseException):
    """A command does not come to an end; it is no Exception, so that none of ours catches it."""


@contextmanager
def stopped_in_time() -> Iterator[None]:
    """Raise TookTooLong in a command that does not come to an end."""

    def stop(*_: object) -> None:
        raise TookTooLong(f"a command takes more than {HANGS} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(HANGS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
