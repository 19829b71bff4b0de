"""A rule as its users read it: its facts in short, and its docstring as a page."""

from __future__ import annotations

import re
from inspect import cleandoc
from textwrap import dedent
from typing import NamedTuple

from learnings.core.patterns import lazy_pattern
from learnings.core.roles import Role
from learnings.rules.rule import Needs, Rule, is_opt_in
from learnings.surfaces.render.rule_links import rule_link

# An example with its label and its indented text.
_EXAMPLE = lazy_pattern(r"\n+(Bad|Good):\n\n+((?: .*\n|\n(?=\n* ))+)")
_OF_BYTES = "```python"


class RuleFacts(NamedTuple):
    """A rule in short: severity is the highest of its findings, says is its first sentence.

    roles are those of the files it looks at, `none` for files that have none. extra is True if the
    rule is off unless it is named; history if it finds nothing without --history. url leads to its
    documentation.
    """

    id: str
    severity: str
    roles: tuple[str, ...]
    extra: bool
    history: bool
    says: str
    url: str


def facts(rule: Rule) -> RuleFacts:
    """Return what there is to know of a rule in short."""
    roles = [role.value for role in Role if role in rule.ROLES]
    return RuleFacts(
        id=rule.ID,
        severity=rule.SEVERITY.value,
        roles=(*roles, "none") if None in rule.ROLES else tuple(roles),
        extra=is_opt_in(rule),
        history=rule.NEEDS is Needs.HISTORY,
        says=cleandoc(rule.__doc__ or "").partition("\n")[0],
        url=rule_link(rule.ID),
    )


def page(rule: Rule) -> str:
    """Return the documentation as Markdown, with a newline at its end.

    Examples that are written as bytes are for the tests and are left out.
    """
    text = _EXAMPLE.sub(_shown, f"{cleandoc(rule.__doc__ or '')}\n").strip()
    return f"# {rule.ID}\n\n*{_kind(rule)}.* {text}\n"


def _kind(rule: Rule) -> str:
    severity = rule.SEVERITY.value.capitalize()
    if is_opt_in(rule):
        return f"{severity}, off unless the configuration switches it on"
    return f"{severity}, only with `--history`" if rule.NEEDS is Needs.HISTORY else severity


def _shown(example: re.Match[str]) -> str:
    if _OF_BYTES in example[2]:
        return ""
    return f"\n\n{example[1]}:\n\n{dedent(example[2]).strip()}"
