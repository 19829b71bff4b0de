"""Entries that stay and are edited in place: they pass, never in silence."""

from __future__ import annotations

from tests.gate.case import Table, put
from tests.gate.entries import (
    BATCH,
    CLOCK,
    FLAGS,
    ICONS,
    INDEXES,
    LIMIT,
    POOL,
    QUEUE,
    RECORDS,
    RETRY,
    SHELL,
    SORT,
    STEPS,
    TOKENS,
)

TABLE = Table("edits in place")
add, change = TABLE.add, TABLE.change

DOES_NOT = TOKENS.but("and our\nlog store keeps", "our store doesn't drop")
YES = SORT.but("let the database", "✅ let the database")
# name, shape, entry, what is edited, the words to show
SHOWN = (
    ("a negation dropped", "timestamped", CLOCK, "Do not mock", "Do mock", "not"),
    ("a number word", "heading", LIMIT, "three of those", "nine of those", "three nine"),
    ("a time of day", "journal", CLOCK, "22:00 UTC", "20:00 UTC", "22:00 20:00"),
    ("a unit", "heading", CLOCK, "22:00 UTC", "22:00 CET", "UTC CET"),
    ("a comment sign in a fence", "category", SHELL, "# git clean", "git clean", "# git"),
    ("a branch of a command", "identified", SHELL, "&& exit 1", "|| exit 1", "&& ||"),
    ("a person", "team", QUEUE, "Priya measured", "Paul measured", "Priya Paul"),
    ("a name of a product", "chapter", SORT, "Swedish customers", "Danish customers", "Danish"),
    ("a number in an item", "bullet", INDEXES, "11 minutes", "17 minutes", "11 17"),
    ("a negation in an item", "dated", RETRY, "stop if it is paid", "go on if not", "stop"),
    ("a day of the week in a row", "table", BATCH, "on Mondays", "on Sundays", "Mondays"),
    ("a number in a numbered item", "numbered", ICONS, "140 of", "14 of", "140 14"),
    ("a name in a pattern", "sections", BATCH, "Ines watches", "Inés watches", "Ines Inés"),
    ("a number in a paragraph", "paragraph", INDEXES, "11 minutes", "1 minute", "11 1"),
    ("a contraction", "timestamped", DOES_NOT, "doesn't drop", "does drop", "doesn't"),
    ("an emoji that says yes or no", "heading", YES, "✅", "❌", ""),
)
for name, shape, entry, old, new, words in SHOWN:
    change("shown", name, shape, entry, entry.but(old, new), words=words)
REWORDED = SORT.but(
    *("Sorting in Python compares code\npoints;", "Sorting by hand is slow there, so"),
    *("and keep the index on the same\ncollation", "and build another index that fits it"),
    *("each page of the list scans the table", "readers wait for every single page"),
)
change("shown", "a third of the words", "timestamped", SORT, REWORDED, words="compares slow")
DAYS = SORT.titled("Keep 30 days of audit logs")
FEWER = SORT.titled("Keep 90 days of audit logs")
change("shown", "the number of a title", "heading", DAYS, FEWER, "Keep 30 days", words="30 90")
SIZE = put(RECORDS, RECORDS[1], RECORDS[1].but("64 KB", "64 MB"))
add("shown", "a size in a record", "decision", RECORDS, SIZE, words="KB MB")

# Other words only: one line for all of them.
OWNER, DATE = "an owner and a date of removal", "a date of removal and an owner"
SAFE = QUEUE.but("make each", "make sure it is safe to repeat, and each")
SIGN, FIRST = "Sign with the new key and", "Publish the new public key beside the old one."
NAMED = (
    ("a synonym", "timestamped", SORT, "names in Ö stood", "names in Ö appeared"),
    ("two words exchanged", "category", FLAGS, OWNER, DATE),
    ("a word of a row", "table", INDEXES, "took the shop down", "brought the shop down"),
    ("unsafe for safe", "category", SAFE, "it is safe", "it is unsafe"),
    ("half of an item cut", "bullet", INDEXES, INDEXES.body.partition(";")[2], ""),
    ("half of a body cut", "timestamped", POOL, POOL.body.partition("\n\nRaise")[2], ""),
    ("a step taken out", "heading", STEPS, f"3. {SIGN} watch the rate of refused tokens.\n", ""),
    ("a sentence added", "timestamped", FLAGS, "same sprint.", "same sprint. Old flags hide bugs."),
)
for name, shape, entry, old, new in NAMED:
    change("named", name, shape, entry, entry.but(old, new))
EXCHANGED = STEPS.but(FIRST, "@", f"3. {SIGN}", f"3. {FIRST} Then", "@", f"{SIGN} go on.")
change("named", "two steps of an entry exchanged", "timestamped", STEPS, EXCHANGED)
OVER = put(RECORDS, RECORDS[1], RECORDS[1].but("Accepted", "Superseded"))
add("named", "the status of a record", "decision", RECORDS, OVER)
STRUCK = QUEUE.with_body(f"~~Superseded by the new broker~~\n\n{QUEUE.body}")
change("named", "marked as superseded", "timestamped", QUEUE, STRUCK)
BODY, _, REST = LIMIT.body.partition("\n\n")
GIVEN = (POOL.with_body(f"{POOL.body}\n\n{REST}"), SORT, LIMIT.with_body(BODY))
add("named", "a paragraph moved to another entry", "heading", (POOL, SORT, LIMIT), GIVEN)
add(
    *("named", "an entry edited in the index, as it was on disk", "timestamped", (SORT, QUEUE)),
    (SORT, QUEUE.but("is gone when", "disappears when")),
    way="staged",
    later=(SORT, QUEUE),
)
