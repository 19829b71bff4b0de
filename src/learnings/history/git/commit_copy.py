"""A temporary copy of a commit: some of its files, in a separate repository."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from posixpath import dirname, join, normpath
from tempfile import TemporaryDirectory

from learnings.history.git import process
from learnings.history.git.objects import ObjectReader
from learnings.history.git.process import GitFailed
from learnings.history.git.repository import Repository, explained
from learnings.history.git.trees import TreeEntry, entries_below

_LINK = "120000"
_SHA256_LENGTH = 64
_BATCH = 200  # bytes in memory at once; chosen, memory files have a few kilobytes


@contextmanager
def copy_of_commit(repository: Repository, is_wanted: Callable[[str], bool]) -> Iterator[Path]:
    """Yield a temporary repository with the wanted files of a commit, which is its HEAD.

    is_wanted takes POSIX paths from the top folder. Files are copied as git stores them, without
    filters; links that lead out of the folder are left out. Raises UntrustedHistory if git cannot
    read the commit, OSError if there is no space.
    """
    with TemporaryDirectory(prefix="learnings-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        _make_repository(folder, repository)
        entries = entries_below(repository, repository.head)
        files = [entry for entry in entries if entry.kind == "blob" and is_wanted(entry.path)]
        # In an unchecked tree a link can be in the place of a folder.
        files.sort(key=lambda file: file.mode == _LINK)
        with closing(ObjectReader(repository.top)) as objects:
            for start in range(0, len(files), _BATCH):
                _write(folder, files[start : start + _BATCH], objects)
        yield folder


def _make_repository(folder: Path, repository: Repository) -> None:
    # Old versions of git lack this option.
    form = ["--object-format=sha256"] if len(repository.head) == _SHA256_LENGTH else []
    try:
        process.run(["init", "--quiet", "--template=", *form], folder)
        info = folder / ".git/objects/info"
        info.mkdir(exist_ok=True)
        objects = os.fsencode(repository.common_dir / "objects")
        (info / "alternates").write_bytes(objects + b"\n")
        if repository.shallow:
            shallow = (repository.common_dir / "shallow").read_bytes()
            (folder / ".git/shallow").write_bytes(shallow)
        process.run(["update-ref", "--no-deref", "HEAD", repository.head], folder)
        # It refuses trees with paths that lead out of the folder or into git's own folder.
        process.run(["read-tree", repository.head], folder)
    except GitFailed as error:
        raise explained(error, repository.top) from error


def _write(folder: Path, files: list[TreeEntry], objects: ObjectReader) -> None:
    objects.prefetch(file.id for file in files)
    for file in files:
        blob = objects.get(file.id)
        target = folder / file.path
        if blob is None or os.path.lexists(target):
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if file.mode != _LINK:
            target.write_bytes(blob.content)
            continue
        text = os.fsdecode(blob.content)
        leads_to = normpath(join(dirname(file.path), text))
        if not leads_to.startswith(("/", "..")) and "\0" not in text:  # it stays in the folder
            target.symlink_to(text)
