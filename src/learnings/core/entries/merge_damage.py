"""Detection of entries that a merge mixed or doubled, from the versions of the branches.

A merge that takes the lines of both sides (`merge=union`, or "accept both" in an editor) splits
entries at lines that two new entries share, such as the fields of a template. The shared lines
remain once and the different lines follow each other, so an entry ends up under the heading of
another one, or loses its last lines. No line is lost, which distinguishes the damage from an edit
by a person: every line of each entry is still there, in a piece that no branch had.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, pairwise
from typing import NamedTuple

from learnings.core.entries.document import Document, Entry
from learnings.core.entries.layout import CATEGORY
from learnings.core.entries.pairing import Text, text_of
from learnings.core.markdown.line_kinds import BULLET_MARKER, has_text
from learnings.core.patterns import lazy_pattern

MIXED = "lines of several entries"
BOTH_VERSIONS = "both versions of the same lines"
BARE_HEADING = "heading of an entry that one branch removed"
PART = "part of an entry that is also there as a whole"
COPY = "second copy"
EDITED_COPY = "second copy, one of them edited"

# A field of a form: `**Context:** text`, perhaps after a bullet. After a number it is a step. Group
# 1 is the label, group 2 the value.
FIELD = lazy_pattern(
    rf"[ \t]*(?:{BULLET_MARKER}[ \t]+)?(?:\*\*|__)?(\w[\w /-]{{0,30}})(?:\*\*:|__:|:\*\*|:__|:)(.*)"
)
# Minimum words for two equal list items to be one item twice: shorter ones, such as `Done`, may
# recur. Chosen, not measured.
_ENOUGH_WORDS = 6


class MergeDamage(NamedTuple):
    """Consecutive entries of a version that a merge has damaged.

    titles are the titles of the entries in the branches. restored has the texts that belong there
    instead, none for a copy or a part that can go, and is None if a person has to decide. twin is
    the other entry with that title, if any. commit is the merge, None for one in progress.
    """

    kind: str
    entries: Sequence[Entry]
    titles: tuple[str, ...]
    restored: tuple[Text, ...] | None
    twin: Entry | None = None
    commit: str | None = None


def still_in(document: Document, damages: Iterable[MergeDamage]) -> Iterator[MergeDamage]:
    """Yield the damage that a version of the file has, with the entries there."""
    texts, by_key = [*map(text_of, entries := document.entries)], _by_key(entries)
    for damage in damages:
        pieces = [*map(text_of, damage.entries)]
        begins = [n for n, text in enumerate(texts) if text == pieces[0]]
        begin = max((n for n in begins if texts[n : n + len(pieces)] == pieces), default=len(texts))
        places, key = entries[begin : begin + len(pieces)], damage.entries[0].key
        twin = next((entry for entry in by_key[key] if entry not in places), None)
        if places and _is_in_one(places) and (twin or damage.kind not in (PART, COPY, EDITED_COPY)):
            yield damage._replace(entries=places, twin=twin)


class Merge:
    """The result of a merge and its branches; base returns the version they come from, if any."""

    def __init__(
        self, merged: Document, parents: Sequence[Document], base: Callable[[], Document | None]
    ) -> None:
        self._document, self._base = merged, cache(base)
        self._there = _by_key(merged.entries)
        versions = [parent.read_as(merged.dialect).entries for parent in parents]
        self._theirs, self._sides = [*chain(*versions)], [*map(_by_key, versions)]
        # The numbers of the branches that have a text or a line.
        self._owners: defaultdict[object, set[int]] = defaultdict(set)
        for number, entries in enumerate(versions):
            for part in chain(*((text, *text) for text in map(text_of, entries))):
                self._owners[part].add(number)

    def _before(self, key: str) -> Text | None:
        """Return the text that the only entry with a key had before the branches."""
        base = self._base()
        older = base.read_as(self._document.dialect).entries if base else ()
        return _only([entry for entry in older if entry.key == key])

    def damage(self) -> Iterator[MergeDamage]:
        """Yield what the merge did to entries, with these entries of the result."""
        runs: list[list[Entry]] = []
        for entry in self._document.entries:
            kind = self._kind(entry)
            if kind == MIXED and runs and _is_in_one((runs[-1][-1], entry)):
                runs[-1].append(entry)
            elif kind == MIXED:
                runs.append([entry])
            elif kind is not None:
                yield MergeDamage(kind, (entry,), (entry.heading,), () if kind == PART else None)
        found = [self._mixed(run) for run in runs]
        unexplained = [run for run, damage in zip(runs, found, strict=True) if damage is None]
        if len(unexplained) > 1:
            # An entry may be spread over other, complete entries.
            first, last = unexplained[0][0].first, unexplained[-1][-1].first
            between = [one for one in self._document.entries if first <= one.first <= last]
            found.append(self._mixed(between))
        yield from filter(None, found)
        yield from self._doubled()

    def _kind(self, entry: Entry) -> str | None:
        """Return the kind of damage to an entry; MIXED if no branch has it and no other fits."""
        key, text = entry.key, text_of(entry)
        if text in self._owners:
            return None
        lines, twins = _lines(text).keys(), self._there[key]
        if any(lines < {*twin} and twin in self._owners for twin in map(text_of, twins)):
            return PART
        is_bare = len(text) == len(twins) == 1 and entry is not self._document.entries[-1]
        counts = {len(side[key]) for side in self._sides}
        if is_bare and counts == {0, 1} and self._before(key):
            return BARE_HEADING
        versions = {*filter(None, (_only(side[key]) for side in self._sides))}
        both = _lines(*versions).keys()
        if len(versions) < 2 or not lines <= both:
            return MIXED
        is_all = len(self._sides) == 2 and lines == both
        return BOTH_VERSIONS if is_all and _is_twice(text, self._before(key), *versions) else None

    def _mixed(self, run: Sequence[Entry]) -> MergeDamage | None:
        """Return the damage if a run of entries consists of several entries of the branches."""
        lines = _lines(*map(text_of, run))
        others = [e for e in self._document.entries if not run[0].first <= e.first <= run[-1].first]
        begin = sum(entry.first < run[0].first for entry in others)
        near = others[max(begin - 1, 0) : begin + 1]
        there, elsewhere = lines | _lines(*map(text_of, near)), {*map(text_of, others)}
        sources = {
            text: entry
            for entry in self._theirs
            if (text := text_of(entry))[0] in lines and text not in elsewhere
            if there.keys() >= _lines(text).keys()
        }
        whole = _lines(*sources)
        # Lines without a source, such as the heading of a removed entry.
        foreign = lines.keys() - whole.keys()
        if not sources or not _is_in_one(run) or not foreign <= self._owners.keys():
            return None  # written by a person during the merge
        lenders = [e for e in near if {*text_of(e)} & (whole.keys() - lines.keys())]
        parts = (*sources, *map(text_of, lenders), *foreign)
        if set.intersection(*(self._owners.get(part, set()) for part in parts)):
            return None  # all of it comes from one branch
        keys = Counter(entry.key for entry in sources.values())
        is_under_another = any(text_of(entry)[0] in foreign for entry in self._theirs)
        if len(keys) == 1 and not lenders and not is_under_another:
            return None  # one entry, edited by both
        is_clear = max(keys.values()) == 1 and keys.keys().isdisjoint(e.key for e in others)
        titles = [e.heading for e in (*sources.values(), *lenders, *(run if foreign else ()))]
        restored = tuple(sources) if is_clear and lines <= whole else None
        return MergeDamage(MIXED, run, tuple(dict.fromkeys(titles)), restored)

    def _doubled(self) -> Iterator[MergeDamage]:
        """Yield the entries that occur twice here but only once in each branch that has them."""
        for key, entries in self._there.items():
            if len(entries) == 1 or any(len(side[key]) > 1 for side in self._sides):
                continue
            texts, last = {*map(text_of, entries)}, entries[-1]
            if not texts <= self._owners.keys() or len({*map(self._category, entries)}) > 1:
                continue
            words = " ".join(text_of(last)).split()
            if len(texts) == 1 and (last.level or len(words) >= _ENOUGH_WORDS):
                yield MergeDamage(COPY, (last,), (last.heading,), ())
            elif len(texts) > 1 and last.level and self._before(key):
                yield MergeDamage(EDITED_COPY, (last,), (last.heading,), None)

    def _category(self, entry: Entry) -> str:
        """Return the heading above an entry, empty if there is none."""
        above = [s for s in self._document.spans if s.kind == CATEGORY and s.first < entry.first]
        return self._document.lines[above[-1].first - 1].strip() if above else ""


def _by_key(entries: Iterable[Entry]) -> defaultdict[str, list[Entry]]:
    found = defaultdict(list)
    for entry in entries:
        found[entry.key].append(entry)
    return found


def _only(entries: Sequence[Entry]) -> Text | None:
    return text_of(entries[0]) if len(entries) == 1 else None


def _is_in_one(entries: Sequence[Entry]) -> bool:
    """Return True if no other text stands between entries."""
    return all(above.last + 1 == below.first for above, below in pairwise(entries))


def _lines(*texts: Text) -> Counter[str]:
    """Count the lines with content: neither blank nor a rule."""
    return Counter(line for text in texts for line in text if has_text(line))


def _is_twice(text: Text, before: Text | None, *sides: Text) -> bool:
    """Return True if a text, which has all lines of both sides, has both versions of some lines.

    That is so if only one side replaced a line, since a merge would drop it, or if both wrote
    different text in its place. Without a version before, a field occurs more often than in each.
    """
    if before is None:
        counts = []
        for version in (text, *sides):
            # In a list, a label may recur.
            fields = [FIELD.match(line) for line in version if line[:2] in ("**", "__")]
            counts.append(Counter(field[1].casefold() for field in fields if field))
        return any(n > max(counts[1][label], counts[2][label]) for label, n in counts[0].items())
    from difflib import SequenceMatcher  # noqa: PLC0415  (for an entry that a merge has altered)

    replaced: list[dict[str, Text]] = []
    for side in sides:
        codes = SequenceMatcher(None, before, side, autojunk=False).get_opcodes()
        swaps = ((before[a:b], side[c:d]) for kind, a, b, c, d in codes if kind == "replace")
        replaced.append({line: new for old, new in swaps for line in _lines(old)})
    one, other = replaced
    kept = {*sides[0]} ^ {*sides[1]}
    is_other_text = any(one[line] != other[line] for line in one.keys() & other.keys())
    return is_other_text or not kept.isdisjoint(one | other)
