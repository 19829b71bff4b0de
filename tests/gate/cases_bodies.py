"""Bodies that go to another entry, or have a twin, in every shape."""

from __future__ import annotations

from tests.gate.case import Table, put
from tests.gate.entries import (
    BATCH,
    CLOCK,
    INDEXES,
    POOL,
    QUEUE,
    SHORT,
    SORT,
    STEPS,
    TOKENS,
)
from tests.gate.shapes import Entry, folder, topic, topic_path

TABLE = Table("bodies")
add = TABLE.add

# An entry is given the body of another, or the other takes its place.
LONG = (POOL, QUEUE, SORT, TOKENS)
HEADINGS = "timestamped identified heading category chapter team"
SHAPES = (
    (HEADINGS, LONG, QUEUE, TOKENS),
    ("bullet numbered", SHORT, INDEXES, BATCH),
    ("dated table sections paragraph", SHORT, INDEXES, BATCH),
)
for shapes, before, entry, other in SHAPES:
    also = (other.title,)
    copied = put(before, entry, other._replace(day=entry.day))
    add("lost", "another in its place", shapes, before, copied, entry.title, also=also)
for shapes, before, entry, other in SHAPES[:2]:
    also = (other.title,)
    given = put(before, entry, entry.with_body(other.body))
    add("lost", "given the body of another", shapes, before, given, entry.title, also=also)
    swapped = put(given, other, other.with_body(entry.body))
    add("told", "swapped bodies", shapes, before, swapped, entry.title, other.title)
    add("silent", "a twin removed", shapes.split()[0], (*before, other), before)

# Fewer entries are read as they were: a file of entries at level 1 has no title.
TWO = (POOL, QUEUE)
ARCHIVED = (SORT, TOKENS)
add("silent", "half of the file archived", "chapter", LONG, TWO, archived=ARCHIVED)
add("lost", "one of the last two deleted", "chapter", TWO, (POOL,), QUEUE.title, also=(POOL.title,))

# Files of a folder.
FILES = folder(POOL, CLOCK, STEPS, SORT)
MEMORY, TARGET = topic_path(STEPS), topic_path(SORT)
INDEX = ".claude/memory/MEMORY.md"
ROWS = FILES[INDEX].splitlines(keepends=True)
LEFT = {MEMORY: None, INDEX: "".join(row for row in ROWS if STEPS.title not in row)}
GIVEN = {MEMORY: topic(STEPS.with_body(SORT.body))}
add("lost", "given the body of another", "folder", FILES, GIVEN, MEMORY)
add("lost", "overwritten by a copy", "folder", FILES, {MEMORY: topic(SORT)}, MEMORY)
SWAPPED = {**GIVEN, TARGET: topic(SORT.with_body(STEPS.body))}
add("named", "swapped bodies", "folder", FILES, SWAPPED, MEMORY, TARGET)
PLACES = {
    "twin": (".claude/memory/rotation.md", topic(STEPS.titled("Rotation of keys"))),
    "note": ("docs/keys.md", f"# Keys\n\n{STEPS.body}\n"),
    "archive of notes": ("docs/archive/keys.md", f"# Old\n\n~~~markdown\n{topic(STEPS)}~~~\n"),
}
for name, (path, text) in PLACES.items():
    add("silent", f"removed, its text is in a {name}", "folder", {**FILES, path: text}, LEFT)
FENCED = {"docs/keys.md": f"# Keys\n\n```markdown\n{topic(STEPS)}```\n"}
add("quiet", "removed, its text is fenced in notes", "folder", {**FILES, **FENCED}, LEFT)
FORM = "{}\n\n**Why:** {}\n\n**How to apply:** whenever the team plans a release.\n"
OLD = STEPS.with_body(FORM.format(STEPS.body, "two customers asked for it in the spring."))
NEW = Entry("Ask for the plan", FORM.format("Read the plan first.", "the index was not used."))
ON_FORM, OTHER = {**FILES, MEMORY: topic(OLD)}, {**LEFT, topic_path(NEW): topic(NEW)}
add("lost", "another one on its form", "folder", ON_FORM, OTHER, MEMORY)
