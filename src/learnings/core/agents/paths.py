"""Files, sub-agents and skills that a file of an agent names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from learnings.core.agents.front_matter import Front
from learnings.core.agents.model import PLUGIN_FOLDERS
from learnings.core.agents.text import passages
from learnings.core.text import chomp

AGENT, SKILL = "sub-agent", "skill"
# What Claude Code brings along.
BUILT_IN = frozenset(
    {"general-purpose", "explore", "plan", "statusline-setup", "output-style-setup", "claude"}
)
# Patterns are compiled by the first file of an agent: most runs meet none.
_IN_PLUGIN = r"\$(?:\{CLAUDE_PLUGIN_ROOT\}|CLAUDE_PLUGIN_ROOT)/([\w./-]++)(?![<*{$\[])"
_FOLDERS = "|".join(PLUGIN_FOLDERS)
_IN_FOLDER = (
    rf"(?<![\w./}}-])((?:{_FOLDERS})/"
    r"(?:agents|bin|commands|hooks|skills|\.claude-plugin)/[\w./-]++)(?![<*{$\[])"
)
_TYPE = r"subagent_type[\"']?\s*[:=]\s*[\"'`]?([a-z][\w:-]*)"
_NOUN = r"(?:sub-?)?agent|skill"
_TOLD = rf"(?i)\b({_NOUN})\s+`([a-z][a-z0-9:-]*)`|`([a-z][a-z0-9:-]*)`\s+({_NOUN})\b"


class Place(NamedTuple):
    """A path that a file names: as it is written, and where it stands.

    inner is the path from the folder of the plugin, None where it starts from the root.
    """

    written: str
    inner: str | None
    line: int
    column: int


class Named(NamedTuple):
    """A sub-agent or skill that a file names, and where.

    is_plain: in a place that holds nothing else, not in a sentence.
    """

    kind: str
    name: str
    line: int
    column: int
    is_plain: bool


def places(lines: Sequence[str]) -> Iterator[Place]:
    """Give the paths from the folder of the plugin and below the folder that is always one."""
    for number, line in enumerate(lines, start=1):
        for match in re.finditer(_IN_PLUGIN, chomp(line)):
            written, inner = match[0].rstrip("./"), match[1].rstrip("./")
            yield Place(written, inner, number, match.start() + 1)
        for match in re.finditer(_IN_FOLDER, chomp(line)):
            yield Place(match[1].rstrip("./"), None, number, match.start() + 1)


def named(lines: Sequence[str], front: Front) -> Iterator[Named]:
    """Give the sub-agents and skills that a file names: in the front matter, then in its text."""
    line = front.keys.get("skills", 1)
    for skill in listed((front.values or {}).get("skills")):
        yield Named(SKILL, skill, line, 1, is_plain=True)
    for passage in passages(lines, front.last):
        for match in re.finditer(_TYPE, passage.text):
            yield Named(AGENT, match[1], *passage.place(match.start(1)), is_plain=True)
        if passage.language is None:
            for match in re.finditer(_TOLD, passage.text):
                kind = SKILL if (match[1] or match[4]).lower() == SKILL else AGENT
                name, at = match[2] or match[3], match.start(2 if match[2] else 3)
                yield Named(kind, name, *passage.place(at), is_plain=False)


def listed(value: object) -> list[str]:
    """The words of a value of a front matter that is a list, or a text with commas."""
    items = value.split(",") if isinstance(value, str) else value
    return [str(item).strip() for item in items] if isinstance(items, list) else []
