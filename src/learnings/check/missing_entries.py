"""The entries that a file without entries has lost since a commit."""

from __future__ import annotations

from collections.abc import Iterator

from learnings.core.entries.archives import MissingEntries, missing_entries
from learnings.core.entries.document import ReadOptions, read
from learnings.core.text import decode
from learnings.history.git.tracked import changed_files
from learnings.rules.checked_file import CheckedFile
from learnings.workspace.disk import content_of, find_root, real_path
from learnings.workspace.git_files import committed_data
from learnings.workspace.learnings_files import hides_entries
from learnings.workspace.workspace import Workspace

# Files that may have received the entries; a change of more Markdown files moves a whole tree.
_MOST_READ = 500


def entries_missing_since(
    workspace: Workspace, path: str, file: CheckedFile
) -> MissingEntries | None:
    """Return the entries that a file without entries has lost, or None if it had none."""
    data = committed_data(workspace.root, [path], rev=workspace.base).get(path)
    if data is None or data == file.data or hides_entries(file.document):
        return None
    options = ReadOptions.of(file.file_settings)
    before = read(data, options)
    if not before.entries and not read(file.data).entries:
        # If only the configuration changed, the entries are still there, in another dialect.
        before = read(data)
    if not before.entries:
        return None
    missing = missing_entries(before.entries, _other_texts(workspace, path))
    titles = tuple(entry.heading for entry in missing)
    return MissingEntries(workspace.base, len(before.entries), titles)


def _other_texts(workspace: Workspace, path: str) -> Iterator[str]:
    top = find_root(real_path(workspace.root))
    candidates = (*workspace.learnings_files(), *workspace.target_files())
    paths = dict.fromkeys(
        [
            *(top / changed for changed in changed_files(top, workspace.base, ["*.md"])),
            *sorted((workspace.root / path).parent.glob("archive/*.md")),
            *(workspace.root / file.path for file in candidates if file.included),
        ]
    )
    itself = real_path(workspace.root / path)
    for other in [other for other in paths if real_path(other) != itself][:_MOST_READ]:
        yield decode(content_of(other))
