"""Pairs of entries in which the newer one supersedes the older one.

Marks in the entries say so, or their titles and corrections. `Order` tells which entry is newer.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from learnings.consolidation.checks.precheck import (
    DROP,
    ESCALATE,
    SUPERSESSION,
    Against,
    Precheck,
    listed,
)
from learnings.consolidation.checks.sentences import (
    SHARED_TITLE_WORDS,
    Sentence,
    TitleWords,
    correction_of,
    cues_of,
    denied_in,
    denies,
    is_rule,
    sentences_of_entry,
    shared_title_part,
    title_words,
)
from learnings.consolidation.text.sections import content_of
from learnings.core.entries.document import Entry
from learnings.core.entries.rewriting import is_newest_first
from learnings.core.patterns import lazy_pattern

_DAY = len("2026-01-02")
BY_STATED, BY_GIT, BY_POSITION = "stated dates", "git dates", "place in the file"


class Order:
    """The order of the entries of one file in time.

    dates are git's dates by identity, ISO text, None if an entry has none. The file's direction is
    that of most pairs of neighbouring stated dates; in doubt, newest last.
    """

    def __init__(self, entries: Sequence[Entry], dates: Mapping[str, str | None]) -> None:
        self._dates = dates
        self.newest_first = is_newest_first(entry.stated for entry in entries)

    def date_of(self, entry: Entry) -> str | None:
        """Return the day on which an entry was written, ISO, stated or else git's, or None."""
        date = entry.stated if len(entry.stated or "") >= _DAY else self._dates.get(entry.identity)
        return date[:_DAY] if date else None

    def newer(self, one: Entry, other: Entry) -> Newer:
        """Return the two entries in order of time, and the basis of that order."""
        stated = _compare_dates(one.stated, other.stated)
        dates = _compare_dates(self._dates.get(one.identity), self._dates.get(other.identity))
        basis = BY_STATED if stated else BY_GIT if dates else BY_POSITION
        later = (
            stated or dates or (-1 if (one.position > other.position) == self.newest_first else 1)
        )
        return Newer(one, other, basis) if later > 0 else Newer(other, one, basis)


class Newer(NamedTuple):
    """Two entries in order of time, and the basis of that order."""

    newer: Entry
    older: Entry
    basis: str


def _compare_dates(one: str | None, other: str | None) -> int:
    """Return 1, 0 or -1; dates of different precision compare by their common part."""
    if not one or not other:
        return 0
    length = min(len(one), len(other))
    return (one[:length] > other[:length]) - (one[:length] < other[:length])


# `~~Superseded …`, and the status of a decision record: `**Status**: Superseded by …`.
_SUPERSEDED = lazy_pattern(r"~~Superseded|[ \t>*+_-]*(?i:status[*_]*:[*_ \t]*superseded)\b")
# `Supersedes: <entry>` or `this replaces <entry>` in a line.
_SUPERSEDES = lazy_pattern(
    r"(?:.*\W)?(?:supersedes|replaces)\b[*_]*[ \t]*:?[*_]*[ \t]*(.+)$", re.IGNORECASE
)
# A day or month, which many entries may have; a timestamp or id belongs to one entry.
_DATE = lazy_pattern(r"\d{4}-\d{2}(?:-\d{2})?")
_SHORTEST_STAMP = len("2026-01")
_QUOTES = "\"'“”`.~*_ "


def _is_marked(entry: Entry) -> bool:
    """Return True if an entry says itself that it is superseded."""
    return any(_matches(entry, _SUPERSEDED))


def _matches(entry: Entry, pattern: re.Pattern[str]) -> Iterator[tuple[int, re.Match[str]]]:
    for number, line in enumerate(entry.lines[1:], start=entry.first + 1):
        match = pattern.match(line)
        if match:
            yield number, match


class _Names:
    """The names of the entries of a file: title, timestamp or id, in lower case."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._names = [
            (_folded(entry.title), _folded(entry.stamp or ""), entry) for entry in entries
        ]
        self._stamps = Counter(stamp for _, stamp, _ in self._names)

    def in_text(self, text: str) -> Iterator[Entry]:
        """Yield the entries that a text names, in file order.

        A one-word title or a date must be the whole text, and a date must belong to one entry only.
        """
        folded = _folded(text)
        bare = folded.strip(_QUOTES)
        for title, stamp, entry in self._names if bare else ():
            is_own = len(stamp) >= _SHORTEST_STAMP and not _DATE.fullmatch(stamp)
            in_part = (" " in title and title in folded) or (is_own and stamp in folded)
            if in_part or bare == title or (bare == stamp and self._stamps[stamp] == 1):
                yield entry


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


MAX_TITLES_WITH_WORD = 100
"""A word in more titles is skipped.

This bounds the time for a file of equal titles; chosen, not measured. In real memories no entry has
more than 2 others with a similar title, in a list of tasks 6.
"""


def superseded(entries: Sequence[Entry], order: Order) -> list[Precheck]:
    """Return the superseded entries of a file, each once, in file order.

    A superseded entry never counts as the newer one; the entry that supersedes it does. The score
    is the share of title keywords.
    """
    findings: dict[str, Precheck] = {}
    found = [*_marked(entries, order), *_alike(entries, order), *_taken_back(entries, order)]
    for finding in sorted(found, key=_rank):
        entry, newer = finding.entry, finding.against.entry
        # Of two entries that supersede each other, both would be gone.
        if entry.identity not in findings and _last(newer, findings) is not entry:
            findings[entry.identity] = finding
    return [
        finding._replace(against=_by(_last(finding.against.entry, findings)))
        for finding in sorted(findings.values(), key=lambda finding: finding.entry.position)
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
    """Yield a finding for each `~~Superseded …` in an older entry and `Supersedes: …` in a newer.

    The mark names the other entry by its title, timestamp or id. An entry that is marked as
    superseded supersedes none.
    """
    names = _Names(entries)
    for entry in entries:
        own = next(_matches(entry, _SUPERSEDED), None)
        if own:
            others = (o for o in names.in_text(own[1].string) if o is not entry)
            newer = next((other for other in others if not _is_marked(other)), None)
            evidence = (f"line {own[0]} marks it as superseded",)
            yield Precheck(SUPERSESSION, DROP, entry, _by(newer), 1.0, evidence)
            continue
        for number, match in _matches(entry, _SUPERSEDES):
            evidence = (f"line {number} says that it supersedes it",)
            for older in (o for o in names.in_text(match[1]) if o is not entry):
                action = DROP if order.newer(entry, older).newer is entry else ESCALATE
                yield Precheck(SUPERSESSION, action, older, _by(entry), 1.0, evidence)


def _alike(entries: Sequence[Entry], order: Order) -> Iterator[Precheck]:
    """Yield the older one of two entries on one subject if the newer one corrects it."""
    titles = {
        entry.identity: title_words(entry.title if entry.title.strip() else content_of(entry)[:80])
        for entry in entries
        if not _is_marked(entry)
    }
    for one, other in _with_shared_words(entries, titles):
        share = shared_title_part(titles[one.identity], titles[other.identity])
        if share <= SHARED_TITLE_WORDS:
            continue
        newer, older, basis = order.newer(one, other)
        title, old_title = titles[newer.identity], titles[older.identity]
        new, old = sentences_of_entry(newer), sentences_of_entry(older)
        quotes = correction_of(new, old)
        if quotes:
            # Unless it names a word that only the older title has, the newer text may be about
            # something else: `Cold starts of the image function`, and of the mail function.
            only_older = old_title.keys() - title.keys()
            is_named = not only_older or any(only_older & sentence.words for sentence in new)
            # The position in a file does not prove age, so the wrong entry could be dropped.
            action = DROP if is_named and basis != BY_POSITION else ESCALATE
            common = listed([word for key, word in title.items() if key in old_title])
            quoted = (sentence.quoted() for sentence in quotes)
            evidence = (f"titles share {common}", *quoted, f"newer by {basis}")
            yield Precheck(SUPERSESSION, action, older, _by(newer), round(share, 4), evidence)


RULE_SHARE, RULE_WORDS = 0.6, 3
"""Share and least number of a rule's keywords in the one sentence that takes it back.

Over everything at hand, these give four findings, all right (benchmarks/README.md, Pre-checks).
"""

_MOST_RULES = 6  # first sentences of an entry that may be its rule; chosen


def _taken_back(entries: Sequence[Entry], order: Order) -> Iterator[Precheck]:
    """Yield entries whose rule a sentence of a newer one takes back, in its own words.

    The dates have to tell which one is newer.
    """
    rules: dict[str, list[Sentence]] = {}
    by_word: dict[str, list[tuple[Entry, Sentence]]] = defaultdict(list)
    for entry in entries:
        if not _is_marked(entry):
            rules[entry.identity] = [*filter(is_rule, sentences_of_entry(entry)[:_MOST_RULES])]
            for rule in rules[entry.identity]:
                for word in rule.words:
                    by_word[word].append((entry, rule))
    sentences = (
        (entry, sentence)
        for entry in entries
        if entry.identity in rules
        for sentence in sentences_of_entry(entry)
        if is_rule(sentence) and cues_of(sentence.text)
    )
    for entry, sentence in sentences:
        telling = (word for word in sentence.words if len(by_word[word]) <= MAX_TITLES_WITH_WORD)
        shared = Counter(place for word in telling for place in by_word[word])
        for (older, rule), count in shared.items():
            is_title = rule.text == older.title
            least = len(rule.words) * (1 if is_title else RULE_SHARE)
            if older is entry or count < max(RULE_WORDS, least):
                continue
            newer, _, basis = order.newer(entry, older)
            agreed = denied_in(rules[older.identity])
            if newer is entry and basis != BY_POSITION and denies(sentence, rule, agreed):
                evidence = sentence.quoted(), rule.quoted(), f"newer by {basis}"
                share = round(count / len(rule.words), 4)
                yield Precheck(SUPERSESSION, DROP, older, _by(entry), share, evidence)


def _with_shared_words(
    entries: Sequence[Entry], titles: Mapping[str, TitleWords]
) -> Iterator[tuple[Entry, Entry]]:
    """Yield the pairs of entries whose titles have two words in common, in file order."""
    by_word: dict[str, list[int]] = defaultdict(list)
    for index, entry in enumerate(entries):
        for key in titles.get(entry.identity, ()):
            by_word[key].append(index)
    pairs = Counter(
        pair
        for indices in by_word.values()
        if len(indices) <= MAX_TITLES_WITH_WORD
        for pair in combinations(indices, 2)
    )
    for one, other in sorted(pair for pair, words in pairs.items() if words > 1):
        yield entries[one], entries[other]
