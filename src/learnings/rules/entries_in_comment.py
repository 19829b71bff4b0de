"""An HTML comment contains entries, so nobody reads them.

Commented-out text is not an entry: it has no age, it is never consolidated, and agents that see the
rendered file do not see it.

The rule reports a comment if two or more headings in it have a readable date. If the file has no
entry outside of comments, one heading at level 2 or 3 is enough. The rule skips a single example
that a template keeps, a comment with a placeholder (`YYYY-MM-DD`, `<title>`), and a comment below
the word `Example`. Another rule reports a comment that is never closed.

Fix: take the entries out of the comment, or delete them; git keeps the old text.

Bad:

  ```markdown
  ## When a build hangs

  Look at the lock.

  <!--
  ## [2026-02-16] When a test is slow

  Profile it.

  ## [2026-02-17] When a page is slow

  Measure it.
  -->
  ```

Good:

  ```markdown
  <!-- Write entries like this one:
  ## [2026-02-16] When a test is slow
  -->

  ## When a build hangs

  Look at the lock.
  ```
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile

from learnings.core.entries.titles import heading_text, read_heading
from learnings.core.findings.finding import Finding, Severity
from learnings.core.patterns import lazy_pattern
from learnings.core.text import counted
from learnings.rules.rule import LEARNINGS, CheckedFile, Rule

RULE = Rule("entries-in-comment", Severity.NOTICE, LEARNINGS)

# A heading at level 2 or 3, also after the opening of the comment.
_HEADING = lazy_pattern(r"(?:<!--)?[ \t]*(#{2,3}[ \t]+\S.*)")
# Placeholders for a date or a title in templates.
_PLACEHOLDER = lazy_pattern(
    r"YYYY|[<{][^<>{}]{1,60}[>}]|\[[^\[\]\d]{1,60}\]|\.\.\.|…|\b(?:example|template|title)\b",
    re.IGNORECASE,
)
# Words that introduce an example in a template.
_EXAMPLE = lazy_pattern(r"\b(?:examples?|templates?|format)\b", re.IGNORECASE)


def check(file: CheckedFile) -> Iterator[Finding]:
    has_entries = bool(file.document.entries)
    for block in file.document.outline.comments:
        lines = file.document.lines[block.first - 1 : block.last]
        if not block.closed or "#" not in "".join(lines):
            continue
        headings = [match[1] for line in lines if (match := _HEADING.match(line))]
        dated = sum(read_heading(text, bare_ids=True).stated is not None for text in headings)
        real = [heading for heading in headings if not _PLACEHOLDER.search(heading_text(heading))]
        if dated > 1:
            message = f"this comment hides {dated} entries; move them out of it, or delete them"
            yield file.finding(RULE, block.first, message)
            continue
        above = takewhile(lambda line: not _HEADING.match(line), lines)
        if not real or has_entries or any(map(_EXAMPLE.search, above)):
            continue
        # One heading that shows where the date goes explains the others.
        if dated or not any("YYYY" in heading for heading in headings):
            hidden = "a heading with a date" if dated else counted(len(real), "heading")
            message = f"the file has no entries outside of comments, but this one contains {hidden}"
            advice = "move the entries out of it"
            yield file.finding(RULE, block.first, f"{message}; {advice}")
