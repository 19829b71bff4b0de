"""Instructions import a file that agents do not load, because of its path or its punctuation.

Claude Code and Gemini replace `@path` with the content of that file, and say nothing if they find
no file. They take everything up to the next blank for the path, so they skip `@docs/testing.md:`,
and look for it in the folder of the file where the import stands, not at the root. The rule checks
imports outside of code and comments in instructions such as `CLAUDE.md`, and in the documents that
these import, five levels deep. A finding in such a document names the chain that leads to it.

In `AGENTS.md` and other instructions, `@path` is a reference. It may start from the folder of the
file, its package or the root, and punctuation does not matter.

Only documents (`.md`, `.txt` and the like) are reported as missing. The rule skips paths in the
home folder, outside of the repository, or ignored by git, because the file may exist for others,
and files that a sparse checkout or a submodule keeps off the disk. In the examples, a comment lists
the existing files.

Fix: correct the path, put blanks around the import, or remove it.

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
from posixpath import dirname, relpath

from learnings.agents.imports import GLUED, Import
from learnings.core.findings.finding import Finding, Severity, quoted
from learnings.core.instruction_paths import follows_imports, import_line
from learnings.core.text import printable
from learnings.rules.rule import TARGETS, CheckedFile, Rule, TreeFacts

RULE = Rule("dead-import", Severity.NOTICE, TARGETS, "tree")


def check(file: CheckedFile, tree: TreeFacts) -> Iterator[Finding]:
    for path, one in tree.failed_imports(file.data):
        message = _message(one)
        if path == file.path:
            yield file.finding(RULE, one.line, message, column=one.column)
        else:
            place = (path, one.line, one.column)
            yield Finding(RULE.id, RULE.severity, *place, message, None, one.written)


def _message(one: Import) -> str:
    is_nested = len(one.chain) > 1
    shown = " \u2192 ".join((*map(printable, one.chain), f"@{printable(one.path)}"))
    chain = f" ({shown})" if is_nested else ""
    if one.fault == GLUED:
        return (
            f"agents do not load {quoted(one.written)}{chain}, because an import must be between "
            f"blanks; separate {quoted('@' + one.path)} from the punctuation"
        )
    name = f"{quoted('@' + one.path)} does not exist{chain}"
    if one.meant:
        better = import_line(relpath(one.meant, dirname(one.chain[-1]) or "."))
        return f"{name}: a path starts from the folder of its file; write `{printable(better)}`"
    effect = ", so agents load nothing" if is_nested or follows_imports(one.chain[0]) else ""
    return f"{name}{effect}; correct or remove the import"
