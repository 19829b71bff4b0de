"""Honest consolidations: what leaves is word for word elsewhere, or documented there."""

from __future__ import annotations

import json

from tests.gate.case import Table
from tests.gate.entries import (
    CACHE,
    CLOCK,
    FLAGS,
    INDEXES,
    LIMIT,
    PATCH,
    POOL,
    PROXY,
    QUEUE,
    SHELL,
    SHORT,
    SORT,
    STEPS,
    TOKENS,
)
from tests.gate.shapes import SHAPES, Entry, archive, memory, part, path_of

TABLE = Table("moves")

ARCHIVE = "archive/learnings-consolidated-2026-03-20.md"
TARGET = "agents/decisions/operations.md"
TARGET_TEXT = "# Operations\n\n## Nightly jobs\n\nThey start at two and take an hour.\n\n"
LONG = (POOL, QUEUE, SHELL, PATCH)
SECTION = (
    "The database sorts names with the collation of the tenant, since Swedish customers reported "
    "that names in Ö stood before those in P: Python compares code points. The index has the same "
    "collation, or each page of the list scans the table."
)


def beside(shape: str, name: str) -> str:
    """Return the path of a file beside the memory of a shape."""
    return f"{path_of(shape).rpartition('/')[0]}/{name}".lstrip("/")


for shape in ("timestamped", "identified", "heading", "category", "journal", "team"):
    TABLE.silent(
        f"archived, {shape}",
        shape,
        memory(shape, *LONG),
        {
            path_of(shape): memory(shape, *LONG[:2]),
            beside(shape, ARCHIVE): archive(*(part(shape, entry) for entry in LONG[2:])),
        },
        way="commit",
    )
for shape in ("bullet", "dated", "numbered", "table", "sections"):
    TABLE.silent(
        f"archived, {shape}",
        shape,
        memory(shape, *SHORT),
        {
            path_of(shape): memory(shape, *SHORT[:3]),
            beside(shape, ARCHIVE): archive(*(part(shape, entry) for entry in SHORT[3:])),
        },
        way="commit",
    )
MERGED = Entry(
    "Jobs and releases (consolidated)",
    "**Consolidated from**: 2 entries (2026-03-05 to 2026-03-07)\n\n"
    "- Acknowledge a job after it ran, and make handlers idempotent.\n"
    "- The release script tags a dirty tree: look at it first.",
    20,
)
TABLE.silent(
    "merged into one entry, the originals archived",
    "timestamped",
    memory("timestamped", POOL, QUEUE, SHELL, CACHE),
    {
        path_of("timestamped"): memory("timestamped", POOL, CACHE, MERGED),
        beside("timestamped", ARCHIVE): archive(
            part("timestamped", QUEUE), part("timestamped", SHELL), group="Group: Jobs and releases"
        ),
    },
    way="commit",
)
TABLE.silent(
    "dropped with a reason, the originals archived",
    "heading",
    memory("heading", POOL, FLAGS, CACHE),
    {
        path_of("heading"): memory("heading", POOL, CACHE),
        beside("heading", ARCHIVE): archive(
            part("heading", FLAGS), group="Dropped: the flag service is gone"
        ),
    },
    way="commit",
)
TABLE.quiet(
    "merged into an entry that says nearly all",
    "heading",
    memory("heading", POOL, QUEUE, SORT),
    memory("heading", POOL, QUEUE)
    + f"## Names in lists (consolidated)\n\n- {SECTION}\n- Show initials in capital letters.\n",
)
TABLE.quiet(
    "a target says nearly all since",
    "timestamped",
    memory("timestamped", POOL, QUEUE, SORT),
    {
        path_of("timestamped"): memory("timestamped", POOL, QUEUE),
        TARGET: f"{TARGET_TEXT}## Order of names\n\n{SECTION}\n",
    },
)
for shape, entry in (("timestamped", SHELL), ("heading", STEPS), ("category", PATCH)):
    TABLE.silent(
        f"moved to a target, {shape}",
        shape,
        {path_of(shape): memory(shape, POOL, entry, TOKENS), TARGET: TARGET_TEXT},
        {
            path_of(shape): memory(shape, POOL, TOKENS),
            TARGET: f"{TARGET_TEXT}### {entry.title}\n\n{entry.body}\n",
        },
    )
TABLE.silent(
    "moved to another memory",
    "heading",
    memory("heading", *LONG),
    {
        path_of("heading"): memory("heading", *LONG[:2]),
        ".context/LEARNINGS.md": memory("timestamped", *LONG[2:]),
    },
)
TABLE.silent(
    "the file renamed",
    "identified",
    memory("identified", *LONG),
    {path_of("identified"): None, "docs/learnings.md": memory("identified", *LONG)},
)
TABLE.silent(
    "split by topic, a file for each entry",
    "heading",
    memory("heading", *LONG),
    {
        path_of("heading"): memory("heading"),
        **{
            f"agents/decisions/{n}.md": f"# Topic {n}\n\n{part('heading', entry)}"
            for n, entry in enumerate(LONG)
        },
    },
)
TABLE.silent(
    "moved and rewrapped, with other list marks and quotes",
    "timestamped",
    memory("timestamped", POOL, CACHE),
    {
        path_of("timestamped"): memory("timestamped", POOL),
        TARGET: TARGET_TEXT
        + part("heading", CACHE)
        .replace("\n- ", "\n* ")
        .replace("lock\nfile can", "lock file\ncan"),
    },
)
COMPANIONS = {
    "a wiki page": ("docs/wiki/names.md", f"# Names\n\n{part('heading', SORT)}"),
    "the instructions of agents": ("AGENTS.md", f"# Agents\n\n{part('heading', SORT)}"),
    "a target": (TARGET, TARGET_TEXT + part("heading", SORT)),
    "another memory": ("docs/lessons-learned.md", memory("heading", SORT, CLOCK)),
    "an old archive": ("agents/archive/2025.md", archive(part("heading", SORT))),
}
for where, (path, text) in COMPANIONS.items():
    TABLE.silent(
        f"dropped, since {where} had it word for word before",
        "heading",
        {path_of("heading"): memory("heading", POOL, SORT, CACHE), path: text},
        {path_of("heading"): memory("heading", POOL, CACHE)},
    )
DOCUMENTED = (
    ("heading", "agents/decisions/names.md", f"# Names\n\n## {SORT.title}\n\n{SECTION}\n"),
    ("timestamped", "docs/database.md", f"# Database\n\n### {SORT.title}\n\n{SECTION}\n"),
    (
        "category",
        "agents/decisions/names.md",
        f"# Names\n\n## {SORT.title}\n\n{SECTION}\n\n## Initials\n\nIn capital letters.\n",
    ),
)
for shape, path, text in DOCUMENTED:
    TABLE.shown(
        f"dropped, since a section of the same heading documents it, {shape}",
        shape,
        {path_of(shape): memory(shape, POOL, SORT, CACHE), path: text},
        {path_of(shape): memory(shape, POOL, CACHE)},
        SORT.title,
        path,
    )
# Archives of other tools.
LINES = "".join(
    json.dumps({"id": number, "archived": "2026-03-20", "text": part("timestamped", entry)}) + "\n"
    for number, entry in enumerate((SHELL, PATCH))
)
BODIES = "".join(
    json.dumps({"title": entry.title, "content": entry.body}, ensure_ascii=False) + "\n"
    for entry in (SHELL, PATCH)
)
TOOLS = {
    "a file named archive": (".context/learnings-archive.md", memory("timestamped", SHELL, PATCH)),
    "a folder named archive": ("archive/2026/q1.md", memory("timestamped", SHELL, PATCH)),
    "a text file in an archive": (".context/archive/old.txt", memory("timestamped", SHELL, PATCH)),
    "JSON lines with the text": (".context/archive/2026.jsonl", LINES),
    "JSON lines with title and body": (".context/learnings-archive.jsonl", BODIES),
}
for what, (path, text) in TOOLS.items():
    TABLE.silent(
        f"archived by another tool in {what}",
        "timestamped",
        memory("timestamped", POOL, SHELL, PATCH),
        {path_of("timestamped"): memory("timestamped", POOL), path: text},
        way="commit",
    )
TABLE.quiet(
    "archived with other punctuation",
    "heading",
    memory("heading", POOL, TOKENS),
    {
        path_of("heading"): memory("heading", POOL),
        beside("heading", ARCHIVE): archive(
            part("heading", TOKENS.but(("included, and our", "included; and our")))
        ),
    },
    way="commit",
)
TABLE.silent(
    "an archived entry brought back",
    "heading",
    {
        path_of("heading"): memory("heading", POOL),
        beside("heading", ARCHIVE): archive(part("heading", PROXY), part("heading", LIMIT)),
    },
    memory("heading", POOL, PROXY),
)
TABLE.silent(
    "archived and the archive in the index of git",
    "bullet",
    memory("bullet", *SHORT),
    {
        path_of("bullet"): memory("bullet", *SHORT[:2], *SHORT[3:]),
        beside("bullet", ARCHIVE): archive(part("bullet", INDEXES)),
    },
    way="staged",
)
TABLE.silent(
    "a second archive file joined to the first",
    "timestamped",
    {
        path_of("timestamped"): memory("timestamped", POOL),
        ".context/archive/a.md": archive(part("timestamped", SHELL)),
        ".context/archive/b.md": archive(part("timestamped", SORT)),
    },
    {
        ".context/archive/a.md": archive(part("timestamped", SHELL), part("timestamped", SORT)),
        ".context/archive/b.md": None,
    },
)
TABLE.silent(
    "the last entry archived, an empty table left",
    "table",
    memory("table", *SHORT[:1]) + f"\n## Rules\n\n{SHAPES['table'].head.partition(chr(10) * 2)[2]}",
    {
        path_of("table"): memory("table"),
        beside("table", ARCHIVE): archive(part("table", SHORT[0])),
    },
    way="commit",
)
TABLE.silent(
    "a second batch in the archive of the day",
    "heading",
    {
        path_of("heading"): memory("heading", POOL, QUEUE, SORT),
        beside("heading", ARCHIVE): archive(part("heading", SHELL)),
    },
    {
        path_of("heading"): memory("heading", POOL),
        beside("heading", ARCHIVE): archive(part("heading", SHELL))
        + f"## Group: Jobs\n\n{part('heading', QUEUE)}{part('heading', SORT)}",
    },
    way="commit",
)
TABLE.silent(
    "the introduction of an archive rewritten",
    "heading",
    {
        path_of("heading"): memory("heading", POOL),
        beside("heading", ARCHIVE): archive(part("heading", SHELL)),
    },
    {
        beside("heading", ARCHIVE): archive(part("heading", SHELL)).replace(
            "Originals, word for word.", "Originals of the first quarter; do not edit."
        )
    },
)
TABLE.silent(
    "a target file edited",
    "heading",
    {path_of("heading"): memory("heading", POOL, SORT), TARGET: TARGET_TEXT},
    {TARGET: TARGET_TEXT.replace("at two", "at four")},
)
