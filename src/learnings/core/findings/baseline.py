"""The findings that a repository has accepted for now: only what is new fails its checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from learnings.core.findings.finding import Finding, Severity, fingerprints
from learnings.core.text import printable

_LONGEST_ABOUT = 60


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
        Known(each.path, each.rule, _about(each), each.severity, fingerprint)
        for each, fingerprint in zip(findings, fingerprints(findings), strict=True)
    ]


def is_known(found: Known, baseline: Baseline) -> bool:
    """Whether a finding is in the baseline; a notice there does not cover what is an error now."""
    known = baseline.get(found.fingerprint)
    is_notice = found.severity is Severity.NOTICE
    return known is not None and (is_notice or known.severity is Severity.ERROR)


def pruned(
    baseline: Baseline, today: Iterable[Known], *, is_judged: Callable[[Known], bool]
) -> Baseline:
    """Return the baseline without what is gone: is_judged says what the run would have found.

    What was an error and is a notice now is recorded as that.
    """
    found = {each.fingerprint: each for each in today}
    left = {}
    for fingerprint, known in baseline.items():
        again = found.get(fingerprint)
        if again is not None:
            left[fingerprint] = again if is_known(again, baseline) else known
        elif not is_judged(known):
            left[fingerprint] = known
    return left


def _about(finding: Finding) -> str:
    text = printable(" ".join(finding.subject.split()))
    return text if len(text) <= _LONGEST_ABOUT else f"{text[: _LONGEST_ABOUT - 1].rstrip()}…"
