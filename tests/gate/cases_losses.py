"""Entries that are gone, emptied or overwritten, in every shape."""

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
from tests.gate.shapes import Entry, memory, path_of

TABLE = Table("losses")

LONG = (POOL, QUEUE, PROXY, TOKENS)
FIELDS = tuple(
    entry.with_body(f"**Learning:** {' '.join(entry.body.split())}\n**Action:** {action}")
    for entry, action in (
        (CLOCK, "Use the fixture `frozen_noon` wherever an invoice is written."),
        (QUEUE, "Ask in the review of each new handler which key makes it idempotent."),
        (SORT, "Add the tenant's collation to the list of things that a new index needs."),
    )
)

for shape in ("timestamped", "identified", "heading", "category", "team"):
    TABLE.lost(
        f"one entry deleted, {shape}",
        shape,
        memory(shape, *LONG),
        memory(shape, POOL, PROXY, TOKENS),
        QUEUE.title,
    )
for shape in ("bullet", "dated", "numbered", "table", "sections", "paragraph"):
    TABLE.lost(
        f"one entry deleted, {shape}",
        shape,
        memory(shape, *SHORT),
        memory(shape, RETRY, FIXTURE, BATCH, ICONS),
        INDEXES.title,
    )
TABLE.lost(
    "one record deleted, decision",
    "decision",
    memory("decision", *RECORDS),
    memory("decision", *RECORDS[:2]),
    RECORDS[2].title,
)
for shape in ("chapter", "journal"):
    TABLE.lost(
        f"one entry deleted, {shape}",
        shape,
        memory(shape, *FIELDS),
        memory(shape, *FIELDS[:2]),
        SORT.title,
    )
TABLE.lost(
    "the first entry deleted with the introduction of the file",
    "timestamped",
    memory("timestamped", *LONG),
    memory("timestamped", *LONG[1:]).removeprefix("# Learnings\n\n"),
    POOL.title,
)
TABLE.lost(
    "a third of a long file deleted",
    "heading",
    memory("heading", POOL, CLOCK, CACHE, PROXY, QUEUE, LIMIT, SORT, STEPS, FLAGS),
    memory("heading", POOL, CLOCK, CACHE, PROXY, QUEUE, LIMIT),
    *(SORT.title, STEPS.title, FLAGS.title),
)
TABLE.lost(
    "the file removed",
    "journal",
    memory("journal", *FIELDS),
    {path_of("journal"): None},
    *(entry.title for entry in FIELDS),
)
TABLE.lost(
    "the file emptied to its introduction",
    "bullet",
    memory("bullet", RETRY, INDEXES),
    memory("bullet"),
    *(RETRY.title, INDEXES.title),
)
TABLE.lost(
    "the file truncated to nothing",
    "identified",
    memory("identified", *LONG[:2]),
    {path_of("identified"): b""},
    *(POOL.title, QUEUE.title),
)
TABLE.lost(
    "started anew with other entries",
    "timestamped",
    memory("timestamped", POOL, QUEUE),
    memory("timestamped", FLAGS._replace(day=28), SORT._replace(day=29)),
    *(POOL.title, QUEUE.title),
)

# The title says nothing of whether there is a body.
BLANKS = (
    Entry(
        "No core dump recorded",
        "The service aborts inside the codec and leaves no core, since systemd limits it to zero. "
        "Set `LimitCORE=infinity` in the unit and look below `/var/lib/systemd/coredump` "
        "before the next restart removes the evidence.",
        20,
    ),
    Entry(
        "<Transition>",
        "The component keeps its children mounted for 300 ms after they left, so a form inside it "
        "submits twice. Key the child by route and cancel the pending request on leave.",
        21,
    ),
    Entry(
        "[Title]",
        "The router reads square brackets in page titles as parameters; a page called like that "
        "renders for every address below it. Escape brackets before they reach the generator.",
        22,
    ),
    Entry(
        "TBD",
        "The abbreviation stands for the trunk-based workflow here: branches live for a day, a "
        "feature hides behind a flag, and whoever breaks the trunk reverts before the next push.",
        23,
    ),
    Entry(
        "None so far",
        "The parser returns this string instead of a null for a missing supplier, and the import "
        "created 412 suppliers of that name. Compare with the constant of the library.",
        24,
    ),
)
BLANK_SHAPES = ("heading", "heading", "category", "heading", "heading")
for blank, shape in zip(BLANKS, BLANK_SHAPES, strict=True):
    TABLE.lost(
        f"an entry titled {blank.title} deleted",
        shape,
        memory(shape, POOL, blank, CACHE),
        memory(shape, POOL, CACHE),
        blank.title,
    )

# Bodies.
TABLE.lost(
    "all bodies gone, the titles kept as a list",
    "heading",
    memory("heading", *LONG),
    "# Learnings\n\n" + "".join(f"- {entry.title}\n" for entry in LONG),
    *(entry.title for entry in LONG),
)
TABLE.lost(
    "all bodies gone, the titles kept as numbered links",
    "timestamped",
    memory("timestamped", POOL, STEPS, SHELL),
    "# Learnings\n\nMoved to the wiki:\n\n"
    + "".join(
        f"{number}. [{entry.title}](https://wiki.example.org/{number})\n"
        for number, entry in enumerate((POOL, STEPS, SHELL), 1)
    ),
    *(POOL.title, STEPS.title, SHELL.title),
)
TABLE.lost(
    "all bodies gone, the titles kept as headings",
    "identified",
    memory("identified", POOL, STEPS),
    memory("identified", POOL.with_body(""), STEPS.with_body("")),
    *(POOL.title, STEPS.title),
)
TABLE.lost(
    "nine tenths of a body gone",
    "timestamped",
    memory("timestamped", POOL, STEPS, QUEUE),
    memory("timestamped", POOL, STEPS.with_body("Clients keep the public key."), QUEUE),
    STEPS.title,
)
TABLE.lost(
    "all of a body gone but its last words, list item",
    "bullet",
    memory("bullet", RETRY, LIMIT, BATCH),
    memory("bullet", RETRY, LIMIT.with_body("Weekdays only."), BATCH),
    LIMIT.title,
)
FILLERS = (
    ("timestamped", "See above.", POOL),
    ("heading", "tbd", STEPS),
    ("category", "(moved)", CACHE),
    ("identified", "Documented elsewhere; ask the platform team if you need the details.", QUEUE),
    ("chapter", "…", SHELL),
    ("heading", "Obsolete.", TOKENS),
)
for shape, filler, entry in FILLERS:
    rest = (LIMIT, SORT, PROXY) if shape != "chapter" else FIELDS
    TABLE.lost(
        f"a body replaced by {filler[:24]!r}",
        shape,
        memory(shape, *rest, entry),
        memory(shape, *rest, entry.with_body(filler)),
        entry.title,
    )
TABLE.lost(
    "the cell of a row replaced by a filler",
    "table",
    memory("table", *SHORT),
    memory("table", RETRY, FIXTURE, INDEXES.with_body("See the wiki."), BATCH, ICONS),
    INDEXES.title,
)
TABLE.lost(
    "an entry overwritten by a copy of the one above",
    "timestamped",
    memory("timestamped", POOL, QUEUE, TOKENS),
    memory("timestamped", POOL, POOL, TOKENS),
    QUEUE.title,
    also=(POOL.title,),
)
TABLE.lost(
    "an item overwritten by a copy of another",
    "bullet",
    memory("bullet", *SHORT),
    memory("bullet", RETRY, FIXTURE, RETRY, BATCH, ICONS),
    INDEXES.title,
    also=(RETRY.title,),
)
TABLE.lost(
    "an entry given the body of another",
    "heading",
    memory("heading", POOL, QUEUE, TOKENS),
    memory("heading", POOL, QUEUE.with_body(TOKENS.body), TOKENS),
    QUEUE.title,
    also=(TOKENS.title,),
)
TABLE.lost(
    "an entry given a body about something else",
    "category",
    memory("category", POOL, QUEUE, TOKENS),
    memory("category", POOL, QUEUE.with_body(SORT.body), TOKENS),
    QUEUE.title,
)
TABLE.lost(
    "a row given the text of another",
    "table",
    memory("table", *SHORT),
    memory("table", RETRY, FIXTURE, INDEXES.with_body(BATCH.body), BATCH, ICONS),
    INDEXES.title,
    also=(BATCH.title,),
)

# Deleted under cover of something else.
TABLE.lost(
    "one of two entries of the same title deleted",
    "heading",
    memory("heading", POOL, QUEUE.titled(POOL.title), TOKENS),
    memory("heading", POOL, TOKENS),
    POOL.title,
)
TABLE.lost(
    "one deleted, and all line ends changed",
    "heading",
    memory("heading", *LONG),
    memory("heading", POOL, PROXY, TOKENS).replace("\n", "\r\n"),
    QUEUE.title,
)
TABLE.lost(
    "one deleted, and the file renamed",
    "identified",
    memory("identified", *LONG),
    {path_of("identified"): None, "docs/learnings.md": memory("identified", *LONG[:3])},
    TOKENS.title,
)
TABLE.lost(
    "one deleted, and time stamps added to the others",
    "timestamped",
    {path_of("timestamped"): memory("heading", *LONG)},
    memory("timestamped", POOL, PROXY, TOKENS),
    QUEUE.title,
)
TABLE.lost(
    "one deleted, and items made headings",
    "heading",
    {path_of("heading"): memory("bullet", *SHORT)},
    memory("heading", *SHORT[:3], ICONS),
    BATCH.title,
    also=tuple(entry.title for entry in SHORT),
)
TABLE.lost(
    "one deleted, and another refers to its title",
    "category",
    memory("category", *LONG),
    memory("category", POOL.with_body(f"{POOL.body}\n\nSee also: {QUEUE.title}."), PROXY, TOKENS),
    QUEUE.title,
    also=(POOL.title,),
)
TABLE.lost(
    "one moved to a comment in code",
    "heading",
    memory("heading", *LONG),
    {
        path_of("heading"): memory("heading", POOL, PROXY, TOKENS),
        "src/jobs.py": f'"""{QUEUE.title}\n\n{QUEUE.body}\n"""\n',
    },
    QUEUE.title,
)
TABLE.lost(
    "one deleted, the same words spread over three others",
    "heading",
    memory("heading", POOL, FLAGS, TOKENS, SORT),
    memory(
        "heading",
        POOL.with_body(f"{POOL.body} Flags, owner, date, removal, report, sprint."),
        TOKENS,
        SORT.with_body(f"{SORT.body} Lookup, request, paths, release."),
    ),
    FLAGS.title,
    also=(POOL.title, SORT.title),
)
TABLE.lost(
    "deleted in the index, still on disk",
    "timestamped",
    memory("timestamped", *LONG),
    memory("timestamped", POOL, PROXY, TOKENS),
    QUEUE.title,
    way="staged",
    later=memory("timestamped", *LONG),
)
TABLE.told(
    "the bodies of two entries exchanged",
    "heading",
    memory("heading", POOL, QUEUE, TOKENS),
    memory("heading", POOL, QUEUE.with_body(TOKENS.body), TOKENS.with_body(QUEUE.body)),
    *(QUEUE.title, TOKENS.title),
)
TABLE.told(
    "the words of a body in alphabetical order",
    "timestamped",
    memory("timestamped", POOL, QUEUE, TOKENS),
    memory("timestamped", POOL, QUEUE.with_body(" ".join(sorted(QUEUE.body.split()))), TOKENS),
    QUEUE.title,
)
TABLE.told(
    "a body summed up in one sentence",
    "identified",
    memory("identified", POOL, STEPS, TOKENS),
    memory(
        "identified",
        POOL,
        STEPS.with_body("Publish the new key first, and sign with it only when clients have it."),
        TOKENS,
    ),
    STEPS.title,
)
