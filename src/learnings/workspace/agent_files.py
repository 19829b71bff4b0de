"""The agent files of a workspace: in `.claude`, in `agent-core` and in plugins."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from learnings.core import roles
from learnings.core.errors import LearningsError
from learnings.core.settings.setting_values import Settings
from learnings.workspace.discovery import Candidate
from learnings.workspace.disk import is_file, read_file
from learnings.workspace.tree import Met, Tree

_PATTERNS = ("agents/*.md", "commands/**/*.md", "skills/*/**/*.md")


class AgentHome(NamedTuple):
    """A folder with agent files, POSIX from the root; empty for the root itself."""

    folder: str
    is_plugin: bool

    @property
    def prefix(self) -> str:
        """The prefix of the paths of its files."""
        return f"{self.folder}/" if self.folder else ""


def agent_files(tree: Tree, settings: Settings) -> tuple[Candidate, ...]:
    """Return the agent files on disk, and similar files that were skipped."""
    met = Met()
    homes = {path: home for home in _homes(tree) for path in paths_in(tree, home)}
    tree.expect(homes)
    candidates = []
    for path in tree.links_last(homes):
        home, role = homes[path], roles.role_of(path, settings)
        if role is not None and role is not roles.Role.AGENT:
            candidates.append(Candidate(path, f"a {role.value} file"))
            continue
        obstacle = tree.unusable(path) or tree.duplicate(path, met)
        reason = f"{kind_in(home, path).value} in {home.folder or 'the root'}"
        candidates.append(Candidate(path, obstacle or reason, included=obstacle is None))
    return tuple(candidates)


def paths_in(tree: Tree, home: AgentHome) -> list[str]:
    """Return the paths of the agent files in a home, POSIX from the root."""
    return [
        path
        for pattern in _PATTERNS
        for path in tree.files(home.prefix + pattern)
        if roles.kind_of(path.removeprefix(home.prefix))
    ]


def home_around(root: Path, path: str) -> AgentHome | None:
    """Return the home that makes a file (POSIX from the root) an agent file, or None."""
    folder = roles.home_of(path)
    if folder is not None:
        home = AgentHome(folder, is_plugin=folder != roles.OWN_FOLDER)
        return home if roles.kind_of(path.removeprefix(home.prefix)) else None
    folders = path.split("/")[:-1]
    for depth in range(len(folders), -1, -1):
        home = AgentHome("/".join(folders[:depth]), is_plugin=True)
        if is_file(root / home.folder / roles.PLUGIN_MANIFEST):
            return home if roles.kind_of(path.removeprefix(home.prefix)) else None
    return None


def kind_in(home: AgentHome, path: str) -> roles.AgentFileKind:
    """Return the kind of a file in a home."""
    return roles.kind_of(path.removeprefix(home.prefix)) or roles.AgentFileKind.SUPPORT


def plugin_name(root: Path, home: AgentHome) -> str:
    """Return the plugin name from its manifest, empty if it cannot be read."""
    try:
        data = read_file(root / home.folder / roles.PLUGIN_MANIFEST, shown=roles.PLUGIN_MANIFEST)
        manifest = json.loads(data)
    except (LearningsError, ValueError, RecursionError):
        return ""
    return str(manifest.get("name", "")) if isinstance(manifest, dict) else ""


def _homes(tree: Tree) -> Iterator[AgentHome]:
    yield AgentHome(roles.OWN_FOLDER, is_plugin=False)
    seen = set(roles.PLUGIN_FOLDERS)
    yield from (AgentHome(folder, is_plugin=True) for folder in roles.PLUGIN_FOLDERS)
    for pattern in roles.PLUGIN_MANIFESTS:
        for path in tree.files(pattern):
            folder = path.removesuffix(roles.PLUGIN_MANIFEST).rstrip("/")
            if folder not in seen and not tree.is_ignored(path):
                seen.add(folder)
                yield AgentHome(folder, is_plugin=True)
