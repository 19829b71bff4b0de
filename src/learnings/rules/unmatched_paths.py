"""Instructions apply to files that do not exist, so agents never load them.

Rules of Claude Code (`paths`), Cursor (`globs`) and Copilot (`applyTo`) can say in their front
matter for which files they are loaded. If no glob matches a tracked or untracked file, agents never
load the rule: the folder was renamed, or the code is gone. In the examples, a comment lists the
existing files.

Fix: correct the globs, or remove the file if it no longer applies.

Bad:

  ```markdown
  ---
  paths: lib/**/*.py
  ---
  <!-- files: src/app.py -->
  Type hints are checked.
  ```

Good:

  ```markdown
  ---
  paths: src/**/*.py
  ---
  <!-- files: src/app.py -->
  Type hints are checked.
  ```
"""

from __future__ import annotations

from collections.abc import Iterator

from learnings.agents.front_matter import read_front_matter
from learnings.agents.loading import path_globs
from learnings.core.findings.finding import Finding, Severity
from learnings.core.instruction_paths import has_paths
from learnings.rules.rule import TARGETS, CheckedFile, Rule, TreeFacts

RULE = Rule("unmatched-paths", Severity.NOTICE, TARGETS, "tree")


def check(file: CheckedFile, tree: TreeFacts) -> Iterator[Finding]:
    if not has_paths(tree.path):
        return
    front = read_front_matter(file.document.lines)
    for key, globs in path_globs(front.values or {}):
        if not tree.matches(globs):
            message = f"{key} matches no file, so agents never load this file; correct or remove it"
            yield file.finding(RULE, front.keys.get(key, 1), message, subject=key)
