r"""The last commit had entries in this file, and now the file has none.

One commit can lose a whole memory: somebody empties the file, rewrites its headings so that none of
them is an entry, saves it as UTF-16, or replaces it with a binary file. No other check notices,
because a file without entries looks like a file that is not used yet.

The rule compares the file with the last commit, even if it had another name there. Before a push,
or if `learnings ci` or a hook framework knows the base of the change, it compares with the base.

The rule skips a file if

- every missing entry is, with all its lines, in an archive, in another memory file, or in another
  Markdown file of the same change;
- the file was deleted, which nobody does by accident;
- the entries are only hidden, which `unclosed-fence`, `unclosed-comment` and
  `entry-heading-malformed` report;
- it is outside of a repository.

In the examples, the comment stands for the content at the last commit.

Fix: restore the file, as the finding says. To start over on purpose, delete the file in one commit
and create a new one in the next, or move the old entries to an archive.

Bad:

  ```markdown
  # Learnings

  <!-- committed: When a build hangs; When a test is slow -->

  **When a build hangs**: look at the lock first.
  ```

Good:

  ```markdown
  # Learnings

  <!-- committed: When a build hangs; When a test is slow -->

  ## When a build hangs

  Look at the lock first.
  ```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from learnings.core.findings.finding import Finding, Severity
from learnings.core.text import counted, printable, short_commit
from learnings.rules.rule import LEARNINGS, CheckedFile, Rule

if TYPE_CHECKING:
    from learnings.core.entries.archives import MissingEntries

RULE = Rule("entries-gone", Severity.ERROR, LEARNINGS, "committed")

# Titles shown in the message; the rest are counted.
_MOST_NAMED = 3


def check(file: CheckedFile, missing: MissingEntries) -> Iterator[Finding]:
    if not missing.missing:
        return
    import shlex  # noqa: PLC0415  (needed for a finding only)

    is_last = missing.commit == "HEAD"
    commit = missing.commit if is_last else short_commit(missing.commit)
    source = "the last commit has" if is_last else f"commit {commit} had"
    number, count = counted(missing.total, "entry", "entries"), len(missing.missing)
    lost = "" if count == missing.total else f"{count} of them are in no other file: "
    first = "" if file.is_text else "save it as UTF-8, "
    former = missing.former or file.path
    titles = "; ".join(map(printable, missing.missing[:_MOST_NAMED]))
    if count > _MOST_NAMED:
        titles += f"; and {count - _MOST_NAMED} more"
    message = (
        f"{source} {number} in this file, now it has none ({lost}{titles}); "
        f"{first}restore it with `git checkout {commit} -- {shlex.quote(former)}`, "
        "or move the entries to an archive in the same change"
    )
    yield file.finding(RULE, 1, message, subject="")
