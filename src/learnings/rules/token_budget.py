"""What each session of an agent loads is larger than the budget for it.

Every session pays for the instructions of its agent with what they import, for memory indexes up to
the limit of what is loaded, and for learnings files. The rule is off unless `token-budget` says how
many tokens that may be together. A token is taken for 3.8 bytes, and the agent that loads most
counts. The finding is at the largest of these files.

A pull request does not have to make up for what was there before: where the base was above the
budget already, its total may not exceed that of the base (`learnings ci`, `learnings check
--since`). In the examples, the comment is the setting.

Fix: consolidate the learnings file, move sections that few sessions need to files with `paths:` or
to documents that are read when they are needed, or raise the budget.

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
from learnings.rules.checked_file import CheckedFile
from learnings.rules.rule import MEMORY, Needs, SessionFacts

ID = "token-budget"
SEVERITY = Severity.ERROR
ROLES = MEMORY
NEEDS = Needs.SESSION

# Chosen: the files to look at first, in one line.
_NAMED = 3


def check(file: CheckedFile, session: SessionFacts) -> Iterator[Finding]:
    """Give an error where a session loads more than the budget, and more than before."""
    budget = file.settings.token_budget
    if not budget or session.tokens <= max(budget, session.before):
        return
    size = f"each session loads about {session.tokens:,} tokens, "
    if session.before > budget:
        grown = session.tokens - session.before
        size += f"{grown:,} more than before, which is over the budget of {budget:,} already"
    else:
        size += f"{session.tokens - budget:,} more than the budget of {budget:,}"
    largest = (f"{printable(path)} ({tokens:,})" for path, tokens in session.files[:_NAMED])
    message = f"{size}; shorten or consolidate {', '.join(largest)}"
    yield file.finding(ID, SEVERITY, 1, message, subject="")
