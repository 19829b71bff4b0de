"""Entries whose content a target file has already."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from learnings.consolidation.checks.precheck import (
    DROP,
    ESCALATE,
    REDUNDANCY,
    Against,
    Precheck,
    listed,
)
from learnings.consolidation.checks.sentences import (
    nearest_of,
    sentences_of_entry,
    sentences_of_section,
)
from learnings.consolidation.text.coverage import Covered, texts_of
from learnings.consolidation.text.sections import TargetSection, content_of
from learnings.core.entries.document import Entry
from learnings.core.patterns import lazy_pattern

LEAST_PAIRS = 6
"""Pairs of words that an entry needs for its share to mean much; below it is perhaps covered.
Chosen over the development half of the made-up cases (benchmarks/README.md, Pre-checks)."""

# A number on its own, with decimals, not part of a name, a version or a date.
_NUMBER = lazy_pattern(r"(?<![\w.-])\d++(?:[.,]\d++)*(?![\w-]*-\d)")
# Words without which a rule says something else, though they are no keywords. Where the section
# lacks them 0 of 43 real entries and 1 of 25 made-up ones become a question, rightly or not.
_LIMIT = lazy_pattern(
    r"\b(?:before|after|until|unless|except|only|antes|depois|exceto|до|после|кроме|только|قبل|بعد)\b"
    r"|之前|之后|除非|前に|後に",
    re.IGNORECASE,
)

_MISSING = {"numbers only in the entry": _NUMBER, "the section does not say": _LIMIT}


class Thresholds(NamedTuple):
    """Share of an entry's pairs of words from which a section covers it, or perhaps does.

    Precision and recall at both: benchmarks/README.md, Pre-checks. They are settings, too, since
    they depend on how targets are written.
    """

    coverage: float = 0.40
    perhaps: float = 0.15


class CoverageIndex:
    """The sections of the target files, ready for comparing entries with them."""

    def __init__(self, sections: Sequence[TargetSection], thresholds: Thresholds) -> None:
        self._sections = sections
        self._texts = texts_of(sections)
        self._thresholds = thresholds

    def covering(self, entry: Entry) -> Precheck | None:
        """Return the finding on the section that covers an entry best, None where none does.

        An entry with a number or limit that the section lacks is perhaps covered at most: words
        that are the same around another value are how a correction looks.
        """
        covered = self._texts.best(entry)
        if covered is None or covered.score < self._thresholds.perhaps:
            return None
        section = self._sections[covered.text_index]
        ours, theirs = content_of(entry), f"{section.title}\n{section.text}"
        missing = [
            f"{title}: {listed(words)}"
            for title, pattern in _MISSING.items()
            if (words := _only_in(ours, theirs, pattern))
        ]
        enough = len(covered.shared) + len(covered.missing) >= LEAST_PAIRS
        sure = covered.score >= self._thresholds.coverage and enough and not missing
        against = Against(None, section.path, section.title, section.line)
        evidence = (*_evidence(entry, section, covered), *missing)
        action = DROP if sure else ESCALATE
        return Precheck(REDUNDANCY, action, entry, against, round(covered.score, 4), evidence)


def _evidence(entry: Entry, section: TargetSection, covered: Covered) -> Iterator[str]:
    total = len(covered.shared) + len(covered.missing)
    pairs = f"{len(covered.shared)} of {total} word pairs"
    place = f"{section.path}:{section.line}-{section.last}"
    yield f"lines {entry.first}-{entry.last} in {place}: {pairs}"
    nearest = nearest_of(sentences_of_entry(entry), sentences_of_section(section))
    if nearest is not None:
        yield nearest[0].quoted()
        yield nearest[1].quoted(section.path)
    if covered.new_words:
        yield f"words only in the entry: {listed(covered.new_words)}"


def _only_in(text: str, other: str, pattern: re.Pattern[str]) -> tuple[str, ...]:
    known = set(pattern.findall(other.lower()))
    return tuple(dict.fromkeys(n for n in pattern.findall(text.lower()) if n not in known))
