"""A section has almost no text of its own and is not marked as structural.

A heading that only groups other headings has nothing for a reader who follows a row of the memory
index to it. Say in the section what its parts have in common. Or put a dot before its title to mark
it as structural, so that it needs no row in the index. The rule is off by default.

The rule counts the lines between a heading at level 2 or deeper and its first sub-heading, and
reports two lines or fewer. Blank lines, rulers and comments do not count; lines of code do.

Fix: write what the parts have in common, or put a dot before the title.

Bad:

  ```markdown
  # Decisions

  ## Builds

  ### When a build hangs

  Look at the lock.
  ```

Good:

  ```markdown
  # Decisions

  ## .Builds

  ### When a build hangs

  Look at the lock.
  ```
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from learnings.core.entries.titles import heading_text
from learnings.core.findings.finding import Finding, Severity, quoted
from learnings.core.markdown.line_kinds import has_text
from learnings.core.markdown.outline import lines_of
from learnings.core.text import counted
from learnings.rules.rule import TARGETS, CheckedFile, Rule

RULE = Rule("section-without-content", Severity.NOTICE, TARGETS, is_opt_in=True)

_FEW = 2  # most lines of text above the first sub-heading that are a finding, by definition


def check(file: CheckedFile) -> Iterator[Finding]:
    commented = lines_of(file.document.outline.comments)
    for heading, below in pairwise(file.document.outline.headings):
        title = heading_text(file.line(heading.line))
        if not 1 < heading.level < below.level or title.startswith("."):
            continue
        between = (n for n in range(heading.line + 1, below.line) if n not in commented)
        count = sum(has_text(file.line(number)) for number in between)
        if count <= _FEW:
            lines = counted(count, "line") if count else "no lines"
            structural = f"{'#' * heading.level} .{title}"
            message = f"{quoted(title)} has {lines} of its own above its first sub-heading"
            advice = f"write what its parts have in common, or write {quoted(structural)}"
            yield file.finding(RULE, heading.line, f"{message}; {advice}")
