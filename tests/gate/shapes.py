"""Memory files in every shape that the gate reads, made of the same entries."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Entry(NamedTuple):
    """An entry before it has a shape: title, body in Markdown, the day of March 2026."""

    title: str
    body: str
    day: int = 1

    def but(self, *changes: tuple[str, str]) -> Entry:
        """Return it with pieces of the body replaced, each of which occurs once."""
        return self._replace(body=edit(self.body, *changes))

    def with_body(self, body: str) -> Entry:
        return self._replace(body=body)

    def titled(self, title: str) -> Entry:
        return self._replace(title=title)


def edit(text: str, *changes: tuple[str, str]) -> str:
    """Return a text with pieces replaced; each must occur exactly once."""
    for old, new in changes:
        assert text.count(old) == 1, (text.count(old), old)
        text = text.replace(old, new)
    return text


def indented(text: str, by: str) -> str:
    """Return a text with its lines indented, except blank ones."""
    return "".join(
        f"{by}{line}" if line.strip() else line for line in text.splitlines(keepends=True)
    )


def _timestamped(entry: Entry) -> str:
    stamp = f"2026-03-{entry.day:02}-09{entry.day:02}00"
    return f"## [{stamp}] {entry.title}\n\n{entry.body}\n\n"


def _identified(entry: Entry) -> str:
    return f"## [LRN-202603{entry.day:02}-001] {entry.title}\n\n{entry.body}\n\n---\n\n"


def _heading(entry: Entry) -> str:
    return f"## {entry.title}\n\n{entry.body}\n\n"


def _deeper(entry: Entry) -> str:
    return f"### {entry.title}\n\n{entry.body}\n\n"


def _chapter(entry: Entry) -> str:
    return f"# {entry.title}\n\n{entry.body}\n\n"


def _journal(entry: Entry) -> str:
    return f"## 2026-03-{entry.day:02} - {entry.title}\n\n{entry.body}\n\n"


def _team(entry: Entry) -> str:
    return f"### 2026-03-{entry.day:02}: {entry.title}\n\n**By:** Noor\n\n{entry.body}\n\n"


def _bullet(entry: Entry) -> str:
    return f"- **{entry.title}.** {indented(entry.body, '  ').lstrip()}\n"


def _dated(entry: Entry) -> str:
    return f"- 2026-03-{entry.day:02}: {entry.title}. {indented(entry.body, '  ').lstrip()}\n"


def _numbered(entry: Entry) -> str:
    return f"{entry.day}. **{entry.title}.** {indented(entry.body, '   ').lstrip()}\n"


def _row(entry: Entry) -> str:
    return f"| D{entry.day:03} | {entry.title} | {' '.join(entry.body.split())} |\n"


def _plain_item(entry: Entry) -> str:
    return f"- {entry.title}: {' '.join(entry.body.split())}\n"


def _paragraph(entry: Entry) -> str:
    return f"**P{entry.day}: {entry.title}.** {' '.join(entry.body.split())}\n\n"


class Shape(NamedTuple):
    """The path of a file of this shape, its first lines, an entry, and its last lines."""

    path: str
    head: str
    entry: Callable[[Entry], str]
    foot: str = ""


TABLE = "# Decisions Register\n\n| # | Decision | Why |\n|---|---|---|\n"
SQUAD = "# Squad Decisions\n\n## Active Decisions\n\n"
RALPH = "# Ralph Progress Log\n\n## Codebase Patterns\n"
RALPH_LOG = "\n---\n\n## 2026-03-19 09:12 - US-001\n- Added the list of orders\n---\n"
SHAPES = {
    "timestamped": Shape(".context/LEARNINGS.md", "# Learnings\n\n", _timestamped),
    "identified": Shape(".learnings/LEARNINGS.md", "# Learnings\n\n", _identified),
    "heading": Shape("agents/learnings.md", "# Learnings\n\n", _heading),
    "category": Shape("agents/learnings.md", "# Learnings\n\n## Operations\n\n", _deeper),
    "chapter": Shape("docs/learnings.md", "", _chapter),
    "journal": Shape(".jules/bolt.md", "# Bolt's Journal\n\n", _journal),
    "team": Shape(".squad/decisions.md", SQUAD, _team, "## Governance\n\nAll agree.\n"),
    "bullet": Shape("tasks/lessons.md", "# Lessons\n\n", _bullet),
    "dated": Shape("tasks/lessons.md", "# Lessons\n\n", _dated),
    "numbered": Shape("docs/lessons-learned.md", "# Lessons learned\n\n", _numbered),
    "table": Shape(".gsd/DECISIONS.md", TABLE, _row),
    "sections": Shape("progress.txt", RALPH, _plain_item, RALPH_LOG),
    "paragraph": Shape("docs/gotchas.md", "# Gotchas\n\n## Data\n\n", _paragraph),
    "decision": Shape("docs/decisions.md", "# Decisions\n\n", _deeper),
}
MEMORIES = ".claude/memory/"


def path_of(shape: str) -> str:
    """Return the path of a memory file of this shape."""
    return SHAPES[shape].path


def memory(shape: str, *entries: Entry) -> str:
    """Return the text of a memory file of this shape with these entries."""
    form = SHAPES[shape]
    return form.head + "".join(map(form.entry, entries)) + form.foot


def part(shape: str, entry: Entry) -> str:
    """Return an entry in the form of this shape."""
    return SHAPES[shape].entry(entry)


def topic(entry: Entry) -> str:
    """Return the file of an entry in a memory folder."""
    about = " ".join(entry.body.split()[:6])
    return f"---\nname: {entry.title}\ndescription: {about}\n---\n\n{entry.body}\n"


def topic_path(entry: Entry) -> str:
    """Return the path of the file of an entry in a memory folder."""
    return f"{MEMORIES}{entry.title.lower().replace(' ', '-')}.md"


def folder(*entries: Entry) -> dict[str, str]:
    """Return the files of a memory folder: its index and a file for each entry."""
    rows = (
        f"- [{entry.title}]({topic_path(entry).removeprefix(MEMORIES)}) — a lesson of the team\n"
        for entry in entries
    )
    files = {topic_path(entry): topic(entry) for entry in entries}
    return {f"{MEMORIES}MEMORY.md": "# Memory\n\n" + "".join(rows), **files}


def archive(*originals: str, group: str = "Group: Operations") -> str:
    """Return a consolidation archive with entries in the shape that they had."""
    head = "# Archive: learnings consolidated on 2026-03-20\n\nOriginals, word for word.\n\n"
    return f"{head}## {group}\n\n{''.join(originals)}"
