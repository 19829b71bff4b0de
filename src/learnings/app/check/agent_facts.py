"""What a file of an agent refers to: commands, files, sub-agents and skills, looked up on disk."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from learnings.app.workspace.agent_files import Home, kind_in, plugin_name
from learnings.app.workspace.disk import read_file, real_path
from learnings.app.workspace.tree import FileTree
from learnings.core.agents.commands import calls
from learnings.core.agents.copies import copies
from learnings.core.agents.model import AgentFacts, Commands
from learnings.core.agents.paths import path_references
from learnings.core.entries.document import Document
from learnings.core.errors import LearningsError
from learnings.core.text import decode, split_lines


def facts_for(
    root: Path, home: Home, path: str, document: Document, commands: Commands
) -> AgentFacts:
    """Look up what a file of an agent refers to; never raises for what is missing.

    path is POSIX from the root; home is the folder of agent files that it lies in.
    """
    lines, front = document.lines, document.front_matter
    named = {call.command for call in calls(lines, front) if call.command}
    kind = kind_in(home, path)
    options = {name: commands.options_of(name) for name in sorted(named & {*commands.names})}
    sources = {copy.path: _source(root, home, copy.path) for copy in copies(lines, front)}
    if not home.is_plugin:
        return AgentFacts(kind, programs=commands.names, options=options, sources=sources)
    tree = FileTree(root)
    return AgentFacts(
        kind,
        root=home.folder,
        plugin=plugin_name(root, home),
        agents=_stems(tree.files(f"{home.prefix}agents/*.md")),
        skills=_folders(tree.files(f"{home.prefix}skills/*/SKILL.md")),
        programs=commands.names,
        options=options,
        sources=sources,
        absent=_absent(root, home, lines),
    )


def _absent(root: Path, home: Home, lines: Sequence[str]) -> frozenset[str]:
    """Return the paths that a file names and that lead to nothing, as they are written."""
    absent = set()
    for reference in path_references(lines):
        start = root if reference.inner is None else root / home.folder
        path = start / (reference.written if reference.inner is None else reference.inner)
        if not _is_inside(root, path) or not path.exists():
            absent.add(reference.written)
    return frozenset(absent)


def _source(root: Path, home: Home, path: str) -> tuple[str, ...] | None:
    """Return the lines of a file that another one has copied from; None where there is none."""
    inner = path.replace("${CLAUDE_PLUGIN_ROOT}/", "")
    for start in (root, root / home.folder):
        full = start / inner
        if _is_inside(root, full) and full.is_file():
            try:
                return tuple(split_lines(decode(read_file(full, shown=path))))
            except LearningsError:
                return None
    return None


def _is_inside(root: Path, path: Path) -> bool:
    return real_path(path).is_relative_to(real_path(root))


def _stems(paths: Iterable[str]) -> frozenset[str]:
    return frozenset(path.rpartition("/")[2].removesuffix(".md") for path in paths)


def _folders(paths: Iterable[str]) -> frozenset[str]:
    return frozenset(path.split("/")[-2] for path in paths)
