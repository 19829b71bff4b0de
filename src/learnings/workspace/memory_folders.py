"""The memory folders of a repository, in which each file is an entry, and their contents."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from learnings.core.entries.memory_folder import FolderDocument
from learnings.core.errors import MissingFile, UnusableFile
from learnings.core.file_names import FOLDER_INDEXES, FOLDER_PLACES
from learnings.core.markdown.blocks import blocks_of
from learnings.core.roles import is_copy, memory_folder_of
from learnings.core.settings.setting_values import Settings
from learnings.core.text import printable
from learnings.index.links import is_link_index
from learnings.workspace.discovery import Candidate
from learnings.workspace.disk import is_folder, read_file
from learnings.workspace.learnings_files import IS_LINK_INDEX
from learnings.workspace.tree import FileTree


def memory_folders(
    root: Path, settings: Settings, learnings_files: Iterable[Candidate]
) -> tuple[Candidate, ...]:
    """Return configured memory folders, else those in the usual places, without learnings files."""
    if settings.files:
        return tuple(
            Candidate(str(file.path), f"configured ({file.origins['path']})", included=True)
            for file in settings.files
            if is_folder(root / str(file.path))
        )
    tree = FileTree(root)
    taken = [file.path for file in learnings_files if file.included]
    found: dict[str, None] = {}
    for place in FOLDER_PLACES:
        folders = [""]
        for part in place.split("/"):
            inner = ((f, n) for f in folders for n in sorted(tree.names(f)) if part in ("*", n))
            folders = [f"{folder}/{name}".lstrip("/") for folder, name in inner]
        present = (path for path in folders if not is_copy(path) and is_folder(root / path))
        found |= dict.fromkeys(present)
    return tuple(
        Candidate(path, "discovered", included=True)
        for path in found
        if entry_files(tree, path, taken)
    )


def entry_files(tree: FileTree, folder: str, taken: Iterable[str] = ()) -> list[str]:
    """Return the files of a memory folder that are entries, sorted; taken are other memories."""
    others = {*taken}
    files = [
        path
        for path in tree.files(f"{folder}/**/*.md")
        if path not in others and memory_folder_of(path, [folder]) == folder
    ]
    tree.gitignore.expect(files)
    return [
        path for path in files if tree.obstacle(path) is None and not tree.gitignore.reason(path)
    ]


def topic_files(
    root: Path, folders: Iterable[Candidate], taken: Iterable[str]
) -> tuple[Candidate, ...]:
    """Return the entries of some memory folders; taken are other memories."""
    tree = FileTree(root)
    others = [*taken]
    return tuple(
        Candidate(path, f"in the memory folder {folder.path}", included=True)
        for folder in folders
        for path in entry_files(tree, folder.path, others)
    )


def read_folder(root: Path, folder: str, taken: Iterable[str] = ()) -> FolderDocument:
    """Read the entries of a memory folder within limits. Raises MissingFile if there are none."""
    tree = FileTree(root)
    files = []
    for path in entry_files(tree, folder, taken):
        try:
            files.append((path, read_file(root / path, shown=path)))
        except (MissingFile, UnusableFile):
            continue
    if not files:
        raise MissingFile(
            f"{printable(folder)} contains no Markdown file that can be an entry; name another "
            "folder or a file"
        )
    index = index_of(root, folder)
    lines = len(blocks_of(read_file(root / index, shown=index)).lines) if index else 0
    return FolderDocument(folder, files, index_lines=lines)


def link_indexes(
    root: Path, learnings_files: Iterable[Candidate], folders: Iterable[Candidate]
) -> Iterator[Candidate]:
    """Yield the link indexes among files with memory names, and in memory folders."""
    paths = [file.path for file in learnings_files if file.reason == IS_LINK_INDEX]
    paths += filter(None, (index_of(root, folder.path) for folder in folders))
    yield from (Candidate(path, IS_LINK_INDEX, included=True) for path in dict.fromkeys(paths))


def index_of(root: Path, folder: str) -> str | None:
    """Return the file that lists the others of a memory folder, or None."""
    for name in FOLDER_INDEXES:
        path = f"{folder}/{name}"
        if os.path.isfile(root / path):  # noqa: PTH113  (never raises)
            blocks = blocks_of(read_file(root / path, shown=path))
            if is_link_index(blocks.lines, blocks.outline):
                return path
    return None
