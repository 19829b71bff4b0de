"""Memory folders, where each file is an entry, and the indexes of all memories."""

from __future__ import annotations

from tests.gate.case import Changes, Table, Want
from tests.gate.entries import CLOCK, POOL, QUEUE, SORT, STEPS
from tests.gate.languages import PORTUGUESE
from tests.gate.shapes import Entry, edit, folder, memory, topic, topic_path

TABLE = Table("folders and indexes")
add = TABLE.add

FOLDER = folder(POOL, CLOCK, STEPS, SORT)
MEMORY = ".claude/memory"
INDEX = f"{MEMORY}/MEMORY.md"
NAME = "rotating-the-signing-key-without-downtime"
ROW = f"- [{STEPS.title}]({NAME}.md) — a lesson of the team\n"
NO_ROW = edit(FOLDER[INDEX], ROW, "")
STEPS_FILE, SORT_FILE = topic_path(STEPS), topic_path(SORT)
GONE: Changes = {STEPS_FILE: None, INDEX: NO_ROW}


def moved(path: str, entry: Entry = STEPS) -> dict[str, str | bytes | None]:
    """Return the changes that move a file, with its row of the index."""
    index = FOLDER[INDEX].replace(NAME, path)
    return {STEPS_FILE: None, INDEX: index, f"{MEMORY}/{path}.md": topic(entry)}


OTHER = topic(STEPS.with_body(QUEUE.body))
add("lost", "a file and its row removed", "folder", FOLDER, GONE, STEPS_FILE)
add("lost", "a file emptied", "folder", FOLDER, {STEPS_FILE: ""}, STEPS_FILE)
add("lost", "a new body", "folder", FOLDER, {STEPS_FILE: OTHER}, STEPS_FILE)
ALTERED = moved("archive/signing-key", STEPS.but("a day at least", "2 days")) | {INDEX: NO_ROW}
add("lost", "altered on its way to the archive", "folder", FOLDER, ALTERED, STEPS_FILE)
ARCHIVED = moved(f"archive/{NAME}") | {INDEX: NO_ROW}
IGNORED = {**FOLDER, ".gitignore": f"{MEMORY}/archive/\n"}
add("lost", "an archive that git ignores", "folder", IGNORED, ARCHIVED, STEPS_FILE)
ALONE = {STEPS_FILE: None, f"{MEMORY}/signing-key.md": topic(STEPS)}
add("lost", "a file renamed, its row not", "folder", FOLDER, ALONE, "(rotating-the-signing-key")
NOTES = {
    f".serena/memories/{name}.md": f"# {one.title}\n\n{one.body}\n"
    for name, one in (("pool", POOL), ("clock", CLOCK), ("dates", PORTUGUESE))
}
DATES = ".serena/memories/dates.md"
add("lost", "a note of Serena removed", "folder", NOTES, {DATES: None}, DATES)
SOLUTIONS = {
    f"docs/solutions/{name}.md": topic(one)
    for name, one in (("pool", POOL), ("clock", CLOCK), ("queue", QUEUE))
}
SOLUTION = "docs/solutions/clock.md"
add("lost", "a solution overwritten", "folder", SOLUTIONS, {SOLUTION: topic(SORT)}, SOLUTION)
EDITS: tuple[tuple[Want, str, Entry, str], ...] = (
    ("shown", "a number of a file", SORT.but("P. Sorting", "P in 2 lists. Sorting"), "2"),
    ("named", "a word of a file", SORT.but("reported that", "complained that"), ""),
)
for want, name, entry, words in EDITS:
    path = topic_path(entry)
    add(want, name, "folder", FOLDER, {path: topic(entry)}, path, words=words)
BUILDS, ROWS = "agents/decisions/builds.md", "agents/memory-index.md"
RULES = {
    BUILDS: "# Builds\n\n## Caches\n\nThey live for a week.\n",
    ROWS: f"# Index\n\n## {BUILDS}\n\nCaches — how long they live\n",
    "agents/learnings.md": memory("heading", POOL, QUEUE),
}
RENAMED: Changes = {BUILDS: "# Builds\n\n## Layers of images\n\nThey live for a week.\n"}
add("lost", "the heading of a row renamed", "index", RULES, RENAMED, "Caches — how long")
add("lost", "the file of a row removed", "index", RULES, {BUILDS: None}, "Caches — how long")
add("silent", "a file renamed with its row", "folder", FOLDER, moved("signing-key"))
add("silent", "a file moved to a folder below", "folder", FOLDER, moved("security/signing-key"))
add("silent", "a file moved to the archive", "folder", FOLDER, ARCHIVED, way="commit")
add("silent", "a file added", "folder", FOLDER, folder(POOL, CLOCK, STEPS, SORT, QUEUE))
REVERSED = "# Memory\n\n" + "".join(sorted(NO_ROW.splitlines(keepends=True)[2:]))
REWORDED = REVERSED + ROW.replace("team", "on-call team")
add("silent", "rows in another order and other words", "folder", FOLDER, {INDEX: REWORDED})
WINDOWS = {path: text.replace("\n", "\r\n") for path, text in FOLDER.items()}
add("silent", "files with other line breaks", "folder", FOLDER, WINDOWS)
FIELD = edit(FOLDER[SORT_FILE], "---\nname", "---\ntype: feedback\nname")
add("quiet", "a field added to the front matter", "folder", FOLDER, {SORT_FILE: FIELD})
ALIKE = {path: RULES[path].replace("Caches", "Build caches") for path in (BUILDS, ROWS)}
add("silent", "a section and its row renamed alike", "index", RULES, ALIKE)
