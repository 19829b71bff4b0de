"""The references of an agent file: sources of copied text, files, sub-agents and skills."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from learnings.agents.front_matter import FrontMatter
from learnings.core.markdown.passages import Passage, lines_with_language
from learnings.core.patterns import lazy_pattern
from learnings.core.roles import PLUGIN_FOLDERS
from learnings.core.text import chomp

# The comment above a copy, which names its source.
_COPY_SOURCE = lazy_pattern(r"(?i)[ \t]*<!--\s*source:\s*([\w./${}-]+\.\w+)\s*-->\s*$")
# The comment below a copy.
_COPY_END = lazy_pattern(r"(?i)[ \t]*<!--\s*end of source\s*-->\s*$")
# The `#` of a heading; a copy may change its level. Only from the first `#`, because a match
# attempt at each `#` of a row would be slow.
_HEADING_MARKS = lazy_pattern(r"(?<!#)#+(?=[ \t])")


class CopiedText(NamedTuple):
    """A copy: the path of its source, and the lines of its comments (last may be missing)."""

    path: str
    first: int
    last: int | None


class CopyDifference(NamedTuple):
    """The place where a copy differs: a line of the copy, and a source line with its text.

    source_line is None if the source does not contain the copied text, 0 at the end of the source.
    goes_on: the copy only ends before its section does.
    """

    line: int
    source_line: int | None
    text: str = ""
    goes_on: bool = False


def copies(lines: Sequence[str], front_matter: int = 0) -> Iterator[CopiedText]:
    """Yield the copies in a file; comments in code blocks are examples."""
    if not any("source" in line.lower() for line in lines):
        return  # most files
    path, first = "", 0
    for number, line, code in lines_with_language(lines, front_matter):
        source = _COPY_SOURCE.match(line) if code is None else None
        if source or (first and code is None and _COPY_END.match(line)):
            if first:
                yield CopiedText(path, first, None if source else number)
            path, first = (source[1], number) if source else ("", 0)
    if first:
        yield CopiedText(path, first, None)


def copy_difference(
    copy: CopiedText, lines: Sequence[str], source: Sequence[str]
) -> CopyDifference | None:
    """Return the first difference between a copy and its source, or None.

    A copy is a run of source lines up to the end of a section. Blank lines, trailing blanks and the
    level of headings do not count.
    """
    copied = _content_of_copy(lines, copy.first, (copy.last or copy.first) - 1)
    source_lines = _content_of_copy(source, 0, len(source))
    if not copied:
        return CopyDifference(copy.first, None)
    length, start = max(
        ((_in_common(copied, source_lines[index:]), -index) for index in range(len(source_lines))),
        default=(0, 0),
    )
    if not length:
        return CopyDifference(copied[0][0], None)
    behind = source_lines[length - start : length - start + 1]
    if length < len(copied):
        return _difference_at(copied[length][0], behind)
    if behind and not behind[0][1].startswith(("# ", "<!--")):
        return _difference_at(copy.last or copied[-1][0], behind)._replace(goes_on=True)
    return None


def _difference_at(line: int, behind: Sequence[tuple[int, str]]) -> CopyDifference:
    return CopyDifference(line, *behind[0]) if behind else CopyDifference(line, 0)


def _content_of_copy(lines: Sequence[str], first: int, last: int) -> list[tuple[int, str]]:
    numbered = enumerate(map(chomp, lines[first:last]), start=first + 1)
    return [
        (n, _HEADING_MARKS.sub("#", text.rstrip(), count=1)) for n, text in numbered if text.strip()
    ]


def _in_common(copied: Sequence[tuple[int, str]], source_lines: Sequence[tuple[int, str]]) -> int:
    pairs = zip(copied, source_lines, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0][1] == pair[1][1], pairs))


SUB_AGENT, SKILL = "sub-agent", "skill"
# The sub-agents that are built into Claude Code.
BUILT_IN = frozenset(
    {"general-purpose", "explore", "plan", "statusline-setup", "output-style-setup", "claude"}
)
# A path from the folder of the plugin, unless a placeholder or a glob follows.
_IN_PLUGIN = lazy_pattern(
    r"\$(?:\{CLAUDE_PLUGIN_ROOT\}|CLAUDE_PLUGIN_ROOT)/([\w./-]++)(?![<*{$\[])"
)
_FOLDERS = "|".join(PLUGIN_FOLDERS)
# A path from the root into a folder that is always a plugin; not the end of a longer path.
_IN_FOLDER = lazy_pattern(
    rf"(?<![\w./}}-])((?:{_FOLDERS})/"
    r"(?:agents|bin|commands|hooks|skills|\.claude-plugin)/[\w./-]++)(?![<*{$\[])"
)
# The value of the parameter `subagent_type`, in JSON, YAML or a call.
_SUB_AGENT_TYPE = lazy_pattern(r"subagent_type[\"']?\s*[:=]\s*[\"'`]?([a-z][\w:-]*)")
# Words for a sub-agent or a skill in a sentence.
_NOUN = r"(?:sub-?)?agent|skill"
# "the agent `name`", "the `name` skill".
_IN_SENTENCE = lazy_pattern(
    rf"(?i)\b({_NOUN})\s+`([a-z][a-z0-9:-]*)`|`([a-z][a-z0-9:-]*)`\s+({_NOUN})\b"
)


class PathReference(NamedTuple):
    """A path in a file, with 1-based line and column; inner is relative to the plugin's folder."""

    written: str
    inner: str | None
    line: int
    column: int


class AgentReference(NamedTuple):
    """A sub-agent or skill in a file, with 1-based line and column; is_plain is False in prose."""

    kind: str
    name: str
    line: int
    column: int
    is_plain: bool


def path_references(lines: Sequence[str]) -> Iterator[PathReference]:
    """Yield the paths from the plugin's folder, and below the folder that is always a plugin."""
    for number, line in enumerate(lines, start=1):
        if "/" not in line or _COPY_SOURCE.match(line):
            continue  # the source of a copy may be with the copy, in another plugin
        for match in _IN_PLUGIN.finditer(chomp(line)):
            written, inner = match[0].rstrip("./"), match[1].rstrip("./")
            yield PathReference(written, inner, number, match.start() + 1)
        for match in _IN_FOLDER.finditer(chomp(line)):
            yield PathReference(match[1].rstrip("./"), None, number, match.start() + 1)


def agent_references(text: Iterable[Passage], front: FrontMatter) -> Iterator[AgentReference]:
    """Yield the sub-agents and skills of a file: from the front matter, then from the text."""
    line = front.keys.get("skills", 1)
    for skill in listed((front.values or {}).get("skills")):
        yield AgentReference(SKILL, skill, line, 1, is_plain=True)
    for passage in text:
        for match in _SUB_AGENT_TYPE.finditer(passage.text):
            yield AgentReference(
                SUB_AGENT, match[1], *passage.position(match.start(1)), is_plain=True
            )
        if passage.language is None:
            for match in _IN_SENTENCE.finditer(passage.text):
                kind = SKILL if (match[1] or match[4]).lower() == SKILL else SUB_AGENT
                group = 2 if match[2] else 3
                line, column = passage.position(match.start(group))
                yield AgentReference(kind, match[group], line, column, is_plain=False)


def listed(value: object) -> list[str]:
    """Return the words of a front-matter value, a list or a text with commas."""
    items = value.split(",") if isinstance(value, str) else value
    return [str(item).strip() for item in items] if isinstance(items, list) else []
