"""The changes of commits in the files that entries move between: Markdown and text."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from learnings.core.file_names import MEMORY_ENDINGS
from learnings.history.blobs import WORK_TREE, BlobReader
from learnings.history.git import commands
from learnings.history.git.commands import RAW, RawChange, all_commits, raw_changes
from learnings.history.git.objects import entries_below, fetch_versions
from learnings.history.git.process import Background, start
from learnings.history.git.repository import explaining

# Endings of their names; files without an ending also count.
_TEXT_ENDINGS = (*MEMORY_ENDINGS, ".mdown", ".text", ".rst", ".adoc", ".org")

ChangedFiles = Mapping[str, tuple[str | None, str | None]]
"""The files that a commit changed, by path, with their blobs before and after (None: no file)."""


class ParentDiff(NamedTuple):
    """The changes of a commit against one of its parents, text files only."""

    parent: str
    files: ChangedFiles


class TextChanges:
    """Reads the changes of commits in text files, and in files that end as `path` does.

    unknown has the commits before which nothing is known.
    """

    def __init__(self, path: str, blobs: BlobReader, *, unknown: frozenset[str]) -> None:
        self._repository = blobs.repository
        self.blobs = blobs
        self._endings = *_TEXT_ENDINGS, PurePosixPath(path).suffix.casefold() or "md"
        self._diffs: dict[str, list[ParentDiff]] = {commit: [] for commit in unknown}
        self._asked: dict[str, None] = {}
        self._running: Background | None = None

    def close(self) -> None:
        """Stop git, and with it all reading."""
        if self._running is not None:
            self._running.close()

    def ask(self, commit: str) -> None:
        """Start comparing a commit with its parents, for a later call of of()."""
        if commit not in self._diffs and commit not in self._asked:
            self._asked[commit] = None
            self._send(f"{commit} {parent}" for parent in self.blobs.parents(commit))

    def _send(self, lines: Iterable[str]) -> Background:
        if self._running is None:
            top = self._repository.top
            self._running = Background(start(commands.CHANGED_FILES, top, interactive=True))
        self._running.write("".join(f"{line}\n" for line in lines).encode("ascii"))
        return self._running

    def of(self, commits: Sequence[str]) -> dict[str, list[ParentDiff]]:
        """Return the changes of commits against each parent.

        WORK_TREE is the commit that the working tree would become.
        """
        if WORK_TREE in commits and WORK_TREE not in self._diffs:
            # The text files that differ from HEAD, without their present content.
            head = self._repository.head
            printed = self._repository.run("diff", *RAW, "--no-ext-diff", head, "--")
            files = self._text_files_in(raw_changes(printed))
            fetch_versions(self._repository, [head], files)
            changed = {path: (before, None) for path, (before, _) in files.items()}
            self._diffs[WORK_TREE] = [ParentDiff(head, changed)]
        for commit in commits:
            self.ask(commit)
        if self._asked:
            self._receive()
        return {commit: self._diffs[commit] for commit in commits}

    def _receive(self) -> None:
        """Take the changes of the commits asked for; of equal commits git prints nothing."""
        # Git prints a line that names no commit as it is, with all that it has kept back.
        mark = os.urandom(16).hex()
        with explaining(self._repository.top):
            printed = self._send([mark]).read_until(f"{mark}\n".encode("ascii"))
        files = {
            (commit, parent): self._text_files_in(changes)
            for (commit, parent), [changes] in all_commits(printed)
        }
        for commit in self._asked:
            self._diffs[commit] = [
                ParentDiff(parent, files.get((commit, parent), {}))
                for parent in self.blobs.parents(commit)
            ]
        self._asked.clear()
        # Fetch all at once if a partial clone lacks some.
        paths = {path for changed in files.values() for path in changed}
        names = {name for pair in files for name in pair}
        fetch_versions(self._repository, sorted(names), sorted(paths))

    def names_before(self, commit: str, path: str) -> Iterator[str]:
        """Yield the names in the parents of a file that a commit renamed.

        Git detects renames only among text files, so it reads no other file.
        """
        for diff in self.of([commit])[commit]:
            if any(after is None for _, after in diff.files.values()):
                paths = [path for path, blobs in diff.files.items() if None in blobs]
                options = ("-r", *RAW, "-M", "--diff-filter=R", diff.parent, commit)
                printed = self._repository.run("diff-tree", *options, "--", *paths)
                renames = raw_changes(printed)
                if path in renames:
                    yield renames[path].path_before

    def all_files(self, commit: str) -> dict[str, str]:
        """Return the blobs of all text files in a commit by path."""
        blobs = {
            entry.path: entry.id
            for entry in entries_below(self._repository, commit)
            if entry.mode.startswith("100") and self._is_text(entry.path)
        }
        fetch_versions(self._repository, [commit], blobs)
        return blobs

    def _text_files_in(self, changes: Mapping[str, RawChange]) -> ChangedFiles:
        return {path: changes[path].regular for path in filter(self._is_text, changes)}

    def _is_text(self, path: str) -> bool:
        name = path.rpartition("/")[2].casefold()
        return name.endswith(self._endings) or "." not in name.removeprefix(".")
