r"""A file that learnings are moved into is too long, or nearly.

A decision or rule file is read as a whole each time an agent needs one part of it. At most
`line-limit` lines (400 unless configured) keep it readable; beyond that nothing more should be
moved in before the file is split. A file at the limit, or past nine tenths of it, has a notice.

`CLAUDE.md` and `AGENTS.md` are loaded by agents whether or not learnings go there, so for them
too many lines are a notice, unless `targets` names the file itself.

Fix: split the file by topic, or move what nobody needs any more to an archive.

Bad:

  ```python
  b"# Decisions\n" + b"- One more decision.\n" * 400
  ```

Good:

  ```python
  b"# Decisions\n" + b"- One more decision.\n" * 359
  ```
"""

from __future__ import annotations

from collections.abc import Iterator

from learnings.core.findings.finding import Finding, Severity
from learnings.rules.checked_file import CheckedFile
from learnings.rules.rule import TARGETS, Needs

ID = "line-limit"
SEVERITY = Severity.ERROR
ROLES = TARGETS
NEEDS = Needs.FILE

_LOADED_ANYWAY = ("CLAUDE.md", "AGENTS.md")


def check(file: CheckedFile) -> Iterator[Finding]:
    """Give an error past the limit, a notice at it and just below."""
    count, limit = len(file.document.lines), file.settings.line_limit
    if count > limit:
        severity = Severity.NOTICE if _is_loaded_anyway(file) else SEVERITY
        message = f"{count} lines, {count - limit} more than the limit of {limit}; split the file"
        yield file.finding(ID, severity, limit + 1, message, subject="")
    elif count == limit:
        message = f"full: {count} lines are the limit; split the file before anything is added"
        yield file.finding(ID, Severity.NOTICE, count, message, subject="")
    # Nine tenths: chosen, since 40 lines of 400 are left for an entry or two.
    elif 10 * count > 9 * limit:
        message = f"nearly full: {count} of at most {limit} lines; think of splitting the file"
        yield file.finding(ID, Severity.NOTICE, count, message, subject="")


def _is_loaded_anyway(file: CheckedFile) -> bool:
    """Return True if agents load the file whether or not learnings go there."""
    name = file.path.rpartition("/")[2]
    named = (pattern.rpartition("/")[2] for pattern in file.settings.targets or ())
    return name in _LOADED_ANYWAY and name not in named
