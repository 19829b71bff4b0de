"""Entries that are gone, emptied or overwritten, in every shape."""

from __future__ import annotations

from tests.gate.case import ITEMS, Table, less, put
from tests.gate.entries import (
    BATCH,
    FLAGS,
    FORMS,
    ICONS,
    INDEXES,
    POOL,
    QUEUE,
    RECORDS,
    RETRY,
    SHORT,
    SORT,
    STEPS,
    TOKENS,
)
from tests.gate.shapes import SHAPES, Entry, memory

TABLE = Table("losses")
add, change = TABLE.add, TABLE.change

LONG = (POOL, QUEUE, SORT, TOKENS)
REST = less(LONG, QUEUE)
add("lost", "one deleted", "timestamped identified heading category team", LONG, REST)
add("lost", "one deleted", " ".join(ITEMS), SHORT, less(SHORT, INDEXES))
add("lost", "one deleted", "decision", RECORDS, RECORDS[:2])
add("lost", "one deleted", "chapter journal", FORMS, FORMS[:3])
NO_HEAD = memory("timestamped", *LONG[1:]).removeprefix("# Learnings\n\n")
add("lost", "the first deleted with the introduction", "timestamped", LONG, NO_HEAD, POOL.title)
add("lost", "the file removed", "journal", FORMS, None)
add("lost", "the file emptied to its introduction", "bullet", (RETRY, INDEXES), ())
add("lost", "the file truncated to nothing", "identified", LONG[:2], b"")

# The title says nothing of whether there is a body.
BLANKS = {
    "No core dump recorded": (
        "The service aborts inside the codec and leaves no core, since systemd limits it to zero. "
        "Set `LimitCORE=infinity` in the unit and look below `/var/lib/systemd/coredump` "
        "before the next restart removes the evidence."
    ),
    "[Title]": (
        "The router reads square brackets in page titles as parameters; a page called like that "
        "renders for every address below it. Escape brackets before they reach the generator."
    ),
}
for title, body in BLANKS.items():
    shape = "category" if title == "[Title]" else "heading"
    change("lost", f"an entry titled {title} deleted", shape, Entry(title, body, 20), None)

# Bodies.
TITLES = "# Learnings\n\n" + "".join(f"- {entry.title}\n" for entry in LONG)
add("lost", "the titles kept as a list", "heading", LONG, TITLES)
EMPTY = (POOL.with_body(""), STEPS.with_body(""))
add("lost", "the titles kept as headings", "identified", (POOL, STEPS), EMPTY)
FILLERS = (
    ("timestamped", "See above.", POOL),
    ("heading", "tbd", STEPS),
    ("identified", "Documented elsewhere; ask the platform team if you need the details.", QUEUE),
    ("table", "See the wiki.", INDEXES),
)
for shape, filler, entry in FILLERS:
    change("lost", f"a body replaced by {filler!r}", shape, entry, entry.with_body(filler))
ALSO = (POOL.title,)
change("lost", "overwritten by a copy of the one above", "timestamped", QUEUE, POOL, also=ALSO)
OF_TOKENS = QUEUE.with_body(TOKENS.body)
change("lost", "given the body of another", "heading", QUEUE, OF_TOKENS, also=(TOKENS.title,))

# Deleted under cover of something else.
SAME = (POOL, QUEUE.titled(POOL.title), TOKENS)
add("lost", "one of two entries of the same title deleted", "heading", SAME, (POOL, TOKENS))
WINDOWS = memory("heading", *REST).replace("\n", "\r\n")
add("lost", "one deleted, and all line ends changed", "heading", LONG, WINDOWS, QUEUE.title)
MOVED = {SHAPES["identified"].path: None, "docs/learnings.md": memory("identified", *LONG[:3])}
add("lost", "one deleted, and the file renamed", "identified", LONG, MOVED, TOKENS.title)
PLAIN = memory("heading", *LONG)
add("lost", "one deleted, time stamps added", "timestamped", PLAIN, REST, QUEUE.title)
BULLETS = memory("bullet", *SHORT)
KEPT, ALL = (*SHORT[:3], ICONS), tuple(entry.title for entry in SHORT)
add("lost", "one deleted, items made headings", "heading", BULLETS, KEPT, BATCH.title, also=ALL)
SEE = put(REST, POOL, POOL.with_body(f"{POOL.body}\n\nSee also: {QUEUE.title}."))
add("lost", "one deleted, its title referred to", "category", LONG, SEE, QUEUE.title, also=ALSO)
CODE = {"src/jobs.py": f'"""{QUEUE.title}\n\n{QUEUE.body}\n"""\n'}
add("lost", "one moved to a comment in code", "heading", LONG, REST, files=CODE)
SPREAD = (
    POOL.with_body(f"{POOL.body} Flags, owner, date, removal, report, sprint."),
    TOKENS,
    SORT.with_body(f"{SORT.body} Lookup, request, paths, release."),
)
add(
    *("lost", "one deleted, its words spread over the others", "heading"),
    *((POOL, FLAGS, TOKENS, SORT), SPREAD, FLAGS.title),
    also=(POOL.title, SORT.title),
)
add("lost", "deleted in the index alone", "timestamped", LONG, REST, way="staged", later=LONG)
THREE = (POOL, QUEUE, TOKENS)
EXCHANGED = (POOL, OF_TOKENS, TOKENS.with_body(QUEUE.body))
add("told", "the bodies of two entries exchanged", "heading", THREE, EXCHANGED)
SORTED = QUEUE.with_body(" ".join(sorted(QUEUE.body.split())))
change("told", "the words of a body in alphabetical order", "timestamped", QUEUE, SORTED)
SUMMARY = "Publish the new key first, and sign with it only when clients have it."
change("told", "a body in one sentence", "identified", STEPS, STEPS.with_body(SUMMARY))
