"""Lines of text, parted into sentences, and cut where a reader would cut them."""

from __future__ import annotations

from collections.abc import Iterable
from re import Pattern

from learnings.core.patterns import lazy_pattern

# A sentence with the blanks behind it; `e.g.` and `i.e.` do not end one, nor does anything in code.
_SENTENCE = lazy_pattern(
    r"(?:`[^`]*`|.)+?(?:[.!?](?<!\be\.g\.)(?<!\bi\.e\.)[\"')\]`*_]*(?=\s|$)|[。！？]|$)\s*"
)
SENTENCE_END = lazy_pattern(r"(?<=[.!?])(?<!\be\.g\.)(?<!\bi\.e\.)(?=\s)")
CLAUSE_END = lazy_pattern(
    r"[:;](?=\s)|,(?=\s(?:e\.g|i\.e|so|but|because|which|otherwise)\b)"
    r"|\s(?=[–—-]\s|\([^()]*\)[^\w(]*\Z)"
)
NO_END = " .,:;–—-"
"""Characters with which a text that was cut does not end."""

_SHORTEST = 20  # characters to which a text is cut; chosen
_PAIRS = (("(", ")"), ("[", "]"), ("<", ">"))


def sentences_in(text: str) -> list[str]:
    """Return the sentences of a text on one line; joined, they are the text."""
    return [match[0] for match in _SENTENCE.finditer(text)]


def cut_at(ends: Iterable[Pattern[str]], text: str, *, most: int) -> str:
    """Return the start of a text with at most so many characters, empty if it cannot be cut.

    It ends before a match of the first pattern that allows it, the longer the better; not inside
    code, emphasis, quotes or brackets.
    """
    for end in ends:
        matches = (match.start() for match in end.finditer(text, _SHORTEST))
        for position in sorted((p for p in matches if p <= most + len(NO_END)), reverse=True):
            start = text[:position].rstrip(NO_END)
            is_balanced = all(start.count(mark) % 2 == 0 for mark in ("`", "**", '"'))
            is_balanced &= all(start.count(one) == start.count(other) for one, other in _PAIRS)
            if len(start) <= most and is_balanced:
                return start
    return ""
