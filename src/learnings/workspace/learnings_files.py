"""The learnings files of a repository, configured or discovered, and skipped files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from learnings.core.entries.document import Document, ReadOptions, read
from learnings.core.errors import MissingConfigured, MissingFile, UnusableFile
from learnings.core.file_names import (
    COMPANION_NAME,
    LEARNINGS_FOLDERS,
    LEARNINGS_NAMES,
    LOADED_NAME,
    MEMORY_PLACES,
    STATE_PLACES,
)
from learnings.core.patterns import lazy_pattern
from learnings.core.roles import is_memory_place
from learnings.core.settings.setting_values import FileSettings, Settings
from learnings.core.text import not_text, printable
from learnings.workspace.discovery import IS_STATE, Candidate
from learnings.workspace.disk import configured_file, is_folder, read_document
from learnings.workspace.git_files import committed_data, is_in_package
from learnings.workspace.tree import CANNOT_BE_READ, SAME_FILE, FileTree

HOLDS_NO_ENTRY = "holds no entry"
IS_TOO_LARGE = "has more than"
IS_LINK_INDEX = "an index of the files beside it"


def learnings_files(
    root: Path,
    settings: Settings,
    *,
    packages: Iterable[str] = (),
    memories: Iterable[str] = (),
    base: str = "HEAD",
) -> tuple[Candidate, ...]:
    """Return the learnings files, configured or else discovered, and the skipped ones.

    packages are searched like the root. memories are tracked files with memory names, since a
    folder may be unreadable. base is the commit to compare files without entries with.
    """
    tree = FileTree(root)
    if settings.files:
        configured = []
        for file in settings.files:
            path = str(file.path)
            if not is_folder(root / path):
                obstacle = tree.obstacle(path, named=True) or tree.duplicate(path)
                reason = obstacle or f"configured ({file.origins['path']})"
                configured.append(Candidate(path, reason, included=obstacle is None))
        return tuple(configured)
    prefixes = ["", *(f"{package}/" for package in packages)]
    names = (prefix + folder for prefix in prefixes for folder in LEARNINGS_FOLDERS)
    folders = [*dict.fromkeys(name.rstrip("/") for name in names)]
    tree.gitignore.expect(
        f"{folder}/{name}".lstrip("/")
        for folder in folders
        for name in tree.names(folder).intersection((*LEARNINGS_NAMES, COMPANION_NAME))
    )
    named = [file for folder in folders for file in _in_folder(folder, tree, settings.file)]
    known = {file.path for file in named if file.included}
    placed = [file for file in _in_places(tree, settings) if file.path not in known]
    judged = {file.path for file in placed}
    candidates = (*(file for file in named if file.path not in judged), *placed)
    unlistable = {folder for folder in folders if tree.is_closed(folder)}
    closed = []
    for path in memories if unlistable else ():
        folder, _, name = path.rpartition("/")
        if folder in unlistable and name in LEARNINGS_NAMES:
            closed.append(Candidate(path, f"{CANNOT_BE_READ} (its folder cannot be read)"))
    known = {file.path for file in candidates}
    states = dict.fromkeys(path for place in STATE_PLACES for path in tree.files(place))
    others = (Candidate(path, IS_STATE) for path in states if path not in known)
    return (*_with_emptied(candidates, root, settings.file, base), *closed, *others)


def problem_with(
    root: Path, settings: Settings, candidate: Candidate
) -> MissingConfigured | UnusableFile | None:
    """Return why a skipped file stops a command: configured, unreadable or too large; or None."""
    reason, shown = candidate.reason, printable(candidate.path)
    file = next((file for file in settings.files if file.path == candidate.path), None)
    if file is not None and not reason.startswith(SAME_FILE):
        origin = file.origins["path"]
        try:
            configured_file(root / candidate.path, shown=candidate.path, origin=origin)
        except MissingConfigured as error:
            return error
        return MissingConfigured(f"{origin}: {shown} cannot be used ({reason}); correct it")
    if reason.startswith(IS_TOO_LARGE):
        return UnusableFile(f"{shown} {reason}; split or exclude it")
    if reason.startswith(CANNOT_BE_READ):
        return UnusableFile(
            f"{shown} has the name of a learnings file and {reason}; make it readable, or name the "
            "files to read"
        )
    return None


def is_companion(root: Path, settings: Settings, path: str, *, base: str = "HEAD") -> bool:
    """Return True for DECISIONS.md beside a timestamped learnings file."""
    folder, _, name = path.rpartition("/")
    if name != COMPANION_NAME or settings.files:
        return False
    if folder not in LEARNINGS_FOLDERS and not is_in_package(root, path, (COMPANION_NAME,)):
        return False
    in_folder = _in_folder(folder, FileTree(root), settings.file)
    candidates = _with_emptied(in_folder, root, settings.file, base)
    return any(candidate.included and candidate.path == path for candidate in candidates)


def is_memory(document: Document) -> bool:
    """Return True if a file has entries, or may hide some: malformed, or not UTF-8."""
    return bool(document.entries or not_text(document.text)) or hides_entries(document)


def hides_entries(document: Document) -> bool:
    """Return True if an open block, or headings without a space, may hide entries of a file."""
    from learnings.core.entries.missing_space import missing_spaces  # noqa: PLC0415  (most files hold entries)

    blocks = document.outline.hiding_blocks
    return any(not block.closed for block in blocks) or bool(missing_spaces(document))


# Titles of documents about the memory of a machine: `Heap layout`, `Memory leaks`, `malloc`.
_OF_MACHINES = lazy_pattern(
    r"\b(?:m?alloc(?:at(?:or|ion)s?)?|heaps?|ram|vram|leaks?|garbage|footprint|buffers?|addressing"
    r"|memory (?:usage|management|layout|model|maps?|safety|profil\w+|limits?|pools?))\b",
    flags=re.IGNORECASE,
)
# Words of rules and lessons, some of which every memory has.
_OF_WORK = lazy_pattern(
    r"\b(?:agents?|claude|sessions?|users?|repo(?:sitory)?|projects?|deci(?:ded|sions?)|lessons?"
    r"|learn\w*|prefer\w*|workflow|always|never|don't|avoid|remember)\b|\b20\d\d-\d\d-\d\d\b",
    flags=re.IGNORECASE,
)


def holds_memory(path: str, document: Document) -> bool:
    """Return True if a file in a tool's place is a memory: it may hide its entries."""
    return is_memory(document) and why_no_memory(path, document) is None


def why_no_memory(path: str, document: Document) -> str | None:
    """Return why a file with entries in a tool's place is not a memory, or None if it is one."""
    if not path.endswith(LOADED_NAME):
        return None
    from learnings.index.links import is_link_index  # noqa: PLC0415  (for a MEMORY.md only)

    if is_link_index(document.lines, document.outline):
        return IS_LINK_INDEX
    headings = [document.lines[heading.line - 1] for heading in document.outline.headings]
    if any(map(_OF_MACHINES.search, headings)) or not _OF_WORK.search(document.text):
        return "not about work with agents"
    return None


def _in_folder(folder: str, tree: FileTree, settings: FileSettings) -> Iterator[Candidate]:
    names = tree.names(folder)
    prefix = f"{folder}/" if folder else ""
    timestamped: str | None = None
    for path in tree.links_last([prefix + name for name in LEARNINGS_NAMES if name in names]):
        candidate, document = _discovered(path, tree, settings)
        yield candidate
        if document is not None and document.dialect.name == "timestamped":
            timestamped = timestamped or path
    if COMPANION_NAME in names:
        path = prefix + COMPANION_NAME
        if timestamped is None:
            yield Candidate(path, "no timestamped learnings file beside it")
            return
        candidate, _ = _discovered(path, tree, settings)
        reason = f"{candidate.reason}, beside {timestamped}"
        yield candidate._replace(reason=reason) if candidate.included else candidate


def _in_places(tree: FileTree, settings: Settings) -> Iterator[Candidate]:
    found = dict.fromkeys(path for place in MEMORY_PLACES for path in tree.files(place))
    paths = [path for path in found if is_memory_place(path)]
    tree.gitignore.expect(paths)
    for path in tree.links_last(paths):
        candidate, document = _discovered(path, tree, settings.file)
        reason = why_no_memory(path, document) if document is not None else None
        yield Candidate(path, reason) if reason else candidate


def _discovered(
    path: str, tree: FileTree, settings: FileSettings
) -> tuple[Candidate, Document | None]:
    """Judge a file by its content; the document is None unless it is included."""
    obstacle = tree.obstacle(path) or tree.gitignore.reason(path) or tree.duplicate(path)
    if obstacle is not None:
        return Candidate(path, obstacle), None
    try:
        document = read_document(tree.root / path, settings, shown=path)
    except (MissingFile, UnusableFile, OSError) as error:
        reason = str(error).removeprefix(f"{printable(path)} ").partition("; ")[0]
        return Candidate(path, reason), None
    if not is_memory(document):
        return Candidate(path, f"{HOLDS_NO_ENTRY} ({document.dialect.reason})"), None
    reason = "discovered"
    if not document.entries:
        reason += (
            ", it is not UTF-8"
            if not_text(document.text)
            else ", an open block or a malformed heading hides entries"
        )
    return Candidate(path, reason, included=True), document


def _with_emptied(
    candidates: Iterable[Candidate], root: Path, settings: FileSettings, base: str
) -> tuple[Candidate, ...]:
    """Include files that have entries in the commit `base`."""
    files = tuple(candidates)
    empty = [file.path for file in files if file.reason.startswith(HOLDS_NO_ENTRY)]
    if not empty:
        return files

    options = ReadOptions.of(settings)
    committed = committed_data(root, empty, rev=base)
    emptied = {path for path, data in committed.items() if read(data, options).entries}
    reason = "discovered; its entries were removed since the last commit"
    return tuple(
        Candidate(file.path, reason, included=True) if file.path in emptied else file
        for file in files
    )
