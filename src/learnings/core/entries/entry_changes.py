"""The changes between two versions of a file, entry by entry."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from learnings.core.entries.document import Document, Entry, Size
from learnings.core.entries.titles import NOT_IN_WORDS, TWIN_NUMBER
from learnings.core.text import BLANKS

ALIKE = 0.6
"""Minimum SequenceMatcher ratio at which two bodies under different headings are one entry.

With it, the dates of 8,926 entries in three real histories equal those of `git blame`.
"""

MAX_WORDS = 4000
"""Maximum words of a body to compare: more than entries have, to bound the time. Not measured."""

MAX_PAIRS = 250_000
"""Maximum pairs of a removed and an added entry to count words for, in old file order.

Enough for 500 entries that become 500 others; chosen to bound the time, not measured.
"""

MAX_COMPARISONS = 4000
"""Maximum full comparisons of two bodies in one change, the most promising first.

Some 60 rewritten entries among 60 new ones; chosen to bound the time, not measured.
"""

MAX_EQUAL_WORDS = 500_000
"""Maximum pairs of equal words of two bodies for which their order counts.

4,000 words of prose have a fifth of that, 1,500 times `- item` four times as many.
"""


class EntryChanges(NamedTuple):
    """Removed, added and retitled entries; retitled ones as pairs (old, new).

    hidden entries begin no entry any more, but their text is there: in an open fence or comment,
    at another heading level, behind an invisible character. Nobody removed them.
    """

    removed: tuple[Entry, ...]
    added: tuple[Entry, ...]
    reworded: tuple[tuple[Entry, Entry], ...]
    hidden: tuple[Entry, ...] = ()


def compare_entries(
    old: Document, new: Document, *, others: Sequence[Document] = ()
) -> EntryChanges:
    """Compare two versions by identity, reading each in both dialects.

    For a merge, `others` are the further parents: an entry that one of them had was not added.
    """
    now = new.by_identity.keys() | new.read_as(old.dialect).by_identity
    gone = [entry for entry in old.entries if entry.identity not in now]
    hidden = [*hidden_entries(gone, old, new)] if gone else []
    removed = [entry for entry in gone if entry not in hidden]
    before = (version.by_identity for version in (old, old.read_as(new.dialect), *others))
    known = {*chain.from_iterable(before)}
    added = [entry for entry in new.entries if entry.identity not in known]
    pairs: list[tuple[Entry, Entry]] = []
    for find in (_pair_rows, pair_by_body):
        pairs += find(removed, added) if removed and added else ()
        sides = [{entry.identity for entry in side} for side in zip(*pairs, strict=True)]
        paired, new_names = sides or ((), ())
        removed = [entry for entry in removed if entry.identity not in paired]
        added = [entry for entry in added if entry.identity not in new_names]
    return EntryChanges(tuple(removed), tuple(added), tuple(pairs), tuple(hidden))


def _pair_rows(removed: Iterable[Entry], added: Iterable[Entry]) -> Iterator[tuple[Entry, Entry]]:
    """Yield rows of a table of which one has all cells of the other: it gained or lost a column."""
    by_cell: dict[str, list[Entry]] = {}
    for new in added:
        for cell in _cells(new):
            by_cell.setdefault(cell, []).append(new)
    used: set[Entry] = set()
    for old in removed:
        cells = _cells(old)
        rows = sorted((by_cell.get(cell, []) for cell in cells), key=len)
        for new in chain.from_iterable(rows):
            others = _cells(new)
            if new not in used and len(cells & others) > 1 and cells & others in (cells, others):
                used.add(new)
                yield old, new
                break


@lru_cache(maxsize=1 << 10)
def _cells(row: Entry) -> frozenset[str]:
    line = row.lines[0].strip()
    cells = line.split("|") if line[:1] == "|" else ()
    return frozenset(filter(None, map(str.strip, cells)))


def hidden_entries(gone: Iterable[Entry], old: Document, new: Document) -> Iterator[Entry]:
    """Yield as many entries as there are more lines like their first ones that begin no entry.

    At another level or behind another mark, the text below must be alike: a merged entry can have a
    section for each entry that it replaces.
    """
    before, after = _line_numbers(old), _line_numbers(new)
    counts: Counter[ComparableLine] = Counter()
    for entry in gone:
        line = comparable_line(entry.lines[0])
        known, now = (side.get(line, _NOWHERE).hidden for side in (before, after))
        texts = (new.lines[number - 1 :][: len(entry.lines)] for number in now)
        if counts[line] < len(now) - len(known) and any(
            _mark_of(text[0]) == _mark_of(entry.lines[0])
            or is_alike(entry, entry._replace(lines=text))
            for text in texts
        ):
            counts[line] += 1
            yield entry


def _mark_of(line: str) -> str:
    text = line.lstrip(BLANKS)
    return text[: len(text) - len(text.lstrip("#"))]


def is_alike(old: Entry, new: Entry) -> bool:
    return old.body.split() == new.body.split() or any(pair_by_body((old,), (new,)))


def pair_by_body(removed: Sequence[Entry], added: Sequence[Entry]) -> Iterator[tuple[Entry, Entry]]:
    """Yield pairs (old, new) of an entry under two headings, the most similar bodies first."""
    # No other pair is more similar, and a change of all headings leaves most bodies alone.
    equal = {i: j for i, j in _equal_bodies(removed, added) if _word_counts(removed[i])}
    yield from ((removed[i], added[j]) for i, j in equal.items())
    removed = [entry for i, entry in enumerate(removed) if i not in equal]
    paired = {*equal.values()}
    added = [entry for j, entry in enumerate(added) if j not in paired]
    if not removed or not added:
        return
    from difflib import SequenceMatcher  # noqa: PLC0415  (where headings came and went at once)

    first = removed[: max(1, MAX_PAIRS // max(1, len(added)))]
    candidates = sorted(_body_candidates(first, added), key=lambda c: (-c[0], c[1], c[2]))
    scored = []
    for bound, i, j in candidates[:MAX_COMPARISONS]:
        old, new = (entry.body.split()[:MAX_WORDS] for entry in (removed[i], added[j]))
        counts, others = _word_counts(removed[i]), _word_counts(added[j])
        ratio = bound  # bodies with few different words would take minutes
        if sum(count * others[word] for word, count in counts.items()) <= MAX_EQUAL_WORDS:
            ratio = SequenceMatcher(None, old, new, autojunk=False).ratio()
        if ratio >= ALIKE:
            scored.append((-ratio, i, j))
    yield from ((removed[i], added[j]) for i, j in _best_first(scored).items())


def _best_first(scored: Iterable[tuple[float, int, int]]) -> dict[int, int]:
    """Return pairs of indexes, each in one pair, from the one with the least number on."""
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for _, one, other in sorted(scored):
        if one not in pairs and other not in taken:
            pairs[one] = other
            taken.add(other)
    return pairs


def _equal_bodies(old: Sequence[Entry], new: Sequence[Entry]) -> Iterator[tuple[int, int]]:
    """Yield the indexes of entries whose bodies have the same words, pairing first with first."""
    places: dict[str, deque[int]] = {}
    for j, entry in enumerate(new):
        places.setdefault(" ".join(entry.body.split()), deque()).append(j)
    for i, entry in enumerate(old):
        if left := places.get(" ".join(entry.body.split())):
            yield i, left.popleft()


def _body_candidates(
    removed: Sequence[Entry], added: Sequence[Entry]
) -> Iterator[tuple[float, int, int]]:
    """Yield (upper bound of the ratio, old index, new index) for sufficiently high bounds."""
    new_words = [(words, words.total()) for words in map(_word_counts, added)]
    for i, words in enumerate(map(_word_counts, removed)):
        total = words.total()
        for j, (other_words, other_total) in enumerate(new_words):
            enough = ALIKE * (total + other_total)
            if not enough or 2 * min(total, other_total) < enough:
                continue
            # quick_ratio() of difflib, with counts made only once per body.
            common = sum(min(words[w], other_words[w]) for w in words.keys() & other_words.keys())
            if 2 * common >= enough:
                yield 2 * common / (total + other_total), i, j


def _word_counts(entry: Entry) -> Counter[str]:
    """Count the words of a body; none without a letter or digit."""
    words = entry.body.split()[:MAX_WORDS]
    return Counter(words) if any(map(str.isalnum, "".join(words))) else Counter()


_ITEM_MARKS = "-*+"
# Enough for all different lines of a long history.
_REMEMBERED_LINES = 1 << 14


class ComparableLine(NamedTuple):
    """The parts of a line to compare: its mark, and its letters and digits."""

    mark: str
    letters: str


@lru_cache(maxsize=_REMEMBERED_LINES)
def comparable_line(line: str) -> ComparableLine:
    text = line.strip(BLANKS)
    mark = "#" if text.startswith("#") else "-" if text[:1] in _ITEM_MARKS else ""
    return ComparableLine(mark, NOT_IN_WORDS.sub("", text.casefold()) or text)


def counterpart(entry: Entry, new: Document, old: Document) -> Entry | None:
    """Return the older entry; twins pair by equal text, then similarity, then rank."""
    key = TWIN_NUMBER.sub("", entry.identity)
    second = f"{key} #2"
    if second not in new.by_identity and second not in old.by_identity:
        return old.by_identity.get(entry.identity)
    return _pairs_of_twins(new, old, key).get(entry.identity)


# All twins of two versions ask for the same result.
@lru_cache(maxsize=16)
def _pairs_of_twins(new: Document, old: Document, key: str) -> Mapping[str, Entry]:
    """Return the older entry by the identity of each newer entry with a key."""
    rest, left = (
        [twin for twin in document.entries if TWIN_NUMBER.sub("", twin.identity) == key]
        for document in (new, old)
    )
    pairs: dict[str, Entry] = {}
    for take in (_with_equal_bodies, pair_by_body, lambda *sides: zip(*sides, strict=False)):
        found = [*take(left, rest)]
        pairs |= {twin.identity: before for before, twin in found}
        known = {before.identity for before, _ in found}
        left = [before for before in left if before.identity not in known]
        rest = [twin for twin in rest if twin.identity not in pairs]
    return pairs


def _with_equal_bodies(old: Sequence[Entry], new: Sequence[Entry]) -> Iterator[tuple[Entry, Entry]]:
    return ((old[i], new[j]) for i, j in _equal_bodies(old, new))


def hidden_line(line: ComparableLine, new: Document, old: Document) -> int | None:
    """Return the line (1-based) of a version that begins an entry only elsewhere, or None."""
    before, after = _line_numbers(old).get(line), _line_numbers(new).get(line, _NOWHERE)
    if before is None:
        return None
    if (old.dialect.name, old.dialect.level) != (new.dialect.name, new.dialect.level):
        return before.all[0]
    if len(after.all) > len(after.hidden) >= len(before.hidden):
        return None
    return before.hidden[0] if before.hidden else None


class _LineNumbers(NamedTuple):
    """The numbers (1-based) of equal lines in a version, and the numbers that begin no entry."""

    all: list[int]
    hidden: list[int]


_NOWHERE = _LineNumbers([], [])


def hidden_starts(gone: Iterable[str], old: Document, new: Document | None) -> set[ComparableLine]:
    """Return the lines that began no entry in a version, perhaps one before, and are gone.

    new is None if the file is gone. Items of a file with headings as entries are text.
    """
    shown = {comparable_line(entry.lines[0]) for entry in old.entries}
    marks = "#" if any(entry.level for entry in old.entries) else "#-"
    lines = {*map(comparable_line, gone)} - shown
    lines -= _line_numbers(new).keys() if new else set()
    return {line for line in lines if line.mark and line.mark in marks}


# All entries sought in two versions ask for the same result.
@lru_cache(maxsize=16)
def _line_numbers(version: Document) -> Mapping[ComparableLine, _LineNumbers]:
    found: dict[ComparableLine, _LineNumbers] = {}
    for number, text in enumerate(version.lines, start=1):
        numbers = found.setdefault(comparable_line(text), _LineNumbers([], []))
        numbers.all.append(number)
        if number not in version.by_first_line:
            numbers.hidden.append(number)
    return found


def rewritten_pairs(changes: EntryChanges) -> dict[str, Entry]:
    """Return old entries by the identities of the new ones: similar titles first, then in order."""
    scored = (
        (-_title_similarity(old, new), j, i)
        for i, old in enumerate(changes.removed)
        for j, new in enumerate(changes.added)
    )
    pairs = _best_first(scored)
    return {changes.added[j].identity: changes.removed[i] for j, i in pairs.items()}


def _title_similarity(old: Entry, new: Entry) -> float:
    words, other_words = old.title.casefold().split(), new.title.casefold().split()
    if set(words).isdisjoint(other_words):
        return 0.0
    from difflib import SequenceMatcher  # noqa: PLC0415  (for ignored revisions only)

    return SequenceMatcher(None, words, other_words, autojunk=False).ratio()


class Delta(NamedTuple):
    """The size of a file before and after a change (None if new).

    limit is that of the size trigger; near has pairs of entries with similar bodies.
    """

    file: str
    before: Size | None
    after: Size
    limit: int
    near: tuple[tuple[Entry, Entry], ...] = ()


def delta(file: str, before: Document | None, after: Document, *, limit: int) -> Delta:
    """Compare a file before and after a change."""
    if before is None:
        return Delta(file, None, after.size, limit)
    changes = compare_entries(before, after)
    added = {entry.identity for entry in changes.added}
    stayed = [entry for entry in after.entries if entry.identity not in added]
    near = tuple(pair_by_body(stayed, changes.added)) if added else ()
    return Delta(file, before.size, after.size, limit, near)
