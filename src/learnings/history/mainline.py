"""The versions that a branch had of a file: along the first parents, merges as one step."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from typing import Any, NamedTuple

from learnings.core.due.forecast import Version
from learnings.core.text import decode, split_lines
from learnings.history.blobs import BlobReader
from learnings.history.facts import cache_of, locate_file, open_repository_of
from learnings.history.file_history import FileHistory
from learnings.history.git import cached
from learnings.history.git.cache import Key
from learnings.history.git.repository import first_parent_of
from learnings.history.query import HistoryQuery
from learnings.history.versions import first_parent_commits

_NO_VERSIONS: tuple[Version, ...] = ()


def versions_since(query: HistoryQuery, since: str) -> tuple[Version, ...]:
    """Return the versions of a file on its branch, newest first, back to the first before a date.

    The last one is older than the date, or the file's first. A version in which the file did not
    exist has 0 lines. Raises what facts.read_history() raises.
    """
    repository = open_repository_of(query)
    with BlobReader(repository, query.read_options) as blobs:
        location = locate_file(query, repository, blobs)
        cache = cache_of(repository)
        key: Key = {"path": location.path}
        stored = cache.load("mainline", key, _decoded)
        rev, start, older = repository.head, since, _NO_VERSIONS
        if (
            stored is not None
            and stored.since <= since
            and first_parent_of(repository, stored.head)
        ):
            rev, start, older = f"{stored.head}..{repository.head}", stored.since, stored.versions
        with FileHistory(repository, location.path, blobs) as history:
            newer = _walk(history, rev, "" if older else since)
        versions = (*newer, *older)
        cache.save("mainline", key, _CachedVersions(repository.head, start, versions))
        return versions


class _CachedVersions(NamedTuple):
    """Versions back to before a date, up to the commit that was HEAD."""

    head: str
    since: str
    versions: tuple[Version, ...]


def _decoded(value: Any) -> _CachedVersions:  # noqa: ANN401  (any JSON)
    versions = partial(cached.list_of, _version)
    return _CachedVersions(*cached.row(value, cached.object_id, cached.text, versions))


def _version(value: Any) -> Version:  # noqa: ANN401  (any JSON)
    texts = cached.text, cached.text
    return Version(*cached.row(value, cached.text, cached.whole_number, *texts))


def _walk(history: FileHistory, rev: str, since: str) -> list[Version]:
    versions = []
    with closing(first_parent_commits(history, history.path, rev=rev)) as walk:
        for file_commit in walk:
            lines = (
                0
                if file_commit.blob is None
                else len(split_lines(decode(history.blobs.version(file_commit.blob))))
            )
            versions.append(Version(file_commit.date, lines, file_commit.commit, file_commit.path))
            if file_commit.date < since:
                break
    return versions
