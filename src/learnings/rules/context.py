"""What a rule is and what it is given."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from learnings.core.agents.model import AgentFacts
from learnings.core.due.rule_facts import HistoryFacts
from learnings.core.entries import dialects
from learnings.core.entries.dialects import Dialect
from learnings.core.entries.document import Document, read
from learnings.core.findings.finding import Finding, Severity, counted
from learnings.core.findings.fixes import Fix
from learnings.core.findings.ignores import Ignore, Unused
from learnings.core.index.problem import Problem
from learnings.core.markdown.outline import Block
from learnings.core.roles import Role
from learnings.core.settings.values import FileSettings, Settings
from learnings.core.text import chomp

Roles = frozenset[Role | None]
LEARNINGS: Roles = frozenset({Role.LEARNINGS})
TARGETS: Roles = frozenset({Role.TARGET})
# An index block stands in a learnings file, which then is the index as well.
INDEX: Roles = frozenset({Role.INDEX, Role.LEARNINGS})
AGENTS: Roles = frozenset({Role.AGENT})
# None is text without a role that somebody wants checked all the same.
EVERY_FILE: Roles = frozenset({*Role, None})
# Rules that find nothing where git was not asked.
WITH_HISTORY = frozenset({"date-mismatch", "resurrected-entry"})
# Rules about the comments that ignore rules; no comment can ignore them.
ABOUT_IGNORES = frozenset({"ignore-without-reason", "unused-ignore"})


class Context(NamedTuple):
    """A file as the rules see it.

    path is POSIX from the repository's root. role is None for a file that is no memory file.
    settings are those of the repository, file those of this one learnings file. problems are those
    between a memory index and the files it lists; they may lie in the latter. history is what git
    knows of a learnings file, None where it was not asked. elsewhere are the comments in the files
    that this one lists which ignore rules, None where this is not the memory index. unused is what
    is ignored in vain; it is known once all other rules have run. agent is what lies around a file
    of an agent, None for all others.
    """

    path: str
    role: Role | None
    data: bytes
    document: Document
    settings: Settings
    file: FileSettings
    problems: tuple[Problem, ...] = ()
    history: HistoryFacts | None = None
    elsewhere: Mapping[str, Sequence[Ignore]] | None = None
    unused: tuple[Unused, ...] = ()
    agent: AgentFacts | None = None

    def line(self, number: int) -> str:
        """The line with this 1-based number without its end or a BOM; empty if there is none."""
        lines = self.document.lines
        if not 0 < number <= len(lines):
            return ""
        line = chomp(lines[number - 1])
        return line.removeprefix("\ufeff") if number == 1 else line

    def reread(self, data: bytes) -> Context:
        """The same file with other content; the problems of an index have to be found anew."""
        document = document_of(data, self.role, self.file)
        return self._replace(data=data, document=document, problems=())

    def swallowed(self, block: Block) -> str:
        """What a block that is never closed hides, as the end of a clause; empty for nothing."""
        below = [self.line(number) for number in range(block.first + 1, block.last + 1)]
        entries = sum(_entry_like(self.document.dialect).match(line) is not None for line in below)
        lines = sum(bool(line.strip()) for line in below)
        if entries:
            seem = "looks like an entry" if entries == 1 else f"look like {entries} entries"
            return f" and hides {counted(lines, 'line')} below it, which {seem}"
        return f" and hides {counted(lines, 'line')} below it" if lines else ""

    def in_index(self, rule: str, severity: Severity) -> Iterator[Finding]:
        """Give the problems of the memory index that this rule is about as findings."""
        for each in self.problems:
            if each.kind == rule:
                yield Finding(
                    rule,
                    severity,
                    each.path,
                    each.line,
                    each.column,
                    each.message,
                    each.fix,
                    each.subject,
                )

    def finding(
        self,
        rule: str,
        severity: Severity,
        line: int,
        message: str,
        *,
        column: int = 1,
        subject: str | None = None,
        fix: Fix | None = None,
    ) -> Finding:
        """A finding in this file; its subject is the text of the line unless given."""
        about = self.line(line) if subject is None else subject
        return Finding(rule, severity, self.path, line, column, message, fix, about)


def document_of(data: bytes, role: Role | None, file: FileSettings) -> Document:
    """Read a file as its role asks: only learnings files have settings of their own."""
    if role in (Role.TARGET, Role.INDEX, Role.AGENT):
        return read(data)
    return read(
        data,
        dialect=file.dialect,
        entry_level=file.entry_level,
        preamble_lines=file.preamble_lines,
    )


class Rule(Protocol):
    """A rule is a module; its docstring is its documentation.

    SEVERITY is that of its findings, or the highest where they differ. ROLES are those of the
    files it looks at.
    """

    ID: str
    SEVERITY: Severity
    ROLES: Roles

    def check(self, context: Context) -> Iterator[Finding]:
        """Give the findings in a file."""


def _entry_like(dialect: Dialect) -> re.Pattern[str]:
    """What begins an entry, as far as a line alone can tell."""
    if dialect.name == dialects.BULLET:
        return re.compile(r"[-*+][ \t]+\S")
    level = str(dialect.level) if dialect.level else "2,3"
    return re.compile(rf"\#{{{level}}}[ \t]+\S")
