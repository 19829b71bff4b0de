"""Repositories with a made-up past, for measuring: the same options give the same commits.

    python benchmarks/histories.py FOLDER [--commits N] [--merges N] [--files N] [--years N]

The commits go to git as one stream for `git fast-import`; a million of them take some minutes.
"""

from __future__ import annotations

import argparse
import random
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

END = 1_767_225_600  # 2026-01-01 in UTC: the newest commit is a little older
YEAR = 365 * 86_400
ZONES = ("+0000", "+0100", "-0800", "+0530", "+0900")
AUTHORS = tuple(f"Author {n} <author{n}@example.org>" for n in range(12))
WORDS = (  # noqa: SIM905  (a list of them would be thirty lines)
    "cache retry hook branch parser fixture flag rename shell timeout encoding merge schema index "
    "token agent test build path lock release config linter worker queue report template commit"
).split()


@dataclass(frozen=True, slots=True)
class MemoryPlan:
    """The life of a learnings file: touches are spread evenly over the whole history.

    A consolidation comes every `consolidate_every` touches (0: never) and keeps the newest `keep`
    entries; with `spare_first` the oldest five stay as well. Of the other touches four in five add
    an entry; the share `reworded` changes the heading of one.
    """

    path: str
    touches: int = 300
    consolidate_every: int = 60
    keep: int = 50
    spare_first: bool = False
    reworded: float = 0.0


@dataclass(frozen=True, slots=True)
class Plan:
    """The contents of a repository: its size, its learnings files and its other files.

    For the other files, body_lines is the length at the start, and changed is the mean number of
    them that a commit changes, a few lines each.
    """

    commits: int
    merges: int
    files: int
    years: float
    memories: tuple[MemoryPlan, ...]
    body_lines: int = 150
    changed: int = 3
    seed: int = 0


@dataclass(slots=True)
class _Memory:
    """A growing learnings file: its entries as (title, body)."""

    plan: MemoryPlan
    entries: list[tuple[str, str]] = field(default_factory=list)
    touched: int = 0

    def text(self) -> bytes:
        head = "# Learnings\n\nWhat sessions found out. Newest last.\n\n---\n\n"
        parts = (f"## {title}\n\n{body}\n" for title, body in self.entries)
        return (head + "\n".join(parts)).encode()


def make(folder: Path, plan: Plan) -> None:
    """Create the repository in a new folder, with the newest commit checked out."""
    folder.mkdir(parents=True)
    _git(folder, "init", "--quiet", "--initial-branch=main")
    command = ["git", "fast-import", "--quiet", "--date-format=raw"]
    with subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE) as importing:
        assert importing.stdin is not None
        for block in _blocks(_History(plan).stream()):
            importing.stdin.write(block)
    if importing.returncode:
        raise subprocess.CalledProcessError(importing.returncode, command)
    _git(folder, "update-ref", "-d", "refs/heads/topic")
    _git(folder, "reset", "--quiet", "--hard", "main")


def _git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True)


def _blocks(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Join the pieces to blocks of a megabyte, which a pipe takes far faster."""
    waiting: list[bytes] = []
    size = 0
    for piece in pieces:
        waiting.append(piece)
        size += len(piece)
        if size > 1 << 20:
            yield b"".join(waiting)
            waiting, size = [], 0
    yield b"".join(waiting)


class _History:
    """Write the commits one after the other; marks number them from 1."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._random = random.Random(plan.seed)
        self._memories = [_Memory(memory) for memory in plan.memories]
        self._paths = [f"src/part{n % 17:02}/unit{n // 17:03}.py" for n in range(plan.files)]
        self._mark = 0
        self._sources = {path: self._new_source() for path in self._paths}
        self._main = 0

    def stream(self) -> Iterator[bytes]:
        """Yield the stream for fast-import, piece by piece."""
        plan = self._plan
        everything = {path: "".join(lines).encode() for path, lines in self._sources.items()}
        yield self._commit("main", 0, everything, "start")
        self._main = self._mark
        every = plan.commits / plan.merges if plan.merges else float("inf")
        due = every
        while self._mark < plan.commits:
            if self._mark >= due - 4 and self._mark + 8 < plan.commits:
                yield from self._branch()
                due += every
            else:
                yield from self._step()

    def _step(self) -> Iterator[bytes]:
        memory = self._next_memory()
        changed = self._changes()
        if memory is not None:
            changed[memory.plan.path] = self._touch(memory)
        yield self._commit("main", self._main, changed, "work")
        self._main = self._mark

    def _branch(self) -> Iterator[bytes]:
        """Write a topic of one to three commits, main going on beside it, and the merge."""
        tip, all_changes = self._main, dict[str, bytes]()
        memory = self._next_memory()
        for number in range(self._random.randint(1, 3)):
            changed = self._changes()
            if number == 0 and memory is not None:
                memory.entries.append(self._entry())
                memory.touched += 1
                changed[memory.plan.path] = memory.text()
            all_changes |= changed
            yield self._commit("topic", tip, changed, "topic")
            tip = self._mark
        for _ in range(self._random.randint(0, 2)):
            changed = self._changes()
            if not all_changes.keys() & changed.keys():
                yield self._commit("main", self._main, changed, "meanwhile")
                self._main = self._mark
        yield self._commit("main", self._main, all_changes, "Merge branch 'topic'", merged=tip)
        self._main = self._mark

    def _next_memory(self) -> _Memory | None:
        """Return the memory whose next touch is due; the first comes with the second commit."""
        passed = self._mark / self._plan.commits
        for memory in self._memories:
            if memory.touched / memory.plan.touches <= passed:
                return memory
        return None

    def _touch(self, memory: _Memory) -> bytes:
        """Add an entry, change one, or consolidate; return the new text."""
        plan, entries = memory.plan, memory.entries
        memory.touched += 1
        dice = self._random.random()
        if plan.consolidate_every and memory.touched % plan.consolidate_every == 0:
            spared = entries[:5] if plan.spare_first else []
            memory.entries = [*spared, *entries[len(spared) :][-plan.keep :]]
        elif dice < 0.8 or len(entries) < 10:
            entries.append(self._entry())
        else:
            index = self._random.randrange(len(entries))
            title, body = entries[index]
            if dice < 0.8 + plan.reworded:
                entries[index] = (self._title(), body)
            else:
                lines = body.splitlines(keepends=True)
                lines[self._random.randrange(len(lines))] = self._line()
                entries[index] = (title, "".join(lines))
        return memory.text()

    def _entry(self) -> tuple[str, str]:
        return self._title(), "".join(self._line() for _ in range(self._random.randint(1, 3)))

    def _title(self) -> str:
        return " ".join(self._random.choices(WORDS, k=5)).capitalize() + f" {self._mark}"

    def _line(self) -> str:
        return "- " + " ".join(self._random.choices(WORDS, k=self._random.randint(8, 20))) + "\n"

    def _new_source(self) -> list[str]:
        return [self._source_line() for _ in range(self._plan.body_lines)]

    def _source_line(self) -> str:
        draw = self._random.random
        name, value = WORDS[int(draw() * len(WORDS))], WORDS[int(draw() * len(WORDS))]
        return f"    {name}_{int(draw() * 1000)} = {value}({int(draw() * 1000)})\n"

    def _changes(self) -> dict[str, bytes]:
        """Change a few lines of some other files; return their new texts."""
        wanted = 1 + int(self._random.random() * (2 * self._plan.changed - 1))
        files = {}
        for path in self._random.choices(self._paths, k=wanted):
            lines = self._sources[path]
            for _ in range(3):
                lines[int(self._random.random() * len(lines))] = self._source_line()
            files[path] = "".join(lines).encode()
        return files

    def _commit(
        self,
        branch: str,
        parent: int,
        changed: dict[str, bytes],
        message: str,
        *,
        merged: int | None = None,
    ) -> bytes:
        """Write one commit; one in ten was rebased, so its author date is some days older."""
        self._mark += 1
        draw = self._random.random
        author = AUTHORS[int(draw() * len(AUTHORS))]
        zone = ZONES[int(draw() * len(ZONES))]
        left = 1 - self._mark / (self._plan.commits + 10)
        committed = END - int(left * self._plan.years * YEAR)
        authored = committed - int(draw() * 3 * 86_400) if draw() < 0.1 else committed
        lines = [
            f"commit refs/heads/{branch}\nmark :{self._mark}\n"
            f"author {author} {authored} {zone}\ncommitter {author} {committed} {zone}\n"
            f"data {len(message)}\n{message}\n".encode()
        ]
        if parent:
            lines.append(b"from :%d\n" % parent)
        if merged:
            lines.append(b"merge :%d\n" % merged)
        lines += (
            b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(data), data)
            for path, data in changed.items()
        )
        return b"".join(lines)


def medium_plan(commits: int, merges: int, *, reworded: float = 0.0, memories: int = 1) -> Plan:
    """Return a project of some thousand commits with one or two busy learnings files."""
    memory = MemoryPlan("agents/learnings.md", consolidate_every=70, keep=62, reworded=reworded)
    both = memory, replace(memory, path="docs/learnings.md", consolidate_every=40)
    return Plan(commits, merges, files=400, years=1.0, memories=both[:memories])


def host_plan(commits: int) -> Plan:
    """Return a huge host: oldest entry young, old, old with new headings, or never consolidated."""
    young = MemoryPlan("agents/young.md", consolidate_every=45, keep=20)
    old = MemoryPlan("agents/old.md", consolidate_every=45, keep=20, spare_first=True)
    reworded = replace(old, path="agents/reworded.md", reworded=0.05)
    never = MemoryPlan("agents/never.md", touches=200, consolidate_every=0)
    memories = (young, old, reworded, never)
    return Plan(
        commits, commits // 500, files=300, years=10.0, memories=memories, body_lines=3, changed=1
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Create a repository to inspect by hand."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--commits", type=int, default=3_200, metavar="N")
    parser.add_argument("--merges", type=int, default=200, metavar="N")
    parser.add_argument("--host", action="store_true", help="the plan of the huge host")
    options = parser.parse_args(argv)
    plan = host_plan(options.commits) if options.host else None
    make(options.folder, plan or medium_plan(options.commits, options.merges))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
