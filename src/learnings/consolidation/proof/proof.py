"""Proves that a change lost nothing, or names the lost entries and originals.

An entry may leave the memory if an archive or another Markdown file has it word for word, or if one
section or one entry, as it stands afterwards, covers enough of it. Everything else is a loss.
(Spec: consolidation, *Proof that nothing was lost*.)
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from learnings.consolidation.checks.sentences import split_sentences
from learnings.consolidation.proof.comparison import (
    Edit,
    compare_memory,
    shortening,
    word_frequency,
)
from learnings.consolidation.proof.results import (
    LOSSES,
    Cover,
    FilePlace,
    Kind,
    LazyContents,
    MemoryVersion,
    Proof,
    Result,
)
from learnings.consolidation.proof.wording import (
    is_rewritten,
    is_same,
    without_stamp,
    word_changes,
    wording_of,
    words_of,
)
from learnings.core.entries.archives import part_finder
from learnings.core.entries.dialects import FOLDER
from learnings.core.entries.document import Document, Entry, read, says_nothing
from learnings.core.entries.origin import is_consolidated
from learnings.core.entries.rewriting import archived_originals
from learnings.core.entries.titles import CONSOLIDATED
from learnings.core.file_names import archive_folder, is_archive_name
from learnings.core.patterns import lazy_pattern
from learnings.core.text import encode

if TYPE_CHECKING:
    from learnings.consolidation.proof.search import FileTexts
    from learnings.consolidation.text.similarity import Pair

ALL = 2.0
"""A coverage that no section reaches: only the same words count."""


def prove(
    before: MemoryVersion,
    after: MemoryVersion,
    *,
    coverage: float,
    unchanged: LazyContents = dict[str, bytes],
    unstaged: LazyContents = dict[str, bytes],
) -> Proof:
    """Compare the memory before and after a change.

    coverage is the share of an entry's pairs of near words from which a section covers it.
    unchanged returns Markdown files that the change did not touch, and archives of other tools;
    unstaged returns archives that exist only on disk: their entries are lost for everybody else.
    """
    change = compare_memory(before, after)
    judge = _Judge(before, after, coverage)
    gone = ((path, entry) for (path, _), entry in change.removed.items())
    suspects = [_Suspect(e, judge.missing(path, e)) for path, e in gone if not says_nothing(e)]
    suspects += filter(None, map(judge.edited, change.edits))
    found = [*judge.found([*suspects, *judge.originals()], unchanged, unstaged)]
    found = [*_with_renamed_away(_told(found, change.edits), before, after)]
    others = [result for result in found if result.kind not in LOSSES]
    return Proof(
        losses=tuple(result for result in found if result.kind in LOSSES),
        notices=tuple(result for result in others if not _is_quiet(result)),
        entries=sum(len(document.entries) for document in before.learnings.values()),
        moves=tuple(filter(_is_quiet, others)),
        added=tuple((path, entry) for (path, _), entry in change.added.items()),
    )


def _is_quiet(result: Result) -> bool:
    """Return True if no review is needed, because the words of the entry exist unchanged."""
    is_kept = result.kind == Kind.REWORDED and result.copy is not None
    return is_kept or result.kind in (Kind.ARCHIVED, Kind.MOVED)


def _told(results: Sequence[Result], edits: Sequence[Edit]) -> list[Result]:
    """Sort results, without entries that only took in one that is no entry any more."""
    hidden = {result.after for result in results if result.kind == Kind.HIDDEN}
    last = {FilePlace(edit.new_path, edit.new.first): edit.new.last for edit in edits}

    def only_holds(result: Result) -> bool:
        path, first = result.after
        return (
            result.kind == Kind.REWORDED
            and all(change.is_addition for change in result.changes)
            and any(p.path == path and first < p.line <= last.get(result.after, 0) for p in hidden)
        )

    return sorted((r for r in results if not only_holds(r)), key=lambda result: result.before)


def _with_renamed_away(
    results: Sequence[Result], before: MemoryVersion, after: MemoryVersion
) -> Iterator[Result]:
    """Yield results that name the entries of a memory that has a new name and is none any more.

    A memory is a file or, where each file is an entry, their folder.
    """
    known = {**after.learnings, **before.learnings}

    def home_of(memory: str, path: str) -> str:
        document = known.get(memory)
        is_folder = document is not None and document.dialect.name == FOLDER
        return path.rpartition("/")[0] if is_folder else path

    new = after.texts.keys() - before.texts.keys()
    counts = Counter(home_of(p, p) for p, file in before.learnings.items() for _ in file.entries)
    left = {home_of(path, path) for path in after.learnings}
    places: dict[str, set[str]] = {}
    for result in results:
        path, to = result.before.path, result.copy.path if result.copy else ""
        places.setdefault(home_of(path, path), set()).add(home_of(path, to) if to in new else "")
    for one in results:
        home = home_of(one.before.path, one.before.path)
        is_renamed = counts[home] > 1 and home not in left and len(places[home]) == 1
        if one.kind == Kind.MOVED and one.copy and "" not in places[home] and is_renamed:
            kind = "file" if home == one.before.path else "folder"
            from shlex import quote  # noqa: PLC0415  (seldom needed)

            # A setting would switch off discovery, and the other memories would be none.
            taking = f"learnings init --memory {quote(home_of(one.before.path, one.copy.path))}"
            where = f"a {kind} that is no memory; `{taking}` takes it"
            yield one._replace(kind=Kind.HIDDEN, after=one.copy, missing=(where,))
        else:
            yield one


class _Suspect(NamedTuple):
    """An entry whose old text is to be found; otherwise is the result if it is nowhere.

    in_place is the result, for an entry that is still there with another text, if it is somewhere.
    leaves is False for one that stays under its name, and for an archived original.
    """

    entry: Entry
    otherwise: Result
    in_place: Result | None = None
    leaves: bool = True

    @property
    def is_missing(self) -> bool:
        return self.otherwise.kind in (*LOSSES, Kind.SHORTENED)

    def found(self, kind: Kind, place: FilePlace) -> Result:
        return (self.in_place or self.otherwise._replace(kind=kind))._replace(copy=place)


_Stage = tuple[
    Callable[[], Mapping[str, bytes | Document]],
    Callable[[_Suspect], bool],
    Callable[[_Suspect, "FileTexts"], Result | None],
]
"""Files to search, the suspects to search for, and the result of one, None if it is not there."""

# Words below which another text is only the same by chance: `Fixed in the same week.`
_FEW_WORDS = 4
# Sentences of a lost entry that are shown; the others are in the commit.
_MOST_SENTENCES = 5
# Entries that may have most of their words in common and not be written on one form.
_NEAR_DUPLICATES = 2
_DATE = lazy_pattern(r"\d{4}-\d\d(?:-\d\d)?")


class _Judge:
    """Decides for each removed or edited entry whether it is lost or needs review."""

    def __init__(self, before: MemoryVersion, after: MemoryVersion, coverage: float) -> None:
        self._before = before
        self._after = after
        self._coverage = coverage
        self._covers: dict[int, Cover] = {}  # the best one so far by the id of the entry
        self._kept = lru_cache(maxsize=None)(self._kept_in)

    @cached_property
    def _frequency(self) -> Counter[str]:
        return word_frequency(e for d in self._before.learnings.values() for e in d.entries)

    @cached_property
    def _bodies(self) -> Mapping[str, Sequence[tuple[str, Entry]]]:
        """The old entries by the words of their bodies."""
        bodies: dict[str, list[tuple[str, Entry]]] = {}
        for path, document in self._before.learnings.items():
            for entry in document.entries:
                bodies.setdefault(_body(entry), []).append((path, entry))
        return bodies

    @cached_property
    def _bodies_now(self) -> set[str]:
        return {_body(e) for document in self._after.learnings.values() for e in document.entries}

    @cached_property
    def _shared(self) -> frozenset[Pair]:
        """The word pairs of more than two entries: template text, which covers none."""
        from learnings.consolidation.text.similarity import pairs_of, text_of  # noqa: PLC0415  (for a covered entry)

        entries = (e for document in self._before.learnings.values() for e in document.entries)
        counts = Counter(pair for entry in entries for pair in pairs_of(text_of(entry)))
        return frozenset(pair for pair, count in counts.items() if count > _NEAR_DUPLICATES)

    def missing(self, path: str, entry: Entry) -> Result:
        """Return the loss of an entry that left its file.

        It is missing below the nearest entry above it that is left, or else on line 1.
        """
        first, last = self._kept(path)
        place = FilePlace(path, last[bisect_left(first, entry.first)])
        names = entry.heading, entry.identity
        return Result(Kind.ENTRY, *names, FilePlace(path, entry.first), place, entry=entry)

    def _kept_in(self, path: str) -> tuple[Sequence[int], Sequence[int]]:
        """Return the old first lines of a file's kept entries, and 1 with their new last lines."""
        new, old = self._after.learnings.get(path), self._before.learnings[path].entries
        known = new.by_identity if new else {}
        kept = [entry for entry in old if entry.identity in known]
        return [e.first for e in kept], [1, *(known[entry.identity].last for entry in kept)]

    def edited(self, edit: Edit) -> _Suspect | None:
        """Return what to look for after an edit, None if there is nothing to say about it."""
        path, old, new_path, new, is_entry = edit
        if says_nothing(old):
            return None
        place = FilePlace(new_path, new.first)
        loss = self.missing(path, old)._replace(after=place)
        before, now = wording_of(without_stamp(old)), wording_of(without_stamp(new))
        if is_same(before, now):
            if path != new_path:
                return _Suspect(old, loss._replace(kind=Kind.MOVED, copy=place))
            hidden = None if is_entry else self._hidden(loss, place, self._after.learnings[path])
            return _Suspect(old, hidden, leaves=False) if hidden else None
        changes = word_changes(before, now)
        matters = any(change.matters for change in changes) or is_rewritten(before, now)
        reworded = loss._replace(kind=Kind.REWORDED, changes=changes, matters=matters)
        taken = self._overwriting(edit)
        if taken is not None and _body(old) in self._bodies_now:
            exchanged = reworded._replace(matters=True)
            return _Suspect(old, exchanged, exchanged, leaves=False)
        shortened = shortening(old, new, lambda: self._frequency)
        detail = shortened.detail if shortened else ""
        if taken is not None:
            detail = f'it now has the text of "{taken.title}"'
        if detail:
            return _Suspect(old, loss._replace(detail=detail), reworded)
        told = reworded
        if shortened is not None:
            told = reworded._replace(kind=Kind.SHORTENED, missing=shortened.sentences)
        return _Suspect(old, told, reworded, leaves=old.identity != new.identity)

    def _overwriting(self, edit: Edit) -> Entry | None:
        """Return the other old entry whose body an entry now has, None for its own."""
        body, own = _body(edit.new), _body(edit.old)
        words, gone = {*body.split()}, {*own.split()}.difference(body.split())
        if not words or (len(gone) < _FEW_WORDS and not words.isdisjoint(own.split())):
            return None
        known = edit.path, edit.old.first
        others = self._bodies.get(body, ())
        return next((entry for path, entry in others if (path, entry.first) != known), None)

    def originals(self) -> Iterator[_Suspect]:
        """Yield the archived originals that a changed archive no longer has as they were."""
        for path, data in self._before.archives.items():
            now = self._after.archives.get(path, b"")
            if now == data:
                continue
            for entry, original in archived_originals(data, self._source_of(path)):
                # A part heading in a hand-written archive can be read as an entry.
                is_part = entry.title.startswith(("Group:", "Dropped:"))
                is_part = is_part and not any(line.strip() for line in entry.lines[1:])
                if not is_part and original.data not in now:
                    places = FilePlace(path, original.line), FilePlace(path, 1)
                    loss = Result(Kind.ORIGINAL, entry.heading, entry.identity, *places)
                    yield _Suspect(entry, loss, leaves=False)
        for path, document in self._before.archived.items():
            if self._after.archives.get(path) != encode(document.text):
                entry, place = document.entries[0], FilePlace(path, 1)
                loss = Result(Kind.ORIGINAL, entry.heading, entry.identity, place, place)
                yield _Suspect(entry, loss, leaves=False)

    def _source_of(self, archive: str, *, is_back: bool = False) -> Document:
        """Return the learnings file of an archive, or with is_back the one that has its entries."""
        folder, _, name = archive.rpartition("/")
        versions = self._before, self._after
        for version in reversed(versions) if is_back else versions:
            for path, document in version.learnings.items():
                is_its = archive_folder(path) == folder and is_archive_name(name, path)
                if is_its and document.entries:
                    return document
        return read(b"")

    def found(
        self, suspects: Sequence[_Suspect], unchanged: LazyContents, unstaged: LazyContents
    ) -> Iterator[Result]:
        """Yield the results for texts that may be lost; files are read only for those left."""
        changed: dict[str, bytes | Document] = {**self._after.learnings, **self._after.texts}
        stages: Sequence[_Stage] = (
            (lambda: self._after.archives, lambda _: True, _if_archived),
            (unstaged, lambda one: one.leaves, _if_unstaged),
            (lambda: changed, lambda one: one.is_missing, self._if_elsewhere),
            (unchanged, lambda one: one.is_missing, self._if_elsewhere),
        )
        left = [*suspects]
        for load, concerns, judge in stages:
            asked = [one for one in left if concerns(one)]
            files = load() if asked else {}
            if files:
                from learnings.consolidation.proof.search import FileTexts  # noqa: PLC0415  (most edits need none)

                texts = FileTexts(files, (one.entry for one in asked), lambda: self._shared)
                judged = [(one, judge(one, texts)) for one in asked]
                yield from (r for one, r in judged if r and one.otherwise.kind != Kind.ORIGINAL)
                done = {id(one) for one, result in judged if result}
                left = [one for one in left if id(one) not in done]
        yield from map(self._unfound, left)

    def _if_elsewhere(self, suspect: _Suspect, texts: FileTexts) -> Result | None:
        """Return the result if some files have the text of an entry, or cover it."""
        entry, otherwise, in_place, _ = suspect
        place = texts.place_of(entry)
        if place is not None:
            hidden = None if in_place else self._hidden(otherwise, place, texts.read(place.path))
            return hidden or suspect.found(Kind.MOVED, place)
        body = None if entry.path or in_place else texts.place_of_body(entry)
        if body is not None and body.path == otherwise.before.path:
            return self._hidden(otherwise, body, texts.read(body.path))
        cover = texts.cover_of(entry, self._coverage) if otherwise.kind == Kind.ENTRY else None
        known = self._covers.get(id(entry))
        if cover is None or (known is not None and known.rank >= cover.rank):
            return None
        self._covers[id(entry)] = cover
        covered = otherwise._replace(kind=Kind.COVERED, cover=cover, missing=cover.uncovered)
        return (in_place or covered) if cover.is_enough else None

    def _hidden(self, loss: Result, place: FilePlace, file: Document) -> Result | None:
        """Return the notice on an entry whose text is no entry any more, None if it still is one.

        In another file, that is one whose text is not shown.
        """
        is_shown = place.line not in file.hidden_lines
        if (is_shown and place.path != loss.before.path) or not loss.entry or loss.entry.path:
            return None
        twin = file.by_first_line.get(place.line) if place.path in self._after.learnings else None
        words = (wording_of(entry.lines[1:]) for entry in (twin, loss.entry) if entry)
        if is_shown and twin and is_same(*words):
            return None
        holder = next((e for e in file.entries if e.first <= place.line <= e.last), None)
        where = f'the entry "{holder.title}"' if holder else "text outside of all entries"
        where = where if is_shown else "a comment, a code block or the front matter"
        return loss._replace(kind=Kind.HIDDEN, after=place, missing=(where,))

    def _unfound(self, suspect: _Suspect) -> Result:
        """Return the result for an entry whose old text is nowhere."""
        entry, otherwise, *_ = suspect
        if otherwise.kind not in LOSSES or otherwise.detail:
            return otherwise
        cover = self._covers.get(id(entry))
        originals = self._originals_back(entry) if otherwise.kind == Kind.ENTRY else 0
        if originals:
            return otherwise._replace(kind=Kind.COVERED, cover=cover, originals=originals)
        if entry.key in self._altered:
            place, now = self._altered[entry.key]
            changes = word_changes(wording_of(entry.lines), wording_of(now.lines))
            after = place if place.path == otherwise.before.path else otherwise.after
            return otherwise._replace(copy=place, changes=changes, after=after)
        sentences = split_sentences(entry.body if entry.level else entry.text)
        lacks = {*words_of([" ".join(cover.uncovered)])} if cover else set()
        lost = [one for one in sentences if not lacks or not lacks.isdisjoint(words_of([one]))]
        return otherwise._replace(cover=cover, missing=tuple(lost[:_MOST_SENTENCES]))

    @cached_property
    def _altered(self) -> Mapping[str, tuple[FilePlace, Entry]]:
        """The archived entries by key, each with its place."""
        return {
            entry.key: (FilePlace(path, original.line), entry)
            for path, data in self._after.archives.items()
            for entry, original in archived_originals(data, self._source_of(path))
        }

    def _originals_back(self, merged: Entry) -> int:
        """Return the number of a merged entry's originals, if all of them are back.

        This happens if a consolidation was reverted. 0 if no archive knows an original, or if one
        of them is not in the memory again.
        """
        if not is_consolidated(merged):
            return 0
        from learnings.consolidation.proof.search import FileTexts  # noqa: PLC0415  (as above)

        group = f"group: {merged.title.casefold().removesuffix(CONSOLIDATED).strip()}"
        for version in (self._before, self._after):
            for path, archive in version.archives.items():
                part_at = part_finder(archive)
                archived = archived_originals(archive, self._source_of(path, is_back=True))
                originals = [
                    e for e, original in archived if part_at(original.line).casefold() == group
                ]
                texts = FileTexts(self._after.learnings, originals)
                if originals and all(map(texts.place_of, originals)):
                    return len(originals)
        return 0


def _if_archived(suspect: _Suspect, archives: FileTexts) -> Result | None:
    place = archives.place_of(suspect.entry)
    return suspect.found(Kind.ARCHIVED, place) if place else None


def _if_unstaged(suspect: _Suspect, archives: FileTexts) -> Result | None:
    place = archives.place_of(suspect.entry)
    return suspect.otherwise._replace(kind=Kind.ENTRY, unstaged=place.path) if place else None


def _body(entry: Entry) -> str:
    """Return the words below the heading of an entry, or beside the title and date of an item."""
    if entry.level:
        return " ".join(words_of(entry.lines[1:]))
    first = _DATE.sub("", entry.lines[0].replace(entry.title, "", 1))
    return " ".join(words_of((first, *entry.lines[1:])))
