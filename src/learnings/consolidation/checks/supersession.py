"""Pairs of entries of which the newer one supersedes the older one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import combinations

from learnings.consolidation.checks.corrections import correction_of, perhaps_corrected
from learnings.consolidation.checks.marks import is_marked, marks
from learnings.consolidation.checks.order import BY_POSITION, Order
from learnings.consolidation.checks.precheck import (
    DROP,
    ESCALATE,
    SUPERSESSION,
    Against,
    Precheck,
    listed,
)
from learnings.consolidation.checks.sentences import Sentence, sentences_of_entry
from learnings.consolidation.checks.titles import SHARED, Words, shared_part, title_words
from learnings.consolidation.text.bags import content_of
from learnings.core.entries.document import Entry

MAX_TITLES_WITH_WORD = 300
"""A word in more titles than that is skipped: a bound on time, chosen without a measurement."""

MOST_ALIKE = 5
"""Entries with a like title that an entry is compared with, the next ones in the file: a bound on
time for a file of equal titles. In real memories no entry has more than 2, in a list of tasks 6."""


def superseded(entries: Sequence[Entry], order: Order) -> list[Precheck]:
    """Return the entries of a file that another one supersedes, each once, in file order.

    An entry that is superseded itself is never taken for the newer one: what supersedes it is. The
    score is the share of title keywords.
    """
    findings: dict[str, Precheck] = {}
    for finding in sorted([*_marked(entries, order), *_alike(entries, order)], key=_rank):
        entry, newer = finding.entry, finding.against.entry
        # Of two that supersede each other both would be gone.
        if entry.identity not in findings and _last(newer, findings) is not entry:
            findings[entry.identity] = finding
    return [
        finding._replace(against=_by(_last(finding.against.entry, findings)))
        for finding in sorted(findings.values(), key=lambda finding: finding.entry.first)
    ]


def _by(newer: Entry | None) -> Against:
    return Against(newer, line=newer.first) if newer else Against()


def _rank(finding: Precheck) -> tuple[bool, bool, float]:
    return finding.action != DROP, finding.against.entry is None, -finding.score


def _last(entry: Entry | None, findings: Mapping[str, Precheck]) -> Entry | None:
    """Return the end of a chain of newer entries."""
    while entry is not None and entry.identity in findings:
        newer = findings[entry.identity].against.entry
        if newer is None:
            break
        entry = newer
    return entry


def _marked(entries: Sequence[Entry], order: Order) -> Iterator[Precheck]:
    for older, newer, line, is_own in marks(entries):
        sure = newer is None or is_own or order.newer(newer, older).newer is newer
        says = "marks it as superseded" if is_own else "says that it supersedes it"
        evidence = (f"line {line} {says}",)
        yield Precheck(SUPERSESSION, DROP if sure else ESCALATE, older, _by(newer), 1.0, evidence)


def _alike(entries: Sequence[Entry], order: Order) -> Iterator[Precheck]:
    """Yield the older one of two entries on one subject if the newer one takes it back."""
    titles = {entry.identity: _title_words(entry) for entry in entries if not is_marked(entry)}
    compared: Counter[str] = Counter()
    for one, other in _with_shared_words(entries, titles):
        share = shared_part(titles[one.identity], titles[other.identity])
        if share <= SHARED or compared[one.identity] == MOST_ALIKE:
            continue
        compared[one.identity] += 1
        newer, older, basis = order.newer(one, other)
        title, old_title = titles[newer.identity], titles[older.identity]
        new, old = sentences_of_entry(newer), sentences_of_entry(older)
        correction = correction_of(new, old)
        quotes = correction or perhaps_corrected(new, old)
        if quotes:
            # The position in a file does not prove age: the wrong one would be dropped.
            sure = correction and _is_named(old_title.keys() - title.keys(), new)
            action = DROP if sure and basis != BY_POSITION else ESCALATE
            common = listed([word for key, word in title.items() if key in old_title])
            quoted = (sentence.quoted() for sentence in quotes)
            evidence = (f"titles share {common}", *quoted, f"newer by {basis}")
            yield Precheck(SUPERSESSION, action, older, _by(newer), round(share, 4), evidence)


def _is_named(only_older: AbstractSet[str], newer: Sequence[Sentence]) -> bool:
    """Return True if a newer text names one of the words that only the title of the older has.

    Else it may be about something else: `Cold starts of the image function`, and of the mail
    function.
    """
    return not only_older or any(only_older & sentence.words for sentence in newer)


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
