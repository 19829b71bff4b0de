"""Two months of a small service, commit by commit, with the lessons of its agents."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

MEMORY = "agents/learnings.md"
TESTING = "agents/decisions/testing.md"
SERVICES = "agents/decisions/services.md"
MAIN, CARRIERS = "main", "carrier-import"

INSTRUCTIONS = "CLAUDE.md"
IMPORT = f"@{MEMORY}\n"
"""The line with which every session loads the memory."""

PREAMBLE = """\
# Learnings

What coding agents learned in this repository. Append one entry for each lesson:
the heading names the situation, the text says what to do and why.

---
"""
SUPERSEDED = '~~Superseded by "How to test code that reads the clock"~~\n'


@dataclass(frozen=True, slots=True)
class Step:
    """One commit of the story.

    learn names an appended entry, reword an old and a new heading, supersede an entry to mark as
    superseded, settle the entries that each move to a decision file. work is a file of the service
    that grows by a line. merge names a merged branch.
    """

    day: str
    message: str
    branch: str = MAIN
    work: str = ""
    learn: str = ""
    reword: tuple[str, str] | None = None
    supersede: str = ""
    settle: tuple[tuple[str, str], ...] = ()
    merge: str = ""


def _learned(day: str, title: str, *, branch: str = MAIN) -> Step:
    return Step(day, f"Learn: {title}", branch=branch, learn=title)


def _worked(day: str, message: str, path: str, *, branch: str = MAIN) -> Step:
    return Step(day, message, branch=branch, work=path)


FLAGS = ("Feature flags", "When removing a feature flag")
CONSOLIDATED = (
    ("When a test passes alone and fails in the suite", TESTING),
    ("When mocking an external service", TESTING),
    ("When a fix seems to have no effect", TESTING),
    ("When adding a column to a large table", SERVICES),
    ("When an API call may be repeated", SERVICES),
    ("How to read a stack trace from the worker", SERVICES),
    ("When a log line is meant for a human", SERVICES),
    ("When touching generated code", SERVICES),
)
ON_A_BRANCH = "When parsing a carrier's CSV"

STORY = (
    _worked("2026-03-02", "Start the service: labels and tracking numbers", "parcels/labels.py"),
    _learned("2026-03-02", "When a test passes alone and fails in the suite"),
    _worked("2026-03-03", "Store the weight of a parcel", "parcels/schema.sql"),
    _learned("2026-03-03", "When adding a column to a large table"),
    _learned("2026-03-04", "When an API call may be repeated"),
    _learned("2026-03-05", "How to read a stack trace from the worker"),
    _worked("2026-03-06", "Print labels for returns", "parcels/labels.py"),
    _learned("2026-03-09", "When a fix seems to have no effect"),
    _learned("2026-03-10", "When mocking an external service"),
    _worked("2026-03-11", "Read the first carrier's file", "parcels/carriers.py", branch=CARRIERS),
    _learned("2026-03-12", ON_A_BRANCH, branch=CARRIERS),
    _learned("2026-03-13", "When a log line is meant for a human"),
    _learned("2026-03-16", "How to reproduce a time-zone bug"),
    Step("2026-03-17", "Merge the import of carriers' files", merge=CARRIERS),
    _learned("2026-03-18", "When touching generated code"),
    _learned("2026-03-19", "When a job must run exactly once"),
    _learned("2026-03-20", FLAGS[0]),
    _learned("2026-03-23", "When an estimate depends on unread code"),
    Step("2026-03-24", "Say when the entry on flags applies", reword=FLAGS),
    _learned("2026-03-25", "When the linter and the formatter disagree"),
    _worked("2026-03-26", "Track a parcel across carriers", "parcels/tracking.py"),
    Step("2026-03-27", "Consolidate learnings into decisions", settle=CONSOLIDATED),
    _learned("2026-03-30", "When a query is slow only in production"),
    _learned("2026-03-31", "When deleting what looks unused"),
    _learned("2026-04-01", "How to bisect a flaky test"),
    # Easter: nobody works from 2 to 12 April, so nothing ages either.
    _learned("2026-04-13", "When a secret shows up in a diff"),
    _learned("2026-04-14", "When two agents edit the same file"),
    _worked("2026-04-15", "Estimate the day of delivery", "parcels/tracking.py"),
    _learned("2026-04-16", "When a dependency is one major version behind"),
    _learned("2026-04-17", "When an error is caught to be logged"),
    _learned("2026-04-20", "How to test code that reads the clock"),
    Step("2026-04-20", "Mark what that replaces", supersede="How to reproduce a time-zone bug"),
    _worked("2026-04-21", "Hand parcels over to a neighbour", "parcels/tracking.py"),
    _learned("2026-04-22", "When a pull request grows past what a reviewer can hold"),
    _worked("2026-04-23", "Price by volume as well", "parcels/labels.py"),
    _learned("2026-04-24", "When the documentation and the code disagree"),
    _worked("2026-04-27", "Cache the carriers' prices", "parcels/carriers.py"),
    _learned("2026-04-28", "When a cache hides a bug"),
    _worked("2026-04-29", "Read statuses of the next release", "parcels/tracking.py"),
)

# What the demonstration itself adds, in front of the reader.
LAST_DAY, NEXT_DAY = "2026-04-30", "2026-05-04"
LAST_LESSON = "When a rollback is part of the plan"
LAST_STEP = _learned(LAST_DAY, LAST_LESSON)
OLD_LESSON = "When a cache hides a bug"
EDITED_LESSON = "When an error is caught to be logged"
UNCLOSED = """\
```python
raise Unpaid(parcel)
"""
OTHER_LESSON = """\
## When a carrier is slow to answer

Give up after two seconds and show the last known state with its time. Waiting
for one carrier held up the page for all.
"""


def entries() -> dict[str, str]:
    """Return the text of every entry, heading included, by its title."""
    text = Path(__file__).with_name("entries.md").read_text(encoding="utf-8")
    parts = [f"## {part.strip()}\n" for part in f"\n{text}".split("\n## ")[1:]]
    texts = {part.partition("\n")[0].removeprefix("## "): part for part in parts}
    old, new = FLAGS
    return texts | {new: texts[old].replace(f"## {old}", f"## {new}")}


def days(*more: str) -> list[str]:
    """Return the days with work, ascending, each once."""
    return sorted({step.day for step in STORY} | set(more))


def learned_on() -> dict[str, str]:
    """Return the day on which each entry was written, by its final title."""
    renamed = dict([FLAGS])
    return {renamed.get(step.learn, step.learn): step.day for step in STORY if step.learn}
