"""The rules as a table for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.surfaces.render.rule_pages import RuleFacts


def render(rules: Sequence[RuleFacts]) -> str:
    """Return one line for each rule, in columns."""
    id_width = max(len(rule.id) for rule in rules)
    files_width = max(len(_files(rule)) for rule in rules)
    return "".join(
        f"{rule.id:{id_width}}  {rule.severity:6}  {_files(rule):{files_width}}  {_says(rule)}\n"
        for rule in rules
    )


def _files(rule: RuleFacts) -> str:
    if "none" in rule.roles:
        return "every file" if "agent" in rule.roles else "every memory file"
    return ", ".join(rule.roles)


def _says(rule: RuleFacts) -> str:
    needs = ["off unless switched on"] if rule.extra else []
    needs += ["with --history"] if rule.history else []
    return f"{rule.says} ({', '.join(needs)})" if needs else rule.says
