"""Which words are used as nouns: only those can name a group."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Sequence

from learnings.consolidation.groups.profiles import title_and_text
from learnings.consolidation.text.keywords import Keyword, keywords_of, words
from learnings.consolidation.text.scripts import is_unspaced
from learnings.core.entries.document import Entry

# The words right before and after a verb. English only; in other languages all words but the first
# halves of identifiers count as nouns.
_BEFORE = """
to not never cannot can could may might must shall should will would do does did don't doesn't
didn't is are was were be been being isn't aren't it they we you who which always just
"""
_AFTER = """
a an the this these those its your our their each every all any it them him us you
"""
_BEFORE_VERBS, _AFTER_VERBS = frozenset(_BEFORE.split()), frozenset(_AFTER.split())
# English words that end as inflected verbs and adverbs do.
_INFLECTED = re.compile("[a-z]{2,}(?:ing|ed|ly)")


def noun_shares(entries: Sequence[Entry], keys: Container[str]) -> dict[str, float]:
    """Return for each of the keys the share of its uses in entries that may be nouns, 0 to 1.

    Not counted are words that are inflected as verbs are or stand where verbs do, and the first
    half of an identifier: `auto` in `auto-save`.
    """
    uses: Counter[str] = Counter()
    nouns: Counter[str] = Counter()
    for text in (text for entry in entries for text in title_and_text(entry)):
        for key, is_noun in _uses(text, keys):
            uses[key] += 1
            nouns[key] += is_noun
    return {key: (nouns[key] + 0.5) / (count + 1) for key, count in uses.items()}


def _uses(text: str, keys: Container[str]) -> Iterator[tuple[str, bool]]:
    row = words(text)
    for index, word in enumerate(row):
        parts = keywords_of(word)
        for part in parts:
            if part.key in keys:
                ends = part is parts[-1] and not _is_verb(part, row, index)
                yield part.key, ends or is_unspaced(part.word)


def _is_verb(keyword: Keyword, row: Sequence[str], index: int) -> bool:
    before = row[index - 1].casefold() if index else ""
    after = row[index + 1].casefold() if index + 1 < len(row) else ""
    return before in _BEFORE_VERBS or after in _AFTER_VERBS or _inflected(keyword)


def _inflected(keyword: Keyword) -> bool:
    folded = keyword.word.casefold()
    return folded != keyword.key and _INFLECTED.fullmatch(folded) is not None
