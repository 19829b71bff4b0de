"""Detection of entries that a merge mixed or doubled, from the versions of the branches.

A merge that takes the lines of both sides (`merge=union`, or "accept both" in an editor) splits
entries at lines that two new entries share, such as the fields of a template. The shared lines
remain once and the different lines follow each other, so an entry ends up under the heading of
another one, or loses its last lines. No line is lost, which distinguishes the damage from an edit
by a person: every line of each entry is still there, in a piece that no branch had.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Container, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from learnings.core.entries.document import Document, Entry
from learnings.core.entries.layout import CATEGORY, ENTRY
from learnings.core.markdown.line_kinds import is_ruler
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp

MIXED, DOUBLED, FRAGMENT, BOTH_VERSIONS = "mixed", "doubled", "fragment", "both versions"

# Minimum words for two equal list items to be one item twice: shorter ones, such as `Done`, may
# recur. Chosen, not measured.
_ENOUGH_WORDS = 6

# A form field at the left margin: group 1 is its label. In a list it may recur.
_FIELD = lazy_pattern(r"(?:\*\*|__)(\w[\w /-]{0,30})(?:\*\*:|__:|:\*\*|:__)")

Text = tuple[str, ...]
"""The lines of an entry without terminators, outer blanks and separators."""


class MergeDamage(NamedTuple):
    """A piece of a file that is damaged.

    pieces are the texts of its entries in file order; for a doubled entry, the text of the second
    copy. titles are the titles of the entries in the branches. restored holds these entries in
    order if the piece consists of nothing else. It is empty for a piece that can be removed (a
    copy, or part of an entry that is complete elsewhere), and None if a person has to decide.
    commit is the merge, None for one in progress.
    """

    kind: str
    pieces: tuple[Text, ...]
    titles: tuple[str, ...]
    restored: tuple[Text, ...] | None
    commit: str | None = None

    def places(self, document: Document) -> list[Entry]:
        """Return the entries of a version that form the damaged piece, empty if it is absent."""
        entries, count = document.entries, len(self.pieces)
        texts = [*map(text_of, entries)]
        found = [n for n in range(len(texts)) if tuple(texts[n : n + count]) == self.pieces]
        if not found:
            return []
        places = entries[found[-1] : found[-1] + count]
        is_single = sum(entry.key == places[0].key for entry in entries) == 1
        if (self.kind == DOUBLED and is_single) or not _is_in_one(places):
            return []
        return list(places)


def text_of(entry: Entry) -> Text:
    lines = [chomp(line).rstrip() for line in entry.lines]
    while lines and (not lines[-1] or is_ruler(lines[-1])):
        lines.pop()
    return tuple(lines)


def merge_damage(
    merged: Document, parents: Sequence[Document], base: Callable[[], Document | None]
) -> Iterator[MergeDamage]:
    """Yield the damage of a merge; base returns the version the branches come from, if any."""
    return _Result(merged, parents, base).damage()


class _Version:
    """A version of a file with the texts of its entries."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.entries = document.entries
        self.texts = [*map(text_of, document.entries)]
        self.counts = Counter(self.texts)

    @cached_property
    def keys(self) -> Counter[str]:
        return Counter({key: len(texts) for key, texts in self._by_key.items()})

    @cached_property
    def lines(self) -> set[str]:
        return {line for text in self.counts for line in text}

    @cached_property
    def first_lines(self) -> set[str]:
        return {text[0] for text in self.counts}

    @cached_property
    def categories(self) -> list[str]:
        """The heading above each entry, empty if there is none."""
        heading, headings = "", []
        for span in self.document.spans:
            if span.kind == CATEGORY:
                heading = self.document.lines[span.first - 1].strip()
            elif span.kind == ENTRY:
                headings.append(heading)
        return headings

    def text(self, key: str) -> Text | None:
        """Return the text of the only entry with a key; None if there is none, or several."""
        texts = self.texts_of(key)
        return texts[0] if len(texts) == 1 else None

    def texts_of(self, key: str) -> Sequence[Text]:
        return self._by_key.get(key, ())

    @cached_property
    def _by_key(self) -> dict[str, list[Text]]:
        texts: dict[str, list[Text]] = {}
        for entry, text in zip(self.entries, self.texts, strict=True):
            texts.setdefault(entry.key, []).append(text)
        return texts


class _Source(NamedTuple):
    """An entry of a branch; owners are the numbers of the branches that have it."""

    entry: Entry
    text: Text
    owners: frozenset[int]


class _Result(_Version):
    """The result of a merge, beside the branches and the version they come from, if any."""

    def __init__(
        self, merged: Document, parents: Sequence[Document], base: Callable[[], Document | None]
    ) -> None:
        super().__init__(merged)
        self.sides = [_Version(parent.read_as(merged.dialect)) for parent in parents]
        self._find_base = base

    @cached_property
    def base(self) -> _Version | None:
        document = self._find_base()
        return None if document is None else _Version(document.read_as(self.document.dialect))

    def _had_one(self, key: str) -> bool:
        """Return True if the version before both branches had exactly one entry with a key."""
        return self.base is not None and self.base.keys[key] == 1

    def damage(self) -> Iterator[MergeDamage]:
        known = {text for side in self.sides for text in side.counts}
        altered = []
        for number, text in enumerate(self.texts):
            if text in known:
                continue
            heading = self.entries[number].heading
            if self._is_fragment(number):
                yield MergeDamage(FRAGMENT, (text,), (heading,), ())
            elif self._is_bare_heading(number):
                yield MergeDamage(FRAGMENT, (text,), (heading,), None)
            elif not self._is_edited(number):
                altered.append(number)  # it may be mixed with others
            elif self._has_both_versions(number):
                yield MergeDamage(BOTH_VERSIONS, (text,), (heading,), None)
        yield from self._mixed_runs(altered)
        yield from self._doubled()

    def _mixed_runs(self, altered: Sequence[int]) -> Iterator[MergeDamage]:
        unexplained = []
        for run in _runs(self.entries, altered):
            damage = self._mixed(run)
            if damage is not None:
                yield damage
            else:
                unexplained.append(run)
        if len(unexplained) > 1:
            # An entry may be spread over other, complete entries.
            run = range(unexplained[0].start, unexplained[-1].stop)
            if _is_in_one(self.entries[run.start : run.stop]):
                damage = self._mixed(run)
                yield from [damage] if damage is not None else []

    def _mixed(self, run: range) -> MergeDamage | None:
        """Return the damage if a run consists of several entries of the branches."""
        pieces = tuple(self.texts[n] for n in run)
        lines = _lines(pieces)
        if not all(any(line in side.lines for side in self.sides) for line in lines):
            return None  # written by a person during the merge
        near = [self.texts[n] for n in (run.start - 1, run.stop) if 0 <= n < len(self.texts)]
        there = set(lines).union(*map(_said, near))
        sources = [
            source
            for source in self._sources(whole=set(pieces))
            if source.text[0] in lines and there.issuperset(_said(source.text))
        ]
        everything = _lines([source.text for source in sources])
        lenders = [text for text in near if (everything.keys() - lines.keys()).intersection(text)]
        others = lines.keys() - everything.keys()
        if not self._is_of_several_branches(sources, lenders, others):
            return None
        keys = Counter(source.entry.key for source in sources)
        elsewhere = self.keys - Counter(self.entries[n].key for n in run)
        is_clear = (
            max(keys.values()) == 1 and keys.keys().isdisjoint(elsewhere) and lines <= everything
        )
        restored = tuple(source.text for source in sources) if is_clear else None
        titles = dict.fromkeys(source.entry.heading for source in sources)
        titles |= dict.fromkeys(self.entries[n].heading for n in run if others)
        return MergeDamage(MIXED, pieces, tuple(titles), restored)

    def _sources(self, *, whole: Container[Text]) -> list[_Source]:
        """Return the branch entries that may be in a piece, in the order of the first branch.

        Entries that the result contains are left out, unless they are complete in that piece.
        """
        found: dict[Text, _Source] = {}
        for number, side in enumerate(self.sides):
            for entry, text in zip(side.entries, side.texts, strict=True):
                if text not in self.counts or text in whole:
                    owners = found[text].owners if text in found else frozenset()
                    found[text] = _Source(entry, text, owners | {number})
        return [*found.values()]

    def _is_of_several_branches(
        self, sources: Sequence[_Source], lenders: Sequence[Text], others: Collection[str]
    ) -> bool:
        """Return True if a piece has at least two entries that do not all come from one branch.

        lenders are the texts of neighbouring entries with lines the piece lacks; others are lines
        of the piece without a source, such as the heading of a removed entry.
        """
        keys = {source.entry.key for source in sources}
        is_under_another = any(not side.first_lines.isdisjoint(others) for side in self.sides)
        if not sources or not (len(keys) > 1 or lenders or is_under_another):
            return False
        return not any(
            all(number in source.owners for source in sources)
            and all(text in side.counts for text in lenders)
            and side.lines.issuperset(others)
            for number, side in enumerate(self.sides)
        )

    def _is_fragment(self, number: int) -> bool:
        """Return True for a part of an entry that is also there as a whole."""
        lines = set(_said(self.texts[number]))
        return any(
            lines < set(text) and any(text in side.counts for side in self.sides)
            for text in self.texts_of(self.entries[number].key)
        )

    def _is_bare_heading(self, number: int) -> bool:
        """Return True for the heading, without text, of an entry that one branch removed."""
        entry, text = self.entries[number], self.texts[number]
        if len(text) > 1 or self.keys[entry.key] > 1:
            return False
        counts = {side.keys[entry.key] for side in self.sides}
        is_last = entry.last >= len(self.document.lines)
        return counts == {0, 1} and not is_last and self._had_one(entry.key)

    def _is_edited(self, number: int) -> bool:
        """Return True if several branches have the entry and all its lines come from them."""
        texts = {side.text(self.entries[number].key) for side in self.sides} - {None}
        lines = {line for text in texts if text for line in _said(text)}
        return len(texts) > 1 and lines.issuperset(_said(self.texts[number]))

    def _has_both_versions(self, number: int) -> bool:
        """Return True if an entry contains both branches' versions of the same lines."""
        text, key = self.texts[number], self.entries[number].key
        texts = [side.text(key) for side in self.sides]
        if len(texts) != 2 or not texts[0] or not texts[1]:
            return False
        ours, theirs = texts[0], texts[1]
        if {*_said(text)} != {*_said(ours), *_said(theirs)}:
            return False
        if before := self.base and self.base.text(key):
            return _is_changed_twice(before, ours, theirs)
        fields = [Counter(_labels(one)) for one in (text, ours, theirs)]
        return any(
            count > max(side[label] for side in fields[1:]) for label, count in fields[0].items()
        )

    def _doubled(self) -> Iterator[MergeDamage]:
        """Yield the entries that occur twice here but only once in each branch that has them."""
        for key, count in self.keys.items():
            if count == 1 or any(side.keys[key] > 1 for side in self.sides):
                continue
            numbers = [n for n, entry in enumerate(self.entries) if entry.key == key]
            texts = [self.texts[n] for n in numbers]
            entry = self.entries[numbers[0]]
            is_one_place = len({self.categories[n] for n in numbers}) == 1
            are_known = all(any(text in side.counts for side in self.sides) for text in texts)
            if not is_one_place or not are_known:
                continue
            if len({*texts}) == 1:
                if entry.level or len(" ".join(texts[0]).split()) >= _ENOUGH_WORDS:
                    yield MergeDamage(DOUBLED, (texts[0],), (entry.heading,), ())
            elif entry.level and self._had_one(key):
                yield MergeDamage(DOUBLED, (texts[-1],), (entry.heading,), None)


def _runs(entries: Sequence[Entry], numbers: Sequence[int]) -> Iterator[range]:
    """Yield ranges of consecutive entries without other text between them."""
    begun = 0
    for index, number in enumerate(numbers):
        following = numbers[index + 1] if index + 1 < len(numbers) else None
        if following != number + 1 or entries[number].last + 1 != entries[following].first:
            yield range(numbers[begun], number + 1)
            begun = index + 1


def _is_in_one(entries: Sequence[Entry]) -> bool:
    return all(above.last + 1 == below.first for above, below in pairwise(entries))


def _said(text: Text) -> Iterator[str]:
    """Return the lines with content: neither blank nor a rule."""
    return (line for line in text if line.strip() and not is_ruler(line))


def _lines(texts: Sequence[Text]) -> Counter[str]:
    return Counter(line for text in texts for line in _said(text))


def _labels(text: Text) -> Iterator[str]:
    return (match[1].casefold() for match in map(_FIELD.match, text) if match)


def _is_changed_twice(before: Text, ours: Text, theirs: Text) -> bool:
    """Return True if both texts together have a line that one of them replaced.

    That is so if only one side replaced it, since a merge would drop it, or if both sides wrote
    different text in its place.
    """
    from difflib import SequenceMatcher  # noqa: PLC0415  (for an entry that a merge has altered)

    replaced = []
    for side in (ours, theirs):
        matcher = SequenceMatcher(None, before, side, autojunk=False)
        replaced.append(
            {
                line: side[low:high]
                for kind, start, end, low, high in matcher.get_opcodes()
                if kind == "replace"
                for line in range(start, end)
                if before[line]
            }
        )
    one, other = replaced
    if any(one[line] != other[line] for line in one.keys() & other.keys()):
        return True
    kept = {*ours} ^ {*theirs}
    return any(before[line] in kept for line in {**one, **other})
