"""The reasons for a proposed group: the shared words, and their lines."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from learnings.consolidation.groups.profiles import FEW_ENTRIES, Profile, title_and_text
from learnings.consolidation.text.keywords import LABEL_WORDS, keys, written_forms
from learnings.consolidation.text.languages import stem, whole_run
from learnings.core.entries.document import Entry

SHOWN, AT_LEAST = 5, 3
"""Most words shown with a group, as many as a reader takes in.

If there are so many, they are shown even if they are common.
"""

_OWN = 2  # words shown of each member, from the rule that two make a candidate
_COMMON, _EVERYWHERE = 5, 3  # a word in more than this share of entries says little
# All chosen by reading the proposals for the six passes at hand and for a history of 577 commits.


class Shared(NamedTuple):
    """A keyword that members of a group share, as they write it, and its lines.

    lines are the first lines that contain it, one for each member that has it, in their order.
    """

    word: str
    lines: tuple[int, ...]


class WordCounts(NamedTuple):
    """The number of entries of a file, and of their titles, that contain each keyword."""

    spread: Mapping[str, int]
    titles: Mapping[str, int]
    entries: int

    @classmethod
    def of(cls, profiles: Sequence[Profile]) -> WordCounts:
        """Count the words of some entries."""
        spread = Counter(key for profile in profiles for key in profile.words)
        return cls(spread, _titles(profiles), len(profiles))


def reasons(
    entries: Sequence[Entry], profiles: Sequence[Profile], words: WordCounts
) -> tuple[tuple[Shared, ...], list[tuple[str, ...]]]:
    """Return the words that best describe a group, and for each member its own of them.

    A member with fewer than two of the five also shows its own strongest words.
    """
    telling, others = _ranked(profiles, words)
    chosen = telling[:SHOWN] + others[: max(AT_LEAST - len(telling), 0)]
    own = [list(_own(profile, chosen, [*telling, *others])) for profile in profiles]
    texts = [text for entry in entries for text in title_and_text(entry)]
    written = {
        key: whole_run(form, texts)
        for key, form in written_forms(
            texts, {*chosen, *(key for member in own for key in member)}
        ).items()
    }
    return (
        tuple(_shared(chosen, written, entries)),
        [tuple(dict.fromkeys(written[key] for key in member)) for member in own],
    )


def _ranked(profiles: Sequence[Profile], words: WordCounts) -> tuple[list[str], list[str]]:
    """Return the keys of two or more members, first those that distinguish the group.

    The second list has the keys that say little on their own.
    """
    spread = Counter(key for profile in profiles for key in profile.discriminative)
    titles = _titles(profiles)
    strength = {
        key: count * (count + titles[key]) * math.log((words.entries + 1) / words.spread[key])
        for key, count in spread.items()
        if count > 1
    }
    ranked = sorted(strength, key=lambda key: (-strength[key], key))
    telling = [key for key in ranked if not _says_little(key, words, titles[key], len(profiles))]
    others = [key for key in ranked if key not in telling]
    return telling, sorted(others, key=_label_keys().__contains__)


def _says_little(key: str, words: WordCounts, titles: int, members: int) -> bool:
    """Return True if a word is all over its file, in no title of it, or elsewhere a label.

    A word in half of a group's titles is one of its subjects, unless a third of the file has it.
    """
    spread = words.spread[key] if words.entries >= FEW_ENTRIES else 0
    if _EVERYWHERE * spread > words.entries:
        return True
    if 2 * titles >= members:
        return False
    return _COMMON * spread > words.entries or key not in words.titles or key in _label_keys()


@cache
def _label_keys() -> frozenset[str]:
    return frozenset(map(stem, LABEL_WORDS))


def _titles(profiles: Sequence[Profile]) -> Counter[str]:
    """Return the number of titles that contain each key."""
    return Counter(key for profile in profiles for key in profile.title)


def _own(profile: Profile, chosen: Sequence[str], ranked: Sequence[str]) -> dict[str, None]:
    """Return the chosen keys that a member has, and its strongest."""
    own = [key for key in ranked if key in profile.discriminative]
    return dict.fromkeys((*(key for key in own if key in chosen), *own[:_OWN]))


def _shared(
    chosen: Sequence[str], written: Mapping[str, str], entries: Sequence[Entry]
) -> Iterator[Shared]:
    """Yield the keys with their lines; of several keys in one run, only the first."""
    first_lines = [_first_lines(entry) for entry in entries]
    seen = set[str]()
    for key in chosen:
        if written[key] not in seen:
            seen.add(written[key])
            yield Shared(written[key], tuple(n[key] for n in first_lines if key in n))


def _first_lines(entry: Entry) -> dict[str, int]:
    """Return the first line of an entry that has each of its keys."""
    lines: dict[str, int] = {}
    for number, line in enumerate(entry.lines, start=entry.first):
        for key in keys(line):
            lines.setdefault(key, number)
    return lines
