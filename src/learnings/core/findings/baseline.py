"""The findings that a repository has accepted for now: only what is new fails its checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from learnings.core.findings.finding import Finding, Severity, fingerprints
from learnings.core.text import printable

_LONGEST_ABOUT = 60  # characters; chosen, enough to know the line in a diff of the baseline


class Known(NamedTuple):
    """A finding as a baseline records it.

    path is POSIX from the root of the repository that the file belongs to. about is for readers:
    the text that the finding is about, shortened. The fingerprint is what a later run compares.
    """

    path: str
    rule: str
    about: str
    severity: Severity
    fingerprint: str


Baseline = Mapping[str, Known]
"""What is known, by fingerprint."""


def recorded(findings: Sequence[Finding]) -> list[Known]:
    """Return findings as they are recorded; they have to be all of their files, in order."""
    return [
        Known(finding.path, finding.rule, _about(finding), finding.severity, fingerprint)
        for finding, fingerprint in zip(findings, fingerprints(findings), strict=True)
    ]


def is_known(finding: Known, baseline: Baseline) -> bool:
    """Return True if a finding is in the baseline; a notice there does not cover an error now."""
    known = baseline.get(finding.fingerprint)
    is_notice = finding.severity is Severity.NOTICE
    return known is not None and (is_notice or known.severity is Severity.ERROR)


def pruned(
    baseline: Baseline, today: Iterable[Known], *, is_judged: Callable[[Known], bool]
) -> Baseline:
    """Return the baseline without what is gone.

    is_judged returns True for a finding that the run would have found if it were still there. What
    was an error and is a notice now is recorded as a notice.
    """
    current = {finding.fingerprint: finding for finding in today}
    kept = {}
    for fingerprint, known in baseline.items():
        finding = current.get(fingerprint)
        if finding is not None:
            kept[fingerprint] = finding if is_known(finding, baseline) else known
        elif not is_judged(known):
            kept[fingerprint] = known
    return kept


def _about(finding: Finding) -> str:
    text = printable(" ".join(finding.subject.split()))
    return text if len(text) <= _LONGEST_ABOUT else f"{text[: _LONGEST_ABOUT - 1].rstrip()}…"
