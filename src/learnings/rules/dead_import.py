"""Instructions import a file that does not exist, so agents load nothing for it.

Claude Code and other agents replace `@path` with the content of that file, and say nothing if the
file does not exist. The rule checks imports of documents (`.md`, `.txt` and the like) outside of
code in instructions such as `CLAUDE.md`. It looks for the path relative to the folder of the file,
its package and the root. It skips paths in the home folder, outside of the repository, or ignored
by git, because the file may exist for others, and files that a sparse checkout or a submodule keeps
off the disk. In the examples, a comment lists the existing files.

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
from learnings.core.file_names import MEMORY_ENDINGS
from learnings.core.findings.finding import Finding, Severity, quoted
from learnings.rules.rule import TARGETS, CheckedFile, Rule, TreeFacts

RULE = Rule("dead-import", Severity.NOTICE, TARGETS, "tree")


def check(file: CheckedFile, tree: TreeFacts) -> Iterator[Finding]:
    for one in imports_in(tree.path, file.document.lines, file.document.hidden_lines):
        is_document = one.written.lower().endswith(MEMORY_ENDINGS)
        in_packages = (f"{package}/{path}" for package in tree.packages for path in one.candidates)
        places = (*one.candidates, *in_packages)
        if is_document and one.candidates and not any(map(tree.has, places)):
            name = quoted(f"@{one.written}")
            message = f"{name} does not exist, so agents load nothing; correct or remove the import"
            yield file.finding(RULE, one.line, message, column=one.column)
