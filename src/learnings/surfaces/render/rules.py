"""Rules and settings for users: a page for each, and all rules as text."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from inspect import cleandoc
from textwrap import dedent

from learnings.core.patterns import lazy_pattern
from learnings.core.settings.keys import FILE_KEYS, Key
from learnings.rules.rule import Rule

# An example with its label and its indented text.
_EXAMPLE = lazy_pattern(r"\n+(Bad|Good):\n\n+((?: .*\n|\n(?=\n* ))+)")
_OF_BYTES = "```python"


def page(rule: Rule) -> str:
    """Return the documentation as Markdown, without the byte examples for tests."""
    text = _EXAMPLE.sub(_shown_example, f"{cleandoc(rule.__doc__ or '')}\n").strip()
    kind = rule.severity.value.capitalize()
    if rule.is_opt_in:
        kind += ", off by default; the configuration can turn it on"
    elif rule.needs_history:
        kind += ", only with `--history`"
    return f"# {rule.id}\n\n*{kind}.* {text}\n"


def _shown_example(example: re.Match[str]) -> str:
    if _OF_BYTES in example[2]:
        return ""
    return f"\n\n{example[1]}:\n\n{dedent(example[2]).strip()}"


_FILE_NOUNS = {
    "learnings": "learnings files",
    "target": "target files",
    "index": "the memory index",
    "agent": "agent files",
    "topic": "files of memory folders",
}


def as_text(rules: Sequence[Rule]) -> str:
    width = max(len(rule.id) for rule in rules)
    blocks: dict[str, list[str]] = {}
    order = [*_FILE_NOUNS, "none"]
    for rule in sorted(rules, key=lambda rule: [order.index(role) for role in rule.role_names]):
        needs = ["off by default"] if rule.is_opt_in else []
        needs += ["with --history"] if rule.needs_history else []
        says = f"{rule.says} ({', '.join(needs)})" if needs else rule.says
        line = f"  {rule.id:{width}}  {rule.severity.value:6}  {says}\n"
        files = ", ".join(_FILE_NOUNS.get(role, "") for role in rule.role_names)
        if "none" in rule.role_names:
            files = "every file" if "agent" in rule.role_names else "every memory file"
        blocks.setdefault(files, []).append(line)
    return "\n".join(f"{files}\n{''.join(lines)}" for files, lines in blocks.items())


def setting_page(key: Key, table: str) -> str:
    """Return the documentation of a setting as Markdown; table is empty at the top level."""
    place = f"in the table `{table}`" if table else "at the top level"
    if not table and key.name in FILE_KEYS:
        place += " for all learnings files, or in `[[file]]` for one"
    lines = [
        f"# {f'{table}.' * bool(table)}{key.name}",
        f"*Setting {place}.* {key.doc[0].upper()}{key.doc[1:]}.",
        f"- takes {key.kind.wants}",
    ]
    text = "\n\n".join(lines)
    if key.default is None:
        return f"{text}\n"
    value = dict(key.default) if isinstance(key.default, Mapping) else key.default
    example = f"{key.name} = {json.dumps(value)}"
    header = f"[{table}]\n" if table else ""
    return f"{text}\n- by default, as in `learnings.toml`:\n\n```toml\n{header}{example}\n```\n"
