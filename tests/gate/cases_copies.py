"""Copies in archives and target files that are none, and originals that an archive loses."""

from __future__ import annotations

import gzip
import json

from tests.gate.case import Table
from tests.gate.entries import CACHE, LIMIT, PATCH, POOL, QUEUE, RETRY, SHELL, SORT, STEPS, target
from tests.gate.shapes import Entry, archive, edit, memory, part

TABLE = Table("copies")
add, change = TABLE.add, TABLE.change

ARCHIVE = "agents/archive/learnings-consolidated-2026-03-20.md"

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
    ("the sign of a value in code dropped", SIGNS, "retention = -30d", "retention = 30d"),
    ("a word negated", QUEUE, "is gone when", "is not gone when"),
    ("a decimal point moved", QUEUE, "0.3 %", "3.0 %"),
    ("a command that lost its comment sign", SHELL, "# git clean -fdx", "git clean -fdx"),
    ("an option without its dash", SHELL, "--depth -1 --channel", "--depth 1 --channel"),
    ("a letter of another alphabet in a path", SHELL, "scripts/release.sh", "scripts/rеlease.sh"),
    ("a step in other words", STEPS, "Wait until every client", "Wait until one client"),
)


def differing(old: str, new: str) -> str:
    """Return the words of two texts that only one of them has."""
    if "".join(old.split()) == "".join(new.split()):
        return ""
    words, others = old.split(), new.split()
    return " ".join(word for word in (*words, *others) if (word in words) != (word in others))


for what, entry, old, new in ALTERED:
    copy, words = entry.but(old, new), differing(old, new)
    change("lost", f"archived with {what}", "heading", entry, None, archived=(copy,), words=words)
REVERSED = PATCH.but("-    return len(cell)\n+", "+    return len(cell)\n-")
change("lost", "the signs of a diff exchanged", "timestamped", PATCH, None, archived=(REVERSED,))
STRIPPED = target(PATCH.but("-    return", "    return", "+    return", "    return"))
change("lost", "moved without the signs of a diff", "heading", PATCH, None, files=STRIPPED)
SHORTER = STEPS.with_body(STEPS.body.rpartition("\n\n")[0])
change("lost", "archived, one paragraph missing", "timestamped", STEPS, None, archived=(SHORTER,))
change("lost", "archived by title", "bullet", RETRY, None, archived=(RETRY.with_body(""),))

# Destinations that no clone has.
IGNORED = {".gitignore": "agents/archive/\n"}
add(
    *("lost", "archived where git ignores it", "heading", (POOL, SORT), (POOL,)),
    given=IGNORED,
    archived=(SORT,),
    way="tree",
)
add(
    *("lost", "archived in a file that the commit leaves out", "heading", (POOL, SORT), (POOL,)),
    words="git add -- agents/learnings-archive.md",
    way="staged",
    later={"agents/learnings-archive.md": memory("heading", SORT)},
)
ZIP = {"agents/archive/learnings.md.gz": gzip.compress(part("heading", SORT).encode(), mtime=0)}
add("lost", "in a compressed archive", "heading", (POOL, SORT), (POOL,), files=ZIP, way="commit")
FOUR = part("timestamped", LIMIT.but("three of those", "four of those"))
LINES = {".context/archive/2026.jsonl": json.dumps({"text": FOUR}) + "\n"}
change("lost", "altered in JSON lines", "timestamped", LIMIT, None, files=LINES, way="commit")

# Originals in an archive whose titles look like its own headings.
for title, body, old, new in (
    ("Group: policies of the identity provider", QUEUE.body, "0.3 %", "0.8 %"),
    ("Dropped: frames in the video worker", STEPS.body, "a day at least", "an hour at least"),
):
    given = {ARCHIVE: archive("heading", SORT, Entry(title, body, 14), CACHE)}
    left = {ARCHIVE: archive("heading", SORT, CACHE)}
    altered = {ARCHIVE: edit(given[ARCHIVE], old, new)}
    add("lost", f"{title[:7]} leaves the archive", "heading", (POOL,), left, title, given=given)
    add("lost", f"{title[:7]} altered there", "heading", (POOL,), altered, title, given=given)
OLD = ".context/archive/learnings-consolidated-2026-03-20.md"
GIVEN = {OLD: archive("timestamped", SHELL, SORT)}
CLEANED = archive("timestamped", SHELL.but("# git clean -fdx", "git clean -fdx"), SORT)
TWO = (SHELL.title, SORT.title)
add("lost", "an archive altered", "timestamped", (POOL,), {OLD: CLEANED}, TWO[0], given=GIVEN)
add("lost", "the archive removed", "timestamped", (POOL,), {OLD: None}, *TWO, given=GIVEN)

# Merged entries and target texts that do not say enough.
MERGED = (
    "## Deployments (consolidated)\n\n**Consolidated from**: 3 entries\n\n"
    "- Deployments are tricky, so take care of jobs and keys.\n- Watch the dashboards.\n"
)
add(
    *("lost", "merged into a sentence that covers none of the three", "heading"),
    *((POOL, QUEUE, STEPS, SORT), memory("heading", SORT) + MERGED),
    *(POOL.title, QUEUE.title, STEPS.title),
)
ELSE = target(SORT.with_body("Nothing is decided yet; ask the data team."))
change("lost", "a target has the heading, not the text", "heading", SORT, None, given=ELSE)
change("lost", "gone from the target", "heading", SORT, None, given=target(SORT), files=target())

# The settings of the base count.
SETTINGS = {
    "hardly any coverage asked for": "coverage = 0.16\n",
    "the memory excluded": 'exclude = [".context/**"]\n',
    "another memory named": 'path = "notes/knowledge.md"\n',
    "another dialect set": 'dialect = "bullet"\n',
}
JOBS = Entry("Jobs", "A job is a message with a key.", 28)
for what, text in SETTINGS.items():
    add(
        *("lost", f"in the same change {what}", "timestamped", (POOL, QUEUE, SORT)),
        (POOL, SORT, JOBS),
        files={"learnings.toml": text},
        also=(POOL.title, SORT.title) if "dialect" in text else (),
    )
