"""The files of agents in a workspace: those of `.claude`, of `agent-core` and of plugins."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from learnings.app.workspace.candidate import Candidate
from learnings.app.workspace.disk import Disk
from learnings.core.agents.model import (
    OWN_FOLDER,
    PLUGIN_FOLDERS,
    PLUGIN_MANIFEST,
    PLUGIN_MANIFESTS,
    Kind,
    home_of,
    kind_of,
)
from learnings.core.roles import Role, role_of
from learnings.core.settings.values import Settings

_PATTERNS = ("agents/*.md", "commands/**/*.md", "skills/*/**/*.md")


class Home(NamedTuple):
    """A folder with files of agents, POSIX from the root, empty for the root itself."""

    folder: str
    is_plugin: bool

    @property
    def prefix(self) -> str:
        """What the paths of its files begin with."""
        return f"{self.folder}/" if self.folder else ""


def agent_files(root: Path, settings: Settings) -> tuple[Candidate, ...]:
    """The files of agents on disk, and those that look like one and were skipped."""
    disk = Disk(root)
    patterns = {
        path: home
        for home in _homes(disk)
        for pattern in _PATTERNS
        for path in disk.files(home.prefix + pattern)
        if kind_of(path.removeprefix(home.prefix))
    }
    disk.gitignore.expect(patterns)
    return tuple(_judged(path, patterns[path], disk, settings) for path in disk.by_link(patterns))


def home_around(root: Path, path: str) -> Home | None:
    """The folder that makes a file one of agents; None where it is none.

    path is POSIX from the root. Outside the usual folders that takes the manifest of a plugin.
    """
    usual = home_of(path)
    if usual is not None:
        home = Home(usual, is_plugin=usual != OWN_FOLDER)
        return home if kind_of(path.removeprefix(home.prefix)) else None
    folders = path.split("/")[:-1]
    for depth in range(len(folders), -1, -1):
        home = Home("/".join(folders[:depth]), is_plugin=True)
        if (root / home.folder / PLUGIN_MANIFEST).is_file():
            return home if kind_of(path.removeprefix(home.prefix)) else None
    return None


def kind_in(home: Home, path: str) -> Kind:
    """What a file in a home is for."""
    return kind_of(path.removeprefix(home.prefix)) or Kind.SUPPORT


def plugin_name(root: Path, home: Home) -> str:
    """The name that the manifest of a plugin gives it, empty where none can be read."""
    try:
        manifest = json.loads((root / home.folder / PLUGIN_MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return ""
    return str(manifest.get("name", "")) if isinstance(manifest, dict) else ""


def _homes(disk: Disk) -> Iterator[Home]:
    yield Home(OWN_FOLDER, is_plugin=False)
    seen = set(PLUGIN_FOLDERS)
    yield from (Home(folder, is_plugin=True) for folder in PLUGIN_FOLDERS)
    for pattern in PLUGIN_MANIFESTS:
        for path in disk.files(pattern):
            folder = path.removesuffix(PLUGIN_MANIFEST).rstrip("/")
            if folder not in seen and disk.gitignore.reason(path) is None:
                seen.add(folder)
                yield Home(folder, is_plugin=True)


def _judged(path: str, home: Home, disk: Disk, settings: Settings) -> Candidate:
    role = role_of(path, settings)
    if role is not None and role is not Role.AGENT:
        return Candidate(path, f"a {role.value} file")
    obstacle = disk.obstacle(path) or disk.gitignore.reason(path) or disk.other_name(path)
    reason = f"{kind_in(home, path).value} in {home.folder or 'the root'}"
    return Candidate(path, obstacle or reason, included=obstacle is None)
