"""Which paths are those of agent files: skills, sub-agents and commands, by their names alone."""

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
    """What a file is for; its value is the word for it."""

    AGENT = "sub-agent"
    SKILL = "skill"
    COMMAND = "command"
    SUPPORT = "file of a skill"

    @property
    def has_front_matter(self) -> bool:
        """True if agents read the front matter of such a file."""
        return self is not AgentFileKind.SUPPORT


def kind_of(inner: str) -> AgentFileKind | None:
    """Return what a file is, by its POSIX path from `.claude` or from the folder of a plugin."""
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
    """Return the folder of agents that a path lies in, None where it is not known by its name."""
    top = path.partition("/")[0]
    return top if top in (OWN_FOLDER, *PLUGIN_FOLDERS) else None


def may_be_agents(path: str) -> bool:
    """Return True if a path is one that a file of an agent in some plugin could have."""
    return path.endswith(".md") and not {"agents", "commands", "skills"}.isdisjoint(path.split("/"))


def is_agent_path(path: str) -> bool:
    """Return True if a POSIX path from the root shows by itself that a file is one of agents."""
    home = home_of(path)
    return home is not None and kind_of(path.removeprefix(f"{home}/")) is not None
