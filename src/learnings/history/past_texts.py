"""The contents of earlier versions of a file: a line count, a heading, a defined name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain, islice
from typing import NamedTuple

from learnings.core.entries.document import AUTO
from learnings.core.past import PastThing, Removal
from learnings.history.blobs import BlobReader
from learnings.history.git import cached, commands
from learnings.history.git.cached import Cache
from learnings.history.git.raw_log import printed_commits
from learnings.history.git.repository import Repository

# Number of newest versions to read of a file. Chosen: an older mention in a file is no evidence
# that anybody still means it.
_MOST_VERSIONS = 400
# Versions to request at once, since most searches end early.
_AHEAD = 20


class _Version(NamedTuple):
    """A version of a file: its commit, committer time, author date, and blob.

    The blob is None if the commit removed the file.
    """

    commit: str
    time: int
    date: str
    blob: str | None


def past_things(
    repository: Repository,
    cache: Cache,
    path: str,
    kind: str,
    read: Callable[[bytes], frozenset[str]],
) -> Mapping[str, PastThing]:
    """Return everything that versions of a file up to HEAD contained, by name, found by read().

    kind names the question for the cache. A name in the newest version has no removal. Raises
    UntrustedHistory if a version is missing.
    """
    key = {"head": repository.head, "path": path, "of": kind}
    stored = cache.load("texts", key, _stored_things)
    if stored is None:
        stored = {}
        versions = _newest_versions(repository, path)
        removal: Removal | None = None
        with BlobReader(repository, AUTO) as blobs:
            for number, version in enumerate(versions):
                if number % _AHEAD == 0:
                    ahead = versions[number : number + _AHEAD]
                    blobs.prefetch(one.blob for one in ahead if one.blob)
                names = read(blobs.version(version.blob)) if version.blob else frozenset[str]()
                for name in names:
                    last = stored[name].removal if name in stored else removal
                    stored[name] = PastThing(version.time, last)
                removal = Removal(version.commit, version.date)
        cache.save("texts", key, {name: thing[:2] for name, thing in stored.items()})
    return stored


def _newest_versions(repository: Repository, path: str) -> list[_Version]:
    printed = repository.run(*commands.versions_of(repository.head, path))
    commits = chain.from_iterable(printed_commits([printed]))
    return [
        _Version(fields[0], int(fields[1]), fields[2], changes[path].regular[1])
        for fields, diffs in islice(commits, _MOST_VERSIONS)
        for changes in diffs
        if path in changes
    ]


_REMOVAL = cached.optional(cached.record(Removal, cached.object_id, cached.text))
_stored_things = cached.mapping_of(cached.record(PastThing, cached.whole_number, _REMOVAL))
