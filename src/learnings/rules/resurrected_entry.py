"""An entry that a consolidation removed and that is in the file again.

A branch that is older than a consolidation still has the entries that the consolidation took out.
When it is merged and the conflict is solved by keeping both sides, they are back, beside what was
made of them. The same happens with squashed merges, which look like any other commit: there it is
an error where something that the consolidation wrote stands in the same version. Put back by a
commit that leaves nothing of the consolidation, as a revert does, it is a notice. An entry that was
written anew under an old heading is no finding, and neither is one that the same commit took out of
another file, such as an archive. Where one commit brings back more than three entries, reports for
people show them as one finding; JSON, SARIF and the baseline have each of them. This rule needs git
and is used with `--history` only; the comment in the examples stands for what git knows.

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

from learnings.core.findings.finding import Cause, Finding, Severity, quoted
from learnings.core.text import short_commit
from learnings.rules.checked_file import CheckedFile
from learnings.rules.rule import LEARNINGS, Needs

if TYPE_CHECKING:
    from learnings.core.due.history_facts import HistoryFacts, ResurrectedEntry

ID = "resurrected-entry"
SEVERITY = Severity.ERROR
ROLES = LEARNINGS
NEEDS = Needs.HISTORY


def check(file: CheckedFile, history: HistoryFacts) -> Iterator[Finding]:
    entries = file.document.by_identity
    for back in history.resurrected:
        entry = entries.get(back.identity)
        if entry is not None:
            is_certain = back.by_merge or back.has_replacement
            severity = Severity.ERROR if is_certain else Severity.NOTICE
            message = f"this entry was {_removal(back)} and {_return(back)}; {_advice(back, 'it')}"
            finding = file.finding(ID, severity, entry.first, message)
            yield finding._replace(cause=_cause(back, entry.title))


def _cause(back: ResurrectedEntry, title: str) -> Cause | None:
    """Return the commit that brought the entry back, as the cause of all such findings."""
    if back.returned_by is None:
        return None
    before = f"{{count}} entries that were {_removal(back)} {_return(back)}"
    return Cause(quoted(title), before, f"; {_advice(back, 'them')}")


def _removal(back: ResurrectedEntry) -> str:
    commit = f"{short_commit(back.removed_by)}{_on(back.removed_on)}"
    return f"removed by the consolidation {commit}"


def _return(back: ResurrectedEntry) -> str:
    if back.returned_by is None:
        return "is back, not committed yet"
    noun = "the merge" if back.by_merge else "commit"
    return f"came back with {noun} {short_commit(back.returned_by)}{_on(back.returned_on)}"


def _on(date: str | None) -> str:
    return "" if date is None else f" on {date}"


def _advice(back: ResurrectedEntry, pronoun: str) -> str:
    if back.by_merge or back.has_replacement:
        return f"remove {pronoun} again, or keep of {pronoun} what is missing there"
    return f"remove {pronoun} again unless that was on purpose"
