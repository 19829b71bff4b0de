"""An entry that a consolidation removed and that is in the file again.

A branch that is older than a consolidation still has the entries that the consolidation took out.
When it is merged and the conflict is solved by keeping both sides, they are back, beside what was
made of them. The same happens with squashed merges, which look like any other commit: there it is
an error where something that the consolidation wrote stands in the same version. Put back by a
commit that leaves nothing of the consolidation, as a revert does, it is a notice. An entry that was
written anew under an old heading is no finding, and neither is one that the same commit took out of
another file, such as an archive. This rule needs git and is used with `--history` only; the
comment in the examples stands for what git knows.

Fix: remove the entry again; the commit named in the finding shows where its content went. If it is
back on purpose, say so with an inline ignore and the reason.

Bad:

    ```markdown
    # Learnings

    <!-- removed 2026-03-02 by 1a2b3c4, back 2026-03-09 by 5d6e7f8: when a build hangs -->

    ## When a build hangs

    Clear the cache.
    ```

Good:

    ```markdown
    # Learnings

    <!-- added 2026-03-02 by 1a2b3c4: when builds fail -->

    ## When builds fail

    Clear the cache first, then read the log.
    ```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from learnings.core.findings.finding import Finding, Severity
from learnings.core.text import short_commit
from learnings.rules.checked_file import CheckedFile
from learnings.rules.rule import LEARNINGS, Needs

if TYPE_CHECKING:
    from learnings.core.due.rule_facts import HistoryFacts, Resurrected

ID = "resurrected-entry"
SEVERITY = Severity.ERROR
ROLES = LEARNINGS
NEEDS = Needs.HISTORY


def check(file: CheckedFile, history: HistoryFacts) -> Iterator[Finding]:
    """Give a finding for each entry that came back."""
    entries = file.document.by_identity
    for entry in history.resurrected:
        if entry.identity in entries:
            is_certain = entry.by_merge or entry.beside
            severity = Severity.ERROR if is_certain else Severity.NOTICE
            yield file.finding(ID, severity, entries[entry.identity].first, _message(entry))


def _message(entry: Resurrected) -> str:
    removed = f"{short_commit(entry.removed_by)} on {entry.removed_on}"
    if entry.returned_by is None:
        back = "is back, not committed yet"
    else:
        noun = "the merge" if entry.by_merge else "commit"
        back = f"came back with {noun} {short_commit(entry.returned_by)} on {entry.returned_on}"
    if entry.by_merge or entry.beside:
        advice = "remove it again, or keep of it what is missing there"
    else:
        advice = "remove it again unless that was on purpose"
    return f"this entry was removed by the consolidation {removed} and {back}; {advice}"
