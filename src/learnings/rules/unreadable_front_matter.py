"""The front matter of an instruction file is not valid YAML.

The front matter says when agents load a rule of Claude Code, Cursor or Copilot. If they cannot
parse it, some agents always load the file, and others never do. The rule accepts values that the
host accepts although YAML does not, such as `globs: *.ts, *.tsx`.

Fix: correct the line, or put the value in quotes.

Bad:

  ```markdown
  ---
  description: Style: for all of src
  paths: src/**
  ---
  Short functions.
  ```

Good:

  ```markdown
  ---
  description: "Style: for all of src"
  paths: src/**
  ---
  Short functions.
  ```
"""

from __future__ import annotations

from collections.abc import Iterator

from learnings.agents.front_matter import read_front_matter
from learnings.core.findings.finding import Finding, Severity
from learnings.core.instruction_paths import has_paths
from learnings.rules.rule import TARGETS, CheckedFile, Rule

RULE = Rule("unreadable-front-matter", Severity.NOTICE, TARGETS)


def check(file: CheckedFile) -> Iterator[Finding]:
    if has_paths(file.path):
        front = read_front_matter(file.document.lines)
        if front.problem:
            yield file.finding(RULE, front.line, front.problem)
