"""The agent files that concern us, and the files on disk that they refer to."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from learnings.agents.file_facts import AgentFacts, Commands, concerns_us, may_concern_us
from learnings.agents.front_matter import read_front_matter
from learnings.agents.instructions import Instructions, read_instructions
from learnings.agents.mentions import copies, path_references
from learnings.core.errors import LearningsError
from learnings.core.roles import PLUGIN_FOLDERS
from learnings.core.text import decode, split_lines
from learnings.workspace.agent_files import AgentHome, home_around, kind_in, paths_in, plugin_name
from learnings.workspace.disk import content_of, exists, is_file, is_folder, read_file, real_path
from learnings.workspace.tree import Tree

_OWN_PLUGIN = "learnings"
_PLUGIN_ROOT = "${CLAUDE_PLUGIN_ROOT}/"
_IN_PLUGINS = (*(f"{folder}/" for folder in PLUGIN_FOLDERS), _PLUGIN_ROOT)


class AgentFiles:
    """The agent files of a repository; each home is searched once for files that concern us."""

    def __init__(self, tree: Tree, commands: Commands) -> None:
        self._tree = tree
        self._root = tree.root
        self._real_root = real_path(tree.root)
        self._commands = commands
        self._files = cache(tree.files)
        self._is_our_plugin = cache(self._has_our_file)

    def facts(self, path: str, data: bytes) -> AgentFacts | None:
        """Return the references of an agent file, or None if it does not concern us."""
        home = home_around(self._root, path)
        instructions = self._ours(data)
        if home is None or (instructions is None and not self._is_our_plugin(home)):
            return None
        text = instructions or read_instructions(split_lines(decode(data)))
        plugin = plugin_name(self._root, home) if home.is_plugin else ""
        # Other plugins may have our name.
        is_own = plugin == _OWN_PLUGIN and self._is_our_plugin(home)
        agents = self._files(f"{home.prefix}agents/*.md")
        skills = self._files(f"{home.prefix}skills/*/SKILL.md")
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
            agents=frozenset(path.rpartition("/")[2].removesuffix(".md") for path in agents),
            skills=frozenset(path.split("/")[-2] for path in skills),
            programs=self._commands.names,
            options={name: self._commands.options_of(name) for name in known},
            sources=dict(self._sources(home, text)),
            absent=frozenset(self._absent(home, text)),
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

    def _absent(self, home: AgentHome, text: Instructions) -> Iterator[str]:
        """Yield the paths in a file that lead nowhere, as written."""
        for reference in path_references(text.lines):
            if reference.inner is None:
                full = self._root / reference.written
                is_known = is_folder(self._root / reference.written.partition("/")[0])
            else:
                full, is_known = self._root / home.folder / reference.inner, home.is_plugin
            if is_known and not (self._is_inside(full) and exists(full)):
                yield reference.written

    def _sources(
        self, home: AgentHome, text: Instructions
    ) -> Iterator[tuple[str, tuple[str, ...] | None]]:
        """Yield the files that a file has copied from, with their lines; None for a missing one.

        A plugin's file may be beside the file that names it. Copies from a plugin that is not here,
        by a file outside plugins, are left out.
        """
        for copy in copies(text.lines, text.front_matter):
            is_in_plugin = copy.path.startswith(_IN_PLUGINS)
            inner = copy.path.replace(_PLUGIN_ROOT, "")
            own = inner.partition("/")[2] if inner.startswith(_IN_PLUGINS) else inner
            places = (self._root / inner, self._root / home.folder / own)
            full = next((at for at in places if self._is_inside(at) and is_file(at)), None)
            lines = None if full is None else _lines_of(full, copy.path)
            if lines is not None or home.is_plugin or not is_in_plugin:
                yield copy.path, lines

    def _is_inside(self, path: Path) -> bool:
        return real_path(path).is_relative_to(self._real_root)


def _lines_of(path: Path, shown: str) -> tuple[str, ...] | None:
    try:
        return tuple(split_lines(decode(read_file(path, shown=shown))))
    except LearningsError:
        return None
