"""Labels of the parts of an entry, as people write them: `- **Correct pattern:** text`."""

from __future__ import annotations

import re

from learnings.core.markdown.line_kinds import LIST_MARKER
from learnings.core.patterns import lazy_pattern

CONCLUSION = lazy_pattern(
    r"(?:the |key )?(?:lesson|rule|fix|solution|resolution|takeaway|learning|application|decision"
    r"|action|correct pattern|do|insight|урок|правило|решение|教训|规则|教訓|ルール|lição|regra)s?",
    re.IGNORECASE,
)
"""The label of a part that says what to do."""

_LABELLED = lazy_pattern(
    rf"[ \t>]*(?:{LIST_MARKER}[ \t]+)?[*_]*(?P<label>[^\s:*_][^:*_]{{0,38}})(?::[*_]*|[*_]+:)"
    r"[ \t]+(?P<text>\S.*)"
)


def conclusion_in(line: str) -> str:
    """Return the text of a line behind a label for what to do; empty without one."""
    match = _LABELLED.match(line) if ":" in line else None
    return match["text"] if match and CONCLUSION.fullmatch(match["label"]) else ""
