"""Entries and sections as bags of keywords, the words of titles counting more."""

from __future__ import annotations

from collections.abc import Iterable

from learnings.consolidation.text.keywords import keys
from learnings.consolidation.text.sections import Section
from learnings.core.entries.document import Entry

TITLE_WEIGHT = 2.0
"""What a word of a title counts. Chosen over the sets in benchmarks/README.md, Routes: what other
weights gain on one set they lose on another."""


def bag_of_entry(entry: Entry) -> dict[str, float]:
    """Return the bag of an entry; a word that it repeats counts less than twice."""
    counts = _counted([(entry.title, TITLE_WEIGHT), (content_of(entry), 1.0)])
    return {word: 2 * count / (count + 1) for word, count in counts.items()}


def content_of(entry: Entry) -> str:
    """Return the text of an entry beside its title; for a list item all of it."""
    return entry.text if entry.level == 0 else entry.body


def bag_of_section(section: Section) -> dict[str, float]:
    """Return the bag of a section; the headings around it are sections of their own."""
    return _counted([(section.text, 1.0), (section.title, TITLE_WEIGHT)])


def _counted(parts: Iterable[tuple[str, float]]) -> dict[str, float]:
    counts: dict[str, float] = {}
    for text, weight in parts:
        for key in keys(text):
            counts[key] = counts.get(key, 0.0) + weight
    return counts
