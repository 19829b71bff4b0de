"""Entries that stay and are edited in place: they pass, never in silence."""

from __future__ import annotations

from tests.gate.case import Table
from tests.gate.entries import (
    BATCH,
    CACHE,
    CLOCK,
    FIXTURE,
    FLAGS,
    ICONS,
    INDEXES,
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
from tests.gate.shapes import Entry, memory

TABLE = Table("edits in place")

PUBLISH = "Publish the new public key beside the old one."
BREAK, COMMENT = "\n\n", "\n\n<!-- out of date\n"
SIGN = "Sign with the new key and watch the rate of refused tokens."

# shape, entry, what is edited, the words to show
SHOWN = (
    ("a negation dropped", "timestamped", CLOCK, "Do not mock", "Do mock", ("not",)),
    ("never made always", "heading", CACHE, "Never restore", "Always restore", ("Never", "Always")),
    ("without dropped", "identified", PATCH, "Without it", "With it", ("Without", "With")),
    ("a number changed", "timestamped", LIMIT, "allows 84", "allows 48", ("84", "48")),
    (
        "a number word",
        "heading",
        LIMIT,
        "three of those",
        "nine of those",
        ("three", "nine"),
    ),
    ("a share changed", "category", QUEUE, "0.3 %", "0.5 %", ("0.3", "0.5")),
    ("a time of day", "journal", CLOCK, "22:00 UTC", "20:00 UTC", ("22:00", "20:00")),
    ("a unit", "heading", CLOCK, "22:00 UTC", "22:00 CET", ("UTC", "CET")),
    ("a path", "heading", PROXY, "deploy/nginx/", "deploy/caddy/", ("nginx", "caddy")),
    ("a slash of a path", "identified", PROXY, "to `/v2/orders`", "to `v2/orders`", ("v2/orders",)),
    (
        "a flag in code",
        "timestamped",
        QUEUE,
        "acks_late=True",
        "acks_late=False",
        ("False",),
    ),
    ("an option in a fence", "heading", SHELL, "--channel beta", "--channel stable", ("stable",)),
    ("a sign in a fence", "timestamped", SHELL, "--depth -1", "--depth 1", ("-1", "1")),
    ("a comment sign in a fence", "category", SHELL, "# git clean", "git clean", ("# git",)),
    ("a branch of a command", "heading", SHELL, "&& exit 1", "|| exit 1", ("&&", "||")),
    ("a person", "team", QUEUE, "Priya measured", "Paul measured", ("Priya", "Paul")),
    ("a name of a product", "chapter", SORT, "Swedish customers", "Danish customers", ("Danish",)),
    ("a number in an item", "bullet", INDEXES, "11 minutes", "17 minutes", ("11", "17")),
    ("a negation in an item", "dated", RETRY, "stop if it is paid", "go on if not", ("stop",)),
    ("a number in a row", "table", FIXTURE, "16 days", "61 days", ("16", "61")),
    ("a day of the week in a row", "table", BATCH, "on Mondays", "on Sundays", ("Mondays",)),
    ("a number in a numbered item", "numbered", ICONS, "140 of", "14 of", ("140", "14")),
    ("a name in a pattern", "sections", BATCH, "Ines watches", "Inés watches", ("Ines", "Inés")),
    ("a number in a paragraph", "paragraph", INDEXES, "11 minutes", "1 minute", ("11", "1")),
    ("the step of a list", "timestamped", STEPS, "the second step", "the third step", ("third",)),
)
COMPANY = (POOL, TOKENS, FLAGS)
ITEMS = ("bullet", "dated", "table", "numbered", "sections", "paragraph")
for name, shape, entry, old, new, words in SHOWN:
    others = [one for one in (SHORT if shape in ITEMS else COMPANY) if one != entry]
    before, after = [*others[:2], entry, *others[2:]], entry.but((old, new))
    TABLE.shown(
        name,
        shape,
        memory(shape, *before),
        memory(shape, *others[:2], after, *others[2:]),
        entry.title,
        *words,
    )
LINKS = Entry(
    "Where the runbooks are",
    "The page [Failover](https://docs.example.org/runbooks/failover) explains who may switch; "
    "read [the checklist](runbooks/checklist.md) first, since the order of calls matters there.",
    16,
)
TABLE.shown(
    "the target of a link",
    "heading",
    memory("heading", POOL, LINKS),
    memory("heading", POOL, LINKS.but(("runbooks/failover", "runbooks/failback"))),
    LINKS.title,
    *("failover", "failback"),
)
TABLE.shown(
    "a third of the words",
    "timestamped",
    memory("timestamped", POOL, SORT, CACHE),
    memory(
        "timestamped",
        POOL,
        SORT.but(
            ("Sorting in Python compares code\npoints;", "Sorting by hand is slow there, so"),
            ("and keep the index on the same\ncollation", "and build another index that fits it"),
            ("each page of the list scans the table", "readers wait for every single page"),
        ),
        CACHE,
    ),
    SORT.title,
    *("compares", "slow"),
)
TABLE.shown(
    "the number of a title",
    "heading",
    memory("heading", POOL, SORT.titled("Keep 30 days of audit logs")),
    memory("heading", POOL, SORT.titled("Keep 90 days of audit logs")),
    "Keep 30 days",
    *("30", "90"),
)
TABLE.shown(
    "an emoji that says yes or no",
    "heading",
    memory("heading", POOL, SORT.but(("let the database", "✅ let the database"))),
    memory("heading", POOL, SORT.but(("let the database", "❌ let the database"))),
    SORT.title,
)

# Other words only: one line for all of them.
NAMED = (
    ("a synonym", "timestamped", SORT, "names in Ö stood", "names in Ö appeared"),
    ("a word added", "heading", TOKENS, "Filter the header", "Please filter the header"),
    (
        "two words exchanged",
        "category",
        FLAGS,
        "an owner and a date of removal",
        "a date of removal and an owner",
    ),
    ("a clause reworded", "identified", PROXY, "free of a path", "clear of paths"),
    ("a synonym in an item", "bullet", RETRY, "bills the customer", "charges the customer"),
    ("a word of a row", "table", INDEXES, "took the shop down", "brought the shop down"),
    ("a word of a heading item", "journal", FLAGS, "whoever owns one", "everyone with one"),
)
for name, shape, entry, old, new in NAMED:
    others = [one for one in (SHORT if shape in ITEMS else (POOL, CACHE, LIMIT)) if one != entry]
    TABLE.named(
        name,
        shape,
        memory(shape, *others, entry),
        memory(shape, *others, entry.but((old, new))),
        entry.title,
    )
TABLE.named(
    "three entries reworded, on one line",
    "timestamped",
    memory("timestamped", SORT, TOKENS, FLAGS, POOL),
    memory(
        "timestamped",
        SORT.but(("reported that", "complained that")),
        TOKENS.but(("rather than", "instead of")),
        FLAGS.but(("still costs", "yet costs")),
        POOL,
    ),
    *(SORT.title, TOKENS.title, FLAGS.title),
    mute=("complained",),
)
TABLE.named(
    "a sentence added",
    "timestamped",
    memory("timestamped", POOL, FLAGS),
    memory("timestamped", POOL, FLAGS.with_body(f"{FLAGS.body} Old flags hide real bugs.")),
    FLAGS.title,
)
TABLE.named(
    "a sentence moved to the end of its entry",
    "heading",
    memory("heading", POOL, CLOCK, SORT),
    memory(
        "heading",
        POOL,
        CLOCK.with_body(
            CLOCK.body.replace(" Freeze the clock at noon.", "") + " Freeze the clock at noon."
        ),
        SORT,
    ),
    CLOCK.title,
)
TABLE.named(
    "half of a body cut",
    "timestamped",
    memory("timestamped", CACHE, POOL),
    memory("timestamped", CACHE, POOL.with_body(POOL.body.partition("\n\nRaise")[0])),
    POOL.title,
)
TABLE.named(
    "half of the items of an entry cut",
    "identified",
    memory("identified", POOL, CACHE),
    memory("identified", POOL, CACHE.with_body("\n".join(CACHE.body.splitlines()[:5]))),
    CACHE.title,
)
TABLE.named(
    "half of an item cut",
    "bullet",
    memory("bullet", *SHORT),
    memory(
        "bullet", *SHORT[:2], INDEXES.with_body(INDEXES.body.partition(";")[0] + "."), *SHORT[3:]
    ),
    INDEXES.title,
)
TABLE.named(
    "a step of an entry taken out",
    "heading",
    memory("heading", POOL, STEPS),
    memory(
        "heading",
        POOL,
        STEPS.but((f"3. {SIGN}\n", "")),
    ),
    STEPS.title,
)
TABLE.named(
    "two steps of an entry exchanged",
    "timestamped",
    memory("timestamped", POOL, STEPS),
    memory(
        "timestamped",
        POOL,
        STEPS.but(
            (PUBLISH, "@"),
            (
                SIGN,
                PUBLISH,
            ),
            ("@", SIGN),
        ),
    ),
    STEPS.title,
)
TABLE.shown(
    "a size in a record",
    "decision",
    memory("decision", *RECORDS),
    memory("decision", RECORDS[0], RECORDS[1].but(("64 KB", "64 MB")), RECORDS[2]),
    RECORDS[1].title,
    *("KB", "MB"),
)
TABLE.named(
    "the status of a record",
    "decision",
    memory("decision", *RECORDS),
    memory("decision", RECORDS[0], RECORDS[1].but(("Accepted", "Superseded")), RECORDS[2]),
    RECORDS[1].title,
)
TABLE.shown(
    "a contraction",
    "timestamped",
    memory("timestamped", POOL, TOKENS.but(("and our\nlog store keeps", "our store doesn't drop"))),
    memory("timestamped", POOL, TOKENS.but(("and our\nlog store keeps", "our store does drop"))),
    TOKENS.title,
    "doesn't",
)
TABLE.shown(
    "capital letters in code",
    "heading",
    memory("heading", POOL, SHELL),
    memory("heading", POOL, SHELL.but(("--porcelain", "--PORCELAIN"))),
    SHELL.title,
    *("--porcelain", "--PORCELAIN"),
)
TABLE.shown(
    "a date",
    "identified",
    memory("identified", POOL, FLAGS.but(("same sprint.", "same sprint, by 2026-04-12."))),
    memory("identified", POOL, FLAGS.but(("same sprint.", "same sprint, by 2026-04-21."))),
    FLAGS.title,
    *("12", "21"),
)
TABLE.named(
    "marked as superseded",
    "timestamped",
    memory("timestamped", POOL, QUEUE),
    memory(
        "timestamped", POOL, QUEUE.with_body(f"~~Superseded by the new broker~~\n\n{QUEUE.body}")
    ),
    QUEUE.title,
)
TABLE.named(
    "a paragraph moved from one entry to another",
    "heading",
    memory("heading", POOL, SORT, LIMIT),
    memory(
        "heading",
        POOL.with_body(f"{POOL.body}\n\n{LIMIT.body.partition(BREAK)[2]}"),
        SORT,
        LIMIT.with_body(LIMIT.body.partition(BREAK)[0]),
    ),
    *(POOL.title, LIMIT.title),
)
TABLE.named(
    "half of a body in a comment",
    "timestamped",
    memory("timestamped", SORT, LIMIT),
    memory("timestamped", SORT, LIMIT.with_body(f"{LIMIT.body.replace(BREAK, COMMENT)}\n-->")),
    LIMIT.title,
)
TABLE.named(
    "code without its fence",
    "heading",
    memory("heading", SORT, POOL),
    memory("heading", SORT, POOL.but(("```python\n", ""), ("```\n\n", "\n"))),
    POOL.title,
)
TABLE.named(
    "unsafe for safe",
    "category",
    memory("category", SORT, QUEUE.but(("make each", "make sure it is safe to repeat, and each"))),
    memory(
        "category", SORT, QUEUE.but(("make each", "make sure it is unsafe to repeat, and each"))
    ),
    QUEUE.title,
)
TABLE.named(
    "an entry edited in the index, as it was on disk",
    "timestamped",
    memory("timestamped", SORT, QUEUE),
    memory("timestamped", SORT, QUEUE.but(("is gone when", "disappears when"))),
    QUEUE.title,
    way="staged",
    later=memory("timestamped", SORT, QUEUE),
)
