"""The memory index of a workspace, with the files that it is held against."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from learnings.app.workspace.discovery import Candidate
from learnings.app.workspace.disk import read_file
from learnings.app.workspace.tree import FileTree
from learnings.app.workspace.workspace import Workspace
from learnings.core.entries.document import ReadOptions, read
from learnings.core.findings.ignores import Ignore, ignores_of
from learnings.core.index.check import problems
from learnings.core.index.files import IndexedFile, entries_of, headings_of
from learnings.core.index.model import BLOCK, IndexFile, read_index
from learnings.core.markdown.ignore_comments import MARK
from learnings.core.text import encode
from learnings.rules.checked_file import document_of
from learnings.rules.rule import IndexFacts

HeldIndex = tuple[IndexFile, Sequence[IndexedFile]]


def held_index(
    workspace: Workspace, data: bytes, contents: Mapping[str, bytes] | None = None
) -> HeldIndex:
    """Return the index that `data` is, and the files that must have rows as far as they exist.

    Those are the configured ones and those that the index names; for an index block the file that
    it stands in. contents are those of files, by their path from the root, that are about to be
    written. Raises MissingFile for a file that cannot be read, UsageProblem for one that is too
    large.
    """
    settings = workspace.settings
    index = read_index(data, form=settings.index_form, path=settings.index)
    if index.form == BLOCK:
        return index, [_own_entries(workspace, data)]
    found: list[IndexedFile] = []
    for path in [each.path for each in _listed(workspace, index) if each.included]:
        written = (contents or {}).get(path)
        source = read_file(workspace.root / path, shown=path) if written is None else written
        found.append(headings_of(path, source))
    return index, found


def facts_of(workspace: Workspace, data: bytes) -> IndexFacts:
    """Compare the index that `data` is with its files; raises as held_index()."""
    threshold = workspace.settings.fuzzy_threshold
    fuzzy = threshold if isinstance(threshold, float) else None
    index, files = held_index(workspace, data)
    found = tuple(problems(index, files, fuzzy=fuzzy))
    if found:
        from learnings.core.index.fixes import with_fixes  # noqa: PLC0415  (most have no problem)

        found = tuple(with_fixes(index, files, found))
    return IndexFacts(found, dict(_ignores(workspace, files)))


def _ignores(
    workspace: Workspace, files: Sequence[IndexedFile]
) -> Iterator[tuple[str, tuple[Ignore, ...]]]:
    for file in files:
        is_own = file.path == workspace.settings.index
        if not is_own and any(MARK in line for line in file.lines):
            role = workspace.role_of(file.path)
            settings = workspace.file_settings(file.path)
            document = document_of(encode("".join(file.lines)), role, settings)
            yield file.path, ignores_of(document, role)


def _own_entries(workspace: Workspace, data: bytes) -> IndexedFile:
    path = workspace.settings.index
    return entries_of(path, read(data, ReadOptions.of(workspace.file_settings(path))))


def indexed_files(workspace: Workspace, path: str) -> Sequence[Candidate]:
    """Return the files whose headings the index at `path` lists, and those skipped.

    None for an index block. Raises as held_index().
    """
    form = workspace.settings.index_form
    data = read_file(workspace.root / path, shown=path)
    return [] if form == BLOCK else _listed(workspace, read_index(data, form=form, path=path))


def _listed(workspace: Workspace, index: IndexFile) -> list[Candidate]:
    """Return the files there are: those of the globs, then those that only the index names."""
    tree, origin = FileTree(workspace.root), workspace.settings.origins.get("indexed")
    set_at = f"configured ({origin})" if origin else "default"
    found: dict[str, Candidate] = {}
    for glob in workspace.settings.indexed:
        for path in tree.files(glob):
            obstacle = tree.obstacle(path)
            found[path] = Candidate(
                path, obstacle or f"{set_at}: {glob}", included=obstacle is None
            )
    for path in index.places():
        if not (path in found and found[path].included) and _is_file(tree, path):
            found[path] = Candidate(path, "named in the index", included=True)
    found.pop(index.path, None)
    return [*found.values()]


def _is_file(tree: FileTree, path: str) -> bool:
    """Whether a place that an index names is a file of the repository, spelled as on disk."""
    inner = PurePosixPath(path)
    folder = "" if inner.parent == PurePosixPath() else inner.parent.as_posix()
    return inner.name in tree.names(folder) and tree.obstacle(path, named=True) is None
