"""Changes of layout, order and surroundings, which touch no word of an entry."""

from __future__ import annotations

import textwrap

from tests.gate.case import Table
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
    PROXY,
    QUEUE,
    RECORDS,
    RETRY,
    SHELL,
    SHORT,
    SORT,
    STEPS,
    TOKENS,
)
from tests.gate.shapes import SHAPES, Entry, edit, indented, memory, part, path_of

TABLE = Table("layout")

LONG = (POOL, CACHE, STEPS, SHELL, TOKENS)
PROSE = (CLOCK, PROXY, QUEUE, SORT, TOKENS)
NAMES = ("timestamped", "identified", "heading", "category", "chapter", "journal", "team")
ROWS = ("bullet", "dated", "numbered", "table", "sections", "paragraph")


def entries_for(shape: str) -> tuple[Entry, ...]:
    """Return entries that make sense in a file of this shape."""
    if shape in ROWS:
        return SHORT
    return FORMS if shape == "chapter" else LONG


def filled(entry: Entry, width: int) -> Entry:
    """Return an entry of plain paragraphs, filled to a width."""
    paragraphs = (textwrap.fill(" ".join(one.split()), width) for one in entry.body.split("\n\n"))
    return entry.with_body("\n\n".join(paragraphs))


for width, shape in ((40, "timestamped"), (64, "heading"), (1000, "identified"), (25, "journal")):
    TABLE.silent(
        f"rewrapped at {width}, {shape}",
        shape,
        memory(shape, *PROSE),
        memory(shape, *(filled(entry, width) for entry in PROSE)),
    )
TABLE.silent(
    "rewrapped items",
    "bullet",
    memory("bullet", *SHORT),
    memory("bullet", *(filled(entry, 50) for entry in SHORT)),
)
for shape in ("timestamped", "bullet", "table", "category", "paragraph"):
    entries = entries_for(shape)
    TABLE.silent(
        f"Windows line ends, {shape}",
        shape,
        memory(shape, *entries),
        memory(shape, *entries).replace("\n", "\r\n"),
    )
for shape in (*NAMES, *ROWS):
    entries = entries_for(shape)
    last = len(entries) - 1
    TABLE.silent(
        f"an entry added, {shape}",
        shape,
        memory(shape, *entries[:last]),
        memory(shape, *entries),
    )
for shape in ("timestamped", "heading", "category", "journal", "bullet", "table", "sections"):
    entries = entries_for(shape)
    TABLE.silent(
        f"newest first, {shape}", shape, memory(shape, *entries), memory(shape, *entries[::-1])
    )
TABLE.silent(
    "an entry added above all others",
    "heading",
    memory("heading", *LONG),
    memory("heading", FLAGS, *LONG),
)
QUOTED = QUEUE.with_body(
    "It's \"late\" acknowledgement that matters - a job isn't done before it ran -- and the "
    "broker's manual says so, 'in small print', on page 9..."
)
CURLY = QUEUE.with_body(
    "It’s “late” acknowledgement that matters – a job isn’t done before it ran — and the "
    "broker’s manual says so, ‘in small print’, on page 9…"
)
TABLE.silent(
    "curly quotes and long dashes",
    "timestamped",
    memory("timestamped", POOL, QUOTED.but(("page 9...", "page 9."))),
    memory("timestamped", POOL, CURLY.but(("page 9…", "page 9."))),
)
TABLE.quiet(
    "straight quotes and an ellipsis",
    "heading",
    memory("heading", CURLY),
    memory("heading", QUOTED),
)
TABLE.silent(
    "stars as list marks",
    "heading",
    memory("heading", CACHE, POOL, LIMIT),
    memory("heading", CACHE, POOL, LIMIT).replace("\n- ", "\n* "),
)
TABLE.silent(
    "plus signs as list marks",
    "bullet",
    memory("bullet", *SHORT),
    memory("bullet", *SHORT).replace("\n- ", "\n+ "),
)
TABLE.quiet(
    "parentheses behind the numbers of a list",
    "timestamped",
    memory("timestamped", STEPS, POOL),
    edit(memory("timestamped", STEPS, POOL), *((f"\n{n}. ", f"\n{n}) ") for n in (1, 2, 3, 4))),
)
TABLE.silent(
    "a list indented by two",
    "identified",
    memory("identified", CACHE, POOL),
    edit(
        memory("identified", CACHE, POOL),
        (CACHE.body.partition("\n\n")[2], indented(CACHE.body.partition("\n\n")[2], "  ")),
    ),
)
TABLE.silent(
    "a fence indented with its code",
    "heading",
    memory("heading", POOL, PATCH),
    edit(
        memory("heading", POOL, PATCH),
        (
            "```diff" + PATCH.body.partition("```diff")[2].rpartition("```")[0] + "```",
            indented("```diff" + PATCH.body.partition("```diff")[2].rpartition("```")[0], "  ")
            + "  ```",
        ),
    ),
)
TABLE.silent(
    "more blank lines",
    "heading",
    memory("heading", *LONG),
    memory("heading", *LONG).replace("\n\n## ", "\n\n\n\n## "),
)
TABLE.silent(
    "no blank lines below headings",
    "timestamped",
    memory("timestamped", *PROSE),
    "".join(
        memory("timestamped")
        + "".join(part("timestamped", entry).replace("\n\n", "\n", 1) for entry in PROSE)
    ),
)
TABLE.silent(
    "blanks at the ends of lines removed",
    "bullet",
    memory("bullet", *SHORT).replace(";", ";  \n "),
    memory("bullet", *SHORT).replace(";", ";\n "),
)
TABLE.silent(
    "no newline at the end, a byte order mark at the beginning",
    "heading",
    memory("heading", *LONG),
    "\ufeff" + memory("heading", *LONG).rstrip("\n"),
)
TABLE.silent(
    "rules between the entries",
    "heading",
    memory("heading", *LONG),
    memory("heading", *LONG).replace("\n\n## ", "\n\n---\n\n## "),
)
TABLE.silent(
    "the introduction rewritten",
    "timestamped",
    memory("timestamped", *LONG),
    memory("timestamped", *LONG).replace(
        "# Learnings\n", "# What we have learned\n\nNewest last. Ask Noor before you prune it.\n"
    ),
)
TABLE.silent(
    "front matter added",
    "heading",
    memory("heading", *LONG),
    f"---\nowner: platform\nreviewed: 2026-03-21\n---\n\n{memory('heading', *LONG)}",
)
TABLE.silent(
    "a comment between two entries",
    "bullet",
    memory("bullet", *SHORT),
    edit(memory("bullet", *SHORT), ("# Lessons\n\n", "# Lessons\n\n<!-- newest last -->\n\n")),
)
TABLE.silent(
    "categories added",
    "category",
    memory("category", *LONG),
    edit(memory("category", *LONG), (f"### {STEPS.title}", f"## Security\n\n### {STEPS.title}")),
)
TABLE.silent(
    "time stamps added to headings",
    "timestamped",
    {path_of("timestamped"): memory("heading", *LONG)},
    memory("timestamped", *LONG),
)
TABLE.silent(
    "headings one level down under categories",
    "category",
    {path_of("category"): memory("heading", *LONG)},
    memory("category", *LONG),
)
TABLE.silent(
    "ids in place of time stamps",
    "identified",
    {path_of("identified"): memory("timestamped", *PROSE)},
    memory("identified", *PROSE),
)
TABLE.quiet(
    "items made headings",
    "heading",
    {path_of("heading"): memory("bullet", *SHORT)},
    memory("heading", *SHORT),
)
TABLE.silent(
    "an item list numbered",
    "numbered",
    {path_of("numbered"): memory("bullet", *SHORT)},
    memory("numbered", *SHORT),
)
TABLE.silent(
    "the columns of a table aligned",
    "table",
    memory("table", *SHORT),
    memory("table", *SHORT).replace(f"{RETRY.title} |", f"{RETRY.title}        |"),
)
TABLE.silent(
    "the log below the patterns grows",
    "sections",
    memory("sections", *SHORT),
    memory("sections", *SHORT) + "\n## 2026-03-20 10:00 - US-002\n- Sorted the orders\n---\n",
)
TABLE.silent(
    "another file changed",
    "heading",
    {path_of("heading"): memory("heading", *LONG), "README.md": "# Shop\n"},
    {"README.md": "# Shop\n\nSells things.\n", "src/shop.py": "LIMIT = 84\n"},
)
TABLE.silent("nothing changed", "timestamped", memory("timestamped", *LONG), {})
TABLE.silent(
    "the same staged",
    "table",
    memory("table", RETRY, FIXTURE),
    memory("table", RETRY, FIXTURE, BATCH),
    way="staged",
)
TABLE.silent(
    "a second memory begun",
    "heading",
    memory("heading", *LONG),
    {path_of("bullet"): memory("bullet", *SHORT)},
)
TABLE.silent(
    "settings changed",
    "heading",
    memory("heading", *LONG),
    {"learnings.toml": "coverage = 0.6\nline-limit = 300\n"},
)
TABLE.silent(
    "a form without entries filled in",
    "category",
    SHAPES["category"].head + "_(no entries yet)_\n",
    memory("category", *LONG),
)
BLOCK = "<!-- INDEX:START -->\n| Date | Entry |\n|---|---|\n{}<!-- INDEX:END -->\n"
INDEX_ROWS = [f"| 2026-03-{entry.day:02} | {entry.title} |\n" for entry in LONG]


def with_block(*rows: str) -> str:
    """Return a memory with an index of its entries at its top."""
    block = BLOCK.format("".join(rows))
    return memory("timestamped", *LONG).replace("# Learnings\n", f"# Learnings\n\n{block}", 1)


TABLE.silent(
    "the index block of the file written anew",
    "timestamped",
    with_block(*INDEX_ROWS[:3]),
    with_block(*INDEX_ROWS),
)
TABLE.silent(
    "entries of the same title in another order",
    "heading",
    memory("heading", POOL, QUEUE.titled(POOL.title), TOKENS),
    memory("heading", TOKENS, QUEUE.titled(POOL.title), POOL),
)
TABLE.quiet(
    "an entry that stood there twice word for word, once",
    "heading",
    memory("heading", POOL, TOKENS, POOL),
    memory("heading", POOL, TOKENS),
)
TABLE.silent(
    "deleted on disk after everything was staged",
    "timestamped",
    memory("timestamped", *PROSE),
    memory("timestamped", *PROSE, FLAGS),
    way="staged",
    later=memory("timestamped", *PROSE[:2]),
)
TABLE.silent(
    "a record added, the others as they were",
    "decision",
    memory("decision", *RECORDS[:2]),
    memory("decision", *RECORDS),
)
