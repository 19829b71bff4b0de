"""Changes of layout, order and surroundings, which touch no word of an entry."""

from __future__ import annotations

import textwrap

from tests.gate.case import ITEMS, Table
from tests.gate.entries import (
    BATCH,
    CACHE,
    CLOCK,
    FIXTURE,
    FLAGS,
    FORMS,
    LIMIT,
    PATCH,
    POOL,
    QUEUE,
    RECORDS,
    RETRY,
    SHELL,
    SHORT,
    SORT,
    STEPS,
    TOKENS,
)
from tests.gate.shapes import Entry, edit, indented, memory

TABLE = Table("layout")
add, change = TABLE.add, TABLE.change

LONG = (POOL, CACHE, STEPS, SHELL, TOKENS)
PROSE = (CLOCK, FLAGS, QUEUE, SORT, TOKENS)
HEADINGS = ("timestamped", "identified", "heading", "category", "chapter", "journal", "team")
HEADING, BULLET = memory("heading", *LONG), memory("bullet", *SHORT)
PATTERNS = memory("sections", *SHORT)
TIMESTAMPED = memory("timestamped", *LONG)


def filled(entry: Entry, width: int) -> Entry:
    """Return an entry of plain paragraphs, filled to a width."""
    paragraphs = (textwrap.fill(" ".join(one.split()), width) for one in entry.body.split("\n\n"))
    return entry.with_body("\n\n".join(paragraphs))


WIDTHS = {40: "timestamped", 64: "heading", 1000: "identified", 25: "journal"}
for width, shape in WIDTHS.items():
    add("silent", "rewrapped", shape, PROSE, tuple(filled(entry, width) for entry in PROSE))
add("silent", "rewrapped", "bullet", SHORT, tuple(filled(entry, 50) for entry in SHORT))
for shape in (*HEADINGS, *ITEMS):
    entries = SHORT if shape in ITEMS else FORMS if shape == "chapter" else LONG
    add("silent", "an entry added", shape, entries[:-1], entries)
    windows = memory(shape, *entries).replace("\n", "\r\n")
    if shape in {"timestamped", "bullet", "table", "category", "paragraph"}:
        add("silent", "Windows line ends", shape, entries, windows)
add("silent", "newest first", "timestamped heading category journal", LONG, LONG[::-1])
add("silent", "newest first", "bullet table sections", SHORT, SHORT[::-1])
add("silent", "an entry added above all others", "heading", LONG, (FLAGS, *LONG))
LISTED = (CACHE, POOL, LIMIT)
STARS = memory("heading", *LISTED).replace("\n- ", "\n* ")
add("silent", "stars as list marks", "heading", LISTED, STARS)
ROUND_STEPS = STEPS.but(*(p for n in "1234" for p in (f"\n{n}. ", f"\n{n}) ")))
FORMATTED = str.maketrans({sign: f"\\{sign}" for sign in "[]_:~"} | {"&": "&amp;", "<": "&lt;"})
for shape in ("timestamped", "identified", "bullet", "journal"):
    parts = enumerate(memory(shape, *PROSE).split("`"))
    escaped = "`".join(part if n % 2 else part.translate(FORMATTED) for n, part in parts)
    add("silent", "signs escaped by a formatter", shape, PROSE, escaped)
    add("silent", "signs not escaped any more", shape, escaped, PROSE)
change("quiet", "parentheses behind the numbers of a list", "timestamped", STEPS, ROUND_STEPS)
FENCE = "```diff" + PATCH.body.partition("```diff")[2].rpartition("\n\n")[0]
INDENTED = PATCH.but(FENCE, indented(FENCE, "  "))
change("silent", "a fence indented with its code", "heading", PATCH, INDENTED)
TEXTS = {
    "more blank lines": HEADING.replace("\n\n## ", "\n\n\n\n## "),
    "no newline at the end, a byte order mark": "\ufeff" + HEADING.rstrip("\n"),
    "rules between the entries": HEADING.replace("\n\n## ", "\n\n---\n\n## "),
    "front matter added": f"---\nowner: platform\nreviewed: 2026-03-21\n---\n\n{HEADING}",
}
for name, text in TEXTS.items():
    add("silent", name, "heading", LONG, text)
HEAD = "# What we have learned\n\nNewest last. Ask Noor before you prune it.\n"
NEW_HEAD = TIMESTAMPED.replace("# Learnings\n", HEAD)
add("silent", "the introduction rewritten", "timestamped", LONG, NEW_HEAD)
add("silent", "time stamps added to headings", "timestamped", HEADING, LONG)
add("silent", "headings one level down under categories", "category", HEADING, LONG)
add("quiet", "items made headings", "heading", BULLET, SHORT)
LOG = f"{PATTERNS}\n## 2026-03-20 10:00 - US-002\n- Sorted the orders\n---\n"
add("silent", "the log below the patterns grows", "sections", SHORT, LOG)
add("silent", "nothing changed", "timestamped", LONG, {})
TWO = (RETRY, FIXTURE)
add("silent", "an entry added and staged", "table", TWO, (*TWO, BATCH), way="staged")
SETTINGS = {"learnings.toml": "coverage = 0.6\nline-limit = 300\n"}
add("silent", "settings changed", "heading", LONG, SETTINGS)
ROWS = [f"| 2026-03-{entry.day:02} | {entry.title} |\n" for entry in LONG]
BLOCK = "# Learnings\n\n<!-- INDEX:START -->\n| Date | Entry |\n|---|---|\n{}<!-- INDEX:END -->\n"
BEFORE, AFTER = (
    edit(TIMESTAMPED, "# Learnings\n", BLOCK.format("".join(rows))) for rows in (ROWS[:3], ROWS)
)
add("silent", "the index block of the file written anew", "timestamped", BEFORE, AFTER)
SAME = (POOL, QUEUE.titled(POOL.title), TOKENS)
add("silent", "the same title in another order", "heading", SAME, SAME[::-1])
TWICE = (POOL, TOKENS, POOL)
add("quiet", "an entry that stood there twice, once", "heading", TWICE, TWICE[:2])
add("silent", "a record added", "decision", RECORDS[:2], RECORDS)
