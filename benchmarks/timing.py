"""Whole processes timed in turn, so that other load on the machine affects all alike."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import NamedTuple

Action = Callable[[], object]
Command = tuple[Sequence[str], Path]
"""A command line, and the folder to run it in."""


def _learnings() -> list[str]:
    """Return the installed command beside the interpreter, else the module."""
    script = Path(sys.executable).with_name("learnings")
    return [str(script)] if script.exists() else [sys.executable, "-m", "learnings"]


LEARNINGS = _learnings()


@dataclass(frozen=True, slots=True)
class Timed:
    """The seconds of each counted run of one command."""

    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        return median(self.seconds)

    def __str__(self) -> str:
        low, middle, high = (f"{1000 * s:.0f}" for s in self._shown())
        return f"{middle} ms ({low} to {high})"

    def _shown(self) -> tuple[float, float, float]:
        return min(self.seconds), self.median, max(self.seconds)


def environment() -> dict[str, str]:
    """Match a normal installation: compiled modules, and a git identity for commits."""
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    roles = ("AUTHOR", "COMMITTER")
    return kept | {f"GIT_{role}_{what}": "bench" for role in roles for what in ("NAME", "EMAIL")}


def run(
    command: Sequence[str], folder: Path, *, codes: Collection[int] = (0,), **variables: str
) -> None:
    """Run a command to its end and discard its output.

    Raises CalledProcessError for any other exit code.
    """
    ended = subprocess.run(
        command,
        cwd=folder,
        env=environment() | variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    if ended.returncode not in codes:
        raise subprocess.CalledProcessError(ended.returncode, command)


def in_turn(
    runs: int,
    *commands: Command,
    before: Action = lambda: None,
    codes: Collection[int] = (0,),
) -> list[Timed]:
    """Time some commands in turn; before runs uncounted ahead of the first of them."""
    durations: list[list[float]] = [[] for _ in commands]
    for _ in range(runs):
        before()
        for seconds, (command, folder) in zip(durations, commands, strict=True):
            start = time.perf_counter()
            run(command, folder, codes=codes)
            seconds.append(time.perf_counter() - start)
    return [Timed(tuple(seconds)) for seconds in durations]


def report(title: str, mine: Timed, others: Timed, goal: float | None = None) -> None:
    """Print a line with the medians of both and their ratio."""
    aim = f" (goal: at most {goal:g})" if goal else ""
    print(f"  {title}: {mine} / {others} = {mine.median / others.median:.2f}{aim}", flush=True)


class Cost(NamedTuple):
    """Processor seconds, user and system, and the peak memory in MiB."""

    seconds: float
    memory: float


def cost_of(runs: int, command: Sequence[str], folder: Path) -> Cost:
    """Return the medians over several runs of a command."""
    costs = [_cost(command, folder) for _ in range(runs)]
    return Cost(median(cost.seconds for cost in costs), median(cost.memory for cost in costs))


def _cost(command: Sequence[str], folder: Path) -> Cost:
    quiet = subprocess.DEVNULL
    with subprocess.Popen(
        command, cwd=folder, env=environment(), stdin=quiet, stdout=quiet, stderr=quiet
    ) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
