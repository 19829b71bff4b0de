"""Memory folders, where each file is an entry, and the indexes of all memories."""

from __future__ import annotations

from tests.gate.case import Changes, Table
from tests.gate.entries import CACHE, CLOCK, LIMIT, POOL, QUEUE, SORT, STEPS
from tests.gate.languages import PORTUGUESE
from tests.gate.shapes import Entry, edit, folder, memory, topic, topic_path

TABLE = Table("folders and indexes")

LESSONS = (POOL, CLOCK, STEPS, SORT)
FOLDER = folder(*LESSONS)
INDEX = ".claude/memory/MEMORY.md"
ROW = f"- [{STEPS.title}](rotating-the-signing-key-without-downtime.md) — a lesson of the team\n"
NO_ROW = edit(FOLDER[INDEX], (ROW, ""))
STEPS_FILE, SORT_FILE = topic_path(STEPS), topic_path(SORT)


def changed(entry: Entry) -> Changes:
    return {topic_path(entry): topic(entry)}


TABLE.lost(
    "a file and its row removed", "folder", FOLDER, {STEPS_FILE: None, INDEX: NO_ROW}, STEPS_FILE
)
TABLE.lost("a file emptied", "folder", FOLDER, {STEPS_FILE: ""}, STEPS_FILE)
TABLE.lost("a body removed", "folder", FOLDER, changed(STEPS.with_body("")), STEPS_FILE)
TABLE.lost(
    "a body replaced by a filler", "folder", FOLDER, changed(STEPS.with_body("tbd")), STEPS_FILE
)
TABLE.lost(
    "a body replaced by that of another file",
    "folder",
    FOLDER,
    changed(STEPS.with_body(SORT.body)),
    STEPS_FILE,
    also=(SORT_FILE,),
)
TABLE.lost(
    "a body replaced by a new one",
    "folder",
    FOLDER,
    changed(STEPS.with_body(QUEUE.body)),
    STEPS_FILE,
)
TABLE.lost(
    "all files removed but the index",
    "folder",
    folder(POOL, CLOCK),
    {topic_path(POOL): None, topic_path(CLOCK): None},
    *(topic_path(POOL), topic_path(CLOCK)),
    also=(f"[{POOL.title}]", f"[{CLOCK.title}]"),
)
TABLE.lost(
    "a file moved to the archive and altered",
    "folder",
    FOLDER,
    {
        STEPS_FILE: None,
        INDEX: NO_ROW,
        ".claude/memory/archive/signing-key.md": topic(STEPS.but(("a day at least", "2 days"))),
    },
    STEPS_FILE,
)
TABLE.lost(
    "a file moved to an archive that git ignores",
    "folder",
    {**FOLDER, ".gitignore": ".claude/memory/archive/\n"},
    {
        STEPS_FILE: None,
        INDEX: NO_ROW,
        ".claude/memory/archive/rotating-the-signing-key-without-downtime.md": topic(STEPS),
    },
    STEPS_FILE,
)
TABLE.lost(
    "a file renamed, its row not",
    "folder",
    FOLDER,
    {STEPS_FILE: None, ".claude/memory/signing-key.md": topic(STEPS)},
    "(rotating-the-signing-key",
)
TABLE.lost(
    "a note of Serena removed",
    "folder",
    {
        f".serena/memories/{name}.md": f"# {one.title}\n\n{one.body}\n"
        for name, one in (("pool", POOL), ("clock", CLOCK), ("dates", PORTUGUESE))
    },
    {".serena/memories/dates.md": None},
    ".serena/memories/dates.md",
)
TABLE.lost(
    "a solution overwritten by the next one",
    "folder",
    {
        f"docs/solutions/builds/{name}.md": topic(one)
        for name, one in (("cache", CACHE), ("limit", LIMIT), ("queue", QUEUE))
    },
    {"docs/solutions/builds/limit.md": topic(SORT)},
    "docs/solutions/builds/limit.md",
)
TABLE.shown(
    "a number of a file",
    "folder",
    FOLDER,
    changed(SORT.but(("P. Sorting", "P in 2 lists. Sorting"))),
    SORT_FILE,
    "2",
)
TABLE.shown(
    "a negation of a file",
    "folder",
    FOLDER,
    changed(CLOCK.but(("Do not mock", "Do mock"))),
    topic_path(CLOCK),
    "not",
)
TABLE.named(
    "a word of a file",
    "folder",
    FOLDER,
    changed(SORT.but(("reported that", "complained that"))),
    SORT_FILE,
)
TABLE.named(
    "half of a file cut",
    "folder",
    FOLDER,
    changed(POOL.with_body(POOL.body.partition("\n\nRaise")[0])),
    topic_path(POOL),
)
RULES = {
    "agents/decisions/builds.md": "# Builds\n\n## Caches\n\nThey live for a week.\n",
    "agents/memory-index.md": "# Index\n\n## agents/decisions/builds.md\n\n"
    "Caches — how long they live\n",
    "agents/learnings.md": memory("heading", POOL, QUEUE),
}
TABLE.lost(
    "the heading of a row renamed",
    "index",
    RULES,
    {"agents/decisions/builds.md": "# Builds\n\n## Layers of images\n\nThey live for a week.\n"},
    "Caches — how long",
)
TABLE.lost(
    "the file of a row removed",
    "index",
    RULES,
    {"agents/decisions/builds.md": None},
    "Caches — how long",
)
TABLE.silent(
    "a file renamed with its row",
    "folder",
    FOLDER,
    {
        STEPS_FILE: None,
        ".claude/memory/signing-key.md": topic(STEPS),
        INDEX: FOLDER[INDEX].replace("rotating-the-signing-key-without-downtime", "signing-key"),
    },
)
TABLE.silent(
    "a file moved to a folder below",
    "folder",
    FOLDER,
    {
        STEPS_FILE: None,
        ".claude/memory/security/signing-key.md": topic(STEPS),
        INDEX: FOLDER[INDEX].replace(
            "rotating-the-signing-key-without-downtime", "security/signing-key"
        ),
    },
)
TABLE.silent(
    "a file moved to the archive of the folder",
    "folder",
    FOLDER,
    {
        STEPS_FILE: None,
        ".claude/memory/archive/rotating-the-signing-key-without-downtime.md": topic(STEPS),
        INDEX: NO_ROW,
    },
    way="commit",
)
TABLE.silent("a file added", "folder", FOLDER, {**folder(*LESSONS, QUEUE)})
TABLE.silent(
    "the rows of the index in another order and in other words",
    "folder",
    FOLDER,
    {
        INDEX: "# Memory\n\n"
        + "".join(sorted(NO_ROW.splitlines(keepends=True)[2:]))
        + ROW.replace("team", "on-call team")
    },
)
TABLE.silent(
    "files with other line breaks",
    "folder",
    FOLDER,
    {path: text.replace("\n", "\r\n") for path, text in FOLDER.items()},
)
TABLE.silent(
    "a file rewrapped",
    "folder",
    FOLDER,
    changed(SORT.with_body(" ".join(SORT.body.split()))),
)
TABLE.quiet(
    "a field added to the front matter",
    "folder",
    FOLDER,
    {SORT_FILE: edit(FOLDER[SORT_FILE], ("---\nname", "---\ntype: feedback\nname"))},
)
TABLE.silent(
    "a section and its row renamed alike",
    "index",
    RULES,
    {
        "agents/decisions/builds.md": "# Builds\n\n## Build caches\n\nThey live for a week.\n",
        "agents/memory-index.md": "# Index\n\n## agents/decisions/builds.md\n\n"
        "Build caches — how long they live\n",
    },
)
