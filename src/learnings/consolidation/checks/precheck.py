"""A finding of a check before a consolidation, with its evidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from learnings.core.entries.document import Entry

COVERED, SUPERSESSION = "covered", "supersession"
REDUNDANCY, DEAD_REFERENCE = "redundancy", "dead-reference"
DROP, ADD, ESCALATE, LOOK = "drop", "add", "escalate", "look"

MOST_WORDS = 5
"""Most items that a reader takes in at a glance."""


class Against(NamedTuple):
    """The object of a comparison: an entry of the file, a target section, or a commit.

    target is the file of a section or an archive. line is that of the other entry, section or
    archived text, None for a commit.
    """

    entry: Entry | None = None
    target: str | None = None
    section: str | None = None
    line: int | None = None
    commit: str | None = None


class Precheck(NamedTuple):
    """One finding: the check, the proposed action, the entry, and the evidence.

    score is a share of words from 0 to 1; each check documents which words. text is what ADD adds
    to the section: the sentences of the entry that the section lacks, one list item each.
    """

    check: str
    action: str
    entry: Entry
    against: Against
    score: float
    evidence: tuple[str, ...]
    text: str = ""


def listed(words: Sequence[str]) -> str:
    """Return the first words of a list, and the number of the others."""
    more = f" and {len(words) - MOST_WORDS} more" if len(words) > MOST_WORDS else ""
    return ", ".join(words[:MOST_WORDS]) + more
