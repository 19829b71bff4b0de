"""Git objects read through one `git cat-file` process, and the entries of trees.

A partial clone lacks objects; `fetch_versions()` fetches them together, whereas git would fetch
each one separately.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from subprocess import Popen
from typing import NamedTuple, Self

from learnings.core.entries.document import LARGEST_FILE
from learnings.core.patterns import lazy_pattern
from learnings.core.progress import step
from learnings.core.text import counted
from learnings.history.git import commands, process
from learnings.history.git.process import GitFailed
from learnings.history.git.repository import PROMISOR, Repository, explained

# `<id> <kind> <size>` and a newline. For a missing object git prints its name and ` missing`, and a
# name can look like all of this except the end.
_HEADER = lazy_pattern(rb"([0-9a-f]{40,64}) ([a-z]+) ([0-9]+)\n")
# Bytes of objects from which on all are forgotten: the 300 versions of a file of the benchmarks
# have 5 MB together.
_MAX_KNOWN_BYTES = 1 << 24
# Bytes to keep of an object, by its kind: git packs gigabytes of zeros into a few kilobytes.
_MOST_BYTES = {"blob": LARGEST_FILE + 1}
_CHUNK = 1 << 16
# Requests waiting for an answer: far fewer bytes than the 64 KiB a pipe takes before it blocks.
_MAX_PENDING_BYTES = 1 << 14


class GitObject(NamedTuple):
    """A git object: its id, its kind (`blob`, `commit`, …) and its content.

    A blob larger than any memory file is cut to one byte more than the limit.
    """

    id: str
    kind: str
    content: bytes


class ObjectReader:
    """A reader of objects of the repository at `top` by name: an id, or `<commit>:<path>`.

    `:<path>` is a file of the index, by default the repository's own. Git ends with the context.
    """

    def __init__(self, top: Path, *, index_file: str | None = None) -> None:
        self.top = top
        self.index_file = index_file
        self._running: Popen[bytes] | None = None
        self._requested: set[str] = set()
        self._pending: dict[str, int] = {}
        self._pending_bytes = 0
        self._answers: dict[str, GitObject | None] = {}
        self._known: dict[str, GitObject] = {}
        self._known_bytes = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._running is not None:
            self._running.kill()
            self._running.communicate()

    def prefetch(self, names: Iterable[str]) -> None:
        """Request objects that will be needed soon without waiting, each name once.

        An answer stays in memory until get() is called for it.
        """
        new = dict.fromkeys(n for n in names if n not in self._requested and "\n" not in n)
        if new:
            self._request(new)

    def get(self, name: str) -> GitObject | None:
        """Return an object, or None if it is absent; raises UntrustedHistory."""
        if name in self._known:
            return self._known[name]
        if name not in self._answers and name not in self._pending:
            self._request([name])
        while name in self._pending:
            self._read_answer()
        found = self._answers.pop(name)
        if found is not None and found.id not in self._known:
            if self._known_bytes > _MAX_KNOWN_BYTES:
                self._known.clear()
                self._known_bytes = 0
            self._known_bytes += len(found.content)
            self._known[found.id] = found
        return found

    def blobs(self, rev: str, paths: Iterable[str]) -> dict[str, GitObject]:
        """Return the files that a commit has at POSIX paths; an empty rev is the index."""
        names = {path: self._name_of(f"{rev}:{path}") for path in paths}
        self.prefetch(names.values())
        objects = {path: self.get(name) for path, name in names.items()}
        return {path: found for path, found in objects.items() if found and found.kind == "blob"}

    def _name_of(self, name: str) -> str:
        """Return a name that fits in a request, which is one line; empty if there is no object."""
        if "\n" not in name:
            return name
        command = ["rev-parse", "--verify", "--quiet", name]
        with suppress(GitFailed):
            return process.run(command, self.top, index_file=self.index_file).decode().strip()
        return ""

    def _request(self, names: Iterable[str]) -> None:
        """Send requests: several at once cost git, and us, less than one by one."""
        if self._running is None:
            self._running = process.start(
                commands.CAT_FILE, self.top, interactive=True, index_file=self.index_file
            )
        stdin = self._running.stdin
        assert stdin is not None
        try:
            for name in names:
                request = os.fsencode(name) + b"\n"
                while self._pending and self._pending_bytes + len(request) > _MAX_PENDING_BYTES:
                    stdin.flush()
                    self._read_answer()
                stdin.write(request)
                self._requested.add(name)
                self._pending[name] = len(request)
                self._pending_bytes += len(request)
            stdin.flush()
        except OSError as error:
            raise self._failure() from error

    def _read_answer(self) -> None:
        """Read the answer to the oldest request; None if there is no such object."""
        assert self._running is not None
        stdout = self._running.stdout
        assert stdout is not None
        line, rest, answer = stdout.readline(), 0, None
        if header := _HEADER.fullmatch(line):
            object_id, kind, digits = (field.decode("ascii") for field in header.groups())
            size = int(digits)
            content = stdout.read(min(size, _MOST_BYTES.get(kind, size)))
            rest = size + 1 - len(content)  # the newline after the object
            while rest and (skipped := stdout.read(min(rest, _CHUNK))):
                rest -= len(skipped)
            answer = GitObject(object_id, kind, content)
        if rest or not line:  # git ended before the answer did
            raise self._failure()
        name = next(iter(self._pending))
        self._pending_bytes -= self._pending.pop(name)
        self._answers[name] = answer

    def _failure(self) -> Exception:
        assert self._running is not None
        _, errors = self._running.communicate()
        return explained(GitFailed(errors), self.top)


# The command by which git itself fetches an object it lacks, without writing other files or tidying
# up a repository.
_FETCH = (
    *("-c", "fetch.negotiationAlgorithm=noop", "fetch"),
    *("--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance"),
    *("--no-write-commit-graph", "--recurse-submodules=no", "--filter=blob:none", "--stdin"),
)


def fetch_versions(
    repository: Repository, commits: Sequence[str], paths: Iterable[str], *, walk: bool = False
) -> None:
    """Fetch the files of commits that a partial clone lacks; walk: also of all earlier commits.

    Objects that cannot be fetched are left out: reading them gives the reason.
    """
    if not commits or process.is_offline():
        return
    with suppress(GitFailed, OSError):
        # Git marks each pack that came from a filtered clone or fetch.
        packs = (repository.common_dir / "objects" / "pack").iterdir()
        if not any(pack.suffix == ".promisor" for pack in packs):
            return
        how = ["--full-history"] if walk else ["--no-walk"]
        names = [*commits, "--", *(path for path in paths if "\n" not in path)]
        printed = process.run(
            ["rev-list", *how, "--objects", "--missing=print", "--stdin"],
            repository.top,
            data=b"".join(os.fsencode(name) + b"\n" for name in names),
        )
        rows = (row for row in printed.split(b"\n") if row.startswith(b"?"))
        missing = b"".join(row[1:] + b"\n" for row in rows)
        if missing:
            # The remote that promised the missing objects.
            config = process.run(["config", "--get-regexp", PROMISOR], repository.top)
            key = os.fsdecode(config).split(maxsplit=1)[0]
            remote = key.removeprefix("remote.").removesuffix(".promisor")
            versions = counted(missing.count(b"\n"), "version")
            step(f"fetching {versions} of files from {remote}")
            process.run([*_FETCH, "--", remote], repository.top, data=missing)


REGULAR_FILE = "100644"
# An executable file, and the mode that git used in its first year for a group-writable one.
REGULAR_FILES = (REGULAR_FILE, "100755", "100664")


class TreeEntry(NamedTuple):
    """An entry of a tree; kind is blob, tree or commit."""

    path: str
    mode: str
    kind: str
    id: str

    @property
    def is_regular_file(self) -> bool:
        """True unless the entry is a folder, a link or a submodule."""
        return self.mode in REGULAR_FILES


def entries_below(repository: Repository, tree: str, *folders: str) -> Iterator[TreeEntry]:
    """Return the files, links and submodules of a tree or commit, below folders if any are given.

    Folders are POSIX paths with a slash at the end. Raises UntrustedHistory.
    """
    printed = repository.run("ls-tree", "-r", "-z", "--full-tree", tree, "--", *folders)
    return tree_entries(os.fsdecode(printed))


def tree_entries(printed: str) -> Iterator[TreeEntry]:
    """Yield the entries that git printed with `ls-tree -z`."""
    for row in printed.split("\0")[:-1]:
        fields, _, path = row.partition("\t")
        yield TreeEntry(path, *fields.split(" "))
