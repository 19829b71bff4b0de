"""Which role a path has: a learnings file, the index, a target, a file of agents, or none."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from fnmatch import fnmatchcase

from learnings.core.agents.model import is_agent_path
from learnings.core.settings.values import Settings

LEARNINGS_NAMES = ("learnings.md", "LEARNINGS.md", "lessons.md", "LESSONS.md")
LEARNINGS_FOLDERS = (
    "",
    "agents",
    "docs",
    ".claude",
    ".agents",
    ".agent",
    ".ai",
    ".context",
    ".learnings",
    ".planning",
    "tasks",
    "memory",
    ".claude/memory",
    ".claude/rules",
)
COMPANION_NAME = "DECISIONS.md"
LOADED_FOLDER = ".claude"
LOADED_NAME = "MEMORY.md"
LOADED_INDEXES = f"{LOADED_FOLDER}/**/{LOADED_NAME}"
DEFAULT_TARGETS = (
    "agents/decisions/*.md",
    "agent-core/fragments/*.md",
    "docs/decisions/*.md",
    ".context/learnings/*.md",
    ".context/decisions/*.md",
    ".context/conventions/*.md",
    "CLAUDE.md",
    "AGENTS.md",
)


class Role(Enum):
    """What a file is for; its value is the word for it. AGENT files instruct, others remember."""

    LEARNINGS = "learnings"
    TARGET = "target"
    INDEX = "index"
    AGENT = "agent"


def role_of(path: str, settings: Settings) -> Role | None:
    """The role of a file, by its POSIX path from the repository's root; None where it has none.

    Decides by the path alone: whether DECISIONS.md is a learnings file depends on its neighbour,
    so that it is none here, and what a plugin is outside the usual folders on its manifest.
    """
    if is_learnings_path(path, settings):
        return Role.LEARNINGS
    if path == settings.index:
        return Role.INDEX
    if any(matches(path, pattern) for pattern in target_patterns(settings)):
        return Role.TARGET
    if is_loaded_index(path):
        return Role.INDEX
    return Role.AGENT if is_agent_path(path) else None


def is_loaded_index(path: str) -> bool:
    """Whether `path` names an index of its own that a coding agent loads when it starts.

    That is `MEMORY.md` in a folder `.claude` or in any folder below one.
    """
    *folders, name = path.split("/")
    return name == LOADED_NAME and LOADED_FOLDER in folders


def is_learnings_path(path: str, settings: Settings) -> bool:
    """Whether `path` is a configured learnings file or, if none is, one by folder and name."""
    if settings.files:
        return any(path == file.path for file in settings.files)
    folder, _, name = path.rpartition("/")
    return name in LEARNINGS_NAMES and folder in LEARNINGS_FOLDERS and path[0] != "/"


def target_patterns(settings: Settings) -> tuple[str, ...]:
    """The globs of target files: those configured, else the default ones."""
    return DEFAULT_TARGETS if settings.targets is None else settings.targets


def matches(path: str, pattern: str) -> bool:
    """Whether a glob matches the whole of a path; both are POSIX paths from the same root.

    `*`, `?` and `[…]` stay within one name, `**` stands for any number of folders. As in a shell
    none of them matches a name that begins with a dot unless the pattern has that dot.
    """
    parts = pattern.split("/")
    reached = _skip_folders({0}, parts)
    for name in path.split("/"):
        ahead = {at + 1 for at in reached if at < len(parts) and name_matches(name, parts[at])}
        stay = {at for at in reached if at < len(parts) and parts[at] == "**" and name[:1] != "."}
        reached = _skip_folders(ahead | stay, parts)
    return len(parts) in reached


def name_matches(name: str, part: str) -> bool:
    """Whether one part of a glob matches one name; `**` counts as `*`."""
    return (name[:1] != "." or part[:1] == ".") and fnmatchcase(name, part)


def _skip_folders(reached: set[int], parts: Sequence[str]) -> set[int]:
    """`reached` with the positions behind each `**`, which may stand for no folder at all."""
    found = set(reached)
    for at, part in enumerate(parts[:-1]):
        if at in found and part == "**":
            found.add(at + 1)
    return found
