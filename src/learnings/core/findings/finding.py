"""Findings as values, with safe fixes: counted, joined by cause, recognised by a later run."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from learnings.core.errors import FixRefused
from learnings.core.markdown.ignore_comments import without_ignores
from learnings.core.sha256 import sha256_of
from learnings.core.text import counted, decode, encode, printable, shortened, split_lines


class Edit(NamedTuple):
    """A line (1-based) before and after, with terminators; after: empty, or several lines."""

    line: int
    old: str
    new: str


class Fix(NamedTuple):
    """The effect of a fix, as a clause, and its edits: none if the fixer rewrites the whole file.

    on_request fixes need an option. `rewrites` fixes change words, with edits from replaced().
    `restores` fixes reorder the lines of a file or remove a second copy of them.
    """

    does: str
    edits: tuple[Edit, ...] = ()
    on_request: bool = False
    rewrites: bool = False
    restores: bool = False


def replaced(number: int, line: str, column: int, old: str, new: str) -> Edit:
    """Return the edit that replaces the words at a 1-based column of a line."""
    start = column - 1
    assert line[start : start + len(old)] == old
    return Edit(number, line, line[:start] + new + line[start + len(old) :])


def apply(data: bytes, fixes: Iterable[Fix], *, path: str) -> bytes:
    """Apply fixes to a file, combining two edits of one line.

    Restoring fixes must be applied alone, since they move lines. Raises FixRefused if a line is not
    the expected one, edits contradict each other, more than whitespace would change in a line that
    no fix rewrites, or a restored file would lack a line.
    """
    before, all_fixes = split_lines(decode(data)), [*fixes]
    if restoring := [fix for fix in all_fixes if fix.restores]:
        return _restored(before, restoring, path=path)
    text = "".join(edited(before, (edit for fix in all_fixes for edit in fix.edits), path=path))
    rewritten = {edit.line for fix in all_fixes if fix.rewrites for edit in fix.edits}
    after = split_lines(text)
    for number, (old, new) in enumerate(zip(before, after, strict=False), start=1):
        if number not in rewritten and "".join(old.split()) != "".join(new.split()):
            raise _refused(path, number, "would change in more than whitespace")
    if len(before) != len(after):
        raise _refused(path, min(len(before), len(after)), "would be joined or split")
    return encode(text)


def _restored(before: Sequence[str], fixes: Sequence[Fix], *, path: str) -> bytes:
    edits = (edit for fix in fixes for edit in fix.edits)
    text = "".join(edited(before, edits, path=path))
    kept = {line.strip() for line in split_lines(text)}
    for number, line in enumerate(before, start=1):
        if line.strip() and line.strip() not in kept:
            raise _refused(path, number, "would be lost")
    return encode(text)


def edited(lines: Sequence[str], edits: Iterable[Edit], *, path: str) -> list[str]:
    """Return the lines after all edits, which may change anything. Raises FixRefused as apply()."""
    by_line: defaultdict[int, set[Edit]] = defaultdict(set)
    for edit in edits:
        by_line[edit.line].add(edit)
    result = [*lines, ""]
    for number, line_edits in by_line.items():
        old = result[number - 1] if 1 <= number <= len(result) else None
        if any(edit.old != old for edit in line_edits):
            raise _refused(path, number, "is not the line the fix was made for")
        result[number - 1] = _edited(line_edits, path)
    return result


def _edited(edits: Iterable[Edit], path: str) -> str:
    result = next(iter(edits)).old
    begun = len(result) + 1
    changes = {_change(edit): edit for edit in edits if edit.new != edit.old}
    for change in sorted(changes, reverse=True):
        start, end, text = change
        if end >= begun:
            raise _refused(path, changes[change].line, "has two conflicting fixes")
        result = result[:start] + text + result[end:]
        begun = start
    return result


def _change(edit: Edit) -> tuple[int, int, str]:
    """Return the start and end of the characters that an edit replaces, and their new text."""
    old, new = edit.old, edit.new
    shorter = min(len(old), len(new))
    start = next((n for n in range(shorter) if old[n] != new[n]), shorter)
    remaining = shorter - start
    same = next((n for n in range(remaining) if old[-1 - n] != new[-1 - n]), remaining)
    return start, len(old) - same, new[start : len(new) - same]


def _refused(path: str, line: int, reason: str) -> FixRefused:
    return FixRefused(f"{path}:{line}: this line {reason}; not changed, fix it by hand")


_LONGEST_QUOTE = 60  # characters; chosen so that a message with two quotes fits on one line
# Hexadecimal digits, 64 bits: no two of a million findings collide by chance.
_FINGERPRINT_LENGTH = 16


class Severity(Enum):
    ERROR = "error"
    NOTICE = "notice"


class Cause(NamedTuple):
    """The common cause of several findings: its quoted name, and the words around joined names."""

    name: str
    before: str
    after: str


class Finding(NamedTuple):
    """A problem in a file (POSIX path from the root), at a 1-based line and column (in characters).

    subject is the text that the finding is about, which stays the same when lines move; empty for a
    whole file.
    """

    rule: str
    severity: Severity
    path: str
    line: int
    column: int
    message: str
    fix: Fix | None = None
    subject: str = ""
    cause: Cause | None = None

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"

    @property
    def is_fixable(self) -> bool:
        return self.fix is not None and not self.fix.on_request


class CheckReport(NamedTuple):
    """The findings of a check, and the number of files; known and older findings only count."""

    findings: tuple[Finding, ...]
    files: int
    known: tuple[Finding, ...] = ()
    older: tuple[Finding, ...] = ()

    @classmethod
    def of(
        cls,
        findings: Iterable[Finding],
        *,
        files: int,
        known: Iterable[Finding] = (),
        older: Iterable[Finding] = (),
    ) -> CheckReport:
        in_parts = (tuple(in_order(part)) for part in (known, older))
        return cls(tuple(in_order(findings)), files, *in_parts)

    @property
    def errors(self) -> int:
        return sum(finding.severity is Severity.ERROR for finding in self.findings)

    @property
    def notices(self) -> int:
        return len(self.findings) - self.errors

    @property
    def fixable(self) -> int:
        return sum(finding.is_fixable for finding in self.findings)

    @property
    def needs_history(self) -> bool:
        """True if a fix rewrites words or restores entries: git must tell the right ones."""
        fixes = (finding.fix for finding in self.findings)
        return any(fix is not None and (fix.rewrites or fix.restores) for fix in fixes)

    @property
    def counts(self) -> str:
        """The numbers in words: `1 error, 0 notices in 3 files; 2 known findings left out`."""
        errors, notices = counted(self.errors, "error"), counted(self.notices, "notice")
        left_out = (("known", self.known), ("older", self.older))
        parts = [counted(len(part), f"{word} finding") for word, part in left_out if part]
        end = f"; {' and '.join(parts)} left out" if parts else ""
        return f"{errors}, {notices} in {counted(self.files, 'file')}{end}"

    def fails(self, *, strict: bool = False) -> bool:
        return bool(self.findings if strict else self.errors)

    def with_fingerprints(self) -> Iterator[tuple[Finding, str]]:
        """Yield each finding with its fingerprint; left-out ones count in the numbering."""
        marked = [(finding, True) for finding in self.findings]
        marked += [(finding, False) for finding in (*self.known, *self.older)]
        marked.sort(key=lambda pair: _position(pair[0]))
        prints = fingerprints(finding for finding, _ in marked)
        for (finding, is_new), fingerprint in zip(marked, prints, strict=True):
            if is_new:
                yield finding, fingerprint


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    return sorted(findings, key=_position)


def fingerprints(findings: Iterable[Finding]) -> Iterator[str]:
    """Yield 16 hexadecimal digits per finding; pass all findings of the files, in order.

    Fingerprints survive edits elsewhere in the file, and comments that ignore other rules.
    """
    seen: Counter[tuple[str, str, str]] = Counter()
    for finding in findings:
        about = _normalised(without_ignores(finding.subject))
        key = (finding.rule, finding.path, about)
        seen[key] += 1
        source = "\0".join((*key, str(seen[key])))
        digest = sha256_of(source.encode("utf-8", "surrogateescape"))
        yield digest[:_FINGERPRINT_LENGTH]


def quoted(text: str) -> str:
    """Quote text of a file for a message: one line, shortened, printable."""
    return f'"{printable(shortened(_normalised(text), _LONGEST_QUOTE))}"'


def _normalised(text: str) -> str:
    return " ".join(text.split())


def _position(finding: Finding) -> tuple[str, int, int, str]:
    return finding.path, finding.line, finding.column, finding.rule


MOST_ALONE = 3
"""Maximum findings of one cause to show separately.

Chosen: with more of them a reader looks for the event and not for the lines; one real merge brought
back 25 entries.
"""


def joined_by_cause(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    members: defaultdict[object, list[Finding]] = defaultdict(list)
    for finding in findings:
        members[_cause_key(finding)].append(finding)
    shown = []
    for finding in findings:
        group = members[_cause_key(finding)]
        if finding.cause is None or len(group) <= MOST_ALONE:
            shown.append(finding)
        elif finding is group[0]:
            names = [member.cause.name for member in group[:MOST_ALONE] if member.cause]
            listed = f"{', '.join(names)} and {len(group) - MOST_ALONE} more"
            before = finding.cause.before.replace("{count}", str(len(group)))
            message = f"{before} ({listed}){finding.cause.after}"
            shown.append(finding._replace(message=message))
    return tuple(shown)


def _cause_key(finding: Finding) -> object:
    cause = finding.cause
    return cause and (finding.path, finding.rule, finding.severity, cause.before, cause.after)
