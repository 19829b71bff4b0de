"""What is shown with a finding: a few words, or a quoted sentence."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.consolidation.checks.sentences import Sentence
from learnings.core.text import shortened

MOST_WORDS, LONGEST_QUOTE = 5, 160
"""What a reader takes in at a glance: five words, and two lines of a terminal."""


def quoted(sentence: Sentence, path: str = "") -> str:
    """Return a sentence with its line, or with its line in a file."""
    place = f"{path}:{sentence.line}" if path else f"line {sentence.line}"
    return f"{place}: {shortened(sentence.text, LONGEST_QUOTE)}"


def listed(words: Sequence[str]) -> str:
    """Return the first words of a list, and how many there are more."""
    more = f" and {len(words) - MOST_WORDS} more" if len(words) > MOST_WORDS else ""
    return ", ".join(words[:MOST_WORDS]) + more
