"""Text that an agent file copies from another file no longer matches that file.

A sub-agent cannot rely on a skill, so its file repeats the steps, and soon there are two versions
of them. The text between `<!-- Source: PATH -->` and `<!-- End of source -->` must be consecutive
lines of PATH that end at the end of a section. PATH is relative to the root of the repository or to
the folder of the plugin. The rule ignores blank lines, trailing blanks and the level of headings.

The rule checks files that run a `learnings` command or `learning-ages.py` in code, or that name one
of our hooks or sub-agents in code. It also checks the other files of their plugin, but does not
report a missing end there. Outside of a plugin, the source may belong to a plugin that is installed
elsewhere; the rule compares the text if it finds the source.

Fix: copy the section again, or correct the file that is wrong.

Bad:

  ```markdown
  ---
  name: memory-curator
  description: Keeps the memory in order.
  ---
  <!-- Source: agent-core/skills/remember/SKILL.md -->
  ## Step 1

  Read every entry.
  <!-- End of source -->
  ```

Good:

  ```markdown
  ---
  name: memory-curator
  description: Keeps the memory in order.
  ---
  <!-- Source: agent-core/skills/remember/SKILL.md -->
  ## Step 1

  Read the entries of the batch.
  <!-- End of source -->
  ```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from learnings.core.findings.finding import Finding, Severity, quoted
from learnings.rules.rule import AGENTS, CheckedFile, Rule

if TYPE_CHECKING:
    from learnings.agents.file_facts import AgentFacts
    from learnings.agents.mentions import CopiedText, CopyDifference

RULE = Rule("agent-embedded-copy", Severity.ERROR, AGENTS, "agent")


def check(file: CheckedFile, facts: AgentFacts) -> Iterator[Finding]:
    from learnings.agents.mentions import copies, copy_difference  # noqa: PLC0415  (few runs look at files of agents)

    lines = facts.instructions.lines
    for copy in copies(lines, facts.instructions.front_matter):
        if copy.path not in facts.sources:
            continue
        source = facts.sources[copy.path]
        if copy.last is None:
            if facts.is_ours:
                message = "this copy has no end; add <!-- End of source --> after it"
                yield file.finding(RULE, copy.first, message)
        elif source is None:
            message = f"the source {quoted(copy.path)} does not exist; correct the path"
            yield file.finding(RULE, copy.first, message)
        elif first := copy_difference(copy, lines, source):
            yield file.finding(RULE, first.line, _message(copy, first))


def _message(copy: CopiedText, first: CopyDifference) -> str:
    path = quoted(copy.path)
    if first.line == copy.first:
        return f"the copy of {path} is empty; copy the section, or remove the comments"
    if first.source_line is None:
        return f"this line is not in {path}; copy the section again"
    if not first.source_line:
        return f"{path} ends before this line; copy the section again"
    source = f"{path} line {first.source_line}"
    if first.goes_on:
        return f"the copy ends too early: {source} continues with {quoted(first.text)}; add it"
    return f"this differs from {source}, which says {quoted(first.text)}; copy it again"
