"""Files, sub-agents and skills that a file of an agent names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from learnings.core.agents.copies import names_source
from learnings.core.agents.front_matter import FrontMatter
from learnings.core.agents.model import PLUGIN_FOLDERS
from learnings.core.agents.text import Passage
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp

AGENT, SKILL = "sub-agent", "skill"
# The sub-agents that Claude Code brings along.
BUILT_IN = frozenset(
    {"general-purpose", "explore", "plan", "statusline-setup", "output-style-setup", "claude"}
)
# Patterns are compiled by the first file of an agent: most runs meet none.
# A path from the folder of the plugin, unless a placeholder or a glob goes on with it.
_IN_PLUGIN = lazy_pattern(
    r"\$(?:\{CLAUDE_PLUGIN_ROOT\}|CLAUDE_PLUGIN_ROOT)/([\w./-]++)(?![<*{$\[])"
)
_FOLDERS = "|".join(PLUGIN_FOLDERS)
# A path from the root into a folder that always is a plugin, not the end of a longer path.
_IN_FOLDER = lazy_pattern(
    rf"(?<![\w./}}-])((?:{_FOLDERS})/"
    r"(?:agents|bin|commands|hooks|skills|\.claude-plugin)/[\w./-]++)(?![<*{$\[])"
)
# The value of the parameter `subagent_type`, in JSON, YAML or a call.
_TYPE = lazy_pattern(r"subagent_type[\"']?\s*[:=]\s*[\"'`]?([a-z][\w:-]*)")
# What a sub-agent or a skill is called in a sentence.
_NOUN = r"(?:sub-?)?agent|skill"
# "the agent `name`", "the `name` skill".
_IN_SENTENCE = lazy_pattern(
    rf"(?i)\b({_NOUN})\s+`([a-z][a-z0-9:-]*)`|`([a-z][a-z0-9:-]*)`\s+({_NOUN})\b"
)


class PathReference(NamedTuple):
    """A path that a file names: as it is written, with its 1-based line and column.

    inner is the path from the folder of the plugin, None where it starts from the root.
    """

    written: str
    inner: str | None
    line: int
    column: int


class Reference(NamedTuple):
    """A sub-agent or skill that a file names, with its 1-based line and column.

    is_plain is True where nothing else can stand, False within a sentence.
    """

    kind: str
    name: str
    line: int
    column: int
    is_plain: bool


def path_references(lines: Sequence[str]) -> Iterator[PathReference]:
    """Give the paths from the folder of the plugin and below the folder that is always one."""
    for number, line in enumerate(lines, start=1):
        if "/" not in line or names_source(line):
            continue  # the source of a copy may be where the copy is, with the rest of its plugin
        for match in _IN_PLUGIN.finditer(chomp(line)):
            written, inner = match[0].rstrip("./"), match[1].rstrip("./")
            yield PathReference(written, inner, number, match.start() + 1)
        for match in _IN_FOLDER.finditer(chomp(line)):
            yield PathReference(match[1].rstrip("./"), None, number, match.start() + 1)


def references(text: Iterable[Passage], front: FrontMatter) -> Iterator[Reference]:
    """Give the sub-agents and skills that a file names: in the front matter, then in its text."""
    line = front.keys.get("skills", 1)
    for skill in listed((front.values or {}).get("skills")):
        yield Reference(SKILL, skill, line, 1, is_plain=True)
    for passage in text:
        for match in _TYPE.finditer(passage.text):
            yield Reference(AGENT, match[1], *passage.position(match.start(1)), is_plain=True)
        if passage.language is None:
            for match in _IN_SENTENCE.finditer(passage.text):
                kind = SKILL if (match[1] or match[4]).lower() == SKILL else AGENT
                group = 2 if match[2] else 3
                line, column = passage.position(match.start(group))
                yield Reference(kind, match[group], line, column, is_plain=False)


def listed(value: object) -> list[str]:
    """Return the words of a value of a front matter that is a list, or a text with commas."""
    items = value.split(",") if isinstance(value, str) else value
    return [str(item).strip() for item in items] if isinstance(items, list) else []
