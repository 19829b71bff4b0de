"""Pairs of entries of which the newer one supersedes the older one."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from learnings.consolidation.checks.marks import marks
from learnings.consolidation.checks.opposition import opposed
from learnings.consolidation.checks.order import BY_POSITION, Newer, Order
from learnings.consolidation.checks.statements import Statement, statements
from learnings.consolidation.text.bags import content_of
from learnings.consolidation.text.keywords import keywords, words
from learnings.core.entries.document import Entry

SHARED = 0.5
"""Two titles have one subject when more than this share of their keywords is the same: the rule as
it is documented, measured in benchmarks/README.md, Pre-checks."""

MAX_TITLES_WITH_WORD = 300
"""A word in more titles than that is skipped: a bound on time, chosen without a measurement."""

SURE, DOUBTFUL = "sure", "doubtful"

# Share of the title keywords from which a correction alone is sure; chosen over the development
# half of the made-up cases.
_SAME_MATTER = 0.6

# Words and phrases that correct something said before, in the languages memories are in.
_CORRECTIONS = re.compile(
    r"\b(?:no longer|not any ?more|actually|correction|corrected|turns? out|turned out|contrary to|"
    r"(?:was|were|is) wrong|mistaken(?:ly)?|revised|reverted|reversed|supersed\w+|obsolete|"
    r"outdated|out of date|replaced (?:by|with)|replaces|used to|formerly|previously|"
    r"changed (?:to|from)|moved (?:to|from)|switched (?:to|from)|since then|by now|"
    r"instead of|rather than|nao mais|ya no|nicht mehr|больше не|вместо)\b|不再|改为|改成|"
    r"而不是|已废弃|もはや|ではなく|لم يعد",
    re.IGNORECASE,
)


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
    titles = {entry.identity: _title_keys(entry) for entry in entries}
    for one, other in _with_shared_words(entries, titles):
        share = _share(titles[one.identity], titles[other.identity])
        if share <= SHARED:
            continue
        pair = order.newer(one, other)
        if not one.superseded and not other.superseded:
            yield from _superseded(pair, share, titles)


def _superseded(
    pair: Newer, share: float, titles: dict[str, dict[str, str]]
) -> Iterator[Superseded]:
    """Yield the older one of two entries on one subject if the newer one corrects or negates it."""
    new, old = _statements(pair.newer), _statements(pair.older)
    correction = _correction(pair.newer)
    against = opposed(new, old)
    if correction is None and against is None:
        return
    shared = titles[pair.newer.identity].keys() & titles[pair.older.identity].keys()
    common = [word for key, word in titles[pair.newer.identity].items() if key in shared]
    evidence = [f"titles share {', '.join(common)}"]
    if correction is not None:
        evidence.append(f"line {correction[0]} corrects: {correction[1]}")
    if against is not None:
        mine, theirs, _ = against
        evidence.append(f"line {mine.line}: {mine.text} ↔ line {theirs.line}: {theirs.text}")
    evidence.append(f"newer by {pair.basis}")
    sure = against is not None or share > _SAME_MATTER
    # The position in a file does not prove age: the wrong one of the two would be dropped.
    certainty = SURE if sure and pair.basis != BY_POSITION else DOUBTFUL
    yield Superseded(pair.older, pair.newer, share, certainty, tuple(evidence))


def _correction(entry: Entry) -> tuple[int, str] | None:
    for number, line in enumerate(entry.lines, start=entry.first):
        match = _CORRECTIONS.search(line)
        if match is not None:
            return number, match[0]
    return None


def _statements(entry: Entry) -> tuple[Statement, ...]:
    return statements(entry.lines, entry.first)


def _title_keys(entry: Entry) -> dict[str, str]:
    """Return the keywords of a title, an identifier as one, each with the word as written.

    Parts of identifiers would make `build-cache-key` and `build-cache-dir` one subject.
    """
    title = entry.title if entry.title.strip() else content_of(entry)[:80]
    keys = (("-".join(part.key for part in keywords(word)), word) for word in words(title))
    return {key: word for key, word in keys if key}


def _share(one: dict[str, str], other: dict[str, str]) -> float:
    if not one or not other:
        return 0.0
    return len(one.keys() & other.keys()) / max(min(len(one), len(other)), 2)


def _with_shared_words(
    entries: Sequence[Entry], titles: dict[str, dict[str, str]]
) -> Iterator[tuple[Entry, Entry]]:
    """Yield the pairs of entries whose titles have two words in common, in file order."""
    by_word: dict[str, list[int]] = defaultdict(list)
    for index, entry in enumerate(entries):
        for key in titles[entry.identity]:
            by_word[key].append(index)
    common: dict[tuple[int, int], int] = defaultdict(int)
    for indices in by_word.values():
        if len(indices) > MAX_TITLES_WITH_WORD:
            continue
        for pair in combinations(indices, 2):
            common[pair] += 1
    for one, other in sorted(pair for pair, count in common.items() if count > 1):
        yield entries[one], entries[other]
