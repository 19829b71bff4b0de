"""Instructions on disk: whether they lead an agent to a memory file, and what they refer to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, islice
from posixpath import basename
from typing import TYPE_CHECKING

from learnings.core.errors import LearningsError
from learnings.core.file_names import MEMORY_ENDINGS
from learnings.core.instruction_paths import MOST_HOPS, follows_imports, reads_itself
from learnings.core.text import decode, encode, split_lines
from learnings.workspace.disk import is_file, is_link, is_same_file, read_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from learnings.agents.imports import Import
    from learnings.agents.loading import Mentions
    from learnings.workspace.instruction_files import InstructionFile
    from learnings.workspace.tree import Tree

    _Listing = Callable[[Tree], Iterator[InstructionFile]]

# Usual places that name a memory: read before a folder is listed or git is asked.
_LIKELY = ("CLAUDE.md", "AGENTS.md")
# Chosen: nobody has more instruction files, so the contents of further ones are unknown.
_MOST_READ = 1000


class MemoryLoading:
    """The instructions in a repository; each file is read once, on demand.

    strict: the agent takes imports literally (see agents.imports).
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._root = tree.root
        self._mentions_of = cache(self._mentions_in)
        self._listed: Callable[[_Listing], list[InstructionFile]] = cache(lambda of: [*of(tree)])
        self.imports = cache(self._imports)
        """Return the imports of the document at a path, read as strict or not."""
        self.is_named = cache(self._is_named)
        """Return True if an agent reads a memory file, is led there, or it is unknown."""

    def is_named_in(self, instructions: Iterable[str], path: str, *, strict: bool) -> bool:
        """Return True if these instructions, or the documents they name, lead to a memory file."""
        from learnings.workspace.instruction_files import InstructionFile  # noqa: PLC0415  (several agents are rare)

        return self._leads_to(path, map(InstructionFile, instructions), strict=strict)

    def failed_imports(self, path: str, data: bytes | None = None) -> Iterator[Import]:
        """Yield the imports that load nothing in some instructions and in what these import.

        data replaces the content of the instructions. Each has the shortest chain that leads to it.
        """
        strict = follows_imports(path)
        level: dict[str, tuple[str, ...]] = {path: (path,)}
        seen = {path}
        for _ in range(MOST_HOPS if strict else 1):
            below: dict[str, tuple[str, ...]] = {}
            for source, above in level.items():
                given = data if source == path else None
                for one in self.imports(source, given, strict=strict):
                    if one.fault:
                        yield one._replace(chain=above)
                    elif one.loads.lower().endswith(MEMORY_ENDINGS) and one.loads not in seen:
                        seen.add(one.loads)
                        below[one.loads] = (*above, one.loads)
            level = below

    def failed_import_of(self, path: str) -> Import | None:
        """Return the first import that loads nothing although it means a memory file."""
        for file in self._instructions(path):
            for one in self.failed_imports(file.path) if file.path.endswith(MEMORY_ENDINGS) else ():
                is_alike = basename(one.path).casefold() == basename(path).casefold()
                if one.meant == path or (is_alike and not one.meant):
                    return one
        return None

    def may_exist(self, path: str) -> bool:
        """Return True if a path is there, or git ignores it, so that others may have it."""
        if self._tree.has(path) or not self._tree.has_git:
            return self._tree.has(path)
        from learnings.history.git.ignoring import ignoring_rules  # noqa: PLC0415  (most paths are there)

        return path in ignoring_rules(self._root, [path])

    def _imports(self, path: str, data: bytes | None = None, *, strict: bool) -> tuple[Import, ...]:
        from learnings.agents.imports import Files, imports_in  # noqa: PLC0415  (few files import)

        tree = self._tree
        files = Files(tree.is_file, self.may_exist, tree.real, tree.packages_around)
        try:
            data = read_file(tree.full(path), shown=path) if data is None else data
            return (*islice(imports_in(path, data, files, strict=strict), _MOST_READ),)
        except LearningsError:
            return ()

    def _is_named(self, path: str) -> bool:
        if reads_itself(path):
            return True
        try:
            return self._is_stated(path) or self._leads_to(path, self._instructions(path))
        except LearningsError:
            return True

    def _is_stated(self, path: str) -> bool:
        """Return True if the likely files contain the path; link targets are not known here.

        An import counts only between blanks; punctuation may become part of it.
        """
        name = re.escape(encode(path))
        stated = rb"(?<![\w./@-])" + name + rb"(?![\w-]|\.\w)|(?<!\S)@" + name + rb"(?!\S)"
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

    def _leads_to(
        self, path: str, files: Iterable[InstructionFile], *, strict: bool | None = None
    ) -> bool:
        from learnings.agents.loading import leads_to_memory, runs_learnings  # noqa: PLC0415  (as above)

        def leads_to(other: str) -> bool | None:
            full = self._tree.full(other)
            if other == path or not is_file(full):
                return other == path or None
            return is_same_file(full, self._tree.full(path))

        seen: set[tuple[str, bool, int]] = set()
        followed = chain.from_iterable(
            self._followed(file, MOST_HOPS, seen, strict=is_strict)
            for file in files
            for is_strict in [follows_imports(file.path) if strict is None else strict]
        )
        for count, ((source, is_started), is_strict) in enumerate(followed):
            mentions = self._mentions_of(source, strict=is_strict)
            if count == _MOST_READ or mentions is None or leads_to(source):
                return True
            if leads_to_memory(mentions, path, leads_to):
                return True
            if is_started and runs_learnings(mentions, is_program=not source.endswith(".md")):
                return True
        return False

    def _followed(
        self, file: InstructionFile, hops: int, seen: set[tuple[str, bool, int]], *, strict: bool
    ) -> Iterator[tuple[InstructionFile, bool]]:
        """Yield a file, its imports, and the documents that it names."""
        from learnings.agents.loading import documents_of  # noqa: PLC0415  (as above)

        if any((file.path, strict, more) in seen for more in range(hops, MOST_HOPS + 1)):
            return
        seen.add((file.path, strict, hops))
        if self._tree.obstacle(file.path):
            return
        yield file, strict
        mentions = self._mentions_of(file.path, strict=strict)
        if mentions is not None and hops:
            imports = self.imports(file.path, strict=strict)
            named = islice(documents_of(mentions), _MOST_READ)
            further = [(one.loads, hops - 1) for one in imports if one.loads]
            for path, more in (*further, *((path, 0) for path in named)):
                yield from self._followed(file._replace(path=path), more, seen, strict=strict)

    def _mentions_in(self, path: str, *, strict: bool) -> Mentions | None:
        """Return the names in a file, without those of imports that an agent skips."""
        from learnings.agents.loading import mentions_in  # noqa: PLC0415  (as above)

        try:
            data = read_file(self._tree.full(path), shown=path)
        except LearningsError:
            return None
        failed = [one for one in self.imports(path, strict=strict) if one.fault] if strict else []
        lines = split_lines(decode(data)) if failed else []
        for one in failed:
            line, start = lines[one.line - 1], one.column - 1
            end = start + len(one.written.lstrip("(:,;"))
            lines[one.line - 1] = line[:start] + " " * (end - start) + line[end:]
        return mentions_in(path, encode("".join(lines)) if failed else data)


def matches_files(tree: Tree, globs: Sequence[str]) -> bool:
    """Return True if a glob matches a tracked or untracked file, or if nobody can know."""
    from learnings.history.git.tracked import listed_files  # noqa: PLC0415  (few have globs)

    try:
        pathspecs = [pathspec for glob in globs for pathspec in _pathspecs(glob)]
        return not tree.has_git or bool(listed_files(tree.root, pathspecs))
    except LearningsError:
        return True


def _pathspecs(glob: str) -> Sequence[str]:
    inner = glob.removeprefix("./").lstrip("/")
    inner = f"{inner}**" if inner.endswith("/") else inner
    return (f":(glob){inner}", f":(glob)**/{inner}") if inner else (".",)
