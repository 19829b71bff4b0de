"""A version of a memory file as parts, paired with the parts of the common base.

An entry may have another key on a side because it was edited there, not replaced. A wrong pair
makes a conflict of two unrelated entries, a missed pair keeps both texts. The key of a list item is
its whole first line, so items are paired by more than the key.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from learnings.core.entries.document import Document, Entry
from learnings.core.entries.entry_changes import pair_by_body
from learnings.core.entries.layout import CATEGORY, ENTRY, PREAMBLE, TAIL
from learnings.core.entries.rewriting import deeper
from learnings.core.entries.titles import stated_date
from learnings.core.patterns import lazy_pattern
from learnings.core.text import BOM, chomp, newline_of

# A blank line or a `---`: a separator that belongs to neither entry. The one that ends a preamble
# belongs to the preamble.
_BETWEEN = lazy_pattern(r"\s*(?:-{3,}[ \t]*)?$")
_BLANK = lazy_pattern(r"\s*$")


class Part(NamedTuple):
    """A part of a file: its text, and the separator between it and the next part.

    kind is a kind of LineSpan. key is shared by parts that may be the same part, title names the
    part in messages, stated is the ISO date in an entry, else None. lines are the text and ending
    the blank lines and rules below it, both with their terminators. content is the text without
    them, so that comparisons ignore line ends.
    """

    kind: str
    key: str
    title: str
    stated: str | None
    lines: tuple[str, ...]
    content: tuple[str, ...]
    ending: tuple[str, ...]
    entry: Entry | None = None

    def is_same(self, other: Part | None) -> bool:
        """Return True for a part with the same text."""
        return other is not None and self.content == other.content

    def without_blanks(self) -> Part:
        """Return the part without trailing blanks, for comparison."""
        return self._replace(content=tuple(map(str.rstrip, self.content)))

    def is_restamped(self, other: Part | None) -> bool:
        """Return True if two entries differ only in their timestamp or id."""
        if self.entry is None or other is None or other.entry is None or not self.entry.level:
            return False
        titles = (entry.title.casefold() for entry in (self.entry, other.entry))
        return len({*titles}) == 1 and self.content[1:] == other.content[1:]


class PartedVersion(NamedTuple):
    """The parts of a version of a file; tail and preamble may have no lines.

    parts are the categories and entries, from top to bottom.
    """

    preamble: Part
    parts: tuple[Part, ...]
    tail: Part

    @property
    def all(self) -> tuple[Part, ...]:
        """The parts of the file, including an empty preamble."""
        return (self.preamble, *self.parts, *([self.tail] if self.tail.lines else []))


def version_of(document: Document, newline: str | None, level: int) -> PartedVersion:
    """Return the parts of a version without its byte order mark.

    newline is the terminator that the lines get, None to keep their own. level is the level that
    the headings of its entries get.
    """
    parts = []
    entries = iter(document.entries)
    by = level - document.dialect.level
    for span in document.spans:
        lines = document.lines[span.first - 1 : span.last]
        if span.first == 1 and lines:
            lines = tuple(filter(None, (lines[0].removeprefix(BOM), *lines[1:])))
        if newline is not None:
            # An unterminated line stays so.
            lines = tuple(line if chomp(line) == line else chomp(line) + newline for line in lines)
        entry = next(entries) if span.kind == ENTRY else None
        if entry is not None and by and entry.level:
            lines = deeper(lines, by)
            entry = entry._replace(lines=lines, level=entry.level + by)
        parts.append(_part(span.kind, lines, entry))
    tail = parts.pop() if parts[-1].kind == TAIL else _part(TAIL, (), None)
    return PartedVersion(parts[0], tuple(parts[1:]), tail)


def common_newline(document: Document, like: Document) -> str | None:
    """Return the terminator that a version's lines need beside those of another version.

    None if both have the same style, even a mixed one, or if the other version has no line end.
    """
    style = newline_of(like.text)
    has_style = any(line != chomp(line) for line in like.lines[:1])
    return style if has_style and newline_of(document.text) != style else None


def _part(kind: str, lines: Sequence[str], entry: Entry | None) -> Part:
    count = len(lines)
    is_ending = _BLANK if kind == PREAMBLE else _BETWEEN
    while count and is_ending.match(chomp(lines[count - 1])):
        count -= 1
    content = tuple(chomp(line) for line in lines[:count])
    if entry is not None:
        key, title = entry.key, entry.heading
    elif kind == CATEGORY:
        title = content[0].lstrip("# ") if content else ""
        key = " ".join(title.casefold().split())
    else:
        key, title = kind, f"the text {'above' if kind == PREAMBLE else 'below'} the entries"
    stated = entry.stated if entry else None
    text, ending = tuple(lines[:count]), tuple(lines[count:])
    return Part(kind, key, title, stated, text, content, ending, entry)


# Words from which two very similar texts are one, wherever they stand. Shorter texts, such as "Run
# it again.", can be similar by chance. Chosen, not measured.
_ENOUGH_WORDS = 12

# Characters of an ISO date without a time of day: of a month, and of a day.
_DAY_LENGTHS = (len("2026-01"), len("2026-01-20"))

PartPairs = dict[int, int]


def _add_reworded(pairs: PartPairs, base: Sequence[Part], side: Sequence[Part]) -> None:
    """Completes pairs of base and side indexes with the reworded entries."""
    _add_equal(pairs, base, side, _text_below)
    _add_equal(pairs, base, side, _title_of, fits=_is_restamped)
    for before, after in _same_stamps(base, side):
        if before not in pairs and after not in pairs.values():
            pairs[before] = after
    for run, region in list(_same_positions(pairs, base, side)):
        items = [_left(part, indexes) for part, indexes in ((base, run), (side, region))]
        _add_alike(pairs, *items, fits=lambda entry: not entry.level)
    old = _left(base, (index for index in range(len(base)) if index not in pairs))
    new = _left(side, set(range(len(side))) - set(pairs.values()))
    _add_alike(pairs, old, new, fits=lambda entry: len(entry.body.split()) >= _ENOUGH_WORDS)


def _text_below(part: Part) -> Hashable:
    """Return the text under the heading of an entry, None if there is none."""
    has_heading = part.entry is not None and part.entry.level > 0
    return part.content[1:] if has_heading and any(part.content[1:]) else None


def _title_of(part: Part) -> Hashable:
    return (part.entry.level > 0, part.entry.title.casefold()) if part.entry else None


def _same_stamps(base: Sequence[Part], side: Sequence[Part]) -> Iterator[tuple[int, int]]:
    """Yield pairs of indexes of entries whose stamp is unique in their version.

    A date without a time of day identifies no entry, because all entries of a day share it.
    """
    stamps = [_single((_naming_stamp(part), i) for i, part in enumerate(v)) for v in (base, side)]
    return ((stamps[0][stamp], stamps[1][stamp]) for stamp in stamps[0].keys() & stamps[1].keys())


def _naming_stamp(part: Part) -> str | None:
    stamp = part.entry.stamp if part.entry and part.entry.level else None
    is_day = stamp is not None and len(stated_date(stamp) or "") in _DAY_LENGTHS
    return None if stamp is None or is_day else stamp.casefold()


def _is_restamped(old: Part, new: Part) -> bool:
    """Return True if one of two entries has no stamp, or a prefix of the other's stamp.

    This happens if a file gets timestamps, or longer ones: `2026-01-20` and `2026-01-20-120000`.
    List items need no such stamp.
    """
    stamps = [part.entry.stamp or "" for part in (old, new) if part.entry and part.entry.level]
    return not stamps or stamps[0].startswith(stamps[1]) or stamps[1].startswith(stamps[0])


def _add_equal(
    pairs: PartPairs,
    base: Sequence[Part],
    side: Sequence[Part],
    key: Callable[[Part], Hashable],
    *,
    fits: Callable[[Part, Part], bool] = lambda _old, _new: True,
) -> None:
    """Add the pairs of fitting parts with the same key that no other remaining part has."""
    used = set(pairs.values())
    old, new = (
        _single((key(part), index) for index, part in enumerate(parts) if index not in done)
        for parts, done in ((base, pairs), (side, used))
    )
    for value in old.keys() & new.keys():
        if fits(base[old[value]], side[new[value]]):
            pairs[old[value]] = new[value]


def _single(keys: Iterable[tuple[Hashable, int]]) -> dict[Hashable, int]:
    """Return the index by key, for keys that occur once."""
    indexes: dict[Hashable, int | None] = {}
    for key, index in keys:
        indexes[key] = None if key in indexes else index
    return {key: index for key, index in indexes.items() if key is not None and index is not None}


def _same_positions(
    pairs: PartPairs, base: Sequence[Part], side: Sequence[Part]
) -> Iterator[tuple[range, range]]:
    """Yield the remaining indexes in base and side between the same two parts."""
    bounds = [(-1, -1), *sorted(pairs.items()), (len(base), len(side))]
    used = set(pairs.values())
    for (old_above, new_above), (old_below, new_below) in pairwise(bounds):
        region = range(new_above + 1, new_below)
        if old_below - old_above > 1 and region and not used.intersection(region):
            yield range(old_above + 1, old_below), region


def _left(parts: Sequence[Part], indexes: Iterable[int]) -> list[tuple[int, Entry]]:
    """Return the entries among some parts for comparison: without heading, items whole."""
    entries = ((index, parts[index].entry) for index in sorted(indexes))
    return [
        (index, entry if entry.level else entry._replace(lines=("", *entry.lines)))
        for index, entry in entries
        if entry is not None
    ]


def _add_alike(
    pairs: PartPairs,
    old: Sequence[tuple[int, Entry]],
    new: Sequence[tuple[int, Entry]],
    *,
    fits: Callable[[Entry], bool],
) -> None:
    """Add the pairs of similar entries among the fitting ones."""
    old_indexes, new_indexes = (
        {entry: index for index, entry in entries if fits(entry)} for entries in (old, new)
    )
    for before, after in pair_by_body(list(old_indexes), list(new_indexes)):
        pairs[old_indexes[before]] = new_indexes[after]


class Aligned(NamedTuple):
    """The numbered parts of three versions, each in the order of its file.

    A number means the same part in all versions, whatever its heading and position.
    """

    base: Mapping[int, Part]
    ours: Mapping[int, Part]
    theirs: Mapping[int, Part]


def align(base: Sequence[Part], ours: Sequence[Part], theirs: Sequence[Part]) -> Aligned:
    """Number the parts of three versions."""
    sides = (ours, theirs), (theirs, ours)
    from_base = [_numbers_of_parts(base, side, other) for side, other in sides]
    known = [*base, *ours]
    our_numbers = [from_base[0].get(i, len(base) + i) for i in range(len(ours))]
    new: defaultdict[tuple[object, ...], list[int]] = defaultdict(list)
    for number, part in zip(our_numbers, ours, strict=True):
        if number >= len(base):
            new[part.kind, part.key, part.content].append(number)
    their_numbers = []
    for index, part in enumerate(theirs):
        both_new = () if index in from_base[1] else new[part.kind, part.key, part.content]
        number = both_new.pop(0) if both_new else len(known) + index
        their_numbers.append(from_base[1].get(index, number))
    return Aligned(
        dict(enumerate(base)),
        dict(zip(our_numbers, ours, strict=True)),
        dict(zip(their_numbers, theirs, strict=True)),
    )


def _numbers_of_parts(
    base: Sequence[Part], side: Sequence[Part], other: Sequence[Part]
) -> dict[int, int]:
    """Return the base index by side index, for the parts that both have.

    A text that the other side has word for word, and the base has not, is not a rewording.
    """
    pairs = dict(_same_keys(base, side))
    twins = {(part.kind, part.key, part.content) for part in other}
    paired = set(pairs.values())
    left = [
        index
        for index, part in enumerate(side)
        if index in paired or (part.kind, part.key, part.content) not in twins
    ]
    places = {index: place for place, index in enumerate(left)}
    found = {old: places[new] for old, new in pairs.items()}
    _add_reworded(found, base, [side[index] for index in left])
    return {left[place]: old for old, place in found.items()}


def _same_keys(base: Sequence[Part], side: Sequence[Part]) -> Iterator[tuple[int, int]]:
    """Yield pairs of indexes of parts with the same key.

    Of several parts with one key, those with the same text are paired first, the others in order.
    """
    groups: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for index, part in enumerate(side):
        groups[part.kind, part.key].append(index)
    left = []
    for index, part in enumerate(base):
        group = groups[part.kind, part.key]
        same = next((other for other in group if side[other].is_same(part)), None)
        if same is None:
            left.append(index)
        else:
            group.remove(same)
            yield index, same
    for index in left:
        group = groups[base[index].kind, base[index].key]
        if group:
            yield index, group.pop(0)
