"""Pairs of entries in which the newer one supersedes the older one.

Marks in the entries say so, or their titles and corrections. `Order` tells which entry is newer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from learnings.consolidation.checks.precheck import (
    DROP,
    ESCALATE,
    SUPERSESSION,
    Against,
    Precheck,
    listed,
)
from learnings.consolidation.checks.sentences import (
    Sentence,
    cues_of,
    denied_in,
    denies,
    is_rule,
    sentences_of_entry,
    shared_part,
    title_words,
)
from learnings.consolidation.text.sections import content_of
from learnings.consolidation.text.similarity import WordIndex
from learnings.core.entries.document import Entry
from learnings.core.entries.rewriting import is_newest_first
from learnings.core.entries.titles import identity_key
from learnings.core.patterns import lazy_pattern

_DAY = len("2026-01-02")
BY_STATED, BY_GIT, BY_POSITION = "stated dates", "git dates", "place in the file"


class Order:
    """The entries of one file and their order in time.

    dates are git's dates by identity, ISO text, None if an entry has none. The file's direction is
    that of most pairs of neighbouring stated dates; in doubt, newest last.
    """

    def __init__(self, entries: Sequence[Entry], dates: Mapping[str, str | None]) -> None:
        self.entries = entries
        self._dates = dates
        self._newest_first = is_newest_first(entry.stated for entry in entries)

    def date_of(self, entry: Entry) -> str | None:
        """Return the day on which an entry was written, ISO, stated or else git's, or None."""
        date = entry.stated if len(entry.stated or "") >= _DAY else self._dates.get(entry.identity)
        return date[:_DAY] if date else None

    def newer(self, one: Entry, other: Entry) -> tuple[Entry, Entry, str]:
        """Return the newer one of two entries, the older one, and the basis of that order."""
        dates = (self._dates.get(entry.identity) for entry in (one, other))
        for basis, (date, its) in ((BY_STATED, (one.stated, other.stated)), (BY_GIT, dates)):
            # Dates of different precision compare by their common part.
            length = min(len(date or ""), len(its or ""))
            if date and its and date[:length] != its[:length]:
                pair = (one, other) if date[:length] > its[:length] else (other, one)
                return *pair, basis
        is_later = (one.position > other.position) != self._newest_first
        return *((one, other) if is_later else (other, one)), BY_POSITION


def superseded(order: Order) -> list[Precheck]:
    """Return the superseded entries of a file, each once, in file order.

    A superseded entry never counts as the newer one; the entry that supersedes it does. The score
    is the share of title keywords.
    """
    marks = {entry: next(_matches(entry, _SUPERSEDED), None) for entry in order.entries}
    unmarked = [entry for entry, mark in marks.items() if mark is None]
    found = [*_marked(order, marks), *_alike(order, unmarked), *_taken_back(order, unmarked)]
    findings: dict[str, Precheck] = {}

    def last(entry: Entry | None) -> Entry | None:
        """Return the end of a chain of newer entries."""
        while entry and entry.identity in findings:
            newer = findings[entry.identity].against.entry
            if newer is None:
                break
            entry = newer
        return entry

    for finding in sorted(found, key=lambda f: (f.action != DROP, not f.against.entry, -f.score)):
        # Of two entries that supersede each other, both would be gone.
        if finding.entry.identity not in findings and last(finding.against.entry) != finding.entry:
            findings[finding.entry.identity] = finding
    return [
        _finding(finding.action, finding.entry, last(finding.against.entry), *finding[4:6])
        for finding in sorted(findings.values(), key=lambda finding: finding.entry.position)
    ]


def _finding(
    action: str, older: Entry, newer: Entry | None, score: float, evidence: tuple[str, ...]
) -> Precheck:
    against = Against(newer, line=newer.first) if newer else Against()
    return Precheck(SUPERSESSION, action, older, against, score, evidence)


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


def _matches(entry: Entry, pattern: re.Pattern[str]) -> Iterator[tuple[int, re.Match[str]]]:
    below = 1 if entry.level else 0  # of an item or row, the first line is not just a title
    for number, line in enumerate(entry.lines[below:], start=entry.first + below):
        match = pattern.match(line)
        if match:
            yield number, match


def _marked(order: Order, marks: Mapping[Entry, tuple[int, object] | None]) -> Iterator[Precheck]:
    """Yield a finding for each `~~Superseded …` in an older entry and `Supersedes: …` in a newer.

    marks has the first such line of each entry. The mark names the other entry by its title,
    timestamp or id. An entry that is marked as superseded supersedes none.
    """
    names = [
        (entry, identity_key(None, entry.title), identity_key(None, entry.stamp or ""))
        for entry in order.entries
    ]
    stamps = Counter(stamp for _, _, stamp in names)

    def named(text: str, by: Entry) -> Iterator[Entry]:
        """Yield the entries other than the namer that a text names, in file order.

        A one-word title or a date must be the whole text, and a date must belong to one entry only.
        A short id is the first word of the text.
        """
        folded = identity_key(None, text)
        bare = folded.strip(_QUOTES)
        first = next(iter(bare.split()), "").strip("()[],.;:")
        for other, title, stamp in names if bare else ():
            is_own = len(stamp) >= _SHORTEST_STAMP and not _DATE.fullmatch(stamp)
            in_part = (" " in title and title in folded) or (is_own and stamp in folded)
            is_stamp = bare == stamp or (first == stamp and not _DATE.fullmatch(stamp))
            is_it = in_part or bare == title or (is_stamp and stamps[stamp] == 1)
            if is_it and other is not by:
                yield other

    for entry, mark in marks.items():
        if mark is not None:
            number = mark[0]
            line = entry.lines[number - entry.first]
            newer = next((other for other in named(line, entry) if marks[other] is None), None)
            evidence = (f"line {number} marks it as superseded",)
            yield _finding(DROP, entry, newer, 1.0, evidence)
            continue
        for number, match in _matches(entry, _SUPERSEDES):
            evidence = (f"line {number} says that it supersedes it",)
            for older in named(match[1], entry):
                action = DROP if order.newer(entry, older)[0] is entry else ESCALATE
                yield _finding(action, older, entry, 1.0, evidence)


MOST_WITH_WORD = 100
"""A word that more titles or rules have is skipped.

This bounds the time for a file of equal titles; chosen, not measured. In real memories no entry has
more than 2 others with a similar title, in a list of tasks 6.
"""

SHARED_TITLE_WORDS = 0.5
"""Share of keywords above which two titles have one subject.

The documented rule, measured in benchmarks/README.md, Pre-checks.
"""


def _alike(order: Order, entries: Sequence[Entry]) -> Iterator[Precheck]:
    """Yield the older one of two entries on one subject if the newer one corrects it."""
    titles = {
        entry.identity: title_words(entry.title if entry.title.strip() else content_of(entry)[:80])
        for entry in entries
    }
    index = WordIndex(titles.values(), MOST_WITH_WORD)
    for position, one in enumerate(entries):
        for other_position, count in index.sharing(titles[one.identity]):
            if other_position <= position or count == 1:
                continue
            newer, older, basis = order.newer(one, entries[other_position])
            title, old_title = titles[newer.identity], titles[older.identity]
            share = shared_part(title.keys(), old_title.keys())
            new = sentences_of_entry(newer)
            quotes = share > SHARED_TITLE_WORDS and correction_of(new, sentences_of_entry(older))
            if not quotes or (basis == BY_POSITION and newer.path):  # files have no order
                continue
            # Unless it names a word that only the older title has, the newer text may be about
            # something else: `Cold starts of the image function`, and of the mail function.
            only_older = old_title.keys() - title.keys()
            is_named = not only_older or any(only_older & sentence.words for sentence in new)
            # The position in a file does not prove age, so the wrong entry could be dropped.
            action = DROP if is_named and basis != BY_POSITION else ESCALATE
            common = listed([word for key, word in title.items() if key in old_title])
            quoted = (sentence.quoted() for sentence in quotes)
            evidence = (f"titles share {common}", *quoted, f"newer by {basis}")
            yield _finding(action, older, newer, round(share, 4), evidence)


LEAST_SHARED, SAME_MATTER = 2, 0.5
"""Least keywords that two sentences on one thing share, in number and as a share.

With 0.3 to 0.5 as the share, the same 8 of 10 entries of the development half of the made-up cases
are dropped, with 0.6 7 (benchmarks/README.md, Pre-checks).
"""


def correction_of(newer: Sequence[Sentence], older: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """Return a newer sentence and the older one that it corrects; empty if there is none.

    Of several pairs, return the one that shares most. The first sentence of a text is its title.
    The newer sentence must contain the older title as a whole, because a title may only name a
    subject.
    """
    agreed = denied_in(older)
    best: tuple[Sentence, ...] = ()
    most = LEAST_SHARED - 1
    for sentence in newer:
        for other in older if cues_of(sentence.text) else ():
            count, size = len(sentence.words & other.words), len(other.words)
            least = size if other is older[0] else SAME_MATTER * min(size, len(sentence.words))
            if count > most and count >= least and denies(sentence, other, agreed):
                best, most = (sentence, other), count
    return best


RULE_SHARE, RULE_WORDS = 0.6, 3
"""Share and least number of a rule's keywords in the one sentence that takes it back.

Over everything at hand, these give four findings, all right (benchmarks/README.md, Pre-checks).
"""

_MOST_RULES = 6  # first sentences of an entry that may be its rule; chosen


def _rules(entry: Entry) -> list[Sentence]:
    return [*filter(is_rule, sentences_of_entry(entry)[:_MOST_RULES])]


def _taken_back(order: Order, entries: Sequence[Entry]) -> Iterator[Precheck]:
    """Yield entries whose rule a sentence of a newer one takes back, in its own words.

    The dates have to tell which one is newer.
    """
    rules = [(entry, rule) for entry in entries for rule in _rules(entry)]
    index = WordIndex((rule.words for _, rule in rules), MOST_WITH_WORD)
    for entry in entries:
        for sentence in filter(is_rule, sentences_of_entry(entry)):
            for place, count in index.sharing(sentence.words) if cues_of(sentence.text) else ():
                older, rule = rules[place]
                least = len(rule.words) * (1 if rule.text == older.title else RULE_SHARE)
                if older is entry or count < max(RULE_WORDS, least):
                    continue
                newer, _, basis = order.newer(entry, older)
                is_newer = newer is entry and basis != BY_POSITION
                if is_newer and denies(sentence, rule, denied_in(_rules(older))):
                    evidence = sentence.quoted(), rule.quoted(), f"newer by {basis}"
                    share = round(count / len(rule.words), 4)
                    yield _finding(DROP, older, entry, share, evidence)
