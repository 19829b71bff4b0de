"""Memory files in an editor: checks, fixes and ages of unsaved text.

The text of the buffer replaces the file; everything else is read from the repository, and nothing
is written.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from learnings.app.consolidate.entry_references import entry_references
from learnings.check.fixing import fixed_files
from learnings.check.repository import SelectedFile
from learnings.check.run import report_on
from learnings.check.search import Search
from learnings.core.errors import FixRefused, LearningsError, UnusableFile
from learnings.core.findings.finding import Finding, apply
from learnings.core.patterns import lazy_pattern
from learnings.core.roles import Role, memory_folder_of
from learnings.core.text import chomp, decode, encode, newline_of, printable, split_lines
from learnings.rules import ignore_without_reason
from learnings.rules.rule import CheckedFile
from learnings.workspace.disk import content_of, find_root, is_local_memory, real_path, within_limit
from learnings.workspace.memory_file import MemoryFile, MemoryFolder
from learnings.workspace.workspace import Workspace

if TYPE_CHECKING:
    from learnings.agents.file_facts import Commands
    from learnings.core.due.ages import EntryAge
    from learnings.core.entries.document import Entry
    from learnings.references.dead import EntryReferences


# Editors may send half of a surrogate pair, which UTF-8 cannot encode.
_HALF_CHARACTER = lazy_pattern("[\ud800-\udfff]")
_BOM = b"\xef\xbb\xbf"


class Buffers(NamedTuple):
    """The open buffers by absolute path, the open folders of the editor, and our commands."""

    contents: Mapping[Path, bytes]
    folders: tuple[Path, ...]
    commands: Callable[[], Commands]


class CheckedBuffer(NamedTuple):
    """A buffer with a memory file and its findings; some may be in files that it lists."""

    path: Path
    selected: SelectedFile
    findings: tuple[Finding, ...]
    buffers: Buffers

    @property
    def file(self) -> CheckedFile:
        return self.selected.file

    @property
    def root(self) -> Path:
        """The base folder of paths in findings."""
        return self.selected.workspace.root

    @property
    def own_findings(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.path == self.file.path)


def bytes_of(text: str) -> bytes:
    """Return the text of an editor as file bytes: the same number of characters, all complete."""
    return _HALF_CHARACTER.sub("\ufffd", text).encode("utf-8")


def is_saved(path: Path, data: bytes) -> bool:
    """Return True if a buffer equals its file; editors hide a BOM."""
    return content_of(path).removeprefix(_BOM) == data.removeprefix(_BOM)


def checked_buffer(path: Path, buffers: Buffers) -> CheckedBuffer | None:
    """Check a buffer as `learnings check FILE` checks a file; return None if it is no memory file.

    Raises LearningsError for a file that cannot be checked and for wrong settings.
    """
    data = within_limit(buffers.contents[path], shown=str(path))
    root = find_root(real_path(path.parent))
    if not os.path.lexists(root / ".git") and not is_local_memory(path.parent):
        raise UnusableFile(
            f"{printable(str(path))} is not in a git repository, so it is not checked; "
            "move it into one, or run `git init`"
        )
    workspace = Workspace.open(_start(path, root, buffers.folders))
    search = Search(workspace, commands=buffers.commands, contents=buffers.contents)
    relative = search.workspace.relative(path) or ""
    folders = [str(file.path) for file in search.workspace.settings.files]
    # The path rules out most files.
    may_be_topic = memory_folder_of(relative, folders) is not None
    topics = search.workspace.found.topics if may_be_topic else ()
    role = Role.TOPIC if any(topic.path == relative for topic in topics) else None
    for selected in search.content(path, data, role=role):
        _, file, inputs = selected
        # Not a file that is checked only if a user names it.
        if file.is_memory and (file.role is not Role.AGENT or "agent" in inputs):
            report = report_on([selected], base=search.workspace.root)
            return CheckedBuffer(path, selected, report.findings, buffers)
    return None


def _start(path: Path, root: Path, folders: tuple[Path, ...]) -> Path:
    """Return the folder in which a user of this editor would run `learnings`."""
    real = {folder: real_path(folder) for folder in folders}
    inner = [f for f in folders if real[f].is_relative_to(root) and path.is_relative_to(f)]
    return max(inner, key=lambda folder: len(folder.parts), default=root)


def with_fix(checked: CheckedBuffer, finding: Finding) -> bytes | None:
    """Return the buffer with the fix of one finding, or None if it changes nothing by itself."""
    if finding.fix is None or not finding.fix.edits:
        return None
    try:
        return apply(checked.file.data, [finding.fix], path=checked.file.path)
    except FixRefused:
        return None


def with_fixes(checked: CheckedBuffer, *, add_missing: bool = False) -> bytes | None:
    """Return the buffer after `learnings fix`, or None if nothing changes."""
    workspace = checked.selected.workspace
    named = ((workspace.relative(path), data) for path, data in checked.buffers.contents.items())
    others = {path: data for path, data in named if path is not None}
    try:
        fixed = fixed_files(
            checked.root, [checked.selected], add_missing=add_missing, others=others
        )
    except LearningsError:
        return None
    return next((file.after for file in fixed if file.path == checked.file.path), None)


def with_ignore(checked: CheckedBuffer, finding: Finding) -> bytes | None:
    """Return the buffer with a comment that ignores one finding, or None if no place fits.

    The comment has no reason yet; the rule `ignore-without-reason` then asks for one. Every place
    is tried, because only the check knows which lines a comment covers.
    """
    before = Counter(other.rule for other in checked.findings)
    expected = before + Counter({ignore_without_reason.RULE.id: 1})
    for data in _ignored(checked.file, finding):
        contents = {**checked.buffers.contents, checked.path: data}
        after = checked_buffer(checked.path, checked.buffers._replace(contents=contents))
        rules = Counter(other.rule for other in after.findings) if after else expected
        if rules[finding.rule] < before[finding.rule] and rules <= expected:
            return data
    return None


def _ignored(file: CheckedFile, finding: Finding) -> Iterator[bytes]:
    """Yield the file with a comment at the end of a line, then below the heading above it."""
    lines = split_lines(decode(file.data))
    newline = newline_of("".join(lines))
    comment = f"<!-- learnings: ignore[{finding.rule}] -->"
    index = finding.line - 1
    if index < len(lines):
        content = chomp(lines[index])
        end = lines[index][len(content) :]
        line = f"{content.rstrip()} {comment}{end}"
        yield encode("".join([*lines[:index], line, *lines[index + 1 :]]))
    headings = [h.line for h in file.document.outline.headings if h.line <= finding.line]
    if headings:
        above = headings[-1]
        inserted = [newline, f"{comment}{newline}"]
        yield encode("".join([*lines[:above], *inserted, *lines[above:]]))


class EntryFacts(NamedTuple):
    """The facts of an entry: its age, or a `problem` that hides it, and the things it names."""

    entry: Entry
    age: EntryAge | None
    problem: str
    references: EntryReferences | None


def entry_at(checked: CheckedBuffer, line: int) -> Entry | None:
    """Return the entry on a 1-based line; a file of a memory folder is one entry."""
    if checked.file.role is Role.TOPIC:
        memory = _memory_of(checked)
        path = checked.selected.workspace.relative(checked.path)
        return next((entry for entry in memory.document.entries if entry.path == path), None)
    if checked.file.role is not Role.LEARNINGS:
        return None
    entries = checked.file.document.entries
    return next((entry for entry in entries if entry.first <= line <= entry.last), None)


def entry_facts(checked: CheckedBuffer, entry: Entry) -> EntryFacts:
    """Ask git about an entry; the age comes from the file on disk, references from the buffer."""
    memory = _memory_of(checked)
    document = memory.document if entry.path else checked.file.document
    references = entry_references(memory, document).get(entry.identity)
    try:
        ages = {age.entry.identity: age for age in memory.ages().entries}
    except (LearningsError, OSError) as error:
        return EntryFacts(entry, None, str(error), references)
    age = ages.get(entry.identity)
    problem = "" if age else "it is not saved yet"
    return EntryFacts(entry, age, problem, references)


def _memory_of(checked: CheckedBuffer) -> MemoryFile:
    workspace = checked.selected.workspace
    if checked.file.role is not Role.TOPIC:
        return MemoryFile(workspace, checked.path)
    folder = memory_folder_of(workspace.relative(checked.path) or "")
    return MemoryFolder(workspace, workspace.root / folder if folder else checked.path.parent)


def memory_name(checked: CheckedBuffer) -> str:
    """Return the path, from the root, of the memory of a buffer: a file or a folder."""
    return _memory_of(checked).name
