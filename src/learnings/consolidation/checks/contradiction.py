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
"""Sections that an entry is held against: the nearest ones by their words."""


class Contradiction(NamedTuple):
    """A statement of an entry and one of a section that cannot both hold."""

    section: Section
    opposition: Opposition


class Sections:
    """Sections of target files that entries are held against."""

    def __init__(self, sections: Sequence[Section]) -> None:
        self._sections = sections
        self._statements: dict[int, tuple[Statement, ...]] = {}

    @cached_property
    def _index(self) -> Bm25:
        return Bm25([bag_of_section(section) for section in self._sections])

    def contradicting(self, entry: Entry) -> Contradiction | None:
        """Return the closest contradiction with the sections nearest to an entry."""
        scores = self._index.scores(bag_of_entry(entry))
        nearest = sorted(scores, key=lambda place: (-scores[place], place))[:NEAREST]
        ours = statements(entry.lines, entry.first)
        found = [
            Contradiction(self._sections[place], opposition)
            for place in nearest
            if (opposition := opposed(ours, self._of(place), idf=self._index.idf))
        ]
        return max(found, key=lambda each: each.opposition.score, default=None)

    def _of(self, place: int) -> tuple[Statement, ...]:
        if place not in self._statements:
            section = self._sections[place]
            lines = (f"# {section.title}", *section.lines)
            self._statements[place] = statements(lines, section.first - 1)
        return self._statements[place]
