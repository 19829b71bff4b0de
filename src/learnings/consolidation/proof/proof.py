"""Proves that a change lost nothing, or names the lost entries, originals and index rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import NamedTuple

from learnings.consolidation.proof.comparison import (
    Anchors,
    Comparison,
    Shortening,
    comparison_of,
    says_nothing,
    shortening,
    word_frequency,
)
from learnings.consolidation.proof.locations import (
    AddedText,
    Altered,
    Copy,
    EntryLocations,
)
from learnings.consolidation.proof.losses import (
    LOSSES,
    NOWHERE,
    Elsewhere,
    FilePlace,
    Kind,
    MemoryVersion,
    Proof,
    Result,
)
from learnings.consolidation.proof.wording import (
    Likeness,
    is_rewritten,
    is_same,
    word_changes,
    wording_of,
)
from learnings.core.entries.archives import archive_folder, is_archive_name
from learnings.core.entries.document import Document, Entry, read
from learnings.core.entries.rewriting import archived_originals
from learnings.index.headings import IndexedFile
from learnings.index.index_file import MatchStatus, MemoryIndex
from learnings.index.matching import match_rows


def prove(
    before: MemoryVersion,
    after: MemoryVersion,
    *,
    coverage: float,
    elsewhere: Elsewhere = NOWHERE,
) -> Proof:
    """Compare the memory before and after a change.

    An entry is lost unless it is still in the memory, word for word in an archive or in another
    Markdown file, or covered by added text; coverage is the required share of its pairs of near
    words. An entry that is only in an on-disk archive is lost for everybody else, even if it was
    moved.
    """
    added, locations = AddedText(before, after), EntryLocations(before, after, elsewhere)
    judge = _Judge(added, locations, coverage, before)
    results: list[Result] = []
    comparisons = [comparison_of(path, before, after) for path in before.learnings]
    for comparison in comparisons:
        missing = [*judge.missing(comparison)]
        hidden = {result.after for result in missing if result.kind == Kind.HIDDEN}
        results += (*missing, *judge.edits(comparison, hidden))
    results += _altered_originals(before, after, locations)
    others = [result for result in results if result.kind not in LOSSES]
    return Proof(
        tuple(result for result in results if result.kind in LOSSES),
        tuple(result for result in others if not _is_quiet(result)),
        sum(len(document.entries) for document in before.learnings.values()),
        tuple(filter(_is_quiet, others)),
        tuple(_added(comparisons, after)),
    )


def _is_quiet(result: Result) -> bool:
    """Return True if no review is needed, because the words of the entry exist unchanged."""
    is_kept = result.kind == Kind.REWORDED and result.copy is not None
    return is_kept or result.kind in (Kind.ARCHIVED, Kind.MOVED)


def _added(comparisons: Sequence[Comparison], after: MemoryVersion) -> Iterator[tuple[str, Entry]]:
    for comparison in comparisons:
        yield from ((comparison.new_path, entry) for entry in comparison.added)
    known = {comparison.new_path for comparison in comparisons}
    for path, document in after.learnings.items():
        if path not in known:
            yield from ((path, entry) for entry in document.entries)


class _Judge:
    """Decides for each removed or edited entry whether it is lost or needs review."""

    def __init__(
        self, added: AddedText, locations: EntryLocations, coverage: float, before: MemoryVersion
    ) -> None:
        self._added = added
        self._locations = locations
        self._coverage = coverage
        self._before = before
        self._anchors: dict[str, Anchors] = {}

    def _missing_entry(self, entry: Entry, comparison: Comparison) -> Result:
        if comparison.path not in self._anchors:
            self._anchors[comparison.path] = Anchors(comparison)
        before = FilePlace(comparison.path, entry.first)
        after = FilePlace(comparison.path, self._anchors[comparison.path].line_of(entry))
        return Result(Kind.ENTRY, entry.heading, entry.identity, before, after, entry=entry)

    @cached_property
    def _bodies(self) -> Mapping[str, Sequence[tuple[str, Entry]]]:
        """The old entries, each with its file, by the text of their bodies without blanks."""
        bodies: dict[str, list[tuple[str, Entry]]] = {}
        for path, entry in self._entries:
            bodies.setdefault("".join(entry.body.split()), []).append((path, entry))
        return bodies

    @cached_property
    def _entries(self) -> Sequence[tuple[str, Entry]]:
        documents = self._before.learnings.items()
        return [(path, entry) for path, document in documents for entry in document.entries]

    @cached_property
    def _frequency(self) -> Counter[str]:
        return word_frequency(entry for _, entry in self._entries)

    def missing(self, comparison: Comparison) -> Iterator[Result]:
        """Yield the results for the entries that left a file."""
        return filter(None, (self._left(entry, comparison) for entry in comparison.removed))

    def _left(self, entry: Entry, comparison: Comparison) -> Result | None:
        loss = self._missing_entry(entry, comparison)
        archived = self._locations.archives.place_of(entry)
        if archived is not None:
            return loss._replace(kind=Kind.ARCHIVED, copy=archived)
        unstaged = self._locations.unstaged.place_of(entry)
        if unstaged is not None:
            return loss._replace(unstaged=unstaged.path)
        moved = self._locations.moved(entry, comparison.path)
        if moved is not None:
            path, now = moved
            return self._judged_edit((entry, now), comparison, path)
        return self._judged(entry, comparison, loss)

    def _judged(self, entry: Entry, comparison: Comparison, loss: Result) -> Result:
        """Return the result for an entry that no archive has word for word."""
        copy = self._locations.copy_of(entry)
        if copy is not None and copy.likeness > Likeness.ALTERED:
            return self._judged_copy(entry, copy, comparison, loss)
        body = None if entry.path else self._locations.changed.copy_of_body(entry)
        if body is not None and body.place.path == comparison.path:
            return _hidden(loss, body.place, _holder(comparison, body.place))
        altered = self._judged_altered(entry, comparison, loss, copy)
        return altered or self._judged_cover(entry, comparison, loss)

    def _judged_altered(
        self, entry: Entry, comparison: Comparison, loss: Result, copy: Copy | None
    ) -> Result | None:
        """Return the result for an entry with only altered copies, else None."""
        altered = self._locations.altered(entry, comparison.document)
        if altered is None and copy is not None:
            changes = word_changes(wording_of(entry.lines), wording_of(copy.lines))
            altered = Altered(copy.place, changes)
        if altered is None:
            altered = self._added.altered_copy(entry)
        if altered is None:
            return None
        if not altered.changes:
            return loss._replace(kind=Kind.RETYPED, copy=altered.place)
        return loss._replace(copy=altered.place, changes=altered.changes)

    def _judged_cover(self, entry: Entry, comparison: Comparison, loss: Result) -> Result:
        """Return the notice on text that covers an entry, else the loss with the nearest text."""
        cover = self._added.cover_of(entry, enough=self._coverage)
        originals = self._locations.originals_back(entry, comparison.document)
        if not originals and (cover is None or cover.score < self._coverage):
            documented = self._locations.documented(entry)
            if documented is None or documented.score < self._coverage:
                return loss._replace(cover=cover)
            cover = documented
        missing = cover.uncovered if cover else ()
        return loss._replace(kind=Kind.COVERED, cover=cover, missing=missing, originals=originals)

    def _judged_copy(
        self, entry: Entry, copy: Copy, comparison: Comparison, loss: Result
    ) -> Result:
        """Return the result for a copy that keeps the words of an entry."""
        twin = comparison.after.by_first_line.get(copy.place.line)
        is_there = twin is not None and is_same(
            wording_of(twin.lines[1:]), wording_of(entry.lines[1:])
        )
        if copy.place.path == comparison.path and not is_there:
            return _hidden(loss, copy.place, _holder(comparison, copy.place))
        if self._locations.is_hidden(copy.place):
            return _hidden(loss, copy.place, "a comment, a code block or the front matter")
        kind = Kind.MOVED if copy.likeness is Likeness.SAME else Kind.RETYPED
        return loss._replace(kind=kind, copy=copy.place)

    def edits(self, comparison: Comparison, hidden: AbstractSet[FilePlace]) -> Iterator[Result]:
        """Yield the results for the entries that stay in a file with other words.

        hidden are the places of texts that are no longer entries, which do not count as words of
        the surrounding entry.
        """
        for edit in comparison.edited:
            holds = any(
                place.path == comparison.path and edit[1].first < place.line <= edit[1].last
                for place in hidden
            )
            result = self._judged_edit(edit, comparison, comparison.path)
            if result is None:
                continue
            is_only_more = all(change.is_addition for change in result.changes)
            if not (holds and result.kind == Kind.REWORDED and is_only_more):
                yield result

    def _judged_edit(
        self, edit: tuple[Entry, Entry], comparison: Comparison, path: str
    ) -> Result | None:
        old, new = edit
        wordings = wording_of(_without_stamp(old)), wording_of(_without_stamp(new))
        loss = self._missing_entry(old, comparison)._replace(after=FilePlace(path, new.first))
        if is_same(*wordings, Likeness.REPUNCTUATED) or says_nothing(old):
            moved = loss._replace(kind=Kind.MOVED, copy=loss.after)
            return moved if path != comparison.path else None
        shortened = shortening(old, new, lambda: self._frequency)
        taken = self._overwriting(old, new, comparison.path)
        is_lost = taken is not None or (shortened is not None and shortened.is_loss)
        changes = word_changes(*wordings)
        reworded = loss._replace(kind=Kind.REWORDED, changes=changes)
        archived = self._locations.archives.place_of(old)
        if archived is not None:
            return reworded._replace(copy=archived)
        if is_lost or old.identity != new.identity:
            unstaged = self._locations.unstaged.place_of(old)
            if unstaged is not None:
                return loss._replace(unstaged=unstaged.path)
        copy = self._locations.copy_of(old) if is_lost or shortened else None
        if copy is not None and copy.likeness > Likeness.ALTERED:
            return reworded._replace(copy=copy.place)
        cover = self._added.cover_elsewhere(old, loss.after) if is_lost else None
        if is_lost and (cover is None or cover.score < self._coverage):
            return loss._replace(cover=cover, detail=_what_is_left(shortened, taken))
        if shortened is not None and not is_lost:
            reworded = reworded._replace(kind=Kind.SHORTENED, missing=shortened.sentences)
        else:
            matters = any(change.matters for change in changes) or is_rewritten(*wordings)
            reworded = reworded._replace(matters=matters)
        return reworded

    def _overwriting(self, old: Entry, new: Entry, path: str) -> Entry | None:
        """Return the other old entry whose body an entry now has, None for its own."""
        body = "".join(new.body.split())
        if not body or body == "".join(old.body.split()):
            return None
        others = self._bodies.get(body, ())
        return next((e for file, e in others if (file, e.first) != (path, old.first)), None)


def _without_stamp(entry: Entry) -> tuple[str, ...]:
    """Return an entry's lines without its timestamp, which changes with the dialect."""
    return (f"{entry.title}\n", *entry.lines[1:]) if entry.level and entry.stamp else entry.lines


def _what_is_left(shortened: Shortening | None, taken: Entry | None) -> str:
    if taken is not None:
        return f'it now has the text of "{taken.title}"'
    if shortened is None or shortened.is_empty:
        return "only its heading is left"
    return f"{int(100 * shortened.share)} % of its words are gone"


def _hidden(loss: Result, place: FilePlace, holder: str) -> Result:
    return loss._replace(kind=Kind.HIDDEN, after=place, missing=(holder,))


def _holder(comparison: Comparison, place: FilePlace) -> str:
    """Name the element that contains the text of a former entry, for a message."""
    document = comparison.after
    if place.line in document.hidden_lines:
        return "a comment, a code block or the front matter"
    holders = (entry for entry in document.entries if entry.first <= place.line <= entry.last)
    holder = next(holders, None)
    return f'the entry "{holder.title}"' if holder else "text outside of all entries"


def _altered_originals(
    before: MemoryVersion, after: MemoryVersion, locations: EntryLocations
) -> Iterator[Result]:
    """Yield the originals that an archive had and no archive now has word for word."""
    for path, data in before.archives.items():
        if after.archives.get(path) == data:
            continue
        document = _source_of(path, before, after)
        for entry, original in archived_originals(data, document):
            # A part heading in a hand-written archive can be read as an entry.
            is_part = entry.title.startswith(("Group:", "Dropped:"))
            if is_part and not any(line.strip() for line in entry.lines[1:]):
                continue
            copy = locations.copy_of(entry)
            if copy is not None and copy.likeness > Likeness.ALTERED:
                continue
            altered = locations.altered(entry, document)
            if altered is not None and not altered.changes:
                continue
            place, changes = altered or (None, ())
            now = place if place and place.path == path else FilePlace(path, 1)
            known = entry.heading, entry.identity, FilePlace(path, original.line)
            yield Result(Kind.ORIGINAL, *known, now, copy=place, changes=changes)


def _source_of(archive: str, *versions: MemoryVersion) -> Document:
    """Return the learnings file of an archive, an empty one if it is unknown."""
    folder, _, name = archive.rpartition("/")
    for version in versions:
        for path, document in version.learnings.items():
            if archive_folder(path) == folder and is_archive_name(name, path) and document.entries:
                return document
    return read(b"")


# The row exists, but its target does not.
_UNRESOLVED = (MatchStatus.ORPHAN, MatchStatus.FILE_MISSING)


class IndexedMemory(NamedTuple):
    """A memory index with the files that it lists."""

    memory_index: MemoryIndex
    files: Sequence[IndexedFile]


def lost_rows(before: IndexedMemory, after: IndexedMemory) -> Iterator[Result]:
    """Yield the rows that no longer resolve, but not new rows or rows that never resolved."""
    old, new = (match_rows(i.memory_index, i.files).row_matches for i in (before, after))
    resolved = Counter(m.row.text.strip() for m in old if m.status not in _UNRESOLVED)
    lines = {m.row.text.strip(): m.row.line for m in old}
    for row_match in new:
        text = row_match.row.text.strip()
        if row_match.status in _UNRESOLVED and resolved[text]:
            path = after.memory_index.path
            where = f"{row_match.path} has no such heading" if row_match.path else ""
            missing = f"there is no file {row_match.path}"
            yield Result(
                Kind.ROW,
                text,
                text,
                FilePlace(path, lines[text]),
                FilePlace(path, row_match.row.line),
                detail=missing if row_match.status is MatchStatus.FILE_MISSING else where,
            )
