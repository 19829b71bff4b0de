"""Copies in archives and target files that are none, and originals that an archive loses."""

from __future__ import annotations

import gzip
import json

from tests.gate.case import Table
from tests.gate.entries import (
    CACHE,
    CLOCK,
    INDEXES,
    LIMIT,
    PATCH,
    POOL,
    QUEUE,
    RETRY,
    SHELL,
    SHORT,
    SORT,
    STEPS,
)
from tests.gate.shapes import Entry, archive, memory, part, path_of

TABLE = Table("copies")

ARCHIVE = "agents/archive/learnings-consolidated-2026-03-20.md"
CONTEXT_ARCHIVE = ".context/archive/learnings-consolidated-2026-03-20.md"
TARGET = "agents/decisions/operations.md"
TARGET_TEXT = "# Operations\n\n## Nightly jobs\n\nThey start at two and take an hour.\n\n"

# A copy with one alteration: name, entry, what changed, the words that the message shows.
SIGNS = Entry(
    "Thresholds of the alert rules",
    """\
The rule fires if `latency >= 250` for 5 minutes and `region != "eu-west"`. Offsets run
from +2 to +9 around UTC; the dashboard reads them from `../shared/zones.json`. Traffic goes
edge → origin in the first table and origin → edge in the second.

    * * * * * /opt/probe --once   # every minute
    retention = -30d""",
    13,
)
ALTERED = (
    ("a comparison turned round", SIGNS, "latency >= 250", "latency <= 250"),
    ("not equal made equal", SIGNS, 'region != "eu-west"', 'region == "eu-west"'),
    ("a sign of a number dropped", SIGNS, "from +2", "from 2"),
    ("the sign of a value in code dropped", SIGNS, "retention = -30d", "retention = 30d"),
    ("two dots of a path dropped", SIGNS, "../shared/", "/shared/"),
    ("an arrow turned round", SIGNS, "edge → origin in", "edge ← origin in"),
    ("a field of a schedule dropped", SIGNS, "* * * * * /opt", "* * * * /opt"),
    ("a word negated", QUEUE, "is gone when", "is not gone when"),
    ("a number with another digit", LIMIT, "allows 84 requests", "allows 48 requests"),
    ("a decimal point moved", QUEUE, "0.3 %", "3.0 %"),
    ("a command that lost its comment sign", SHELL, "# git clean -fdx", "git clean -fdx"),
    ("an option without its dash", SHELL, "--depth -1 --channel", "--depth 1 --channel"),
    ("a pipe for an and", SHELL, "&& exit 1", "|| exit 1"),
    ("capital letters in a command", SHELL, "grep . &&", "GREP . &&"),
    ("a letter of another alphabet in a path", SHELL, "scripts/release.sh", "scripts/rеlease.sh"),
    ("another person", QUEUE, "Priya measured", "Pria measured"),
    ("indentation lost in code", PATCH, "+    return wcwidth", "+return wcwidth"),
    ("a step in other words", STEPS, "Wait until every client", "Wait until one client"),
)


def differing(old: str, new: str) -> tuple[str, ...]:
    """Return the words of two texts that only one of them has."""
    if "".join(old.split()) == "".join(new.split()):
        return ()
    words, others = old.split(), new.split()
    return (
        *(word for word in words if word not in others),
        *(word for word in others if word not in words),
    )


for name, entry, old, new in ALTERED:
    TABLE.lost(
        f"archived with {name}",
        "heading",
        memory("heading", POOL, entry, SORT),
        {
            path_of("heading"): memory("heading", POOL, SORT),
            ARCHIVE: archive(part("heading", entry.but((old, new)))),
        },
        entry.title,
        words=differing(old, new),
        way="commit",
    )
REVERSED = PATCH.but(("-    return len(cell)\n+", "+    return len(cell)\n-"))
TABLE.lost(
    "archived with the signs of a diff exchanged",
    "timestamped",
    memory("timestamped", POOL, PATCH),
    {
        path_of("timestamped"): memory("timestamped", POOL),
        CONTEXT_ARCHIVE: archive(part("timestamped", REVERSED)),
    },
    PATCH.title,
    way="commit",
)
TABLE.lost(
    "moved to a target with all signs of a diff stripped",
    "heading",
    memory("heading", POOL, PATCH),
    {
        path_of("heading"): memory("heading", POOL),
        TARGET: TARGET_TEXT
        + part("heading", PATCH.but(("-    return", "    return"), ("+    return", "    return"))),
    },
    PATCH.title,
)
TABLE.lost(
    "moved to a target with another number",
    "heading",
    memory("heading", POOL, LIMIT),
    {
        path_of("heading"): memory("heading", POOL),
        TARGET: TARGET_TEXT + part("heading", LIMIT.but(("three of those", "five of those"))),
    },
    LIMIT.title,
    words=("three", "five"),
)
TABLE.lost(
    "moved to a target without its negation",
    "identified",
    memory("identified", POOL, CLOCK),
    {
        path_of("identified"): memory("identified", POOL),
        TARGET: TARGET_TEXT + part("heading", CLOCK.but(("Do not mock", "Do mock"))),
    },
    CLOCK.title,
    words=("not",),
)
TABLE.lost(
    "archived without its last paragraph",
    "timestamped",
    memory("timestamped", POOL, STEPS),
    {
        path_of("timestamped"): memory("timestamped", POOL),
        CONTEXT_ARCHIVE: archive(
            part("timestamped", STEPS.with_body(STEPS.body.rpartition("\n\n")[0]))
        ),
    },
    STEPS.title,
    way="commit",
)
TABLE.lost(
    "archived by title alone",
    "bullet",
    memory("bullet", *SHORT),
    {
        path_of("bullet"): memory("bullet", *SHORT[1:]),
        "tasks/archive/lessons-consolidated-2026-03-20.md": archive(f"- **{RETRY.title}.**\n"),
    },
    RETRY.title,
    way="commit",
)
TABLE.lost(
    "a row archived with another verb",
    "table",
    memory("table", *SHORT),
    {
        path_of("table"): memory("table", RETRY, INDEXES, *SHORT[3:]),
        ".gsd/archive/DECISIONS-consolidated-2026-03-20.md": archive(
            part("table", SHORT[1]).replace("stayed green for 16 days", "failed for 16 days")
        ),
    },
    SHORT[1].title,
    way="commit",
)

# Destinations that no clone has.
TABLE.lost(
    "archived where git ignores it",
    "heading",
    {path_of("heading"): memory("heading", POOL, SORT), ".gitignore": "agents/archive/\n"},
    {
        path_of("heading"): memory("heading", POOL),
        ARCHIVE: archive(part("heading", SORT)),
    },
    SORT.title,
)
TABLE.lost(
    "archived by another tool where git ignores it",
    "timestamped",
    {path_of("timestamped"): memory("timestamped", POOL, SORT), ".gitignore": "*-archive.md\n"},
    {
        path_of("timestamped"): memory("timestamped", POOL),
        ".context/learnings-archive.md": memory("timestamped", SORT),
    },
    SORT.title,
)
TABLE.lost(
    "archived in a file that the commit leaves out",
    "heading",
    memory("heading", POOL, SORT),
    memory("heading", POOL),
    SORT.title,
    words=("git add -- agents/learnings-archive.md",),
    way="staged",
    later={"agents/learnings-archive.md": memory("heading", SORT)},
)

TABLE.lost(
    "archived in a compressed file",
    "heading",
    memory("heading", POOL, SORT),
    {
        path_of("heading"): memory("heading", POOL),
        "agents/archive/learnings.md.gz": gzip.compress(part("heading", SORT).encode(), mtime=0),
    },
    SORT.title,
    way="commit",
)
TABLE.lost(
    "archived as JSON lines, and altered there",
    "timestamped",
    memory("timestamped", POOL, LIMIT),
    {
        path_of("timestamped"): memory("timestamped", POOL),
        ".context/archive/2026.jsonl": json.dumps(
            {"text": part("timestamped", LIMIT.but(("three of those", "four of those")))}
        )
        + "\n",
    },
    LIMIT.title,
    way="commit",
)

# Originals in an archive whose titles look like its own headings.
OWN = (
    Entry("Group: policies of the identity provider", QUEUE.body, 14),
    Entry("Dropped: frames in the video worker", STEPS.body, 15),
)
for original in OWN:
    kept = archive(part("heading", SORT), part("heading", original), part("heading", CACHE))
    before = {path_of("heading"): memory("heading", POOL), ARCHIVE: kept}
    TABLE.lost(
        f"an original titled {original.title[:8]} leaves the archive",
        "heading",
        before,
        {ARCHIVE: archive(part("heading", SORT), part("heading", CACHE))},
        original.title,
    )
    TABLE.lost(
        f"an original titled {original.title[:8]} is altered in the archive",
        "heading",
        before,
        {ARCHIVE: kept.replace("0.3 %", "0.8 %").replace("a day at least", "an hour at least")},
        original.title,
    )
TABLE.lost(
    "an original loses a command in the archive",
    "timestamped",
    {
        path_of("timestamped"): memory("timestamped", POOL),
        CONTEXT_ARCHIVE: archive(part("timestamped", SHELL), part("timestamped", SORT)),
    },
    {
        CONTEXT_ARCHIVE: archive(
            part("timestamped", SHELL.but(("# git clean -fdx", "git clean -fdx"))),
            part("timestamped", SORT),
        )
    },
    SHELL.title,
)
TABLE.lost(
    "the archive removed",
    "timestamped",
    {
        path_of("timestamped"): memory("timestamped", POOL),
        CONTEXT_ARCHIVE: archive(part("timestamped", SHELL), part("timestamped", SORT)),
    },
    {CONTEXT_ARCHIVE: None},
    *(SHELL.title, SORT.title),
)

# Merged entries and target texts that do not say enough.
MERGED = (
    "## Deployments (consolidated)\n\n**Consolidated from**: 3 entries\n\n"
    "- Deployments are tricky, so take care of jobs and keys.\n- Watch the dashboards.\n"
)
TABLE.lost(
    "merged into a sentence that covers none of the three",
    "heading",
    memory("heading", POOL, QUEUE, STEPS, SORT),
    memory("heading", SORT) + MERGED,
    *(POOL.title, QUEUE.title, STEPS.title),
)
TABLE.lost(
    "a target has the heading and says something else",
    "heading",
    {
        path_of("heading"): memory("heading", POOL, SORT),
        TARGET: f"{TARGET_TEXT}## {SORT.title}\n\nNothing is decided yet; ask the data team.\n",
    },
    {path_of("heading"): memory("heading", POOL)},
    SORT.title,
)
TABLE.lost(
    "the copy in a target removed by the same change",
    "heading",
    {
        path_of("heading"): memory("heading", POOL, SORT),
        TARGET: TARGET_TEXT + part("heading", SORT),
    },
    {path_of("heading"): memory("heading", POOL), TARGET: TARGET_TEXT},
    SORT.title,
)

# The settings of the base count.
SETTINGS = (
    ("coverage = 0.16\n", "hardly any coverage asked for"),
    ('exclude = [".context/**"]\n', "the memory excluded"),
    ('path = "notes/knowledge.md"\n', "another memory named"),
    ('dialect = "bullet"\n', "another dialect set"),
)
for text, what in SETTINGS:
    TABLE.lost(
        f"settings: {what} in the same change",
        "timestamped",
        memory("timestamped", POOL, QUEUE, SORT),
        {
            path_of("timestamped"): memory("timestamped", POOL, SORT)
            + "## [2026-03-28-092800] Jobs\n\nA job is a message with a key.\n",
            "learnings.toml": text,
        },
        QUEUE.title,
        also=(POOL.title, SORT.title) if "dialect" in text else (),
    )
