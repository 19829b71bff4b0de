"""Memory files in every shape that the gate reads, made of the same entries."""

from __future__ import annotations

from typing import NamedTuple


class Entry(NamedTuple):
    """An entry before it has a shape: title, body in Markdown, the day of March 2026."""

    title: str
    body: str
    day: int = 1

    def but(self, *pieces: str) -> Entry:
        """Return it with pieces of the body replaced: old, new, old, new."""
        return self._replace(body=edit(self.body, *pieces))

    def with_body(self, body: str) -> Entry:
        return self._replace(body=body)

    def titled(self, title: str) -> Entry:
        return self._replace(title=title)


def edit(text: str, *pieces: str) -> str:
    """Return a text with pieces replaced (old, new, old, new); each old one occurs once."""
    for old, new in zip(pieces[::2], pieces[1::2], strict=True):
        assert text.count(old) == 1, (text.count(old), old)
        text = text.replace(old, new)
    return text


def indented(text: str, by: str) -> str:
    """Return a text with its lines indented, except blank ones."""
    return "".join(
        f"{by}{line}" if line.strip() else line for line in text.splitlines(keepends=True)
    )


class Shape(NamedTuple):
    """The path of a file of this shape, its first lines, the form of an entry, its last lines."""

    path: str
    head: str
    form: str
    foot: str = ""


HEADING = "{title}\n\n{body}\n\n"
TABLE = "# Decisions Register\n\n| # | Decision | Why |\n|---|---|---|\n"
SQUAD = "# Squad Decisions\n\n## Active Decisions\n\n"
TEAM = "### 2026-03-{day:02}: {title}\n\n**By:** Noor\n\n{body}\n\n"
RALPH = "# Ralph Progress Log\n\n## Codebase Patterns\n"
RALPH_LOG = "\n---\n\n## 2026-03-19 09:12 - US-001\n- Added the list of orders\n---\n"
GOTCHAS = "# Gotchas\n\n## Data\n\n"
HEAD = "# Learnings\n\n"
LESSONS = "# Lessons\n\n"
IDENTIFIED = f"## [LRN-202603{{day:02}}-001] {HEADING}---\n\n"
SHAPES = {
    "timestamped": Shape(
        ".context/LEARNINGS.md", HEAD, f"## [2026-03-{{day:02}}-09{{day:02}}00] {HEADING}"
    ),
    "identified": Shape(".learnings/LEARNINGS.md", HEAD, IDENTIFIED),
    "heading": Shape("agents/learnings.md", HEAD, f"## {HEADING}"),
    "category": Shape("agents/learnings.md", f"{HEAD}## Operations\n\n", f"### {HEADING}"),
    "chapter": Shape("docs/learnings.md", "", f"# {HEADING}"),
    "journal": Shape(
        ".jules/bolt.md", "# Bolt's Journal\n\n", f"## 2026-03-{{day:02}} - {HEADING}"
    ),
    "team": Shape(".squad/decisions.md", SQUAD, TEAM, "## Governance\n\nAll agree.\n"),
    "bullet": Shape("tasks/lessons.md", LESSONS, "- **{title}.** {two}\n"),
    "dated": Shape("tasks/lessons.md", LESSONS, "- 2026-03-{day:02}: {title}. {two}\n"),
    "numbered": Shape(
        "docs/lessons-learned.md", "# Lessons learned\n\n", "{day}. **{title}.** {three}\n"
    ),
    "table": Shape(".gsd/DECISIONS.md", TABLE, "| D{day:03} | {title} | {line} |\n"),
    "sections": Shape("progress.txt", RALPH, "- {title}: {line}\n", RALPH_LOG),
    "paragraph": Shape("docs/gotchas.md", GOTCHAS, "**P{day}: {title}.** {line}\n\n"),
    "decision": Shape("docs/decisions.md", "# Decisions\n\n", f"### {HEADING}"),
}
MEMORIES = ".claude/memory/"


def memory(shape: str, *entries: Entry) -> str:
    form = SHAPES[shape]
    return form.head + "".join(part(shape, entry) for entry in entries) + form.foot


def part(shape: str, entry: Entry) -> str:
    two, three = (indented(entry.body, by).lstrip() for by in ("  ", "   "))
    line = " ".join(entry.body.split())
    return SHAPES[shape].form.format(**entry._asdict(), two=two, three=three, line=line)


def beside(shape: str, name: str) -> str:
    """Return the path of a file beside the memory of a shape."""
    return f"{SHAPES[shape].path.rpartition('/')[0]}/{name}".lstrip("/")


def topic(entry: Entry) -> str:
    about = " ".join(entry.body.split()[:6])
    return f"---\nname: {entry.title}\ndescription: {about}\n---\n\n{entry.body}\n"


def topic_path(entry: Entry) -> str:
    return f"{MEMORIES}{entry.title.lower().replace(' ', '-')}.md"


def folder(*entries: Entry) -> dict[str, str]:
    """Return the files of a memory folder: its index and a file for each entry."""
    rows = (
        f"- [{entry.title}]({topic_path(entry).removeprefix(MEMORIES)}) — a lesson of the team\n"
        for entry in entries
    )
    files = {topic_path(entry): topic(entry) for entry in entries}
    return {f"{MEMORIES}MEMORY.md": "# Memory\n\n" + "".join(rows), **files}


def archive(shape: str, *originals: Entry, group: str = "Group: Operations") -> str:
    """Return a consolidation archive with entries in the shape that they had."""
    head = "# Archive: learnings consolidated on 2026-03-20\n\nOriginals, word for word.\n\n"
    return f"{head}## {group}\n\n{''.join(part(shape, entry) for entry in originals)}"
