"""No agent instructions lead to this learnings file, so agents do not read it.

Agents read their instructions (`CLAUDE.md`, `AGENTS.md`, `GEMINI.md`, rules for Cursor or Copilot
and so on, at the root and in packages) and the files that these name. The rule accepts:

- an import (`@path`), or a mention of the path or name of the file, in instructions or in a
  document that they name;
- a glob that matches the file, or a sentence that says to read its folder;
- a skill, sub-agent, command, hook or settings file of an agent that names the file or runs
  `learnings`.

An import that loads nothing ([dead-import](#dead-import)) does not count, and the finding names it.

A file that an agent or a tool loads on its own, for example in `.claude/rules` or `.serena`, needs
none of these. The rule skips files without entries and files outside of a git repository. It does
not read personal instructions such as `~/.claude/CLAUDE.md`. In the examples, the comment stands
for the content of `CLAUDE.md`.

Fix: add the line that the finding shows to `CLAUDE.md`, or say in `AGENTS.md` where the memory is
and when to append an entry. If nobody uses the file, delete it.

Bad:

  ```markdown
  # Learnings

  <!-- CLAUDE.md: Run `make test` before a commit. -->

  ## When a build hangs

  Look at the lock first.
  ```

Good:

  ```markdown
  # Learnings

  <!-- CLAUDE.md: @agents/learnings.md -->

  ## When a build hangs

  Look at the lock first.
  ```
"""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import dirname, relpath

from learnings.core.findings.finding import Finding, Severity, quoted
from learnings.core.instruction_paths import import_line
from learnings.core.text import printable
from learnings.rules.rule import LEARNINGS, CheckedFile, LoadingFacts, Rule

RULE = Rule("memory-not-loaded", Severity.NOTICE, LEARNINGS, "loading")


def check(file: CheckedFile, loading: LoadingFacts) -> Iterator[Finding]:
    if loading.is_named():
        return
    failed = loading.failed_import()
    if failed is None:
        message = (
            "no agent instructions import or mention this file, so agents do not read it; "
            f"add `{printable(import_line(loading.path))}` to CLAUDE.md, or name it in AGENTS.md"
        )
    else:
        source = failed.chain[-1]
        right = import_line(relpath(loading.path, dirname(source) or "."))
        message = (
            f"agents do not read this file, because the import {quoted(failed.written)} in "
            f"{printable(source)}:{failed.line} loads nothing; write `{printable(right)}` there, "
            "between blanks"
        )
    yield file.finding(RULE, 1, message, subject="")
