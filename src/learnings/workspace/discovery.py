"""The target files and memory indexes of a repository, and the files that were skipped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from learnings.core.errors import UnusableFile
from learnings.core.file_names import (
    DEFAULT_FILE,
    LEARNINGS_NAMES,
    LOADED_FOLDER,
    LOADED_INDEXES,
    LOADED_NAME,
)
from learnings.core.roles import Role, is_learnings_path, is_package_path, role_of, target_patterns
from learnings.core.settings.setting_values import Settings
from learnings.core.text import printable
from learnings.workspace.disk import configured_file, read_file
from learnings.workspace.tree import CANNOT_BE_READ, FileTree

IS_STATE = "overwritten in every session, so its text has no age"
"""The reason for a file in which an agent keeps its current state."""


class Candidate(NamedTuple):
    """A file (or a glob without files), POSIX from the root: included or skipped, and why."""

    path: str
    reason: str
    included: bool = False


def refuse_unreadable(candidate: Candidate) -> None:
    """Raise UnusableFile for a file that was skipped because the disk could not be read."""
    if not candidate.included and candidate.reason.startswith(CANNOT_BE_READ):
        raise UnusableFile(
            f"{printable(candidate.path)} {candidate.reason}; make it readable, or name the "
            "files to read"
        )


def target_files(
    root: Path,
    settings: Settings,
    learnings_files: Iterable[Candidate],
    instructions: Iterable[str] = (),
) -> tuple[Candidate, ...]:
    """Return the target files, including instructions unless configured, and skipped ones."""
    tree = FileTree(root)
    learnings = {file.path for file in learnings_files if file.included}
    for path in learnings:
        tree.first_path(path)
    patterns: dict[str, str] = {}
    for pattern in target_patterns(settings):
        paths = tree.files(pattern)
        unmatched = [] if paths or settings.targets is None else [pattern]
        for path in paths or unmatched:
            patterns.setdefault(path, pattern)
    for path in instructions if settings.targets is None else ():
        folder, _, name = path.rpartition("/")
        if name in tree.names(folder):
            patterns.setdefault(path, f"**/{name}")
    tree.gitignore.expect(patterns)
    candidates = {
        path: _target_candidate(
            path, patterns[path], tree, settings, is_learnings=path in learnings
        )
        for path in tree.links_last(patterns)
    }
    return tuple(candidates[path] for path in patterns)


def index_files(root: Path, settings: Settings) -> tuple[Candidate, ...]:
    """Return the existing memory indexes. Raises MissingFile if a configured one is missing."""
    tree, origin = FileTree(root), settings.origins.get("index")
    candidates = []
    for path in settings.index:
        if origin:
            configured_file(tree.root / path, shown=path, origin=origin)
        folder, _, name = path.rpartition("/")
        if name in tree.names(folder):
            obstacle = tree.obstacle(path, named=origin is not None)
            obstacle = obstacle or (None if origin else tree.gitignore.reason(path))
            reason = obstacle or (f"configured ({origin})" if origin else "default")
            candidates.append(Candidate(path, reason, included=obstacle is None))
    return tuple(candidates)


def block_files(
    root: Path, settings: Settings, learnings_files: Iterable[Candidate]
) -> tuple[Candidate, ...]:
    """Return unconfigured learnings files with an index block; raises as read_file() does."""
    from learnings.index.forms import has_block  # noqa: PLC0415  (for an index only)

    return tuple(
        Candidate(file.path, "a learnings file with an index block", included=True)
        for file in learnings_files
        if file.included and file.path not in settings.index
        if has_block(read_file(root / file.path, shown=file.path))
    )


def loaded_indexes(
    root: Path, settings: Settings, packages: Iterable[str] = ()
) -> tuple[Candidate, ...]:
    """Return the indexes that agents keep in the root and in packages, without another role."""
    tree = FileTree(root)
    patterns = [LOADED_INDEXES, *(f"{package}/{LOADED_INDEXES}" for package in packages)]
    paths = dict.fromkeys(path for pattern in patterns for path in tree.files(pattern))
    candidates = []
    for path in tree.links_last(paths):
        if path not in settings.index and role_of(path, settings) is Role.INDEX:
            obstacle = tree.obstacle(path) or tree.gitignore.reason(path) or tree.duplicate(path)
            candidates.append(
                Candidate(path, obstacle or "loaded by agents", included=obstacle is None)
            )
    return tuple(candidates)


def _target_candidate(
    path: str, pattern: str, tree: FileTree, settings: Settings, *, is_learnings: bool
) -> Candidate:
    # role_of() would compare each of many names with all patterns.
    if is_learnings or is_learnings_path(path, settings):
        return Candidate(path, "a learnings file")
    if path in settings.index:
        return Candidate(path, "the memory index")
    origin = settings.origins.get("targets")
    obstacle = tree.obstacle(path, named=path == pattern)
    if origin is None or path != pattern:
        obstacle = obstacle or tree.gitignore.reason(path)
    obstacle = obstacle or tree.duplicate(path)
    set_at = f"configured ({origin})" if origin else "default"
    return Candidate(path, obstacle or f"{set_at}: {pattern}", included=obstacle is None)


# Nobody reads a longer list in a sentence to its end.
_MOST_NAMED = 5
# The noun for a file of a role, and the advice if there is none.
_WORDS = {
    Role.LEARNINGS: (
        "learnings file",
        f"write {DEFAULT_FILE}, or set `path` in learnings.toml if yours has another name",
    ),
    Role.TARGET: ("target file", "set `targets` if you have any"),
    Role.INDEX: ("memory index", "set `index` if you have one"),
    Role.AGENT: (
        "agent file that runs learnings",
        "`learnings` looks in .claude, agent-core and plugins",
    ),
    Role.TOPIC: (
        "file of a memory folder",
        "configure the memory folder as a learnings file if you have one",
    ),
}


def tracked_elsewhere(
    root: Path, settings: Settings, memories: Iterable[str], role_of: Callable[[str], Role | None]
) -> Iterator[Candidate]:
    """Yield tracked files with a memory name but without a role, with the reasons.

    This includes memory files that are missing on disk: a new one would clash with git's.
    """
    tree = FileTree(root)
    for path in memories:
        folder, _, name = path.rpartition("/")
        is_on_disk = name in tree.names(folder)
        if is_on_disk and role_of(path) in (None, Role.LEARNINGS):
            if name == LOADED_NAME:
                reason = f"{LOADED_NAME} is only an index below {LOADED_FOLDER}"
            elif settings.files:
                reason = "not among the configured files"
            elif name not in LEARNINGS_NAMES:
                reason = "only its name is like learnings.md"
            elif folder and not is_package_path(folder):
                reason = "in tests, examples, archives or hidden folders"
            else:
                reason = "outside the searched folders"
            yield Candidate(path, reason)
        elif not is_on_disk and name in LEARNINGS_NAMES and role_of(path) is Role.LEARNINGS:
            yield Candidate(path, "tracked, but deleted or outside the sparse checkout")


def skipped_sentence(files: Sequence[Candidate], *, most: int | None = _MOST_NAMED) -> str:
    """Return a clause that names at most `most` skipped files with their reasons."""
    if not files:
        return ""
    named = [f"{printable(file.path)}: {printable(file.reason)}" for file in files[:most]]
    rest = len(files) - len(named)
    more = [f"and {rest} more, see `learnings config`"] if rest else []
    return f"skipped {'; '.join([*named, *more])}"


def nothing_found(
    skipped: Sequence[Candidate],
    roles: Sequence[Role] = (Role.LEARNINGS,),
    *,
    has_advice: bool = True,
) -> str:
    """Return the sentence that no file has one of the roles; skipped are possible files."""
    clause = skipped_sentence(skipped)
    because = f" ({clause})" if clause else ""
    nouns = " or ".join(_WORDS[role][0] for role in roles)
    if not has_advice or any(file.reason == IS_STATE for file in skipped):
        return f"no {nouns} found{because}"
    return "; ".join([f"no {nouns} found{because}", *(_WORDS[role][1] for role in roles)])
