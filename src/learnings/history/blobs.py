"""Files in commits, and the documents in them."""

from __future__ import annotations

from functools import lru_cache
from typing import Self

from learnings.core.entries.changes import Changes, compare
from learnings.core.entries.document import Document, Reading
from learnings.core.entries.insertion import Sketch, sketch
from learnings.history.git.objects import Objects
from learnings.history.git.repository import Repository, missing_object

REMEMBERED_VERSIONS = 512


class Blobs:
    """Reads blobs, and the documents in them, of one repository."""

    def __init__(self, repository: Repository, reading: Reading) -> None:
        self._repository = repository
        self._reading = reading
        self._objects = Objects(repository)
        self.expect = self._objects.expect
        self.sketch = lru_cache(maxsize=REMEMBERED_VERSIONS)(self._sketch)
        self.document = lru_cache(maxsize=REMEMBERED_VERSIONS)(self._document)
        self.changes = lru_cache(maxsize=REMEMBERED_VERSIONS)(self._changes)
        self.parents = lru_cache(maxsize=REMEMBERED_VERSIONS)(self._parents)
        self.find = lru_cache(maxsize=None)(self._find)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._objects.close()

    def data(self, blob: str) -> bytes:
        """Return the content of a blob or commit; raises UntrustedHistory where there is none."""
        found = self._objects.get(blob)
        if found is None:
            raise missing_object(self._repository, blob)
        return found.content

    def _sketch(self, blob: str) -> Sketch:
        """Return what can be said of a version without reading it."""
        return sketch(self.data(blob))

    def _document(self, blob: str) -> Document:
        """Return a version of the memory file that a blob holds."""
        return self._reading.read_older(self.data(blob))

    def _changes(self, old: str, new: str, *others: str) -> Changes:
        """Compare the versions that two blobs hold; others are in a merge's other parents."""
        return compare(
            self.document(old),
            self.document(new),
            others=[self.document(blob) for blob in others],
        )

    def _parents(self, commit: str) -> tuple[str, ...]:
        """Return the parents of a commit."""
        header = self.data(commit).partition(b"\n\n")[0].split(b"\n")
        rows = [line.split(b" ") for line in header]
        return tuple(row[1].decode("ascii") for row in rows if row[0] == b"parent")

    def _find(self, commit: str, path: str) -> str | None:
        """Return the blob at a path of a commit, None where no file is there."""
        if "\n" in path:
            return self._find_by_tree(commit, path)
        found = self._objects.get(f"{commit}:{path}")
        return found.id if found is not None and found.kind == "blob" else None

    def _find_by_tree(self, commit: str, path: str) -> str | None:
        """Do the same for a path that cannot be asked for on a line of its own."""
        listed = self._repository.run("ls-tree", "-z", "--full-tree", commit, "--", path)
        _, kind, blob = (listed.partition(b"\t")[0].decode("ascii").split() + [""] * 3)[:3]
        return blob if kind == "blob" else None
