"""Labels of the parts of an entry, as people write them: `- **Correct pattern:** text`."""

from __future__ import annotations

import re

from learnings.core.markdown.line_kinds import BULLET_MARKER
from learnings.core.patterns import lazy_pattern

CONCLUSION = lazy_pattern(
    r"(?:the |key )?(?:lesson|rule|fix|solution|resolution|takeaway|learning|application|decision"
    r"|action|correct pattern|do|insight|урок|правило|решение|教训|规则|教訓|ルール|lição|regra)s?",
    re.IGNORECASE,
)
"""The label of a part that says what to do."""

# Up to 40 characters and a colon at the start of a line, also in a list or quote and in bold or
# italics, with the colon inside or outside of them.
LABEL = lazy_pattern(
    rf"[ \t>]*(?:{BULLET_MARKER}[ \t]+)?(?P<mark>\*\*|__|\*|_)?"
    r"(?P<label>[^\s*_:：|`\[\]()<>][^*:：|`]{0,38}?)"
    r"(?:(?(mark)(?P=mark))[ \t]*[:：]|[:：](?(mark)(?P=mark)))(?=\s|$|[^\x00-\x7f])"
)


def conclusion_in(line: str) -> str:
    """Return the text of a line behind a label for what to do; empty without one."""
    match = LABEL.match(line) if ":" in line or "：" in line else None
    return line[match.end() :].strip() if match and CONCLUSION.fullmatch(match["label"]) else ""
