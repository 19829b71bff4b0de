"""Proves that a change lost nothing, or names the lost entries and originals.

An entry may leave the memory if an archive or another Markdown file has it word for word, or if one
section or one entry, as it stands afterwards, covers enough of it. Everything else is a loss.
(Spec: consolidation, *Proof that nothing was lost*.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

from learnings.consolidation.checks.sentences import split_sentences
from learnings.consolidation.proof.comparison import (
    Edit,
    Shortening,
    compare_memory,
    lines_now,
    shortening,
    word_frequency,
)
from learnings.consolidation.proof.results import (
    LOSSES,
    NOWHERE,
    Cover,
    Elsewhere,
    FilePlace,
    Kind,
    MemoryVersion,
    Proof,
    Result,
)
from learnings.consolidation.proof.search import FileTexts, without_stamp
from learnings.consolidation.proof.wording import (
    Wording,
    is_rewritten,
    is_same,
    word_changes,
    wording_of,
    words_of,
)
from learnings.consolidation.text.similarity import Pair, pairs_of, text_of
from learnings.core.entries.archives import archive_folder, is_archive_name, part_headings
from learnings.core.entries.document import Document, Entry, read, says_nothing
from learnings.core.entries.origin import is_consolidated
from learnings.core.entries.rewriting import archived_originals
from learnings.core.entries.titles import CONSOLIDATED
from learnings.core.markdown.blocks import blocks_of
from learnings.core.patterns import lazy_pattern

ALL = 2.0
"""A coverage that no section reaches: only the same words count."""


def prove(
    before: MemoryVersion,
    after: MemoryVersion,
    *,
    coverage: float,
    elsewhere: Elsewhere = NOWHERE,
) -> Proof:
    """Compare the memory before and after a change.

    coverage is the share of an entry's pairs of near words from which a section covers it. An entry
    that is only in an archive on disk is lost for everybody else.
    """
    change = compare_memory(before, after)
    judge = _Judge(before, after, coverage, elsewhere)
    suspects = [_Suspect(entry, judge.missing(path, entry)) for path, entry in change.removed]
    suspects += filter(None, map(judge.edited, change.edits))
    found = sorted(judge.found([*suspects, *judge.originals()]), key=lambda one: one.before)
    hidden = {result.after for result in found if result.kind == Kind.HIDDEN}
    last = {FilePlace(edit.new_path, edit.new.first): edit.new.last for edit in change.edits}
    found = [result for result in found if not _only_holds(result, last, hidden)]
    found = [*_with_renamed_away(found, before, after)]
    others = [result for result in found if result.kind not in LOSSES]
    return Proof(
        tuple(result for result in found if result.kind in LOSSES),
        tuple(result for result in others if not _is_quiet(result)),
        sum(len(document.entries) for document in before.learnings.values()),
        tuple(filter(_is_quiet, others)),
        tuple(change.added),
    )


def _is_quiet(result: Result) -> bool:
    """Return True if no review is needed, because the words of the entry exist unchanged."""
    is_kept = result.kind == Kind.REWORDED and result.copy is not None
    return is_kept or result.kind in (Kind.ARCHIVED, Kind.MOVED)


def _only_holds(result: Result, last: Mapping[FilePlace, int], hidden: Iterable[FilePlace]) -> bool:
    """Return True if an entry only took in the text of another one that is no entry any more."""
    path, first = result.after
    return (
        result.kind == Kind.REWORDED
        and all(change.is_addition for change in result.changes)
        and any(p.path == path and first < p.line <= last.get(result.after, 0) for p in hidden)
    )


def _with_renamed_away(
    results: Sequence[Result], before: MemoryVersion, after: MemoryVersion
) -> Iterator[Result]:
    """Yield results that name the entries of a memory that has a new name and is none any more."""
    places: dict[str, set[str]] = {}
    for result in results:
        places.setdefault(result.before.path, set()).add(result.copy.path if result.copy else "")
    new = after.texts.keys() - before.texts.keys()
    gone = before.learnings.keys() - after.learnings.keys()
    several = {path for path in gone if len(before.learnings[path].entries) > 1}
    for one in results:
        to = places[one.before.path]
        is_renamed = one.before.path in several and len(to) == 1 and to <= new
        if is_renamed and one.kind == Kind.MOVED and one.copy:
            where = "a file that is no memory; name it in the setting `path`"
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

    def found(self, kind: Kind, place: FilePlace) -> Result:
        if self.in_place is not None:
            return self.in_place._replace(copy=place)
        is_original = self.otherwise.kind == Kind.ORIGINAL
        return self.otherwise._replace(
            kind=self.otherwise.kind if is_original else kind, copy=place
        )


# Words below which another text is only the same by chance: `Fixed in the same week.`
_FEW_WORDS = 4
# Sentences of a lost entry that are shown; the others are in the commit.
_MOST_SENTENCES = 5
# Entries that may have most of their words in common and not be written on one form.
_NEAR_DUPLICATES = 2
_DATE = lazy_pattern(r"\d{4}-\d\d(?:-\d\d)?")


class _Judge:
    """Decides for each removed or edited entry whether it is lost or needs review."""

    def __init__(
        self, before: MemoryVersion, after: MemoryVersion, coverage: float, elsewhere: Elsewhere
    ) -> None:
        self._before = before
        self._after = after
        self._coverage = coverage
        self._elsewhere = elsewhere
        self._covers: dict[int, Cover] = {}  # the best one so far by the id of the entry
        self._line_now = lru_cache(maxsize=None)(lambda path: lines_now(path, before, after))

    @cached_property
    def _entries(self) -> Sequence[tuple[str, Entry]]:
        documents = self._before.learnings.items()
        return [(path, entry) for path, document in documents for entry in document.entries]

    @cached_property
    def _frequency(self) -> Counter[str]:
        return word_frequency(entry for _, entry in self._entries)

    @cached_property
    def _bodies(self) -> Mapping[str, Sequence[tuple[str, Entry]]]:
        """The old entries by the words of their bodies."""
        bodies: dict[str, list[tuple[str, Entry]]] = {}
        for path, entry in self._entries:
            bodies.setdefault(_body(entry), []).append((path, entry))
        return bodies

    @cached_property
    def _bodies_now(self) -> set[str]:
        return {_body(e) for document in self._after.learnings.values() for e in document.entries}

    @cached_property
    def _shared(self) -> frozenset[Pair]:
        """The word pairs of more than two entries: template text, which covers none."""
        counts = Counter(pair for _, entry in self._entries for pair in pairs_of(text_of(entry)))
        return frozenset(pair for pair, count in counts.items() if count > _NEAR_DUPLICATES)

    def missing(self, path: str, entry: Entry) -> Result:
        """Return the loss of an entry that left its file."""
        line = self._line_now(path)(entry.first)
        places = FilePlace(path, entry.first), FilePlace(path, line)
        return Result(Kind.ENTRY, entry.heading, entry.identity, *places, entry=entry)

    def edited(self, edit: Edit) -> _Suspect | None:
        """Return what to look for after an edit, None if there is nothing to say about it."""
        old, place = edit.old, FilePlace(edit.new_path, edit.new.first)
        if says_nothing(old):
            return None
        loss = self.missing(edit.path, old)._replace(after=place)
        wordings = wording_of(without_stamp(old)), wording_of(without_stamp(edit.new))
        if not is_same(*wordings):
            return self._reworded(edit, loss, wordings)
        if edit.path != edit.new_path:
            return _Suspect(old, loss._replace(kind=Kind.MOVED, copy=place))
        file = self._after.learnings[edit.path]
        hidden = None if edit.is_entry else self._hidden(loss, place, file)
        return _Suspect(old, hidden, leaves=False) if hidden else None

    def _reworded(self, edit: Edit, loss: Result, wordings: tuple[Wording, Wording]) -> _Suspect:
        old, changes = edit.old, word_changes(*wordings)
        matters = any(change.matters for change in changes) or is_rewritten(*wordings)
        reworded = loss._replace(kind=Kind.REWORDED, changes=changes, matters=matters)
        taken = self._overwriting(edit)
        shortened = shortening(old, edit.new, lambda: self._frequency)
        if taken is not None and _body(old) in self._bodies_now:  # the two were exchanged
            exchanged = reworded._replace(matters=True)
            return _Suspect(old, exchanged, exchanged, leaves=False)
        if taken is not None or (shortened is not None and shortened.is_loss):
            return _Suspect(old, loss._replace(detail=_what_is_left(shortened, taken)), reworded)
        told = reworded
        if shortened is not None:
            told = reworded._replace(kind=Kind.SHORTENED, missing=shortened.sentences)
        return _Suspect(old, told, reworded, leaves=old.identity != edit.new.identity)

    def _overwriting(self, edit: Edit) -> Entry | None:
        """Return the other old entry whose body an entry now has, None for its own."""
        body, own = _body(edit.new), _body(edit.old)
        words, gone = {*body.split()}, {*own.split()}.difference(body.split())
        if not words or (len(gone) < _FEW_WORDS and not words.isdisjoint(own.split())):
            return None
        others = self._bodies.get(body, ())
        known = edit.path, edit.old.first
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

    def found(self, suspects: Sequence[_Suspect]) -> Iterator[Result]:
        """Yield the results for texts that may be lost; files are read only for those left."""
        stages = (
            (lambda: self._after.archives, lambda _: True, self._if_archived),
            (self._elsewhere.unstaged, lambda one: one.leaves, self._if_unstaged),
            (lambda: self._changed, _is_missing, self._if_elsewhere),
            (self._elsewhere.unchanged, _is_missing, self._if_elsewhere),
        )
        left = [*suspects]
        for files, concerns, judge in stages:
            asked = [one for one in left if concerns(one)]
            entries = (one.entry for one in asked)
            texts = FileTexts(files() if asked else {}, entries, lambda: self._shared)
            results = {id(one): judge(one, texts) for one in asked}
            yield from (r for r in results.values() if r and r.kind != Kind.ORIGINAL)
            left = [one for one in left if results.get(id(one)) is None]
        yield from map(self._unfound, left)

    @property
    def _changed(self) -> dict[str, bytes | Document]:
        return {**self._after.learnings, **self._after.texts}

    def _if_archived(self, suspect: _Suspect, archives: FileTexts) -> Result | None:
        place = archives.place_of(suspect.entry)
        return suspect.found(Kind.ARCHIVED, place) if place else None

    def _if_unstaged(self, suspect: _Suspect, archives: FileTexts) -> Result | None:
        place, otherwise = archives.place_of(suspect.entry), suspect.otherwise
        kind = otherwise.kind if otherwise.kind in LOSSES else Kind.ENTRY
        return otherwise._replace(kind=kind, unstaged=place.path) if place else None

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
        if not cover.is_enough:
            return None
        covered = otherwise._replace(kind=Kind.COVERED, cover=cover, missing=cover.uncovered)
        return in_place or covered

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
        cover = self._covers.get(id(entry))
        if otherwise.kind not in LOSSES or otherwise.detail:
            return otherwise
        originals = self._originals_back(entry) if otherwise.kind == Kind.ENTRY else 0
        if originals:
            return otherwise._replace(kind=Kind.COVERED, cover=cover, originals=originals)
        altered = self._altered.get(entry.key)
        if altered is not None:
            place, now = altered
            changes = word_changes(wording_of(entry.lines), wording_of(now.lines))
            after = place if place.path == otherwise.before.path else otherwise.after
            return otherwise._replace(copy=place, changes=changes, after=after)
        return otherwise._replace(cover=cover, missing=_missing_sentences(entry, cover))

    @cached_property
    def _altered(self) -> Mapping[str, tuple[FilePlace, Entry]]:
        """The archived entries by key, each with its place."""
        archives = self._after.archives.items()
        return {
            entry.key: (FilePlace(path, original.line), entry)
            for path, data in archives
            for entry, original in archived_originals(data, self._source_of(path))
        }

    def _originals_back(self, entry: Entry) -> int:
        """Return the number of a merged entry's originals, if all of them are back.

        This happens if a consolidation was reverted. 0 if no archive knows an original, or if one
        of them is not in the memory again.
        """
        if not is_consolidated(entry):
            return 0
        for version in (self._before, self._after):
            for path, archive in version.archives.items():
                members = [*_members_of(archive, entry, self._source_of(path, is_back=True))]
                texts = FileTexts(self._after.learnings, members)
                if members and all(map(texts.place_of, members)):
                    return len(members)
        return 0


def _is_missing(suspect: _Suspect) -> bool:
    return suspect.otherwise.kind in (*LOSSES, Kind.SHORTENED)


def _missing_sentences(entry: Entry, cover: Cover | None) -> tuple[str, ...]:
    """Return the first sentences of a lost entry, those that the most similar text lacks."""
    sentences = split_sentences(entry.body if entry.level else entry.text)
    lacks = {*words_of([" ".join(cover.uncovered)])} if cover else set()
    lost = [one for one in sentences if not lacks or not lacks.isdisjoint(words_of([one]))]
    return tuple(lost[:_MOST_SENTENCES])


def _body(entry: Entry) -> str:
    """Return the words below the heading of an entry, or beside the title and date of an item."""
    if entry.level:
        return " ".join(words_of(entry.lines[1:]))
    first = _DATE.sub("", entry.lines[0].replace(entry.title, "", 1))
    return " ".join(words_of((first, *entry.lines[1:])))


def _what_is_left(shortened: Shortening | None, taken: Entry | None) -> str:
    if taken is not None:
        return f'it now has the text of "{taken.title}"'
    if shortened is None or shortened.is_empty:
        return "only its heading is left"
    return f"{int(100 * shortened.share)} % of its words are gone"


def _members_of(archive: bytes, merged: Entry, document: Document) -> Iterator[Entry]:
    """Yield the entries in the archive groups with the name of a merged entry."""
    group = f"group: {merged.title.casefold().removesuffix(CONSOLIDATED).strip()}"
    blocks = blocks_of(archive)
    for number, end in pairwise([*part_headings(blocks), len(blocks.lines) + 1]):
        if blocks.lines[number - 1].strip("# \t\r\n").casefold() == group:
            for entry, original in archived_originals(archive, document):
                if number < original.line < end:
                    yield entry
