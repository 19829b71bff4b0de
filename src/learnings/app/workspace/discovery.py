"""The memory files of a repository, configured or discovered, and those that were skipped."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from learnings.app.workspace.disk import existing_file, read_document
from learnings.app.workspace.tree import FileTree
from learnings.core.entries.document import LARGEST_FILE, Document
from learnings.core.entries.missing_space import missing_spaces
from learnings.core.errors import MissingFile
from learnings.core.file_names import (
    COMPANION_NAME,
    LEARNINGS_FOLDERS,
    LEARNINGS_NAMES,
    LOADED_INDEXES,
)
from learnings.core.roles import Role, role_of, target_patterns
from learnings.core.settings.values import FileSettings, Settings


class Candidate(NamedTuple):
    """A file that was included for a role or skipped, and why.

    `path` is POSIX and relative to the root; it is the glob where a configured one has no file.
    """

    path: str
    reason: str
    included: bool = False


def learnings_files(root: Path, settings: Settings) -> tuple[Candidate, ...]:
    """Return the learnings files, configured or else discovered, and those that were skipped."""
    tree = FileTree(root)
    if settings.files:
        return tuple(_configured(file, tree) for file in settings.files)
    tree.gitignore.expect(
        f"{folder}/{name}".lstrip("/")
        for folder in LEARNINGS_FOLDERS
        for name in tree.names(folder).intersection((*LEARNINGS_NAMES, COMPANION_NAME))
    )
    return tuple(
        candidate
        for folder in LEARNINGS_FOLDERS
        for candidate in _in_folder(folder, tree, settings.file)
    )


def is_companion(root: Path, settings: Settings, path: str) -> bool:
    """Return True if a path is DECISIONS.md beside a timestamped learnings file."""
    folder, _, name = path.rpartition("/")
    if name != COMPANION_NAME or folder not in LEARNINGS_FOLDERS or settings.files:
        return False
    candidates = _in_folder(folder, FileTree(root), settings.file)
    return any(candidate.included and candidate.path == path for candidate in candidates)


def target_files(root: Path, settings: Settings) -> tuple[Candidate, ...]:
    """Return the target files on disk, and those that match a target but were skipped."""
    tree = FileTree(root)
    learnings = {file.path for file in learnings_files(root, settings) if file.included}
    for path in learnings:
        tree.first_path(path)
    patterns: dict[str, str] = {}
    for pattern in target_patterns(settings):
        paths = tree.files(pattern)
        unmatched = [] if paths or settings.targets is None else [pattern]
        for path in paths or unmatched:
            patterns.setdefault(path, pattern)
    tree.gitignore.expect(patterns)
    candidates = {
        path: _target(path, patterns[path], tree, settings, is_learnings=path in learnings)
        for path in tree.links_last(patterns)
    }
    return tuple(candidates[path] for path in patterns)


def index_files(root: Path, settings: Settings) -> tuple[Candidate, ...]:
    """Return the memory index, if it is there. Raises MissingFile where a configured one is not."""
    path, origin = settings.index, settings.origins.get("index")
    if origin:
        existing_file(root / path, shown=path)
    tree = FileTree(root)
    folder, _, name = path.rpartition("/")
    if name not in tree.names(folder):
        return ()
    obstacle = tree.obstacle(path, named=origin is not None)
    obstacle = obstacle or (None if origin else tree.gitignore.reason(path))
    reason = f"configured ({origin})" if origin else "default"
    return (Candidate(path, obstacle or reason, included=obstacle is None),)


def loaded_indexes(root: Path, settings: Settings) -> tuple[Candidate, ...]:
    """Return the indexes that a coding agent keeps for itself, where they have no other role."""
    tree = FileTree(root)
    candidates = []
    for path in tree.links_last(tree.files(LOADED_INDEXES)):
        if path != settings.index and role_of(path, settings) is Role.INDEX:
            obstacle = tree.obstacle(path) or tree.gitignore.reason(path) or tree.duplicate(path)
            candidates.append(
                Candidate(path, obstacle or "loaded by agents", included=obstacle is None)
            )
    return tuple(candidates)


def is_memory(document: Document) -> bool:
    """Return True if a file that is named like a memory is one: it holds an entry, or hides some.

    Entries are hidden by a fence or a comment that is not closed, and by headings without a space.
    """
    if document.entries:
        return True
    blocks = document.outline.hiding_blocks
    return any(not block.closed for block in blocks) or bool(missing_spaces(document))


def _configured(file: FileSettings, tree: FileTree) -> Candidate:
    path = str(file.path)
    obstacle = tree.obstacle(path, named=True) or tree.duplicate(path)
    reason = f"configured ({file.origins['path']})"
    return Candidate(path, obstacle or reason, included=obstacle is None)


def _in_folder(folder: str, tree: FileTree, settings: FileSettings) -> Iterator[Candidate]:
    """Return the files in a folder that are named like a learnings file, or like its companion."""
    names = tree.names(folder)
    prefix = f"{folder}/" if folder else ""
    timestamped: str | None = None
    for path in tree.links_last([prefix + name for name in LEARNINGS_NAMES if name in names]):
        candidate, document = _discovered(path, tree, settings)
        yield candidate
        if document is not None and document.dialect.name == "timestamped":
            timestamped = timestamped or path
    if COMPANION_NAME in names:
        yield _companion(prefix + COMPANION_NAME, timestamped, tree, settings)


def _companion(
    path: str, timestamped: str | None, tree: FileTree, settings: FileSettings
) -> Candidate:
    if timestamped is None:
        return Candidate(path, "no timestamped learnings file beside it")
    candidate, _ = _discovered(path, tree, settings)
    if not candidate.included:
        return candidate
    return Candidate(path, f"{candidate.reason}, beside {timestamped}", included=True)


def _discovered(
    path: str, tree: FileTree, settings: FileSettings
) -> tuple[Candidate, Document | None]:
    """Judge a file by its content; the document is None unless it holds an entry."""
    obstacle = tree.obstacle(path) or tree.gitignore.reason(path) or tree.duplicate(path)
    if obstacle is not None:
        return Candidate(path, obstacle), None
    try:
        if (tree.root / path).stat().st_size > LARGEST_FILE:
            return Candidate(path, "too large to look into; configure its path to use it"), None
        document = read_document(tree.root / path, settings, shown=path)
    except (MissingFile, OSError) as error:
        return Candidate(path, str(error)), None
    if document.entries:
        return Candidate(path, "discovered", included=True), document
    if is_memory(document):
        reason = "discovered, an open block or a malformed heading hides entries"
        return Candidate(path, reason, included=True), None
    return Candidate(path, f"no entry ({document.dialect.reason})"), None


def _target(
    path: str, pattern: str, tree: FileTree, settings: Settings, *, is_learnings: bool
) -> Candidate:
    if is_learnings or role_of(path, settings) is Role.LEARNINGS:
        return Candidate(path, "a learnings file")
    if role_of(path, settings) is Role.INDEX:
        return Candidate(path, "the memory index")
    origin = settings.origins.get("targets")
    obstacle = tree.obstacle(path, named=path == pattern)
    if origin is None or path != pattern:
        obstacle = obstacle or tree.gitignore.reason(path)
    obstacle = obstacle or tree.duplicate(path)
    set_at = f"configured ({origin})" if origin else "default"
    return Candidate(path, obstacle or f"{set_at}: {pattern}", included=obstacle is None)
