"""A memory or instruction file cannot be read, so nothing in it is checked or loaded.

Git keeps links as they are, so a link to a file that was renamed or never existed leads nowhere for
everybody, and agents that expect instructions there load nothing. If the disk or the setting
`core.symlinks` allows no links, as often on Windows, git writes the path of the target to a text
file, and agents read only that line. The rule also reports files that you may not read, and files
that are too large for a memory.

A link out of the repository may lead to a file on another machine, so it is only a notice if
nothing is there, as is a link that git wrote as text. A file that the command line or the
configuration names stops the command instead. In the examples, a comment stands for the link.

Fix: correct or remove the link, make the file readable, or split it. Instead of a link,
instructions can import a file: `@AGENTS.md`.

Bad:

  ```markdown
  <!-- agents/learnings.md -> ../docs/memory.md -->
  ```

Good:

  ```markdown
  <!-- agents/learnings.md -> ../docs/lessons.md -->
  ## When a build hangs

  Look at the lock first.
  ```
"""

from __future__ import annotations

from collections.abc import Iterator

from learnings.core.findings.finding import Finding, Severity
from learnings.core.text import printable
from learnings.rules.rule import EVERY_FILE, CheckedFile, Obstacle, Rule

RULE = Rule("unreadable-file", Severity.ERROR, EVERY_FILE, "obstacle")


def check(file: CheckedFile, obstacle: Obstacle) -> Iterator[Finding]:
    if obstacle.link is None:
        message = f"{obstacle.reason}, so nothing in it was checked; {obstacle.remedy}"
        yield file.finding(RULE, 1, message, subject="")
        return
    target, severity = printable(obstacle.link), None
    if obstacle.is_text:
        severity = Severity.NOTICE
        message = (
            f"git wrote this link to {target} as text, since links are off here (core.symlinks), "
            "so agents read only that line; turn links on and check the file out again, or replace "
            f"the link with a file that imports it: `@{target}`"
        )
    elif obstacle.link.endswith("\n"):
        message = (
            f'broken link to "{target}", whose line break is part of the name, so nobody can read '
            "it; make the link again without it"
        )
    else:
        severity = Severity.NOTICE if obstacle.leads_out else None
        message = f"broken link to {target}, so nobody can read it; correct or remove the link"
    yield file.finding(RULE, 1, message, severity=severity, subject="")
