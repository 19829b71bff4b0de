"""Files in other commits, and a file compared with them: lost entries, damage by a merge."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager

from learnings.core.entries.archives import MissingEntries, missing_entries
from learnings.core.entries.document import Document, ReadOptions, read, read_older
from learnings.core.entries.merge_damage import Merge, MergeDamage, still_in
from learnings.core.errors import LearningsError, UsageProblem
from learnings.core.settings.setting_values import FileSettings
from learnings.core.text import decode
from learnings.history.git.merges import merge_bases, merge_heads
from learnings.history.git.repository import Repository, open_repository
from learnings.history.git.snapshots import copy_of_commit, may_load_memory
from learnings.history.git.tracked import changed_files
from learnings.rules.rule import CheckedFile
from learnings.workspace.disk import content_of, find_root, real_path, reason_of
from learnings.workspace.places import hides_entries
from learnings.workspace.tree import Tree
from learnings.workspace.workspace import Workspace

# Files that may have received the entries; a change of more Markdown files moves a whole tree.
_MOST_READ = 500


def entries_missing_since(
    workspace: Workspace, path: str, file: CheckedFile
) -> MissingEntries | None:
    """Return the entries that a file without entries has lost, or None if it had none."""
    former, data = workspace.found.at_base([path]).get(path, (path, file.data))
    if data == file.data or hides_entries(file.document):
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
    return MissingEntries(workspace.base, len(before.entries), titles, former)


def _other_texts(workspace: Workspace, path: str) -> Iterator[str]:
    top = find_root(real_path(workspace.root))
    candidates = (*workspace.found.learnings, *workspace.found.targets)
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


def damage_under_way(
    tree: Tree, path: str, settings: FileSettings
) -> Callable[[Document], Iterator[MergeDamage]] | None:
    """Return what finds the damage by the merge in progress in a file, by its path from the root.

    That is None if git cannot tell: a check of a file needs no history.
    """
    options = ReadOptions.of(settings)

    def version(rev: str) -> Document | None:
        data = tree.committed([path], rev=rev).get(path)
        return None if data is None else read_older(data, options)

    def base() -> Document | None:
        try:
            commits = merge_bases(repository, repository.head, heads[0])
            return next((found for found in map(version, commits) if found is not None), None)
        except LearningsError:
            return None

    try:
        repository = open_repository(find_root(real_path(tree.root)))
        heads = merge_heads(repository)
        parents = [found for found in map(version, (repository.head, *heads)) if found is not None]
    except LearningsError:
        return None
    if len(parents) < 2:
        return None
    return lambda document: still_in(document, Merge(document, parents, base).damage())


@contextmanager
def workspace_at(
    workspace: Workspace, repository: Repository, wanted: Collection[str] | None = ()
) -> Iterator[Workspace]:
    """Yield a temporary copy of a workspace as it was at the head of a repository.

    It has the files that may lead an agent to a memory, and the wanted ones, by their paths from
    the root; None means all files. Raises UsageProblem.
    """
    inner = real_path(workspace.root).relative_to(repository.top)
    paths = {(inner / path).as_posix() for path in wanted or ()}
    try:
        with copy_of_commit(
            repository, lambda path: wanted is None or path in paths or may_load_memory(path)
        ) as folder:
            yield workspace.below(folder / inner)
    except OSError as error:
        raise UsageProblem(
            "cannot copy the files of that commit to a temporary folder "
            f"({reason_of(error)}); fix this, or check without --since"
        ) from None
