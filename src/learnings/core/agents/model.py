"""Files that a coding agent loads as its instructions: sub-agents, skills and commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:  # a role is asked for more often than a file of an agent is read
    from learnings.core.agents.front_matter import FrontMatter
    from learnings.core.agents.instructions import Instructions

OWN_FOLDER = ".claude"
# Folders that are looked at as a plugin, whether or not a manifest says that they are one.
PLUGIN_FOLDERS = ("agent-core",)
PLUGIN_MANIFEST = ".claude-plugin/plugin.json"
# Where plugins are looked for, three folders down at most: deeper there are mostly packages of
# other people. Chosen, not measured.
PLUGIN_MANIFESTS = tuple("*/" * depth + PLUGIN_MANIFEST for depth in range(4))

Options = Mapping[str, tuple[str, ...]]


class Commands(NamedTuple):
    """The names of the commands of `learnings`, and a function that returns the options of one."""

    names: tuple[str, ...]
    options_of: Callable[[str], Options]


class Kind(Enum):
    """What a file is for; its value is the word for it."""

    AGENT = "sub-agent"
    SKILL = "skill"
    COMMAND = "command"
    SUPPORT = "file of a skill"

    @property
    def has_front_matter(self) -> bool:
        """True if agents read the front matter of such a file."""
        return self is not Kind.SUPPORT


class AgentFacts(NamedTuple):
    """What a file of an agent says, and what it refers to in the repository and in `learnings`.

    is_ours is False for a file that only belongs to the plugin of one that works with `learnings`;
    is_own is True for the files of the plugin of this project, which are all ours.
    root is the folder of the plugin, POSIX from the root of the repository; None for a file that
    belongs to no plugin. plugin is the name of the plugin; agents and skills are those beside the
    file. programs are the commands of `learnings`; options those of the commands that the file
    names, each with the values it takes (none: any). sources are the lines of the files that it has
    copied from, by the path it gives, None for one that is missing and should be there; absent are
    the paths that it names and that do not exist.
    """

    kind: Kind
    instructions: Instructions
    front: FrontMatter
    is_ours: bool = True
    is_own: bool = False
    root: str | None = None
    plugin: str = ""
    agents: frozenset[str] = frozenset()
    skills: frozenset[str] = frozenset()
    programs: tuple[str, ...] = ()
    options: Mapping[str, Options] = {}
    sources: Mapping[str, tuple[str, ...] | None] = {}
    absent: frozenset[str] = frozenset()


def kind_of(inner: str) -> Kind | None:
    """Return what a file is, by its POSIX path from `.claude` or from the folder of a plugin."""
    folder, *names = inner.split("/")
    name = inner.rpartition("/")[2]
    if not names or not name.endswith(".md"):
        return None
    if folder == "skills":
        is_skill = name == "SKILL.md" and len(names) > 1
        return Kind.SKILL if is_skill else Kind.SUPPORT if len(names) > 1 else None
    if name.lower() == "readme.md":
        return None
    if folder == "commands":
        return Kind.COMMAND
    return Kind.AGENT if folder == "agents" and len(names) == 1 else None


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
