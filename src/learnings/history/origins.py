"""When each entry was added: blame, and the chain of headings that were reworded or moved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from learnings.core.due.ages import (
    BLAME,
    LATEST,
    RENAMED_HEADING,
    STATED_DATE,
    UNCOMMITTED,
    UNKNOWN,
    Origin,
)
from learnings.core.entries.changes import compare
from learnings.core.entries.document import Document, Entry
from learnings.core.text import short_commit
from learnings.history import blame
from learnings.history.blame import Blame, LineOrigin
from learnings.history.blobs import BlobReader
from learnings.history.git.cache import Cache
from learnings.history.git.repository import Repository, shallow_commits
from learnings.history.ignored_revisions import IgnoredRevisions
from learnings.history.lineage import EntryLine, Predecessors, predecessors

# Origins whose commits are requested before they are followed, so that git reads while we do;
# chosen without a measurement.
_LOOK_AHEAD = 8
_FULL_DATE = len("2026-01-01")


class Sources(NamedTuple):
    """Where origins are looked up."""

    repository: Repository
    blobs: BlobReader
    cache: Cache
    ignored: IgnoredRevisions
    known: dict[LineOrigin, Predecessors]

    def predecessors(self, origin: LineOrigin) -> Predecessors:
        """Return where an entry was before the commit that blame names for its first line."""
        if origin not in self.known:
            self.blobs.prefetch(_needed((origin,)))
            self.known[origin] = predecessors(origin, self.repository, self.blobs)
        return self.known[origin]

    def look_ahead(self, origin: LineOrigin) -> None:
        """Prefetch the blames that origins() will need because of an origin."""
        for line in self.predecessors(origin).lines:
            document = self._document_at(line)
            blame.prefetch(
                self.repository,
                line.path,
                _first_lines(document),
                rev=line.commit,
                ignored=self.ignored,
                cache=self.cache,
                in_one=document.is_one_line_for_git,
            )

    def blame(self, path: str, document: Document, rev: str | None) -> Blame:
        """Start the blame of the entries of a version; rev None is the working tree."""
        return blame.start(
            self.repository,
            path,
            _first_lines(document),
            rev=rev,
            ignored=self.ignored,
            cache=self.cache,
            in_one=document.is_one_line_for_git,
        )

    def blame_version(self, line: EntryLine) -> Blame:
        """Start the blame of the version that a line is in."""
        return self.blame(line.path, self._document_at(line), line.commit)

    def _document_at(self, line: EntryLine) -> Document:
        blob = self.blobs.find(line.commit, line.path)
        assert blob is not None, "the line is in a version that was read"
        return self.blobs.document(blob)


def _first_lines(document: Document) -> list[int]:
    return [entry.first for entry in document.entries]


class _Trail(NamedTuple):
    """How far an entry was followed back: the origin of the oldest first line so far."""

    identity: str
    origin: LineOrigin
    reworded: bool = False


class _Lead(NamedTuple):
    """An older first line of an entry whose origin is not known yet."""

    identity: str
    line: EntryLine
    reworded: bool


def origins(
    document: Document,
    lines: Mapping[int, LineOrigin],
    sources: Sources,
    *,
    head_document: Document | None,
    path: str,
) -> dict[str, Origin]:
    """Return the origin of each entry by identity.

    lines is the blame of the entries' first lines; head_document the file as HEAD has it, for
    entries of a working tree that were reworded and not committed. An entry is followed through
    every commit that moved it or gave it another heading; where it can be followed through several
    parents of a merge, the oldest date counts.
    """
    newest = {
        entry.identity: _Trail(entry.identity, origin)
        for entry in document.entries
        if (origin := lines.get(entry.first)) is not None
    }
    leads = _leads_from_head(document, newest, sources, head_document, path)
    ends: list[_Trail] = []
    trails: list[_Trail] = list(newest.values())
    seen: set[tuple[str, EntryLine]] = set()
    while trails or leads:
        for index, trail in enumerate(trails):
            ahead = trails[index : index + _LOOK_AHEAD]
            sources.blobs.prefetch(_needed(trail.origin for trail in ahead))
            older = sources.predecessors(trail.origin)
            reworded = trail.reworded or older.reworded
            leads += [_Lead(trail.identity, line, reworded) for line in older.lines]
            if not older.lines and trail.origin.commit is not None:
                ends.append(trail)
        leads = [lead for lead in leads if (lead.identity, lead.line) not in seen]
        seen |= {(lead.identity, lead.line) for lead in leads}
        trails, leads = _follow(leads, sources), []
    oldest = {trail.identity: trail for trail in sorted(ends, key=_date, reverse=True)}
    boundary = shallow_commits(sources.repository) if sources.repository.shallow else frozenset()
    return {
        entry.identity: _origin(
            entry, oldest.get(entry.identity) or newest.get(entry.identity), boundary
        )
        for entry in document.entries
    }


def _needed(line_origins: Iterable[LineOrigin]) -> Iterator[str]:
    """Yield the names of the objects that predecessors() will read."""
    for origin in line_origins:
        if origin.commit is not None and origin.previous is not None:
            yield f"{origin.commit}:{origin.path}"
            yield origin.commit
            yield f"{origin.previous}:{origin.previous_path}"


def _leads_from_head(
    document: Document,
    trails: Mapping[str, _Trail],
    sources: Sources,
    head_document: Document | None,
    path: str,
) -> list[_Lead]:
    """Return leads for uncommitted entries: the working tree counts as a commit on top of HEAD."""
    if head_document is None:
        return []
    changes = compare(head_document, document)
    leads = []
    for entry in document.entries:
        trail = trails.get(entry.identity)
        if trail is None or trail.origin.commit is not None:
            continue
        same = head_document.by_identity.get(entry.identity)
        older = same or changes.origin_of(entry)
        if older is not None:
            line = EntryLine(sources.repository.head, path, older.first)
            leads.append(_Lead(entry.identity, line, reworded=same is None))
    return leads


def _follow(leads: Iterable[_Lead], sources: Sources) -> list[_Trail]:
    """Blame the lines of one round, two versions at a time; one process for each version."""
    versions = {(lead.line.commit, lead.line.path): lead.line for lead in leads}
    order = sorted(versions)
    answers: dict[tuple[str, str], dict[int, LineOrigin]] = {}
    for pair in (order[start : start + 2] for start in range(0, len(order), 2)):
        running = [(version, sources.blame_version(versions[version])) for version in pair]
        answers |= {version: pending.finish(sources.cache) for version, pending in running}
    return [
        _Trail(lead.identity, origin, lead.reworded)
        for lead in leads
        if (origin := answers[lead.line.commit, lead.line.path].get(lead.line.line)) is not None
    ]


def _date(trail: _Trail) -> str:
    return trail.origin.date or LATEST


def _origin(entry: Entry, trail: _Trail | None, boundary: frozenset[str]) -> Origin:
    if trail is None:
        return Origin(UNKNOWN, reason="git blame names no commit for its first line")
    origin = trail.origin
    if origin.commit is None:
        return Origin(UNCOMMITTED)
    if origin.commit in boundary and entry.stated and len(entry.stated) >= _FULL_DATE:
        return Origin(STATED_DATE, entry.stated[:_FULL_DATE], origin.commit)
    if origin.date in ("", LATEST):
        return Origin(UNKNOWN, None, origin.commit, _undated(origin))
    return Origin(RENAMED_HEADING if trail.reworded else BLAME, origin.date, origin.commit)


def _undated(origin: LineOrigin) -> str:
    commit = short_commit(origin.commit or "")
    if origin.date:
        return f"commit {commit} is dated later than the year 9999"
    return f"commit {commit} has no author date that can be read"
