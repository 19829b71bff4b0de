"""Whether a repository leads an agent to a memory file, looked up on disk."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain, islice, tee
from typing import TYPE_CHECKING

from learnings.core.errors import LearningsError
from learnings.core.instruction_paths import MOST_HOPS, reads_itself
from learnings.core.text import encode
from learnings.workspace.disk import is_file, is_link, is_same_file, read_file

if TYPE_CHECKING:
    from learnings.agents.loading import Mentions
    from learnings.workspace.instruction_files import InstructionFile
    from learnings.workspace.tree import Tree

# Usual places that name a memory: read before a folder is listed or git is asked.
_LIKELY = ("CLAUDE.md", "AGENTS.md")
# Chosen: nobody has more instruction files, so the contents of further ones are unknown.
_MOST_READ = 1000


class MemoryLoading:
    """The instructions in a repository; each file is read once, on demand."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._root = tree.root
        self._mentions_of = cache(self._mentions_in)
        self._listed: Iterator[InstructionFile] | None = None
        self._is_unknown = False
        self.is_named = cache(self._is_named)
        """Return True if an agent reads a memory file, is led there, or it is unknown."""

    def is_named_in(self, instructions: Iterable[str], path: str) -> bool:
        """Return True if these instructions, or the documents they name, lead to a memory file."""
        from learnings.workspace.instruction_files import InstructionFile  # noqa: PLC0415  (several agents are rare)

        return self._leads_to(path, map(InstructionFile, instructions))

    def _is_named(self, path: str) -> bool:
        if self._is_unknown or reads_itself(path):
            return True
        try:
            return self._is_stated(path) or self._is_named_anywhere(path)
        except LearningsError:
            self._is_unknown = True  # an unlisted file is also missing for every other file
            return True

    def _is_stated(self, path: str) -> bool:
        """Return True if the likely files contain the path; link targets are not known here."""
        stated = rb"(?<![\w./-])" + re.escape(encode(path)) + rb"(?![\w-]|\.\w)"
        return any(
            re.search(stated, read_file(self._root / name, shown=name))
            for name in _LIKELY
            if is_file(self._root / name) and not is_link(self._root / name)
        )

    def _is_named_anywhere(self, path: str) -> bool:
        from learnings.workspace.instruction_files import instructions_above  # noqa: PLC0415  (most are stated)

        return self._leads_to(
            path, chain(self._instructions(), instructions_above(self._tree, path))
        )

    def _leads_to(self, path: str, files: Iterable[InstructionFile]) -> bool:
        from learnings.agents.loading import leads_to_memory, runs_learnings  # noqa: PLC0415  (as above)

        def leads_to(other: str) -> bool | None:
            full = self._root / other
            if other == path or not is_file(full):
                return other == path or None
            return is_same_file(full, self._root / path)

        seen: set[tuple[str, int]] = set()
        followed = chain.from_iterable(self._followed(file, MOST_HOPS, seen) for file in files)
        for count, (source, is_started) in enumerate(followed):
            mentions = self._mentions_of(source)
            if count == _MOST_READ or mentions is None or leads_to(source):
                return True
            if leads_to_memory(mentions, path, leads_to):
                return True
            if is_started and runs_learnings(mentions, is_program=not source.endswith(".md")):
                return True
        return False

    def _followed(
        self, file: InstructionFile, hops: int, seen: set[tuple[str, int]]
    ) -> Iterator[InstructionFile]:
        """Yield a file, its imports, and the documents that it names."""
        from learnings.agents.loading import documents_of, imports_of  # noqa: PLC0415  (as above)

        if any((file.path, more) in seen for more in range(hops, MOST_HOPS + 1)):
            return
        seen.add((file.path, hops))
        if self._tree.obstacle(file.path):
            return
        yield file
        mentions = self._mentions_of(file.path)
        if mentions is not None and hops:
            for path in islice(imports_of(mentions), _MOST_READ):
                yield from self._followed(file._replace(path=path), hops - 1, seen)
            for path in islice(documents_of(mentions), _MOST_READ):
                yield from self._followed(file._replace(path=path), 0, seen)

    def _instructions(self) -> Iterator[InstructionFile]:
        from learnings.workspace.instruction_files import instruction_files  # noqa: PLC0415  (as above)

        self._listed, files = tee(self._listed or instruction_files(self._tree))
        return files

    def _mentions_in(self, path: str) -> Mentions | None:
        from learnings.agents.loading import mentions_in  # noqa: PLC0415  (as above)

        try:
            return mentions_in(path, read_file(self._root / path, shown=path))
        except LearningsError:
            return None
