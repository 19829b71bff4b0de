"""Run a command and kill it at each of its file operations, or fail each of them.

Nobody lists the operations: a first run is traced, and each of its operations gets one run.

    with CrashPoints(repository.path, tmp_path / "copy") as points:
        for point in points.killed("fix"):
            assert point.problems() == []

`killed` kills a run before each operation that changes a file, in each write, and at the end.
`failed` makes each operation, reads included, raise an OSError. `point.folder` has the result of a
run until the next point. `problems()` checks the contract of all our writers: each file has its old
or its new content, a second run produces the result of an undisturbed one, and nothing is left
behind. The second run starts from the files alone, so it runs once for all points that leave the
same files. After `problems()` the folder may hold either result.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, Self

from tests.support.repository import GitRepository
from tests.support.traced_runs import Operation, Run, Stop, TracedProcess

_NOT_UNDONE = ("cannot be restored", "cannot be undone")
KILLED = -9
OF_OPEN_FILES = {"write", "truncate", "fsync", "close"}
TEMPORARY = re.compile(r"\.learnings-[0-9a-f]{16}\.tmp|.+\.json\.\d+\.part")
"""The names of our temporary files: a killed run may leave them, a later one removes them."""
ABANDONED = 2 * 3600  # seconds; older than the age at which a later run removes leftovers

State = Mapping[str, tuple[int, bytes]]
"""The files of a work tree by path, with mode and content or link target; and the branches."""


class CrashPoints:
    """The crash points of commands in a repository, tried in copies at one fixed path.

    The repository does not change. `cwd` is its folder that commands run in. Without a `process`
    the object starts its own.
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
        self._repository, self.folder, self._cwd, self._env = repository, copy, cwd, env or {}
        self._process = process or TracedProcess()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.__exit__()
        shutil.rmtree(self.folder, ignore_errors=True)

    def renew(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self._repository, self.folder, symlinks=True)

    def run(self, *words: str, program: str = "learnings", stop: Stop | None = None) -> Run:
        cwd = self.folder / self._cwd
        return self._process.run(program, words, cwd, self.folder, self._env, stop)

    def undisturbed(self, *words: str, program: str = "learnings") -> Undisturbed:
        """Run a command undisturbed in a new copy, then once more."""
        self.renew()
        before = state(self.folder)
        first = self.run(*words, program=program)
        after = state(self.folder)
        again = self.run(*words, program=program)
        return Undisturbed(before, first, after, again, extra_files(self.folder), {})

    def killed(self, *words: str, program: str = "learnings") -> Iterator[CrashPoint]:
        expected = self.undisturbed(*words, program=program)
        for stop in kills(expected.run.operations):
            yield self.point(*words, program=program, expected=expected, stop=stop)

    def failed(
        self, *words: str, program: str = "learnings", reading: bool = True
    ) -> Iterator[CrashPoint]:
        """Yield the state after each failed operation, without `reading` only of writing ones."""
        expected = self.undisturbed(*words, program=program)
        for stop in faults(row for row in expected.run.operations if reading or row.writes):
            yield self.point(*words, program=program, expected=expected, stop=stop)

    def point(
        self, *words: str, program: str = "learnings", expected: Undisturbed, stop: Stop
    ) -> CrashPoint:
        self.renew()
        run = self.run(*words, program=program, stop=stop)
        return CrashPoint(self, words, program, expected, stop, run)


def kills(operations: Sequence[Operation]) -> Iterator[Stop]:
    """Yield the points to kill a run: between two operations nothing on disk changes."""
    for operation in operations:
        if operation.writes and operation.kind not in {"fsync", "close"}:  # all is written before
            yield Stop(operation.number, "kill")
        if operation.kind == "write":
            yield Stop(operation.number, "tear")


def faults(operations: Iterable[Operation]) -> Iterator[Stop]:
    """Yield the faults with which a disk can answer; a full or read-only one goes on with them."""
    for operation in operations:
        names = ["EIO", "EACCES"]
        if operation.kind in {"listdir", "scandir"}:
            names = ["EIO"]  # a folder without read permission is skipped, as in git
        elif operation.kind in OF_OPEN_FILES:
            names = ["EIO", "ENOSPC"]
        elif operation.writes:
            names = ["ENOSPC", "EIO", "EROFS", "EACCES"]
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
    second_runs: dict[int, list[str]]


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
        return self.points.folder

    @property
    def operation(self) -> Operation:
        """Return the operation that stopped the run."""
        return self.expected.run.operations[self.stop.number - 1]

    def __str__(self) -> str:
        return " ".join((self.program, *self.words, f"{self.stop}", f"{self.operation}"))

    def problems(self) -> list[str]:
        """Run the command again; return the problems after this point with its name."""
        left = state(self.folder)
        is_killed = self.run.code == KILLED
        problems = self._killed(left) if is_killed else self._ended(left)
        known = left in (self.expected.before, self.expected.after)
        if is_killed or not known or extra_files(self.folder) - self.expected.extra:
            make_old(self.folder)
            files = fingerprint(self.folder)
            if files not in self.expected.second_runs:
                self.expected.second_runs[files] = self._run_again()
            problems += self.expected.second_runs[files]
        return [f"{self}: {problem}" for problem in problems]

    def _killed(self, left: State) -> list[str]:
        before, after = self.expected.before, self.expected.after
        return [
            f"{path} is neither what it was nor what it is to become"
            for path in left.keys() | before.keys()
            if not is_temporary(path) and left.get(path) not in (before.get(path), after.get(path))
        ]

    def _ended(self, left: State) -> list[str]:
        """Check a run that was not killed: it does everything, or it refuses and does nothing."""
        run, (before, usual, after, *_) = self.run, self.expected
        is_same = run.out == usual.out or before != after  # an answer counts, or else the files
        if is_same and run.code == usual.code and left == after:
            return []
        # A finding about one file stops no other, and a check after fixes says what is left.
        is_checked = run.code == 1 and self.words[:2] == ("check", "--fix")
        if is_checked or "error unreadable-file " in run.out:
            return self._killed(left)
        problems = []
        if run.code != 2 and (self.words[0], run.code) != ("ages", 1):  # its contract
            problems.append(f"exit code {run.code}, and not what an undisturbed run does")
        lines = run.err.splitlines()  # notes may come before the sentence
        if not lines or not all(line.startswith("learnings: ") for line in lines):
            problems.append(f"not one sentence: {run.err!r}")
        if self.stop.lasting:  # a read-only disk keeps temporary files, too
            left = {name: row for name, row in left.items() if not is_temporary(name)}
        changed = _differing(left, before)
        # A file is named that changed: it cannot be restored, or is fixed before a check.
        is_lost = self.stop.lasting and any(words in run.err for words in _NOT_UNDONE)
        if not all(path in (run.err if is_lost else run.out) for path in changed):
            problems.append(f"changed {changed}: {run.err!r}")
        return problems

    def _run_again(self) -> list[str]:
        again = self.points.run(*self.words, program=self.program)
        problems = []
        first, second = self.expected.run, self.expected.again
        if again.code not in {first.code, second.code}:
            problems.append(f"then exit code {again.code}: {again.err!r}")
        if first.out == second.out != again.out:
            problems.append(f"then another answer: {again.out!r}")
        changed = _differing(state(self.folder), self.expected.after)
        if changed:
            problems.append(f"another end state: {changed}")
        extra = extra_files(self.folder) - self.expected.extra
        if extra:
            problems.append(f"left behind: {sorted(extra)}")
        return problems


def _differing(one: State, other: State) -> list[str]:
    return sorted({path for path, _ in {*one.items()} ^ {*other.items()}})


def state(folder: Path) -> State:
    """Return the files of a work tree and the trees of its branches, without empty folders."""
    content = {
        name: row
        for name, row in _rows(folder)
        if not name.startswith(".git/") and not stat.S_ISDIR(row[0])
    }
    if (folder / ".git").exists():
        paths = [folder / ".git/packed-refs", *sorted((folder / ".git/refs").rglob("*"))]
        content |= _trees(folder, tuple(path.read_bytes() for path in paths if path.is_file()))
    return content


def fingerprint(folder: Path) -> int:
    """Return a hash of all files and folders, with .git; all temporary files get one name."""
    rows = (
        (f"{Path(name).parent}/*" if is_temporary(name) else name, row)
        for name, row in _rows(folder)
    )
    return hash(tuple(sorted(rows)))


def _rows(folder: Path) -> list[tuple[str, tuple[int, bytes]]]:
    """Return path, mode and content of each file and folder, or the target of a link."""
    rows = []
    for path in folder.rglob("*"):
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            data = os.fsencode(path.readlink())
        else:
            data = path.read_bytes() if stat.S_ISREG(mode) else b""
        rows.append((path.relative_to(folder).as_posix(), (mode, data)))
    return rows


@lru_cache(maxsize=64)
def _trees(folder: Path, references: tuple[bytes, ...]) -> State:  # noqa: ARG001  (the key of the cache)
    """Return the trees of the branches; equal references always name the same trees."""
    rows = GitRepository(folder).git("for-each-ref", "--format=%(refname) %(tree)").splitlines()
    names = (row.split(" ", maxsplit=1) for row in rows)
    return {name: (0, tree.encode()) for name, tree in names}


def is_temporary(path: str) -> bool:
    return TEMPORARY.fullmatch(path.rpartition("/")[2]) is not None


def extra_files(folder: Path) -> frozenset[str]:
    """Return the temporary files and locks left in a repository."""
    return frozenset(
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if is_temporary(path.name) or path.suffix == ".lock"
    )


def make_old(folder: Path) -> None:
    """Make the temporary files hours older."""
    then = time.time() - ABANDONED
    for path in folder.rglob("*"):
        if is_temporary(path.name) and not path.is_symlink():
            os.utime(path, (then, then))
