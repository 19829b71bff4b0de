"""The agent files that concern us, and the files on disk that they refer to."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from learnings.agents.file_facts import AgentFacts, Commands, concerns_us, may_concern_us
from learnings.agents.front_matter import read_front_matter
from learnings.agents.instructions import Instructions, read_instructions
from learnings.agents.mentions import copies, path_references
from learnings.core.errors import LearningsError
from learnings.core.roles import PLUGIN_FOLDERS
from learnings.core.text import decode, split_lines
from learnings.history.git.ignoring import ignoring_rules
from learnings.history.git.tracked import listed_files
from learnings.rules.rule import TreeFacts
from learnings.workspace.agent_files import AgentHome, home_around, kind_in, paths_in, plugin_name
from learnings.workspace.disk import content_of, exists, is_file, is_folder, read_file, real_path
from learnings.workspace.tree import Tree


def tree_facts(tree: Tree, path: str) -> TreeFacts:
    """Return the existing files around the instructions at a POSIX path from the root."""

    def has(other: str) -> bool:
        if tree.has(other) or not tree.has_git:
            return tree.has(other)
        # A file that git ignores may exist for others.
        return other in ignoring_rules(tree.root, [other])

    def matches(globs: Sequence[str]) -> bool:
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


_OWN_PLUGIN = "learnings"


class AgentFiles:
    """The agent files of a repository; their surroundings are read once."""

    def __init__(self, tree: Tree, commands: Commands) -> None:
        self._root = tree.root
        self._commands = commands
        self._tree = tree
        self._beside = cache(self._neighbours)
        self._is_our_plugin = cache(self._has_our_file)

    def facts(self, path: str, data: bytes) -> AgentFacts | None:
        """Return the references of an agent file, or None if it does not concern us."""
        home = home_around(self._root, path)
        if home is None:
            return None
        instructions = self._ours(data)
        if instructions is None and not self._is_our_plugin(home):
            return None
        text = instructions or read_instructions(split_lines(decode(data)))
        plugin, agents, skills = self._beside(home)
        # Other plugins may have our name.
        is_own = plugin == _OWN_PLUGIN and self._is_our_plugin(home)
        named = {call.command for call in text.calls if call.command}
        known = sorted(named & {*self._commands.names})
        return AgentFacts(
            kind_in(home, path),
            text,
            read_front_matter(text.lines),
            is_ours=instructions is not None or is_own,
            is_own=is_own,
            root=home.folder if home.is_plugin else None,
            plugin=plugin,
            agents=agents,
            skills=skills,
            programs=self._commands.names,
            options={name: self._commands.options_of(name) for name in known},
            sources=self._sources(home, text),
            absent=self._absent(home, text),
        )

    def _ours(self, data: bytes) -> Instructions | None:
        names = self._commands.names
        if not may_concern_us(data, names):
            return None
        instructions = read_instructions(split_lines(decode(data)))
        return instructions if concerns_us(instructions, names) else None

    def _has_our_file(self, home: AgentHome) -> bool:
        contents = (content_of(self._root / path) for path in paths_in(self._tree, home))
        return home.is_plugin and any(map(self._ours, contents))

    def _neighbours(self, home: AgentHome) -> tuple[str, frozenset[str], frozenset[str]]:
        """Return the plugin name, and the sub-agents and skills in a home."""
        agents = self._tree.files(f"{home.prefix}agents/*.md")
        skills = self._tree.files(f"{home.prefix}skills/*/SKILL.md")
        return (
            plugin_name(self._root, home) if home.is_plugin else "",
            frozenset(path.rpartition("/")[2].removesuffix(".md") for path in agents),
            frozenset(path.split("/")[-2] for path in skills),
        )

    def _absent(self, home: AgentHome, text: Instructions) -> frozenset[str]:
        """Return the paths in a file that lead nowhere, as written."""
        absent = set()
        for reference in path_references(text.lines):
            if reference.inner is None:
                start, inner = self._root, reference.written
                is_known = is_folder(self._root / inner.partition("/")[0])
            else:
                start, inner = self._root / home.folder, reference.inner
                is_known = home.is_plugin
            full = start / inner
            if is_known and not (_is_inside(self._root, full) and exists(full)):
                absent.add(reference.written)
        return frozenset(absent)

    def _sources(self, home: AgentHome, text: Instructions) -> dict[str, tuple[str, ...] | None]:
        """Return the lines of the files that a file has copied from; None for a missing one.

        Copies from a plugin that is not here, by a file outside plugins, are left out.
        """
        sources = {}
        for copy in copies(text.lines, text.front_matter):
            lines = self._source(home, copy.path)
            if lines is not None or home.is_plugin or not _in_plugin(copy.path):
                sources[copy.path] = lines
        return sources

    def _source(self, home: AgentHome, path: str) -> tuple[str, ...] | None:
        """Return the lines of a file; a plugin's file may be beside the file that names it."""
        inner = path.replace("${CLAUDE_PLUGIN_ROOT}/", "")
        own = inner.partition("/")[2] if _in_plugin(inner) else inner
        for full in (self._root / inner, self._root / home.folder / own):
            if _is_inside(self._root, full) and is_file(full):
                try:
                    return tuple(split_lines(decode(read_file(full, shown=path))))
                except LearningsError:
                    return None
        return None


def _in_plugin(path: str) -> bool:
    return path.startswith((*(f"{folder}/" for folder in PLUGIN_FOLDERS), "${CLAUDE_PLUGIN_ROOT}/"))


def _is_inside(root: Path, path: Path) -> bool:
    return real_path(path).is_relative_to(real_path(root))
