"""Findings as values: counted, joined by cause, and recognised by a later run."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from learnings.core.text import counted, printable, shortened

if TYPE_CHECKING:
    from learnings.core.findings.fixes import Fix


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
    # Most runs have nothing to report.
    from hashlib import sha256  # noqa: PLC0415  (with a finding only)

    from learnings.core.markdown.ignore_comments import without_ignores  # noqa: PLC0415  (as above)

    seen: Counter[tuple[str, str, str]] = Counter()
    for finding in findings:
        about = _normalised(without_ignores(finding.subject))
        key = (finding.rule, finding.path, about)
        seen[key] += 1
        source = "\0".join((*key, str(seen[key])))
        digest = sha256(source.encode("utf-8", "surrogateescape")).hexdigest()
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
