"""Instructions on disk: whether they lead an agent to a memory file, and what they refer to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, islice
from typing import TYPE_CHECKING

from learnings.core.errors import LearningsError
from learnings.core.instruction_paths import MOST_HOPS, reads_itself
from learnings.core.text import encode
from learnings.rules.rule import TreeFacts
from learnings.workspace.disk import is_file, is_link, is_same_file, read_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from learnings.agents.loading import Mentions
    from learnings.workspace.instruction_files import InstructionFile
    from learnings.workspace.tree import Tree

    _Listing = Callable[[Tree], Iterator[InstructionFile]]

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
        self._listed: Callable[[_Listing], list[InstructionFile]] = cache(lambda of: [*of(tree)])
        self.is_named = cache(self._is_named)
        """Return True if an agent reads a memory file, is led there, or it is unknown."""

    def is_named_in(self, instructions: Iterable[str], path: str) -> bool:
        """Return True if these instructions, or the documents they name, lead to a memory file."""
        from learnings.workspace.instruction_files import InstructionFile  # noqa: PLC0415  (several agents are rare)

        return self._leads_to(path, map(InstructionFile, instructions))

    def _is_named(self, path: str) -> bool:
        if reads_itself(path):
            return True
        try:
            return self._is_stated(path) or self._leads_to(path, self._instructions(path))
        except LearningsError:
            return True

    def _is_stated(self, path: str) -> bool:
        """Return True if the likely files contain the path; link targets are not known here."""
        stated = rb"(?<![\w./-])" + re.escape(encode(path)) + rb"(?![\w-]|\.\w)"
        return any(
            re.search(stated, read_file(self._root / name, shown=name))
            for name in _LIKELY
            if is_file(self._root / name) and not is_link(self._root / name)
        )

    def _instructions(self, path: str) -> Iterator[InstructionFile]:
        """Yield the files of the repository that may lead to a file; git is asked late."""
        from learnings.workspace import instruction_files  # noqa: PLC0415  (most are stated)

        yield from self._listed(instruction_files.root_instructions)
        yield from self._listed(instruction_files.tracked_instructions)
        yield from instruction_files.instructions_above(self._tree, path)

    def _leads_to(self, path: str, files: Iterable[InstructionFile]) -> bool:
        from learnings.agents.loading import leads_to_memory, runs_learnings  # noqa: PLC0415  (as above)

        def leads_to(other: str) -> bool | None:
            full = self._tree.full(other)
            if other == path or not is_file(full):
                return other == path or None
            return is_same_file(full, self._tree.full(path))

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

    def _mentions_in(self, path: str) -> Mentions | None:
        from learnings.agents.loading import mentions_in  # noqa: PLC0415  (as above)

        try:
            return mentions_in(path, read_file(self._tree.full(path), shown=path))
        except LearningsError:
            return None


def tree_facts(tree: Tree, path: str) -> TreeFacts:
    """Return the existing files around the instructions at a POSIX path from the root."""

    def has(other: str) -> bool:
        if tree.has(other) or not tree.has_git:
            return tree.has(other)
        from learnings.history.git.ignoring import ignoring_rules  # noqa: PLC0415  (most paths are there)

        # A file that git ignores may exist for others.
        return other in ignoring_rules(tree.root, [other])

    def matches(globs: Sequence[str]) -> bool:
        from learnings.history.git.tracked import listed_files  # noqa: PLC0415  (few have globs)

        try:
            pathspecs = [pathspec for glob in globs for pathspec in _pathspecs(glob)]
            return not tree.has_git or bool(listed_files(tree.root, pathspecs))
        except LearningsError:
            return True

    return TreeFacts(path, has, matches, tree.packages_around(path.rpartition("/")[0]))


def _pathspecs(glob: str) -> Sequence[str]:
    inner = glob.removeprefix("./").lstrip("/")
    inner = f"{inner}**" if inner.endswith("/") else inner
    return (f":(glob){inner}", f":(glob)**/{inner}") if inner else (".",)
