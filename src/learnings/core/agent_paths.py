"""The kinds of agent files (skills, sub-agents, commands), recognised by their paths."""

from __future__ import annotations

from enum import Enum

OWN_FOLDER = ".claude"
# Folders treated as plugins, with or without a manifest.
PLUGIN_FOLDERS = ("agent-core",)
PLUGIN_MANIFEST = ".claude-plugin/plugin.json"
# Folders searched for plugins, at most three levels down: deeper folders mostly hold third-party
# packages. Chosen, not measured.
PLUGIN_MANIFESTS = tuple("*/" * depth + PLUGIN_MANIFEST for depth in range(4))


class AgentFileKind(Enum):
    """The kind of an agent file; the value is the noun for messages."""

    AGENT = "sub-agent"
    SKILL = "skill"
    COMMAND = "command"
    SUPPORT = "file of a skill"

    @property
    def has_front_matter(self) -> bool:
        return self is not AgentFileKind.SUPPORT


def kind_of(inner: str) -> AgentFileKind | None:
    """Return the kind of a file, given its POSIX path relative to `.claude` or a plugin folder."""
    folder, *names = inner.split("/")
    name = inner.rpartition("/")[2]
    if not names or not name.endswith(".md"):
        return None
    if folder == "skills":
        if len(names) == 1:
            return None
        return AgentFileKind.SKILL if name == "SKILL.md" else AgentFileKind.SUPPORT
    if name.lower() == "readme.md":
        return None
    if folder == "commands":
        return AgentFileKind.COMMAND
    return AgentFileKind.AGENT if folder == "agents" and len(names) == 1 else None


def home_of(path: str) -> str | None:
    """Return the agent folder that contains a path, or None if the folder name is unknown."""
    top = path.partition("/")[0]
    return top if top in (OWN_FOLDER, *PLUGIN_FOLDERS) else None


def may_be_agents(path: str) -> bool:
    return path.endswith(".md") and not {"agents", "commands", "skills"}.isdisjoint(path.split("/"))


def is_agent_path(path: str) -> bool:
    home = home_of(path)
    return home is not None and kind_of(path.removeprefix(f"{home}/")) is not None
