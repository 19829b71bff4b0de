"""Similar keys: which heading an orphan row may have meant."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from learnings.index.headings import Heading
from learnings.index.rows import Row

# Compare a key only with this many keys, those that share most groups of three characters with it.
# Among 1,565 titles of real memory files, the most similar one was among them for 89 of the 90 that
# have one above 0.75 in their file.
_MOST_COMPARED = 8
# Skip a group of characters that more keys share, because it says little. Chosen so that 2,000 keys
# take a second at most.
_TOO_COMMON = 100
# A comparison takes time quadratic in the length of a key, and a line may have megabytes. The
# longest of those titles has 250 characters.
_LONGEST_KEY = 300
# The least ratio of similar keys. 6 in 100 of those titles have another title in their file that is
# this similar, and in few such pairs both lack a row. A heading with one or two changed words is
# above it.
_NEAR_RATIO = 0.75


class NearKeys:
    """A set of non-empty keys that finds the keys similar to a given one."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._keys_with: defaultdict[str, list[str]] = defaultdict(list)
        for key in dict.fromkeys(keys):
            for group in _groups_of_three(key):
                self._keys_with[group].append(key)

    def near(self, key: str, *, ratio: float = _NEAR_RATIO) -> list[tuple[float, str]]:
        """Return difflib's ratio (at least `ratio`) and key of similar keys, most similar first.

        Keys with the same ratio keep their order.
        """
        from difflib import SequenceMatcher  # noqa: PLC0415  (slow, for similar keys only)

        matcher = SequenceMatcher(b=key[:_LONGEST_KEY], autojunk=False)
        ratios = []
        shared: Counter[str] = Counter()
        for group in _groups_of_three(key):
            keys = self._keys_with.get(group, ())
            if len(keys) <= _TOO_COMMON:
                shared.update(keys)
        for other, _ in shared.most_common(_MOST_COMPARED):
            matcher.set_seq1(other[:_LONGEST_KEY])
            if matcher.real_quick_ratio() >= ratio and matcher.quick_ratio() >= ratio:
                ratios.append((matcher.ratio(), other))
        return sorted((pair for pair in ratios if pair[0] >= ratio), key=lambda pair: -pair[0])


def _groups_of_three(key: str) -> Collection[str]:
    """Return the runs of three characters, with blanks around the key so that its ends count."""
    padded = f"  {key[:_LONGEST_KEY]}  "
    return dict.fromkeys(padded[start : start + 3] for start in range(len(padded) - 2))


class Candidate(NamedTuple):
    """An orphan row, or a note, and a similar heading without a row."""

    ratio: float
    row: Row
    heading: Heading


def candidates(
    rows: Mapping[str, Sequence[Row]], missing: Sequence[Heading]
) -> Iterator[Candidate]:
    """Yield the similar pairs; rows are given by the path of their file, empty for any file."""
    for path, rows_of_file in rows.items():
        by_key: defaultdict[str, list[Heading]] = defaultdict(list)
        for heading in missing if rows_of_file else ():
            if path in ("", heading.path):
                by_key[heading.key].append(heading)
        near_keys = NearKeys(by_key)
        for row in rows_of_file if by_key else ():
            for ratio, key in near_keys.near(row.keys[-1]):
                yield from (Candidate(ratio, row, heading) for heading in by_key[key])


def nearest(pairs: Sequence[Candidate]) -> Sequence[Candidate]:
    """Return pairs of which no two share a row or a heading, most similar first."""
    chosen, used = list[Candidate](), set[object]()
    for pair in sorted(pairs, key=lambda pair: (-pair.ratio, pair.row.line)):
        ends = {pair.row.line, pair.heading.location}
        if used.isdisjoint(ends):
            used |= ends
            chosen.append(pair)
    return chosen


def sole(pairs: Sequence[Candidate]) -> Iterator[Candidate]:
    """Yield the pairs whose row and heading have no other candidate."""
    of_row = Counter(pair.row.line for pair in pairs)
    of_heading = Counter(pair.heading.location for pair in pairs)
    for pair in pairs:
        if of_row[pair.row.line] == of_heading[pair.heading.location] == 1:
            yield pair
