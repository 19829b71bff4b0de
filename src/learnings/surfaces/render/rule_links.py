"""Where the documentation of a rule is to be read."""

from __future__ import annotations

import learnings


def rule_link(rule: str) -> str:
    """Return the address of what docs/rules.md says about a rule, in the version that runs."""
    # What `learnings tiers check` finds is no rule of a file; its page has a table of it.
    page = "tiers.md#what-check-finds" if rule.startswith("tiers-") else f"rules.md#{rule}"
    return f"{learnings.REPOSITORY}/blob/v{learnings.__version__}/docs/{page}"
