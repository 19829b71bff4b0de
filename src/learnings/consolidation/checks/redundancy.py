"""Entries whose content a target file has already."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from learnings.consolidation.text.bags import content_of
from learnings.consolidation.text.coverage import Covered, Texts, texts_of
from learnings.consolidation.text.sections import Section
from learnings.core.entries.document import Entry

COVERED, PERHAPS = "covered", "perhaps"

LEAST_PAIRS = 6
"""Pairs of words that an entry needs for its share to mean much; below it is perhaps covered.
Chosen over the development half of the made-up cases (benchmarks/README.md, Pre-checks)."""

# A number on its own, with decimals, not part of a name, a version or a date.
_NUMBER = re.compile(r"(?<![\w.-])\d+(?:[.,]\d+)*(?![\w-]*-\d)")
# Words without which a rule says something else, though they are no keywords. Where the section
# lacks them 0 of 43 real entries and 1 of 25 made-up ones become a question, rightly or not.
_LIMIT = re.compile(
    r"\b(?:before|after|until|unless|except|only|antes|depois|exceto|до|после|кроме|только|قبل|بعد)\b"
    r"|之前|之后|除非|前に|後に",
    re.IGNORECASE,
)


class Redundancy(NamedTuple):
    """An entry and the section that covers it best.

    certainty is COVERED or PERHAPS. numbers are those that are in the entry and not in the section,
    limits the words such as `after` and `only`.
    """

    section: Section
    covered: Covered
    certainty: str
    numbers: tuple[str, ...]
    limits: tuple[str, ...]


class CoverageIndex:
    """The sections of the target files, ready for comparing entries with them.

    coverage and perhaps are shares of pairs of words, see prechecks.Thresholds.
    """

    def __init__(self, sections: Sequence[Section], *, coverage: float, perhaps: float) -> None:
        self._sections = sections
        self._texts: Texts = texts_of(sections)
        self._coverage = coverage
        self._perhaps = perhaps

    def covering(self, entry: Entry) -> Redundancy | None:
        """Return the section that covers an entry, None where none does, not even perhaps.

        An entry with a number or limit that the section lacks is perhaps covered at most: words
        that are the same around another value are how a correction looks.
        """
        covered = self._texts.best(entry)
        if covered is None or covered.score < self._perhaps:
            return None
        section = self._sections[covered.text_index]
        ours, theirs = content_of(entry), f"{section.title}\n{section.text}"
        numbers, limits = (_only_in(ours, theirs, pattern) for pattern in (_NUMBER, _LIMIT))
        enough = len(covered.shared) + len(covered.missing) >= LEAST_PAIRS
        sure = covered.score >= self._coverage and enough and not numbers and not limits
        return Redundancy(section, covered, COVERED if sure else PERHAPS, numbers, limits)


def _only_in(text: str, other: str, pattern: re.Pattern[str]) -> tuple[str, ...]:
    known = set(pattern.findall(other.lower()))
    return tuple(dict.fromkeys(n for n in pattern.findall(text.lower()) if n not in known))
