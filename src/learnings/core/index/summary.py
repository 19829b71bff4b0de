"""The summary that a new row of a memory index gives of a section."""

from __future__ import annotations

import re

from learnings.core.markdown.line_kinds import LIST_MARKER
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp, printable

# A row with path and title stays on a line of a diff. Chosen, not measured.
SUMMARY_LENGTH = 80

# A label that names a date, with or without emphasis: `**Decision Date:**`.
_DATE_LABEL = lazy_pattern(r"[*_]*[^*_:]*\bdate\b", re.IGNORECASE)
# The marker of a list item.
_MARKER = lazy_pattern(rf"\A {{0,3}}{LIST_MARKER}[ \t]+")
_SENTENCE = lazy_pattern(r".+?[.!?](?=\s|$)")  # up to the first stop before a blank or the end
# Indented and fenced code, HTML, tables.
_NO_PROSE = ("    ", "\t", "```", "~~~", "<", "|")


def first_sentence(line: str) -> str:
    """Return the first sentence of a line without markup and control characters, shortened.

    At most 80 characters; empty for a line that states a date, for code, HTML, a table, and for
    a line without letters and digits.
    """
    if _DATE_LABEL.match(line) or line.startswith(_NO_PROSE):
        return ""
    words = " ".join(_MARKER.sub("", chomp(line)).replace("*", "").split())
    sentence = _SENTENCE.match(words)
    words = printable(sentence[0] if sentence else words)
    if len(words) > SUMMARY_LENGTH:
        words = words[:SUMMARY_LENGTH].rpartition(" ")[0] or words[:SUMMARY_LENGTH]
    return words.rstrip(" .:;,") if any(map(str.isalnum, words)) else ""
