"""Merges that keep less than the two sides had, and merges that may."""

from __future__ import annotations

from tests.gate.case import Table
from tests.gate.entries import (
    CACHE,
    CLOCK,
    EXPORTER,
    FLAGS,
    IMPORTER,
    LIMIT,
    POOL,
    QUEUE,
    SEARCH,
    SHORT,
    SORT,
    STEPS,
    TOKENS,
    WEBHOOK,
)
from tests.gate.shapes import archive, folder, memory, part, path_of, topic_path

TABLE = Table("merges")

ARCHIVE = ".context/archive/learnings-consolidated-2026-03-20.md"
BASE = (POOL, QUEUE, SORT)
TABLE.lost(
    "the other side's new entry left out",
    "timestamped",
    memory("timestamped", *BASE),
    memory("timestamped", *BASE, CLOCK),
    TOKENS.title,
    way="merge",
    ours=memory("timestamped", *BASE, CLOCK),
    theirs=memory("timestamped", *BASE, TOKENS),
)
TABLE.lost(
    "our new entry overwritten by theirs",
    "heading",
    memory("heading", *BASE),
    memory("heading", *BASE, TOKENS),
    CLOCK.title,
    way="merge",
    ours=memory("heading", *BASE, CLOCK),
    theirs=memory("heading", *BASE, TOKENS),
)
TABLE.lost(
    "an old entry that both sides kept",
    "category",
    memory("category", *BASE),
    memory("category", POOL, SORT, CLOCK, TOKENS),
    QUEUE.title,
    way="merge",
    ours=memory("category", *BASE, CLOCK),
    theirs=memory("category", *BASE, TOKENS),
)
TABLE.lost(
    "half of a reset carried into the merge",
    "timestamped",
    memory("timestamped", *BASE),
    {
        path_of("timestamped"): memory("timestamped", POOL, CLOCK),
        ARCHIVE: archive(part("timestamped", QUEUE)),
    },
    SORT.title,
    way="merge",
    ours=memory("timestamped", *BASE, CLOCK),
    theirs={
        path_of("timestamped"): memory("timestamped", POOL),
        ARCHIVE: archive(part("timestamped", QUEUE), part("timestamped", SORT)),
    },
)
FORMED = (IMPORTER, SEARCH, EXPORTER)
TABLE.lost(
    "two new entries on one form, one of them kept",
    "timestamped",
    memory("timestamped", *FORMED[:2]),
    memory("timestamped", *FORMED[:2], WEBHOOK),
    EXPORTER.title,
    way="merge",
    ours=memory("timestamped", *FORMED),
    theirs=memory("timestamped", *FORMED[:2], WEBHOOK),
)
TABLE.lost(
    "an old entry on the form replaced by theirs",
    "identified",
    memory("identified", *FORMED),
    memory("identified", IMPORTER, EXPORTER, WEBHOOK),
    *(SEARCH.title, FLAGS.title),
    way="merge",
    ours=memory("identified", *FORMED, FLAGS),
    theirs=memory("identified", *FORMED, WEBHOOK),
)
TABLE.lost(
    "an item of their list left out",
    "bullet",
    memory("bullet", *SHORT[:3]),
    memory("bullet", *SHORT[:4]),
    SHORT[4].title,
    way="merge",
    ours=memory("bullet", *SHORT[:4]),
    theirs=memory("bullet", *SHORT[:3], SHORT[4]),
)
TABLE.lost(
    "a row of their table left out",
    "table",
    memory("table", *SHORT[:3]),
    memory("table", *SHORT[:4]),
    SHORT[4].title,
    way="merge",
    ours=memory("table", *SHORT[:4]),
    theirs=memory("table", *SHORT[:3], SHORT[4]),
)
TABLE.lost(
    "a topic file of theirs removed by the merge",
    "folder",
    folder(POOL, CLOCK),
    folder(POOL, CLOCK) | {topic_path(STEPS): None},
    topic_path(STEPS),
    way="merge",
    ours={"README.md": "# Orders\n"},
    theirs=folder(POOL, CLOCK, STEPS),
    also=(f"[{STEPS.title}]",),
)
TABLE.lost(
    "the body of a conflict left out",
    "heading",
    memory("heading", *BASE),
    memory("heading", POOL, QUEUE.with_body(""), SORT),
    QUEUE.title,
    way="merge",
    ours=memory("heading", POOL, QUEUE.but(("0.3 %", "0.4 %")), SORT),
    theirs=memory("heading", POOL, QUEUE.but(("Priya", "Noor")), SORT),
)
TABLE.shown(
    "a number that neither side had",
    "timestamped",
    memory("timestamped", *BASE),
    memory("timestamped", POOL, QUEUE.but(("0.3 %", "0.7 %")), SORT, CLOCK, TOKENS),
    QUEUE.title,
    *("0.3", "0.7"),
    way="merge",
    ours=memory("timestamped", *BASE, CLOCK),
    theirs=memory("timestamped", *BASE, TOKENS),
)
TABLE.silent(
    "both sides' new entries",
    "timestamped",
    memory("timestamped", *BASE),
    memory("timestamped", *BASE, CLOCK, TOKENS),
    way="merge",
    ours=memory("timestamped", *BASE, CLOCK),
    theirs=memory("timestamped", *BASE, TOKENS),
)
TABLE.silent(
    "both sides' new entries on one form",
    "heading",
    memory("heading", *FORMED[:2]),
    memory("heading", *FORMED, WEBHOOK),
    way="merge",
    ours=memory("heading", *FORMED),
    theirs=memory("heading", *FORMED[:2], WEBHOOK),
)
TABLE.silent(
    "archived on their side, another added on ours",
    "timestamped",
    memory("timestamped", *BASE),
    {
        path_of("timestamped"): memory("timestamped", POOL, CLOCK),
        ARCHIVE: archive(part("timestamped", QUEUE), part("timestamped", SORT)),
    },
    way="merge",
    ours=memory("timestamped", *BASE, CLOCK),
    theirs={
        path_of("timestamped"): memory("timestamped", POOL),
        ARCHIVE: archive(part("timestamped", QUEUE), part("timestamped", SORT)),
    },
)
TABLE.silent(
    "the same entry added on both sides",
    "identified",
    memory("identified", *BASE),
    memory("identified", *BASE, LIMIT),
    way="merge",
    ours=memory("identified", *BASE, LIMIT),
    theirs=memory("identified", *BASE, LIMIT),
)
TABLE.silent(
    "rows of both sides",
    "table",
    memory("table", *SHORT[:3]),
    memory("table", *SHORT),
    way="merge",
    ours=memory("table", *SHORT[:4]),
    theirs=memory("table", *SHORT[:3], SHORT[4]),
)
TABLE.silent(
    "topic files of both sides",
    "folder",
    folder(POOL, CLOCK),
    folder(POOL, CLOCK, STEPS, CACHE),
    way="merge",
    ours=folder(POOL, CLOCK, CACHE),
    theirs=folder(POOL, CLOCK, STEPS),
)
TABLE.silent(
    "a merge that concerns other files",
    "bullet",
    memory("bullet", *SHORT),
    {"README.md": "# Shop\n", "src/shop.py": "print('shop')\n"},
    way="merge",
    ours={"README.md": "# Shop\n"},
    theirs={"src/shop.py": "print('shop')\n"},
)
