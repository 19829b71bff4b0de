"""Where the documentation of a rule is to be read."""

from __future__ import annotations

import learnings


def rule_link(rule: str) -> str:
    """Return the address of what docs/rules.md says about a rule, in the version that runs."""
    return f"{learnings.REPOSITORY}/blob/v{learnings.__version__}/docs/rules.md#{rule}"
