"""What a check reports: findings as values, counted and told apart from one run to the next."""

from __future__ import annotations

from collections import Counter
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_LONGEST_QUOTE = 60
_FINGERPRINT_LENGTH = 16


class Severity(Enum):
    """How bad a finding is: an error fails a check, a notice only when asked to."""

    ERROR = "error"
    NOTICE = "notice"


class Finding(NamedTuple):
    """One thing that is wrong in a file.

    path is POSIX from the repository's root; line and column are 1-based, columns in characters.
    message is one sentence on one line. subject is the text that the finding is about, which
    stays the same when lines move; it is empty where a finding is about the file as a whole. fix
    is None: nothing is mended automatically yet.
    """

    rule: str
    severity: Severity
    path: str
    line: int
    column: int
    message: str
    fix: None = None
    subject: str = ""


class Report(NamedTuple):
    """The outcome of a check: findings in the order of paths and lines, the number of files."""

    findings: tuple[Finding, ...]
    files: int

    @classmethod
    def of(cls, findings: Iterable[Finding], *, files: int) -> Report:
        """Put findings into order; `files` is the number of files looked at."""
        return cls(tuple(sorted(findings, key=_place)), files)

    @property
    def errors(self) -> int:
        """The number of errors."""
        return sum(finding.severity is Severity.ERROR for finding in self.findings)

    @property
    def notices(self) -> int:
        """The number of notices."""
        return len(self.findings) - self.errors

    def fails(self, *, strict: bool = False) -> bool:
        """Whether the check has failed: there is an error or, when strict, any finding."""
        return bool(self.findings if strict else self.errors)

    def with_fingerprints(self) -> Iterator[tuple[Finding, str]]:
        """Each finding with a text of 16 hexadecimal digits by which a later run knows it again.

        It comes from rule, path and subject, and the number of equal ones above; so it stays
        when lines are added or removed elsewhere in the file.
        """
        from hashlib import sha256  # noqa: PLC0415  (most runs have nothing to report)

        seen: Counter[tuple[str, str, str]] = Counter()
        for finding in self.findings:
            key = (finding.rule, finding.path, _normalised(finding.subject))
            seen[key] += 1
            source = "\0".join((*key, str(seen[key])))
            digest = sha256(source.encode("utf-8", "surrogateescape")).hexdigest()
            yield finding, digest[:_FINGERPRINT_LENGTH]


def quoted(text: str) -> str:
    """Text of a file for a message: in quotes, on one line, shortened, no control characters."""
    collapsed = _normalised(text)
    if len(collapsed) > _LONGEST_QUOTE:
        collapsed = collapsed[: _LONGEST_QUOTE - 1].rstrip() + "…"
    return f'"{escaped(collapsed)}"'


def escaped(text: str) -> str:
    """The text with everything escaped that is not printable."""
    if text.isprintable():
        return text
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii")
        for sign in text
    )


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """`1 line`, `2 lines`; the plural takes an s unless it is given."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def _normalised(text: str) -> str:
    return " ".join(text.split())


def _place(finding: Finding) -> tuple[str, int, int, str]:
    return finding.path, finding.line, finding.column, finding.rule
