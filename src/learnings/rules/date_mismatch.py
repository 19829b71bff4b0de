"""A date that an entry states and that git contradicts by more than 30 days.

Mostly a wrong year or month. The date from git is the one that `learnings ages` reports: the day on
which the entry was added. 30 days are no finding, 31 are; a month alone counts as its day nearest
to git's. An entry that is not committed yet has no such date. Where the heading was changed later,
and its date with it, the day of that change is as good as the first one. Older dates are no finding
in entries that came from elsewhere: with the commit that began the file, or with one whose entries
state three or more different days, nor in entries that were removed and came back, which is another
rule's matter. This rule needs git and is used with `--history` only; the comment in the examples
stands for what git knows.

Fix: correct the date in the entry. If it is right, because the entry was written down late, say so
with an inline ignore and the reason.

Bad:

    ```markdown
    # Learnings

    <!-- added 2026-01-15 by 1a2b3c4: 2025-01-14 when a build hangs -->

    ## [2025-01-14] When a build hangs

    Clear the cache.
    ```

Good:

    ```markdown
    # Learnings

    <!-- added 2026-01-15 by 1a2b3c4: 2026-01-14 when a build hangs -->

    ## [2026-01-14] When a build hangs

    Clear the cache.
    ```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from learnings.core.findings.finding import Finding, Severity
from learnings.core.text import counted, short_commit
from learnings.rules.checked_file import CheckedFile
from learnings.rules.rule import LEARNINGS, Needs

if TYPE_CHECKING:
    from learnings.core.due.ages import Origin
    from learnings.core.due.history_facts import HistoryFacts
    from learnings.core.entries.document import Entry

ID = "date-mismatch"
SEVERITY = Severity.NOTICE
ROLES = LEARNINGS
NEEDS = Needs.HISTORY


def check(file: CheckedFile, history: HistoryFacts) -> Iterator[Finding]:
    from learnings.core.due.ages import COMMIT, MOVED, RENAMED_HEADING  # noqa: PLC0415  (most checks run without git)

    dated = (COMMIT, MOVED, RENAMED_HEADING)
    returned = {entry.identity for entry in history.resurrected}
    for entry in file.document.entries:
        origin = history.origins.get(entry.identity)
        if origin is None or entry.identity in returned or origin.basis not in dated:
            continue
        message = _mismatch(entry, origin, history)
        if message:
            yield file.finding(ID, SEVERITY, entry.first, message)


def _mismatch(entry: Entry, origin: Origin, history: HistoryFacts) -> str | None:
    from learnings.core.due.history_facts import FAR_APART, days_late  # noqa: PLC0415  (as above)

    if entry.stated is None or origin.date is None:
        return None
    late = days_late(entry.stated, origin.date)
    if abs(late) <= FAR_APART or (late > 0 and origin.commit in history.imports):
        return None
    rewritten = history.rewritten.get(entry.identity)
    if rewritten is not None and abs(days_late(entry.stated, rewritten)) <= FAR_APART:
        return None
    apart = f"{counted(abs(late), 'day')} {'later' if late > 0 else 'earlier'}"
    return (
        f"the entry states {entry.stated[:10]}, but git has it since {origin.date}, {apart} "
        f"({short_commit(origin.commit or '')}); correct the date"
    )
