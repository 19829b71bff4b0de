"""Which words name a matter, and which say what is done with it or how it is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Sequence

from learnings.consolidation.groups.profiles import title_and_text
from learnings.consolidation.text.keywords import Keyword, keywords_of, words
from learnings.consolidation.text.scripts import is_unspaced
from learnings.core.entries.document import Entry

# English only; in other languages nothing but identifiers tells.
_BEFORE = """
to not never cannot can could may might must shall should will would do does did don't doesn't
didn't is are was were be been being isn't aren't it they we you who which always just
"""
_BEHIND = """
a an the this these those its your our their each every all any it them him us you
"""
_BEFORE_VERBS, _BEHIND_VERBS = frozenset(_BEFORE.split()), frozenset(_BEHIND.split())
_INFLECTED = re.compile("[a-z]{2,}(?:ing|ed|ly)")


def noun_shares(entries: Sequence[Entry], keys: Container[str]) -> dict[str, float]:
    """Return for each of the keys which share of its uses in entries may name something, 0 to 1.

    What is inflected as verbs are or stands where verbs do names nothing, nor does the first half
    of an identifier: `auto` in `auto-save`.
    """
    uses: Counter[str] = Counter()
    names: Counter[str] = Counter()
    for text in (text for entry in entries for text in title_and_text(entry)):
        for key, is_name in _uses(text, keys):
            uses[key] += 1
            names[key] += is_name
    return {key: (names[key] + 0.5) / (count + 1) for key, count in uses.items()}


def _uses(text: str, keys: Container[str]) -> Iterator[tuple[str, bool]]:
    row = words(text)
    for at, word in enumerate(row):
        parts = keywords_of(word)
        for part in parts:
            if part.key in keys:
                ends = part is parts[-1] and not _is_verb(part, row, at)
                yield part.key, ends or is_unspaced(part.word)


def _is_verb(keyword: Keyword, row: Sequence[str], at: int) -> bool:
    before = row[at - 1].casefold() if at else ""
    behind = row[at + 1].casefold() if at + 1 < len(row) else ""
    return before in _BEFORE_VERBS or behind in _BEHIND_VERBS or _inflected(keyword)


def _inflected(keyword: Keyword) -> bool:
    folded = keyword.word.casefold()
    return folded != keyword.key and _INFLECTED.fullmatch(folded) is not None
