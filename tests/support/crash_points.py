"""Run a command and kill it at each of its file operations, or fail each of them.

Nobody lists the operations: a first run is traced, and each of its operations gets one run.

    def test_kill(repository: GitRepository, tmp_path: Path) -> None:
        ...  # write the files, commit
        with CrashPoints(repository.path, tmp_path / "copy") as points:
            for point in points.killed("fix"):
                assert point.problems() == []

`killed` yields what a kill before each operation that changes a file leaves, in each write, and at
the end: copies of the files, all made in one run, which tests/store/test_crash_points.py compares
with those of runs that are killed. `failed` makes each operation, reads included, raise an OSError.
`point.folder` has the result of a run for further checks; the next point removes it. `problems()`
checks the contract of all our writers: each file has its old or its new content, a second run
produces the result of an undisturbed one, and nothing is left behind. The second run starts from
the files alone, so it runs once for all points that leave the same files, such as those around an
`fsync`, a `close` or a git command. After `problems()` the folder may hold either result.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Self

from tests.support.crash_states import (
    State,
    extra_files,
    fingerprint,
    is_temporary,
    make_old,
    state,
)
from tests.support.file_tracer import is_kill_point
from tests.support.traced_runs import Operation, Run, Stop, TracedProcess

_NOT_UNDONE = ("cannot be restored", "cannot be undone")
KILLED = -9
FAULTS = ("ENOSPC", "EIO", "EROFS", "EACCES")
LISTINGS = {"listdir", "scandir"}
OF_OPEN_FILES = {"write", "truncate", "fsync", "close"}


class CrashPoints:
    """The crash points of commands in a repository, tried in copies at one fixed path.

    The repository does not change. `cwd` is its folder that commands run in.
    """

    def __init__(
        self,
        repository: Path,
        copy: Path,
        *,
        cwd: str = "",
        env: Mapping[str, str] | None = None,
        process: TracedProcess | None = None,
    ) -> None:
        """Start a process for the runs, unless several of these share one."""
        self._repository, self.folder, self._cwd = repository, copy, cwd
        self._copies = copy.with_name(f"{copy.name}-at-operations")
        self._env = env or {}
        self._process = process or TracedProcess()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """End the process that runs the commands, and remove the copy."""
        self._process.__exit__()
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.rmtree(self._copies, ignore_errors=True)

    def renew(self) -> None:
        """Reset the copy to the repository."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self._repository, self.folder, symlinks=True)

    def run(
        self,
        *words: str,
        program: str = "learnings",
        stop: Stop | None = None,
        copies: Path | None = None,
    ) -> Run:
        """Run a command in the copy in its current state."""
        return self._process.run(
            words,
            cwd=self.folder / self._cwd,
            root=self.folder,
            program=program,
            env=self._env,
            stop=stop,
            copies=copies,
        )

    def undisturbed(
        self, *words: str, program: str = "learnings", copies: Path | None = None
    ) -> Undisturbed:
        """Run a command undisturbed in a new copy, then once more."""
        self.renew()
        before = state(self.folder)
        first = self.run(*words, program=program, copies=copies)
        after = state(self.folder)
        again = self.run(*words, program=program)
        return Undisturbed(before, first, after, again, extra_files(self.folder), {})

    def killed(self, *words: str, program: str = "learnings") -> Iterator[CrashPoint]:
        """Yield the state after each kill of a command."""
        shutil.rmtree(self._copies, ignore_errors=True)
        expected = self.undisturbed(*words, program=program, copies=self._copies)
        for stop in kills(expected.run.operations):
            shutil.rmtree(self.folder)
            (self._copies / f"{stop.number}-{stop.how}").rename(self.folder)
            run = Run(KILLED, "", "", expected.run.operations[: stop.number])
            yield CrashPoint(self, words, program, expected, stop, run)

    def failed(
        self, *words: str, program: str = "learnings", reading: bool = True
    ) -> Iterator[CrashPoint]:
        """Yield the state after each failed operation of a command.

        The operation fails once; on a full or read-only disk all later ones fail as well. Without
        `reading` only operations that change a file fail.
        """
        expected = self.undisturbed(*words, program=program)
        operations = [row for row in expected.run.operations if reading or row.writes]
        for stop in faults(operations):
            yield self.point(*words, program=program, expected=expected, stop=stop)

    def point(
        self, *words: str, program: str = "learnings", expected: Undisturbed, stop: Stop
    ) -> CrashPoint:
        """Run a command in a new copy and stop it."""
        self.renew()
        run = self.run(*words, program=program, stop=stop)
        return CrashPoint(self, words, program, expected, stop, run)


def kills(operations: Sequence[Operation]) -> Iterator[Stop]:
    """Yield the points to kill a run: between two operations nothing on disk changes."""
    for operation in operations:
        if is_kill_point(operation.kind, writes=operation.writes):
            yield Stop(operation.number, "kill")
        if operation.kind == "write":
            yield Stop(operation.number, "tear")


def faults(operations: Sequence[Operation]) -> Iterator[Stop]:
    """Yield the faults with which a disk can answer the operations of a run."""
    for operation in operations:
        names = ["EIO", "EACCES"]
        if operation.kind in LISTINGS:
            names = ["EIO"]  # a folder without read permission is skipped, as in git
        elif operation.kind in OF_OPEN_FILES:
            names = ["EIO", "ENOSPC"]
        elif operation.writes:
            names = [*FAULTS]
        for name in names if operation.kind != "end" else ():
            yield Stop(operation.number, name)
            if operation.writes and name in {"ENOSPC", "EROFS"}:
                yield Stop(operation.number, name, lasting=True)


class Undisturbed(NamedTuple):
    """An undisturbed command: the states before and after it, and its second run.

    second_runs holds the problems of the second runs after its points, by the files before them.
    """

    before: State
    run: Run
    after: State
    again: Run
    extra: frozenset[str]
    second_runs: dict[bytes, list[str]]


class CrashPoint(NamedTuple):
    """A stopped run: killed, or with a failed operation."""

    points: CrashPoints
    words: tuple[str, ...]
    program: str
    expected: Undisturbed
    stop: Stop
    run: Run

    @property
    def folder(self) -> Path:
        """Return the repository as the run left it."""
        return self.points.folder

    @property
    def operation(self) -> Operation:
        """Return the operation that stopped the run."""
        return self.expected.run.operations[self.stop.number - 1]

    def __str__(self) -> str:
        """Return the name of the point."""
        _, kind, path, _ = self.operation
        lasting = " and all that follow" if self.stop.lasting else ""
        command = " ".join((self.program, *self.words))
        return f"{command}: {self.stop.how} at {self.stop.number} ({kind} {path}){lasting}"

    def problems(self) -> list[str]:
        """Run the command again; return the problems after this point with its name."""
        left = state(self.folder)
        is_killed = self.run.code == KILLED
        problems = self._killed(left) if is_killed else self._ended(left)
        known = left in (self.expected.before, self.expected.after)
        if is_killed or not known or extra_files(self.folder) - self.expected.extra:
            problems += self._second_run()
        return [f"{self}: {problem}" for problem in problems]

    def _killed(self, left: State) -> list[str]:
        return [
            f"{path} is neither what it was nor what it is to become"
            for path in left.keys() | self.expected.before.keys()
            if not is_temporary(path) and left.get(path) not in self._possible(path)
        ]

    def _possible(self, path: str) -> tuple[tuple[int, bytes] | None, ...]:
        return self.expected.before.get(path), self.expected.after.get(path)

    def _ended(self, left: State) -> list[str]:
        """Check a run that was not killed: it does everything, or it refuses and does nothing."""
        run, usual = self.run, self.expected.run
        is_answer = self.expected.before == self.expected.after  # otherwise the files count
        is_same = run.out == usual.out or not is_answer
        if is_same and run.code == usual.code and left == self.expected.after:
            return []
        problems = []
        if run.code != 2 and (self.words[0], run.code) != ("ages", 1):  # its contract
            problems.append(f"exit code {run.code}, and not what an undisturbed run does")
        lines = run.err.splitlines()  # notes may come before the sentence
        if not lines or not all(line.startswith("learnings: ") for line in lines):
            problems.append(f"not one sentence: {run.err!r}")
        if self.stop.lasting:  # a read-only disk keeps temporary files, too
            left = {name: row for name, row in left.items() if not is_temporary(name)}
        if left != self.expected.before and not self._is_said(left):
            changed = {*left.items()} ^ {*self.expected.before.items()}
            problems.append(f"changed {sorted({path for path, _ in changed})}: {run.err!r}")
        return problems

    def _is_said(self, left: State) -> bool:
        """Return True if each file that changed anyway is named.

        This happens if the disk does not allow restoring a file, and in a check after fixes.
        """
        changed = {path for path, _ in {*left.items()} ^ {*self.expected.before.items()}}
        is_lost = self.stop.lasting and any(words in self.run.err for words in _NOT_UNDONE)
        said = self.run.err if is_lost else self.run.out
        return all(path in said for path in changed)

    def _second_run(self) -> list[str]:
        make_old(self.folder)
        files = fingerprint(self.folder)
        if files not in self.expected.second_runs:
            self.expected.second_runs[files] = self._run_again()
        return self.expected.second_runs[files]

    def _run_again(self) -> list[str]:
        again = self.points.run(*self.words, program=self.program)
        problems = []
        first, second = self.expected.run, self.expected.again
        if again.code not in {first.code, second.code}:
            problems.append(f"then exit code {again.code}: {again.err!r}")
        if first.out == second.out != again.out:
            problems.append(f"then another answer: {again.out!r}")
        now = state(self.folder)
        if now != self.expected.after:
            changed = {*now.items()} ^ {*self.expected.after.items()}
            problems.append(f"another end state: {sorted({path for path, _ in changed})}")
        extra = extra_files(self.folder) - self.expected.extra
        if extra:
            problems.append(f"left behind: {sorted(extra)}")
        return problems
