"""Files that record the past: logs, archives, and records of single decisions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from learnings.core.file_names import ARCHIVE_FOLDER
from learnings.core.markdown.outline import Outline
from learnings.core.patterns import lazy_pattern

# `0007-use-queues.md`, `2026-02-11-queues.md`; `Status: accepted`, `- **Status**: accepted`.
_DATED_NAME = lazy_pattern(r"(?:adr[-_])?\d{3,}[-_.]", re.IGNORECASE)
_STATUS = lazy_pattern(r"[ \t>*_-]*status[*_]*[ \t]*:", re.IGNORECASE)
# Usual names for the log of a project.
_LOG_NAME = lazy_pattern(
    r"(?:change-?log|changes|history|news|release-?notes?|releases|worklog|progress)[\w-]*\.\w+",
    re.IGNORECASE,
)


def is_dated_record(path: str, lines: Sequence[str], outline: Outline) -> bool:
    """Return True for the record of a single decision.

    Its name begins with a number or date, or it has a status above its second heading.
    """
    second = [heading.line for heading in outline.headings][1:2]
    top = lines[: second[0]] if second else lines
    return bool(_DATED_NAME.match(path.rpartition("/")[2])) or any(map(_STATUS.match, top))


def is_log_or_record(path: str, lines: Sequence[str], outline: Outline, *, is_memory: bool) -> bool:
    """Return True for a file that records the past, so that nobody has to keep it up to date.

    is_memory: the file is a learnings file, so neither its name nor the status of an entry makes it
    a record.
    """
    folders = [part.lower() for part in path.split("/")[:-1]]
    if ARCHIVE_FOLDER in folders or "archived" in folders:
        return True
    if is_memory:
        return False
    name = path.rpartition("/")[2]
    return _LOG_NAME.fullmatch(name) is not None or is_dated_record(path, lines, outline)
