"""An entry that a consolidation removed is back in the file.

A branch that is older than a consolidation still has the entries that the consolidation removed. If
it is merged and the conflict is resolved by keeping both sides, the old entries come back, beside
the text that replaced them. A squashed merge can do the same, but looks like an ordinary commit.
For such a commit, the finding is an error if the same version also contains text that the
consolidation wrote. If nothing of the consolidation is left, as after a revert, it is a notice.

The rule skips an entry that was written anew under an old heading, and an entry that the same
commit took out of another file, such as an archive. If one commit brings back more than three
entries, text reports show one finding; JSON, SARIF and the baseline list each entry.

This rule needs git and runs only with `--history`. In the examples, the comment stands for the
history in git.

Fix: remove the entry again; the commit in the finding shows where its content went. If the entry is
back on purpose, add an inline ignore with the reason.

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
from learnings.rules.rule import LEARNINGS, CheckedFile, Rule

if TYPE_CHECKING:
    from learnings.core.due.history_facts import HistoryFacts, ResurrectedEntry

RULE = Rule("resurrected-entry", Severity.ERROR, LEARNINGS, "history")


def check(file: CheckedFile, history: HistoryFacts) -> Iterator[Finding]:
    entries = file.document.by_identity
    for back in history.resurrected:
        entry = entries.get(back.identity)
        if entry is not None:
            is_certain = back.by_merge or back.has_replacement
            severity = None if is_certain else Severity.NOTICE
            message = f"this entry was {_removal(back)} and {_return(back)}; {_advice(back, 'it')}"
            cause = None  # the commit that brought several entries back
            if back.returned_by is not None:
                several = f"{{count}} entries that were {_removal(back)} {_return(back)}"
                cause = Cause(quoted(entry.title), several, f"; {_advice(back, 'them')}")
            finding = file.finding(RULE, entry.first, message, severity=severity)
            yield finding._replace(cause=cause)


def _removal(back: ResurrectedEntry) -> str:
    commit = f"{short_commit(back.removed_by)}{_on(back.removed_on)}"
    return f"removed by the consolidation {commit}"


def _return(back: ResurrectedEntry) -> str:
    if back.returned_by is None:
        return "is back, uncommitted"
    noun = "the merge" if back.by_merge else "commit"
    return f"came back with {noun} {short_commit(back.returned_by)}{_on(back.returned_on)}"


def _on(date: str | None) -> str:
    return "" if date is None else f" on {date}"


def _advice(back: ResurrectedEntry, pronoun: str) -> str:
    if back.by_merge or back.has_replacement:
        return f"remove {pronoun} again, or keep the parts of {pronoun} that the new text lacks"
    return f"remove {pronoun} again unless that was on purpose"
