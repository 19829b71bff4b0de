"""Statements of an entry that a target file denies."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from learnings.consolidation.checks.opposition import Opposition, opposed
from learnings.consolidation.checks.statements import Statement, statements
from learnings.consolidation.text.bags import bag_of_entry, bag_of_section
from learnings.consolidation.text.bm25 import Bm25
from learnings.consolidation.text.sections import Section
from learnings.core.entries.document import Entry

NEAREST = 3
"""Sections that an entry is compared with, the nearest ones by their words. Of 55 routed entries
0.95 belong to one of the first three files (benchmarks/README.md, Routes)."""


class Contradiction(NamedTuple):
    """A statement of an entry and one of a section that cannot both hold."""

    section: Section
    opposition: Opposition


class ContradictionIndex:
    """The sections of target files, ready for comparing entries with them."""

    def __init__(self, sections: Sequence[Section]) -> None:
        self._sections = sections
        self._statements: dict[int, tuple[Statement, ...]] = {}

    @cached_property
    def _index(self) -> Bm25:
        return Bm25([bag_of_section(section) for section in self._sections])

    def contradicting(self, entry: Entry) -> Contradiction | None:
        """Return the closest contradiction with the sections nearest to an entry, if any."""
        scores = self._index.scores(bag_of_entry(entry))
        nearest = sorted(scores, key=lambda index: (-scores[index], index))[:NEAREST]
        ours = statements(entry.lines, entry.first)
        contradictions = [
            Contradiction(self._sections[index], opposition)
            for index in nearest
            if (opposition := opposed(ours, self._statements_of(index), idf=self._index.idf))
        ]
        return max(contradictions, key=lambda c: c.opposition.score, default=None)

    def _statements_of(self, index: int) -> tuple[Statement, ...]:
        if index not in self._statements:
            section = self._sections[index]
            lines = (f"# {section.title}", *section.lines)
            self._statements[index] = statements(lines, section.first - 1)
        return self._statements[index]
