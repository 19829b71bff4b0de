"""The text refers to a file that was in git history but is no longer in the working tree.

The rule looks up paths in code spans and in relative links in the history of HEAD, as written and
relative to the folder of the file. The end of a path is enough if only one file ever had that
ending. The message names the commit that removed or renamed the file, and the current path if
renames lead to exactly one.

The rule also checks `path:line` beyond the end of a file, `file.md#heading`, and targets of make,
recipes of just, scripts of npm and programs of `pyproject.toml` that were once defined.

The rule skips

- a path that never existed, or that did not exist when its line was written;
- a path that git ignores, or that lies in a submodule;
- a path if its sentence says that the file is gone;
- paths in a code block, an archive, a log or a decision record.

This rule needs git and runs only with `--history`. In the examples, the comment stands for the
history in git.

Fix: correct the path; `learnings fix --history` does so if there is exactly one successor. If the
text is about something that is gone, say so in the sentence, or remove the entry.

Bad:

    ```markdown
    # Learnings

    <!-- renamed 2026-03-02 by 1a2b3c4: src/cache.py to src/store.py -->

    ## When a build hangs

    Clear the cache with `src/cache.py`.
    ```

Good:

    ```markdown
    # Learnings

    <!-- renamed 2026-03-02 by 1a2b3c4: src/cache.py to src/store.py -->

    ## When a build hangs

    Clear the cache with `src/store.py`, which replaced `src/cache.py`.
    ```
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from learnings.core.findings.finding import Finding, Fix, Severity, quoted, replaced
from learnings.core.text import short_commit
from learnings.rules.rule import LEARNINGS, NAMED, TARGETS, TOPICS, CheckedFile, Rule

if TYPE_CHECKING:
    from learnings.core.entries.document import Document
    from learnings.references.dead import DeadReference, Judged

RULE = Rule("dead-reference", Severity.NOTICE, LEARNINGS | TARGETS | TOPICS | NAMED, "references")


def check(file: CheckedFile, judge: Callable[[Document], Judged]) -> Iterator[Finding]:
    for dead in judge(file.document).dead:
        one, fix = dead.reference, None
        if dead.replacement is not None:
            line = file.document.lines[one.line - 1]
            edit = replaced(one.line, line, one.column, one.text, dead.replacement)
            fix = Fix(f"write {dead.replacement}", (edit,), rewrites=True)
        yield file.finding(RULE, one.line, message_of(dead), column=one.column, fix=fix)


def message_of(dead: DeadReference) -> str:
    one, name = dead.reference, quoted(dead.reference.written)
    when = "an uncommitted change"
    if dead.removal is not None:
        when = f"{short_commit(dead.removal.commit)} on {dead.removal.date}"
    if dead.replacement is not None:
        return f"{name} was renamed in {when}; write {quoted(dead.replacement)}"
    if dead.is_path:
        lost = name
    elif one.tool is not None:
        lost = f"the definition of {name}"
    else:
        lost = f"the {'heading' if one.line_number is None else 'line'} that {name} refers to"
    return f"{lost} was removed in {when}; correct the reference, or say that it is gone"
