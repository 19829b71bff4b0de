"""Locates an entry that left its file: in another file, in an archive, or in added text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice, pairwise
from typing import NamedTuple

from learnings.consolidation.checks.covered import SAME_HEADING, CoverageIndex
from learnings.consolidation.proof.losses import Cover, Elsewhere, FilePlace, MemoryVersion
from learnings.consolidation.proof.wording import (
    Likeness,
    WordChange,
    WordStream,
    is_same,
    likeness,
    word_changes,
    wording_of,
)
from learnings.consolidation.text.sections import TargetSection, content_of, target_of
from learnings.consolidation.text.similarity import Covered, Pair, Texts, pairs_of
from learnings.core.entries.archives import is_archive_like, part_headings
from learnings.core.entries.document import Document, Entry, read
from learnings.core.entries.origin import is_consolidated
from learnings.core.entries.rewriting import archived_originals
from learnings.core.entries.titles import CONSOLIDATED
from learnings.core.markdown.blocks import blocks_of
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp, decode, split_lines

# Characters of a text that another one may contain by chance; chosen, about five words.
_SHORTEST = 30


# Most places with the words of an entry to check in a file; a true copy is hardly after them.
_MOST_COPIES = 20
# A date, for example in the timestamp of a heading.
_DATE = lazy_pattern(r"\d{4}-\d\d-\d\d")


class Copy(NamedTuple):
    """Lines of a file that have all words of an entry, and how well they keep them."""

    place: FilePlace
    likeness: Likeness
    lines: tuple[str, ...]


class Altered(NamedTuple):
    """The place of a copy with other words, and these words."""

    place: FilePlace
    changes: tuple[WordChange, ...]


class FileTexts:
    """Files to search for copies, each read once and on demand."""

    def __init__(self, contents: Mapping[str, Sequence[str]]) -> None:
        self._contents = contents
        self._streams: dict[str, WordStream] = {}

    def copy_of(self, entry: Entry) -> Copy | None:
        """Return the best copy of an entry, None if no file has all its words.

        Of 371 entries that were archived by hand, one came back under its neighbour's timestamp; so
        a copy under another stamp counts like one with other punctuation.
        """
        best = self._best(entry.lines)
        if best is None and entry.stamp and entry.level:
            best = self._best((f"{entry.title}\n", *entry.lines[1:]))
            if best is not None and _DATE.search(best.lines[0].replace(entry.title, "")):
                best = best._replace(likeness=min(best.likeness, Likeness.REPUNCTUATED))
        return best

    def place_of(self, entry: Entry) -> FilePlace | None:
        """Return where a file has an entry word for word, None if none does."""
        copy = self.copy_of(entry)
        return copy.place if copy is not None and copy.likeness is Likeness.SAME else None

    def copy_of_body(self, entry: Entry) -> Copy | None:
        """Return a copy of the text below an entry's heading, None if there is no true copy."""
        if len("".join(entry.lines[1:]).strip()) < _SHORTEST:
            return None
        best = self._best(entry.lines[1:])
        return best if best is not None and best.likeness > Likeness.ALTERED else None

    def _best(self, lines: tuple[str, ...]) -> Copy | None:
        best: Copy | None = None
        wording = wording_of(lines)
        is_short = sum(map(len, lines)) < _SHORTEST
        for path, text in self._contents.items():
            if path not in self._streams:
                self._streams[path] = WordStream(text)
            for line, found in islice(self._streams[path].copies(lines), _MOST_COPIES):
                copy = wording_of(tuple(found))
                level = likeness(wording, copy)
                if is_short and not is_same(wording, copy, level or Likeness.REPUNCTUATED):
                    continue
                if best is None or level > best.likeness:
                    best = Copy(FilePlace(path, line), level, tuple(found))
                if level is Likeness.SAME:
                    return best
        return best


class EntryLocations:
    """The files of a version that may contain an entry, each prepared once and on demand."""

    def __init__(self, before: MemoryVersion, after: MemoryVersion, elsewhere: Elsewhere) -> None:
        self._before = before
        self._after = after
        self._elsewhere = elsewhere

    @cached_property
    def archives(self) -> FileTexts:
        """The archives of the compared files."""
        return FileTexts(_lines_of(self._after.archives))

    @cached_property
    def changed(self) -> FileTexts:
        """All other changed files."""
        documents = {path: document.lines for path, document in self._after.learnings.items()}
        return FileTexts(documents | _lines_of(self._after.texts))

    @cached_property
    def others(self) -> FileTexts:
        """The unchanged files, and archives of other tools."""
        return FileTexts(_lines_of(self._unchanged))

    @cached_property
    def unstaged(self) -> FileTexts:
        """The archives that exist only on disk."""
        return FileTexts(_lines_of(self._elsewhere.unstaged()))

    def copy_of(self, entry: Entry) -> Copy | None:
        """Return the best copy of an entry in any file; None if there is none."""
        best: Copy | None = None
        for name in ("archives", "changed", "others"):
            texts: FileTexts = getattr(self, name)
            copy = texts.copy_of(entry)
            if copy is not None and (best is None or copy.likeness > best.likeness):
                best = copy
            if best is not None and best.likeness is Likeness.SAME:
                break
        return best

    def moved(self, entry: Entry, path: str) -> tuple[str, Entry] | None:
        """Return the entry of another learnings file with the same identity, and that file."""
        known = self._before.learnings
        for other, document in self._after.learnings.items():
            now = document.by_identity.get(entry.identity)
            is_new = other not in known or entry.identity not in known[other].by_identity
            if now is not None and other != path and is_new:
                return other, now
        return None

    def is_hidden(self, place: FilePlace) -> bool:
        """Return True if Markdown lines are in a comment, a code block or the front matter."""
        document = self._after.learnings.get(place.path)
        if document is None:
            texts = {**self._unchanged, **self._after.texts}
            document = read(texts.get(place.path, b""))
        return place.line in document.hidden_lines

    @cached_property
    def _unchanged(self) -> Mapping[str, bytes]:
        return self._elsewhere.unchanged()

    def documented(self, entry: Entry) -> Cover | None:
        """Return the section of a Markdown file that has an entry under its heading, or None."""
        words = {word.casefold() for word in entry.title.split() if word.isalnum()}
        texts = {**self._unchanged, **self._after.texts}
        sections: list[TargetSection] = []
        for path, data in texts.items():
            if is_archive_like(path):
                continue
            text = decode(data).casefold()
            if sum(word in text for word in words) >= SAME_HEADING * len(words):
                sections += target_of(path, data).sections
        found = CoverageIndex(sections).documented(entry)
        if found is None or found.against.target is None:
            return None
        place = FilePlace(found.against.target, found.against.line or 1)
        return Cover(place, found.score, tuple(found.text.splitlines()))

    def altered(self, entry: Entry, document: Document) -> Altered | None:
        """Return where an archive has an altered copy of an entry under its heading.

        There are no changes if only the punctuation differs.
        """
        for path, data in self._after.archives.items():
            for archived, original in archived_originals(data, document):
                if archived.key == entry.key:
                    changes = word_changes(wording_of(entry.lines), wording_of(archived.lines))
                    return Altered(FilePlace(path, original.line), changes)
        return None

    def originals_back(self, entry: Entry, document: Document) -> int:
        """Return the number of a merged entry's originals, if all of them are back.

        This happens if a consolidation was reverted. 0 if no archive knows an original, or if one
        of them is not in the memory again.
        """
        if not is_consolidated(entry):
            return 0
        for archive in (*self._before.archives.values(), *self._after.archives.values()):
            members = [*_members_of(archive, entry, document)]
            if members and all(map(self.changed.copy_of, members)):
                return len(members)
        return 0


def _lines_of(contents: Mapping[str, bytes]) -> dict[str, Sequence[str]]:
    return {path: split_lines(decode(data)) for path, data in contents.items()}


def _members_of(archive: bytes, merged: Entry, document: Document) -> Iterator[Entry]:
    """Yield the entries in the archive groups with the name of a merged entry."""
    group = f"group: {merged.title.casefold().removesuffix(CONSOLIDATED).strip()}"
    blocks = blocks_of(archive)
    for number, end in pairwise([*part_headings(blocks), len(blocks.lines) + 1]):
        if blocks.lines[number - 1].strip("# \t\r\n").casefold() == group:
            for entry, original in archived_originals(archive, document):
                if number < original.line < end:
                    yield entry


class _AddedLines(NamedTuple):
    """The lines added to one entry or section, with its title."""

    place: FilePlace
    title: str
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join((self.title, *(chomp(line).strip() for line in self.lines)))


class AddedText:
    """The sections and entries that a change added or extended, with only their added lines."""

    def __init__(self, before: MemoryVersion, after: MemoryVersion) -> None:
        self._before = before
        self._after = after

    @cached_property
    def _sections(self) -> Sequence[_AddedLines]:
        added: list[_AddedLines] = []
        for path, document in self._after.learnings.items():
            older = self._before.learnings.get(path)
            known = older.by_identity if older else {}
            for entry in document.entries:
                same = known.get(entry.identity)
                lines = entry.lines[1:] if entry.level else entry.lines
                count = _count_lines(same.lines if same else ())
                place = FilePlace(path, entry.first)
                added += _with_added_lines(place, entry.title, lines, count)
        for path, data in self._after.texts.items():
            past = self._before.learnings.get(path)
            text = decode(self._before.texts.get(path, b""))
            count = _count_lines(past.lines if past else split_lines(text))
            for section in target_of(path, data).sections:
                place = FilePlace(path, section.line)
                added += _with_added_lines(place, section.title, section.lines, count)
        return added

    @cached_property
    def _texts(self) -> Texts:
        return Texts(added.text for added in self._sections)

    def cover_of(self, entry: Entry, *, enough: float) -> Cover | None:
        """Return the section that covers an entry best, None if none shares anything.

        Template text does not count if it would be enough. An entry that was merged from others is
        covered by all sections together: it may have become several entries again, as after a
        reverted consolidation.
        """
        text = f"{entry.title}\n{content_of(entry)}"
        best = self._texts.best_of_text(text)
        if best is not None and best.score >= enough:
            best = self._texts.best_of_text(text, self._shared)
        if best is None:
            return None
        whole = self._whole(text, self._sections) if is_consolidated(entry) else None
        place, best = self._sections[best.text_index].place, whole or best
        return Cover(place, best.score, best.new_words)

    def cover_elsewhere(self, entry: Entry, place: FilePlace) -> Cover | None:
        """Return the cover of an entry by all sections together, except the one at a place."""
        sections = [added for added in self._sections if added.place != place]
        covered = self._whole(content_of(entry), sections)
        return Cover(sections[0].place, covered.score, covered.new_words) if covered else None

    def _whole(self, text: str, sections: Sequence[_AddedLines]) -> Covered | None:
        together = Texts(["\n".join(added.text for added in sections)])
        return together.best_of_text(text, self._shared)

    @cached_property
    def _shared(self) -> frozenset[Pair]:
        """The word pairs that several entries had: template text, which covers none of them."""
        entries = (e for document in self._before.learnings.values() for e in document.entries)
        texts = (f"{entry.title}\n{content_of(entry)}" for entry in entries)
        counts = Counter(pair for text in texts for pair in pairs_of(text))
        return frozenset(pair for pair, count in counts.items() if count > 1)

    def altered_copy(self, entry: Entry) -> Altered | None:
        """Return the added section that is an altered copy of an entry, with the differences.

        It keeps COPIED of the words but changes a number, negation, name or the like. A condensed
        text instead drops words, or rephrases everything.
        """
        best = self._texts.best(entry)
        if best is None:
            return None
        section = self._sections[best.text_index]
        wording = wording_of((f"{section.title}\n", *section.lines))
        original = wording_of((f"{entry.title}\n", *entry.lines[1:]))
        changes = word_changes(original, wording)
        kept = Counter(token.plain for token in wording)
        words = Counter(token.plain for token in original)
        share = sum((words & kept).values()) / max(1, sum(words.values()))
        is_altered = any(change.matters and not change.is_addition for change in changes)
        return Altered(section.place, changes) if share >= COPIED and is_altered else None


COPIED = 0.8
"""The share of an entry's words from which added text is a copy. Chosen, not measured."""


def _with_added_lines(
    place: FilePlace, title: str, lines: Iterable[str], known: Counter[str]
) -> Iterator[_AddedLines]:
    """Yield the lines missing from the known ones, which are counted down; or nothing."""
    added = []
    for line in lines:
        text = chomp(line).strip()
        if text and known[text] > 0:
            known[text] -= 1
        elif text:
            added.append(line)
    if added:
        yield _AddedLines(place, title, tuple(added))


def _count_lines(lines: Iterable[str]) -> Counter[str]:
    return Counter(chomp(line).strip() for line in lines)
