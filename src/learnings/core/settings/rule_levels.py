"""The table `rules`: for each rule whether it is off, a notice or an error.

Imported only where something is set in it.
"""

from __future__ import annotations

from learnings.core.settings.keys import Key
from learnings.core.settings.types import choice
from learnings.core.settings.values import OFF

# All rules there are, since settings are read without importing the rules themselves.
RULE_IDS = (
    "agent-default-number",
    "agent-embedded-copy",
    "agent-front-matter",
    "agent-missing-file",
    "agent-unknown-command",
    "conflict-marker",
    "date-mismatch",
    "dialect-doubtful",
    "dialect-mixed",
    "dialect-unknown",
    "duplicate-entry",
    "entries-gone",
    "entries-in-comment",
    "entry-heading-malformed",
    "entry-title-empty",
    "entry-title-form",
    "ephemeral-path",
    "final-newline",
    "ignore-without-reason",
    "index-ambiguous-heading",
    "index-collision",
    "index-duplicate-row",
    "index-missing-file",
    "index-missing-row",
    "index-order",
    "index-orphan-row",
    "index-row-form",
    "index-stale-line-number",
    "index-structural-row",
    "index-wrong-section",
    "invalid-encoding",
    "line-limit",
    "load-limit",
    "merge-damage",
    "orphan-content",
    "replacement-characters",
    "resurrected-entry",
    "section-without-content",
    "setext-entry",
    "soft-limit",
    "unclosed-comment",
    "unclosed-fence",
    "unused-ignore",
)
LEVELS = (OFF, "notice", "error")
RULE_KEYS = {
    name: Key(name, name, choice(*LEVELS), None, "how severe its findings are") for name in RULE_IDS
}
