"""The text refers to a file that was in git history but is no longer in the working tree.

The rule looks up paths in code spans and in relative links in the history of HEAD: as written,
relative to the folder of the file, and relative to its packages. The end of a path, such as
`app/cache.py` for `src/app/cache.py`, is enough if no path ends so now. The message names the
commit that removed the file. It also names where the file went, through every later move, if that
is certain: to the path of a rename, or to the file that received most of its lines.

The rule also checks `path:line` beyond the end of a file, `file.md#heading`, and targets of make,
recipes of just, scripts of npm and programs of `pyproject.toml` that were once defined. The new
anchor of a heading is known if the commit that renamed it kept most of the lines below it.

The rule skips

- a path that never existed, or that did not exist when its line was written;
- a path that git ignores, or that lies in a submodule, and a file that its sentence says to write;
- a target, script or program that another file of the repository defines now;
- a path if its sentence says that the file is gone, or records the move: `` `a.py` → `lib/` ``,
  "Do not use `a.py`. Use `b.py`.";
- paths in a code block, an archive, a log or a decision record.

Some dead references cannot be known: a name that many files have (`index.ts`, `config.json`), the
end of a path that another file has, a wildcard, a path in plain text, and a path of another
repository. A successor is unknown if the file was written anew or went to several files, or if
different files had that end.

This rule needs git and runs only with `--history`. In the examples, the comment stands for the
history in git.

Fix: correct the path; `learnings fix --history` does so if the successor is certain. If the
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
            edit = replaced(one.line, line, one.column, dead.replaced, dead.replacement)
            fix = Fix(f"write {dead.replacement}", (edit,), rewrites=True)
        yield file.finding(RULE, one.line, message_of(dead), column=one.column, fix=fix)


def message_of(dead: DeadReference) -> str:
    one, name = dead.reference, quoted(dead.reference.written)
    when = "an uncommitted change"
    if dead.removal is not None:
        when = f"{short_commit(dead.removal.commit)} on {dead.removal.date}"
    if dead.replacement is not None:
        return f"{name} moved in {when}; write {quoted(dead.replacement)}"
    if dead.is_path and dead.successor is not None:
        return f"{name} moved to {quoted(dead.successor)} in {when}; correct the reference"
    if dead.is_path:
        lost = name
    elif one.tool is not None:
        lost = f"the definition of {name}"
    else:
        lost = f"the {'heading' if one.line_number is None else 'line'} that {name} refers to"
    return f"{lost} was removed in {when}; correct the reference, or say that it is gone"
