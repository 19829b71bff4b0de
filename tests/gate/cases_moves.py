"""Honest consolidations: what leaves is word for word elsewhere, or documented there."""

from __future__ import annotations

import json

from tests.gate.case import ARCHIVE, Table
from tests.gate.entries import (
    CACHE,
    FLAGS,
    INDEXES,
    LIMIT,
    PATCH,
    POOL,
    QUEUE,
    SHELL,
    SHORT,
    SORT,
    STEPS,
    TARGET,
    TOKENS,
    target,
)
from tests.gate.shapes import SHAPES, Entry, archive, beside, memory, part

TABLE = Table("moves")
add, change = TABLE.add, TABLE.change

LONG = (POOL, QUEUE, SHELL, PATCH)
HEADINGS = "timestamped identified heading category journal team"
SECTION = (
    "The database sorts names with the collation of the tenant, since Swedish customers reported "
    "that names in Ö stood before those in P: Python compares code points. The index has the same "
    "collation, or each page of the list scans the table."
)
add("silent", "archived", HEADINGS, LONG, LONG[:2], archived=LONG[2:])
ROWS = "bullet dated numbered table sections"
add("silent", "archived", ROWS, SHORT, SHORT[:3], archived=SHORT[3:])
MERGED = Entry(
    "Jobs and releases (consolidated)",
    "**Consolidated from**: 2 entries (2026-03-05 to 2026-03-07)\n\n"
    "- Acknowledge a job after it ran, and make handlers idempotent.\n"
    "- The release script tags a dirty tree: look at it first.",
    20,
)
FOUR = (POOL, QUEUE, SHELL, CACHE)
KEPT = (POOL, CACHE, MERGED)
add("silent", "merged, originals archived", "timestamped", FOUR, KEPT, archived=FOUR[1:3])
DROPPED = archive("heading", FLAGS, group="Dropped: the flag service is gone")
FILES = {beside("heading", ARCHIVE): DROPPED}
change("silent", "dropped with a reason", "heading", FLAGS, None, files=FILES, way="commit")
NEARLY = f"## Names in lists (consolidated)\n\n- {SECTION}\n- Show initials in capital letters.\n"
MERGED_TEXT = memory("heading", POOL, QUEUE) + NEARLY
add("lost", "merged, two thirds said", "heading", (POOL, QUEUE, SORT), MERGED_TEXT, SORT.title)
NAMES = target(Entry("Order of names", SECTION))
change("lost", "a target says two thirds since", "timestamped", SORT, None, files=NAMES)
for shape, entry in (("timestamped", SHELL), ("heading", STEPS), ("category", PATCH)):
    change("silent", "to a target", shape, entry, None, given=target(), files=target(entry))
OTHER = {".context/LEARNINGS.md": memory("timestamped", *LONG[2:])}
add("silent", "moved to another memory", "heading", LONG, LONG[:2], files=OTHER)
RENAMED = {SHAPES["identified"].path: None, "docs/learnings.md": memory("identified", *LONG)}
add("silent", "the file renamed", "identified", LONG, RENAMED)
TOPICS = {
    f"agents/decisions/{number}.md": f"# Topic {number}\n\n{part('heading', entry)}"
    for number, entry in enumerate(LONG)
}
add("silent", "split by topic, a file for each entry", "heading", LONG, (), files=TOPICS)
COMPANIONS = {
    "AGENTS.md": f"# Agents\n\n{part('heading', SORT)}",
    TARGET: target(SORT)[TARGET],
    "agents/archive/2025.md": archive("heading", SORT),
}
for path, text in COMPANIONS.items():
    change("silent", f"dropped, was in {path}", "heading", SORT, None, given={path: text})
DOCUMENTED = (
    ("heading", "agents/decisions/names.md", "#", ""),
    ("category", "agents/decisions/names.md", "#", "\n## Initials\n\nIn capital letters.\n"),
)
for shape, path, level, more in DOCUMENTED:
    text = f"# Names\n\n#{level} {SORT.title}\n\n{SECTION}\n{more}"
    given = {path: text}
    change("lost", "a section documents it in part", shape, SORT, None, given=given, words=path)
# Archives of other tools.
TWO = (SHELL, PATCH)
LINES = "".join(
    json.dumps({"id": number, "archived": "2026-03-20", "text": part("timestamped", entry)}) + "\n"
    for number, entry in enumerate(TWO)
)
TOOLS = {
    ".context/learnings-archive.md": memory("timestamped", *TWO),
    ".context/archive/old.txt": memory("timestamped", *TWO),
    ".context/archive/2026.jsonl": LINES,
}
for path, text in TOOLS.items():
    files = {path: text}
    add("silent", f"to {path}", "timestamped", (POOL, *TWO), (POOL,), files=files, way="commit")
COPY = TOKENS.but("included, and our", "included; and our")
change("quiet", "archived with other punctuation", "heading", TOKENS, None, archived=(COPY,))
AT = beside("heading", ARCHIVE)
GIVEN = {AT: archive("heading", FLAGS, LIMIT)}
add("silent", "an archived entry brought back", "heading", (POOL,), (POOL, FLAGS), given=GIVEN)
change("silent", "staged", "bullet", INDEXES, None, archived=(INDEXES,), way="staged")
GIVEN = {AT: archive("heading", SHELL)}
