"""How a check came to its report, as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from learnings.app.check.trace import Trace
from learnings.core.roles import Role
from learnings.core.text import counted, printable
from learnings.rules.checked_file import CheckedFile

_ROLES = {
    Role.LEARNINGS: "learnings file",
    Role.TARGET: "target file",
    Role.INDEX: "memory index",
    Role.AGENT: "agent file",
    None: "no memory file, checked as text",
}


def render(trace: Trace) -> str:
    """Return a line for each fact, with its newline."""
    return "".join(f"{line}\n" for line in _lines(trace))


def _lines(trace: Trace) -> Iterator[str]:
    for file in trace.files:
        yield f"{printable(file.path)}: looked at, {_kind(file)}"
    for path in trace.compared:
        yield f"{printable(path)}: compared with the memory index"
    for candidate in trace.skipped:
        yield f"{printable(candidate.path)}: skipped, {printable(candidate.reason)}"
    yield f"configuration: {printable(trace.config or 'none, the defaults hold')}"
    yield f"baseline: {_baseline(trace)}"
    for rule, level, origin in trace.levels:
        yield f"rule {rule}: {level} ({printable(origin) if origin else 'by itself'})"


def _kind(file: CheckedFile) -> str:
    kind = _ROLES[file.role]
    if file.role is not Role.LEARNINGS:
        return kind
    dialect = file.document.dialect
    level = f" at level {dialect.level}" if dialect.level else ""
    entries = counted(len(file.document.entries), "entry", "entries")
    return f"{kind}, {entries}, {dialect.name}{level}: {printable(dialect.reason)}"


def _baseline(trace: Trace) -> str:
    if trace.known is None:
        return "not used"
    return f"{printable(trace.baseline)}, {counted(trace.known, 'known finding')} left out"
