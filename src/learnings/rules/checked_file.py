"""A file in the form that every rule receives."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from learnings.core.entries import dialects
from learnings.core.entries.document import Document, ReadOptions, read
from learnings.core.file_names import LEARNINGS_NAMES
from learnings.core.findings.finding import Finding, Severity
from learnings.core.markdown.line_kinds import BULLET_MARKER
from learnings.core.roles import Role
from learnings.core.settings.setting_values import FileSettings, Settings
from learnings.core.text import BOM, chomp, counted

if TYPE_CHECKING:
    from learnings.core.entries.dialects import Dialect
    from learnings.core.entries.merge_damage import MergeDamage
    from learnings.core.findings.finding import Fix
    from learnings.core.markdown.outline import Block


class CheckedFile(NamedTuple):
    """A file under check; path is a POSIX path relative to the root of the repository.

    role is None if the file is not a memory file. is_memory is False for a Markdown file that is
    read as a learnings file only because the user named it. file_settings belong to this learnings
    file. damage lists what merges did to the file, if git was asked.
    """

    path: str
    role: Role | None
    data: bytes
    document: Document
    settings: Settings
    file_settings: FileSettings
    is_memory: bool = True
    damage: tuple[MergeDamage, ...] = ()

    @property
    def is_text(self) -> bool:
        """True if the data has no NUL byte, which only binary files and UTF-16 have."""
        return b"\0" not in self.data

    def line(self, number: int) -> str:
        """Return the line with this 1-based number, without its end or a BOM; empty if missing."""
        lines = self.document.lines
        if not 0 < number <= len(lines):
            return ""
        line = chomp(lines[number - 1])
        return line.removeprefix(BOM) if number == 1 else line

    def reread(self, data: bytes) -> CheckedFile:
        """Return the same file with other content."""
        document = document_of(data, self.role, self.file_settings)
        return self._replace(data=data, document=document)

    def swallowed(self, block: Block) -> str:
        """Describe what an unclosed block hides, as the end of a clause; empty if nothing."""
        below = [self.line(number) for number in range(block.first + 1, block.last + 1)]
        entries = sum(_entry_like(self.document.dialect).match(line) is not None for line in below)
        lines = sum(bool(line.strip()) for line in below)
        if entries:
            seem = "looks like an entry" if entries == 1 else f"look like {entries} entries"
            return f" and hides {counted(lines, 'line')} below it, which {seem}"
        return f" and hides {counted(lines, 'line')} below it" if lines else ""

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
        """Return a finding in this file; its subject is the text of the line by default."""
        about = self.line(line) if subject is None else subject
        return Finding(rule, severity, self.path, line, column, message, fix, about)


def checked_file(
    data: bytes, *, path: str, role: Role | None, settings: Settings, file_settings: FileSettings
) -> CheckedFile:
    """Return a file with this content; without a role, it is a learnings file if it has entries."""
    document = document_of(data, role, file_settings)
    is_memory = role is not None or path.rpartition("/")[2] in LEARNINGS_NAMES
    if role is None and document.entries:
        role = Role.LEARNINGS
    return CheckedFile(path, role, data, document, settings, file_settings, is_memory)


def document_of(data: bytes, role: Role | None, file_settings: FileSettings) -> Document:
    """Parse a file according to its role: only learnings files have their own settings."""
    if role in (Role.TARGET, Role.INDEX, Role.AGENT, Role.TOPIC):
        return read(data)
    return read(data, ReadOptions.of(file_settings))


def _entry_like(dialect: Dialect) -> re.Pattern[str]:
    """Return a pattern for the first line of an entry, as far as one line can tell."""
    if dialect.name == dialects.BULLET:  # a bullet at the left margin, followed by text
        return re.compile(rf"{BULLET_MARKER}[ \t]+\S")
    # A heading with text: at the level of the entries, or at level 2 or 3 if that is unknown.
    level = str(dialect.level) if dialect.level else "2,3"
    return re.compile(rf"\#{{{level}}}[ \t]+\S")
