"""An entry states a date that differs from the date in git by more than 30 days.

Usually the year or the month is wrong. The date in git is the day on which the entry was added, as
`learnings ages` reports it. The rule accepts a difference of 30 days and reports 31. If the entry
states only a month, the rule takes the day of that month nearest to the date in git.

The rule skips

- uncommitted entries, which have no date in git;
- a date that fits the day on which the heading was later changed;
- older dates of entries that came from elsewhere: in the commit that created the file, or in a
  commit whose entries state three or more different days;
- older dates of entries that were removed and came back, which another rule reports.

This rule needs git and runs only with `--history`. In the examples, the comment stands for the
history in git.

Fix: correct the date in the entry. If it is right, because the entry was written down late, add an
inline ignore with the reason.

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
from learnings.rules.rule import LEARNINGS, CheckedFile, Rule

if TYPE_CHECKING:
    from learnings.core.due.history_facts import HistoryFacts

RULE = Rule("date-mismatch", Severity.NOTICE, LEARNINGS, "history")


def check(file: CheckedFile, history: HistoryFacts) -> Iterator[Finding]:
    from learnings.core.due.ages import COMMIT, MOVED, RENAMED_HEADING, RESTORED  # noqa: PLC0415  (most checks run without git)
    from learnings.core.due.history_facts import FAR_APART, days_late  # noqa: PLC0415  (as above)

    returned = {entry.identity for entry in history.resurrected}
    for entry in file.document.entries:
        origin = history.origins.get(entry.identity)
        if origin is None or origin.basis not in (COMMIT, MOVED, RENAMED_HEADING, RESTORED):
            continue
        if entry.identity in returned or entry.stated is None or origin.date is None:
            continue
        late = days_late(entry.stated, origin.date)
        if abs(late) <= FAR_APART or (late > 0 and origin.commit in history.imports):
            continue
        rewritten = history.rewritten.get(entry.identity)
        if rewritten is not None and abs(days_late(entry.stated, rewritten)) <= FAR_APART:
            continue
        apart = f"{counted(abs(late), 'day')} {'later' if late > 0 else 'earlier'}"
        message = (
            f"the entry states {entry.stated[:10]}, but git dates it {origin.date}, {apart} "
            f"({short_commit(origin.commit or '')}); correct the date"
        )
        yield file.finding(RULE, entry.first, message)
