"""Keys of a memory index that are like one another, found without comparing each with each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher

# Of the keys that share groups of three characters with the one that is looked for, so many are
# compared with it: those that share most. Among 1,565 titles of real memory files the likest one
# was one of them for 89 of the 90 that have one above 0.75 in their file.
_COMPARED = 8
# A group of characters that more keys have says little about any of them; chosen, so that 2,000
# keys take a second at most.
_TOO_COMMON = 100
# Comparing takes the square of the length of a key, and a line may have megabytes. The longest of
# those titles has 250 characters.
_LONGEST = 300


class NearKeys:
    """Keys that can be asked for those that are like a given one; keys are not empty."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._keys_with: defaultdict[str, list[str]] = defaultdict(list)
        for key in dict.fromkeys(keys):
            for group in _groups_of_three(key):
                self._keys_with[group].append(key)

    def near(self, key: str, *, ratio: float) -> list[tuple[float, str]]:
        """Return the keys that are like the given one, each behind its ratio, the likest first.

        Ratios are those of difflib, from `ratio` to 1.0. Of keys with one ratio the one that was
        given earlier comes first.
        """
        matcher = SequenceMatcher(b=key[:_LONGEST], autojunk=False)
        ratios = []
        for other in self._candidates(key):
            matcher.set_seq1(other[:_LONGEST])
            if matcher.real_quick_ratio() >= ratio and matcher.quick_ratio() >= ratio:
                ratios.append((matcher.ratio(), other))
        return sorted((pair for pair in ratios if pair[0] >= ratio), key=lambda pair: -pair[0])

    def _candidates(self, key: str) -> Iterator[str]:
        shared: Counter[str] = Counter()
        for group in _groups_of_three(key):
            keys = self._keys_with.get(group, ())
            if len(keys) <= _TOO_COMMON:
                shared.update(keys)
        return (candidate for candidate, _ in shared.most_common(_COMPARED))


def _groups_of_three(key: str) -> set[str]:
    """Return the runs of three characters, with blanks around the key so that its ends count."""
    padded = f"  {key[:_LONGEST]}  "
    return {padded[start : start + 3] for start in range(len(padded) - 2)}
