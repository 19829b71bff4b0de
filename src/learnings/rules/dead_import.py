"""Instructions import a file that is not there, so agents load nothing for it.

Claude Code and others replace `@path` in what they load by the content of that file, and say
nothing where there is none. Looked at are imports of documents (`.md`, `.txt` and the like) outside
of code in instructions such as `CLAUDE.md`: from the folder of the file, then from the root. A path
in the home folder, one that leads out of the repository, and a file that git ignores may be there
for others. In the examples, a comment names the files there are.

Fix: correct the path, or remove the import.

Bad:

  ```markdown
  <!-- files: docs/testing.md -->
  # Guide

  How tests are run: @docs/tests.md
  ```

Good:

  ```markdown
  <!-- files: docs/testing.md -->
  # Guide

  How tests are run: @docs/testing.md
  ```
"""

from __future__ import annotations

from collections.abc import Iterator

from learnings.agents.loading import imports_in
from learnings.core.findings.finding import Finding, Severity, quoted
from learnings.rules.checked_file import CheckedFile
from learnings.rules.rule import TARGETS, Needs, TreeFacts

ID = "dead-import"
SEVERITY = Severity.NOTICE
ROLES = TARGETS
NEEDS = Needs.TREE


def check(file: CheckedFile, tree: TreeFacts) -> Iterator[Finding]:
    document = file.document
    hidden = document.outline.hidden_lines(document.front_matter)
    for one in imports_in(tree.path, document.lines, hidden):
        if one.candidates and not any(map(tree.has, one.candidates)):
            name = quoted(f"@{one.written}")
            message = f"{name} leads to no file, so agents load nothing; correct or remove it"
            yield file.finding(ID, SEVERITY, one.line, message, column=one.column)
