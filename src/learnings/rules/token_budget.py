"""Each agent session loads more tokens than the budget allows.

Every session loads the instructions of its agent with their imports, and the learnings files and
memory indexes that they name. `token-budget` limits the total number of their tokens; without it,
the rule is off. The rule counts one token per 3.8 bytes, for the agent that loads most. The finding
is on the largest of these files.

A pull request is not blamed for older growth: if the base was already above the budget, the total
may not exceed the total of the base (`learnings ci`, `learnings check --since`). In the examples,
the comment is the setting.

Fix: consolidate the learnings file, move sections that few sessions need to files with `paths:` or
to documents that agents read on demand, or raise the budget.

Bad:

  ```markdown
  # Learnings

  <!-- token-budget = 20 -->

  ## When a build hangs

  Look at the lock first, and at the clock of the machine, before you do anything else.
  ```

Good:

  ```markdown
  # Learnings

  <!-- token-budget = 200 -->

  ## When a build hangs

  Look at the lock first.
  ```
"""

from __future__ import annotations

from collections.abc import Iterator

from learnings.core.findings.finding import Finding, Severity
from learnings.core.text import printable
from learnings.rules.rule import MEMORY, CheckedFile, Rule, SessionFacts

RULE = Rule("token-budget", Severity.ERROR, MEMORY, "session")

# Chosen: the files to look at first, on one line.
_NAMED = 3


def check(file: CheckedFile, session: SessionFacts) -> Iterator[Finding]:
    budget = file.settings.token_budget
    if isinstance(budget, str) or session.tokens <= max(budget, session.before):
        return
    size = f"each session loads about {session.tokens:,} tokens, "
    if session.before > budget:
        grown = session.tokens - session.before
        size += f"{grown:,} more than before, which was already over the budget of {budget:,}"
    else:
        size += f"{session.tokens - budget:,} more than the budget of {budget:,}"
    largest = (f"{printable(path)} ({tokens:,})" for path, tokens in session.files[:_NAMED])
    message = f"{size}; shorten or consolidate {', '.join(largest)}"
    yield file.finding(RULE, 1, message, subject="")
