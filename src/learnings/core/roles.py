"""The role of a path: learnings file, index, target, agent file and its kind, or none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from fnmatch import fnmatchcase
from functools import cache, lru_cache

from learnings.core import file_names
from learnings.core.markdown.outline import Outline
from learnings.core.patterns import lazy_pattern
from learnings.core.settings.setting_values import Settings

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


class Role(Enum):
    """The role of a file, with its word as value. AGENT files instruct, others remember.

    A TOPIC file is an entry of a memory folder.
    """

    LEARNINGS = "learnings"
    TARGET = "target"
    INDEX = "index"
    AGENT = "agent"
    TOPIC = "topic"


def role_of(path: str, settings: Settings) -> Role | None:
    """Return the role of a POSIX path from the root, judging by the path alone, or None."""
    if is_learnings_path(path, settings):
        return Role.LEARNINGS
    if path in settings.index:
        return Role.INDEX
    names, globs, starts = _names_and_globs(target_patterns(settings))
    if path in names or (path.startswith(starts) and any(matches(path, glob) for glob in globs)):
        return Role.TARGET
    if settings.targets is None and is_nested_instructions(path):
        return Role.TARGET
    if is_loaded_index(path):
        return Role.INDEX
    return Role.AGENT if is_agent_path(path) else None


def may_have_role(path: str, role: Role, settings: Settings) -> bool:
    """Return False for a path that no neighbour on disk and no content can give the role.

    Only learnings files and targets are told apart.
    """
    if role is not Role.LEARNINGS:
        return role is not Role.TARGET or role_of(path, settings) is role
    if settings.files or is_learnings_path(path, settings):
        return is_learnings_path(path, settings)
    name = path.rpartition("/")[2]
    # An index may list any Markdown file, but another index.
    may_be_listed = name.endswith(".md") and name not in file_names.FOLDER_INDEXES
    return may_be_listed or name == file_names.COMPANION_NAME or is_memory_place(path)


def fixed_places(role: Role, settings: Settings) -> Iterator[str]:
    """Yield the paths without wildcards that have a role if they exist, if the content agrees."""
    if role is Role.TARGET:
        yield from _names_and_globs(target_patterns(settings))[0]
    if role is not Role.LEARNINGS:
        return
    yield from (str(file.path) for file in settings.files)
    if not settings.files:
        yield from (place for place in file_names.MEMORY_PLACES if "*" not in place)
        for folder in file_names.LEARNINGS_FOLDERS:
            prefix = f"{folder}/" if folder else ""
            yield from (prefix + name for name in file_names.LEARNINGS_NAMES)


def is_nested_instructions(path: str) -> bool:
    """Return True if agents load the file when they work in its folder; copies do not count."""
    *folders, name = path.split("/")
    return (
        name in file_names.NESTED_INSTRUCTIONS
        and bool(folders)
        and file_names.FOREIGN_COPIES.isdisjoint(folders)
    )


def is_loaded_index(path: str) -> bool:
    """Return True for a `MEMORY.md` below `.claude`, which a coding agent loads at start."""
    *folders, name = path.split("/")
    return name == file_names.LOADED_NAME and file_names.LOADED_FOLDER in folders


def is_loaded_whole(path: str) -> bool:
    """Return True if agents load the file as a whole because of its name; case matters."""
    if path.rpartition("/")[2] in file_names.LOADED_WHOLE_NAMES:
        return True
    return any(f"/{path}".endswith(f"/{end}") for end in file_names.LOADED_WHOLE_PATHS)


def is_learnings_path(path: str, settings: Settings) -> bool:
    if settings.files:
        return any(path == file.path for file in settings.files)
    folder, _, name = path.rpartition("/")
    return (
        name in file_names.LEARNINGS_NAMES
        and folder in file_names.LEARNINGS_FOLDERS
        and path[0] != "/"
    )


# Folders of tools with orders and copies, where `learnings.md` may be a command or an agent.
_OF_ORDERS = frozenset(("command", "commands", "agent", "agents", "worktrees"))


def is_memory_place(path: str) -> bool:
    if not _matches_place(path):
        return False
    *folders, name = path.split("/")
    return not (
        file_names.is_template_name(name)
        or name in file_names.EXPLAINING_NAMES
        or folders[:1] == [".git"]
        or (name in file_names.LEARNINGS_NAMES and not _OF_ORDERS.isdisjoint(folders[1:]))
        or any(map(file_names.is_foreign_folder, folders))
    )


# Each place with what stands before its first wildcard, and behind its last one.
_PLACES = tuple(
    (place.partition("*")[0], place.rpartition("*")[2], place)
    for place in (*file_names.MEMORY_PLACES, *file_names.HIDDEN_PLACES)
)
_STARTS, _ENDS = (tuple({place[n] for place in _PLACES}) for n in (0, 1))


def _matches_place(path: str) -> bool:
    # Most paths match none, which needs no pattern: all of them take longest to compile.
    return (
        path.startswith(_STARTS)
        and path.endswith(_ENDS)
        and any(
            path.startswith(start) and path.endswith(end) and _pattern_of(place).fullmatch(path)
            for start, end, place in _PLACES
        )
    )


def is_lesson_index(path: str) -> bool:
    """Return True for a file that may list memories: the index of a folder of lessons.

    `lessons` alone may be those of a course.
    """
    folder, _, name = path.rpartition("/")
    above, _, last = folder.rpartition("/")
    is_ours = last != "lessons" or above.startswith((".", "agents"))
    return (
        name in file_names.EXPLAINING_NAMES
        and last in file_names.LESSON_FOLDERS
        and above in file_names.LEARNINGS_FOLDERS
        and is_ours
    )


def memory_folder_of(path: str, folders: Sequence[str] = ()) -> str | None:
    """Return the memory folder (in `folders` or a usual one) with the file as entry, or None."""
    inner, _, name = path.rpartition("/")
    if not name.endswith(".md") or name in file_names.FOLDER_INDEXES or is_memory_place(path):
        return None
    is_usual = path.startswith(_FOLDER_STARTS)
    usual = _in_folder_place().match(f"{inner}/") if is_usual else None
    found = [folder for folder in folders if path.startswith(f"{folder}/")]
    found += [usual[0].removesuffix("/")] if usual else []
    folder = max(found, key=len, default=None)
    if folder is None:
        return None
    inner_folders = path.removeprefix(f"{folder}/").split("/")[:-1]
    if any(map(file_names.is_foreign_folder, inner_folders)) or file_names.is_template_name(name):
        return None
    return folder if folder in folders or not is_copy(folder) else None


def is_copy(folder: str) -> bool:
    """Return True for a place of templates or copies: not a memory unless configured.

    `.claude/agent-memory/tests` is the memory of an agent; a `_templates` folder beside it is not.
    """
    names = (part.strip("_").lower() for part in folder.split("/"))
    return not file_names.FOREIGN_COPIES.isdisjoint(names)


_FOLDER_STARTS = tuple({place.partition("*")[0] for place in file_names.FOLDER_PLACES})


@lru_cache(maxsize=1)
def _in_folder_place() -> re.Pattern[str]:
    places = (_pattern_of(place).pattern for place in file_names.FOLDER_PLACES)
    return re.compile(f"(?:{'|'.join(places)})/")


@cache
def _pattern_of(place: str) -> re.Pattern[str]:
    marks = {"**/": r"(?:[^/.][^/]*/)*", "*": r"[^/.][^/]*"}
    parts = re.split(r"(\*\*/|\*)", place)
    return re.compile("".join(marks.get(part) or re.escape(part) for part in parts))


def exclusion(path: str, settings: Settings) -> str | None:
    """Return the pattern of `exclude` that matches a POSIX path or one of its folders, or None."""
    if not settings.exclude:
        return None
    parts = path.split("/")
    paths = ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]
    for pattern in settings.exclude:
        if any(matches(part, pattern.removesuffix("/**")) for part in paths):
            return pattern
    return None


def packages_around(path: str, names: Sequence[str] = file_names.LEARNINGS_NAMES) -> Iterator[str]:
    """Yield the packages in which a path with one of the names is a learnings file."""
    folder, _, name = path.rpartition("/")
    if name not in names or path[0] == "/":
        return
    for suffix in file_names.LEARNINGS_FOLDERS:
        if suffix and not folder.endswith(f"/{suffix}"):
            continue
        package = folder.removesuffix(f"/{suffix}") if suffix else folder
        if package and is_package_path(package):
            yield package


def is_package_path(folder: str) -> bool:
    parts = folder.split("/")
    return not any(part[:1] == "." or file_names.is_foreign_folder(part) for part in parts)


def target_patterns(settings: Settings) -> tuple[str, ...]:
    return file_names.DEFAULT_TARGETS if settings.targets is None else settings.targets


# One list per repository: hooks and tests read more than one.
@lru_cache(maxsize=16)
def _names_and_globs(
    patterns: tuple[str, ...],
) -> tuple[frozenset[str], tuple[str, ...], tuple[str, ...]]:
    """Return the names, the globs, and the text before the first wildcard of each glob."""
    globs = tuple(pattern for pattern in patterns if any(mark in pattern for mark in "*?["))
    starts = tuple(re.split(r"[*?\[]", glob, maxsplit=1)[0] for glob in globs)
    return frozenset(patterns).difference(globs), globs, starts


def matches(path: str, pattern: str) -> bool:
    """Return True if a glob matches a whole POSIX path; `*`, `?`, `[…]` stay within a name.

    `**` matches any number of folders; as in a shell, no wildcard matches a leading dot.
    """
    parts = pattern.split("/")
    # All possible numbers of parts that match the names so far; a `**` allows a choice at each
    # name.
    counts = _skip_folders({0}, parts)
    for name in path.split("/"):
        unfinished = [count for count in counts if count < len(parts)]
        onward = {count + 1 for count in unfinished if name_matches(name, parts[count])}
        same = {count for count in unfinished if parts[count] == "**" and name[:1] != "."}
        counts = _skip_folders(onward | same, parts)
    return len(parts) in counts


def name_matches(name: str, part: str) -> bool:
    """Return True if one part of a glob matches one name; `**` counts as `*`."""
    if not any(mark in part for mark in "*?["):
        return name == part
    return (name[:1] != "." or part[:1] == ".") and fnmatchcase(name, part)


def _skip_folders(counts: set[int], parts: Sequence[str]) -> set[int]:
    """Add the counts after each `**`, which can match no folder at all."""
    skipped = set(counts)
    for index, part in enumerate(parts[:-1]):
        if index in skipped and part == "**":
            skipped.add(index + 1)
    return skipped


# Files that record the past: logs, archives, and records of single decisions.

# `0007-use-queues.md`, `2026-02-11-queues.md`; `Status: accepted`, `- **Status**: accepted`.
_DATED_NAME = lazy_pattern(r"(?:adr[-_])?\d{3,}[-_.]", re.IGNORECASE)
_STATUS = lazy_pattern(r"[ \t>*_-]*status[*_]*[ \t]*:", re.IGNORECASE)
# Usual names for the log of a project.
_LOG_NAME = lazy_pattern(
    r"(?:change-?log|changes|history|news|release-?notes?|releases|worklog|progress)[\w-]*\.\w+",
    re.IGNORECASE,
)


def is_dated_record(path: str, lines: Sequence[str], outline: Outline) -> bool:
    """Return True for the record of a single decision.

    Its name begins with a number or date, or it has a status above its second heading.
    """
    second = [heading.line for heading in outline.headings][1:2]
    top = lines[: second[0]] if second else lines
    return bool(_DATED_NAME.match(path.rpartition("/")[2])) or any(map(_STATUS.match, top))


def is_log_or_record(path: str, lines: Sequence[str], outline: Outline, *, is_memory: bool) -> bool:
    """Return True for a file that records the past, so that nobody has to keep it up to date.

    is_memory: the file is a learnings file, so neither its name nor the status of an entry makes it
    a record.
    """
    folders = [part.lower() for part in path.split("/")[:-1]]
    if file_names.ARCHIVE_FOLDER in folders or "archived" in folders:
        return True
    if is_memory:
        return False
    name = path.rpartition("/")[2]
    return _LOG_NAME.fullmatch(name) is not None or is_dated_record(path, lines, outline)
