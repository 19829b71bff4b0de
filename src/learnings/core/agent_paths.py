"""The kinds of agent files (skills, sub-agents, commands), recognised by their paths."""

from __future__ import annotations

from enum import Enum

OWN_FOLDER = ".claude"
# Folders that are looked at as a plugin, whether or not a manifest says that they are one.
PLUGIN_FOLDERS = ("agent-core",)
PLUGIN_MANIFEST = ".claude-plugin/plugin.json"
# Where plugins are looked for, three folders down at most: deeper there are mostly packages of
# other people. Chosen, not measured.
PLUGIN_MANIFESTS = tuple("*/" * depth + PLUGIN_MANIFEST for depth in range(4))


class AgentFileKind(Enum):
    """The purpose of an agent file; the value is its word in messages."""

    AGENT = "sub-agent"
    SKILL = "skill"
    COMMAND = "command"
    SUPPORT = "file of a skill"

    @property
    def has_front_matter(self) -> bool:
        return self is not AgentFileKind.SUPPORT


def kind_of(inner: str) -> AgentFileKind | None:
    """Return the kind of a file, given its POSIX path from `.claude` or from a plugin's folder."""
    folder, *names = inner.split("/")
    name = inner.rpartition("/")[2]
    if not names or not name.endswith(".md"):
        return None
    if folder == "skills":
        is_skill = name == "SKILL.md" and len(names) > 1
        return (
            AgentFileKind.SKILL if is_skill else AgentFileKind.SUPPORT if len(names) > 1 else None
        )
    if name.lower() == "readme.md":
        return None
    if folder == "commands":
        return AgentFileKind.COMMAND
    return AgentFileKind.AGENT if folder == "agents" and len(names) == 1 else None


def home_of(path: str) -> str | None:
    """Return the folder of agents that holds a path, or None if its name is not a known one."""
    top = path.partition("/")[0]
    return top if top in (OWN_FOLDER, *PLUGIN_FOLDERS) else None


def may_be_agents(path: str) -> bool:
    return path.endswith(".md") and not {"agents", "commands", "skills"}.isdisjoint(path.split("/"))


def is_agent_path(path: str) -> bool:
    home = home_of(path)
    return home is not None and kind_of(path.removeprefix(f"{home}/")) is not None
