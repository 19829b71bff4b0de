"""Findings that one event has caused, as reports for people show them: many of them as one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from learnings.core.findings.finding import Cause, Finding

MOST_ALONE = 3
"""Findings of one cause that are shown each by itself. Chosen: with more of them a reader looks for
the event and not for the lines; one real merge brought back 25 entries."""


def joined(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return findings with those of one cause as one, at the line of the first, where it has many.

    They are in the order of paths and lines before and after.
    """
    members: defaultdict[object, list[Finding]] = defaultdict(list)
    for finding in findings:
        members[_key(finding)].append(finding)
    shown = []
    for finding in findings:
        group = members[_key(finding)]
        if finding.cause is None or len(group) <= MOST_ALONE:
            shown.append(finding)
        elif finding is group[0]:
            shown.append(_one_of(group, finding.cause))
    return tuple(shown)


def _key(finding: Finding) -> object:
    cause = finding.cause
    return cause and (finding.path, finding.rule, finding.severity, cause.before, cause.after)


def _one_of(group: Sequence[Finding], cause: Cause) -> Finding:
    names = [finding.cause.name for finding in group[:MOST_ALONE] if finding.cause]
    listed = f"{', '.join(names)} and {len(group) - MOST_ALONE} more"
    before = cause.before.replace("{count}", str(len(group)))
    return group[0]._replace(message=f"{before} ({listed}){cause.after}")
