"""Which role a path has: a learnings file, the index, a target, a file of agents, or none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from fnmatch import fnmatchcase
from functools import lru_cache

from learnings.core.agent_paths import is_agent_path
from learnings.core.file_names import (
    DEFAULT_TARGETS,
    FOLDER_INDEXES,
    FOLDER_PLACES,
    FOREIGN_COPIES,
    FOREIGN_FOLDERS,
    LEARNINGS_FOLDERS,
    LEARNINGS_NAMES,
    LOADED_FOLDER,
    LOADED_NAME,
    LOADED_WHOLE_NAMES,
    LOADED_WHOLE_PATHS,
    MEMORY_PLACES,
    NESTED_INSTRUCTIONS,
)
from learnings.core.settings.setting_values import Settings


class Role(Enum):
    """What a file is for; its value is the word for it. AGENT files instruct, others remember.

    A TOPIC file is an entry of a memory folder.
    """

    LEARNINGS = "learnings"
    TARGET = "target"
    INDEX = "index"
    AGENT = "agent"
    TOPIC = "topic"


def role_of(path: str, settings: Settings) -> Role | None:
    """Return the role of a file, by its POSIX path from the repository's root, else None.

    Decides by the path alone, so some files have no role here: learnings files of a package below
    the root, DECISIONS.md, which is a learnings file beside one with time stamps, files of tools,
    whose content decides, and files of a plugin outside the usual folders.
    """
    if is_learnings_path(path, settings):
        return Role.LEARNINGS
    if path in settings.index:
        return Role.INDEX
    if _matches_any(path, target_patterns(settings)):
        return Role.TARGET
    if settings.targets is None and is_nested_instructions(path):
        return Role.TARGET
    if is_loaded_index(path):
        return Role.INDEX

    return Role.AGENT if is_agent_path(path) else None


def is_nested_instructions(path: str) -> bool:
    """Return True if agents load the file at a POSIX path when they work in its folder.

    Nobody works in what others wrote, or in what is there for tests and copies.
    """
    *folders, name = path.split("/")
    return name in NESTED_INSTRUCTIONS and bool(folders) and FOREIGN_COPIES.isdisjoint(folders)


def is_loaded_index(path: str) -> bool:
    """Return True if a coding agent loads the file at a path, as its index, when it starts.

    That is `MEMORY.md` in a folder `.claude` or in any folder below one.
    """
    *folders, name = path.split("/")
    return name == LOADED_NAME and LOADED_FOLDER in folders


def is_loaded_whole(path: str) -> bool:
    """Return True if agents load the file at a POSIX path by its name, as a whole.

    They load no file that only stands beside it. Case counts: `docs/agents.md` is any file.
    """
    if path.rpartition("/")[2] in LOADED_WHOLE_NAMES:
        return True
    return any(f"/{path}".endswith(f"/{end}") for end in LOADED_WHOLE_PATHS)


def is_learnings_path(path: str, settings: Settings) -> bool:
    """Return True if a path is a configured learnings file or, if none is, one by its name."""
    if settings.files:
        return any(path == file.path for file in settings.files)
    folder, _, name = path.rpartition("/")
    return name in LEARNINGS_NAMES and folder in LEARNINGS_FOLDERS and path[0] != "/"


def is_memory_place(path: str) -> bool:
    """Return True if the file at a POSIX path is a learnings file should it hold a memory."""
    if _in_memory_place().fullmatch(path) is None:
        return False
    return not any(part.lower() in FOREIGN_FOLDERS for part in path.split("/")[:-1])


def memory_folder_of(path: str, folders: Sequence[str] = ()) -> str | None:
    """Return the memory folder in which the file at a POSIX path is an entry, None for no entry.

    folders are those configured, the others are the usual places; the file need not be there. What
    is in an archive, or among examples and templates, is no entry (FOREIGN_FOLDERS).
    """
    inner, _, name = path.rpartition("/")
    if not name.endswith(".md") or name in FOLDER_INDEXES or is_memory_place(path):
        return None
    usual = _in_folder_place().match(f"{inner}/")
    found = [folder for folder in folders if path.startswith(f"{folder}/")]
    found += [usual[0].removesuffix("/")] if usual else []
    folder = max(found, key=len, default=None)
    if folder is None:
        return None
    inner_folders = path.removeprefix(f"{folder}/").lower().split("/")[:-1]
    return folder if FOREIGN_FOLDERS.isdisjoint(inner_folders) else None


@lru_cache(maxsize=1)
def _in_memory_place() -> re.Pattern[str]:
    """Return one pattern for all places: matches() would take too long over all files."""
    return re.compile("|".join(map(_pattern_of, MEMORY_PLACES)))


@lru_cache(maxsize=1)
def _in_folder_place() -> re.Pattern[str]:
    return re.compile(f"(?:{'|'.join(map(_pattern_of, FOLDER_PLACES))})/")


def _pattern_of(place: str) -> str:
    """Return a place, a glob, as a regular expression."""
    marks = {"**/": r"(?:[^/.][^/]*/)*", "*": r"[^/.][^/]*"}
    parts = re.split(r"(\*\*/|\*)", place)
    return "".join(marks.get(part) or re.escape(part) for part in parts)


def exclusion(path: str, settings: Settings) -> str | None:
    """Return the pattern of `exclude` that matches a path or a folder above it, else None.

    path is POSIX from the root. A pattern that ends in `/**` means the folder, dot files included.
    """
    if not settings.exclude:
        return None
    parts = path.split("/")
    paths = ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]
    return next(
        (
            pattern
            for pattern in settings.exclude
            if any(matches(part, pattern.removesuffix("/**")) for part in paths)
        ),
        None,
    )


def packages_around(path: str, names: Sequence[str] = LEARNINGS_NAMES) -> Iterator[str]:
    """Give the folders below the root from which a path is that of a learnings file.

    It is one if such a folder is a package, and none is configured. names are those that it may
    have. Examples, test data and the work of others (FOREIGN_FOLDERS) are no packages.
    """
    folder, _, name = path.rpartition("/")
    if name not in names or path[0] == "/":
        return
    for suffix in LEARNINGS_FOLDERS:
        if suffix and not folder.endswith(f"/{suffix}"):
            continue
        package = folder.removesuffix(f"/{suffix}") if suffix else folder
        if package and is_package_path(package):
            yield package


def is_package_path(folder: str) -> bool:
    """Return True if a folder may be a package of the repository's own."""
    parts = folder.split("/")
    return not any(part[:1] == "." or part.lower() in FOREIGN_FOLDERS for part in parts)


def target_patterns(settings: Settings) -> tuple[str, ...]:
    """Return the globs of target files: those configured, else the default ones."""
    return DEFAULT_TARGETS if settings.targets is None else settings.targets


def _matches_any(path: str, patterns: tuple[str, ...]) -> bool:
    names, globs = _names_and_globs(patterns)
    return path in names or any(matches(path, pattern) for pattern in globs)


# One list for each repository that is looked at: hooks and tests look at more than one.
@lru_cache(maxsize=16)
def _names_and_globs(patterns: tuple[str, ...]) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the patterns that match themselves alone, and the others."""
    globs = tuple(pattern for pattern in patterns if any(mark in pattern for mark in "*?["))
    return frozenset(patterns).difference(globs), globs


def matches(path: str, pattern: str) -> bool:
    """Return True if a glob matches the whole of a path; both are POSIX, from the same root.

    `*`, `?` and `[…]` stay within one name, `**` stands for any number of folders. As in a shell
    none of them matches a name that begins with a dot unless the pattern has that dot.
    """
    parts = pattern.split("/")
    # All numbers of parts that may stand for the names so far; a `**` leaves a choice at each name.
    counts = _skip_folders({0}, parts)
    for name in path.split("/"):
        unfinished = [count for count in counts if count < len(parts)]
        onward = {count + 1 for count in unfinished if name_matches(name, parts[count])}
        same = {count for count in unfinished if parts[count] == "**" and name[:1] != "."}
        counts = _skip_folders(onward | same, parts)
    return len(parts) in counts


def name_matches(name: str, part: str) -> bool:
    """Return True if one part of a glob matches one name; `**` counts as `*`."""
    return (name[:1] != "." or part[:1] == ".") and fnmatchcase(name, part)


def _skip_folders(counts: set[int], parts: Sequence[str]) -> set[int]:
    """Return the counts with those behind each `**`, which may stand for no folder at all."""
    skipped = set(counts)
    for index, part in enumerate(parts[:-1]):
        if index in skipped and part == "**":
            skipped.add(index + 1)
    return skipped
