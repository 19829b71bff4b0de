"""Pairs of entries of which the newer one supersedes the older one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import combinations
from typing import NamedTuple

from learnings.consolidation.checks.corrections import correction_of, perhaps_corrected
from learnings.consolidation.checks.evidence import listed, quoted
from learnings.consolidation.checks.marks import is_marked, marks
from learnings.consolidation.checks.order import BY_POSITION, Order
from learnings.consolidation.checks.sentences import Sentence, sentences_of_entry
from learnings.consolidation.checks.titles import (
    SHARED,
    Words,
    common_words,
    shared_part,
    title_words,
)
from learnings.consolidation.text.bags import content_of
from learnings.core.entries.document import Entry

MAX_TITLES_WITH_WORD = 300
"""A word in more titles than that is skipped: a bound on time, chosen without a measurement."""

MOST_ALIKE = 5
"""Entries with a like title that an entry is compared with, the next ones in the file: a bound on
time for a file of equal titles. In real memories no entry has more than 2, in a list of tasks 6."""

SURE, DOUBTFUL = "sure", "doubtful"


class Superseded(NamedTuple):
    """An older entry that a newer one supersedes; score is the share of title keywords, 0 to 1.

    newer is None where the entry itself is marked as superseded and does not name by what.
    certainty is SURE or DOUBTFUL. evidence are short texts with words and lines.
    """

    older: Entry
    newer: Entry | None
    score: float
    certainty: str
    evidence: tuple[str, ...]


def superseded(entries: Sequence[Entry], order: Order) -> list[Superseded]:
    """Return the entries of a file that another one supersedes, each once, in file order.

    An entry that is superseded itself is never taken for the newer one: what supersedes it is.
    """
    candidates = [*_marked(entries, order), *_alike(entries, order)]
    pairs: dict[str, Superseded] = {}
    for pair in sorted(candidates, key=_rank):
        # Of two that supersede each other both would be gone.
        if pair.older.identity not in pairs and _last(pair.newer, pairs) is not pair.older:
            pairs[pair.older.identity] = pair
    return [
        pair._replace(newer=_last(pair.newer, pairs))
        for pair in sorted(pairs.values(), key=lambda pair: pair.older.first)
    ]


def _rank(pair: Superseded) -> tuple[bool, bool, float]:
    return pair.certainty != SURE, pair.newer is None, -pair.score


def _last(entry: Entry | None, pairs: Mapping[str, Superseded]) -> Entry | None:
    """Return the end of a chain of newer entries."""
    while entry is not None and entry.identity in pairs and pairs[entry.identity].newer is not None:
        entry = pairs[entry.identity].newer
    return entry


def _marked(entries: Sequence[Entry], order: Order) -> Iterator[Superseded]:
    for mark in marks(entries):
        older, newer, line = mark
        if newer is None or mark.is_own:
            evidence = f"line {line} marks it as superseded"
            yield Superseded(older, newer, 1.0, SURE, (evidence,))
        else:
            is_newer = order.newer(newer, older).newer is newer
            evidence = f"line {line} says that it supersedes it"
            certainty = SURE if is_newer else DOUBTFUL
            yield Superseded(older, newer, 1.0, certainty, (evidence,))


def _alike(entries: Sequence[Entry], order: Order) -> Iterator[Superseded]:
    """Yield the older one of two entries on one subject if the newer one takes it back."""
    titles = {entry.identity: _title_words(entry) for entry in entries if not is_marked(entry)}
    compared: Counter[str] = Counter()
    for one, other in _with_shared_words(entries, titles):
        share = shared_part(titles[one.identity], titles[other.identity])
        if share > SHARED and compared[one.identity] < MOST_ALIKE:
            compared[one.identity] += 1
            newer, older, basis = order.newer(one, other)
            title, old_title = titles[newer.identity], titles[older.identity]
            correction = _correction(newer, older, only_older=old_title.keys() - title.keys())
            if correction is not None:
                # The position in a file does not prove age: the wrong one would be dropped.
                certainty = correction.certainty if basis != BY_POSITION else DOUBTFUL
                common = listed(common_words(title, old_title))
                quotes = map(quoted, correction.sentences)
                evidence = (f"titles share {common}", *quotes, f"newer by {basis}")
                yield Superseded(older, newer, share, certainty, evidence)


class _Correction(NamedTuple):
    """How sure a correction is; the sentence that corrects and, where known, the corrected one."""

    certainty: str
    sentences: tuple[Sentence, ...]


def _correction(newer: Entry, older: Entry, *, only_older: AbstractSet[str]) -> _Correction | None:
    """Return what takes back an older entry; only_older are words of its title alone.

    Where the newer entry names none of them it may be about something else: `Cold starts of the
    image function`, and of the mail function.
    """
    new, old = sentences_of_entry(newer), sentences_of_entry(older)
    pair = correction_of(new, old)
    if pair is not None:
        is_named = not only_older or any(only_older & sentence.words for sentence in new)
        return _Correction(SURE if is_named else DOUBTFUL, pair)
    sentence = perhaps_corrected(new, old)
    return _Correction(DOUBTFUL, (sentence,)) if sentence else None


def _title_words(entry: Entry) -> Words:
    return title_words(entry.title if entry.title.strip() else content_of(entry)[:80])


def _with_shared_words(
    entries: Sequence[Entry], titles: Mapping[str, Words]
) -> Iterator[tuple[Entry, Entry]]:
    """Yield the pairs of entries whose titles have two words in common, in file order."""
    by_word: dict[str, list[int]] = defaultdict(list)
    for index, entry in enumerate(entries):
        for key in titles.get(entry.identity, ()):
            by_word[key].append(index)
    common: dict[tuple[int, int], int] = defaultdict(int)
    for indices in by_word.values():
        if len(indices) <= MAX_TITLES_WITH_WORD:
            for pair in combinations(indices, 2):
                common[pair] += 1
    for one, other in sorted(pair for pair, count in common.items() if count > 1):
        yield entries[one], entries[other]
