"""The rules as a table for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.surfaces.render.rule_pages import RuleFacts

_NOUNS = {
    "learnings": "learnings files",
    "target": "target files",
    "index": "the memory index",
    "agent": "agent files",
}


def render(rules: Sequence[RuleFacts]) -> str:
    """Return a block for each kind of file that rules look at, with one line for each rule."""
    width = max(len(rule.id) for rule in rules)
    blocks: dict[str, list[str]] = {}
    for rule in sorted(rules, key=_order):
        line = f"  {rule.id:{width}}  {rule.severity:6}  {_says(rule)}\n"
        blocks.setdefault(_files(rule), []).append(line)
    return "\n".join(f"{files}\n{''.join(lines)}" for files, lines in blocks.items())


def _order(rule: RuleFacts) -> list[int]:
    """Return what puts rules for learnings files first, and those for agent files last."""
    return [[*_NOUNS, "none"].index(role) for role in rule.roles]


def _files(rule: RuleFacts) -> str:
    if "none" in rule.roles:
        return "every file" if "agent" in rule.roles else "every memory file"
    return ", ".join(_NOUNS[role] for role in rule.roles)


def _says(rule: RuleFacts) -> str:
    needs = ["off unless switched on"] if rule.extra else []
    needs += ["with --history"] if rule.history else []
    return f"{rule.says} ({', '.join(needs)})" if needs else rule.says
