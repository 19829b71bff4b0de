"""The list of the rules, which names each one once.

Settings take these ids without importing a rule, and `learnings.rules` makes its table from them.
"""

from __future__ import annotations

# Sorted. Each names a module of `rules/`, with `_` for `-`, or a constant of `rules/index.py`.
RULE_IDS = (
    "agent-default-number",
    "agent-embedded-copy",
    "agent-front-matter",
    "agent-missing-file",
    "agent-unknown-command",
    "conflict-marker",
    "date-mismatch",
    "dead-import",
    "dead-reference",
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
    "index-hook-differs",
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
    "memory-not-loaded",
    "merge-damage",
    "orphan-content",
    "replacement-characters",
    "resurrected-entry",
    "section-without-content",
    "setext-entry",
    "soft-limit",
    "token-budget",
    "unclosed-comment",
    "unclosed-fence",
    "unmatched-paths",
    "unreadable-front-matter",
    "unused-ignore",
)
# Rules that run only where `extra-rules` or the table `rules` names them.
EXTRA_RULES = ("section-without-content",)
